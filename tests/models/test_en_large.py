"""The larger English model, which is a package of its own in the folder ``packages`` of a checkout."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from permutree import Parser, Tree
from permutree.model.folder import CARD
from permutree.models.verifying import verify
from permutree.models.wheels import build_wheel

PLACE = Path(__file__).resolve().parents[2] / "packages" / "en-large"
TEXT = "A woman came in who I had never seen before."


@pytest.fixture(scope="module")
def parser() -> Parser:
    return Parser.load(PLACE)


def test_it_is_whole_and_small() -> None:
    assert verify(PLACE) >= 6
    assert sum(file.stat().st_size for file in PLACE.iterdir()) <= 30e6


def test_its_card_says_what_it_is() -> None:
    facts = json.loads((PLACE / "config.json").read_text("utf-8"))["facts"]
    assert (facts["language"], facts["licence"]) == ("en", "CC BY 3.0 and Apache 2.0")
    scores = facts["scores"]["masc"]["dev"]
    assert scores["f1"] >= 91
    assert scores["discontinuous f1"] >= 72
    card = (PLACE / CARD).read_text("utf-8")
    assert f"| masc | {scores['f1']:.1f} | {scores['discontinuous f1']:.1f} |" in card
    assert "all-MiniLM-L6-v2" in card
    assert "permutree parse --model en-large" in card


def test_gaps_are_found(parser: Parser) -> None:
    (tree,) = parser.parse(TEXT)
    gaps = [(node.label, " ".join(node.words)) for node in tree.constituents if node.is_discontinuous]
    assert ("NP", "A woman who I had never seen before") in gaps


def test_a_tree_does_not_depend_on_its_neighbours(parser: Parser) -> None:
    texts = [TEXT, "What did you think I said?", "No.", "The plan, she said, has failed, and nobody knows why it did."]
    sentences = [list(parser.parse(text)[0].words) for text in texts]
    together: list[Tree] = list(parser.pipe(sentences))
    assert together == [next(iter(parser.pipe([words]))) for words in sentences]
    assert together == list(parser.pipe(sentences[::-1]))[::-1]


def test_an_installed_wheel_is_found_by_its_name_and_runs_without_torch(tmp_path: Path) -> None:
    wheel = build_wheel(PLACE, tmp_path, name="en-large", licence="CC-BY-3.0 AND Apache-2.0")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    code = (
        "import sys; sys.modules['torch'] = sys.modules['transformers'] = None; import permutree; "
        f"print(permutree.Parser.load('en-large').parse({TEXT!r})[0].is_discontinuous)"
    )
    path = os.pathsep.join([str(tmp_path / "site"), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True
    )
    assert (done.stdout, done.returncode) == ("True\n", 0), done.stderr
