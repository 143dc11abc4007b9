from pathlib import Path

import pytest

from permutree.errors import ConfigError, DataError
from permutree_lab.folders import GRIDS
from permutree_lab.treebanks import SPLITS, Treebank, find_part, load_treebanks, read_parts

TREE = "(S (NN 0=a))\n"


def test_parts_are_found_in_any_format(tmp_path: Path) -> None:
    (tmp_path / "bank").mkdir()
    (tmp_path / "bank" / "train.discbracket").write_text(TREE, "utf-8")
    (tmp_path / "bank" / "train.ids").write_text("1\n", "utf-8")
    (tmp_path / "bank" / "extra-train.discbracket").write_text(TREE * 2, "utf-8")
    assert find_part(tmp_path, "bank/train").name == "train.discbracket"
    assert len(read_parts(tmp_path, ["bank/train", "bank/extra-train"])) == 3


def test_a_part_that_is_not_there_or_there_twice(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"bank/dev.*no such file.*--treebanks"):
        find_part(tmp_path, "bank/dev")
    for name in ("dev.discbracket", "dev.export"):
        (tmp_path / name).write_text(TREE, "utf-8")
    with pytest.raises(DataError, match=r"dev.discbracket, dev.export: which one"):
        find_part(tmp_path, "dev")


def test_the_open_treebanks_are_as_described(shared: Path) -> None:
    described = load_treebanks(GRIDS / "treebanks.toml")
    # What teaches is made by lab/models/prepare_teaching.py.
    open_ones = [bank for bank in described.values() if bank.recipe is None and bank.suite is None]
    assert len(open_ones) == 26
    parts = {part for bank in open_ones for split in SPLITS for part in bank.parts(split)}
    # What was parsed by models, what has annotations, and lessons are made, not downloaded.
    made = {part for part in parts if part.startswith(("silver/", "annotated/", "teaching/", "recombined/"))}
    silver = {f"silver/{name}" for name in ("nl", "nl-again", "nl-decoder", "de", "de-some", "en")}
    lessons = {f"teaching/{language}.{kind}" for language in ("nl", "de", "en") for kind in ("rewritten", "grammar")}
    annotated = {f"annotated/{name}" for name in ("alpino", "alpino-extra", "squoia_de", "masc", "craft")}
    assert made == silver | lessons | annotated | {"recombined/de"}
    for part in parts - made:
        assert find_part(shared / "treebanks", part).exists()


def test_parts_that_are_read_several_times() -> None:
    assert Treebank("a", train=("2 × a/train", "b/train")).parts("train") == ("a/train", "a/train", "b/train")
    with pytest.raises(ConfigError, match="not 'two × a/train'"):
        Treebank("a", train=("two × a/train",)).parts("train")


def test_descriptions(tmp_path: Path) -> None:
    assert load_treebanks(tmp_path / "treebanks.toml") == {}
    path = tmp_path / "treebanks.toml"
    path.write_text('[a]\nrecipe = "tiger"\n', "utf-8")
    assert load_treebanks(path)["a"].parts("dev") == ("a/dev",)
    path.write_text("a = 3\n", "utf-8")
    with pytest.raises(ConfigError, match="a must be a table"):
        load_treebanks(path)
