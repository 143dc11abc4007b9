"""Pages with tables and plots in them, which are brought up to date while the words around stay.

A page has places for them::

    <!-- experiment: table encodings dev -->
    <!-- end -->

What stands between the two lines is replaced by the table ``dev`` of the experiment ``encodings``; ``plot`` is for
plots, which are written to files beside the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from permutree.errors import ConfigError, DataError
from permutree.formats.sinks import whole_file
from permutree.settings import read_toml
from permutree_lab.claims import claims_table
from permutree_lab.counts import labels_table, settings_table, sizes_table, unseen_table
from permutree_lab.grid import Experiment, PlotSpec, TableSpec
from permutree_lab.plots import draw, make_plot
from permutree_lab.results import Results
from permutree_lab.tables import Published, Table, figures_table, published_rows

__all__ = ["fill_page", "find_experiment", "find_experiments", "make_table", "plot_named", "specs_of", "table_named"]

Spec = TypeVar("Spec", TableSpec, PlotSpec)

_PLACE = re.compile(r"(?ms)^<!-- experiment: (.*?) -->\n.*?^<!-- end -->$")


def find_experiments(folder: Path) -> list[Path]:
    """The files in a folder that are experiments: those with axes."""
    return [path for path in sorted(folder.glob("*.toml")) if "axes" in read_toml(path)]


def find_experiment(name: str, folder: Path) -> Experiment:
    """The experiment of that name, or in that file; a failed look-up lists the names there are."""
    path = Path(name)
    if path.suffix != ".toml" or not path.is_file():
        path = folder / f"{name}.toml"
    if not path.is_file():
        known = ", ".join(found.stem for found in find_experiments(folder)) or "none"
        raise ConfigError(f"no experiment {name!r} in {folder}; there are {known}")
    return Experiment.load(path)


def table_named(experiment: Experiment, name: str) -> TableSpec:
    """A table of an experiment."""
    return _named(experiment, experiment.tables, "table", name)


def plot_named(experiment: Experiment, name: str) -> PlotSpec:
    """A plot of an experiment."""
    return _named(experiment, experiment.plots, "plot", name)


def _named(experiment: Experiment, specs: Sequence[Spec], what: str, name: str) -> Spec:
    for spec in specs:
        if spec.name == name:
            return spec
    known = ", ".join(spec.name for spec in specs) or "none"
    raise ConfigError(f"experiment {experiment.name} has no {what} {name!r}; there are {known}")


def make_table(experiment: Experiment, spec: TableSpec, results: Results) -> Table:
    """A table of an experiment, of any kind."""
    path = experiment.folder / "published.toml"
    published: Published = read_toml(path) if path.is_file() else {}
    if spec.kind == "claims":
        return claims_table(experiment, spec, results)
    if spec.kind == "published":
        columns, rows = published_rows(published, spec)
        return Table(spec.title, columns, [[str(value) for value in row] for row in rows], spec.note)
    return _MAKERS[spec.kind](experiment, spec, results, published)


_MAKERS: dict[str, Callable[[Experiment, TableSpec, Results, Published], Table]] = {
    "figures": figures_table,
    "labels": labels_table,
    "unseen": unseen_table,
    "sizes": sizes_table,
    "settings": settings_table,
}


def specs_of(page: Path, folder: Path) -> list[tuple[Experiment, TableSpec | PlotSpec]]:
    """The tables and plots that a page has places for, with their experiments."""
    text = page.read_text("utf-8")
    found = [_spec(page, text, match, folder) for match in _PLACE.finditer(text)]
    if not found:
        raise DataError("has no places for tables or plots: <!-- experiment: table NAME TABLE -->", source=str(page))
    return found


def fill_page(page: Path, folder: Path, results: Results) -> None:
    """Bring the tables and plots of a page up to date."""
    specs = iter(specs_of(page, folder))

    def fill(match: re.Match[str]) -> str:
        experiment, spec = next(specs)
        if isinstance(spec, TableSpec):
            made = make_table(experiment, spec, results).markdown()
        else:
            made = _write_plot(page, experiment, spec, results)
        return f"<!-- experiment: {match[1]} -->\n{made}<!-- end -->"

    text = page.read_text("utf-8")
    filled = _PLACE.sub(fill, text)
    if filled != text:
        with whole_file(page) as temporary:
            temporary.write_text(filled, "utf-8")


def _spec(page: Path, text: str, match: re.Match[str], folder: Path) -> tuple[Experiment, TableSpec | PlotSpec]:
    """What belongs to one place of a page."""
    words = match[1].split()
    if len(words) != 3 or words[0] not in ("table", "plot"):
        line = text[: match.start()].count("\n") + 1
        message = f"expected 'table' or 'plot', an experiment and a name, not {match[1]!r}"
        raise DataError(message, source=str(page), line=line)
    experiment = find_experiment(words[1], folder)
    named = table_named if words[0] == "table" else plot_named
    return experiment, named(experiment, words[2])


def _write_plot(page: Path, experiment: Experiment, spec: PlotSpec, results: Results) -> str:
    """Write a plot beside a page, and what shows it there."""
    plot = make_plot(experiment, spec, results)
    path = page.parent / "images" / f"{experiment.name}-{spec.name}.svg"
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as temporary:
        temporary.write_bytes(draw(plot))
    return f"![{plot.title}](images/{path.name})\n"
