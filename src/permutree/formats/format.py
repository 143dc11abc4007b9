"""What a format is: the names it goes by, what reads and writes it, and what it can hold."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from inspect import Parameter, signature
from typing import Any

from permutree.errors import ConfigError
from permutree.trees.tree import Tree

__all__ = ["Format", "check_options", "options_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format of trees. A module of this folder declares its own one as ``FORMAT``, or several as ``FORMATS``.

    Options of ``read``, ``write`` and ``files`` are their keyword-only parameters.
    """

    name: str
    #: what it is, in a line for lists
    description: str
    #: how the names of its files end, with the dot; the first is the usual one
    suffixes: tuple[str, ...]
    #: ``read(source, on_error, **options)``: the trees of one source; None for drawings, which are only written
    read: Callable[..., Iterator[Tree]] | None = None
    #: ``write(trees, stream, **options)``: write trees to a stream of text; None if a file holds one tree only
    write: Callable[..., None] | None = None
    #: ``files(trees, **options)``: the name and the text or bytes of a file for each tree, for a directory or archive
    files: Callable[..., Iterator[tuple[str, str | bytes]]] | None = None
    #: the tree of a line, in formats with a tree a line; reading can then be shared by processes
    parse_line: Callable[[str], Tree] | None = None
    #: other names that are understood
    aliases: tuple[str, ...] = ()
    #: the place in lists, and among the formats whose signs are looked for: the special comes before the general
    rank: int = 50
    #: a regular expression that is found in the first lines of its files
    sign: str | None = None
    #: whether the sign counts for more than the name of a file
    is_unmistakable: bool = False
    #: whether labels such as NP-SBJ are split into category and function in reading and joined in writing
    splits_labels: bool = False
    is_discontinuous: bool = True
    #: whether it says how sure the parser is of each constituent
    has_confidence: bool = False
    #: whether its files are UTF-8, whatever charset is asked for
    is_utf8: bool = False
    #: whether its files hold bytes that are no text
    is_binary: bool = False

    @property
    def reader(self) -> Callable[..., Iterator[Tree]]:
        """What reads it; a ConfigError for drawings."""
        if self.read is None:
            raise ConfigError(f"{self.name} can only be written, not read")
        return self.read

    @property
    def writer(self) -> Callable[..., Any]:
        """What writes it; a ConfigError if it can only be read."""
        writer = self.write or self.files
        if writer is None:
            raise ConfigError(f"{self.name} can only be read, not written")
        return writer

    @property
    def is_single(self) -> bool:
        """Whether a file holds one tree."""
        return self.write is None and self.files is not None

    @property
    def can_write(self) -> bool:
        """Whether trees can be written in it."""
        return self.write is not None or self.files is not None

    @property
    def write_options(self) -> tuple[str, ...]:
        """The options of writing."""
        return options_of(self.writer)


def options_of(function: Callable[..., Any]) -> tuple[str, ...]:
    """The names of the options of a reader or writer."""
    parameters = signature(function).parameters.values()
    return tuple(parameter.name for parameter in parameters if parameter.kind is Parameter.KEYWORD_ONLY)


def check_options(what: str, function: Callable[..., Any], options: Collection[str]) -> None:
    """A ConfigError if a reader or writer, which is said to be ``what``, has not all of the options."""
    if not options:
        return
    known = options_of(function)
    for option in options:
        if option not in known:
            has = f"has only {', '.join(known)}" if known else "has none"
            raise ConfigError(f"{what} has no option {option!r}; it {has}")
