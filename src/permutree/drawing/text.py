"""Trees drawn with characters, and as an indented outline where there is no room for a drawing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from math import floor

from permutree.drawing.layout import Layout, lay_out
from permutree.drawing.measures import columns, is_right_to_left
from permutree.sanitising import visible
from permutree.trees.nodes import blocks_of
from permutree.trees.tree import Tree

__all__ = ["ASCII", "UNICODE", "draw"]

GAP = 2
#: a drawing of more characters than this, blank or not, gives way to an outline
MOST_CELLS = 20_000_000

_UP, _DOWN, _LEFT, _RIGHT = 1, 2, 4, 8
_DISCONTINUOUS = ("1;31", "1;34", "1;35", "1;32", "1;36", "1;33")
_TAG = "2"
#: what a node can be marked as → its style
_MARKS = {"wrong": "1;31", "missing": "1;33", "found": "1;32"}


@dataclass(frozen=True, slots=True)
class Lines:
    """The characters that lines are made of."""

    #: where lines meet: directions → character; without (continuous) and with a gap (discontinuous)
    joints: tuple[dict[int, str], dict[int, str]]
    #: in the outline: before a child, before the last child, beside the descendants of a child
    outline: tuple[tuple[str, str, str], tuple[str, str, str]]
    dash: str

    @property
    def branch(self) -> str:
        """A line straight down."""
        return self.joints[0][_UP | _DOWN]


def _joints(characters: str) -> dict[int, str]:
    """Joints by direction, given in the order ─ │ ┌ ┐ ┬ └ ┘ ┴ ├ ┤ ┼."""
    return dict(zip((12, 3, 10, 6, 14, 9, 5, 13, 11, 7, 15), characters, strict=True))


UNICODE = Lines((_joints("─│┌┐┬└┘┴├┤┼"), _joints("═║╒╕╤╘╛╧╞╡╪")), (("├─", "└─", "│ "), ("╟─", "╙─", "║ ")), "–")
ASCII = Lines((_joints("-|+++++++++"), _joints("=:+++++++++")), (("|-", "`-", "| "), (":-", "`-", ": ")), "-")


def draw(
    tree: Tree, lines: Lines, *, width: int | None, colour: bool, functions: bool, marks: Mapping[int, str] | None
) -> str:
    """See :func:`permutree.drawing.draw_text`."""
    words = [visible(word) for word in tree.words]
    labels = node_labels(tree, functions)
    for node in marks or ():
        labels[node] += "*"
    sizes = [_size(columns(label)) for label in labels]
    for index, word in enumerate(words):
        left, right = _size(columns(word))
        sizes[index] = max(left, sizes[index][0]), max(right, sizes[index][1])
    layout = lay_out(tree, sizes, GAP, floor)
    if (width is not None and layout.width > width) or layout.width * (layout.height + 1) * 2 > MOST_CELLS:
        rows: Iterable[str] = _outline(tree, layout, words, labels, lines, _styles(layout, marks) if colour else {})
    else:
        rows = _drawing(layout, words, labels, lines, _styles(layout, marks), colour)
    return "\n".join(rows)


def _styles(layout: Layout, marks: Mapping[int, str] | None) -> dict[int, str]:
    """The colours of nodes: of those that are marked, or of discontinuous constituents in turn."""
    if marks is not None:
        return {node: _MARKS[mark] for node, mark in marks.items()}
    return {node: _DISCONTINUOUS[rank % len(_DISCONTINUOUS)] for node, rank in layout.discontinuous.items()}


def node_labels(tree: Tree, functions: bool) -> list[str]:
    """Tags, then constituent labels, as they are shown."""
    labels = [visible(label) for label in (*tree.tags, *tree.labels)]
    if functions and tree.annotations.functions:
        for node, function in enumerate(tree.annotations.functions):
            if function and function != "--":
                labels[node] += f"-{visible(function)}"
    return labels


def _size(width: int) -> tuple[int, int]:
    """The columns of a text to the left of its branch, and from the branch on."""
    width = max(width, 1)
    left = (width - 1) // 2
    return left, width - left


def _isolated(text: str) -> str:
    """Text from right to left marked as a unit, lest a terminal reorders it with its neighbours."""
    return f"\u2068{text}\u2069" if any(map(is_right_to_left, text)) else text


class _Row:
    """One line of a drawing: a text for each column, or nothing where a wider text goes on."""

    def __init__(self, width: int) -> None:
        self.cells = [" "] * width
        self.styles = [""] * width

    def write(self, x: float, text: str, style: str = "") -> None:
        """Put a text around a branch."""
        width = columns(text)
        start = int(x) - _size(width)[0]
        end = start + max(width, 1)
        self.cells[start:end] = [_isolated(text) if width else " " + text, *[""] * (end - start - 1)]
        self.styles[start:end] = [style] * (end - start)

    def text(self, colour: bool) -> str:
        """The line as it is printed."""
        if not colour:
            return "".join(self.cells).rstrip()
        cells = list(zip(self.styles, self.cells, strict=True))
        while cells and cells[-1][1] == " ":
            cells.pop()
        runs = [(style, "".join(cell for _, cell in run)) for style, run in groupby(cells, key=lambda cell: cell[0])]
        return "".join(f"\033[{style}m{run}\033[0m" if style else run for style, run in runs)


def _drawing(
    layout: Layout, words: list[str], labels: list[str], lines: Lines, styles: dict[int, str], colour: bool
) -> list[str]:
    """The lines of the drawing from top to bottom; built from the words upwards."""
    width = int(layout.width)
    bottom, tags = _Row(width), _Row(width)
    for index, word in enumerate(words):
        bottom.write(layout.x[index], word)
        tags.write(layout.x[index], labels[index], styles.get(index, _TAG))
    rows = [bottom.text(colour), tags.text(colour)]
    for constituents, passing in layout.sweep():
        line, names = _Row(width), _Row(width)
        for constituent in constituents:
            style = styles.get(constituent, "")
            _connect(line, layout, constituent, lines.joints[constituent in layout.discontinuous], style)
            names.write(layout.x[constituent], labels[constituent], style)
        for x, child in passing:
            style = styles.get(layout.parents[child], "")
            for row in (line, names):
                row.cells[int(x)] = lines.branch
                row.styles[int(x)] = style
        rows += (line.text(colour), names.text(colour))
    return rows[::-1]


def _connect(row: _Row, layout: Layout, constituent: int, joints: dict[int, str], style: str) -> None:
    """Draw the line from which the children of a constituent hang."""
    begin, end = map(int, layout.extent(constituent))
    directions = [_LEFT | _RIGHT] * (end - begin + 1)
    directions[0] -= _LEFT
    directions[-1] -= _RIGHT
    directions[int(layout.x[constituent]) - begin] |= _UP
    for child in layout.children[constituent]:
        directions[int(layout.x[child]) - begin] |= _DOWN
    row.cells[begin : end + 1] = [joints[direction] for direction in directions]
    row.styles[begin : end + 1] = [style] * len(directions)


def _outline(
    tree: Tree, layout: Layout, words: list[str], labels: list[str], lines: Lines, styles: dict[int, str]
) -> Iterable[str]:
    """One line for each node, indented by depth; words with their indexes, blocks of discontinuous constituents."""
    size = len(words)
    stack = [(len(words) if tree.labels else 0, "", "")]
    while stack:
        node, before, beside = stack.pop()
        style = styles.get(node)
        text = labels[node]
        if node < size:
            text = f"{labels[node]} {node}={_isolated(words[node])}"
        elif node in layout.discontinuous:
            blocks = blocks_of(tree.yield_of(node - size))
            text += f" [{' '.join(_block(start, end - 1, lines.dash) for start, end in blocks)}]"
        yield before + (f"\033[{style}m{text}\033[0m" if style else text)
        child_line, last_line, side = lines.outline[node in layout.discontinuous]
        children = _by_first_word(tree, layout, node)
        for child in reversed(children):
            is_last = child == children[-1]
            stack.append((child, beside + (last_line if is_last else child_line), beside + ("  " if is_last else side)))


def _by_first_word(tree: Tree, layout: Layout, node: int) -> list[int]:
    """The children in the order of the tree, which that of the drawing need not be."""
    size = len(tree.words)
    return sorted(layout.children[node], key=lambda node: node if node < size else tree.order[tree.starts[node - size]])


def _block(first: int, last: int, dash: str) -> str:
    return str(first) if first == last else f"{first}{dash}{last}"
