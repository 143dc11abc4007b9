"""The command that makes text that teaches."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from permutree_lab.folders import LAB

if TYPE_CHECKING:
    from permutree.trees.tree import Tree

__all__ = ["teach"]


@click.command(
    epilog="""\b
Examples:
  permutree experiment teach en --count 10000 -o grammar.discbracket
  permutree experiment teach en train.discbracket -o rewritten.discbracket --avoid dev.discbracket
  permutree experiment teach en train.discbracket --kinds fronted-quotation --count 10 | permutree draw -"""
)
@click.argument("language")
@click.argument("trees", nargs=-1, type=click.Path(path_type=Path, exists=True))
@click.option("-o", "--output", default="-", metavar="FILE", help="File for the trees.  [default: standard output]")
@click.option("--seed", type=int, default=1, show_default=True, help="Another seed makes other sentences.")
@click.option(
    "--count",
    type=click.IntRange(1),
    help="How many trees to write, spread over the kinds.  [default: 1000 of the grammar; all that are rewritten]",
)
@click.option("--kinds", metavar="LIST", help="Only these kinds, separated by commas.  [default: all]")
@click.option(
    "--avoid",
    multiple=True,
    type=click.Path(path_type=Path, exists=True),
    metavar="FILE",
    help="Write no sentence of this treebank or suite (.txt), either. May be given several times.",
)
@click.option(
    "--attested",
    multiple=True,
    type=click.Path(path_type=Path, exists=True),
    metavar="FILE",
    help="Report which rules (labels with their children) this treebank does not have. May be given several times.",
)
def teach(
    language: str,
    trees: tuple[Path, ...],
    output: str,
    seed: int,
    count: int | None,
    kinds: str | None,
    avoid: tuple[Path, ...],
    attested: tuple[Path, ...],
) -> None:
    """Make trees of constructions that are rare in treebanks.

    With TREES, rewrite them: a statement becomes a question, a clause after "said" a fronted quotation. Without, write
    sentences by the grammar of the LANGUAGE. The same seed makes the same trees. No sentence is written twice, and none
    that is in the suite of constructions. How many there are of each kind is printed to standard error.
    """
    from permutree.formats import read, write
    from permutree_lab.teaching.making import generate, read_texts, rewrite, spread
    from permutree_lab.teaching.registry import find_language

    found = find_language(language)
    chosen = [kind.strip() for kind in kinds.split(",")] if kinds else []
    suite = sorted((LAB / "constructions" / language).glob("*.txt"))
    texts = read_texts([*suite, *avoid])
    if trees:
        made = list(rewrite(found, read(trees), seed, chosen, texts))
        if count is not None:
            made = spread(made, count, seed)
    else:
        made = list(generate(found, count or 1000, seed, chosen, texts))
    write((tree for _, tree in made), output, format="discbracket")
    for kind, number in Counter(kind for kind, _ in made).items():
        click.echo(f"{number:6}  {kind}", err=True)
    click.echo(f"{len(made):6}  trees", err=True)
    if attested:
        _report([tree for _, tree in made], attested)


def _report(trees: list[Tree], treebanks: tuple[Path, ...]) -> None:
    """Print to standard error how far the trees follow the scheme of treebanks."""
    from permutree.formats import read
    from permutree_lab.teaching.attested import compare

    found = compare(trees, read(treebanks))
    click.echo(f"{found.share:6.2%} of {found.rules:,} rules are in the treebanks", err=True)
    for (label, child), number in found.new_edges.most_common():
        said = f"{label[:-1]} over nothing but {child}" if label.endswith("+") else f"{child} below {label}"
        click.echo(f"{number:6}  {said} is not there", err=True)
    for (label, children), number in found.new_rules.most_common(20):
        click.echo(f"{number:6}  {label} → {' '.join(children)}", err=True)
