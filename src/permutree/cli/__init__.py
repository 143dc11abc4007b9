"""The command line. Each command is a file of its own, loaded when it is called."""

from __future__ import annotations

import logging
import os
import sys
from importlib import import_module

import click

from permutree import __version__

__all__ = ["main"]

#: command → what the overview says of it; the command itself is ``command`` in the module of the same name
COMMANDS = {
    "convert": "Convert treebanks between formats, and transform them on the way.",
    "prepare": "Make train, dev and test files from the raw files of a known treebank.",
    "stats": "Count what is in treebanks: sentences, labels, gaps, depth.",
    "draw": "Draw trees in the terminal, as SVG, HTML or LaTeX.",
    "encode": "Write trees as labels, one per word, in any of seven encodings.",
    "decode": "Make trees from labels, any labels, and say what was repaired.",
    "labels": "Count the values that labels have, and those that are new in test sets.",
    "evaluate": "Score predicted trees against gold trees, and compare predictions.",
    "diff": "Draw gold and predicted trees side by side where they differ, worst first.",
    "train": "Train a parser or a tagger on treebanks, or go on where training was interrupted.",
    "parse": "Parse text, or the sentences of treebanks, into trees.",
    "tag": "Tag text or treebanks with a trained model, or by cross-validation.",
    "export": "Write a trained model as it runs fastest on a CPU, without PyTorch.",
    "bench": "Measure how fast models parse: sentences a second, latency, memory.",
    "info": "Show what a model is: settings, size, labels, training data, scores.",
    "explain": "Show what labels mean: constituents, tags and functions of treebanks.",
    "experiment": "Run grids of trainings, and make tables and plots of their results.",
}


#: packages that only the commands with models need
NEEDED_FOR_MODELS = ("accelerate", "onnx", "onnxscript", "safetensors", "tokenizers", "torch", "transformers")


class LazyGroup(click.Group):
    """A group that imports a command only to run it or to show its help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"permutree.cli.{cmd_name}")
        command: click.Command = module.command
        command.name = cmd_name
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(name, COMMANDS, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(COMMANDS)}."
            ctx.fail(f"no command {name!r}: {hint}")
        return super().resolve_command(ctx, args)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="permutree")
def permutree() -> None:
    """Discontinuous constituent trees: treebanks, parsers that learn from them, evaluation.

    Results go to standard output or to the file you name, everything else to standard error. The exit status is 0
    when done, 1 for bad data and 2 for a wrong call. `permutree COMMAND --help` shows examples.
    """


class _News(logging.Formatter):
    """Warnings are called so, ordinary news is not."""

    def format(self, record: logging.LogRecord) -> str:
        kind = f"{record.levelname.lower()}: " if record.levelno > logging.INFO else ""
        return f"permutree: {kind}{record.getMessage()}"


def main() -> None:
    """Run the command line; bad data ends in a message and exit status 1, not in a traceback."""
    from permutree.errors import ConfigError, DataError, TreeError

    handler = logging.StreamHandler()
    handler.setFormatter(_News())
    logging.basicConfig(handlers=[handler], level=logging.WARNING)
    try:
        permutree(prog_name="permutree")
    except BrokenPipeError:
        # The reader of our output has gone, as `head` does; that is not an error, and nothing more can be said to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except ConfigError as error:
        click.echo(f"permutree: error: {error}", err=True)
        sys.exit(2)
    except ModuleNotFoundError as error:
        if error.name not in NEEDED_FOR_MODELS:
            raise
        way_out = "pip install 'permutree[train]'"
        click.echo(f"permutree: error: models need the package {error.name}, which is not here: {way_out}", err=True)
        sys.exit(1)
    except (DataError, TreeError, OSError) as error:
        said = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename else str(error)
        click.echo(f"permutree: error: {said}", err=True)
        sys.exit(1)
