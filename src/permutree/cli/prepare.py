"""``permutree prepare``: the splits of known treebanks."""

from __future__ import annotations

import click

from permutree.cli.options import SkipBad, skip_bad_option
from permutree.cli.terminal import say, show, show_json
from permutree.formats.registry import READABLE
from permutree.formats.targets import check_folder
from permutree.treebanks.recipes import RECIPES, prepare, recipe_named

_LIST = "\n".join(f"  {recipe.name:<10} {recipe.title}; from {recipe.raw}" for recipe in RECIPES.values())


@click.command(
    epilog=f"""\b
Treebanks:
{_LIST}

\b
Examples:
  permutree prepare alpino raw.tar.xz alpino/
  permutree prepare alpino raw.tar.xz alpino/ --to jsonl
  permutree prepare tiger tiger_release_aug07.corrected.16012013.xml tiger/
  permutree prepare dptb treebank_3/parsed/mrg/wsj/ dptb/"""
)
@click.argument("name")
@click.argument("raw", type=click.Path(exists=True))
@click.argument("out", metavar="OUTDIR", type=click.Path(file_okay=False))
@click.option(
    "--to",
    "target_format",
    type=click.Choice(list(READABLE)),
    default="discbracket",
    show_default=True,
    help="Format of the files; jsonl, export and tigerxml keep functions, lemmas and morphology, too.",
)
@click.option("--ids", is_flag=True, help="Write the sentence ids, one a line, beside each file.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON.")
@skip_bad_option
def command(name: str, raw: str, out: str, target_format: str, ids: bool, as_json: bool, skip_bad: bool) -> None:
    """Make train, dev and test files of the treebank NAME from its RAW files.

    Writes train.discbracket, dev.discbracket and test.discbracket (and extra-train.discbracket where there is one), or
    the same in another format, into OUTDIR. The numbers of trees are checked against the published ones, and a
    difference is said.
    """
    try:
        recipe_named(name)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="NAME") from None
    check_folder(out)
    with SkipBad(skip_bad) as on_error:
        counts = prepare(name, raw, out, on_error, ids=ids, format=target_format)
        on_error.read = sum(count.trees for count in counts)
    if as_json:
        fields = ("split", "path", "trees", "expected", "discontinuous")
        rows = [{field: getattr(count, field) for field in fields} | {"path": str(count.path)} for count in counts]
        show_json(rows)
    else:
        for count in counts:
            share = count.discontinuous / count.trees if count.trees else 0
            show(f"{count.path}: {count.trees:,} trees, {share:.1%} discontinuous")
    for count in counts:
        if count.trees != count.expected:
            say(
                f"warning: {count.split} has {count.trees:,} trees where {count.expected:,} were expected; "
                "is this the same release of the treebank?"
            )
