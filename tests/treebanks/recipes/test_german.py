"""The recipes for German treebanks; the licensed ones on small files in the same formats."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from pathlib import Path
from types import ModuleType

import pytest

from permutree.errors import DataError
from permutree.formats import write
from permutree.treebanks.recipes import german, prepare
from permutree.trees.tree import Tree

Enlarge = Callable[[ModuleType, str, Sequence[int]], None]
#: punctuation under the virtual root, and a gap beside it
SENTENCE = Tree.parse("(VROOT (S (VP (ADV 0=Nie) (VVPP 4=gelogen)) (VAFIN 1=habe) (PPER 3=ich)) ($, 2=,) ($. 5=.))")
MOVED = "(VROOT (S (VP (ADV 0=Nie) (VVPP 4=gelogen)) (VAFIN 1=habe) ($, 2=,) (PPER 3=ich)) ($. 5=.))"


def numbered(count: int) -> list[Tree]:
    return [Tree.parse(f"(S (NN 0=Satz) (CARD 1={number}))") for number in range(count)]


def splits_of(pairs: Iterable[tuple[str, Tree]]) -> list[tuple[str, int, int]]:
    """The splits in the order in which they come, the number in their trees, and how many trees that have it follow."""
    runs = groupby((split, int(tree.words[1])) for split, tree in pairs)
    return [(*split, len(list(run))) for split, run in runs]


@pytest.mark.parametrize("suffix", ["tigerxml", "export"])
def test_tiger_in_corpus_order(suffix: str, enlarge: Enlarge, tmp_path: Path) -> None:
    path = tmp_path / f"tiger.{suffix}"
    write(numbered(3), path)
    enlarge(german, "_prepared", [40_472, 5_000, 5_000])
    assert splits_of(german.tiger(path)) == [("train", 0, 40_472), ("dev", 1, 5_000), ("test", 2, 5_000)]


def test_tiger_from_the_files_of_the_shared_task(tmp_path: Path) -> None:
    for split, tree in zip(("train", "dev", "test"), numbered(3), strict=True):
        for kind in ("gold", "pred"):
            folder = tmp_path / "GERMAN_SPMRL" / kind / "xml" / split
            folder.mkdir(parents=True)
            write([tree], folder / f"{split}.German.{kind}.xml", "tigerxml")
    folder = tmp_path / "GERMAN_SPMRL" / "gold" / "xml" / "train5k"
    folder.mkdir()
    write(numbered(1), folder / "train5k.German.gold.xml", "tigerxml")
    assert splits_of(german.tiger(tmp_path)) == [("train", 0, 1), ("dev", 1, 1), ("test", 2, 1)]
    (tmp_path / "GERMAN_SPMRL" / "gold" / "xml" / "dev" / "dev.German.gold.xml").unlink()
    with pytest.raises(DataError, match="holds no dev file"):
        list(german.tiger(tmp_path))


def test_tiger_from_a_directory_with_the_release(tmp_path: Path) -> None:
    write([SENTENCE], tmp_path / "tiger_release.xml", "tigerxml")
    (tmp_path / "README").write_text("about")
    ((split, tree),) = german.tiger(tmp_path)
    assert (split, tree.discbracket()) == ("train", MOVED)
    write([SENTENCE], tmp_path / "another.xml", "tigerxml")
    with pytest.raises(DataError, match="give the file"):
        list(german.tiger(tmp_path))


def test_tiger_keeps_the_first_of_two_parents_and_says_so(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "tiger.xml"
    write([SENTENCE.annotated(id="s46234")], path, "tigerxml")
    text = path.read_text()
    edge = '<edge label="--" idref="s46234_2"/>'
    assert edge in text
    path.write_text(text.replace(edge, edge + '<edge label="--" idref="s46234_5"/>'))
    ((_, tree),) = german.tiger(path)
    kept = "(VROOT (S (VP (ADV 0=Nie)) (VAFIN 1=habe) ($, 2=,) (PPER 3=ich) (VVPP 4=gelogen)) ($. 5=.))"
    assert tree.discbracket() == kept
    assert "sentence s46234: s46234_5 has two parents; kept S, left out VP" in caplog.text


@pytest.mark.parametrize("charset", ["latin-1", "utf-8"])
def test_negra_has_test_before_dev(charset: str, enlarge: Enlarge, tmp_path: Path) -> None:
    path = tmp_path / "negra-corpus.export"
    write([Tree.parse("(S (NN 0=Sätze) (CARD 1=0))"), *numbered(3)[1:]], path, "export3", charset=charset)
    enlarge(german, "_prepared", [18_602, 1_000, 1_000])
    assert splits_of(german.negra(path)) == [("train", 0, 18_602), ("test", 1, 1_000), ("dev", 2, 1_000)]
    assert next(iter(german.negra(path)))[1].discbracket() == "(VROOT (S (NN 0=Sätze) (CARD 1=0)))"


def test_a_wrong_number_of_trees_is_reported_with_both_numbers(tmp_path: Path) -> None:
    write([SENTENCE], tmp_path / "negra.export")
    counts = prepare("negra", tmp_path / "negra.export", tmp_path / "out")
    assert [(count.split, count.trees, count.expected) for count in counts] == [
        ("train", 1, 18_602),
        ("dev", 0, 1_000),
        ("test", 0, 1_000),
    ]
    assert (tmp_path / "out" / "train.discbracket").read_text() == f"{MOVED}\n"


def test_squoia_as_in_the_reference_conversion(shared: Path, tmp_path: Path) -> None:
    from permutree.formats import read

    folder = shared / "treebanks" / "squoia_de"
    counts = prepare("squoia-de", folder / "raw.tar.xz", tmp_path, ids=True)
    assert all(count.trees == count.expected for count in counts)
    for split in ("train", "dev", "test"):
        assert list(read(tmp_path / f"{split}.discbracket")) == list(read(folder / f"{split}.discbracket.xz"))
    assert Counter(line.split("/")[0] for line in (tmp_path / "dev.ids").read_text().split())["LAI_SQUOIA_DE"] == 18
