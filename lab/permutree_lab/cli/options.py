"""Options that the commands of ``permutree experiment`` share, and what they open."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from permutree_lab.folders import GRIDS, home_of

if TYPE_CHECKING:
    from permutree_lab.cell import Places
    from permutree_lab.grid import Experiment
    from permutree_lab.results import Results

__all__ = [
    "find_folder",
    "find_places",
    "folder_option",
    "name_argument",
    "only_option",
    "open_experiment",
    "opens",
    "pages_argument",
    "place_options",
    "process_options",
    "results_option",
    "test_half_option",
]

Command = TypeVar("Command", bound=Callable[..., Any])

folder_option = click.option(
    "--experiments",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Folder with the grids.  [default: lab/grids of the checkout]",
)
results_option = click.option(
    "--results",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Folder with the results.  [default: lab/results; results in the folder that --experiments names]",
)
name_argument = click.argument("name")
test_half_option = click.option(
    "--test-half", is_flag=True, help="Score models on the test half of the suite as well; for final figures only."
)
only_option = click.option(
    "--only", multiple=True, metavar="AXIS=VALUE", help="Only these cells; values are separated by commas."
)


pages_argument = click.argument(
    "pages", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False)
)


def _add(function: Command, *options: Callable[[Any], Any]) -> Command:
    """Add options to a command; its help shows them in this order."""
    for option in reversed(options):
        function = option(function)
    return function


def process_options(function: Command) -> Command:
    """Add how cells are run side by side."""
    return _add(
        function,
        click.option("--processes", type=click.IntRange(1), default=1, show_default=True, help="Cells side by side."),
        click.option("--devices", metavar="LIST", help="GPUs that cells take in turns, such as 0,1,2,3."),
        click.option("--discard-models", is_flag=True, help="Delete the weights of models that have been scored."),
    )


def place_options(function: Command) -> Command:
    """Add where treebanks, encoders and what is being made are."""
    return _add(
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
            help="Folder for models, predicted trees, tags and logs.  [default: lab/work; work beside --experiments]",
        ),
    )


def find_folder(given: Path | None) -> Path:
    """The folder with the grids: the one that was named, or that of the checkout."""
    if given is None and not GRIDS.is_dir():
        raise click.UsageError("the laboratory was not installed from a checkout; name the grids with --experiments.")
    return given or GRIDS


def open_experiment(name: str, folder: Path | None, results: Path | None) -> tuple[Experiment, Results]:
    """The experiment of a name, and the results there are."""
    from permutree_lab.report import find_experiment
    from permutree_lab.results import Results

    experiment = find_experiment(name, find_folder(folder) if not Path(name).is_file() else Path(name).parent)
    return experiment, Results(results or home_of(experiment.folder) / "results")


def find_places(
    experiment: Experiment,
    treebanks: Path | None,
    work: Path | None,
    encoders: Path | None,
    *,
    test_half: bool = False,
) -> Places:
    """Where things are on this machine; the folder with the treebanks must be named."""
    from permutree_lab.cell import Places

    if treebanks is None:
        raise click.UsageError("name the folder with the treebanks: --treebanks FOLDER.")
    if not treebanks.is_dir():
        raise click.BadParameter(f"there is no folder {treebanks}", param_hint="--treebanks")
    work = work or home_of(experiment.folder) / "work"
    halves = ("dev", "test") if test_half else ("dev",)
    return Places(treebanks.resolve(), work.resolve(), encoders.resolve() if encoders else None, halves)


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
        experiment, found = open_experiment(name, folder, results)
        function(experiment, found, find_places(experiment, treebanks, work, encoders), **options)

    return _add(call, name_argument, folder_option, results_option, place_options)
