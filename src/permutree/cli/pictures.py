"""Writing pictures, of which a file holds one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice

import click

from permutree.formats.sinks import is_collection, write_collection, write_file
from permutree.trees.tree import Tree

__all__ = ["write_pictures"]


def write_pictures(
    out: str, trees: Iterable[tuple[int, Tree]], draw: Callable[[Tree], str | bytes], way_out: str, kind: str
) -> None:
    """One picture, or one for each numbered tree: in a directory, in an archive, or in files with its number."""
    if is_collection(out):
        write_collection(out, ((f"{number}.{kind}", draw(tree)) for number, tree in trees))
    elif "{}" in out:
        for number, tree in trees:
            write_file(out.replace("{}", str(number)), draw(tree))
    else:
        some = list(islice(trees, 2))
        if len(some) > 1:
            raise click.UsageError(
                f"a .{kind} file holds one tree, and there are several: {way_out}make a page with --to html, "
                f"or name a directory (-o trees/) or numbered files (-o 'tree-{{}}.{kind}')"
            )
        for _, tree in some:
            write_file(out, draw(tree))
