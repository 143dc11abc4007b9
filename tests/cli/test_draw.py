"""``permutree draw``."""

import gzip
import io
import re
import shlex
import subprocess
import sys
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest

from permutree.cli import main
from permutree.drawing import draw_latex, draw_png, draw_svg, draw_text
from permutree.trees.tree import Tree

LINES = [
    "(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))",
    "(S (NP (PRP 0=It)) (VP (VBZ 1=works)))",
    "(S (A (X 0=a) (X 2=c)) (Y 1=b))",
    "(S (Y 0=d))",
]
TREES = [Tree.parse(line) for line in LINES]


class Call:
    """Runs the command line and keeps what it says."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
        self.monkeypatch, self.capture = monkeypatch, capsysbinary

    def __call__(self, *arguments: str, stdin: str = "") -> tuple[int, str, str]:
        self.monkeypatch.setattr(sys, "argv", ["permutree", "draw", *arguments])
        self.monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        with pytest.raises(SystemExit) as end:
            main()
        out, err = self.capture.readouterr()
        return int(end.value.code or 0), out.decode(), err.decode()


@pytest.fixture
def draw(monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Call:
    return Call(monkeypatch, capsysbinary)


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "trees.discbracket"
    path.write_text("\n".join(LINES) + "\n", "utf-8")
    return str(path)


def test_a_tree_as_argument(draw: Call) -> None:
    assert draw(LINES[0]) == (0, draw_text(TREES[0]) + "\n", "")
    assert draw("(S (NP (PRP It)) (VP (VBZ works)))")[1] == draw_text(TREES[1]) + "\n"
    status, out, err = draw("(S (X 0=a)")
    assert (status, out) == (1, "")
    assert "unbalanced" in err


def test_a_file(draw: Call, file: str) -> None:
    expected = "\n".join(f"#{number}\n{draw_text(tree)}\n" for number, tree in enumerate(TREES, 1))
    assert draw(file) == (0, expected, "")
    assert draw("-", stdin="\n".join(LINES)) == (0, expected, "")


def numbers(out: str) -> list[int]:
    return [int(line[1:].split()[0]) for line in out.splitlines() if line.startswith("#")]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["-n", "2"], [2]),
        (["-n", "1,3-"], [1, 3, 4]),
        (["-n", "2-3", "--disco"], [3]),
        (["--disco"], [1, 3]),
        (["--disco", "--limit", "1"], [1]),
        (["--limit", "3"], [1, 2, 3]),
    ],
)
def test_selection(draw: Call, file: str, options: list[str], expected: list[int]) -> None:
    status, out, _ = draw(file, *options)
    assert status == 0
    assert numbers(out) == expected


def test_selection_by_id(draw: Call, tmp_path: Path) -> None:
    path = tmp_path / "trees.jsonl"
    from permutree.formats import write

    write([tree.annotated(id=f"s{number}") for number, tree in enumerate(TREES)], path)
    status, out, _ = draw(str(path), "--id", "s2", "--id", "s0")
    assert status == 0
    assert [line for line in out.splitlines() if line.startswith("#")] == ["#1 s0", "#3 s2"]
    status, _, err = draw(str(path), "--id", "s7")
    assert status == 1
    assert "no sentence has the id s7" in err


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        (["-n", "3,9"], 1, "no sentence 9: the input has 4"),
        (["-n", "2,4", "--disco"], 1, "nothing to draw"),
        (["-n", "0"], 2, "expected numbers from 1"),
        (["-n", "4-2"], 2, "ends before it starts"),
        (["-o", "trees.pdf"], 2, "say which with --to"),
        (["--to", "svg"], 2, "name a directory (trees/) or numbered files"),
        (["--to", "png"], 2, "numbered files ('tree-{}.png')"),
    ],
)
def test_mistakes(draw: Call, file: str, options: list[str], status: int, message: str) -> None:
    result, _, err = draw(file, *options)
    assert result == status
    assert message in " ".join(err.split())


def test_targets_by_name(draw: Call, file: str, tmp_path: Path) -> None:
    for name, opening in [
        ("t.txt", "#1\n"),
        ("t.svg", "<svg "),
        ("t.html", "<!DOCTYPE html>"),
        ("t.tex", "\\documentclass"),
    ]:
        assert draw(file, "-n", "1", "-o", str(tmp_path / name)) == (0, "", "")
        assert (tmp_path / name).read_text("utf-8").startswith(opening)


def test_options_of_formats(draw: Call) -> None:
    assert draw(LINES[0], "--to", "ascii")[1] == draw_text(TREES[0], ascii=True) + "\n"
    assert draw(LINES[0], "--to", "svg", "--transparent")[1] == draw_svg(TREES[0], background=False)
    assert draw(LINES[0], "--to", "latex", "--fragment")[1] == "% 1\n" + draw_latex(TREES[0])
    assert draw(LINES[0], "--colour", "always")[1] == draw_text(TREES[0], colour=True) + "\n"
    assert draw(LINES[0], "--width", "10")[1] == draw_text(TREES[0], width=10) + "\n"
    assert draw(LINES[0], "--width", "0")[1] == draw_text(TREES[0]) + "\n"


def test_many_pictures(draw: Call, file: str, tmp_path: Path) -> None:
    assert draw(file, "--disco", "-o", f"{tmp_path}/figure-{{}}.svg")[0] == 0
    assert (tmp_path / "figure-3.svg").read_text("utf-8") == draw_svg(TREES[2])
    assert not (tmp_path / "figure-2.svg").exists()
    assert draw(file, "-o", f"{tmp_path}/new/")[0] == 0
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["1.svg", "2.svg", "3.svg", "4.svg"]
    assert draw(file, "-o", f"{tmp_path}/trees.zip")[0] == 0
    assert sorted(ZipFile(tmp_path / "trees.zip").namelist()) == ["1.svg", "2.svg", "3.svg", "4.svg"]


@pytest.mark.usefixtures("fonts")
def test_pictures_in_pixels(draw: Call, file: str, tmp_path: Path) -> None:
    assert draw(file, "-n", "1", "-o", f"{tmp_path}/tree.png", "--transparent") == (0, "", "")
    assert (tmp_path / "tree.png").read_bytes() == draw_png(TREES[0], background=False)
    assert draw(file, "-n", "1", "-o", f"{tmp_path}/tree.png.gz")[0] == 0
    assert gzip.decompress((tmp_path / "tree.png.gz").read_bytes()) == draw_png(TREES[0])
    for name in ("trees.zip", "trees.tar.gz", "trees/"):
        assert draw(file, "--to", "png", "-o", f"{tmp_path}/{name}")[0] == 0
    assert (tmp_path / "trees" / "3.png").read_bytes() == draw_png(TREES[2])
    assert ZipFile(tmp_path / "trees.zip").read("3.png") == draw_png(TREES[2])
    with tarfile.open(tmp_path / "trees.tar.gz") as archive:
        assert archive.getnames() == ["1.png", "2.png", "3.png", "4.png"]


@pytest.mark.usefixtures("fonts")
def test_a_picture_to_standard_output() -> None:
    command = [sys.executable, "-m", "permutree", "draw", LINES[0], "--to", "png"]
    assert subprocess.run(command, capture_output=True, check=True).stdout == draw_png(TREES[0])


@pytest.mark.parametrize("name", ["t.html", "t.txt", "t.tex", "new/", "t.zip"])
def test_output_is_whole_or_not_there(draw: Call, file: str, tmp_path: Path, name: str) -> None:
    with open(file, "a", encoding="utf-8") as stream:
        stream.write("(S (X 0=a)\n")
    status, _, err = draw(file, "-o", f"{tmp_path}/{name}")
    assert status == 1
    assert "trees.discbracket:5" in err
    assert [path.name for path in tmp_path.iterdir()] == ["trees.discbracket"]
    status, _, err = draw(file, "-o", f"{tmp_path}/{name}", "--skip-bad")
    assert status == 0
    assert "1 of 5 sentences skipped" in err
    assert (tmp_path / name).exists()


def test_the_guide_shows_what_is_drawn(draw: Call) -> None:
    guide = (Path(__file__).resolve().parents[2] / "docs" / "guides" / "drawing.md").read_text("utf-8")
    examples = re.findall(r"```console\n\$ permutree draw (.*)\n((?:.*\n)*?)```\n", guide)
    assert examples
    for arguments, drawing in examples:
        assert draw(*shlex.split(arguments)) == (0, drawing, "")


def test_the_picture_is_what_is_drawn(draw: Call) -> None:
    picture = Path(__file__).resolve().parents[2] / "docs" / "images" / "noch-nie.svg"
    text = picture.read_text("utf-8")
    brackets = re.search("<desc>(.*)</desc>", text)
    assert brackets is not None
    assert draw(brackets[1], "--to", "svg") == (0, text, "")
