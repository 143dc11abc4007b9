import gzip
import io
import lzma
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from permutree.drawing import draw_svg
from permutree.errors import ConfigError, DataError
from permutree.formats import FORMATS, read, write
from permutree.formats.registry import READABLE, WRITABLE, format_named, guess_format, guess_target
from permutree.trees.tree import Tree

TREES = [
    Tree.parse("(ROOT (S (NP (PRP 0=I)) (VP (VBP 1=see))) (. 2=.))"),
    Tree.parse("(ROOT (SBAR (WHNP (WP 0=what)) (S (NP (PRP 1=I)) (VP (VBP 2=see)))))"),
]
DISCONTINUOUS = Tree.parse("(ROOT (S (VP (WP 0=What) (VB 3=see)) (MD 1=can) (NP (PRP 2=you))) (. 4=?))")


HERE = Path(__file__).parent
DRAWINGS = sorted(set(FORMATS) - set(READABLE))


def test_formats_are_found_and_listed_in_order() -> None:
    known = [
        "discbracket", "export", "export3", "alpino", "tigerxml", "jsonl", "psd", "craft", "ptb-traces", "ptb",
        "drawing", "ascii", "svg", "png", "html", "latex",
    ]  # fmt: skip
    assert [name for name in FORMATS if name in known] == known
    assert set(known) <= set(WRITABLE)


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_has_tests_of_its_own(name: str) -> None:
    module = FORMATS[name].writer.__module__.rpartition(".")[2]
    assert (HERE / f"test_{module}.py").is_file()


@pytest.mark.parametrize("name", READABLE)
@pytest.mark.parametrize("suffix", ["", ".gz", ".xz", ".bz2", ".zip"])
def test_every_format_comes_back_by_its_name(name: str, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"trees{FORMATS[name].suffixes[0]}{suffix}"
    write(TREES, path)
    assert list(read(path)) == TREES


@pytest.mark.parametrize("name", READABLE)
def test_formats_hold_discontinuous_trees_or_say_that_they_do_not(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"trees{FORMATS[name].suffixes[0]}"
    if FORMATS[name].is_discontinuous:
        write([DISCONTINUOUS, *TREES], path)
        assert list(read(path)) == [DISCONTINUOUS, *TREES]
    else:
        with pytest.raises(DataError, match="cannot hold a discontinuous tree"):
            write([DISCONTINUOUS, *TREES], path)


@pytest.mark.parametrize("name", READABLE)
def test_every_format_comes_back_by_its_content(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    some = [DISCONTINUOUS, *TREES] if FORMATS[name].is_discontinuous else TREES
    write(some, "-", name)
    written = capfdbinary.readouterr().out
    guessed = guess_format("standard input", written)
    assert guessed is not None
    if name != "export3":
        assert guessed.name == name
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(written)))
    assert list(read("-")) == some


def test_a_name_that_says_nothing_or_something_wrong(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"trees\.pdf: its name says no format; say which with --to: discbracket"):
        write(TREES, tmp_path / "trees.pdf")
    with pytest.raises(ConfigError, match=r"no format 'exprot': did you mean export\? there are discbracket, "):
        format_named("exprot")


def test_names_of_files_to_write(tmp_path: Path) -> None:
    names = {
        "x.dbr": "discbracket", "x.export.gz": "export", "x.txt": "drawing", "x.svg": "svg", "x.PNG": "png",
        "x.htm": "html", "x.tex": "latex", "x.json": "jsonl", "trees/": "svg", "trees.zip": "svg",
        "x.alpino.zip": "alpino",
    }  # fmt: skip
    for name, expected in names.items():
        target = guess_target(name)
        assert target is not None
        assert target.name == expected
    assert guess_target("x.pdf") is None
    assert format_named("text") is FORMATS["drawing"]


@pytest.mark.parametrize("name", DRAWINGS)
def test_drawings_are_not_read(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"tree{FORMATS[name].suffixes[0]}"
    path.write_text("(S (X 0=a))\n")
    assert list(read(path)) == [Tree.parse("(S (X 0=a))")]
    with pytest.raises(ConfigError, match=f"{name} can only be written, not read"):
        list(read(path, name))


def test_files_with_one_tree(tmp_path: Path) -> None:
    with pytest.raises(
        ConfigError, match=r"a \.svg file holds one tree, and there are several: .* \('tree-\{\}\.svg'\)"
    ):
        write(TREES, tmp_path / "trees.svg")
    assert list(tmp_path.iterdir()) == []
    write(TREES[:1], tmp_path / "tree.svg")
    write(TREES, tmp_path / "tree-{}.svg")
    write(TREES, tmp_path / "trees.zip", "svg")
    write(TREES, f"{tmp_path}/trees/")
    first = (tmp_path / "tree.svg").read_text()
    assert (
        first
        == draw_svg(TREES[0])
        == (tmp_path / "tree-1.svg").read_text()
        == (tmp_path / "trees" / "1.svg").read_text()
    )
    assert ZipFile(tmp_path / "trees.zip").read("2.svg").decode() == draw_svg(TREES[1])
    with pytest.raises(DataError, match=r"none\.svg: there is no tree to write as svg"):
        write([], tmp_path / "none.svg")


def test_formats_of_one_file_do_not_become_directories(tmp_path: Path) -> None:
    for path in (tmp_path, f"{tmp_path}/new/"):
        with pytest.raises(ConfigError, match="export is written to one file, not to a directory"):
            write(TREES, path, "export")


def test_options_that_a_format_does_not_have(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"writing svg has no option 'fragment'; it has only functions, transparent"):
        write(TREES[:1], tmp_path / "tree.svg", fragment=True)
    write(TREES, tmp_path / "x.jsonl")
    with pytest.raises(ConfigError, match="reading jsonl has no option 'traces'; it has none"):
        list(read(tmp_path / "x.jsonl", traces=()))


@pytest.mark.parametrize("name", ["tree.svg", "tree.html", "tree.tex", "trees.alpino.zip"])
def test_formats_that_are_always_utf_8(name: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is written in utf-8 only, not in latin-1"):
        write(TREES[:1], tmp_path / name, charset="latin-1")


def test_discbracket_under_another_bracket_name(tmp_path: Path) -> None:
    path = tmp_path / "output.tree"
    path.write_text(f"{DISCONTINUOUS.discbracket()}\n")
    assert list(read(path)) == [DISCONTINUOUS]


def test_output_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "out.discbracket"
    path.write_text("what was there\n")

    def broken() -> object:
        yield TREES[0]
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        write(broken(), path)  # type: ignore[arg-type]
    assert path.read_text() == "what was there\n"
    assert list(tmp_path.iterdir()) == [path]


def test_compressed_output_is_reproducible(tmp_path: Path) -> None:
    for name in ("a.discbracket.gz", "b.discbracket.gz"):
        write(TREES, tmp_path / name)
    assert (tmp_path / "a.discbracket.gz").read_bytes() == (tmp_path / "b.discbracket.gz").read_bytes()
    assert gzip.decompress((tmp_path / "a.discbracket.gz").read_bytes()).decode().count("\n") == 2


def test_charset_that_cannot_hold_the_text(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="latin-1 cannot hold the character '漢'"):
        write([Tree.parse("(S (X 0=漢))")], tmp_path / "out.discbracket", charset="latin-1")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["alpino", "icepahc"])
def test_chain_of_formats_returns_the_same_bytes(name: str, shared: Path, tmp_path: Path) -> None:
    original = lzma.decompress((shared / "treebanks" / name / "dev.discbracket.xz").read_bytes())
    previous = tmp_path / "0.discbracket"
    previous.write_bytes(b"".join(original.splitlines(keepends=True)[:700]))
    for number, suffix in enumerate(("export", "tigerxml", "jsonl", "discbracket"), 1):
        target = tmp_path / f"{number}.{suffix}"
        write(read(previous), target)
        previous = target
    assert previous.read_bytes() == (tmp_path / "0.discbracket").read_bytes()


@pytest.mark.parametrize("name", READABLE)
def test_deep_and_long_trees(name: str, tmp_path: Path) -> None:
    words = [f"w{number}" for number in range(10_000)]
    deep = Tree.from_constituents(words[:1_000], ["X"] * 1_000, [("S", range(depth, 1_000)) for depth in range(1_000)])
    long = Tree.from_constituents(words, ["X"] * 10_000, [("S", range(10_000)), ("A", range(0, 10_000, 100))])
    some = [deep, long] if FORMATS[name].is_discontinuous else [deep]
    path = tmp_path / f"trees{FORMATS[name].suffixes[0]}"
    write(some, path)
    assert list(read(path)) == some


def test_unknown_charsets_are_options_that_do_not_exist(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no charset 'latin1000'"):
        list(read(tmp_path / "x", charset="latin1000"))
    with pytest.raises(ConfigError, match="no charset 'latin1000'"):
        write(TREES, tmp_path / "x.export", charset="latin1000")


def test_lone_surrogates_are_named(tmp_path: Path) -> None:
    tree = Tree.from_constituents(["\ud800"], ["X"], [("S", [0])])
    with pytest.raises(DataError, match=r"utf-8 cannot hold the character '\\ud800'"):
        write([tree], tmp_path / "x.jsonl")


def test_stray_files_are_left_out_whatever_format_is_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "wsj").mkdir()
    (tmp_path / "wsj" / "1").write_text("( (S (NP-SBJ (PRP I)) (VP (VBP see))))\n")
    (tmp_path / "README").write_text("The trees (and words) of the corpus.\n")
    (tree,) = read(tmp_path, "ptb-traces")
    assert tree.discbracket() == "(S (NP (PRP 0=I)) (VP (VBP 1=see)))"
    assert "README: left out, not a treebank file" in caplog.text
    with pytest.raises(DataError, match="README:1: text outside the brackets"):
        list(read(tmp_path / "README", "ptb-traces"))


@pytest.mark.parametrize(
    "piece", [b"\n", b"%%\n\n", b"/**/", b"/*", b"<s ", b"(", b"(A ", b"1\ta", b"(S (-NONE- ", b"\t\n"]
)
def test_no_file_is_looked_at_for_long(piece: bytes) -> None:
    # Time that grows faster than the file would not end here.
    assert guess_format("file", (piece * 65536)[:65536] + b"!") is not FORMATS["parquet"]
