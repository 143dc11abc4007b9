"""Commands that run the cells of grids."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from permutree.errors import ConfigError
from permutree_lab.cli.measuring import measure_speeds, update_claims
from permutree_lab.cli.options import (
    find_folder,
    find_places,
    folder_option,
    name_argument,
    only_option,
    open_experiment,
    pages_argument,
    place_options,
    process_options,
    results_option,
    test_half_option,
)
from permutree_lab.folders import home_of

if TYPE_CHECKING:
    from permutree_lab.cell import Places
    from permutree_lab.grid import Cell, Experiment, PlotSpec, TableSpec
    from permutree_lab.results import Results
    from permutree_lab.runner import Outcome

__all__ = ["cell", "make", "run"]


@click.command(
    epilog="""\b
Examples:
  permutree experiment run encodings --treebanks treebanks/ --processes 10
  permutree experiment run encodings tags sizes --treebanks treebanks/ --processes 10
  permutree experiment run tags --treebanks treebanks/ --only treebank=alpino,masc tags=own --dry-run
  permutree experiment run encodings tags --treebanks treebanks/ --dry-run | grep "to do" | sort -rnk 4 > longest-first
  permutree experiment run encodings tags --treebanks treebanks/ --keys longest-first --processes 12 --minutes 9
  permutree experiment run encodings --treebanks treebanks/ --devices 0,1,2,3 --processes 16
  permutree experiment run encodings --treebanks treebanks/ --shard $SLURM_ARRAY_TASK_ID/8
  permutree experiment run negra --corpus negra-corpus.export"""
)
@click.argument("names", nargs=-1, required=True, metavar="NAME... [AXIS=VALUE...]")
@folder_option
@results_option
@place_options
@click.option(
    "--corpus",
    type=click.Path(path_type=Path, exists=True),
    metavar="PATH",
    help="The raw corpus of an experiment on one treebank, to be prepared first.",
)
@only_option
@process_options
@click.option(
    "--minutes", type=click.FloatRange(0, min_open=True), help="Stop after so many minutes; the same command goes on."
)
@click.option(
    "--keys",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="Only the cells whose keys the lines of this file begin with, in this order: lines of --dry-run.",
)
@click.option("--shard", "share", metavar="I/N", help="Only every Nth cell, from the Ith on, as one of N machines.")
@test_half_option
@click.option("--dry-run", is_flag=True, help="Print the cells and what is known of them; run nothing.")
def run(
    names: tuple[str, ...],
    folder: Path | None,
    results: Path | None,
    treebanks: Path | None,
    encoders: Path | None,
    work: Path | None,
    corpus: Path | None,
    only: tuple[str, ...],
    processes: int,
    devices: str | None,
    minutes: float | None,
    keys: Path | None,
    share: str | None,
    discard_models: bool,
    test_half: bool,
    dry_run: bool,
) -> None:
    """Run the cells of the experiments NAME that have no result yet.

    Each cell is a process of its own, with one CPU thread. The run may be interrupted, or killed, at any moment: the
    same command goes on, with cells that were under way from their last checkpoint. A cell that fails does not stop the
    others; it is named at the end with its log, and the exit status is 1.
    """
    from permutree_lab import runner
    from permutree_lab.cell import Places

    more_cells = [word for word in names if "=" in word]
    names = tuple(word for word in names if "=" not in word)
    if not names:
        raise click.UsageError("name an experiment; `permutree experiment list` lists them.")
    opened = [open_experiment(name, folder, results) for name in names]
    experiments, (experiment, found) = [one for one, _ in opened], opened[0]
    if len({one.folder.resolve() for one in experiments}) > 1:
        raise click.UsageError("experiments that are run together must be in one folder.")
    for one in experiments:
        one.check_runnable()
    cells = [cell for one in experiments for cell in one.select([*only, *more_cells])]
    if keys is not None:
        cells = _of_keys(cells, keys)
    if share is not None:
        try:
            cells = runner.shard(cells, share)
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="--shard") from None
    if dry_run:
        _show(cells, found, Places(treebanks or Path(), work or home_of(experiment.folder) / "work", encoders))
        return
    if corpus is not None:
        treebanks = _prepare(experiments, corpus, work or home_of(experiment.folder) / "work")
    places = find_places(experiment, treebanks, work, encoders, test_half=test_half)
    options = runner.Options(processes, devices.split(",") if devices else (), minutes, discard_models)
    outcome = runner.run(experiments, cells, places, found, options, lambda line: click.echo(line, err=True))
    _report(outcome, ", ".join(names))


def _of_keys(cells: list[Cell], path: Path) -> list[Cell]:
    """The cells of the keys that the lines of a file begin with, in this order."""
    # A cell that several experiments have is that of the first.
    known = {cell.key: cell for cell in reversed(cells)}
    keys = [line.split()[0] for line in path.read_text("utf-8").splitlines() if line.strip()]
    if unknown := [key for key in keys if key not in known]:
        said = f"{path}: no cell has the key {unknown[0]}; --dry-run prints the keys"
        raise click.BadParameter(said, param_hint="--keys")
    return [known[key] for key in keys]


def _show(cells: list[Cell], found: Results, places: Places) -> None:
    """Print what would be run."""
    from permutree_lab.runner import is_begun, time_left

    seconds, unknown = 0.0, 0
    for cell in cells:
        state = "to do"
        if found.is_done(cell):
            state = "done"
        else:
            left = time_left(cell, places, found)
            begun = "begun" if is_begun(cell, places) else "to do"
            state = begun if left is None else f"{begun}, {left:,.0f} s"
            seconds, unknown = seconds + (left or 0.0), unknown + (left is None)
        click.echo(f"{cell.key}  {state:<14}  {cell}")
    count = sum(not found.is_done(cell) for cell in cells)
    guess = f", {seconds / 60:,.0f} minutes one after the other" if seconds else ""
    also = f" and {unknown} that nothing is known of" if seconds and unknown else ""
    click.echo(f"permutree: {count} of {len(cells)} cells to run{guess}{also}", err=True)


def _prepare(experiments: list[Experiment], corpus: Path, work: Path) -> Path:
    """Make the files of the experiment's treebank from its corpus; the folder that they are in."""
    from permutree.treebanks.recipes import prepare

    banks = {cell.treebank.name: cell.treebank for experiment in experiments for cell in experiment.cells}
    bank = next(iter(banks.values()))
    if len(banks) != 1 or bank.recipe is None:
        raise click.UsageError("--corpus is for experiments on one treebank with a recipe; use --treebanks.")
    out = work / "treebanks"
    if not (out / f"{bank.own_train}.discbracket").exists():
        for count in prepare(bank.recipe, corpus, (out / bank.own_train).parent):
            click.echo(f"{count.path}: {count.trees:,} trees", err=True)
            if count.trees != count.expected:
                said = f"{count.split} has {count.trees:,} trees where {count.expected:,} were expected"
                click.echo(f"permutree: warning: {said}; is this the same release of the treebank?", err=True)
    return out


def _report(outcome: Outcome, name: str) -> None:
    """Say what came of a run."""
    for failure in outcome.failures:
        click.echo(f"\nfailed: {failure.what}; the end of {failure.log}:", err=True)
        if failure.log.exists():
            for line in failure.log.read_text("utf-8", "replace").splitlines()[-8:]:
                click.echo(f"    {line}", err=True)
    said = [f"{outcome.done} cells done"]
    said += [f"{len(outcome.failures)} failed"] if outcome.failures else []
    said += [f"{len(outcome.left)} left: run the same command again to go on"] if outcome.left else []
    click.echo(f"permutree: {name}: {', '.join(said)}", err=True)
    if outcome.is_interrupted:
        sys.exit(130)
    if outcome.failures:
        sys.exit(1)


@click.command(hidden=True)
@name_argument
@click.argument("key")
@folder_option
@place_options
@test_half_option
def cell(
    name: str,
    key: str,
    folder: Path | None,
    treebanks: Path | None,
    encoders: Path | None,
    work: Path | None,
    test_half: bool,
) -> None:
    """Run one cell, or make the tags that cells wait for: what `run` starts in a process of its own."""
    from permutree_lab.cell import make_tags, run_cell

    experiment, _ = open_experiment(name, folder, None)
    experiment.check_runnable()
    places = find_places(experiment, treebanks, work, encoders, test_half=test_half)
    taggers = experiment.taggers(experiment.cells)
    chosen = next((cell for cell in experiment.cells if cell.key == key), None)
    if chosen is not None:
        run_cell(chosen, places)
    elif key in taggers:
        make_tags(taggers[key], places)
    else:
        raise ConfigError(f"experiment {name} has no cell {key}; was it changed since?")


@click.command(
    epilog="""\b
Examples:
  permutree experiment make docs/results/paper*.md --treebanks treebanks/ --encoders encoders/ --processes 10
  permutree experiment make docs/results/paper*.md --treebanks treebanks/ --results new/ --work new-work/"""
)
@pages_argument
@folder_option
@results_option
@place_options
@process_options
def make(
    pages: tuple[Path, ...],
    folder: Path | None,
    results: Path | None,
    treebanks: Path | None,
    encoders: Path | None,
    work: Path | None,
    processes: int,
    devices: str | None,
    discard_models: bool,
) -> None:
    """Run all that PAGES show, from nothing if need be: experiments, claims and speeds, and then fill the pages.

    What has a result already is not run again, and the same command goes on where it was interrupted. Archived
    experiments are shown as they are. Claims stay as they were tested where predicted trees are missing, and speeds on
    a GPU are left out where there is none.
    """
    from permutree_lab import runner
    from permutree_lab.report import fill_page, specs_of
    from permutree_lab.results import Results

    folder = find_folder(folder)
    found = Results(results or home_of(folder) / "results")
    specs = [one for page in pages for one in specs_of(page, folder)]
    named = {experiment.name: experiment for experiment, _ in specs}.values()
    places = find_places(specs[0][0], treebanks, work, encoders)
    experiments = [experiment for experiment in named if experiment.archived is None]
    if archived := [experiment.name for experiment in named if experiment.archived is not None]:
        click.echo(f"permutree: archived, and shown as they are: {', '.join(archived)}", err=True)
    cells = [cell for experiment in experiments for cell in experiment.cells]
    options = runner.Options(processes, devices.split(",") if devices else (), discard_models=discard_models)
    outcome = runner.run(experiments, cells, places, found, options, lambda line: click.echo(line, err=True))
    _report(outcome, ", ".join(experiment.name for experiment in experiments) or "experiments")
    for experiment in experiments:
        shown = [spec for one, spec in specs if one.name == experiment.name]
        if any(spec.kind == "claims" for spec in shown):
            update_claims(experiment, found, places)
        for on in ("cpu", "gpu"):
            if any(_shows_speed(spec, on) for spec in shown) and (on == "cpu" or _has_gpu()):
                measure_speeds(experiment, (), found, places, on, untrained=discard_models)
    found = Results(found.folder)
    for page in pages:
        fill_page(page, folder, found)
        click.echo(str(page))


def _shows_speed(spec: TableSpec | PlotSpec, on: str) -> bool:
    """Whether a table or plot has speeds on a CPU, or on a GPU."""
    name = f"{on} sentences/s"
    return name in getattr(spec, "figures", ()) or (spec.kind == "speed" and getattr(spec, "speed", "") == name)


def _has_gpu() -> bool:
    import torch

    return torch.cuda.is_available()
