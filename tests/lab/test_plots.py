from xml.etree import ElementTree

from permutree_lab.plots import Line, Plot, draw
from permutree_lab.results import Mean

SVG = "{http://www.w3.org/2000/svg}"


def picture(*lines: Line, dots: bool = False) -> ElementTree.Element:
    return ElementTree.fromstring(draw(Plot("A & B", "epoch", "F1", lines, is_logarithmic=dots, is_scattered=dots)))


def line(name: str, *points: tuple[float, float]) -> Line:
    return Line(name, [(across, Mean(up, 0.5, 3)) for across, up in points])


def test_higher_is_higher_and_later_is_to_the_right() -> None:
    root = picture(line("one", (1, 60.0), (2, 70.0)), line("two", (1, 65.0), (2, 65.0)))
    first, second = (
        [tuple(map(float, point.split(","))) for point in found.attrib["points"].split()]
        for found in root.iter(f"{SVG}polyline")
    )
    assert first[0][0] < first[1][0]
    assert first[0][1] > second[0][1] > first[1][1]
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert {"A & B", "epoch", "F1", "one", "two", "60", "70"} <= set(texts)


def test_dots_on_a_logarithmic_scale() -> None:
    lines = [line(str(speed), (speed, 70.0)) for speed in (10.0, 100.0, 1000.0)]
    root = picture(*lines, dots=True)
    assert not list(root.iter(f"{SVG}polyline"))
    places = [float(dot.attrib["cx"]) for dot in root.iter(f"{SVG}circle")][::2]
    # Ten times as fast is as far to the right again.
    assert round(places[1] - places[0], 0) == round(places[2] - places[1], 0) > 0


def test_nothing_to_draw() -> None:
    assert "no results yet" in [text.text for text in picture().iter(f"{SVG}text")]


def test_one_point() -> None:
    assert len(list(picture(line("one", (1, 50.0))).iter(f"{SVG}circle"))) == 1


def test_nothing_is_below_zero() -> None:
    root = picture(line("one", (1, 0.1), (2, 30.0)))
    assert "-5" not in [text.text for text in root.iter(f"{SVG}text")]


def test_no_two_lines_or_dots_look_alike() -> None:
    lines = [line(str(number), (1, 50.0)) for number in range(20)]
    root = picture(*lines, dots=True)
    marks = [dot for dot in root if dot.tag in (f"{SVG}circle", f"{SVG}path") and "fill" in dot.attrib]
    # Each has one mark in the plot and one beside its name.
    looks = [(dot.tag, dot.attrib.get("d", "").partition("m")[2], dot.attrib["fill"]) for dot in marks]
    assert [looks.count(look) for look in looks] == [2] * 40
    lines = [line(str(number), (1, 50.0), (2, 60.0)) for number in range(20)]
    strokes = [
        (one.attrib["stroke"], one.attrib.get("stroke-dasharray")) for one in picture(*lines).iter(f"{SVG}polyline")
    ]
    assert len(set(strokes)) == 20
