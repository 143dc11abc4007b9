"""Writing pictures, of which a file holds one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice

import click

from permutree.output import is_collection, open_output, write_collection
from permutree.tree import Tree

__all__ = ["write_pictures"]


def write_pictures(out: str, trees: Iterable[tuple[int, Tree]], draw: Callable[[Tree], str], way_out: str) -> None:
    """One SVG, or one for each tree, in a directory or an archive or in files with its number; trees have numbers."""
    if is_collection(out):
        write_collection(out, ((f"{number}.svg", draw(tree)) for number, tree in trees))
    elif "{}" in out:
        for number, tree in trees:
            _write(out.replace("{}", str(number)), draw(tree))
    else:
        some = list(islice(trees, 2))
        if len(some) > 1:
            raise click.UsageError(
                f"an SVG file holds one tree, and there are several: {way_out}make a page with --to html, or name a "
                "directory (-o trees/) or numbered files (-o 'tree-{}.svg')"
            )
        for _, tree in some:
            _write(out, draw(tree))


def _write(out: str, picture: str) -> None:
    with open_output(out) as stream:
        stream.write(picture)
