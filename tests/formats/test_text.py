"""Drawings for the terminal."""

from io import StringIO
from pathlib import Path

from permutree.drawing import draw_text
from permutree.formats import write
from permutree.formats.text import write as write_drawings
from permutree.trees.tree import Tree

TREES = [Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))"), Tree.parse("(S (X 0=a))")]


def test_drawings_stand_below_ids_or_numbers(tmp_path: Path) -> None:
    first, second = map(draw_text, TREES)
    write(TREES, tmp_path / "plain.txt")
    assert (tmp_path / "plain.txt").read_text("utf-8") == f"{first}\n\n{second}\n"
    named = [TREES[0].annotated(id="s7"), TREES[1]]
    write(named, tmp_path / "named.txt")
    assert (tmp_path / "named.txt").read_text("utf-8") == f"s7\n{first}\n\n{second}\n"
    write(named, tmp_path / "numbered.txt", numbers=[3, 8])
    assert (tmp_path / "numbered.txt").read_text("utf-8") == f"#3 s7\n{first}\n\n#8\n{second}\n"


def test_options(tmp_path: Path) -> None:
    for name in ("drawing", "ascii"):
        path = tmp_path / name
        write(TREES[:1], path, name, colour=True, width=9)
        assert path.read_text("utf-8") == draw_text(TREES[0], ascii=name == "ascii", colour=True, width=9) + "\n"
    assert (tmp_path / "ascii").read_text("utf-8").isascii()


def test_a_drawing_appears_as_soon_as_it_is_there() -> None:
    class Seen(StringIO):
        flushes = 0

        def flush(self) -> None:
            self.flushes += 1

    stream = Seen()
    write_drawings(TREES, stream)
    assert stream.flushes == 2
