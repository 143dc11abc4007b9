"""Errors in treebank files, said so that the reader can find the place and knows the way out."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["OnError", "TreebankError", "raise_error"]


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
