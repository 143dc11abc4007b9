"""What labels mean: constituents, tags and functions of a language's treebanks, in a linguist's words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import NamedTuple

from permutree.errors import DataError

__all__ = ["KINDS", "Entry", "Glossary", "Meaning"]

#: what a label may be; a feature is what a label has at its end beside functions, such as the case of a noun
KINDS = ("constituent", "tag", "function", "feature")

_SUFFIXES = ("function", "feature")

#: indexes that connect a constituent with its trace, as in NP-SBJ-1, NP=2
_INDEX = re.compile(r"(?<=.)[-=]\d+$")


class Meaning(NamedTuple):
    """The kind of a label, and what it means as that."""

    kind: str
    text: str


class Entry(NamedTuple):
    """What a label means in the treebanks of a language, as a label of some kind."""

    label: str
    #: the code of the language
    language: str
    #: one of :data:`KINDS`
    kind: str
    text: str


#: a tag → what it means, where its parts tell that; the function given with it looks up parts
TagRule = Callable[[str, Callable[[str], str | None]], str | None]


class Glossary:
    r"""The meanings of labels, one a line: the kind, the label and the meaning, with tabs between them.

    A file is read when the first label is looked up. Functions and features may follow any label after a hyphen, so
    that combinations need no line. Where tags are put together in other ways, a rule explains them.

    >>> glossary = Glossary("constituent\tNP\tnoun phrase\nfunction\tSBJ\tsubject")
    >>> glossary.meanings("NP-SBJ-1")
    [Meaning(kind='constituent', text='noun phrase; subject')]
    """

    def __init__(self, lines: str | Path = "", *, rule: TagRule | None = None) -> None:
        self._lines = lines
        self._rule = rule

    @cached_property
    def _table(self) -> dict[str, list[Meaning]]:
        text = self._lines.read_text("utf-8") if isinstance(self._lines, Path) else self._lines
        table: dict[str, list[Meaning]] = {}
        for number, line in enumerate(text.splitlines(), 1):
            if not line.strip():
                continue
            match line.strip().split("\t"):
                case [kind, label, meaning] if kind in KINDS:
                    table.setdefault(label, []).append(Meaning(kind, meaning))
                case _:
                    source = str(self._lines) if isinstance(self._lines, Path) else "glossary"
                    said = f"no kind ({', '.join(KINDS)}), label and meaning with tabs between them"
                    raise DataError(said, source=source, line=number)
        return table

    def labels(self) -> Iterator[str]:
        """The labels that have lines of their own."""
        return iter(self._table)

    def meanings(self, label: str) -> list[Meaning]:
        """What a label means, by its own lines, else by its parts; an empty list if it or a part is unknown."""
        label = label if label in self._table else _INDEX.sub("", label)
        if found := self._whole(label):
            return found
        # The head is as long as possible: IP-MAT-SPE is IP-MAT and a function.
        for hyphen in reversed([place.start() for place in re.finditer("-", label)]):
            if found := self._joined(label[:hyphen], label[hyphen + 1 :].split("-")):
                return found
        return []

    def _joined(self, head: str, suffixes: Sequence[str]) -> list[Meaning]:
        """The meanings of a label with suffixes; features stand on constituents and tags only."""
        rests = [[one for one in self._table.get(suffix, ()) if one.kind in _SUFFIXES] for suffix in suffixes]
        return [
            Meaning(first.kind, "; ".join(one.text for one in (first, *rest)))
            for first, *rest in product(self._whole(head), *rests)
            if first.kind not in _SUFFIXES or {first.kind, *(one.kind for one in rest)} == {"function"}
        ]

    def _whole(self, label: str) -> list[Meaning]:
        """The meanings of a label that has a line, or that the rule knows."""
        if label in self._table:
            return self._table[label]
        text = self._rule(label, self._tag) if self._rule is not None and label else None
        return [Meaning("tag", text)] if text else []

    def _tag(self, label: str) -> str | None:
        return next((text for kind, text in self._table.get(label, ()) if kind == "tag"), None)
