"""Options that commands share: what is read, what is written, how trees are drawn and where models run."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import click

from permutree.cli.terminal import colour_option, has_colour, room, say
from permutree.errors import ConfigError, DataError
from permutree.formats.discbracket import FORMAT as DISCBRACKET
from permutree.formats.format import Format
from permutree.formats.registry import READABLE, WRITABLE, find_target, guess_target
from permutree.formats.sources import check_charset
from permutree.formats.targets import check_output, is_device, is_directory
from permutree.formats.text import DRAWING
from permutree.parsing.inputs import TEXT_FORMATS
from permutree.treebanks.transforms import SCHEMES

__all__ = [
    "Command",
    "SkipBad",
    "add_options",
    "charset_option",
    "device_option",
    "drawing_options",
    "from_option",
    "output_option",
    "output_options",
    "reading_options",
    "scheme_option",
    "sentence_options",
    "skip_bad_option",
    "target_of",
    "title_of",
    "to_option",
    "writer_options",
]

Command = TypeVar("Command", bound=Callable[..., Any])
Item = TypeVar("Item")


def add_options(command: Command, *options: Callable[[Any], Any]) -> Command:
    """Add options to a command; its help shows them in this order."""
    for option in reversed(options):
        command = option(command)
    return command


class _WithOldNames(click.Option):
    """An option whose help shows its first name only; the others are old ones, which still work."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        names, self.opts = self.opts, self.opts[:1]
        try:
            return super().get_help_record(ctx)
        finally:
            self.opts = names


def charset_option(
    name: str = "--charset", *, old: str = "--encoding", what: str = "the input"
) -> Callable[[Command], Command]:
    """The option that names a character encoding."""

    def check(context: click.Context, option: click.Parameter, value: str) -> str:
        try:
            return check_charset(value)
        except ConfigError as error:
            raise click.BadParameter(str(error)) from None

    return click.option(
        name,
        old,
        name.removeprefix("--").replace("-", "_"),
        cls=_WithOldNames,
        default="utf-8",
        show_default=True,
        metavar="NAME",
        callback=check,
        help=f"Character encoding of {what}.",
    )


def from_option(
    name: str = "source_format",
    option: str = "--from",
    *,
    text_formats: Collection[str] = (),
    help: str = "Format of the input; guessed from name and content if not given.",  # noqa: A002 - click's word
) -> Callable[[Command], Command]:
    """The option that names the format of a treebank to read, or of text if there are formats of text."""
    return click.option(option, name, type=click.Choice([*text_formats, *READABLE]), help=help)


skip_bad_option = click.option(
    "--skip-bad",
    is_flag=True,
    help="Report bad sentences and go on, with a count at the end; otherwise stop at the first.",
)


def reading_options(command: Command) -> Command:
    """Add ``--from``, ``--charset`` and ``--skip-bad``."""
    return add_options(command, from_option(), charset_option(), skip_bad_option)


def sentence_options(command: Command) -> Command:
    """Add ``--from``, with the formats of text, ``--charset`` and ``--skip-bad``."""
    explained = (
        "Format of the input: text is raw text; lines is raw text, a sentence a line; tokens is a sentence a line, "
        "blanks between words; tagged is a word, a tab and its tag a line, an empty line after a sentence; others are "
        "treebanks, which need not be named; what is no treebank is raw text."
    )
    return add_options(
        command, from_option(text_formats=TEXT_FORMATS, help=explained), charset_option(), skip_bad_option
    )


class SkipBad:
    """What to do with bad sentences: stop at the first, or report each and count them.

    Called with an error. What is read goes through :meth:`count`, so that the end can be said: how many sentences of
    how many were skipped, and how many parts of files, of unknown content, were not read.
    """

    def __init__(self, is_wanted: bool) -> None:
        self.is_wanted = is_wanted
        self.skipped = 0
        self.parts = 0
        self.read = 0

    def __enter__(self) -> SkipBad:
        return self

    def __call__(self, error: DataError) -> None:
        """Report an error, or raise it."""
        if not self.is_wanted:
            raise error
        if error.skipped is None:
            self.parts += 1
        else:
            self.skipped += error.skipped
        said = "not read" if error.skipped is None else "skipped" if error.skipped else "mistake"
        say(f"{said}: {error}")

    def count(self, items: Iterable[Item]) -> Iterator[Item]:
        """Pass sentences on, and count them."""
        for item in items:
            self.read += 1
            yield item

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.is_wanted and kind is None:
            total = self.read + self.skipped
            said = f"{self.skipped:,} of {total:,} sentence{'' if total == 1 else 's'} skipped"
            if self.parts:
                said += f"; {self.parts:,} part{'' if self.parts == 1 else 's'} of files not read (see above)"
            say(said)


class _FormatChoice(click.Choice[str]):
    """The name of a format to write, or another name that it has; the command gets the format itself."""

    def __init__(self, formats: Iterable[Format]) -> None:
        self.formats = {entry.name: entry for entry in formats}
        super().__init__(list(self.formats))

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, Format):
            return value
        aliases = {alias: name for name, entry in self.formats.items() for alias in entry.aliases}
        return self.formats[super().convert(aliases.get(value, value), param, ctx)]


def to_option(
    help: str,  # noqa: A002 - click's word
    formats: Iterable[Format] = WRITABLE.values(),
) -> Callable[[Command], Command]:
    """The option that names the format to write, drawings among them; the command gets it as ``target_format``."""
    return click.option("--to", "target_format", type=_FormatChoice(formats), help=help)


def output_option(metavar: str = "OUT") -> Callable[[Command], Command]:
    """The option that names the file to write."""
    return click.option(
        "-o", "--output", default="-", metavar=metavar, help="File to write; standard output if not given."
    )


def output_options(otherwise: str, metavar: str = "OUT") -> Callable[[Command], Command]:
    """Add ``-o`` and ``--to``; ``otherwise`` says what is written where there is no name to guess a format from."""

    def add(command: Command) -> Command:
        return add_options(
            command,
            output_option(metavar),
            to_option(f"Format of the trees; guessed from the name of {metavar}, on standard output {otherwise}."),
        )

    return add


def target_of(output: str, target: Format | None, *, draws: bool = False) -> Format:
    """The format to write: what was asked for or what OUT's name says; on standard output discbracket or drawings."""
    found = DRAWING if draws else DISCBRACKET
    if target is not None or not (output == "-" or (is_device(output) and guess_target(output) is None)):
        found = find_target(output, target)
    if not is_directory(output) or found.files is not None:
        # A file that cannot be written is an error before there is any work.
        check_output(output)
    return found


def drawing_options(command: Command) -> Command:
    """Add the options of drawings: ``--width``, ``--colour``, ``--transparent`` and ``--fragment``."""
    return add_options(
        command,
        click.option(
            "--width",
            type=click.IntRange(0),
            metavar="COLUMNS",
            help="Print text drawings that are wider as an outline; 0 prints all in full. "
            "The width of the terminal if not given, and in full where there is none.",
        ),
        colour_option,
        click.option("--transparent", is_flag=True, help="SVG and PNG without a background."),
        click.option("--fragment", is_flag=True, help="LaTeX without a preamble, to be put into another document."),
    )


def writer_options(
    target: Format,
    output: str,
    inputs: Iterable[object] = (),
    *,
    width: int | None = None,
    colour: str = "auto",
    **asked: Any,
) -> dict[str, Any]:
    """The options for the writer of a format: what the terminal has room for, a title, and what was asked for."""
    known = {"width": room(output, width), "colour": has_colour(output, colour), "title": title_of(inputs)}
    options = {name: value for name, value in known.items() if name in target.write_options}
    return options | {name: value for name, value in asked.items() if value}


def title_of(inputs: Iterable[object]) -> str:
    """The names of the files among the inputs, for the title of a page."""
    names = [Path(item).name for item in inputs if isinstance(item, str) and item != "-"]
    return ", ".join(names) or "Trees"


scheme_option = click.option(
    "--scheme",
    type=click.Choice(list(SCHEMES)),
    help="Bring German trees in the scheme of squoia_de, the bundled model's, into TIGER's: no constituents of one "
    "word, no noun phrases inside prepositional ones.",
)

device_option = click.option(
    "--device",
    type=click.Choice(["cpu", "cuda"]),
    help="Where the model runs; if not given, exported models run on the CPU, others on a GPU if there is one.",
)
