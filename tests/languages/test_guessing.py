from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permutree.languages import all_languages, guess_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("What did you think I said?", "en"),
        ("Hello world", "en"),
        ("Colorless green ideas sleep furiously.", "en"),
        ("Wat zei je dat ik dacht?", "nl"),
        ("De hond blaft.", "nl"),
        ("Noch nie habe ich so viel gewählt.", "de"),
        ("Der Hund bellt.", "de"),
        ("Hvað er þetta?", "is"),
        ("Hundurinn geltir.", "is"),
        ("", "en"),
    ],
)
def test_short_texts(text: str, language: str) -> None:
    assert guess_language(text) == language
    assert guess_language(text.upper()) == language


@given(st.text())
def test_there_is_always_a_guess(text: str) -> None:
    assert guess_language(text) in all_languages()


@pytest.mark.parametrize(("treebank", "language"), [("masc", "en"), ("alpino", "nl"), ("squoia_de", "de")])
def test_sentences_of_treebanks(treebank: str, language: str, shared: Path) -> None:
    from permutree import read

    trees = list(read(shared / "treebanks" / treebank / "dev.discbracket.xz"))
    right = sum(guess_language(" ".join(tree.words)) == language for tree in trees)
    assert right / len(trees) > 0.95
