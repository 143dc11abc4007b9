"""The faster models, which are packages of their own in the folder ``packages`` of a checkout."""

import json
from pathlib import Path

import pytest

from permutree import Parser
from permutree.model.folder import CARD
from permutree.models.verifying import verify

PACKAGES = Path(__file__).resolve().parents[2] / "packages"
TREEBANKS = {"en-fast": "masc", "nl-fast": "alpino", "de-fast": "squoia_de", "is-fast": "icepahc"}
#: dev F1 that they have at least
LEAST = {"en-fast": 88, "nl-fast": 81, "de-fast": 85, "is-fast": 83}
GAPS = {
    "en-fast": ("What do you want to eat?", ("VP", "What eat")),
    "nl-fast": ("Dat boek heb ik gisteren niet kunnen lezen.", ("inf", "Dat boek gisteren niet lezen")),
    "de-fast": ("Das hat sie gesagt.", ("VP", "Das gesagt")),
    "is-fast": ("Hvað heldur þú að hún hafi sagt?", ("IP-SUB", "Hvað hún hafi sagt")),
}


@pytest.mark.parametrize("name", TREEBANKS)
def test_they_are_whole_and_small(name: str) -> None:
    assert verify(PACKAGES / name) >= 6
    assert (PACKAGES / name / "LICENSE").exists()
    assert sum(file.stat().st_size for file in (PACKAGES / name).iterdir()) <= 9.1e6


@pytest.mark.parametrize("name", TREEBANKS)
def test_their_cards_say_what_they_are(name: str) -> None:
    facts = json.loads((PACKAGES / name / "config.json").read_text("utf-8"))["facts"]
    scores = facts["scores"][TREEBANKS[name]]["dev"]
    assert scores["f1"] >= LEAST[name]
    card = (PACKAGES / name / CARD).read_text("utf-8")
    assert f"| {TREEBANKS[name]} | {scores['f1']:.1f} | {scores['discontinuous f1']:.1f} |" in card
    assert f"permutree parse --model {name}" in card


@pytest.mark.parametrize("name", TREEBANKS)
def test_they_find_gaps(name: str) -> None:
    text, gap = GAPS[name]
    (tree,) = Parser.load(PACKAGES / name).parse(text)
    assert gap in [(node.label, " ".join(node.words)) for node in tree.constituents if node.is_discontinuous]
