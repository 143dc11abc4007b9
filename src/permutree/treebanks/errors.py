"""Errors in treebank files, said so that the reader can find the place and knows the way out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from permutree.tree import Tree, TreeError

__all__ = ["OnError", "TreebankError", "raise_error", "texts_of"]


class TreebankError(ValueError):
    """Bad data in a treebank file: where it is and what is wrong with it."""

    def __init__(
        self, message: str, *, source: str | None = None, line: int | None = None, sentence: str | int | None = None
    ) -> None:
        self.message = message
        self.source = source
        self.line = line
        self.sentence = None if sentence is None else str(sentence)
        super().__init__(str(self))

    def __str__(self) -> str:
        place = self.source or ""
        if self.line is not None:
            place += f":{self.line}" if place else f"line {self.line}"
        if self.sentence is not None:
            place += f" (sentence {self.sentence})" if place else f"sentence {self.sentence}"
        return f"{place}: {self.message}" if place else self.message


#: What a reader does with a bad sentence: raise, or take note and return to go on with the next one.
OnError = Callable[[TreebankError], None]


def raise_error(error: TreebankError) -> None:
    """The default: stop at the first bad sentence."""
    raise error


def texts_of(trees: Iterable[Tree], text_of: Callable[[Tree, int], str]) -> Iterator[str]:
    """The text of each tree and its number from 1; if it cannot be written, an error that names the sentence."""
    for number, tree in enumerate(trees, 1):
        try:
            text = text_of(tree, number)
        except TreeError as error:
            raise TreebankError(str(error), sentence=tree.id or number) from None
        yield text
