"""Which of the languages a text is in, told by its small words and by how its other words are spelt."""

from __future__ import annotations

import re
from functools import cache

from permutree.languages.registry import all_languages

__all__ = ["guess_language"]

#: characters that are looked at; more would not tell more
_ENOUGH = 1 << 16
_WORD = re.compile(r"[^\W\d_]+")


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


def guess_language(text: str) -> str:
    """The most probable language of a text, by its first sixty thousand characters; English if nothing tells.

    >>> guess_language("What did you think I said?")
    'en'
    """
    priors, clues, parts = _clues()
    scores = dict(priors)
    for word in _WORD.findall(text[:_ENOUGH].lower()):
        told = clues.get(word)
        if told is not None:
            for code, weight in told.items():
                scores[code] += weight
            continue
        for part in parts.findall(f"<{word[:100]}>"):
            for code, weight in clues[part].items():
                scores[code] += weight
    return max(scores, key=scores.__getitem__)
