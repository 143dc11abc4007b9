"""Tables of results, beside published figures, for readers and for machines."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from permutree.errors import ConfigError
from permutree_lab.grid import Experiment, Selection, TableSpec
from permutree_lab.results import FIGURES, Mean, Result, Results, figure

__all__ = ["FORMATS", "Published", "Table", "figures_table", "published_rows"]

#: name → columns and rows of published figures
Published = Mapping[str, Mapping[str, Any]]

#: a text, or figures that stand together, each with its name
Cell = str | tuple["Entry", ...]
_NONE = "–"
_TITLES = {
    "f1": "F1",
    "precision": "P",
    "recall": "R",
    "exact match": "exact",
    "tag accuracy": "tags",
    "disc f1": "disc. F1",
    "disc precision": "disc. P",
    "disc recall": "disc. R",
    "disc exact match": "disc. exact",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """A figure in a table, which may be the best of several."""

    name: str
    value: Mean | None
    is_best: bool = False

    def text(self) -> str:
        """The figure with the decimals that it is worth."""
        if self.value is None:
            return _NONE
        show = _shown(self.name)
        said = show(self.value.mean)
        is_certain = self.value.deviation is None or self.name == "parameters"
        return said if is_certain else f"{said} ± {show(self.value.deviation or 0.0)}"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under names; the first columns are texts."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    note: str = ""
    #: names of the columns for machines, where the printed ones are not good enough
    names: Sequence[str] = field(default=())

    def markdown(self) -> str:
        """The table as Markdown, figures to the right."""
        texts = self._texts()
        lines = [f"**{self.title}**", "", "| " + " | ".join(self.columns) + " |"]
        lines.append("|" + "|".join("---" if is_text else "---:" for is_text in texts) + "|")
        for row in self.rows:
            lines.append("| " + " | ".join(_markdown(cell) for cell in row) + " |")
        return "\n".join([*lines, *(["", self.note] if self.note else [])]) + "\n"

    def latex(self) -> str:
        """The table as a LaTeX tabular, for a document that uses the booktabs package."""
        texts = self._texts()
        widths = [self._width(column) for column in range(len(self.columns))]
        alignment = "".join("l" if is_text else "r" * width for is_text, width in zip(texts, widths, strict=True))
        head = [
            _escape(name) if width == 1 else rf"\multicolumn{{{width}}}{{c}}{{{_escape(name)}}}"
            for name, width in zip(self.columns, widths, strict=True)
        ]
        lines = [f"% {self.title}", rf"\begin{{tabular}}{{{alignment}}}", r"\toprule", " & ".join(head) + r" \\"]
        lines.append(r"\midrule")
        for row in self.rows:
            cells: list[str] = []
            for cell, width in zip(row, widths, strict=True):
                if isinstance(cell, str):
                    cells += [_escape(cell), *[""] * (width - 1)]
                else:
                    cells += [_latex(entry) for entry in cell]
                    cells += [""] * (width - len(cell))
            lines.append(" & ".join(cells) + r" \\")
        note = [f"% {self.note}"] if self.note else []
        return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", *note, ""])

    def records(self) -> list[dict[str, Any]]:
        """A dictionary for each row, with means, deviations and the number of seeds."""
        names = self.names or self.columns
        found = []
        for row in self.rows:
            record: dict[str, Any] = {}
            for name, cell in zip(names, row, strict=True):
                if isinstance(cell, str):
                    record[name] = cell
                    continue
                for entry in cell:
                    where = f"{name} {entry.name}".strip()
                    value = entry.value
                    record[where] = None if value is None else round(value.mean, 4)
                    if value is not None and value.deviation is not None:
                        record[f"{where} deviation"] = round(value.deviation, 4)
                        record[f"{where} seeds"] = value.count
            found.append(record)
        return found

    def csv(self) -> str:
        """The records as comma-separated values."""
        records = self.records()
        names = list(dict.fromkeys(name for record in records for name in record))
        stream = io.StringIO()
        writer = csv.DictWriter(stream, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(records)
        return stream.getvalue()

    def _texts(self) -> list[bool]:
        """Whether each column holds texts."""
        return [
            not any(isinstance(row[column], tuple) or _is_number(row[column]) for row in self.rows)
            for column in range(len(self.columns))
        ]

    def _width(self, column: int) -> int:
        return max((len(row[column]) for row in self.rows if isinstance(row[column], tuple)), default=1)


FORMATS: dict[str, Callable[[Table], str]] = {
    "markdown": Table.markdown,
    "latex": Table.latex,
    "csv": Table.csv,
}


@dataclass(frozen=True, slots=True)
class _Record:
    """Figures at a place on the axes, ours or published."""

    coordinates: Mapping[str, str]
    figures: Mapping[str, float | None]


def figures_table(experiment: Experiment, spec: TableSpec, results: Results, published: Published) -> Table:
    """Figures of cells by the axes of rows and columns, over seeds; published ones beside them."""
    _check(experiment, spec)
    selection = Selection.parse(spec.where, experiment.axes)
    cells = [cell for cell in experiment.cells if selection.has(cell.coordinates)]
    found = [(cell.coordinates, results.of(cell)) for cell in cells]
    records = [_record(coordinates, row, spec.figures) for coordinates, row in found if row is not None]
    theirs = Selection.of_any(spec.published_where)
    for record in _published(published, spec):
        needed = all(axis in record.coordinates for axis in (*spec.rows, *spec.columns))
        is_wanted = theirs.has(record.coordinates) if spec.published_where else selection.has(record.coordinates)
        if needed and is_wanted:
            records.append(_beside(record, experiment, spec))
    # Cells without a result have their places, too.
    places = [*(coordinates for coordinates, _ in found), *(record.coordinates for record in records)]
    row_keys = _keys(places, spec.rows, experiment)
    column_keys = _keys(places, spec.columns, experiment)
    grouped: dict[tuple[tuple[str, ...], tuple[str, ...]], list[_Record]] = {}
    for record in records:
        where = tuple(tuple(record.coordinates[axis] for axis in axes) for axes in (spec.rows, spec.columns))
        grouped.setdefault((where[0], where[1]), []).append(record)
    values = {
        (row, column): tuple(Mean.of(record.figures.get(name) for record in group) for name in spec.figures)
        for (row, column), group in grouped.items()
    }
    best = _best(values, spec)
    none = tuple(None for _ in spec.figures)
    rows: list[list[Cell]] = []
    for row in row_keys:
        line: list[Cell] = list(row)
        for column in column_keys:
            known = zip(spec.figures, values.get((row, column), none), strict=True)
            entries = tuple(Entry(name, value, (row, column, name) in best) for name, value in known)
            # Without an axis for columns, each figure has its own.
            line += [entries] if spec.columns else [(entry,) for entry in entries]
        rows.append(line)
    columns = (
        [" ".join(column) for column in column_keys] if spec.columns else [_titles([name]) for name in spec.figures]
    )
    title = spec.title or experiment.title
    if spec.columns and len(spec.figures) > 1:
        title += f": {_titles(spec.figures)}"
    missing = sum(row is None for _, row in found)
    notes = [
        _seeds(values.values()),
        spec.note,
        f"{missing} of {len(found)} cells have no result yet." if missing else "",
    ]
    head = [*spec.rows, *columns]
    names = [*spec.rows, *(columns if spec.columns else spec.figures)]
    return Table(title, head, rows, " ".join(filter(None, notes)), names)


def _check(experiment: Experiment, spec: TableSpec) -> None:
    """Refuse a table that would mix what should be kept apart."""
    if not spec.figures:
        raise ConfigError(f"table {spec.name} must say its figures; there are {', '.join(FIGURES)}")
    for axis in (*spec.rows, *spec.columns):
        if axis not in experiment.axes:
            raise ConfigError(f"table {spec.name}: no axis {axis!r}; there are {', '.join(experiment.axes)}")
    if spec.best and spec.best not in (*spec.rows, "all"):
        raise ConfigError(f"table {spec.name}: best must be an axis of its rows, or all")
    chosen = Selection.parse(spec.where, experiment.axes).chosen
    for axis, values in experiment.axes.items():
        is_said = axis in (*spec.rows, *spec.columns, "seed")
        if not is_said and len(chosen.get(axis, values)) > 1:
            raise ConfigError(f"table {spec.name} mixes the values of axis {axis}: put it in rows, columns or where")


def _record(coordinates: Mapping[str, str], row: Result, names: Iterable[str]) -> _Record:
    return _Record(coordinates, {name: figure(row, name) for name in names})


def _beside(record: _Record, experiment: Experiment, spec: TableSpec) -> _Record:
    """A published record with other names for columns that ours have, too."""
    known = {axis: experiment.axes[axis] for axis in spec.columns}
    coordinates = {
        axis: f"{value} (paper)" if value in known.get(axis, ()) else value
        for axis, value in record.coordinates.items()
    }
    return _Record(coordinates, record.figures)


def published_rows(published: Published, spec: TableSpec) -> tuple[list[str], list[list[Any]]]:
    """The columns and rows of published figures that stand beside a table."""
    if spec.published is None:
        return [], []
    if spec.published not in published:
        raise ConfigError(f"no published figures {spec.published!r}; there are {', '.join(published)}")
    table = published[spec.published]
    return list(table["columns"]), [list(row) for row in table["rows"]]


def _published(published: Published, spec: TableSpec) -> Iterator[_Record]:
    columns, rows = published_rows(published, spec)
    for row in rows:
        named = dict(zip(columns, row, strict=True))
        axes = {name: str(value) for name, value in named.items() if name not in FIGURES}
        yield _Record(axes, {name: named.get(name) for name in spec.figures})


def _keys(places: Iterable[Mapping[str, str]], axes: Sequence[str], experiment: Experiment) -> list[tuple[str, ...]]:
    """The values on some axes, those of the experiment first and in its order."""
    found = dict.fromkeys(tuple(place[axis] for axis in axes) for place in places)
    order = [list(dict.fromkeys([*experiment.axes[axis], *(key[at] for key in found)])) for at, axis in enumerate(axes)]
    return sorted(found, key=lambda key: [values.index(value) for values, value in zip(order, key, strict=True)])


def _best(
    values: Mapping[tuple[tuple[str, ...], tuple[str, ...]], Sequence[Mean | None]], spec: TableSpec
) -> set[tuple[tuple[str, ...], tuple[str, ...], str]]:
    """The places of the highest figures of each column, among rows that share a value, unless all are alike."""
    if spec.best is None:
        return set()

    def share(row: tuple[str, ...]) -> str:
        return "" if spec.best == "all" else row[spec.rows.index(spec.best or "")]

    found: dict[tuple[str, tuple[str, ...], str], set[float]] = {}
    flat = [
        (row, column, name, round(mean.mean, 1))
        for (row, column), means in values.items()
        for name, mean in zip(spec.figures, means, strict=True)
        if mean is not None
    ]
    for row, column, name, value in flat:
        found.setdefault((share(row), column, name), set()).add(value)
    return {
        (row, column, name)
        for row, column, name, value in flat
        if value == max(others := found[share(row), column, name]) and len(others) > 1
    }


def _seeds(values: Iterable[Sequence[Mean | None]]) -> str:
    """How many seeds the figures are of, unless they are of one, as speeds are."""
    most = max((mean.count for group in values for mean in group if mean is not None), default=0)
    return f"Mean ± standard deviation over {most} seeds." if most > 1 else ""


def _titles(figures: Sequence[str]) -> str:
    return " / ".join(_title(name) for name in figures)


def _title(name: str) -> str:
    split, _, score = name.partition(" ")
    if split in ("dev", "test"):
        return f"{split} {_TITLES.get(score, score)}"
    if split == "suite":
        return name.replace("disc ", "disc. ")
    return name.upper() if name in ("cpu", "gpu") else name.replace("cpu", "CPU").replace("gpu", "GPU")


def _shown(name: str) -> Callable[[float], str]:
    """How figures of that name are written."""
    if name == "parameters":
        return lambda value: f"{value / 1e6:.1f}M"
    if name == "repairs/sentence":
        return lambda value: f"{value:.2f}"
    if name.endswith("/s") or name in ("seconds", "epochs", "train sentences"):
        return lambda value: f"{value:,.0f}" if value >= 10 or value == round(value) else f"{value:.2g}"
    return lambda value: f"{value:.1f}"


def _markdown(cell: Cell) -> str:
    if isinstance(cell, str):
        return cell
    if all(entry.value is None for entry in cell):
        return _NONE
    return " / ".join(f"**{entry.text()}**" if entry.is_best else entry.text() for entry in cell)


def _latex(entry: Entry) -> str:
    text = _escape(entry.text()).replace("±", r"$\pm$")
    return rf"\textbf{{{text}}}" if entry.is_best else text


_LATEX = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "–": "--"}


def _escape(text: str) -> str:
    return re.sub(r"[\\~^–&%$#_{}]", lambda sign: _LATEX.get(sign[0], f"\\{sign[0]}"), text)


def _is_number(cell: Cell) -> bool:
    return isinstance(cell, str) and re.match(r"[0-9.,]+(?: |$)", cell) is not None
