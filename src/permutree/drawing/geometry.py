"""The lines of a drawing in print, shared by SVG and LaTeX: which pieces there are, once labels have a size."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from permutree.drawing.layout import Layout, lay_out
from permutree.drawing.measures import ems
from permutree.sanitising import visible
from permutree.trees.tree import Tree

__all__ = ["Branches", "Fonts", "Picture", "draw_picture"]


@dataclass(frozen=True, slots=True)
class Fonts:
    """Font sizes, and distances in the same unit."""

    word: float
    tag: float
    label: float
    function: float
    #: between the columns of words
    gap: float
    #: from the middle of a label to the line below it
    drop: float
    #: the length of the shortest branch
    branch: float
    #: the space that a crossing line leaves free at each side of the branch
    clear: float


@dataclass(frozen=True, slots=True)
class Branches:
    """The lines below one constituent."""

    constituent: int
    #: the height of the horizontal line, and where its pieces begin and end
    y: float
    pieces: list[tuple[float, float]]
    #: the line from the label down
    stem: tuple[float, float]
    #: the lines to the children: x, lower end
    legs: list[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing in print, in the unit of its font sizes; heights are measured downwards from the top."""

    layout: Layout
    words: list[str]
    labels: list[str]
    #: node → function label, for those that have one and if they are shown
    functions: dict[int, str]
    fonts: Fonts
    #: the middle of the root's label
    top: float
    #: from one level to the next
    step: float

    @property
    def width(self) -> float:
        """The width of everything."""
        return self.layout.width

    @property
    def height(self) -> float:
        """The height of everything."""
        return self.word_y + self.fonts.word * 0.75

    @property
    def word_y(self) -> float:
        """The middle of the words."""
        return self.y(0) + self.fonts.tag * 0.65 + self.fonts.word * 0.85

    def y(self, node: int) -> float:
        """The middle of the label of a node."""
        return self.top + (self.layout.height - self.layout.level[node]) * self.step

    def function_y(self, node: int) -> float:
        """The middle of the function label of a node."""
        return self.y(node) - self.fonts.label * 0.6 - self.fonts.function * 0.65

    def branches(self) -> Iterator[Branches]:
        """The lines of each constituent, with the places where others pass through left free."""
        layout, fonts = self.layout, self.fonts
        for constituents, passing in layout.sweep():
            for node in constituents:
                begin, end = layout.extent(node)
                y = self.y(node) + fonts.drop
                legs = []
                for child in layout.children[node]:
                    above = fonts.function * 1.3 if child in self.functions else 0
                    legs.append((layout.x[child], self.y(child) - fonts.label * 0.72 - above))
                pieces = []
                if node in layout.discontinuous:
                    for x, _ in passing[bisect_left(passing, (begin, -1)) : bisect_left(passing, (end, -1))]:
                        pieces.append((begin, x - fonts.clear))
                        begin = x + fonts.clear
                pieces.append((begin, end))
                yield Branches(node, y, pieces, (layout.x[node], self.y(node) + fonts.label * 0.6), legs)


def draw_picture(tree: Tree, fonts: Fonts, functions: bool) -> Picture:
    """Measure the words and labels of a tree and lay it out."""
    words = [visible(word) for word in tree.words]
    labels = [visible(label) for label in (*tree.tags, *tree.labels)]
    shown = {}
    if functions:
        shown = {
            node: visible(function)
            for node, function in enumerate(tree.annotations.functions or ())
            if function and function != "--"
        }
    size = len(words)
    widths = [ems(label) * (fonts.tag if node < size else fonts.label) for node, label in enumerate(labels)]
    for node, word in enumerate(words):
        widths[node] = max(widths[node], ems(word) * fonts.word)
    for node, function in shown.items():
        widths[node] = max(widths[node], ems(function) * fonts.function)
    layout = lay_out(tree, [(width / 2, width / 2) for width in widths], fonts.gap)
    function_height = fonts.function * 1.3 if shown else 0
    top = fonts.label * 0.6 + function_height
    step = fonts.drop + fonts.branch + fonts.label * 0.72 + function_height
    return Picture(layout, words, labels, shown, fonts, top, step)
