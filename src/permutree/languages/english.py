"""Where English words are cut: contractions, and most hyphens, as in current Penn-style treebanks."""

from __future__ import annotations

import re
from itertools import pairwise

from permutree.languages.tables import table

__all__ = ["cut_english"]

_CLITIC = re.compile(r"(?:n['’]t|['’](?:s|m|d|re|ve|ll))$", re.IGNORECASE)
_FUSED = {
    "cannot": 3, "gonna": 3, "wanna": 3, "gotta": 3, "gimme": 3, "lemme": 3, "dunno": 2, "'tis": 2, "'twas": 2,
}  # fmt: skip
#: what a hyphen after it belongs to
_PREFIXES = table("""
    anti ante arch auto bi circum co contra counter cross demi eco ex extra hemi hetero hyper hypo indo infra inter
    intra judeo macro mal mega micro mid mini mono multi neo non over pan para peri poly post pre pro proto pseudo quasi
    re semi sino sub super supra tele tri ultra un under vice
""")
#: what a hyphen before it belongs to
_SUFFIXES = table("fold less ray rays mail mails mailed mailing commerce huh uh hum hmm")
#: words after a hyphen that belongs to a later word, and one that belongs to no other
_CONJUNCTIONS = table("and or hoc")
_TENS = table("twenty thirty forty fifty sixty seventy eighty ninety")
_UNITS = table("""
    one two three four five six seven eight nine first second third fourth fifth sixth seventh eighth ninth
""")
_WHOLE = table("""
    know-how follow-up not-for-profit case-in-chief good-bye op-ed door-to-door self-esteem self-confidence
""")
_ADDRESS = re.compile(r"\w+://|www\.|[^@]+@").match
_NUMBERS = re.compile(r"\d{3}-(?:\d{4}|\d{3}-\d{4})")


def cut_english(word: str) -> list[int]:
    """The places within a word at which it is cut.

    >>> cut_english("shouldn't"), cut_english("wild-type"), cut_english("anti-inflammatory")
    ([6], [4, 5], [])
    """
    if not word[-1].isalnum() or _ADDRESS(word):
        return []
    cuts: list[int] = []
    end = len(word)
    if "'" in word or "’" in word:
        while (clitic := _CLITIC.search(word, 0, end)) and clitic.start():
            end = clitic.start()
            cuts.insert(0, end)
    fused = _FUSED.get(word.lower())
    if fused:
        return [fused]
    if "-" in word:
        return _hyphens(word[:end]) + cuts
    return cuts


def _hyphens(word: str) -> list[int]:
    """A place before and after each hyphen that is a word of its own."""
    lower = word.lower()
    if lower in _WHOLE or _NUMBERS.fullmatch(word):
        return []
    parts = lower.split("-")
    cuts = []
    place = 0
    for left, right in pairwise(parts):
        place += len(left)
        is_prefix = left in _PREFIXES and right.isalnum() and right not in _CONJUNCTIONS
        is_kept = is_prefix or (left and (right in _SUFFIXES or (left in _TENS and right in _UNITS)))
        if not is_kept:
            cuts += [place, place + 1]
        place += 1
    return [cut for cut in cuts if 0 < cut < len(word)]
