"""Labelled brackets as such: the layer below all the Penn-style dialects.

A bracket is a label and what stands inside it, brackets and words; what these mean is for the dialects to say. Brackets
may share a line or run over many.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from permutree.errors import DataError, OnError, TreeError, raise_error
from permutree.formats.sources import Source

__all__ = ["Bracket", "check", "escape", "read_brackets", "unescape"]


@dataclass(slots=True, eq=False)
class Bracket:
    """A label (empty if there is none) over brackets and words."""

    label: str
    children: list[Bracket | str] = field(default_factory=list)

    @property
    def word(self) -> str | None:
        """The word, if this is a terminal: a label over one word."""
        child = self.children[0] if len(self.children) == 1 else None
        return child if isinstance(child, str) else None

    def subtrees(self) -> Iterator[Bracket]:
        """This bracket and all brackets in it, parents first, from left to right."""
        stack = [self]
        while stack:
            bracket = stack.pop()
            yield bracket
            stack.extend(child for child in reversed(bracket.children) if isinstance(child, Bracket))

    def __str__(self) -> str:
        """The bracket as text in one line."""
        parts: list[str] = []
        stack: list[Bracket | str] = [self]
        while stack:
            item = stack.pop()
            if isinstance(item, str):
                parts.append(item)
            else:
                parts.append(f"({item.label}")
                stack.append(")")
                stack.extend(reversed(item.children))
        return " ".join(parts).replace(" )", ")")


_TOKEN = re.compile(r"[()]|[^ \t\n\r\f\v()]+")
_COMMENT = re.compile(r"(?:^|(?<=\)))\s*/~?\*")
_COMMENT_END = re.compile(r"\*~?/")


def _uncommented(source: Source, on_error: OnError) -> Iterator[tuple[int, str]]:
    """The lines of a file without comments: ``/* … */`` or ``/~* … *~/``, at the start of a line or after a bracket."""
    started: int | None = None
    for number, line in source.lines():
        kept = ""
        while line:
            found = (_COMMENT if started is None else _COMMENT_END).search(line)
            if started is None:
                kept += line[: found.start()] if found else line
                started = number if found else None
            elif found:
                started = None
            line = line[found.end() :] if found else ""
        yield number, kept
    if started is not None:
        on_error(DataError("a comment /* that does not end", source=source.name, line=started))


def read_brackets(
    source: Source, on_error: OnError = raise_error, *, has_comments: bool = False
) -> Iterator[tuple[int, Bracket]]:
    """The outermost brackets of a file, each with the number of the line that it starts in.

    A line that starts with a bracket after a blank line, or with a nameless bracket, starts a new tree: if one is still
    open there, that one is broken, and reading can go on. White space of any kind parts tokens where it stands alone;
    inside a word, only that of ASCII does. With ``has_comments``, what stands between trees in ``/* … */`` is skipped.
    """
    stack: list[Bracket] = []
    started = 0
    after_blank = True
    expects_label = False
    is_lost = False  # after a stray ) until the next tree starts, so that one mistake is one error

    def bad(message: str, line: int) -> None:
        on_error(DataError(message, source=source.name, line=line))

    lines = _uncommented(source, on_error) if has_comments else source.lines()
    for number, line in lines:
        if line.startswith("(") and (after_blank or line.startswith(("( ", "(("))):
            if stack:
                bad(f"unbalanced brackets: {len(stack)} not closed before the next tree in line {number}", started)
                stack = []
            is_lost = False
        after_blank = not line.strip()
        for token in _TOKEN.findall(line):
            if token == "(":
                if not stack:
                    started = number
                stack.append(Bracket(""))
                expects_label = True
                continue
            if token == ")":
                if stack:
                    bracket = stack.pop()
                    if stack:
                        stack[-1].children.append(bracket)
                    else:
                        yield started, bracket
                elif not is_lost:
                    bad("unbalanced brackets: a ) closes nothing", number)
                    is_lost = True
            elif token.isspace():
                continue
            elif not stack:
                if not is_lost:
                    bad(f"text outside the brackets: {token!r}", number)
                    is_lost = True
            elif expects_label:
                stack[-1].label = token
            else:
                stack[-1].children.append(token)
            expects_label = False
    if stack:
        bad(f"unbalanced brackets: {len(stack)} not closed at the end of the file", started)


def check(bracket: Bracket) -> None:
    """Raise a TreeError unless this and every bracket in it holds either one word or brackets, and not nothing."""
    for item in bracket.subtrees():
        words = [child for child in item.children if isinstance(child, str)]
        if not item.children:
            raise TreeError(f"empty bracket ({item.label})")
        if len(words) > 1:
            raise TreeError(f"a terminal with {len(words)} words: ({item.label} {' '.join(words)})")
        if words and len(item.children) > 1:
            raise TreeError(f"a word beside brackets: {words[0]!r} under {item.label or 'a nameless bracket'}")
        if words and not item.label:
            raise TreeError(f"the word {words[0]!r} stands alone in its bracket: a terminal is (TAG word)")


def escape(word: str) -> str:
    """A word as it stands in brackets: its parentheses written -LRB- and -RRB-."""
    return word.replace("(", "-LRB-").replace(")", "-RRB-")


def unescape(word: str) -> str:
    """The word that stands in brackets so."""
    return word.replace("-LRB-", "(").replace("-RRB-", ")") if "RB-" in word else word
