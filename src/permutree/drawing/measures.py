"""How wide text is, on a terminal and in print."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

__all__ = ["columns", "ems", "is_right_to_left"]

_JOINER = "\u200d"
_EMOJI_STYLE = "\ufe0f"
#: shares of the font size, as in the common sans-serif fonts
_EMS = {
    0.29: " !',./:;I[\\]fijlt|",
    0.38: '"()-`r{}*',
    0.52: "Jcksvxyz^",
    0.64: "#$+0123456789<=>?_~abdeghnopquFLTZ",
    0.73: "&ABCDEHKNPRSUVXY",
    0.82: "GOQwmM",
    1.0: "W@%",
}
_EMS_OF = {character: width for width, characters in _EMS.items() for character in characters}


def columns(text: str) -> int:
    r"""How many columns of a terminal the text takes.

    >>> columns("Baum"), columns("漢字"), columns("e\u0301"), columns("❤\ufe0f"), columns("👩\u200d🚀")
    (4, 4, 1, 2, 2)
    """
    if text.isascii():
        return len(text)
    total = width = 0
    previous = ""
    for character in text:
        if previous == _JOINER or ("\U0001f3fb" <= character <= "\U0001f3ff" and width == 2):
            pass  # part of the picture before it
        elif character == _EMOJI_STYLE and width == 1:
            total, width = total + 1, 2
        elif step := _columns_of(character):
            width = step
            total += step
        previous = character
    return total


@lru_cache(4096)
def _columns_of(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf") and character != "\xad":
        return 0
    if "\u1160" <= character <= "\u11ff":
        return 0  # vowels and finals of a Korean syllable that is written out
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def ems(text: str) -> float:
    """About how wide the text is in print, as a multiple of the font size; rather too wide than too narrow."""
    return sum(map(_ems_of, text))


@lru_cache(4096)
def _ems_of(character: str) -> float:
    width = _EMS_OF.get(unicodedata.normalize("NFD", character)[0])
    if width is not None:
        return width
    cells = _columns_of(character)
    if cells == 1:
        return 0.78 if character.isupper() else 0.66
    return 0.55 * cells if cells == 0 else (1.35 if ord(character) > 0x1F000 else 1.05)


def is_right_to_left(text: str) -> bool:
    """Whether the first letter with a direction is of a script that is written from right to left."""
    for character in text:
        direction = unicodedata.bidirectional(character)
        if direction in ("R", "AL"):
            return True
        if direction == "L":
            return False
    return False
