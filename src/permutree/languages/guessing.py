"""Which of the languages a text is in, told by its small words and by how its other words are spelt."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from permutree.languages.registry import all_languages

__all__ = ["Guess", "guess_language", "judge_language"]

#: characters that are looked at; more would not tell more
_ENOUGH = 1 << 16
_WORD = re.compile(r"[^\W\d_]+")
#: points by which a language has to lead for a sure guess: so many a word, and so many more, as one word may be of
#: any language. Most sentences of the treebanks, with five words or more, lead by twice that; text in French, Spanish
#: or Swedish mostly leads by less.
_SURE_PER_WORD = 0.4
_SURE_AT_LEAST = 2.0


@cache
def _clues() -> tuple[dict[str, float], dict[str, dict[str, float]], re.Pattern[str]]:
    """What each language begins with, what each word and part of words says for which, what finds such parts."""
    known = all_languages()
    clues: dict[str, dict[str, float]] = {}
    parts: set[str] = set()
    for code, language in known.items():
        spellings = {part.replace("^", "<").replace("$", ">") for part in language.spellings}
        parts |= spellings
        words = (language.function_words, language.greetings, spellings)
        for some, weight in zip(words, (3.0, 2.0, 1.0), strict=True):
            for clue in some:
                clues.setdefault(clue, {})[code] = weight
    # What several languages have tells less.
    clues = {clue: {code: weight / len(told) ** 2 for code, weight in told.items()} for clue, told in clues.items()}
    longest_first = "|".join(sorted(parts, key=len, reverse=True))
    # A look-ahead, so that parts may overlap.
    return {code: language.prior for code, language in known.items()}, clues, re.compile(f"(?=({longest_first}))")


class Guess(NamedTuple):
    """The most probable of the languages, and whether the text is surely in it, and not in one that is none of them."""

    language: str
    is_sure: bool


def judge_language(text: str) -> Guess:
    """The most probable language of a text, by its first sixty thousand characters; English, unsure, if nothing tells.

    >>> judge_language("What did you think I said?"), judge_language("Les enfants jouent dans le jardin.").is_sure
    (Guess(language='en', is_sure=True), False)
    """
    priors, clues, parts = _clues()
    scores = dict.fromkeys(priors, 0.0)
    words = _WORD.findall(text[:_ENOUGH].lower())
    for word in words:
        told = clues.get(word)
        if told is not None:
            for code, weight in told.items():
                scores[code] += weight
            continue
        for part in parts.findall(f"<{word[:100]}>"):
            for code, weight in clues[part].items():
                scores[code] += weight
    best = max(scores, key=lambda code: scores[code] + priors[code])
    second = max((score for code, score in scores.items() if code != best), default=0.0)
    return Guess(best, scores[best] - second >= _SURE_AT_LEAST + _SURE_PER_WORD * len(words))


def guess_language(text: str) -> str:
    """The most probable language of a text; English if nothing tells. :func:`judge_language` says if it is sure.

    >>> guess_language("What did you think I said?")
    'en'
    """
    return judge_language(text).language
