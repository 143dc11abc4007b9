"""``permutree experiment``: grids of trainings, their results, tables and plots."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from permutree.cli.options import Command, add_options
from permutree.errors import ConfigError

if TYPE_CHECKING:
    from permutree.experiments.cell import Places
    from permutree.experiments.grid import Cell, Experiment, PlotSpec, TableSpec
    from permutree.experiments.results import Results
    from permutree.experiments.runner import Outcome

#: where experiments are: in this folder, or in the checkout that the package is run from
HERE = Path("experiments")
CHECKOUT = Path(__file__).resolve().parents[3] / "experiments"


@click.group(
    epilog="""\b
Examples:
  permutree experiment list
  permutree experiment run encodings --treebanks treebanks/ --processes 10
  permutree experiment run encodings --treebanks treebanks/ --only treebank=alpino encoder=BiLSTM --dry-run
  permutree experiment run tiger --corpus tiger_release_aug07.corrected.16012013.xml
  permutree experiment table encodings
  permutree experiment fill docs/results.md
  permutree experiment make docs/results.md --treebanks treebanks/ --encoders encoders/ --processes 10"""
)
def command() -> None:
    """Run experiments: grids of trainings whose results become tables and plots.

    Experiments are TOML files in the folder `experiments`; results go to `experiments/results`, a line for each cell of
    the grid. A cell that has a result is not run again.
    """


folder_option = click.option(
    "--experiments",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Folder with the experiments.  [default: experiments]",
)
results_option = click.option(
    "--results",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Folder with the results.  [default: results in the folder with the experiments]",
)
name_argument = click.argument("name")
only_option = click.option(
    "--only", multiple=True, metavar="AXIS=VALUE", help="Only these cells; values are separated by commas."
)


def place_options(function: Command) -> Command:
    """Add where treebanks, encoders and what is being made are."""
    return add_options(
        function,
        click.option(
            "--treebanks",
            type=click.Path(path_type=Path, file_okay=False),
            metavar="FOLDER",
            help="Folder with a folder for each treebank, which holds files named train, dev and test.",
        ),
        click.option(
            "--encoders",
            type=click.Path(path_type=Path, exists=True, file_okay=False),
            metavar="FOLDER",
            help="Folder with pretrained encoders and word vectors, under the names that the experiment has for them.",
        ),
        click.option(
            "--work",
            type=click.Path(path_type=Path, file_okay=False),
            metavar="FOLDER",
            help="Folder for models, predicted trees, tags and logs.  [default: work in the folder of the experiments]",
        ),
    )


def _folder(given: Path | None) -> Path:
    if given is not None:
        return given
    found = next((path for path in (HERE, CHECKOUT) if path.is_dir()), None)
    if found is None:
        raise click.UsageError("there is no folder 'experiments' here; name it with --experiments.")
    return found


def _open(name: str, folder: Path | None, results: Path | None) -> tuple[Experiment, Results]:
    """The experiment of a name, and the results there are."""
    from permutree.experiments.report import find_experiment
    from permutree.experiments.results import Results

    experiment = find_experiment(name, _folder(folder) if not Path(name).is_file() else Path(name).parent)
    return experiment, Results(results or experiment.folder / "results")


def _places(experiment: Experiment, treebanks: Path | None, work: Path | None, encoders: Path | None) -> Places:
    from permutree.experiments.cell import Places

    if treebanks is None:
        raise click.UsageError("name the folder with the treebanks: --treebanks FOLDER.")
    if not treebanks.is_dir():
        raise click.BadParameter(f"there is no folder {treebanks}", param_hint="--treebanks")
    work = work or experiment.folder / "work"
    return Places(treebanks.resolve(), work.resolve(), encoders.resolve() if encoders else None)


def opens(function: Callable[..., None]) -> Callable[..., None]:
    """Add the name of an experiment and where all is; the function gets the experiment, its results and the places."""

    @wraps(function)
    def call(
        name: str,
        folder: Path | None,
        results: Path | None,
        treebanks: Path | None,
        encoders: Path | None,
        work: Path | None,
        **options: Any,
    ) -> None:
        experiment, found = _open(name, folder, results)
        function(experiment, found, _places(experiment, treebanks, work, encoders), **options)

    return add_options(call, name_argument, folder_option, results_option, place_options)


@command.command(
    "list",
    epilog="""\b
Examples:
  permutree experiment list
  permutree experiment list --experiments my-experiments --json""",
)
@folder_option
@results_option
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def list_experiments(folder: Path | None, results: Path | None, as_json: bool) -> None:
    """List the experiments, with how many of their cells have results, and the hours that these took.

    Hours are those of one process beside others: several run at once.
    """
    from permutree.experiments.grid import Experiment
    from permutree.experiments.report import find_experiments
    from permutree.experiments.results import Results

    folder = _folder(folder)
    found = Results(results or folder / "results")
    rows: list[dict[str, Any]] = []
    for path in find_experiments(folder):
        experiment = Experiment.load(path)
        done = [row for cell in experiment.cells if (row := found.of(cell)) is not None]
        rows.append(
            {
                "name": experiment.name,
                "title": experiment.title,
                "cells": len(experiment.cells),
                "done": len(done),
                "seconds": round(sum(row.get("seconds") or 0.0 for row in done)),
                "tables": [spec.name for spec in experiment.tables],
                "plots": [spec.name for spec in experiment.plots],
            }
        )
    if as_json:
        click.echo(json.dumps(rows, indent=2, ensure_ascii=False))
        return
    width = max((len(row["name"]) for row in rows), default=0)
    for row in rows:
        hours = row["seconds"] / 3600
        click.echo(
            f"{row['name']:<{width}}  {row['done']:>4} of {row['cells']:>4} done  {hours:4.1f} h  {row['title']}"
        )


@command.command(
    epilog="""\b
Examples:
  permutree experiment run encodings --treebanks treebanks/ --processes 10
  permutree experiment run encodings tags sizes --treebanks treebanks/ --processes 10
  permutree experiment run tags --treebanks treebanks/ --only treebank=alpino,masc tags=own --dry-run
  permutree experiment run encodings --treebanks treebanks/ --minutes 9 --processes 12
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
@click.option("--processes", type=click.IntRange(1), default=1, show_default=True, help="Cells side by side.")
@click.option("--devices", metavar="LIST", help="GPUs that cells take in turns, such as 0,1,2,3.")
@click.option(
    "--minutes", type=click.FloatRange(0, min_open=True), help="Stop after so many minutes; the same command goes on."
)
@click.option("--shard", "share", metavar="I/N", help="Only every Nth cell, from the Ith on, as one of N machines.")
@click.option("--discard-models", is_flag=True, help="Delete the weights of models that have been scored.")
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
    share: str | None,
    discard_models: bool,
    dry_run: bool,
) -> None:
    """Run the cells of the experiments NAME that have no result yet.

    Each cell is a process of its own, with one CPU thread. The run may be interrupted, or killed, at any moment: the
    same command goes on, with cells that were under way from their last checkpoint. A cell that fails does not stop the
    others; it is named at the end with its log, and the exit status is 1.
    """
    from permutree.experiments import runner
    from permutree.experiments.cell import Places

    more_cells = [word for word in names if "=" in word]
    names = tuple(word for word in names if "=" not in word)
    if not names:
        raise click.UsageError("name an experiment; `permutree experiment list` lists them.")
    opened = [_open(name, folder, results) for name in names]
    experiments, (experiment, found) = [one for one, _ in opened], opened[0]
    if len({one.folder.resolve() for one in experiments}) > 1:
        raise click.UsageError("experiments that are run together must be in one folder.")
    cells = [cell for one in experiments for cell in one.select([*only, *more_cells])]
    if share is not None:
        try:
            cells = runner.shard(cells, share)
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="--shard") from None
    if dry_run:
        _show(cells, found, Places(treebanks or Path(), work or experiment.folder / "work", encoders))
        return
    if corpus is not None:
        treebanks = _prepare(experiments, corpus, work or experiment.folder / "work")
    places = _places(experiment, treebanks, work, encoders)
    options = runner.Options(processes, devices.split(",") if devices else (), minutes, discard_models)
    outcome = runner.run(experiments, cells, places, found, options, lambda line: click.echo(line, err=True))
    _report(outcome, ", ".join(names))


def _show(cells: list[Cell], found: Results, places: Places) -> None:
    """Print what would be run."""
    from permutree.experiments.runner import is_begun, time_left

    seconds, unknown = 0.0, 0
    for cell in cells:
        state = "to do"
        if found.of(cell) is not None:
            state = "done"
        else:
            left = time_left(cell, places, found)
            begun = "begun" if is_begun(cell, places) else "to do"
            state = begun if left is None else f"{begun}, {left:,.0f} s"
            seconds, unknown = seconds + (left or 0.0), unknown + (left is None)
        click.echo(f"{cell.key}  {state:<14}  {cell}")
    count = sum(found.of(cell) is None for cell in cells)
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


@command.command(hidden=True)
@name_argument
@click.argument("key")
@folder_option
@place_options
def cell(
    name: str, key: str, folder: Path | None, treebanks: Path | None, encoders: Path | None, work: Path | None
) -> None:
    """Run one cell, or make the tags that cells wait for: what `run` starts in a process of its own."""
    from permutree.experiments.cell import make_tags, run_cell

    experiment, _ = _open(name, folder, None)
    places = _places(experiment, treebanks, work, encoders)
    taggers = experiment.taggers(experiment.cells)
    chosen = next((cell for cell in experiment.cells if cell.key == key), None)
    if chosen is not None:
        run_cell(chosen, places)
    elif key in taggers:
        make_tags(taggers[key], places)
    else:
        raise ConfigError(f"experiment {name} has no cell {key}; was it changed since?")


@command.command(
    epilog="""\b
Examples:
  permutree experiment table encodings
  permutree experiment table tags test --format latex -o test.tex"""
)
@name_argument
@click.argument("table_name", required=False, metavar="[TABLE]")
@folder_option
@results_option
@click.option(
    "--format",
    "style",
    type=click.Choice(["markdown", "latex", "csv", "json"]),
    default="markdown",
    show_default=True,
    help="How the table is written; csv and json have unrounded figures.",
)
@click.option("-o", "--output", default="-", metavar="OUT", help="File to write; standard output if not given.")
def table(
    name: str, table_name: str | None, folder: Path | None, results: Path | None, style: str, output: str
) -> None:
    """Print the tables of the experiment NAME, or one of them: means and deviations over seeds."""
    from permutree.experiments.report import make_table, table_named
    from permutree.experiments.tables import FORMATS
    from permutree.formats.sinks import write_file

    experiment, found = _open(name, folder, results)
    specs = [table_named(experiment, table_name)] if table_name else experiment.tables
    if style == "csv" and len(specs) > 1:
        raise click.UsageError(f"csv is for one table: name it, one of {', '.join(spec.name for spec in specs)}.")
    made = [make_table(experiment, spec, found) for spec in specs]
    if style == "json":
        records = {spec.name: table.records() for spec, table in zip(specs, made, strict=True)}
        text = json.dumps(records, indent=2, ensure_ascii=False) + "\n"
    else:
        text = "\n".join(map(FORMATS[style], made))
    write_file(output, text)


@command.command(
    epilog="""\b
Examples:
  permutree experiment plot encodings -o plots
  permutree experiment plot encodings -o plots --to png"""
)
@name_argument
@folder_option
@results_option
@click.option(
    "-o",
    "--output",
    "out",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    metavar="FOLDER",
    help="Folder for the pictures.",
)
@click.option(
    "--to",
    "target",
    type=click.Choice(["svg", "png"]),
    default="svg",
    show_default=True,
    help="What to draw; PNG needs `pip install 'permutree[png]'`.",
)
def plot(name: str, folder: Path | None, results: Path | None, out: Path, target: str) -> None:
    """Draw the plots of the experiment NAME."""
    from permutree.drawing.png import as_png
    from permutree.experiments.plots import draw, make_plot
    from permutree.formats.sinks import write_file

    experiment, found = _open(name, folder, results)
    out.mkdir(parents=True, exist_ok=True)
    for spec in experiment.plots:
        path = out / f"{experiment.name}-{spec.name}.{target}"
        picture = draw(make_plot(experiment, spec, found))
        write_file(path, picture if target == "svg" else as_png(picture))
        click.echo(str(path))


@command.command(
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
    from permutree.experiments.claims import check_claims, claims_table
    from permutree.experiments.grid import TableSpec

    if not experiment.claims:
        raise ConfigError(f"experiment {experiment.name} makes no claims: it has no [[claims]]")
    check_claims(experiment, found, places)
    click.echo(claims_table(experiment, TableSpec("claims", "Claims", "claims"), found).markdown(), nl=False)


@command.command(
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
    from permutree.experiments.examples import find_examples
    from permutree.experiments.treebanks import read_parts

    cells = [cell for cell in experiment.select(only) if found.of(cell) is not None]
    if not cells:
        raise ConfigError(f"no cell has a result; run it first: permutree experiment run {experiment.name}")
    names = sorted({cell.treebank.name for cell in cells})
    if len(names) > 1:
        raise ConfigError(f"examples are of one treebank, not of {', '.join(names)}: --only treebank=NAME")
    gold = read_parts(places.treebanks, cells[0].treebank.parts(split))
    predicted = [places.predicted(cell.key, split) for cell in cells]
    click.echo("\n".join(example.markdown() for example in find_examples(gold, predicted)), nl=False)


@command.command(
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
    _measure_speeds(experiment, only, found, places, on, untrained=untrained)


def _measure_speeds(
    experiment: Experiment, only: Sequence[str], found: Results, places: Places, on: str, *, untrained: bool
) -> None:
    """Measure the models of the first seed that were not measured before."""
    from permutree.experiments.results import append_row
    from permutree.experiments.speed import measure_speed

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


@command.command(
    epilog="""\b
Examples:
  permutree experiment make docs/results.md --treebanks treebanks/ --encoders encoders/ --processes 10
  permutree experiment make docs/results.md --treebanks treebanks/ --results new/ --work new-work/"""
)
@click.argument("pages", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@folder_option
@results_option
@place_options
@click.option("--processes", type=click.IntRange(1), default=1, show_default=True, help="Cells side by side.")
@click.option("--devices", metavar="LIST", help="GPUs that cells take in turns, such as 0,1,2,3.")
@click.option("--discard-models", is_flag=True, help="Delete the weights of models that have been scored.")
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

    What has a result already is not run again, and the same command goes on where it was interrupted. Claims stay as
    they were tested where predicted trees are missing, and speeds on a GPU are left out where there is none.
    """
    from permutree.experiments import runner
    from permutree.experiments.report import fill_page, specs_of
    from permutree.experiments.results import Results

    folder = _folder(folder)
    found = Results(results or folder / "results")
    specs = [one for page in pages for one in specs_of(page, folder)]
    experiments = list({experiment.name: experiment for experiment, _ in specs}.values())
    places = _places(experiments[0], treebanks, work, encoders)
    cells = [cell for experiment in experiments for cell in experiment.cells]
    options = runner.Options(processes, devices.split(",") if devices else (), discard_models=discard_models)
    outcome = runner.run(experiments, cells, places, found, options, lambda line: click.echo(line, err=True))
    _report(outcome, ", ".join(experiment.name for experiment in experiments))
    for experiment in experiments:
        shown = [spec for one, spec in specs if one.name == experiment.name]
        if any(spec.kind == "claims" for spec in shown):
            _test_claims(experiment, found, places)
        for on in ("cpu", "gpu"):
            if any(_shows_speed(spec, on) for spec in shown) and (on == "cpu" or _has_gpu()):
                _measure_speeds(experiment, (), found, places, on, untrained=discard_models)
    found = Results(found.folder)
    for page in pages:
        fill_page(page, folder, found)
        click.echo(str(page))


def _test_claims(experiment: Experiment, found: Results, places: Places) -> None:
    """Test claims; those that were tested where the cells were run stay, if the predicted trees are not here."""
    from permutree.errors import DataError
    from permutree.experiments.claims import check_claims, claims_file

    try:
        check_claims(experiment, found, places)
    except DataError as error:
        if not claims_file(experiment, found).is_file():
            raise
        click.echo(f"permutree: warning: {error}; claims of {experiment.name} stay as they were tested", err=True)


def _shows_speed(spec: TableSpec | PlotSpec, on: str) -> bool:
    """Whether a table or plot has speeds on a CPU, or on a GPU."""
    name = f"{on} sentences/s"
    return name in getattr(spec, "figures", ()) or (spec.kind == "speed" and getattr(spec, "speed", "") == name)


def _has_gpu() -> bool:
    import torch

    return torch.cuda.is_available()


@command.command(
    epilog="""\b
Examples:
  permutree experiment fill docs/results.md"""
)
@click.argument("pages", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@folder_option
@results_option
def fill(pages: tuple[Path, ...], folder: Path | None, results: Path | None) -> None:
    """Bring the tables and plots in PAGES up to date.

    A page has places for them: a line `<!-- experiment: table NAME TABLE -->` or `<!-- experiment: plot NAME PLOT -->`,
    and below it a line `<!-- end -->`. What is between the two is replaced.
    """
    from permutree.experiments.report import fill_page
    from permutree.experiments.results import Results

    folder = _folder(folder)
    found = Results(results or folder / "results")
    for page in pages:
        fill_page(page, folder, found)
        click.echo(str(page))
