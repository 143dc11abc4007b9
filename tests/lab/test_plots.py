import re
from collections.abc import Iterable
from xml.etree import ElementTree

from matplotlib.axes import Axes
from matplotlib.container import ErrorbarContainer

from permutree_lab.plots import Line, Plot, as_figure, draw
from permutree_lab.results import Mean

SVG = "{http://www.w3.org/2000/svg}"


def plot(*lines: Line, dots: bool = False) -> Plot:
    return Plot("A & B", "epoch", "F1", lines, is_logarithmic=dots, is_scattered=dots)


def axes(*lines: Line, dots: bool = False) -> Axes:
    (found,) = as_figure(plot(*lines, dots=dots)).axes
    return found


def line(name: str, *points: tuple[float, float]) -> Line:
    return Line(name, [(across, Mean(up, 0.5, 3)) for across, up in points])


def bars(found: Axes) -> list[tuple[float, float]]:
    """From where to where the bars of deviations reach."""
    (container,) = found.containers
    assert isinstance(container, ErrorbarContainer)
    segments: Iterable[Iterable[Iterable[float]]] = container[2][0].get_segments()
    return [(min(heights), max(heights)) for heights in ([up for _, up in segment] for segment in segments)]


def test_lines_have_names_and_points() -> None:
    found = axes(line("one", (1, 60.0), (2, 70.0)), line("two", (1, 65.0), (2, 65.0)))
    assert [[*map(tuple, one.get_xydata())] for one in found.get_lines()] == [  # type: ignore[arg-type]
        [(1, 60), (2, 70)],
        [(1, 65), (2, 65)],
    ]
    legend = found.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["one", "two"]


def test_deviations_are_bars_that_end_at_zero() -> None:
    assert bars(axes(line("one", (1, 0.25), (2, 30.0)))) == [(0.0, 0.75), (29.5, 30.5)]


def test_many_points_have_neither_dots_nor_bars() -> None:
    (found,) = axes(line("one", *((epoch, 50.0) for epoch in range(1, 30)))).get_lines()
    assert found.get_marker() == ""
    assert found.get_linestyle() == "-"


def test_dots_on_a_logarithmic_scale() -> None:
    found = axes(*(line(str(speed), (speed, 70.0)) for speed in (10.0, 100.0, 1000.0)), dots=True)
    assert found.get_xscale() == "log"
    assert {one.get_linestyle() for one in found.get_lines()} == {"None"}


def test_names_across() -> None:
    figure = as_figure(Plot("A", "words", "F1", [line("one", (0, 60.0), (1, 70.0))], [(0, "1–10"), (1, "11–20")]))
    assert [tick.get_text() for tick in figure.axes[0].get_xticklabels()] == ["1–10", "11–20"]


def test_no_two_lines_or_dots_look_alike() -> None:
    for dots in (False, True):
        found = axes(*(line(str(number), (1, 50.0), (2, 60.0)) for number in range(20)), dots=dots).get_lines()
        looks = {(one.get_color(), one.get_marker() if dots else one.get_linestyle()) for one in found}
        assert len(looks) == 20


def test_a_picture_is_the_same_whenever_it_is_drawn() -> None:
    one = plot(line("one", (1, 60.0), (2, 70.0)))
    for target in ("svg", "png"):
        assert draw(one, target) == draw(one, target)
    assert not re.search(rb"dc:date|Matplotlib", draw(one))


def test_words_in_a_picture_are_text() -> None:
    root = ElementTree.fromstring(draw(plot(line("one", (1, 60.0), (2, 70.0)))))
    assert {"A & B", "epoch", "F1", "one"} <= {text.text for text in root.iter(f"{SVG}text")}


def test_nothing_to_draw() -> None:
    assert b"no results yet" in draw(plot())
