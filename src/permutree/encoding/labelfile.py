"""Label files: one word a line, a blank line after each sentence, in our columns or in those of the paper's release.

Ours has six columns between tabs: word, tag, levels, shared, unary, permutation. The release, disco2labels, has three:
word, tag and the components joined with ``{}``, between ``-BOS-`` and ``-EOS-`` rows; it counts relative positions the
other way round, joins chains with ``~`` and writes one level as ``1ROOT``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple, TextIO

from permutree.encoding.constituents import NOTHING, format_chain, has_unfit, parse_chain
from permutree.encoding.labels import Label
from permutree.encoding.permutations import Permutation, permutation_named
from permutree.errors import DataError, OnError, TreeError, raise_error
from permutree.formats.lines import LONGEST
from permutree.formats.sources import Source
from permutree.trees.tree import Tree

__all__ = ["STYLES", "LabelledSentence", "read_labels", "write_labels"]

STYLES = ("permutree", "disco2labels")
_BREAK = re.compile(r"[\t\n\r]").search
_BOS, _EOS = "-BOS-", "-EOS-"
_JOIN = "{}"


class LabelledSentence(NamedTuple):
    """Words, tags and labels, and the line that the sentence starts in."""

    words: list[str]
    tags: list[str]
    labels: list[Label]
    line: int


def read_labels(
    source: Source, encoding: str, style: str = "permutree", on_error: OnError = raise_error
) -> Iterator[LabelledSentence]:
    """The sentences of a label file. What the labels say is not checked: decoding takes anything.

    A sentence with a row that is none is left out, if ``on_error`` returns.
    """
    symbols = permutation_named(encoding)()
    read_row = _read_row if style == "permutree" else _read_release_row
    rows: list[list[str]] = []
    first = size = 0
    error: DataError | None = None
    for number, line in chain(source.lines(), [(0, "")]):
        if not line.strip(" "):
            if error is not None:
                on_error(error)
            elif rows:
                yield from _sentence(rows, first, symbols, style)
            rows, size, error = [], 0, None
            continue
        if not rows:
            first = number
        size += len(line)
        if (fault := source.fault(number)) is not None:
            error = error or fault
        elif size > LONGEST:
            error = error or DataError("a sentence that does not end", source=source.name, line=first)
        elif error is None:
            try:
                rows.append(read_row(line))
            except TreeError as wrong:
                error = DataError(str(wrong), source=source.name, line=number)


def _read_row(line: str) -> list[str]:
    row = line.split("\t")
    if len(row) != 6 or not row[0]:
        raise TreeError(
            f"expected word, tag, levels, shared, unary and permutation between tabs, found {len(row)} columns"
            + ("" if row[0] else ", the first of them empty")
            + ("; is it --style disco2labels?" if _JOIN in row[-1] else "")
        )
    return row


def _read_release_row(line: str) -> list[str]:
    row = line.split("\t")
    if len(row) < 3 or not row[0]:
        raise TreeError(f"expected word, tag and label between tabs, found {len(row)} columns")
    components = row[-1].split(_JOIN, 3)
    return [row[0], row[1], *components, *[""] * (4 - len(components))]


def _sentence(rows: list[list[str]], line: int, symbols: Permutation, style: str) -> Iterator[LabelledSentence]:
    if style == "permutree":
        words, tags, *columns = (list(column) for column in zip(*rows, strict=True))
        yield LabelledSentence(words, tags, list(map(Label, *columns)), line)
        return
    if rows[0][:2] == [_BOS, _BOS]:
        rows = rows[1:]
    if rows and rows[-1][:2] == [_EOS, _EOS]:
        rows = rows[:-1]
    if rows:
        words = [row[0].replace("-LRB-", "(").replace("-RRB-", ")") for row in rows]
        labels = [_from_release(row[2:], symbols, len(rows) == 1) for row in rows]
        yield LabelledSentence(words, [row[1] for row in rows], labels, line)


def write_labels(
    trees: Iterable[Tree],
    labels: Iterable[Sequence[Label]],
    stream: TextIO,
    encoding: str,
    style: str = "permutree",
    first_sentence: int = 1,
) -> None:
    """Write the labels of trees; ``first_sentence`` is the number of the first one, for errors."""
    symbols = permutation_named(encoding)()
    for number, (tree, sentence) in enumerate(zip(trees, labels, strict=True), first_sentence):
        try:
            if style == "permutree":
                rows = [[word, tag, *label] for word, tag, label in zip(tree.words, tree.tags, sentence, strict=True)]
            else:
                rows = _release_rows(tree, sentence, symbols)
            stream.write(_format_rows(rows))
        except TreeError as error:
            raise DataError(str(error), sentence=tree.id or number) from None


def _format_rows(rows: list[list[str]]) -> str:
    text = "".join("\t".join(row) + "\n" for row in rows) + "\n"
    columns = len(rows[0])
    if text.count("\t") != len(rows) * (columns - 1) or text.count("\n") != len(rows) + 1 or "\r" in text:
        odd = next(item for row in rows for item in row if _BREAK(item))
        raise TreeError(f"a label file cannot hold {odd!r}, which has a tab or line break in it")
    if any(not row[0] for row in rows):
        raise TreeError("a label file cannot hold an empty word")
    return text


def _release_rows(tree: Tree, labels: Sequence[Label], symbols: Permutation) -> list[list[str]]:
    """The rows of a sentence in the format of the release."""
    levels = {tree.order[-1]: "NONE" if len(tree) > 1 else "1ROOT"}
    level = 0
    for place in tree.order[:-1]:
        level += int(labels[place].levels)
        levels[place] = "1ROOT" if level == 1 else labels[place].levels
    rows = [[_BOS, _BOS, _JOIN.join([_BOS] * 4)]]
    for index, (word, tag, label) in enumerate(zip(tree.words, tree.tags, labels, strict=True)):
        components = (
            levels[index],
            _chain_to_release(label.shared),
            _chain_to_release(label.unary),
            symbols.to_release(label.permutation),
        )
        if any(_JOIN in component for component in components):
            raise TreeError(f"disco2labels cannot hold {{}} in a label or tag: {' '.join(components)}")
        rows.append([word.replace("(", "-LRB-").replace(")", "-RRB-"), tag, _JOIN.join(components)])
    rows.append([_EOS, _EOS, _JOIN.join([_EOS] * 4)])
    return rows


def _chain_to_release(text: str) -> str:
    labels, _ = parse_chain(text)
    for label in labels:
        if "~" in label or label in ("", "NONE"):
            raise TreeError(f"disco2labels cannot hold the label {label!r}; use --style permutree")
    return "~".join(labels) or "NONE"


def _from_release(components: Sequence[str], symbols: Permutation, is_alone: bool) -> Label:
    """A label of the release in our symbols; what is none of its symbols stays as it is, for decoding to repair."""
    levels, shared, unary, permutation = components
    if levels == "NONE" or (is_alone and levels == "1ROOT"):
        levels = NOTHING
    return Label(levels, _chain_from_release(shared), _chain_from_release(unary), symbols.from_release(permutation))


def _chain_from_release(text: str) -> str:
    if text == "NONE":
        return NOTHING
    # What is no label stays as it is.
    return "+".join(format_chain([label]) if label and not has_unfit(label) else label for label in text.split("~"))
