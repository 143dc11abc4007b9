"""Drawings with characters: golden ones, and a reader that follows the lines back to the tree."""

import lzma
import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import example, given

from permutree.drawing import draw_text
from permutree.trees.builder import Leaf, Node, TreeBuilder
from permutree.trees.tree import Tree
from strategies import trees

GERMAN = Tree.parse(
    "(ROOT (S (VP (AVP (ADV 0=Noch) (ADV 1=nie)) (NP (ADV 4=so) (PIAT 5=viel)) (VVPP 6=gewählt)) "
    "(VAFIN 2=habe) (PPER 3=ich)) ($. 7=.))"
)


def test_german_tree() -> None:
    assert draw_text(GERMAN) == "\n".join(
        [
            "                                ROOT",
            "                      ┌──────────┴──────────┐",
            "                      S                     │",
            "             ┌─────┬──┴─────────┐           │",
            "             │     │            VP          │",
            "    ╒════════│═════│═══════╤════╧═════╕     │",
            "   AVP       │     │       NP         │     │",
            " ┌──┴──┐     │     │     ┌─┴──┐       │     │",
            "ADV   ADV  VAFIN  PPER  ADV  PIAT    VVPP   $.",
            "Noch  nie   habe  ich    so  viel  gewählt  .",
        ]
    )


def test_str_is_the_drawing() -> None:
    assert str(GERMAN) == draw_text(GERMAN)


def test_ascii() -> None:
    tree = Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))")
    assert draw_text(tree, ascii=True) == "\n".join(
        [
            "      S",
            " +----+-----+",
            " VP   |     |",
            " +====|=====|====+",
            "WRB  VBZ   PRP   VB",
            "How  does   it  work",
        ]
    )


def test_interleaved_constituents() -> None:
    tree = Tree.parse("(S (A (X 0=a) (X 2=c)) (B (X 1=b) (X 3=d)))")
    assert draw_text(tree) == "\n".join(
        [
            " S",
            "┌┴─┐",
            "A  │",
            "╞══│══╕",
            "│  B  │",
            "│  ╞══│══╕",
            "X  X  X  X",
            "a  b  c  d",
        ]
    )


def test_unary_chains_and_lone_words() -> None:
    assert draw_text(Tree.parse("(S (NP (NN 0=Ja)))")) == "S\n│\nNP\n│\nNN\nJa"
    assert draw_text(Tree.parse("(NN 0=Ja)")) == "NN\nJa"
    unary_gap = Tree.parse("(S (A (B (X 0=a) (X 2=c))) (X 1=b))")
    assert draw_text(unary_gap) == " S\n┌┴─┐\nA  │\n║  │\nB  │\n╞══│══╕\nX  X  X\na  b  c"
    assert draw_text(unary_gap, ascii=True) == " S\n++-+\nA  |\n:  |\nB  |\n+==|==+\nX  X  X\na  b  c"


def test_wide_characters_keep_the_columns() -> None:
    tree = Tree.parse("(S (A (X 0=漢字) (X 2=😀)) (YYY 1=e\u0301))")
    assert draw_text(tree) == "\n".join(
        ["    S", " ┌──┴──┐", " A     │", " ╞═════│═══╕", " X    YYY  X", "漢字   e\u0301   😀"]
    )


def test_words_from_right_to_left_are_isolated() -> None:
    last = draw_text(Tree.parse("(S (X 0=שלום) (X 1=b))")).split("\n")[-1]
    assert last == "\u2068שלום\u2069  b"


def test_outline_where_there_is_no_room() -> None:
    assert draw_text(GERMAN, width=46) == draw_text(GERMAN)
    assert draw_text(GERMAN, width=45) == "\n".join(
        [
            "ROOT",
            "├─S",
            "│ ├─VP [0–1 4–6]",
            "│ │ ╟─AVP",
            "│ │ ║ ├─ADV 0=Noch",
            "│ │ ║ └─ADV 1=nie",
            "│ │ ╟─NP",
            "│ │ ║ ├─ADV 4=so",
            "│ │ ║ └─PIAT 5=viel",
            "│ │ ╙─VVPP 6=gewählt",
            "│ ├─VAFIN 2=habe",
            "│ └─PPER 3=ich",
            "└─$. 7=.",
        ]
    )
    tree = Tree.parse("(S (A (X 0=a) (X 2=c)) (X 1=b))")
    assert draw_text(tree, width=1, ascii=True) == "S\n|-A [0 2]\n| :-X 0=a\n| `-X 2=c\n`-X 1=b"
    assert draw_text(Tree.parse("(NN 0=lang)"), width=1) == "NN 0=lang"


def test_functions_are_appended() -> None:
    tree = Tree.parse("(S (NP (NN 0=a)) (VB 1=b))").annotated(functions=("--", "HD", None, "SB"))
    assert draw_text(tree, functions=True) == "     S\n  ┌──┴───┐\nNP-SB    │\n  │      │\n  NN   VB-HD\n  a      b"
    assert draw_text(tree) == "  S\n┌─┴─┐\nNP  │\n│   │\nNN  VB\na   b"


def test_colours_change_nothing_but_colour() -> None:
    coloured = draw_text(GERMAN, colour=True)
    assert "\033[1;31mVP\033[0m" in coloured
    assert re.sub(r"\033\[[0-9;]*m", "", coloured) == draw_text(GERMAN)
    outline = draw_text(GERMAN, colour=True, width=10)
    assert re.sub(r"\033\[[0-9;]*m", "", outline) == draw_text(GERMAN, width=10)


def test_control_characters_cannot_break_the_drawing() -> None:
    tree = Tree.from_constituents(["a\nb", "\x1b[31m"], ["X", ""], [("S", [0, 1])])
    assert draw_text(tree).split("\n")[-2:] == [" X     ␀", "a␊b  ␛[31m"]


def test_deep_trees() -> None:
    depth = 1000
    tree = Tree.parse("(A " * depth + "(X 0=a)" + ")" * depth)
    assert draw_text(tree).split("\n") == ["A", "│"] * depth + ["X", "a"]


def test_right_branching_trees_of_many_words_become_an_outline() -> None:
    size = 3000
    tree = Tree.parse("".join(f"(A (X {index}=w) " for index in range(size)) + f"(X {size}=w)" + ")" * size)
    lines = draw_text(tree).split("\n")
    assert len(lines) == 2 * size + 1
    assert lines[-1].endswith(f"└─X {size}=w")


def test_long_sentences() -> None:
    size = 10_000
    pairs = " ".join(f"(A (X {index}=w) (X {index + 2}=w)) (X {index + 1}=w)" for index in range(0, size - 2, 3))
    lines = draw_text(Tree.parse(f"(S {pairs})")).split("\n")
    assert len(lines) == 6
    assert lines[-1].split() == ["w"] * (size - 1)


# ── reading drawings back ─────────────────────────────────────────────────────────────────────────────────────────────

UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8
DIRECTIONS = {
    "─": LEFT | RIGHT,
    "│": UP | DOWN,
    "┌": DOWN | RIGHT,
    "┐": DOWN | LEFT,
    "┬": DOWN | LEFT | RIGHT,
    "└": UP | RIGHT,
    "┘": UP | LEFT,
    "┴": UP | LEFT | RIGHT,
    "├": UP | DOWN | RIGHT,
    "┤": UP | DOWN | LEFT,
    "┼": UP | DOWN | LEFT | RIGHT,
}
DOUBLE = dict(zip("═║╒╕╤╘╛╧╞╡╪", "─│┌┐┬└┘┴├┤┼", strict=True))


@dataclass(frozen=True)
class Text:
    """A label, tag or word in a line of a drawing."""

    row: int
    start: int
    end: int
    text: str


class Reader:
    """Follows the lines of a drawing as an eye would, from each label down to its children."""

    def __init__(self, drawing: str, is_ascii: bool) -> None:
        self.rows = [self.cells(line) for line in drawing.split("\n")]
        self.is_ascii = is_ascii
        self.branch = "|" if is_ascii else "│"
        self.texts = {row: self.split(row) for row in (*range(0, len(self.rows) - 1, 2), len(self.rows) - 1)}

    @staticmethod
    def cells(line: str) -> list[str]:
        """A text for each column; the second half of a wide character is empty."""
        cells: list[str] = []
        for character in line.replace("\u2068", "").replace("\u2069", ""):
            if unicodedata.combining(character):
                cells[-1] += character
            else:
                cells += [character, ""] if unicodedata.east_asian_width(character) in "WF" else [character]
        return cells

    def cell(self, row: int, column: int) -> str:
        cells = self.rows[row]
        return cells[column] if 0 <= column < len(cells) else " "

    def split(self, row: int) -> list[Text]:
        cells = [*self.rows[row], " "]
        texts, start = [], 0
        for column, cell in enumerate(cells):
            if cell == " ":
                if start < column:
                    texts.append(Text(row, start, column, "".join(cells[start:column])))
                start = column + 1
        return texts

    def read(self) -> Tree:
        words, tags = self.texts[len(self.rows) - 1], self.texts[len(self.rows) - 2]
        leaves = {tag: Leaf(word.text, tag.text) for word, tag in zip(words, tags, strict=True)}
        nodes: dict[Text, Node] = {}
        for row in range(len(self.rows) - 4, -1, -2):
            for text in self.texts[row]:
                if text.text != self.branch:
                    children = {nodes.get(child) or leaves[child] for child in self.children(text)}
                    nodes[text] = Node(text.text, list(children))
        root: Node | Leaf = nodes[self.texts[0][0]] if nodes else next(iter(leaves.values()))
        tree = Tree.of(TreeBuilder(root, list(leaves.values())))
        assert len(nodes) == len(tree.labels), "every label is somewhere under the root"
        return tree

    def children(self, parent: Text) -> set[Text]:
        row, stem = parent.row + 1, parent.start + (parent.end - parent.start - 1) // 2
        glyph = self.cell(row, stem)
        if glyph in "│║|:":
            return {self.below(row, stem)}
        return {self.below(row, column) for column in self.line(row, stem) if self.goes_down(row, column)}

    def line(self, row: int, stem: int) -> list[int]:
        """The columns of the pieces of a horizontal line."""
        columns = [stem]
        for step in (-1, 1):
            column = stem
            while (following := self.along(row, column, step)) is not None:
                columns.append(column := following)
        return columns

    def along(self, row: int, column: int, step: int) -> int | None:
        """The next piece of a horizontal line, behind any branch that crosses it."""
        if not self.is_ascii:
            if not self.directions(row, column) & (LEFT if step < 0 else RIGHT):
                return None
            while self.cell(row, column + step) == self.branch:
                column += step
            return column + step
        if self.cell(row, column + step) == "|":
            column += step
        return column + step if self.cell(row, column + step) in "+-=" else None

    def goes_down(self, row: int, column: int) -> bool:
        if self.is_ascii:
            return self.cell(row, column) == "+" and self.cell(row + 1, column) != " "
        return bool(self.directions(row, column) & DOWN)

    def directions(self, row: int, column: int) -> int:
        glyph = self.cell(row, column)
        return DIRECTIONS[DOUBLE.get(glyph, glyph)]

    def below(self, row: int, column: int) -> Text:
        """The label that a branch from a line leads to."""
        while True:
            row += 1
            text = next(text for text in self.texts[row] if text.start <= column < text.end)
            if text.text != self.branch or row == len(self.rows) - 2:
                return text
            row += 1
            assert self.cell(row, column) == self.branch

    def marked(self) -> list[str]:
        """The labels with lines in the style of discontinuous constituents below them."""
        labels = []
        for row in range(0, len(self.rows) - 2, 2):
            for text in self.texts[row]:
                stem = text.start + (text.end - text.start - 1) // 2
                if text.text == self.branch:
                    continue
                single = self.cell(row + 1, stem) in "│║|:"
                columns = [stem] if single else self.line(row + 1, stem)
                if any(self.cell(row + 1, column) in (DOUBLE if not self.is_ascii else "=:") for column in columns):
                    labels.append(text.text)
        return sorted(labels)


def assert_readable(tree: Tree, is_ascii: bool) -> None:
    drawing = draw_text(tree, ascii=is_ascii)
    reader = Reader(drawing, is_ascii)
    assert reader.read() == tree, drawing
    assert reader.marked() == sorted(constituent.label for constituent in tree if constituent.is_discontinuous)


@given(trees())
def test_drawings_can_be_read_back(tree: Tree) -> None:
    assert_readable(tree, is_ascii=False)


@example(Tree.parse("(S (R (S (A 0=0) (B 3=0)) (C 1=0)) (D 2=0))"))
@example(Tree.parse("(S (ROOT (S (S (S (N 0=0) (N 1=0) (N 2=0)) (N 6=0) (N 7=0) (N 8=0)) (N 3=0)) (N 4=0)) (N 5=0))"))
@given(trees())
def test_ascii_drawings_can_be_read_back(tree: Tree) -> None:
    assert_readable(tree, is_ascii=True)


@given(trees())
def test_outlines_can_be_read_back(tree: Tree) -> None:
    leaves: dict[int, Leaf] = {}
    path: list[Node] = []
    for line in draw_text(tree, width=0).split("\n"):
        match = re.fullmatch(r"([│├└║╟╙─ ]*)([^ ]+)( .+)?", line)
        assert match is not None
        depth, label, rest = len(match[1]) // 2, match[2], match[3]
        if rest and "=" in rest:
            index, _, word = rest.strip().partition("=")
            item: Node | Leaf = leaves.setdefault(int(index), Leaf(word.strip("\u2068\u2069"), label))
        else:
            item = Node(label)
        del path[depth:]
        if path:
            path[-1].children.append(item)
        if isinstance(item, Node):
            path.append(item)
    assert Tree.of(TreeBuilder(path[0], [leaves[index] for index in sorted(leaves)])) == tree


@pytest.mark.parametrize("treebank", ["alpino", "craft", "icepahc", "masc", "squoia_de"])
def test_real_trees_can_be_read_back(shared: Path, treebank: str) -> None:
    with lzma.open(shared / "treebanks" / treebank / "dev.discbracket.xz", "rt", encoding="utf-8") as lines:
        every = 100 if treebank in ("craft", "icepahc") else 15
        for number, line in enumerate(lines):
            if number % every == 0:
                tree = Tree.parse(line)
                assert_readable(tree, is_ascii=False)
                assert_readable(tree, is_ascii=True)


def test_marked_nodes_have_a_star_and_all_the_colour() -> None:
    tree = Tree.parse("(S (VP (X 0=a) (V 2=c)) (N 1=b))")
    marks = {1: "missing", 4: "wrong"}
    assert draw_text(tree, marks=marks) == draw_text(Tree.parse("(S (VP* (X 0=a) (V 2=c)) (N* 1=b))"))
    coloured = draw_text(tree, marks=marks, colour=True)
    assert "\033[1;31mVP*" in coloured
    assert "\033[1;33mN*" in coloured
    assert "\033[1;34m" not in coloured
    assert "\033[1;31mVP* [0 2]\033[0m" in draw_text(tree, marks=marks, colour=True, width=3)
    assert "\033[1;3" not in draw_text(tree, marks={}, colour=True)
