"""Drawings as SVG and HTML."""

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

from hypothesis import given

from permutree.drawing import draw_html, draw_svg
from permutree.trees.tree import Tree
from strategies import trees

NAMESPACE = "{http://www.w3.org/2000/svg}"
GERMAN = Tree.parse(
    "(ROOT (S (VP (AVP (ADV 0=Noch) (ADV 1=nie)) (NP (ADV 4=so) (PIAT 5=viel)) (VVPP 6=gewählt)) "
    "(VAFIN 2=habe) (PPER 3=ich)) ($. 7=.))"
)


def texts(svg: str, kind: str | None = None) -> list[str]:
    """The texts of a class, or those without one."""
    found = []
    for element in ElementTree.fromstring(svg).iter(f"{NAMESPACE}text"):
        classes = element.get("class", "").split()
        if kind in classes or (kind is None and not classes):
            found.append(element.text or "")
    return found


def test_words_tags_and_labels() -> None:
    svg = draw_svg(GERMAN)
    assert texts(svg, "word") == list(GERMAN.words)
    assert texts(svg, "tag") == list(GERMAN.tags)
    assert sorted(texts(svg)) == ["AVP", "NP", "ROOT", "S"]
    assert texts(svg, "gap") == ["VP"]


def test_words_stand_in_sentence_order() -> None:
    root = ElementTree.fromstring(draw_svg(GERMAN))
    words = [element for element in root.iter(f"{NAMESPACE}text") if element.get("class") == "word"]
    places = [float(element.get("x", "")) for element in words]
    assert places == sorted(places)
    assert len({element.get("y") for element in words}) == 1


def test_lines_are_interrupted_where_branches_cross() -> None:
    root = ElementTree.fromstring(draw_svg(GERMAN))
    lines = [element for element in root.iter(f"{NAMESPACE}path") if "gap" in element.get("class", "")]
    assert len(lines) == 1
    # The branches of habe and ich cut the line below VP into three pieces.
    assert len(re.findall("H", lines[0].get("d", ""))) == 3


def test_a_reader_who_cannot_see_it() -> None:
    root = ElementTree.fromstring(draw_svg(GERMAN))
    assert root.get("role") == "img"
    assert root.findtext(f"{NAMESPACE}title") == "Noch nie habe ich so viel gewählt ."
    assert root.findtext(f"{NAMESPACE}desc") == GERMAN.discbracket()


def test_dark_and_light() -> None:
    assert "prefers-color-scheme:dark" in draw_svg(GERMAN)
    assert 'class="page"' in draw_svg(GERMAN)
    assert 'class="page"' not in draw_svg(GERMAN, background=False)


def test_notebooks_show_the_picture() -> None:
    assert GERMAN._repr_svg_() == draw_svg(GERMAN)


def test_special_characters() -> None:
    words = ["<b>&\"'", "]]>", "\x00\x1b\ufffe", "two words", "שלום", "\ud800"]
    tree = Tree.from_constituents(words, ["<"] * 6, [("&", range(6))])
    svg = draw_svg(tree)
    assert texts(svg, "word") == ["<b>&\"'", "]]>", "␀␛\ufffd", "two words", "שלום", "\ufffd"]
    assert texts(svg, "rtl") == ["שלום"]
    assert texts(svg) == ["&"]
    svg.encode()


def test_functions() -> None:
    tree = Tree.parse("(S (NP (NN 0=a)) (VB 1=b))").annotated(functions=("--", "HD", None, "SB"))
    assert sorted(texts(draw_svg(tree, functions=True), "function")) == ["HD", "SB"]
    assert texts(draw_svg(tree), "function") == []


@given(trees())
def test_any_tree(tree: Tree) -> None:
    svg = draw_svg(tree)
    assert texts(svg, "word") == list(tree.words)
    assert len(texts(svg)) + len(texts(svg, "gap")) == len(tree.labels)
    root = ElementTree.fromstring(svg)
    width, height = float(root.get("width", "")), float(root.get("height", ""))
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
    for element in root.iter(f"{NAMESPACE}text"):
        assert 0 <= float(element.get("x", "")) <= width
        assert 0 <= float(element.get("y", "")) <= height


def test_deep_and_long_trees() -> None:
    deep = Tree.parse("(A " * 1000 + "(X 0=a)" + ")" * 1000)
    assert len(texts(draw_svg(deep))) == 1000
    long = Tree.parse("(S " + " ".join(f"(X {index}=w)" for index in range(10_000)) + ")")
    assert len(texts(draw_svg(long), "word")) == 10_000


class Page(HTMLParser):
    """What is open where, and the ids."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.counts: dict[str, int] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.counts[tag] = self.counts.get(tag, 0) + 1
        self.ids += [value for name, value in attrs if name == "id" and value]
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.counts[tag] = self.counts.get(tag, 0) + 1

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_page() -> None:
    trees = [GERMAN.annotated(id="s<1>"), GERMAN]
    text = draw_html(trees, title="A & B")
    page = Page()
    page.feed(text)
    assert page.open == []
    assert page.ids == ["tree-1", "tree-2"]
    assert page.counts["svg"] == 2
    assert page.counts["style"] == 1, "the style is shared"
    assert "s&lt;1&gt;" in text
    assert "<title>A &amp; B</title>" in text


def test_page_without_trees() -> None:
    page = Page()
    page.feed(draw_html([]))
    assert page.open == []


def test_marked_nodes_have_classes_of_their_own() -> None:
    tree = Tree.parse("(S (VP (X 0=a) (V 2=c)) (N 1=b))")
    picture = draw_svg(tree, marks={1: "missing", 3: "wrong", 4: "wrong"})
    assert '<text class="tag missing"' in picture
    assert '<text class="gap wrong"' in picture
    assert '<path class="gap wrong"' in picture
    assert '<path class="wrong"' in picture
    assert ".permutree text.missing{" in picture
    assert 'class="gap d0"' not in picture
    assert "wrong" not in draw_svg(tree)
