"""``permutree draw``: some trees, or all, in the terminal, as SVG, PNG, HTML or LaTeX."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import tee

import click

from permutree.cli.options import (
    SkipBad,
    drawing_options,
    output_options,
    reading_options,
    target_of,
    writer_options,
)
from permutree.errors import DataError, OnError
from permutree.formats import read, write
from permutree.formats.discbracket import FORMAT as DISCBRACKET
from permutree.formats.format import Format
from permutree.formats.registry import format_named, guess_format
from permutree.formats.sources import Source
from permutree.languages import all_languages
from permutree.trees.tree import Tree

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
@output_options("drawings")
@click.option(
    "-n", "--sentences", callback=_parse_numbers, metavar="LIST", help="Only these, counted from 1: 3,7-9,20-."
)
@click.option("--id", "ids", multiple=True, metavar="ID", help="Only the sentence with this id; may be repeated.")
@click.option("--disco", is_flag=True, help="Only discontinuous trees.")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Only the first N of those.")
@click.option("--functions", is_flag=True, help="Show function labels.")
@click.option(
    "--lang",
    "language",
    type=click.Choice(list(all_languages())),
    help="SVG and HTML: labels of this language's treebanks say what they mean where the pointer rests on them.",
)
@drawing_options
@reading_options
def command(
    inputs: tuple[str, ...],
    output: str,
    target_format: Format | None,
    sentences: tuple[range, ...] | None,
    ids: tuple[str, ...],
    disco: bool,
    limit: int | None,
    functions: bool,
    language: str | None,
    width: int | None,
    colour: str,
    transparent: bool,
    fragment: bool,
    source_format: str | None,
    charset: str,
    skip_bad: bool,
) -> None:
    """Draw trees, with words in sentence order and crossing branches.

    FILE is any treebank (or - for standard input), TREE a tree in brackets. Discontinuous constituents have double
    lines in text, thick coloured ones in the other formats.

    Several trees go into one text, one page of HTML or one LaTeX document with a page for each. SVG and PNG hold one
    tree: name a new directory with a slash at the end (trees/), an archive (trees.zip), or files with {} where the
    number of the tree goes (tree-{}.svg). PNG needs more: pip install 'permutree[png]'. The trees that were chosen can
    be written in the formats of treebanks, too.
    """
    target = target_of(output, target_format, draws=True)
    files = [item for item in inputs if not _is_tree(item)]
    options = writer_options(
        target,
        output,
        files,
        width=width,
        colour=colour,
        functions=functions,
        transparent=transparent,
        fragment=fragment,
        language=language,
    )
    with SkipBad(skip_bad) as on_error:
        selection = Selection(sentences, ids, disco, limit)
        chosen = selection.of(enumerate(on_error.count(_read(inputs, source_format, charset, on_error)), 1))
        if files and "numbers" in target.write_options:
            chosen, again = tee(chosen)
            options["numbers"] = (number for number, _ in again)
        write((tree for _, tree in chosen), output, target, **options)


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


def _read(inputs: tuple[str, ...], name: str | None, charset: str, on_error: OnError) -> Iterator[Tree]:
    for item in inputs:
        if not _is_tree(item):
            yield from read(item, name, charset, on_error)
            continue
        text = item.strip()
        chosen = format_named(name) if name else guess_format("", text.encode()) or DISCBRACKET
        yield from chosen.reader(Source.of_text(text, "the tree given"), on_error)
