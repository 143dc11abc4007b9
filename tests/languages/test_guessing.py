from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permutree.languages import all_languages, guess_language
from permutree.languages.guessing import judge_language


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


@pytest.mark.parametrize(
    "text",
    [
        "Le chat dort.",
        "Le chat dort sur le canapé.",
        "Les enfants jouent dans le jardin pendant que leurs parents préparent le repas du soir.",
        "No sé lo que quieres decir con eso, pero me parece muy interesante.",
        "Non so che cosa vuoi dire, ma mi sembra molto interessante.",
        "Jag vet inte vad du menar med det här.",
        "Я не знаю, что вы имеете в виду.",
        "",
        "12 345",
    ],
)
def test_other_languages_and_no_words_are_unsure(text: str) -> None:
    assert not judge_language(text).is_sure


@given(st.text())
def test_there_is_always_a_guess(text: str) -> None:
    assert guess_language(text) in all_languages()


@pytest.mark.parametrize(("treebank", "language"), [("masc", "en"), ("alpino", "nl"), ("squoia_de", "de")])
def test_sentences_of_treebanks(treebank: str, language: str, shared: Path) -> None:
    from permutree import read

    trees = list(read(shared / "treebanks" / treebank / "dev.discbracket.xz"))
    right = sum(guess_language(" ".join(tree.words)) == language for tree in trees)
    assert right / len(trees) > 0.95
    longer = [" ".join(tree.words) for tree in trees if len(tree) >= 8]
    assert sum(judge_language(text) == (language, True) for text in longer) / len(longer) > 0.95
