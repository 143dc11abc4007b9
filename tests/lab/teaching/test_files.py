import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

from permutree import Tree, read
from permutree.errors import DataError
from permutree_lab.folders import CONSTRUCTIONS, GRIDS
from permutree_lab.grid import Experiment
from permutree_lab.teaching import files
from permutree_lab.teaching.files import SOURCES, Sizes, retag, write_teaching
from permutree_lab.teaching.making import read_texts
from permutree_lab.treebanks import load_treebanks

READ = (
    "(ROOT (smain (np (lid 0=De) (n 1=commissie)) (ww 2=heeft) (ppart (bw 3=gisteren) (np (lid 4=het) (n 5=rapport)) "
    "(ww 6=besproken))) (let 7=.))"
)
HELD_OUT = "(ROOT (smain (vnw 0=Hij) (ww 1=slaapt)) (let 2=.))"


@pytest.fixture
def treebanks(tmp_path: Path) -> Path:
    """A folder with a tiny alpino and tagged sentences, one of which is in the dev set."""
    folder = tmp_path / "treebanks"
    for name in ("train", "extra-train", "dev", "test"):
        text = HELD_OUT if name in ("dev", "test") else READ
        _write(folder / "alpino" / f"{name}.discbracket.xz", text + "\n")
    tagged = "Hij\tvnw\nslaapt\tww\n\nZij\tvnw\nlacht\tww\n.\tlet\n\n"
    _write(folder / "tags-only" / "nl_lassysmall.tagged.xz", tagged)
    return folder


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with lzma.open(path, "wt", encoding="utf-8") as stream:
        stream.write(text)


def test_all_files_of_a_language(treebanks: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    written = {one.path: one for one in write_teaching("nl", treebanks, out, sizes=Sizes(5, 20))}
    assert {path.name for path in (out / "alpino").iterdir()} == {
        path.name for path in (treebanks / "alpino").iterdir()
    }
    assert written["teaching/nl.grammar.discbracket.xz"].sentences == 20
    assert 0 < written["teaching/nl.rewritten.discbracket.xz"].sentences <= 5
    assert written["teaching/nl.tags-only.tagged.xz"].sentences == 1
    assert written["teaching/nl.tags-only.tagged.xz"].left_out == 1
    made = read_texts([*(out / "teaching").glob("*.discbracket.xz")])
    assert not made & read_texts([*(CONSTRUCTIONS / "nl").glob("*.txt"), out / "alpino" / "dev.discbracket.xz"])


def test_some_kinds_have_more_lessons(tmp_path: Path) -> None:
    folder, out = tmp_path / "treebanks", tmp_path / "out"
    told = "(ROOT (S (NP (DT 0=The) (NN 1=plan)) (VP (MD 2=will) (VP (VB 3=fail) (NP (NN 4=today)))) (. 5=.)))"
    for name in ("masc", "craft"):
        for split in ("train", "dev", "test"):
            text = told if split == "train" else "(ROOT (S (NP (PRP 0=He)) (VP (VBZ 1=sleeps)) (. 2=.)))"
            _write(folder / name / f"{split}.discbracket.xz", text + "\n")
    for name in ("en_ewt", "en_pud"):
        _write(folder / "tags-only" / f"{name}.tagged.xz", "He\tPRP\nsleeps\tVBZ\n\n")
    written = {one.path: one for one in write_teaching("en", folder, out, sizes=Sizes(40, 60))}
    more = written["teaching/en.more.discbracket.xz"]
    assert {*more.kinds} <= {*SOURCES["en"].more}
    assert more.kinds["parenthetical"] >= 3
    texts = {kind: read_texts([out / "teaching" / f"en.{kind}.discbracket.xz"]) for kind in ("more", "grammar")}
    assert len(texts["more"]) == more.sentences
    assert not texts["more"] & texts["grammar"]


def test_the_same_seed_writes_the_same(treebanks: Path, tmp_path: Path) -> None:
    texts = []
    for name in ("one", "two"):
        list(write_teaching("nl", treebanks, tmp_path / name, sizes=Sizes(5, 20)))
        texts.append([tree.discbracket() for tree in read(tmp_path / name / "teaching" / "nl.grammar.discbracket.xz")])
    assert texts[0] == texts[1]


def test_a_held_out_sentence_stops_it(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="1 sentences are in a held-out set or a suite: hijslaapt"):
        files._write_lessons(tmp_path, "teaching/x", [("kind", Tree.parse(HELD_OUT))], {"hijslaapt"})


def test_tags_are_renamed_as_the_treebank_has_them(tmp_path: Path) -> None:
    _write(tmp_path / "de.tagged.xz", "Dafür\tPAV\n(\t$(\ngut\tXX\n\n")
    train = [Tree.parse("(VROOT (PROAV 0=dafür) ($[ 1=-LRB-))")]
    kept, left_out, unknown = retag([tmp_path / "de.tagged.xz"], train, set())
    assert kept == [(("Dafür", "(", "gut"), ["PROAV", "$[", "XX"])]
    assert (left_out, dict(unknown)) == (0, {"XX": 1})


@pytest.mark.parametrize("grid", ["teaching", "teaching-tiny", "bundled"])
def test_grids_name_files_that_are_written(shipped: Callable[[str], Experiment], grid: str) -> None:
    known = {f"{bank}/{split}" for source in SOURCES.values() for bank in source.treebanks for split in files_of(bank)}
    known |= {f"teaching/{code}.{kind}" for code in SOURCES for kind in ("rewritten", "grammar", "tags-only")}
    known |= {f"teaching/{code}.more" for code, source in SOURCES.items() if source.more}
    banks = load_treebanks(GRIDS / "treebanks.toml")
    for cell in shipped(grid).cells:
        bank = banks[cell.treebank.name]
        assert bank.suite is not None
        assert bank.name.startswith(bank.suite)
        parts = {*bank.parts("train"), *bank.parts("dev"), *bank.parts("test"), *bank.tagged_parts}
        assert {part for part in parts if not part.startswith("silver/")} <= known


def files_of(bank: str) -> tuple[str, ...]:
    more = {"alpino": ("extra-train",), "icepahc": ("recent",)}
    return ("train", "dev", "test", *more.get(bank, ()))
