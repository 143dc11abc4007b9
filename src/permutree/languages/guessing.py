"""Which of the languages a text is in, told by its small words and by how its other words are spelt."""

from __future__ import annotations

import re
from functools import cache

from permutree.languages.languages import LANGUAGES, language_named

__all__ = ["guess_language"]

#: characters that are looked at; more would not tell more
_ENOUGH = 1 << 16
_WORD = re.compile(r"[^\W\d_]+")

#: parts of words that speak for one language, at a word's beginning ^ or end $ where it matters; others come in several
_SPELLINGS = {
    "en": "th wh sh ow ough ^y y$ tion$ ing$ ed$ ly$ ee ea ould ous$ ment$ ^qu ck$ ity$ ers$ al$ ve$ ness$ ph igh ent$ "
    "^ex le$ ound",
    "nl": "ij aa oo uu ee oe ui ^sch cht$ isch ^ge ^ver ^vr eeu lijk$ tje heid$ ing$ zij eel$ ^zw en$ oor oord$ uw$",
    "de": "sch ß ä ü ö ei ie ung$ ^ge ^ver ^be ^zu cht keit$ heit$ lich$ isch tz ck en$ ^z pf st$ schaft eu",
    "is": "ð þ æ á í ó ú ý é ö ur$ inn$ nn$ um$ ^hv ^hj ^kj fj ^sk gj ja$ ar$ ir$ ið$ rn$ sson$ dóttir$ ^sv st$",
}

#: words of short texts that are no function words
_OTHERS = {
    "en": "hello hi thanks thank please good day time morning figure table background page",
    "nl": "hallo bedankt dank goed goede dag morgen graag alstublieft",
    "de": "hallo danke bitte gut guten guter tag morgen abend übersicht jahre",
    "is": "halló takk góðan góður dag daginn kafli já",
}


@cache
def _clues() -> tuple[dict[str, dict[str, float]], re.Pattern[str]]:
    """What each word, and each part of words, says for which languages; and an expression that finds such parts."""
    clues: dict[str, dict[str, float]] = {}
    spellings = {name: text.replace("^", "<").replace("$", ">").split() for name, text in _SPELLINGS.items()}
    for language in LANGUAGES:
        words = (language_named(language).function_words, _OTHERS[language].split(), spellings[language])
        for some, weight in zip(words, (3.0, 2.0, 1.0), strict=True):
            for clue in some:
                clues.setdefault(clue, {})[language] = weight
    # What several languages have tells less.
    clues = {clue: {name: weight / len(told) ** 2 for name, weight in told.items()} for clue, told in clues.items()}
    parts = sorted(set().union(*spellings.values()), key=len, reverse=True)
    # A look-ahead, so that parts may overlap.
    return clues, re.compile(f"(?=({'|'.join(parts)}))")


def guess_language(text: str) -> str:
    """The most probable language of a text, by its first sixty thousand characters; English if nothing tells.

    >>> guess_language("What did you think I said?")
    'en'
    """
    clues, parts = _clues()
    # Where there is next to nothing to tell by, as in a name, English is the best guess.
    scores = {language: 0.4 * (language == "en") for language in LANGUAGES}
    for word in _WORD.findall(text[:_ENOUGH].lower()):
        told = clues.get(word)
        if told is not None:
            for language, weight in told.items():
                scores[language] += weight
            continue
        for part in parts.findall(f"<{word[:100]}>"):
            for language, weight in clues[part].items():
                scores[language] += weight
    return max(LANGUAGES, key=scores.__getitem__)
