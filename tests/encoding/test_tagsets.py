from pathlib import Path

import pytest

from permutree.encoding.tagsets import TAGSETS, guess_tagset, read_tagset, tagset_named
from permutree.errors import DataError


def test_tables_of_the_paper() -> None:
    assert TAGSETS["ptb"].simplify(["NNPS", "PRP$", "VBZ", "WRB", "RBR", "JJS", "-LRB-", "."]) == [
        *["NN", "PRP", "V", "W", "RB", "JJ", "-LRB-", "."]
    ]
    assert TAGSETS["stts"].simplify(
        ["NE", "ADJA", "ADJD", "VVIZU", "PAV", "KON", "APPRART", "PTKVZ", "$,", "$[", "$("]
    ) == [*["N", "ADJ", "AD", "V", "P", "K", "AP", "PT", "$", "$", "$"]]
    assert TAGSETS["stts"]["PROAV"] == "PROAV"


def test_icepahc_keeps_what_stands_before_the_first_hyphen() -> None:
    assert TAGSETS["icepahc"].simplify(["N-N", "ONE+Q-A", "VBDI", "-", "-X"]) == ["N", "ONE+Q", "VBDI", "-", "-X"]


def test_tables_from_files(tmp_path: Path) -> None:
    lines = tmp_path / "tags.txt"
    lines.write_text("# nouns\nNN,NE = N\n\nVVFIN VVINF=V\n")
    assert read_tagset(lines).simplify(["NN", "NE", "VVINF", "ART"]) == ["N", "N", "V", "ART"]
    data = tmp_path / "tags.json"
    data.write_text('{"$,": "$", "NN": "N"}')
    assert tagset_named(str(data)).simplify(["$,", "NN", "X"]) == ["$", "N", "X"]


def test_bad_tables(tmp_path: Path) -> None:
    file = tmp_path / "tags.txt"
    file.write_text("NN = N\nNE N\n")
    with pytest.raises(DataError, match=r"tags.txt:2: expected TAG,TAG = COARSE"):
        read_tagset(file)
    file.write_text('{"NN": 1}')
    with pytest.raises(DataError, match="strings to strings"):
        read_tagset(file)
    with pytest.raises(DataError, match="there are ptb, stts, icepahc"):
        tagset_named("nowhere")


def test_guesses() -> None:
    assert guess_tagset(["DT", "NN", "VBZ"]).name == "ptb"
    assert guess_tagset(["PRO-N", "VBDI", "N-A"]).name == "icepahc"
    assert guess_tagset([]).name == "none"
