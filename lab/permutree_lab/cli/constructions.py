"""The command that scores models on the suite of constructions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from permutree_lab.folders import CONSTRUCTIONS

if TYPE_CHECKING:
    from permutree_lab.constructions import Judgement, MarkedSentence

__all__ = ["constructions"]


@click.command(
    epilog="""\b
Examples:
  permutree experiment constructions
  permutree experiment constructions --half dev --lang de --misses
  permutree experiment constructions runs/mine --lang en --json
  permutree experiment constructions --half dev --lang en --tokens > dev.tokens
  permutree experiment constructions --half dev --lang en --predicted dev.discbracket"""
)
@click.argument("models", nargs=-1, metavar="[MODEL]...")
@click.option("--half", type=click.Choice(["dev", "test"]), default="test", show_default=True, help="Which half.")
@click.option("--lang", "language", metavar="CODE", help="Language of the suite.  [default: that of the model]")
@click.option(
    "--predicted",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    multiple=True,
    metavar="FILE",
    help="Trees of the sentences of --lang and --half in their order, instead of those of a model.",
)
@click.option(
    "--suite",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default=CONSTRUCTIONS,
    metavar="FOLDER",
    help="Folder with a folder for each language.  [default: lab/constructions of the checkout]",
)
@click.option("--misses", is_flag=True, help="Print the sentences that are not fully right, with their trees.")
@click.option("--tokens", is_flag=True, help="Print the sentences of --lang and --half, and parse nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def constructions(
    models: tuple[str, ...],
    half: str,
    language: str | None,
    predicted: tuple[Path, ...],
    suite: Path,
    misses: bool,
    tokens: bool,
    as_json: bool,
) -> None:
    """Score models on sentences that were written by hand, by construction.

    MODEL is a bundled model or a folder; the bundled models of all languages if none is named. A sentence marks words
    that must be a constituent. The table has how many of these are found; a sentence is fully right if all are, and
    no constituent is wrong for sure: it crosses marked words. The half `dev` is for development. Nothing is tuned on
    the half `test`, and its sentences are not looked at.
    """
    from permutree_lab.constructions import constructions_table, records, show_miss, tallies

    if misses and as_json:
        raise click.UsageError("--misses prints text: use it without --json.")
    if tokens or predicted:
        if language is None:
            raise click.UsageError("name the language of the sentences with --lang.")
        if models:
            raise click.UsageError("--tokens and --predicted take no models.")
    if tokens:
        for sentence in _sentences(suite, language or "", half):
            click.echo(" ".join(sentence.words))
        return
    if misses and half == "test":
        click.echo("permutree: warning: the half test is not to be looked at in development; use --half dev", err=True)
    columns = {}
    for name, judgements in _judgements(models, predicted, suite, language, half):
        columns[name] = tallies(judgements)
        if misses:
            for one in judgements:
                if not one.is_right:
                    click.echo("\n".join(show_miss(one)) + "\n")
    if as_json:
        click.echo(json.dumps(records(columns, half), indent=2, ensure_ascii=False))
    else:
        click.echo(constructions_table(columns, half).markdown(), nl=False)


def _judgements(
    models: tuple[str, ...], predicted: tuple[Path, ...], suite: Path, language: str | None, half: str
) -> Iterator[tuple[str, list[Judgement]]]:
    """For each model or file of predicted trees its name, and how it does on each sentence."""
    from permutree import Parser, read
    from permutree.errors import ConfigError
    from permutree.models import name_for, names
    from permutree_lab.constructions import judge_all

    if predicted:
        for path in predicted:
            yield str(path), judge_all(_sentences(suite, language or "", half), read(path), str(path))
        return
    bundled = names() if language is None else [name_for(language)]
    for model in models or bundled:
        parser = Parser.load(model)
        spoken = language or parser.language
        if spoken is None:
            raise ConfigError(f"model {model} does not say its language; name it with --lang")
        sentences = _sentences(suite, spoken, half)
        yield model, judge_all(sentences, parser.pipe([one.words for one in sentences]), model)


def _sentences(suite: Path, language: str, half: str) -> list[MarkedSentence]:
    """The sentences of one half of a language of the suite."""
    from permutree.errors import ConfigError
    from permutree_lab.constructions import read_constructions

    path = suite / language / f"{half}.txt"
    if not path.is_file():
        there_are = ", ".join(sorted(one.parent.name for one in suite.glob(f"*/{half}.txt"))) or "none"
        raise ConfigError(f"the suite {suite} has no language {language!r}; there are {there_are}")
    return read_constructions(path)
