"""Plots of results: lines over epochs, lengths, gaps or training sizes, and dots over speed."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from permutree.errors import ConfigError
from permutree_lab.grid import Experiment, PlotSpec, Selection
from permutree_lab.results import Mean, Result, Results, figure, group

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Line", "Plot", "as_figure", "draw", "make_plot"]

#: colours that people with any kind of sight can tell apart
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#999933")
#: how lines and dots differ where colours come again
_DASHES, _MARKERS = ("-", "--", ":"), ("o", "s", "D")
#: more points than these in a row would hide their line
_MOST_DOTS = 15
#: text stays text, and nothing in a file depends on when or in which process it was written
_STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "permutree",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.axisbelow": True,
    "grid.color": "#d0d7de",
}
_METADATA: dict[str, dict[str, str | None]] = {
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
}


@dataclass(frozen=True, slots=True)
class Line:
    """Points from left to right, each with what it deviates by, if it does."""

    name: str
    points: Sequence[tuple[float, Mean]]


@dataclass(frozen=True, slots=True)
class Plot:
    """What is drawn, and what stands at the axes."""

    title: str
    across: str
    up: str
    lines: Sequence[Line]
    #: names of places across, where these are not numbers
    ticks: Sequence[tuple[float, str]] = ()
    is_logarithmic: bool = False
    #: points are dots that stand alone
    is_scattered: bool = False


def make_plot(experiment: Experiment, spec: PlotSpec, results: Results) -> Plot:
    """A plot of an experiment, over seeds."""
    for axis in spec.lines:
        if axis not in experiment.axes:
            raise ConfigError(f"plot {spec.name}: no axis {axis!r}; there are {', '.join(experiment.axes)}")
    selection = Selection.parse(spec.where, experiment.axes)
    rows = [
        (cell.coordinates, row)
        for cell in experiment.cells
        if selection.has(cell.coordinates) and (row := results.of(cell)) is not None
    ]
    groups = {", ".join(key): found for key, found in group(rows, spec.lines).items()}
    title = spec.title or experiment.title
    if spec.kind == "curves":
        column = 2 if "disc" in spec.figure else 1
        lines = [Line(name, _points(_curve(row, column) for row in found)) for name, found in groups.items()]
        return Plot(title, "epoch", _figure_title(spec.figure), lines)
    if spec.kind == "sizes":
        lines = [Line(name, _points(_size(row, spec.figure) for row in found)) for name, found in groups.items()]
        return Plot(title, "sentences of the training set", _figure_title(spec.figure), lines, is_logarithmic=True)
    if spec.kind == "speed":
        lines = [Line(name, _speed(found, spec)) for name, found in groups.items()]
        return Plot(
            title, _figure_title(spec.speed), _figure_title(spec.figure), lines, is_logarithmic=True, is_scattered=True
        )
    read = _by_length if spec.kind == "lengths" else _by_gap
    named = {name: [read(row, spec.figure) for row in found] for name, found in groups.items()}
    names = dict.fromkeys(place for found in named.values() for values in found for place in values)
    order = sorted(names, key=lambda name: int(name.partition("–")[0]))
    ticks = [(float(number), name) for number, name in enumerate(order)]
    lines = [
        Line(name, _points([(number, values[place]) for number, place in ticks if place in values] for values in found))
        for name, found in named.items()
    ]
    across = "words of the sentence" if spec.kind == "lengths" else "gaps of the constituent"
    return Plot(title, across, _figure_title(spec.figure), lines, ticks)


#: points of one result
Points = Iterable[tuple[float, float]]


def _points(many: Iterable[Points]) -> list[tuple[float, Mean]]:
    """The points of several seeds, their mean at each place."""
    found: dict[float, list[float]] = {}
    for points in many:
        for across, up in points:
            found.setdefault(across, []).append(up)
    return [(across, mean) for across, values in sorted(found.items()) if (mean := Mean.of(values)) is not None]


def _curve(row: Result, column: int) -> Points:
    return [(point[0], point[column]) for point in row.get("curve", ()) if point[column] is not None]


def _size(row: Result, name: str) -> Points:
    size, value = row.get("train sentences"), figure(row, name)
    return [(size, value)] if size and value is not None else []


def _speed(rows: Sequence[Result], spec: PlotSpec) -> list[tuple[float, Mean]]:
    speed = Mean.of(figure(row, spec.speed) for row in rows)
    score = Mean.of(figure(row, spec.figure) for row in rows)
    return [] if speed is None or score is None else [(speed.mean, score)]


def _by_length(row: Result, name: str) -> dict[str, float]:
    split, _, score = name.partition(" ")
    place = 2 if score == "disc f1" else 1
    lengths: dict[str, Any] = (row.get(split) or {}).get("lengths", {})
    return {span: values[place] for span, values in lengths.items() if values[place] is not None}


def _by_gap(row: Result, name: str) -> dict[str, float]:
    counts: dict[str, Any] = (row.get(name.partition(" ")[0]) or {}).get("gaps", {})
    return {gaps: 200 * right / (gold + cand) for gaps, (gold, cand, right) in counts.items() if gold}


def _figure_title(name: str) -> str:
    return name.replace("disc f1", "discontinuous F1").replace("f1", "F1").replace("cpu", "CPU").replace("gpu", "GPU")


def draw(plot: Plot, target: str = "svg") -> bytes:
    """The picture as SVG or PNG."""
    from matplotlib import rc_context

    stream = io.BytesIO()
    with rc_context(_STYLE):
        figure = as_figure(plot)
        figure.savefig(stream, format=target, dpi=150, bbox_inches="tight", metadata=_METADATA[target])
    return stream.getvalue()


def as_figure(plot: Plot) -> Figure:
    """The picture as Matplotlib's figure, with the names of the lines to the right."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.6, 4.4))
    axes = figure.add_subplot()
    axes.set_title(plot.title, loc="left", fontweight="bold", fontsize=11)
    axes.set_xlabel(plot.across)
    axes.set_ylabel(plot.up)
    for number, line in enumerate(plot.lines):
        _draw_line(axes, line, number, is_scattered=plot.is_scattered)
    _scale(axes, plot)
    if plot.lines:
        axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), frameon=False, borderaxespad=0.0)
    if not any(line.points for line in plot.lines):
        axes.text(0.5, 0.5, "no results yet", ha="center", va="center", transform=axes.transAxes)
    return figure


def _draw_line(axes: Axes, line: Line, number: int, *, is_scattered: bool) -> None:
    """A line or dots with bars of a standard deviation; not below zero, as no figure is."""
    again = number // len(_COLOURS)
    is_dotted = is_scattered or len(line.points) <= _MOST_DOTS
    means = [mean.mean for _, mean in line.points]
    deviations = [mean.deviation or 0.0 for _, mean in line.points]
    bars = ([min(mean, by) for mean, by in zip(means, deviations, strict=True)], deviations)
    axes.errorbar(
        [across for across, _ in line.points],
        means,
        yerr=bars if is_dotted and any(deviations) else None,
        color=_COLOURS[number % len(_COLOURS)],
        linestyle="" if is_scattered else _DASHES[again % len(_DASHES)],
        marker=_MARKERS[again % len(_MARKERS)] if is_dotted else "",
        markersize=5,
        elinewidth=1,
        label=line.name,
    )


def _scale(axes: Axes, plot: Plot) -> None:
    """What stands along the axis to the right: names, epochs, or numbers on a logarithmic scale."""
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator

    if plot.ticks:
        axes.set_xticks([place for place, _ in plot.ticks], [name for _, name in plot.ticks])
    elif plot.is_logarithmic:
        values = [across for line in plot.lines for across, _ in line.points]
        is_wide = not values or max(values) > 8 * min(values)
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if is_wide else (1, 1.2, 1.5, 2, 3, 4, 5, 6, 8)))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}" if value >= 1 else f"{value:g}"))
        axes.xaxis.set_minor_locator(NullLocator())
    else:
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
