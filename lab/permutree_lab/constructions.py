"""The suite of constructions: sentences written by hand that mark words which must, or may, form a constituent.

A file of the suite has a line for each sentence, its tokens separated by blanks::

    == long-distance question
    {a {b Which book}} did you say {a that Mary thinks I should {b read}} ?

``== kind`` names the construction of the lines below it, and ``#`` starts a comment. ``{a …}`` is a stretch of the
constituent ``a``; stretches of the same name are one constituent, which may be discontinuous. A name that begins with
``?`` marks words that may be a constituent, and ``{a=NP|WHNP …}`` demands one of these labels. ``a/1`` and ``a/2`` are
alternatives where annotation schemes differ: one of them must be a constituent. Punctuation does not count when sets of
words are compared. So marks say little about the scheme of a treebank: they leave open how deep a tree is, and what is
between them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from permutree.errors import DataError
from permutree.trees.tree import Tree
from permutree_lab.tables import Table

__all__ = [
    "HALVES",
    "Judgement",
    "Mark",
    "MarkedSentence",
    "Tally",
    "constructions_table",
    "crosses",
    "is_punctuation",
    "judge",
    "judge_all",
    "read_constructions",
    "records",
    "show_miss",
    "tallies",
    "total",
]

#: one to develop with, and one that nothing is tuned on
HALVES = ("dev", "test")

Words = frozenset[int]

_OPENING = re.compile(r"\{(\??[A-Za-z]\w*(?:/\d)?)(?:=([^\s{}]+))?")
#: symbols that are read aloud, and so are words
_SPOKEN = frozenset("%&@#*")


class Mark(NamedTuple):
    """Words that must, or may, be a constituent: indexes without punctuation, and the labels that it may have."""

    name: str
    words: Words
    #: any, if empty
    labels: tuple[str, ...] = ()

    @property
    def must(self) -> bool:
        """Whether the words must be a constituent, or those of an alternative."""
        return not self.name.startswith("?")

    @property
    def has_alternatives(self) -> bool:
        """Whether others may be a constituent instead."""
        return "/" in self.name


class MarkedSentence(NamedTuple):
    """A sentence of the suite."""

    kind: str
    words: tuple[str, ...]
    marks: tuple[Mark, ...]
    line: int

    @property
    def demands(self) -> list[tuple[Mark, ...]]:
        """What must be a constituent: each a mark, or alternatives of which one must be."""
        groups: dict[str, list[Mark]] = {}
        for mark in self.marks:
            if mark.must:
                groups.setdefault(mark.name.partition("/")[0], []).append(mark)
        return [*map(tuple, groups.values())]

    @property
    def musts(self) -> list[Mark]:
        """The marks without alternatives that must be constituents."""
        return _musts(self.marks)

    @property
    def counted(self) -> Words:
        """The indexes of its words without punctuation."""
        return frozenset(number for number, word in enumerate(self.words) if not is_punctuation(word))

    def has_gap(self, marks: Sequence[Mark]) -> bool:
        """Whether a constituent must be discontinuous, in each of its alternatives; punctuation makes no gap."""
        counted = sorted(self.counted)
        return all(counted.index(max(mark.words)) - counted.index(min(mark.words)) >= len(mark.words) for mark in marks)


class Judgement(NamedTuple):
    """How a tree does on a marked sentence."""

    sentence: MarkedSentence
    tree: Tree
    #: what must be a constituent and is not, each with its alternatives
    missed: tuple[tuple[Mark, ...], ...]
    #: constituents that are wrong for sure: they cross what must be one, and are none that may be
    wrong: tuple[Mark, ...]

    @property
    def is_right(self) -> bool:
        """Whether all is found and nothing is wrong."""
        return not self.missed and not self.wrong


class Tally(NamedTuple):
    """Marked constituents that were found, of how many; those with a gap; sentences that are right; what is wrong."""

    found: int = 0
    marked: int = 0
    gaps_found: int = 0
    gaps_marked: int = 0
    right: int = 0
    sentences: int = 0
    wrong: int = 0

    def plus(self, other: Tally) -> Tally:
        """Both together."""
        return Tally(*(mine + its for mine, its in zip(self, other, strict=True)))

    @property
    def recall(self) -> float:
        """The share of marked constituents that were found, in percent."""
        return 100 * self.found / self.marked if self.marked else 100.0


def read_constructions(path: Path) -> list[MarkedSentence]:
    """The sentences of a file of the suite; a line that is not in the notation is refused with its place."""
    sentences: list[MarkedSentence] = []
    kind = ""
    if not path.is_file():
        raise DataError("there is no such file; the suite is in lab/constructions", source=str(path))
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        text = line.strip()
        if text.startswith("== "):
            kind = text[3:].strip()
        elif text and text != "#" and not text.startswith("# "):
            try:
                if not kind:
                    raise DataError("a sentence before the first kind: write == KIND above it")
                sentences.append(MarkedSentence(kind, *_parse(text), number))
            except DataError as error:
                raise DataError(error.message, source=str(path), line=number) from None
    return sentences


def _parse(text: str) -> tuple[tuple[str, ...], tuple[Mark, ...]]:
    """The words and the marks of a line."""
    words: list[str] = []
    stretches: dict[str, set[int]] = {}
    labels: dict[str, tuple[str, ...]] = {}
    opened: list[str] = []
    for token in text.split():
        if token.startswith("{"):
            match = _OPENING.fullmatch(token)
            if match is None:
                raise DataError(f"{token} opens no stretch: write {{name and a blank, such as {{a words}}")
            name, alternatives = match.groups()
            if name in opened:
                raise DataError(f"stretch {name} is opened within itself")
            opened.append(name)
            stretches.setdefault(name, set())
            if alternatives:
                labels[name] = tuple(alternatives.split("|"))
            continue
        word = token.rstrip("}")
        if not word:
            raise DataError("a brace stands alone: write it at the end of the last word of its stretch")
        if "{" in word or "}" in word:
            raise DataError(f"{token} has a brace within: blanks separate tokens")
        for name in opened:
            stretches[name].add(len(words))
        words.append(word)
        for _ in range(len(token) - len(word)):
            if not opened:
                raise DataError(f"{token} closes a stretch that was not opened: unbalanced braces")
            opened.pop()
    if opened:
        raise DataError(f"stretch {opened[-1]} is not closed: unbalanced braces")
    marks = []
    for name, stretch in stretches.items():
        counted = frozenset(one for one in stretch if not is_punctuation(words[one]))
        if len(counted) < 2:
            raise DataError(f"{name} has fewer than two words that are no punctuation: leave it out")
        marks.append(Mark(name, counted, labels.get(name, ())))
    _check(marks)
    return tuple(words), tuple(marks)


def _musts(marks: Iterable[Mark]) -> list[Mark]:
    return [mark for mark in marks if mark.must and not mark.has_alternatives]


def _check(marks: Sequence[Mark]) -> None:
    """Refuse marks of which no tree has all."""
    if not any(mark.must for mark in marks):
        raise DataError("nothing is marked that must be a constituent")
    musts = _musts(marks)
    for number, one in enumerate(musts):
        for other in musts[:number]:
            if crosses(one.words, other.words):
                raise DataError(f"{other.name} and {one.name} cross: no tree has both")


def is_punctuation(word: str) -> bool:
    """Whether a token has nothing but punctuation and quotation marks; symbols that are read aloud are words."""
    return word not in _SPOKEN and all(unicodedata.category(one)[0] == "P" or one == "`" for one in word)


def crosses(one: Words, other: Words) -> bool:
    """Whether two sets overlap, and neither is within the other."""
    return bool(one & other and one - other and other - one)


def judge(sentence: MarkedSentence, tree: Tree) -> Judgement:
    """Compare a tree with what is marked."""
    if tree.words != sentence.words:
        raise DataError(
            f"the tree is of {' '.join(tree.words)!r}, the suite has {' '.join(sentence.words)!r}; parse the tokens "
            "of the suite in their order"
        )
    counted = sentence.counted
    found = [(one.label, frozenset(one.words) & counted) for one in tree]
    missed = tuple(marks for marks in sentence.demands if not any(_is_found(mark, found) for mark in marks))
    allowed = {mark.words for mark in sentence.marks}
    wrong = tuple(
        Mark(label, words)
        for label, words in found
        if words not in allowed and any(crosses(words, mark.words) for mark in sentence.musts)
    )
    return Judgement(sentence, tree, missed, wrong)


def _is_found(mark: Mark, found: Iterable[tuple[str, Words]]) -> bool:
    return any(words == mark.words and (not mark.labels or label in mark.labels) for label, words in found)


def judge_all(sentences: Sequence[MarkedSentence], trees: Iterable[Tree], source: str) -> list[Judgement]:
    """Compare trees with the sentences of a file, one by one; ``source`` is where messages say the trees are from."""
    given = list(trees)
    if len(given) != len(sentences):
        raise DataError(f"{len(given):,} trees for {len(sentences):,} sentences of the suite", source=source)
    judgements = []
    for number, (sentence, tree) in enumerate(zip(sentences, given, strict=True), 1):
        try:
            judgements.append(judge(sentence, tree))
        except DataError as error:
            raise DataError(error.message, source=source, sentence=number) from None
    return judgements


def tallies(judgements: Iterable[Judgement]) -> dict[str, Tally]:
    """The counts by kind, in the order of the file."""
    counts: dict[str, Tally] = {}
    for one in judgements:
        demands = one.sentence.demands
        gaps = [marks for marks in demands if one.sentence.has_gap(marks)]
        tally = Tally(
            found=len(demands) - len(one.missed),
            marked=len(demands),
            gaps_found=len(gaps) - sum(marks in one.missed for marks in gaps),
            gaps_marked=len(gaps),
            right=int(one.is_right),
            sentences=1,
            wrong=len(one.wrong),
        )
        counts[one.sentence.kind] = counts.get(one.sentence.kind, Tally()).plus(tally)
    return counts


def total(counts: Iterable[Tally]) -> Tally:
    """The counts of all kinds together."""
    tally = Tally()
    for one in counts:
        tally = tally.plus(one)
    return tally


def constructions_table(columns: dict[str, dict[str, Tally]], half: str) -> Table:
    """A row for each kind, a column for each model: marked constituents found, of all; below, all kinds together."""
    kinds = list(dict.fromkeys(kind for counts in columns.values() for kind in counts))
    rows: list[list[Any]] = []
    for kind in kinds:
        rows.append([kind, *(_recall(counts[kind]) if kind in counts else "" for counts in columns.values())])
    totals = [total(counts.values()) for counts in columns.values()]
    rows.append(["**all kinds**", *map(_recall, totals)])
    rows.append(["discontinuous ones", *(_share(one.gaps_found, one.gaps_marked) for one in totals)])
    rows.append(["sentences fully right", *(_share(one.right, one.sentences) for one in totals)])
    rows.append(["constituents wrong for sure", *(str(one.wrong) for one in totals)])
    return Table(f"Marked constituents found, {half} half", ["", *columns], rows)


def _recall(tally: Tally) -> str:
    return _share(tally.found, tally.marked)


def _share(some: int, of: int) -> str:
    return f"{some}/{of} ({100 * some / of:.0f} %)" if of else "–"


def records(columns: dict[str, dict[str, Tally]], half: str) -> list[dict[str, Any]]:
    """The counts of all models for machines."""
    return [
        {
            "model": name,
            "half": half,
            "all": _record(total(counts.values())),
            "kinds": {kind: _record(tally) for kind, tally in counts.items()},
        }
        for name, counts in columns.items()
    ]


def _record(tally: Tally) -> dict[str, Any]:
    return {**tally._asdict(), "recall": round(tally.recall, 2)}


def show_miss(judgement: Judgement) -> Iterator[str]:
    """Lines that say what is wrong with a tree: the sentence, what was missed, what is wrong for sure, and the tree."""
    sentence = judgement.sentence
    yield f"{sentence.line}: {sentence.kind}: {' '.join(sentence.words)}"
    for marks in judgement.missed:
        name = "|".join(marks[0].labels) or marks[0].name.partition("/")[0]
        yield f"  missed {name}: {' / '.join(_stretches(mark.words, sentence) for mark in marks)}"
    for mark in judgement.wrong:
        yield f"  wrong  {mark.name}: {_stretches(mark.words, sentence)}"
    for one in judgement.tree:
        words = frozenset(one.words) & sentence.counted
        if len(words) > 1:
            yield f"  tree   {one.label}: {_stretches(words, sentence)}"


def _stretches(words: Words, sentence: MarkedSentence) -> str:
    """Words with … for gaps; punctuation makes none."""
    counted = sorted(sentence.counted)
    parts: list[str] = []
    gap = False
    for number in counted:
        if number in words:
            parts.extend(["…"] if gap and parts else [])
            parts.append(sentence.words[number])
        gap = number not in words
    return " ".join(parts)
