"""Options that commands share for reading treebanks, and what becomes of bad sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Any, TypeVar

import click

from permutree.errors import DataError, OnError
from permutree.formats.registry import FORMATS
from permutree.trees.tree import Tree

__all__ = ["Command", "SkipBad", "add_options", "progress", "reading_options", "skip_bad_option"]

Command = TypeVar("Command", bound=Callable[..., Any])

skip_bad_option = click.option(
    "--skip-bad",
    is_flag=True,
    help="Report bad sentences and go on, with a count at the end; otherwise stop at the first.",
)


def add_options(command: Command, *options: Callable[[Any], Any]) -> Command:
    """Add options to a command; its help shows them in this order."""
    for option in reversed(options):
        command = option(command)
    return command


def reading_options(command: Command) -> Command:
    """Add ``--from``, ``--encoding`` and ``--skip-bad``."""
    return add_options(
        command,
        click.option(
            "--from",
            "source_format",
            type=click.Choice(list(FORMATS)),
            help="Format of the input; guessed from name and content if not given.",
        ),
        click.option("--encoding", metavar="NAME", help="Encoding of the input; utf-8 unless said otherwise."),
        skip_bad_option,
    )


class SkipBad:
    """What to do with bad sentences: stop at the first, or report each and count them."""

    def __init__(self, is_wanted: bool) -> None:
        self.is_wanted = is_wanted
        self.count = 0

    def __enter__(self) -> OnError:
        return self._report

    def _report(self, error: DataError) -> None:
        if not self.is_wanted:
            raise error
        self.count += 1
        click.echo(f"permutree: skipped: {error}", err=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.is_wanted and kind is None:
            click.echo(f"permutree: {self.count:,} bad sentence{'' if self.count == 1 else 's'} skipped", err=True)


def progress(trees: Iterable[Tree], what: str) -> Iterator[Tree]:
    """The same trees, with a bar on standard error if that is a terminal."""
    from tqdm import tqdm

    yield from tqdm(trees, desc=what, unit=" trees", disable=None, leave=False, unit_scale=True)
