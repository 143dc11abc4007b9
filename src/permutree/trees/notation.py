"""discbracket, the notation of one tree in one line: terminals ``(TAG index=word)``, children in any order.

>>> parse_line("(S (VP (A 0=a) (B 2=c)) (C 1=b))")[:3]
(('a', 'b', 'c'), ('A', 'C', 'B'), (0, 2, 1))

Parentheses in words are written ``-LRB-`` and ``-RRB-``; in labels and tags, as is usual for STTS, they become square
brackets (``$[``). An older variant, with bare indexes in the tree and the sentence after a tab, is read, too. A line in
the usual shape is parsed by splitting it at spaces; any other takes the careful path, which also words the errors.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from sys import intern

from permutree.errors import TreeError
from permutree.trees.annotations import NO_ANNOTATIONS
from permutree.trees.builder import Leaf, Node, TreeBuilder
from permutree.trees.fields import Fields, is_canonical

__all__ = ["format_line", "parse_line"]


class _Names(dict[str, str]):
    """Labels by the token they open a bracket with, ``(NP`` → ``NP``; each is made once.

    Treebanks have some hundred. Where every line has new ones, they are forgotten from time to time.
    """

    MOST = 1 << 16

    def __missing__(self, token: str) -> str:
        if len(self) >= self.MOST:
            self.clear()
        name = self[token] = intern(token[1:])
        return name


_NAMES = _Names()
_NUMBERS = [str(number) for number in range(1024)]


def parse_line(line: str) -> Fields:
    """The fields of the tree in one line."""
    words: list[str] = []
    tags: list[str] = []
    indexes: list[str] = []
    labels: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    open_constituents: list[int] = []
    position = 0
    opened = ""
    try:
        for token in line.split(" "):
            if token[0] == "(":
                if opened:
                    open_constituents.append(len(labels))
                    labels.append(_NAMES[opened])
                    starts.append(position)
                    ends.append(0)
                opened = token
                continue
            index, _, rest = token.partition("=")
            word = rest.rstrip(")")
            indexes.append(index)
            words.append(intern(word))
            tags.append(_NAMES[opened])
            opened = ""
            position += 1
            for _ in range(len(rest) - len(word) - 1):
                ends[open_constituents.pop()] = position
        order = range(position) if indexes == _NUMBERS[:position] else list(map(int, indexes))
    except (IndexError, ValueError):
        return _parse_carefully(line)
    brackets = position + len(labels)
    is_usual = line.count("(") == line.count(")") == brackets and not open_constituents and not opened
    if not is_usual or "" in words or "" in tags or "" in labels or (ends[0] if labels else 1) != position:
        return _parse_carefully(line)
    if "RB-" in line:
        words = [_unescape(word) for word in words]
    if type(order) is range:
        return tuple(words), tuple(tags), order, tuple(labels), tuple(starts), tuple(ends), NO_ANNOTATIONS
    if sorted(order) != list(range(position)) or not is_canonical(order, starts, ends):
        return _parse_carefully(line)
    arrangement: Sequence[int] = tuple(order)
    if order == list(range(position)):
        arrangement = range(position)
    else:
        by_word = sorted(range(position), key=order.__getitem__)
        words = [words[place] for place in by_word]
        tags = [tags[place] for place in by_word]
    return tuple(words), tuple(tags), arrangement, tuple(labels), tuple(starts), tuple(ends), NO_ANNOTATIONS


_TOKEN = re.compile(r"[()]|[^ \t\n\r\f\v()]+")


def _parse_carefully(line: str) -> Fields:
    """The fields of the tree in a line in any spacing and child order, or a TreeError that says what is wrong."""
    if _OLD(line):
        line = _with_words(line)
    leaves: dict[int, Leaf] = {}
    # The bottom of the stack collects what stands outside all brackets: exactly one tree, if the line is good.
    stack: list[list[str | Node | Leaf]] = [[]]
    for token in _TOKEN.findall(line.replace("($( ", "($[ ")):
        if token == "(":
            stack.append([])
        elif token != ")":
            stack[-1].append(token)
        elif len(stack) == 1:
            raise TreeError("unbalanced brackets: a ) closes nothing")
        else:
            bracket = _bracket(stack.pop(), leaves)
            stack[-1].append(bracket)
    if len(stack) > 1:
        raise TreeError(f"unbalanced brackets: {len(stack) - 1} not closed")
    roots = stack.pop()
    if len(roots) != 1 or isinstance(roots[0], str):
        raise TreeError(f"expected one tree in a line, found {len(roots)} trees or words")
    for index in range(len(leaves)):
        if index not in leaves:
            raise TreeError(f"leaf index {index} is missing among {len(leaves)} words")
    return TreeBuilder(roots[0], [leaves[index] for index in range(len(leaves))]).fields()


_OLD = re.compile(r"[^=\t]* [0-9]+\)+\t[^\t]+").fullmatch


def _with_words(line: str) -> str:
    """A line of the old variant, ``(S (X 0) (Y 1))`` tab ``words of it``, in today's form; indexes from 0 or 1."""
    brackets, _, sentence = line.partition("\t")
    words = sentence.split()
    first = 0 if re.search(r" 0\)", brackets) else 1

    def terminal(match: re.Match[str]) -> str:
        index = _index(match[1]) - first
        if index >= len(words):
            raise TreeError(f"leaf index {match[1]} is beyond the {len(words)} words of the sentence")
        return f" {index}={words[index].replace('(', '-LRB-').replace(')', '-RRB-')})"

    return re.sub(r" ([0-9]+)\)", terminal, brackets)


def _bracket(items: list[str | Node | Leaf], leaves: dict[int, Leaf]) -> Node | Leaf:
    """The node or leaf of a closed bracket: a label, then children or one ``index=word``."""
    if not items or not isinstance(items[0], str):
        raise TreeError("a bracket without a label")
    label = intern(items[0])
    children = [item for item in items[1:] if not isinstance(item, str)]
    if len(children) == len(items) - 1:
        if not children:
            raise TreeError(f"empty bracket ({label})")
        return Node(label, children)
    index, equals, word = str(items[1]).partition("=")
    if len(items) != 2 or not equals or not word or not (index.isdecimal() and index.isascii()):
        inside = " ".join(item if isinstance(item, str) else "(…)" for item in items)
        raise TreeError(f"a terminal must be (TAG index=word), not ({inside})")
    number = _index(index)
    if number in leaves:
        raise TreeError(f"leaf index {number} stands twice")
    leaf = leaves[number] = Leaf(intern(_unescape(word)), label)
    return leaf


def _index(digits: str) -> int:
    """The number of a word; a TreeError if no sentence has so many."""
    if len(digits) > 9:
        raise TreeError(f"leaf index {digits[:9]}… is beyond the words of any sentence")
    return int(digits)


def _unescape(word: str) -> str:
    return word.replace("-LRB-", "(").replace("-RRB-", ")") if "RB-" in word else word


def format_line(
    words: Sequence[str],
    tags: Sequence[str],
    order: Sequence[int],
    labels: Sequence[str],
    starts: Sequence[int],
    ends: Sequence[int],
) -> str:
    """The line of the tree with these fields, without its end; a TreeError if discbracket cannot hold it."""
    written = words
    text = " ".join(words)
    if "(" in text or ")" in text:
        written = text.replace("(", "-LRB-").replace(")", "-RRB-").split(" ")
        if len(written) > len(words):
            # A word with a blank in it is none that can be written.
            _check_texts(words, tags, labels)
    line = _format(written, tags, order, labels, starts, ends)
    size = len(words)
    brackets = size + len(labels)
    is_usual = line.count(" ") == brackets + size - 1 and line.count("(") == line.count(")") == brackets
    if is_usual and line.isprintable() and "=)" not in line and "( " not in line:
        return line
    _check_texts(words, tags, labels)
    written = [word.replace("(", "-LRB-").replace(")", "-RRB-") for word in words]
    tags, labels = ([text.translate(_SQUARE) for text in texts] for texts in (tags, labels))
    return _format(written, tags, order, labels, starts, ends)


def _format(
    words: Sequence[str],
    tags: Sequence[str],
    order: Sequence[int],
    labels: Sequence[str],
    starts: Sequence[int],
    ends: Sequence[int],
) -> str:
    """The line of a tree whose words, tags and labels are as they are to be written."""
    closings = [")"] * len(words)
    for end in ends:
        closings[end - 1] += ")"
    if type(order) is not range:
        tags, words = [tags[word] for word in order], [words[word] for word in order]
    terminals = zip(tags, order, words, closings)  # noqa: B905 - as many as there are words; checking costs time
    parts = [f"({tag} {index}={word}{closing}" for tag, index, word, closing in terminals]
    for label, start in zip(labels[::-1], starts[::-1]):  # noqa: B905
        parts[start] = f"({label} {parts[start]}"
    return " ".join(parts)


_SPACE = re.compile(r"[ \t\n\r\f\v]").search
_SQUARE = str.maketrans("()", "[]")


def _check_texts(words: Sequence[str], tags: Sequence[str], labels: Sequence[str]) -> None:
    """Raise a TreeError for a text that the notation cannot hold."""
    for what, texts in (("word", words), ("tag", tags), ("label", labels)):
        for text in texts:
            if not text or _SPACE(text):
                fault = "has white space in it" if text else "is empty"
                raise TreeError(f"discbracket cannot hold the {what} {text!r}, which {fault}; write jsonl instead")
