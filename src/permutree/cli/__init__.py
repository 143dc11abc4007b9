"""The command line. Each command is a file of its own, loaded when it is called."""

from __future__ import annotations

import contextlib
import io
import logging
import os
import signal
import sys
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

import click

from permutree import __version__
from permutree.sanitising import visible

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["main"]

#: command → what the overview says of it; the command itself is ``command`` in the module of the same name
COMMANDS = {
    "convert": "Convert treebanks between formats, and transform them on the way.",
    "prepare": "Make train, dev and test files from the raw files of a known treebank.",
    "stats": "Count what is in treebanks: sentences, labels, gaps, depth.",
    "draw": "Draw trees in the terminal, as SVG, HTML or LaTeX.",
    "encode": "Write trees as labels, one per word, in any of the encodings.",
    "decode": "Make trees from labels, any labels, and say what was repaired.",
    "labels": "Count the values that labels have, and those that are new in test sets.",
    "evaluate": "Score predicted trees against gold trees, and compare predictions.",
    "index": "Make an index of treebanks, or of parsed text, to search it fast.",
    "search": "Find constructions in treebanks: gaps, what stands in them, extraposition, anything.",
    "diff": "Draw gold and predicted trees side by side where they differ, worst first.",
    "train": "Train a parser or a tagger on treebanks, or go on where training was interrupted.",
    "parse": "Parse text, or the sentences of treebanks, into trees.",
    "corpus": "Parse many documents into Parquet files, on this machine or on a cluster.",
    "serve": "Serve the parser over HTTP, with a page where people see trees.",
    "tag": "Tag text or treebanks with a trained model, or by cross-validation.",
    "export": "Write a trained model as it runs fastest on a CPU, without PyTorch.",
    "bench": "Measure how fast models parse: sentences a second, latency, memory.",
    "info": "Show what a model is: settings, size, labels, training data, scores.",
    "models": "List, install, verify and remove models, and make packages of them.",
    "push": "Put a model on the Hugging Face Hub.",
    "report": "Print what to paste into an issue about a wrong tree.",
    "explain": "Show what labels mean: constituents, tags and functions of treebanks.",
}


#: the entry points by which other packages add commands
COMMANDS_OF_OTHERS = "permutree.commands"

#: command of another package of this project → how to install that
INSTALLED_BY = {"experiment": "`pip install --editable lab` in a checkout of permutree"}


class LazyGroup(click.Group):
    """A group that imports a command only to run it or to show its help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS, *(name for name in _others() if name not in COMMANDS)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in COMMANDS:
            module = import_module(f"permutree.cli.{cmd_name}")
            command: click.Command = module.command
        elif cmd_name in self.commands:
            command = self.commands[cmd_name]
        elif cmd_name in (others := _others()):
            command = others[cmd_name].load()
        else:
            return None
        command.name = cmd_name
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, self._summary(ctx, name)) for name in self.list_commands(ctx)])

    def _summary(self, ctx: click.Context, name: str) -> str:
        if name in COMMANDS:
            return COMMANDS[name]
        try:
            command = self.get_command(ctx, name)
        except ImportError as error:
            return f"(Cannot be loaded: {error}.)"
        return command.get_short_help_str(100) if command else ""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and name not in self.commands and not name.startswith("-"):
            known = self.list_commands(ctx)
            if name in INSTALLED_BY and name not in known:
                ctx.fail(f"the command {name!r} is in a package that is not here: {INSTALLED_BY[name]}.")
            if name not in known:
                from difflib import get_close_matches

                near = get_close_matches(name, [*known, *INSTALLED_BY], 1)
                hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}."
                ctx.fail(f"no command {name!r}: {hint}")
        return super().resolve_command(ctx, args)


def _others() -> dict[str, EntryPoint]:
    """The commands of other packages. They are looked up only where a name is not one of ours, and for the overview."""
    from importlib.metadata import entry_points

    return {found.name: found for found in entry_points(group=COMMANDS_OF_OTHERS)}


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="permutree")
def permutree() -> None:
    """Parse text into discontinuous constituent trees; train parsers, convert treebanks, evaluate, draw.

    Results go to standard output or to the file you name, everything else to standard error. The exit status is 0
    when done, 1 for bad data and 2 for a wrong call. `permutree COMMAND --help` shows examples.
    """


class _Formatter(logging.Formatter):
    """Prints news without a prefix, and warnings with one."""

    def format(self, record: logging.LogRecord) -> str:
        sign = "" if record.levelno < logging.WARNING else f"{record.levelname.lower()}: "
        return f"permutree: {sign}{visible(super().format(record))}"


def _log_to_standard_error() -> None:
    """Print the news of permutree, and the warnings of all libraries."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Formatter())
    logging.basicConfig(handlers=[handler], level=logging.WARNING)
    logging.getLogger("permutree").setLevel(logging.INFO)


def main() -> None:
    """Run the command line. Errors end in a message and exit status 1 or 2, not in a traceback."""
    from permutree.errors import ConfigError, PermutreeError, model_packages

    _fill_standard_streams()
    _log_to_standard_error()
    _end_on_signals()
    try:
        with model_packages():
            status = permutree(prog_name="permutree", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        # The reader of our output has gone, as `head` does; that is not an error, and nothing more can be said to it.
        _drop_output()
        sys.exit(1)
    except (click.Abort, KeyboardInterrupt):
        # As a shell says that a command was interrupted.
        _drop_output()
        sys.exit(128 + signal.SIGINT)
    except click.ClickException as error:
        shown = io.StringIO()
        error.show(shown)
        click.echo("\n".join(line and visible(line) for line in shown.getvalue().splitlines()), err=True)
        sys.exit(error.exit_code)
    except PermutreeError as error:
        _fail(str(error), 2 if isinstance(error, ConfigError) else 1)
    except OSError as error:
        # Files have names; what has none is standard output.
        _fail(f"{error.filename or 'standard output'}: {error.strerror or error}", 1)
    except MemoryError:
        _fail("there is not enough memory; try again with less input at once, or fewer --jobs", 1)
    sys.exit(status or 0)


def _fill_standard_streams() -> None:
    """Keep the numbers of standard streams that are closed, lest a file that is opened later gets one of them.

    What stands for them can be neither read nor written by mistake, and what is said to a closed standard error is
    lost. Signs that standard output has no room for in its charset are written by their numbers.
    """
    for number, mode in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, mode), True)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - open as long as the process
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _end_on_signals() -> None:
    """End on SIGTERM and SIGHUP as an error does, so that temporary files are removed on the way out."""
    ending = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]

    def end(number: int, frame: object) -> NoReturn:
        for other in ending:
            # A second one is not to interrupt the removal.
            signal.signal(other, signal.SIG_IGN)
        _drop_output()
        sys.exit(128 + number)

    for number in ending:
        # `nohup` has asked for SIGHUP to be ignored.
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, end)


def _drop_output() -> None:
    """Write nothing more to standard output: not what is still in its buffer, either."""
    if sys.stdout is not None:
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, status: int) -> NoReturn:
    _drop_output()
    click.echo(f"permutree: error: {visible(message)}", err=True)
    sys.exit(status)
