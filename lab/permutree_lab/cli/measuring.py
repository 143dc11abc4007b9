"""Commands that measure models which were trained: claims, examples of errors, speed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from permutree.errors import ConfigError
from permutree_lab.cli.options import only_option, opens

if TYPE_CHECKING:
    from permutree_lab.cell import Places
    from permutree_lab.grid import Experiment
    from permutree_lab.results import Results

__all__ = ["claims", "examples", "measure_speeds", "speed", "update_claims"]


@click.command(
    epilog="""\b
Examples:
  permutree experiment claims encodings --treebanks treebanks/"""
)
@opens
def claims(experiment: Experiment, found: Results, places: Places) -> None:
    """Test what is said about the experiment NAME in words, on the trees that its models predicted.

    A paired test by approximate randomisation over sentences, with the predictions of all seeds for a sentence summed
    and exchanged together. What comes of it is kept in the folder `claims` of the results, for tables.
    """
    from permutree_lab.claims import check_claims, claims_table
    from permutree_lab.grid import TableSpec

    if not experiment.claims:
        raise ConfigError(f"experiment {experiment.name} makes no claims: it has no [[claims]]")
    check_claims(experiment, found, places)
    click.echo(claims_table(experiment, TableSpec("claims", "Claims", "claims"), found).markdown(), nl=False)


@click.command(
    epilog="""\b
Examples:
  permutree experiment examples encodings --only treebank=alpino --only encoder=BiLSTM --only encoding=pointer"""
)
@only_option
@click.option("--split", type=click.Choice(["dev", "test"]), default="dev", show_default=True, help="Which set.")
@opens
def examples(experiment: Experiment, found: Results, places: Places, only: tuple[str, ...], split: str) -> None:
    """Draw discontinuous constituents that models of the experiment NAME miss, as Markdown.

    For each way in which one can be missed, there is the shortest sentence where all models chosen do so: the gold
    tree, with the constituent marked, above what the first of them predicted.
    """
    from permutree_lab.examples import find_examples
    from permutree_lab.treebanks import read_parts

    cells = [cell for cell in experiment.select(only) if found.of(cell) is not None]
    if not cells:
        raise ConfigError(f"no cell has a result; run it first: permutree experiment run {experiment.name}")
    names = sorted({cell.treebank.name for cell in cells})
    if len(names) > 1:
        raise ConfigError(f"examples are of one treebank, not of {', '.join(names)}: --only treebank=NAME")
    gold = read_parts(places.treebanks, cells[0].treebank.parts(split))
    predicted = [places.predicted(found.key(cell), split) for cell in cells]
    click.echo("\n".join(example.markdown() for example in find_examples(gold, predicted)), nl=False)


@click.command(
    epilog="""\b
Examples:
  permutree experiment speed tags --treebanks treebanks/ --on cpu
  permutree experiment speed tags --treebanks treebanks/ --on gpu --only treebank=alpino
  permutree experiment speed tags --treebanks treebanks/ --on gpu --untrained"""
)
@click.option("--on", type=click.Choice(["cpu", "gpu"]), required=True, help="One core of the CPU, or the GPU.")
@only_option
@click.option(
    "--untrained",
    is_flag=True,
    help="Models with random weights, which take as long: the labels of the gold trees are decoded in place of theirs.",
)
@opens
def speed(
    experiment: Experiment, found: Results, places: Places, on: str, only: tuple[str, ...], untrained: bool
) -> None:
    """Measure how many sentences a second the models of the experiment NAME parse, with nothing else running.

    One model for each place of the grid is measured, that of the first seed, if it has a result and its weights are
    there, or untrained, and was not measured before. Several such commands with the same working folder may run at
    once, say one for each treebank: while one measures, others prepare their models.
    """
    if experiment.task != "train":
        raise ConfigError(f"experiment {experiment.name} trains no models")
    measure_speeds(experiment, only, found, places, on, untrained=untrained)


def measure_speeds(
    experiment: Experiment, only: Sequence[str], found: Results, places: Places, on: str, *, untrained: bool
) -> None:
    """Measure the models of the first seed that were not measured before."""
    experiment.check_runnable()
    from permutree_lab.results import append_row
    from permutree_lab.speed import measure_speed

    first_seed = next(iter(experiment.axes["seed"]))
    for chosen in experiment.select([*only, f"seed={first_seed}"]):
        if (chosen.key, on) in found.measured or (found.of(chosen) is None and not untrained):
            continue
        if not untrained and not (places.cell(chosen.key) / "model" / "model.safetensors").exists():
            click.echo(
                f"permutree: warning: {chosen}: its model is not here (--untrained does without), left out", err=True
            )
            continue
        measured = measure_speed(chosen, places, on, untrained=untrained)
        append_row(found.folder / "speeds" / f"{experiment.name}.jsonl", measured)
        click.echo(f"{chosen}: {measured['sentences/s']:,.0f} sentences/s")


def update_claims(experiment: Experiment, found: Results, places: Places) -> None:
    """Test claims; those that were tested where the cells were run stay, if the predicted trees are not here."""
    from permutree.errors import DataError
    from permutree_lab.claims import check_claims, claims_file

    try:
        check_claims(experiment, found, places)
    except DataError as error:
        if not claims_file(experiment, found).is_file():
            raise
        click.echo(f"permutree: warning: {error}; claims of {experiment.name} stay as they were tested", err=True)
