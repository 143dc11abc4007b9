"""From text to pieces: words, numbers and signs, where a full stop is always a sign of its own.

One regular expression for each language reads the text once, from left to right. All that it repeats has a bound;
characters are repeated possessively, and what is behind a repeated group never fails, or fails at once. So time is
linear in the text whatever it is. Groups are not repeated possessively, as Python 3.11 before 3.11.5 does that wrong.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from permutree.languages.language import Language

__all__ = ["LONGEST", "is_smiley", "is_word", "pieces", "written"]

#: characters in a row that may be one word
LONGEST = 1000

# Signs, by what they are not: letters, digits, marks on them, and whatever Unicode will add in other scripts.
_SIGNS = (
    r"\x00-\x08\x0e-\x1b!-/:-@\[-\^`{-\x84\x86-\x9f\xa1-\xa9\xab\xac\xae-\xb1\xb4\xb6-\xb8\xbb\xbf\xd7\xf7\u037e\u0387"
    r"\u0589\u05be\u05c0\u05c3\u060c\u061b\u061f\u066a\u06d4\u0964\u0965\u2010-\u2027\u2030-\u205e\u20a0-\u20cf\u2122"
    r"\u2190-\u2bff\u2e00-\u2e7f\u3001-\u3020\u3030\u303d\u30fb\ufe30-\ufe6f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40"
    r"\uff5b-\uff65\ufffc\U0001f000-\U0001fbff"
)
# Scripts without blanks between words: each character is a piece.
_IDEOGRAPHS = r"\u3040-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
#: the hyphen of keyboards, and those that typesetters use in its place
_HYPHENS = "-‐‑"
_LETTER = rf"[^\s{_SIGNS}{_IDEOGRAPHS}]"
_PICTURE = r"[\u2190-\u2bff\U0001f000-\U0001fbff]"

_ADDRESS = (
    r"(?:https?://|ftp://|www\.)[^\s<>\"“”«»„‘’]{1,2000}(?<![.,;:!?)\]}'])"
    rf"|{_LETTER}(?:{_LETTER}|[.+-]){{0,63}}@(?:{_LETTER}|-){{1,63}}(?:\.(?:{_LETTER}|-){{1,63}}){{1,8}}"
)
# No address is without one of these.
_OF_ADDRESSES = ("@", "://", "www.")
# Names of users and topics, as social media have them. A catalogue number (#AF287270, #sc-9882) is no topic.
_TAG = (
    r"@(?<![\w@.<]@)[^\W\d]\w{0,63}+(?:@[\w-]{1,63}+(?:\.[\w-]{1,63}+){1,8})?"
    r"|#(?<![\w#&/-]#)(?![A-Z]{1,3}_?\d{3}|\w{1,6}[-–]|\w{1,6}\.\s?\d)[^\W\d_]\w{1,99}+"
)
# With a nose wherever no word follows, without one after a blank.
_SMILEY = r"(?:[:;]'?(?:-[()\[\]DPpOo|/\\*]|(?<!\S[:;])(?<!\S[:;]')[()DP])|\^[_.-]?\^)(?![^\W_])"


@cache
def _pattern(language: Language, has_addresses: bool) -> re.Pattern[str]:
    """The expression for a language; without addresses, it takes half the time to compile."""
    # A full stop between words without a blank ends a sentence if a capital follows small letters.
    stop = r"\.(?!(?<=[a-zß-öø-ÿ]{3}\.)[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ])|(?<=\b[A-Z])\.-(?=[A-Z])"
    others = re.escape(language.joiners.replace(".", "").replace("-", _HYPHENS))
    own = f"|{language.within}" if language.within else ""
    within = rf"(?:['’{others}]|{stop}|(?<=\d),(?=\d)|(?<=\d):(?=[0-5]\d(?!\d))|(?<=[A-Za-z])\+\+-?{own})"
    word = rf"{_LETTER}{{1,{LONGEST}}}+(?:{within}{_LETTER}{{1,{LONGEST}}}+){{0,20}}"
    word += r"(?:\+\+(?![\w+/])|(?<=\b[A-GJ])#(?![\w#]))?"
    start = r"(?<![^\s(\[\"“„«»‚‘/-])"
    lead = rf"['’](?=(?:{language.elided})(?!{_LETTER}))" if language.elided else ""
    if language.keeps_hyphens:
        lead += rf"|[{_HYPHENS}](?=[^\W_])"
        word += rf"(?:,-(?!{_LETTER})|[{_HYPHENS}](?=\s|[,)/]))?"
    if lead:
        word = rf"(?:{start}(?:{lead.removeprefix('|')}))?{word}"
    whole = rf"(?:{language.whole})|" if language.whole else ""
    whole += rf"{_ADDRESS}|" if has_addresses else ""
    return re.compile(
        rf"(?P<word>{whole}{word}|{_TAG})"
        rf"|(?P<sign>{_SMILEY}|\.{{2,{LONGEST}}}+|([*=_~#+|…·•-])\3{{1,{LONGEST}}}|[!?]{{2,{LONGEST}}}+|''|``|[{_IDEOGRAPHS}]"
        rf"|[\U0001f1e6-\U0001f1ff]{{2}}|{_PICTURE}(?:[\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]|\u200d{_PICTURE}){{0,20}}|\S)"
    )


def pieces(text: str, language: Language, start: int, end: int) -> list[tuple[int, int, bool]]:
    """The pieces of a part of a text: where each begins and ends, and whether it is a word."""
    has_addresses = any(text.find(sign, start, end) >= 0 for sign in _OF_ADDRESSES)
    found = _pattern(language, has_addresses).finditer(text, start, end)
    return [(*piece.span(), piece.lastgroup == "word") for piece in found]


def is_smiley(sign: str) -> bool:
    """Whether a piece that is no word is a smiley, the only such piece of several characters with these first."""
    return len(sign) > 1 and sign[0] in ":;^"


def is_word(piece: str) -> bool:
    """Whether a piece has a letter or a digit."""
    return any(map(str.isalnum, piece))


# What files cannot hold, or readers cannot see.
_SPECIAL = re.compile("[\x00-\x1f\x7f\xad\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufffe\uffff]")
_VISIBLE = (
    {code: 0x2400 + code for code in range(0x20)}
    | {0x7F: 0x2421, 0xFFFE: 0xFFFD, 0xFFFF: 0xFFFD}
    | dict.fromkeys(range(0xD800, 0xE000), 0xFFFD)
)
_INVISIBLE = re.compile("[\xad\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]")


def written(piece: str, language: Language) -> str:
    """A piece as the treebank would write it: quotes, dashes and apostrophes in its way, letters composed.

    Control characters are written as their pictures, halves of surrogate pairs as the replacement character, so that
    every format can hold the word; signs that only steer how text is shown are left out.
    """
    if piece.isascii() and piece.isprintable():
        return piece
    if piece in language.signs:
        return language.signs[piece]
    if len(piece) == 1 and piece.isprintable():
        return "..." if piece == "…" else piece
    if _SPECIAL.search(piece):
        piece = (_INVISIBLE.sub("", piece) or piece).translate(_VISIBLE)
    piece = unicodedata.normalize("NFC", piece)
    if not is_word(piece):
        return piece
    return piece.replace("’", "'").replace("‐", "-").replace("‑", "-")
