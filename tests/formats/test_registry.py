import gzip
import io
import lzma
import sys
from pathlib import Path

import pytest

from permutree.errors import ConfigError, DataError
from permutree.formats import FORMATS, read, write
from permutree.formats.registry import format_named, guess_format
from permutree.trees.tree import Tree

TREES = [
    Tree.parse("(ROOT (S (NP (PRP 0=I)) (VP (VBP 1=see))) (. 2=.))"),
    Tree.parse("(ROOT (SBAR (WHNP (WP 0=what)) (S (NP (PRP 1=I)) (VP (VBP 2=see)))))"),
]
DISCONTINUOUS = Tree.parse("(ROOT (S (VP (WP 0=What) (VB 3=see)) (MD 1=can) (NP (PRP 2=you))) (. 4=?))")


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("suffix", ["", ".gz", ".xz", ".bz2", ".zip"])
def test_every_format_comes_back_by_its_name(name: str, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"trees{FORMATS[name].suffixes[0]}{suffix}"
    write(TREES, path, encoding="utf-8", format=name if name == "alpino" else None)
    assert list(read(path)) == TREES


@pytest.mark.parametrize("name", sorted(set(FORMATS) - {"ptb"}))
def test_every_format_but_plain_brackets_holds_discontinuous_trees(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"trees{FORMATS[name].suffixes[0]}"
    write([DISCONTINUOUS, *TREES], path)
    assert list(read(path)) == [DISCONTINUOUS, *TREES]


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_comes_back_by_its_content(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    some = TREES if name == "ptb" else [DISCONTINUOUS, *TREES]
    write(some, "-", name)
    written = capfdbinary.readouterr().out
    guessed = guess_format("standard input", written)
    assert guessed is not None
    if name != "export3":
        assert guessed.name == name
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(written)))
    assert list(read("-")) == some


def test_a_name_that_says_nothing_or_something_wrong(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"trees\.txt: its name says no format; say which with --to: discbracket"):
        write(TREES, tmp_path / "trees.txt")
    with pytest.raises(ValueError, match=r"no format 'exprot': did you mean export\? there are discbracket, "):
        format_named("exprot")


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


def test_encoding_that_cannot_hold_the_text(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="latin-1 cannot hold the character '漢'"):
        write([Tree.parse("(S (X 0=漢))")], tmp_path / "out.discbracket", encoding="latin-1")
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


@pytest.mark.parametrize("name", FORMATS)
def test_deep_and_long_trees(name: str, tmp_path: Path) -> None:
    words = [f"w{number}" for number in range(10_000)]
    deep = Tree.from_constituents(words[:1_000], ["X"] * 1_000, [("S", range(depth, 1_000)) for depth in range(1_000)])
    long = Tree.from_constituents(words, ["X"] * 10_000, [("S", range(10_000)), ("A", range(0, 10_000, 100))])
    some = [deep] if name == "ptb" else [deep, long]
    path = tmp_path / f"trees{FORMATS[name].suffixes[0]}"
    write(some, path)
    assert list(read(path)) == some


def test_unknown_encodings_are_options_that_do_not_exist(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no encoding 'latin1000'"):
        list(read(tmp_path / "x", encoding="latin1000"))
    with pytest.raises(ConfigError, match="no encoding 'latin1000'"):
        write(TREES, tmp_path / "x.export", encoding="latin1000")


def test_lone_surrogates_are_named(tmp_path: Path) -> None:
    tree = Tree.from_constituents(["\ud800"], ["X"], [("S", [0])])
    with pytest.raises(DataError, match=r"utf-8 cannot hold the character '\\ud800'"):
        write([tree], tmp_path / "x.jsonl")
