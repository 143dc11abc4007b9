"""What the modules of several languages share: tables of words, written as text, and signs."""

from __future__ import annotations

__all__ = ["DASHES", "FRACTION", "NUMBERS", "QUOTES", "table"]

#: quotation marks and dashes → their plain forms, which most treebanks write
QUOTES = dict.fromkeys("“”„‟«»", '"') | dict.fromkeys("‘’‚‛‹›", "'")
DASHES = dict.fromkeys("‐‑‒–—―", "-")
#: a fraction or a date, which is one word, as a regular expression
FRACTION = r"(?<![\w/])(?:\d{1,2}/\d{1,2}(?:/\d{2,4})?|\d{4}/\d{2,4})(?![\w/])"
#: what holds a word with a number together, as a regular expression: 2:1, 50%ige, 50%-grens
NUMBERS = r"(?<=\d)(?::(?=\d)|-?%-?(?=[^\W\d_]))"


def table(text: str) -> frozenset[str]:
    """The words of a text with blanks between them."""
    return frozenset(text.split())
