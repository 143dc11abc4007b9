"""Labelled brackets as such: the layer below all the Penn-style dialects.

A bracket is a label and what stands inside it, brackets and words; what these mean is for the dialects to say. Brackets
may share a line or run over many.
"""

from __future__ import annotations

import math
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain

from permutree.errors import DataError, OnError, TreeError, raise_error
from permutree.formats.lines import MARK
from permutree.formats.sources import Source

__all__ = ["Bracket", "check", "escape", "read_brackets", "unescape"]


@dataclass(slots=True, eq=False)
class Bracket:
    """A label (empty if there is none) over brackets and words."""

    label: str
    children: list[Bracket | str] = field(default_factory=list)
    #: whether it was kept although there is a mistake in its lines
    is_damaged: bool = False

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


_TOKEN = re.compile(r"[()]|[^ \t\n\r\f\v()]+")
_COMMENT = re.compile(r"(?:^|(?<=\)))\s*/~?\*")
_COMMENT_END = re.compile(r"\*~?/")
#: lines, and characters, that are looked ahead to see whether a tree goes on
_AHEAD = 2_000
_AHEAD_CHARACTERS = 1 << 20
#: trees that show how a file is laid out
_ENOUGH = 3
#: brackets and words of the largest tree
_LARGEST = 1_000_000

Numbered = tuple[int, str]
#: raises a TreeError for a bracket that is no tree
Check = Callable[[Bracket], None]


def _uncommented(lines: Iterator[Numbered], source: Source, on_error: OnError) -> Iterator[Numbered]:
    """The lines of a file without comments: ``/* … */`` or ``/~* … *~/``, at the start of a line or after a bracket.

    A tree that starts in a comment shows that the comment does not end.
    """
    started: int | None = None
    for number, line in lines:
        if started is not None and line.startswith("( ("):
            message = f"a comment /* that does not end before the tree in line {number}"
            on_error(DataError(message, source=source.name, line=started, skipped=0))
            started = None
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
        on_error(DataError("a comment /* that does not end", source=source.name, line=started, skipped=None))


def read_brackets(
    source: Source, on_error: OnError = raise_error, *, has_comments: bool = False, dialect: Check = check
) -> Iterator[tuple[int, Bracket]]:
    """The outermost brackets of a file, each with the number of the line that it starts in.

    White space of any kind parts tokens where it stands alone; inside a word, only that of ASCII does. With
    ``has_comments``, what stands between trees in ``/* … */`` is skipped.

    A mistake costs one tree: reading goes on where the next one surely starts. That is a line that begins with a
    bracket after a blank line, or with a nameless bracket; and any line that begins with a bracket at the left margin,
    unless the file has trees that go on there: trees by the rules of the ``dialect``, so that damaged lines, which may
    close each other's brackets, are none.
    """
    lines = source.lines()
    if has_comments:
        lines = _uncommented(lines, source, on_error)
    return _Reader(source, on_error, lines, dialect).read()


class _Reader:
    """Reads one file: the tree that is open, and those that are done but not yet sure."""

    def __init__(self, source: Source, on_error: OnError, lines: Iterator[Numbered], dialect: Check) -> None:
        self.source = source
        self.on_error = on_error
        self.lines = lines
        self.dialect = dialect
        #: lines that were read ahead
        self.ahead: deque[Numbered] = deque()
        self.stack: list[Bracket] = []
        self.started = 0
        self.size = 0
        #: trees since the last sure start, with their first and last lines: a bracket too many shows only after them
        self.done: list[tuple[int, Bracket, int]] = []
        self.root: str | None = None
        #: what is wrong with lines since the last sure start, until the next one
        self.is_lost = False
        self.expects_label = False
        self.fault: DataError | None = None
        #: whether a word of the open tree stands in the line that it starts in
        self.is_begun = False
        #: the least indentation of a line that a tree goes on in
        self.indent: float = math.inf
        #: trees with no bracket at the margin inside them, and whether some have one
        self.plain_trees = 0
        self.has_margins = False
        #: trees so far, if each of them stands in one line
        self.line_trees: float = 0

    def read(self) -> Iterator[tuple[int, Bracket]]:
        after_blank = True
        while (item := self._next_line()) is not None:
            number, line = item
            is_blank = not line.strip()
            indent = len(line) - len(line.lstrip(" \t"))
            if not self.stack and (is_blank or indent < self.indent):
                # What stands further left than the inner lines of trees is no part of the trees before it.
                yield from self._settle()
            elif self.stack and indent:
                self.indent = min(self.indent, indent)
            if line.startswith("(") and (after_blank or line.startswith(("( ", "((")) or self._is_start(line)):
                if self.stack:
                    self._abandon(f"not closed before the next tree in line {number}")
                yield from self._settle()
                self.is_lost = False
            elif self.is_lost and after_blank and not is_blank and not indent:
                # What follows a blank line is damage of its own, and another tree.
                yield from self._settle()
                self.is_lost = False
            after_blank = is_blank
            fault = self.source.fault(number)
            if fault is not None and not is_blank:
                self.fault = self.fault or fault
            if not self.is_lost:
                self._take(number, line)
        if self.stack:
            self._abandon("not closed at the end of the file")
        yield from self._settle()

    def _next_line(self) -> Numbered | None:
        return self.ahead.popleft() if self.ahead else next(self.lines, None)

    def _bad(self, message: str, line: int, skipped: int = 1) -> None:
        self.on_error(DataError(message, source=self.source.name, line=line, skipped=skipped))

    def _settle(self) -> Iterator[tuple[int, Bracket]]:
        """Hand out the trees that are done, or else tell what is wrong with them."""
        damaged = math.inf if self.fault is None else self.fault.line or 0
        # Trees that end before the damage are good.
        for line, bracket, last in self.done:
            if last < damaged:
                yield line, bracket
        if self.fault is not None and (self.done or not self.is_lost):
            self.on_error(self.fault)
        self.plain_trees += len(self.done)
        self.done, self.fault = [], None

    def _abandon(self, why: str) -> None:
        """Give up the tree that is open."""
        if self.fault is not None:
            self.on_error(self.fault)
            self.fault = None
        else:
            self._bad(f"unbalanced brackets: {len(self.stack)} {why}", self.started)
        self.stack = []

    def _lose(self, message: str, number: int) -> None:
        """Give up what has been read since the last sure start, and all before the next."""
        fault, self.fault = self.fault, None
        self.is_lost = True
        # The pieces of a tree that closed too early follow it; trees before it in the same line are good.
        skipped = 1
        while self.done:
            line, bracket, _ = self.done.pop()
            if bracket.label == self.root:
                # It may be good, and what is wrong belong to another tree, unless there is nothing in it.
                skipped += bool(bracket.children) and line < number
                break
        if fault is not None:
            fault.skipped = fault.skipped and skipped
            self.on_error(fault)
        else:
            self._bad(message, number, skipped)

    def _is_start(self, line: str) -> bool:
        """Whether a bracket at the margin starts a tree, although one is open."""
        if not self.stack or self.is_lost:
            return True
        is_root = self.is_begun and _label(line) in (self.stack[0].label, self.root)
        if self.has_margins:
            return is_root
        if self.line_trees > 1 and _label(line) == self.root and line.count("(") == line.count(")"):
            # One more tree in one line.
            return True
        is_known = self.plain_trees >= _ENOUGH or self.indent < math.inf
        if not is_known and not is_root and self._closes(line):
            self.has_margins = True
            return False
        return True

    def _closes(self, line: str) -> bool:
        """Whether the open tree is one that ends where a line ends, if it goes on with this line.

        That lines at the margin begin with the same label shows that they are trees themselves, and so does a tree
        behind them that goes on in indented lines only.
        """
        if self.fault is not None or MARK in line:
            return False
        trial = _Reader(self.source, raise_error, iter(()), self.dialect)
        trial.stack = [Bracket(item.label, list(item.children)) for item in self.stack]
        margins = [_label(line)]
        ahead = self._look_ahead()
        try:
            trial._take(0, line)
            for number, text in ahead:
                if not trial.stack or not text.strip() or text.startswith("( "):
                    if text.startswith("(") and _label(text) != self.stack[0].label:
                        # The next tree may begin as these lines do.
                        margins.append(_label(text))
                    if _is_indented(chain([text], (text for _, text in ahead))):
                        return False
                    break
                if MARK in text or not text.startswith(("(", ")", " ", "\t")):
                    return False
                if text.startswith("("):
                    margins.append(_label(text))
                trial._take(number, text)
            for _, bracket, _ in trial.done:
                self.dialect(bracket)
        except (DataError, TreeError):
            return False
        usual = max(map(margins.count, set(margins)))
        return not trial.stack and len(trial.done) == 1 and usual < (2 if self.is_begun else _ENOUGH)

    def _look_ahead(self) -> Iterator[Numbered]:
        yield from (known := list(self.ahead))
        lines, characters = len(known), sum(len(line) for _, line in known)
        while lines < _AHEAD and characters < _AHEAD_CHARACTERS and (item := next(self.lines, None)) is not None:
            lines, characters = lines + 1, characters + len(item[1])
            self.ahead.append(item)
            yield item

    def _take(self, number: int, line: str) -> None:
        """The tokens of a line."""
        stack = self.stack
        for match in _TOKEN.finditer(line):
            token = match[0]
            if token == "(":
                if not stack:
                    self.started, self.size = number, 0
                    self.is_begun = False
                stack.append(Bracket(""))
                self.expects_label = True
                continue
            if token == ")":
                if not stack:
                    self._close_nothing(number, line[match.start() :])
                    return
                bracket = stack.pop()
                if stack:
                    stack[-1].children.append(bracket)
                else:
                    self._finish(bracket, number)
            elif token.isspace():
                continue
            elif not stack:
                self._lose(f"text outside the brackets: {token[:80]!r}", number)
                return
            elif self.expects_label:
                stack[-1].label = token
            else:
                stack[-1].children.append(token)
                if number == self.started:
                    self.is_begun = True
            self.expects_label = False
            self.size += 1
            if self.size > _LARGEST:
                self._lose(f"more than {_LARGEST:,} brackets and words in one tree", self.started)
                self.stack = []
                return

    def _finish(self, bracket: Bracket, number: int) -> None:
        if self.root is None:
            self.root = bracket.label
        self.line_trees += 1 if number == self.started else -math.inf
        self.done.append((self.started, bracket, number))

    def _close_nothing(self, number: int, rest: str) -> None:
        """A closing bracket too many: at the end of a whole tree it does no harm, otherwise that closed too early."""
        message = "unbalanced brackets: a ) closes nothing"
        is_end = len(self.done) == 1 and self.fault is None and not rest.strip(") \t")
        if is_end and self.done[0][1].children:
            self._bad(f"{message}; the tree before it is kept", number, 0)
            self.done[0][1].is_damaged = True
            # What follows before the next tree is told already.
            self.is_lost = True
        else:
            self._lose(message, number)


def _is_indented(lines: Iterable[str]) -> bool:
    """Whether the first tree of several lines has none at the left margin but its first."""
    depth = length = 0
    for line in lines:
        if not depth and not line.startswith("("):
            continue
        if depth and not line.startswith((" ", "\t")):
            return False
        length = length + 1 if depth else 1
        depth += line.count("(") - line.count(")")
        if depth <= 0 and (length > 1 or depth):
            return not depth
    return False


def _label(line: str) -> str:
    """The label of the bracket that a line begins with."""
    return line[1:].partition(" ")[0].partition("(")[0]


def escape(word: str) -> str:
    """A word as it stands in brackets: its parentheses written -LRB- and -RRB-."""
    return word.replace("(", "-LRB-").replace(")", "-RRB-")


def unescape(word: str) -> str:
    """The word that stands in brackets so."""
    return word.replace("-LRB-", "(").replace("-RRB-", ")") if "RB-" in word else word
