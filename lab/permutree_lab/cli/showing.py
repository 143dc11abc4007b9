"""Commands that show what is known: experiments, their tables and plots, and pages with both."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from permutree_lab.cli.options import (
    find_folder,
    folder_option,
    name_argument,
    open_experiment,
    pages_argument,
    results_option,
)
from permutree_lab.folders import home_of

__all__ = ["fill", "list_experiments", "plot", "rekey", "table"]


@click.command(
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
    from permutree_lab.grid import Experiment
    from permutree_lab.report import find_experiments
    from permutree_lab.results import Results

    folder = find_folder(folder)
    found = Results(results or home_of(folder) / "results")
    rows: list[dict[str, Any]] = []
    for path in find_experiments(folder):
        experiment = Experiment.load(path)
        done = [row for cell in experiment.cells if (row := found.of(cell)) is not None]
        rows.append(
            {
                "name": experiment.name,
                "title": experiment.title,
                "archived": experiment.archived,
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
        also = "  (archived)" if row["archived"] else ""
        click.echo(
            f"{row['name']:<{width}}  {row['done']:>4} of {row['cells']:>4} done  {hours:4.1f} h  {row['title']}{also}"
        )


@click.command(
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
    from permutree.formats.sinks import write_file
    from permutree_lab.report import make_table, table_named
    from permutree_lab.tables import FORMATS

    experiment, found = open_experiment(name, folder, results)
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


@click.command(
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
    help="What to draw.",
)
def plot(name: str, folder: Path | None, results: Path | None, out: Path, target: str) -> None:
    """Draw the plots of the experiment NAME."""
    from permutree.formats.sinks import write_file
    from permutree_lab.plots import draw, make_plot

    experiment, found = open_experiment(name, folder, results)
    out.mkdir(parents=True, exist_ok=True)
    for spec in experiment.plots:
        path = out / f"{experiment.name}-{spec.name}.{target}"
        write_file(path, draw(make_plot(experiment, spec, found), target))
        click.echo(str(path))


@click.command(
    epilog="""\b
Examples:
  permutree experiment fill docs/results/paper*.md"""
)
@pages_argument
@folder_option
@results_option
def fill(pages: tuple[Path, ...], folder: Path | None, results: Path | None) -> None:
    """Bring the tables and plots in PAGES up to date.

    A page has places for them: a line `<!-- experiment: table NAME TABLE -->` or `<!-- experiment: plot NAME PLOT -->`,
    and below it a line `<!-- end -->`. What is between the two is replaced.
    """
    from permutree_lab.report import fill_page
    from permutree_lab.results import Results

    folder = find_folder(folder)
    found = Results(results or home_of(folder) / "results")
    for page in pages:
        fill_page(page, folder, found)
        click.echo(str(page))


@click.command(
    epilog="""\b
Examples:
  permutree experiment rekey
  permutree experiment rekey --rename tags:own=joint"""
)
@folder_option
@results_option
@click.option(
    "--rename", multiple=True, metavar="AXIS:OLD=NEW", help="A value of an axis has another name in the grids."
)
def rekey(folder: Path | None, results: Path | None, rename: tuple[str, ...]) -> None:
    """Give results the keys and settings that their cells have in this version of permutree.

    Use it when settings have got other names or defaults, and cells are what they were. Results are found by their
    places on the axes of their experiments; those of archived experiments keep their keys and settings.
    """
    from permutree_lab.grid import Experiment
    from permutree_lab.rekey import Renaming
    from permutree_lab.rekey import rekey as rekey_results
    from permutree_lab.report import find_experiments

    folder = find_folder(folder)
    experiments = [Experiment.load(path) for path in find_experiments(folder)]
    changed = rekey_results(experiments, results or home_of(folder) / "results", [*map(Renaming.parse, rename)])
    for path, count in changed.items():
        click.echo(f"{path}: {count:,} rows changed")
