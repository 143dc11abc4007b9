"""Where English words are cut: contractions, and most hyphens, as in current Penn-style treebanks."""

from __future__ import annotations

import re

__all__ = ["cut_english"]

_CLITIC = re.compile(r"(?:n['’]t|['’](?:s|m|d|re|ve|ll))$", re.IGNORECASE)
_FUSED = {
    "cannot": 3, "gonna": 3, "wanna": 3, "gotta": 3, "gimme": 3, "lemme": 3, "dunno": 2, "'tis": 2, "'twas": 2,
}  # fmt: skip
#: what a hyphen after it belongs to
_PREFIXES = frozenset(
    """
    anti ante arch auto bi circum co contra counter cross demi eco ex extra hemi hetero hyper hypo indo infra inter intra
    judeo macro mal mega micro mid mini mono multi neo neuro non over pan para peri poly post pre pro proto pseudo quasi
    re semi sino sub super supra tele tri ultra un under vice
    """.split()
)
#: what a hyphen before it belongs to
_SUFFIXES = frozenset("fold less ray mail mails mailed mailing commerce huh uh hum hmm".split())
_TENS = frozenset("twenty thirty forty fifty sixty seventy eighty ninety".split())
_UNITS = frozenset("one two three four five six seven eight nine".split()) | frozenset(
    "first second third fourth fifth sixth seventh eighth ninth".split()
)
_WHOLE = frozenset(
    "know-how follow-up not-for-profit case-in-chief good-bye op-ed door-to-door self-esteem self-confidence".split()
)
_NUMBERS = re.compile(r"\d{3}-(?:\d{4}|\d{3}-\d{4})")


def cut_english(word: str) -> list[int]:
    """The places within a word at which it is cut.

    >>> cut_english("shouldn't"), cut_english("wild-type"), cut_english("anti-inflammatory")
    ([6], [4, 5], [])
    """
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
    for left, right in zip(parts[:-1], parts[1:], strict=True):
        place += len(left)
        is_kept = (
            (left in _PREFIXES and right.isalnum()) or right in _SUFFIXES or (left in _TENS and right in _UNITS)
        ) and bool(left and right)
        if not is_kept:
            cuts += [place, place + 1]
        place += 1
    return [cut for cut in cuts if 0 < cut < len(word)]
