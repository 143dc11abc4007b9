"""Writes the pages of the documentation that say what the code says: all commands, and the glossary of labels.

$ python lab/reference_pages.py            # `make docs` does this first
$ python lab/reference_pages.py --check    # exits with 1 if a page is not current
"""

from __future__ import annotations

import argparse
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from permutree.cli import COMMANDS
from permutree.cli import permutree as program
from permutree.languages import all_languages

REFERENCE = Path(__file__).resolve().parents[1] / "docs" / "reference"
#: kinds of labels → the heading of their table
TITLES = {"constituent": "Constituents", "tag": "Tags", "function": "Functions", "feature": "Features"}
#: more values of an option than this stand behind its help, not in the column of names
FEW = 4

_CODE = re.compile(r"`([^`]*)`")


def escape(text: str) -> str:
    r"""A text as it stands in a cell of a table, or in a paragraph; what is in backticks stays.

    >>> escape("a|b <c> `d|e`")
    'a\\|b &lt;c&gt; `d\\|e`'
    """
    pieces = re.split(r"(`[^`]*`)", text.replace("|", "\\|"))
    plain = [piece if piece.startswith("`") else re.sub(r"([*_\[\]])", r"\\\1", piece) for piece in pieces]
    return "".join(
        piece if piece.startswith("`") else piece.replace("<", "&lt;").replace(">", "&gt;") for piece in plain
    )


def commands() -> Iterator[str]:
    """The lines of the page of commands."""
    yield "# Commands"
    yield ""
    yield "<!-- written by lab/reference_pages.py -->"
    yield ""
    yield "Results go to standard output or to the file you name, everything else to standard error. `-` is"
    yield "standard input. The exit status is 0 when done, 1 for bad data and 2 for a wrong call. Output files appear"
    yield "whole or not at all. `permutree COMMAND --help` says what this page says."
    yield ""
    yield "| command | |"
    yield "|---|---|"
    for name, said in COMMANDS.items():
        yield f"| [`{name}`](#{name}) | {escape(said)} |"
    parent = click.Context(program, info_name="permutree")
    for name in COMMANDS:
        command = program.get_command(parent, name)
        assert command is not None
        yield ""
        yield f"## {name}"
        yield ""
        context = click.Context(command, info_name=name, parent=parent)
        yield from describe(command, context)
        if isinstance(command, click.Group):
            for below in command.list_commands(context):
                found = command.get_command(context, below)
                assert found is not None
                yield ""
                yield f"### {name} {below}"
                yield ""
                yield from describe(found, click.Context(found, info_name=below, parent=context))


def describe(command: click.Command, context: click.Context) -> Iterator[str]:
    """What there is to say about a command: how it is called, what it does, options, examples."""
    pieces = " ".join(command.collect_usage_pieces(context))
    yield "```text"
    yield f"{context.command_path} {pieces}"
    yield "```"
    for paragraph in inspect.cleandoc(command.help or "").split("\n\n"):
        yield ""
        yield from plain_or_block(paragraph, "text")
    options = [param for param in command.get_params(context) if isinstance(param, click.Option)]
    records = [(param, param.get_help_record(context)) for param in options if "--help" not in param.opts]
    rows = [(param, record) for param, record in records if record is not None]
    if rows:
        yield ""
        yield "| option | |"
        yield "|---|---|"
        for param, (names, said) in rows:
            yield option_row(param, names, said)
    for paragraph in inspect.cleandoc(command.epilog or "").split("\n\n"):
        if paragraph.strip():
            yield ""
            yield from plain_or_block(paragraph, "sh")


def option_row(param: click.Parameter, names: str, said: str) -> str:
    """A row of the table of options."""
    found = re.search(r" \[([^\]]+)\]", names)
    if isinstance(param.type, click.Choice) and found and found[1].count("|") >= FEW:
        names = names.replace(found[0], " NAME")
        said = f"{said} One of {', '.join(f'`{value}`' for value in found[1].split('|'))}."
    names = re.sub(r" (INTEGER|FLOAT)( RANGE)?\b", " N", names)
    cells = ", ".join(f"`{name}`" for name in names.replace("|", "\\|").split(", "))
    return f"| {cells} | {escape(' '.join(said.split()))} |"


def plain_or_block(paragraph: str, language: str) -> Iterator[str]:
    r"""A paragraph; one that begins with the mark \b keeps its lines."""
    lines = paragraph.splitlines()
    if lines[0].strip() != "\b":
        yield escape(" ".join(paragraph.split()))
        return
    lines = lines[1:]
    indented = [number for number, line in enumerate(lines) if line.startswith("  ")]
    if not indented:
        yield escape(" ".join(lines))
        return
    yield escape(" ".join(lines[: indented[0]]))
    yield ""
    examples = lines[0].startswith("Example")
    yield f"```{language if examples else 'text'}"
    yield from (line.removeprefix("  ") for line in lines[indented[0] :])
    yield "```"


def labels() -> Iterator[str]:
    """The lines of the page of labels."""
    yield "# Labels"
    yield ""
    yield "<!-- written by lab/reference_pages.py -->"
    yield ""
    yield "What the labels of the bundled models and of their treebanks mean. `permutree explain VP` says the same in"
    yield "the terminal. Functions and features follow a label after a hyphen: `NP-SBJ`."
    for language in all_languages().values():
        yield ""
        yield f"## {language.name}"
        entries = list(language.entries())
        for kind, title in TITLES.items():
            rows = [entry for entry in entries if entry.kind == kind]
            if rows:
                yield ""
                yield f"### {title} of {language.name} treebanks"
                yield ""
                yield "| label | meaning |"
                yield "|---|---|"
                for row in rows:
                    yield f"| {code(row.label)} | {escape(row.text)} |"


def code(label: str) -> str:
    """A label as code, backticks and bars included."""
    label = label.replace("|", "\\|")
    return f"`` {label} ``" if "`" in label else f"`{label}`"


PAGES = {"commands.md": commands, "labels.md": labels}


def main() -> None:
    """Write the pages, or compare them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a page is not current")
    check = parser.parse_args().check
    old = [name for name, lines in PAGES.items() if update(REFERENCE / name, lines, write=not check)]
    if check and old:
        sys.exit(f"not current: {', '.join(old)}; `python lab/reference_pages.py` writes them")


def update(path: Path, lines: object, *, write: bool) -> bool:
    """Whether a page is not current; if so, it may be written."""
    assert callable(lines)
    text = "".join(f"{line}\n" for line in lines())
    if path.exists() and path.read_text("utf-8") == text:
        return False
    if write:
        path.write_text(text, "utf-8")
    return True


if __name__ == "__main__":
    main()
