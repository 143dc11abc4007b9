"""Tables about treebanks, labels and settings: what is counted, not measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from permutree.encoding.statistics import ROWS
from permutree.errors import ConfigError
from permutree_lab.grid import Cell, Experiment, Selection, TableSpec, sparse_settings
from permutree_lab.results import Mean, Result, Results, figure
from permutree_lab.tables import Published, Table, published_rows

__all__ = ["labels_table", "settings_table", "sizes_table", "unseen_table"]

_COMPONENTS = {"levels": "n (levels)", "shared": "x (shared)", "unary": "u (unary)"}
#: settings that are axes of the experiments rather than properties of an encoder
_NOT_SHOWN = ("model.encoding", "model.tags", "training.seed", "model.encoder.pretrained")


def _counted(experiment: Experiment, results: Results) -> dict[str, Result]:
    """What was counted, by treebank."""
    if experiment.task != "count":
        raise ConfigError("this table is about treebanks that were counted: it needs task = 'count'")
    found = ((cell, results.of(cell)) for cell in experiment.cells)
    return {cell.treebank.name: row for cell, row in found if row is not None}


def _by_component(
    experiment: Experiment,
    spec: TableSpec,
    results: Results,
    published: Published,
    show: Callable[[Result, str], str],
    show_published: Callable[[Any], str],
) -> Table:
    """A row for each component of the labels, the permutation once for each encoding."""
    banks = _counted(experiment, results)
    names, known = published_rows(published, spec)
    others = {row[0]: [show_published(value) for value in row[1:]] for row in known}
    rows = []
    for component in ROWS:
        theirs = others.get(component, [""] * len(names[1:]))
        ours = [show(bank, component) for bank in banks.values()]
        rows.append([_COMPONENTS.get(component, f"p as {component}"), *theirs, *ours])
    return Table(spec.title, ["component", *names[1:], *banks], rows, spec.note)


def labels_table(experiment: Experiment, spec: TableSpec, results: Results, published: Published) -> Table:
    """How many values each component of the labels has in training and dev sets."""

    def show(bank: Result, component: str) -> str:
        return f"{bank['labels']['values'][component]:,}"

    return _by_component(experiment, spec, results, published, show, str)


def unseen_table(experiment: Experiment, spec: TableSpec, results: Results, published: Published) -> Table:
    """How many values of the test set are new, how often they occur, and in how many per cent of the labels."""

    def said(values: Sequence[float]) -> str:
        unique, total, percent = values
        return f"{unique} / {total:,} ({percent:.2g})" if unique else "–"

    def show(bank: Result, component: str) -> str:
        found = bank["labels"]["unseen"][component]
        return said([found["unique"], found["total"], found["percent"]])

    return _by_component(experiment, spec, results, published, show, said)


def sizes_table(experiment: Experiment, spec: TableSpec, results: Results, published: Published) -> Table:
    """How large treebanks are, and how discontinuous."""
    rows = []
    for row in published_rows(published, spec)[1]:
        rows.append([row[0], *(f"{value:,}" for value in row[1:]), "", "", "", ""])
    for name, bank in _counted(experiment, results).items():
        sizes: Mapping[str, Mapping[str, int]] = bank["sizes"]
        own = [sizes[split] for split in ("train", "dev", "test")]
        more = [f"{part} {size['sentences']:,}" for part, size in sizes.items() if part not in ("train", "dev", "test")]
        sentences, words = sum(size["sentences"] for size in own), sum(size["words"] for size in own)
        share = 100 * sum(size["discontinuous sentences"] for size in own) / sentences
        inner = (
            100 * sum(size["discontinuous constituents"] for size in own) / sum(size["constituents"] for size in own)
        )
        counts = [f"{size['sentences']:,}" for size in own]
        rows.append([name, *counts, ", ".join(more), f"{words:,}", f"{share:.1f}", f"{inner:.1f}"])
    columns = [
        "treebank",
        "train",
        "dev",
        "test",
        "more for training",
        "words",
        "disc. sentences %",
        "disc. constituents %",
    ]
    return Table(spec.title, columns, rows, spec.note)


def settings_table(experiment: Experiment, spec: TableSpec, results: Results, published: Published) -> Table:
    """What the settings are at each value of an axis, and how many weights that makes."""
    if len(spec.columns) != 1 or spec.columns[0] not in experiment.axes:
        raise ConfigError(f"table {spec.name}: columns must be one axis; there are {', '.join(experiment.axes)}")
    selection = Selection.parse(spec.where, experiment.axes)
    columns: dict[str, list[Cell]] = {}
    for cell in experiment.cells:
        if selection.has(cell.coordinates):
            columns.setdefault(cell.coordinates[spec.columns[0]], []).append(cell)
    found = {name: [_settings(cell, results) for cell in cells] for name, cells in columns.items()}
    names = dict.fromkeys(name for cells in found.values() for settings in cells for name in settings)
    rows = [
        [name, *(_values(settings.get(name) for settings in cells) for cells in found.values())]
        for name in names
        if name not in _NOT_SHOWN
    ]
    treebanks = dict.fromkeys(cell.treebank.name for cells in columns.values() for cell in cells)
    for treebank in treebanks:
        line = [f"weights, {treebank}"]
        for cells in columns.values():
            rows_found = [results.of(cell) for cell in cells if cell.treebank.name == treebank]
            mean = Mean.of(figure(row, "parameters") for row in rows_found if row is not None)
            line.append("–" if mean is None else f"{mean.mean / 1e6:.1f}M")
        rows.append(line)
    return Table(spec.title, ["setting", *columns], rows, spec.note)


def _settings(cell: Cell, results: Results) -> Mapping[str, Any]:
    """The settings of a cell that are not as usual; of an archived one, as they were when it was run."""
    if cell.settings is not None:
        return sparse_settings(cell.settings)
    row = results.of(cell) or {}
    found: Mapping[str, Any] = row.get("settings", {})
    return found


def _values(values: Any) -> str:
    """The values that a setting has, which may depend on the treebank."""
    distinct = dict.fromkeys("" if value is None else _said(value) for value in values)
    return ", ".join(value for value in distinct if value) or "–"


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)
