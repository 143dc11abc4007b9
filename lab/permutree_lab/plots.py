"""Plots of results as SVG pictures: lines over epochs, lengths, gaps or training sizes, and dots over speed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from permutree.errors import ConfigError
from permutree_lab.grid import Experiment, PlotSpec, Selection
from permutree_lab.results import Mean, Result, Results, figure, group

__all__ = ["Line", "Plot", "draw", "make_plot"]

#: where lines are drawn; to the right of it stand their names
_HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 400, 56, 540, 36, 52
#: room for a letter of a name
_LETTER = 6.8
#: colours that people with any kind of sight can tell apart
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#999933")
#: how lines and dots differ where colours come again
_DASHES = ("", "6 3", "2 2")
_DOTS = (
    '<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>',
    '<path d="M{x:.1f} {y:.1f}m-3.5-3.5h7v7h-7z" fill="{colour}"/>',
    '<path d="M{x:.1f} {y:.1f}m0-4.8l4.8 4.8-4.8 4.8-4.8-4.8z" fill="{colour}"/>',
)


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


def draw(plot: Plot) -> str:
    """The picture, with the names of the lines to the right."""
    points = [point for line in plot.lines for point in line.points]
    bottom, top = _nice([value for _, mean in points for value in _bar(mean)])
    left, right = _span([across for across, _ in points], plot)
    inner_bottom = _HEIGHT - _BOTTOM
    width = _RIGHT + 44 + round(_LETTER * max((len(line.name) for line in plot.lines), default=0))
    scale = math.log10 if plot.is_logarithmic else float

    def x(value: float) -> float:
        share = (scale(value) - scale(left)) / (scale(right) - scale(left) or 1.0)
        return _LEFT + (_RIGHT - _LEFT) * share

    def y(value: float) -> float:
        return inner_bottom - (inner_bottom - _TOP) * (value - bottom) / (top - bottom)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {_HEIGHT}" font-family="sans-serif" '
        'font-size="12">',
        f"<title>{escape(plot.title)}</title>",
        f'<rect width="{width}" height="{_HEIGHT}" fill="#ffffff"/>',
        f'<text x="{_LEFT}" y="20" font-size="14" font-weight="bold">{escape(plot.title)}</text>',
    ]
    step = _step(top - bottom)
    for number in range(round((top - bottom) / step) + 1):
        value = bottom + number * step
        parts.append(f'<path d="M{_LEFT} {y(value):.1f}H{_RIGHT}" stroke="#d0d7de"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value:g}</text>')
    for place, name in plot.ticks or _ticks(left, right, plot.is_logarithmic):
        parts.append(f'<path d="M{x(place):.1f} {inner_bottom}v4" stroke="#57606a"/>')
        parts.append(f'<text x="{x(place):.1f}" y="{inner_bottom + 18}" text-anchor="middle">{escape(name)}</text>')
    middle = (_LEFT + _RIGHT) / 2
    parts.append(f'<text x="{middle:.1f}" y="{_HEIGHT - 10}" text-anchor="middle">{escape(plot.across)}</text>')
    height = (_TOP + inner_bottom) / 2
    turned = f'transform="rotate(-90 14 {height:.1f})" text-anchor="middle"'
    parts.append(f'<text x="14" y="{height:.1f}" {turned}>{escape(plot.up)}</text>')
    for number, line in enumerate(plot.lines):
        parts += _draw_line(line, number, x, y, is_scattered=plot.is_scattered)
    if not points:
        parts.append(f'<text x="{middle:.1f}" y="{height:.1f}" text-anchor="middle">no results yet</text>')
    return "\n".join([*parts, "</svg>", ""])


def _draw_line(
    line: Line, number: int, x: Callable[[float], float], y: Callable[[float], float], *, is_scattered: bool
) -> list[str]:
    colour = _COLOURS[number % len(_COLOURS)]
    dash = _DASHES[number // len(_COLOURS) % len(_DASHES)]
    dot = _DOTS[number // len(_COLOURS) % len(_DOTS)]
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    parts = []
    if not is_scattered and len(line.points) > 1:
        dots = " ".join(f"{x(across):.1f},{y(mean.mean):.1f}" for across, mean in line.points)
        parts.append(f'<polyline points="{dots}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>')
    # Many points in a row would hide their line.
    is_dotted = is_scattered or len(line.points) <= 15
    for across, mean in line.points if is_dotted else ():
        if mean.deviation:
            low, high = _bar(mean)
            parts.append(f'<path d="M{x(across):.1f} {y(low):.1f}V{y(high):.1f}" stroke="{colour}"/>')
        parts.append(dot.format(x=x(across), y=y(mean.mean), colour=colour))
    top = _TOP + 8 + 17 * number
    right = _RIGHT + 12
    if is_scattered:
        parts.append(dot.format(x=right + 9, y=top, colour=colour))
    else:
        parts.append(f'<path d="M{right} {top}h18" stroke="{colour}" stroke-width="2"{dashes}/>')
    parts.append(f'<text x="{right + 24}" y="{top + 4}">{escape(line.name)}</text>')
    return parts


def _bar(mean: Mean) -> tuple[float, float]:
    """A standard deviation below and above a mean; not below zero, as no figure is."""
    deviation = mean.deviation or 0.0
    return max(mean.mean - deviation, 0.0), mean.mean + deviation


def _nice(values: Sequence[float]) -> tuple[float, float]:
    """Round numbers below and above all values."""
    if not values:
        return 0.0, 100.0
    low, high = min(values), max(values)
    step = _step(high - low or 1.0)
    low, high = math.floor(low / step) * step, math.ceil(high / step) * step
    return (low, high) if high > low else (low - step, high + step)


def _step(span: float) -> float:
    """A round step that makes four to ten of a span.

    >>> _step(87.0), _step(3.0)
    (10, 0.5)
    """
    unit: float = 10.0 ** math.floor(math.log10(span))
    size = next(part for part in (0.1, 0.2, 0.5, 1) if span / (part * unit) <= 10)
    step = size * unit
    return int(step) if step >= 1 else step


def _span(values: Sequence[float], plot: Plot) -> tuple[float, float]:
    if plot.ticks:
        return plot.ticks[0][0] - 0.3, plot.ticks[-1][0] + 0.3
    if not values:
        return 1.0, 10.0
    low, high = min(values), max(values)
    if plot.is_logarithmic:
        return low / 1.15, high * 1.15
    return (low, high) if high > low else (low - 1, high + 1)


def _ticks(left: float, right: float, is_logarithmic: bool) -> list[tuple[float, str]]:
    if is_logarithmic:
        powers = range(math.floor(math.log10(left)), math.ceil(math.log10(right)) + 1)
        places = [digit * 10.0**power for power in powers for digit in (1, 2, 5)]
        if sum(left <= place <= right for place in places) < 3:
            places = [digit * 10.0**power for power in powers for digit in (1, 1.2, 1.5, 2, 3, 4, 5, 6, 8)]
    else:
        step = max(1.0, _step(right - left))
        places = [step * number for number in range(math.ceil(left / step), math.floor(right / step) + 1)]
    return [(place, f"{place:,.0f}" if place >= 1 else f"{place:g}") for place in places if left <= place <= right]
