import lzma
from pathlib import Path

import pytest

from permutree.formats import read, write
from permutree.formats.alpino import read as read_alpino
from permutree.formats.sources import open_sources
from permutree.treebanks.recipes import dutch
from permutree.trees.tree import Tree


def sentence(identity: str, *words: str) -> Tree:
    inside = " ".join(f"(n {index}={word})" for index, word in enumerate(words))
    return Tree.parse(f"(top (smain {inside}) (let {len(words)}=.))").annotated(id=identity)


def test_splits_by_number_and_extra_sentences_once(tmp_path: Path) -> None:
    trees = [sentence(f"raw/cdb/{number}", f"w{number}") for number in (10, *range(10))]
    trees += [sentence("raw/eans/1", "W3"), sentence("raw/eans/2", "nieuw"), sentence("raw/ovis/1", "Nieuw")]
    write(trees, f"{tmp_path}/raw/", "alpino")
    pairs = [(split, tree.id, tree.labels) for split, tree in dutch.alpino(tmp_path / "raw")]
    assert [identity for _, identity, _ in pairs] == [*(f"cdb/{number}" for number in range(11)), "eans/2"]
    assert [split for split, _, _ in pairs] == ["train"] * 8 + ["dev"] + ["test"] * 2 + ["extra-train"]
    assert all(labels == ("ROOT", "smain") for _, _, labels in pairs)


def test_sentences_as_in_the_reference_conversion(shared: Path) -> None:
    """A part of the raw files; the whole treebank is compared in the benchmarks."""
    folder = shared / "treebanks" / "alpino"
    ids = lzma.decompress((folder / "extra-train.ids.xz").read_bytes()).decode().split()
    reference = dict(zip(ids, read(folder / "extra-train.discbracket.xz"), strict=True))
    compared = 0
    for source in open_sources(folder / "raw.tar.xz"):
        name = (source.member or "").removeprefix("raw/").removesuffix(".xml")
        if name in reference:
            (tree,) = read_alpino(source)
            assert dutch._prepared(tree) == reference[name]
            compared += 1
            if compared == 500:
                break
    assert compared == 500


def test_an_empty_directory(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="holds no treebank file"):
        list(dutch.alpino(tmp_path))
