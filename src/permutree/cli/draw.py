"""``permutree draw``: trees in the terminal, as SVG, PNG, HTML or LaTeX."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import cast

import click

from permutree.cli.pictures import write_pictures
from permutree.cli.reading import SkipBad, reading_options
from permutree.cli.terminal import colour_option, has_colour, room
from permutree.drawing import draw_latex, draw_png, draw_svg, draw_text
from permutree.errors import DataError, OnError
from permutree.formats import read
from permutree.formats.registry import format_named, guess_format
from permutree.formats.sinks import is_collection, open_output
from permutree.formats.sources import Source, strip_compression
from permutree.trees.tree import Tree

SUFFIXES = {".txt": "text", ".svg": "svg", ".png": "png", ".html": "html", ".htm": "html", ".tex": "latex"}

#: a tree after its number, counted from 1 over all inputs
Numbered = tuple[int, Tree]


def _parse_numbers(context: click.Context, option: click.Parameter, value: str | None) -> tuple[range, ...] | None:
    """The ranges of ``3,7-9,20-``."""
    if value is None:
        return None
    ranges = []
    for part in value.replace(" ", "").split(","):
        match = re.fullmatch(r"([1-9][0-9]*)(-([1-9][0-9]*)?)?", part)
        if match is None:
            raise click.BadParameter(f"{value!r}: expected numbers from 1 and ranges, such as 3,7-9 or 20-")
        first = int(match[1])
        last = int(match[3]) if match[3] else sys.maxsize - 1 if match[2] else first
        if last < first:
            raise click.BadParameter(f"{part!r}: the range ends before it starts")
        ranges.append(range(first, last + 1))
    return tuple(ranges)


@click.command(
    epilog="""\b
Examples:
  permutree draw '(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))'
  permutree draw dev.discbracket --disco --limit 5
  permutree draw tiger.xml --id s2391 --functions -o s2391.svg
  permutree draw tiger.export -n 3,7-9 -o trees.html
  permutree draw tiger.export -n 3,7-9 -o 'figure-{}.svg'
  permutree draw tiger.export -n 12 -o paper/tree.tex --fragment
  permutree draw dev.discbracket --colour always | less -SR"""
)
@click.argument("inputs", nargs=-1, required=True, metavar="FILE|TREE...")
@click.option(
    "--to",
    "target",
    type=click.Choice(["text", "ascii", "svg", "png", "html", "latex"]),
    help="What to draw; guessed from the name of OUT (.txt .svg .png .html .tex), or else text.",
)
@click.option("-o", "--output", "out", default="-", metavar="OUT", help="File to write instead of standard output.")
@click.option(
    "-n", "--sentences", callback=_parse_numbers, metavar="LIST", help="Only these, counted from 1: 3,7-9,20-."
)
@click.option("--id", "ids", multiple=True, metavar="ID", help="Only the sentence with this id; may be repeated.")
@click.option("--disco", is_flag=True, help="Only discontinuous trees.")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Only the first N of those.")
@click.option("--functions", is_flag=True, help="Show function labels.")
@click.option(
    "--width",
    type=click.IntRange(0),
    metavar="COLUMNS",
    help="Print text drawings that are wider as an outline; 0 prints all in full. "
    "The width of the terminal if not given, and in full where there is none.",
)
@colour_option
@click.option("--transparent", is_flag=True, help="SVG and PNG without a background.")
@click.option("--fragment", is_flag=True, help="LaTeX without a preamble, to be put into another document.")
@reading_options
def command(
    inputs: tuple[str, ...],
    target: str | None,
    out: str,
    sentences: tuple[range, ...] | None,
    ids: tuple[str, ...],
    disco: bool,
    limit: int | None,
    functions: bool,
    width: int | None,
    colour: str,
    transparent: bool,
    fragment: bool,
    source_format: str | None,
    encoding: str | None,
    skip_bad: bool,
) -> None:
    """Draw trees, with words in sentence order and crossing branches.

    FILE is any treebank (or - for standard input), TREE a tree in brackets. Discontinuous constituents have double
    lines in text, thick coloured ones in the other formats.

    Several trees go into one text, one page of HTML or one LaTeX document with a page for each. SVG and PNG hold one
    tree: name a new directory with a slash at the end (trees/), an archive (trees.zip), or files with {} where the
    number of the tree goes (tree-{}.svg). PNG needs more: pip install 'permutree[png]'.
    """
    target = target or _guess_target(out)
    with SkipBad(skip_bad) as on_error:
        selection = Selection(sentences, ids, disco, limit)
        trees = selection.of(enumerate(_read(inputs, source_format, encoding, on_error), 1))
        if target in ("text", "ascii"):
            is_file = any(not _is_tree(item) for item in inputs)
            texts = _texts(trees, is_file, target == "ascii", room(out, width), has_colour(out, colour), functions)
            _write(out, texts)
        elif target in ("svg", "png"):
            draw = partial(draw_svg if target == "svg" else draw_png, functions=functions, background=not transparent)
            write_pictures(out, trees, draw, "choose one with -n, ", target)
        elif target == "html":
            from permutree.drawing.html import page

            title = ", ".join(Path(item).name for item in inputs if not _is_tree(item) and item != "-") or "Trees"
            _write(out, page(trees, title=title, functions=functions))
        else:
            _write(out, _latex(trees, fragment, functions))


@dataclass
class Selection:
    """Which trees to draw."""

    numbers: tuple[range, ...] | None
    ids: tuple[str, ...]
    disco: bool
    limit: int | None

    def of(self, trees: Iterable[Numbered]) -> Iterator[Numbered]:
        """The chosen ones; a DataError if one that was named, or every one, is missing."""
        missing = set(self.ids)
        last = max((numbers[-1] for numbers in self.numbers), default=0) if self.numbers else sys.maxsize
        read = drawn = 0
        for read, tree in trees:
            if self._is_chosen(read, tree):
                missing.discard(tree.id or "")
                drawn += 1
                yield read, tree
            if read >= last or drawn == self.limit or (self.ids and not missing):
                break
        for numbers in self.numbers or ():
            if drawn != self.limit and numbers[0] > read:
                raise DataError(f"there is no sentence {numbers[0]}: the input has {read}")
        if missing and drawn != self.limit:
            raise DataError(f"no sentence has the id {', '.join(sorted(missing))}")
        if not drawn:
            raise DataError(f"nothing to draw: none of {read} trees is discontinuous" if read else "no trees to draw")

    def _is_chosen(self, number: int, tree: Tree) -> bool:
        if self.numbers is not None and not any(number in numbers for numbers in self.numbers):
            return False
        return (not self.ids or tree.id in self.ids) and (not self.disco or tree.is_discontinuous)


def _is_tree(item: str) -> bool:
    return item.lstrip().startswith("(")


def _read(inputs: tuple[str, ...], name: str | None, encoding: str | None, on_error: OnError) -> Iterator[Tree]:
    for item in inputs:
        if not _is_tree(item):
            yield from read(item, name, encoding, on_error)
            continue
        text = item.strip().encode()
        source = Source("the tree given", io.BufferedReader(cast("io.RawIOBase", io.BytesIO(text))))
        chosen = format_named(name) if name else guess_format("", text) or format_named("discbracket")
        yield from chosen.read(source, on_error)


def _guess_target(out: str) -> str:
    if out == "-":
        return "text"
    if is_collection(out):
        return "svg"
    suffix = Path(strip_compression(out)).suffix.lower()
    if suffix not in SUFFIXES:
        raise click.UsageError(f"{out}: its name does not say what to draw ({', '.join(SUFFIXES)}); say it with --to")
    return SUFFIXES[suffix]


def _texts(
    trees: Iterable[Numbered], is_file: bool, is_ascii: bool, width: int | None, colour: bool, functions: bool
) -> Iterator[str]:
    """Drawings with a blank line between them; those from files have a line with number and id before them."""
    between = ""
    for number, tree in trees:
        heading = f"#{number} {tree.id or ''}".rstrip() + "\n" if is_file else ""
        drawing = draw_text(tree, ascii=is_ascii, width=width, colour=colour, functions=functions)
        yield f"{between}{heading}{drawing}\n"
        between = "\n"


def _latex(trees: Iterable[Numbered], fragment: bool, functions: bool) -> Iterator[str]:
    from permutree.drawing.latex import document

    if not fragment:
        yield from document((tree for _, tree in trees), functions=functions)
        return
    for number, tree in trees:
        yield f"% {number} {tree.id or ''}".rstrip() + "\n" + draw_latex(tree, functions=functions)


def _write(out: str, texts: Iterable[str]) -> None:
    texts = iter(texts)
    first = next(texts)  # what is wrong from the start is said before there is any output
    with open_output(out) as stream:
        stream.write(first)
        for text in texts:
            stream.write(text)
