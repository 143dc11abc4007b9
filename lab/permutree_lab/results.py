"""Results: what came of cells, a line of JSON each, and the figures in them."""

from __future__ import annotations

import contextlib
import json
import logging
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from permutree.errors import ConfigError
from permutree_lab.grid import Cell, Place, place_of
from permutree_lab.misses import KINDS

__all__ = ["FIGURES", "Mean", "Result", "Results", "append_row", "figure", "group", "locked", "read_rows"]

#: a row of a file of results
Result = dict[str, Any]

_log = logging.getLogger("permutree")

_SCORES = ("precision", "recall", "f1", "exact match")
_OF_SPLITS = (
    *_SCORES,
    "tag accuracy",
    "repairs/sentence",
    *(f"disc {score}" for score in _SCORES),
    *(f"missed, {kind}" for kind in KINDS),
)
_OF_CELLS = (
    *("parameters", "seconds", "epochs", "train sentences"),
    *("train sentences/s", "cpu sentences/s", "gpu sentences/s"),
)
#: of the suite of constructions, the half for development and the half for tests: per cent of what is marked
_OF_SUITES = {
    "recall": ("found", "marked"),
    "disc recall": ("gaps_found", "gaps_marked"),
    "right": ("right", "sentences"),
}
#: all figures that tables and plots can show
FIGURES = (
    *(f"{split} {name}" for split in ("dev", "test") for name in _OF_SPLITS),
    *_OF_CELLS,
    *(f"{suite} {name}" for suite in ("suite", "suite test") for name in _OF_SUITES),
)


def figure(row: Result, name: str) -> float | None:
    """One figure of a result; None if it has none."""
    if name not in FIGURES:
        raise ConfigError(f"no figure {name!r}; there are {', '.join(FIGURES)}")
    split, _, score = name.partition(" ")
    found: Any
    if split in ("dev", "test"):
        scores = row.get(split) or {}
        found = scores.get(score)
        if score.startswith("disc "):
            found = (scores.get("discontinuous") or {}).get(score.removeprefix("disc "))
        elif score.startswith("missed, ") and "misses" in scores:
            # in per cent of all gold discontinuous constituents
            total = scores["discontinuous"]["brackets"][0]
            found = 100 * scores["misses"][score.removeprefix("missed, ")] / total if total else None
    elif split == "suite":
        half = "test" if score.startswith("test ") else "dev"
        counts = (row.get("suite") or {}).get(half)
        some, of = _OF_SUITES[score.removeprefix("test ")]
        found = 100 * counts[some] / counts[of] if counts else None
    else:
        found = row.get(name)
    return None if found is None else float(found)


@dataclass(frozen=True, slots=True)
class Mean:
    """A figure over seeds: the mean, and the standard deviation of the sample where there are several."""

    mean: float
    deviation: float | None
    count: int

    @classmethod
    def of(cls, values: Iterable[float | None]) -> Mean | None:
        """The mean of those that there are; None of nothing.

        >>> Mean.of([70.0, None, 71.0, 72.0])
        Mean(mean=71.0, deviation=1.0, count=3)
        """
        known = [value for value in values if value is not None]
        if not known:
            return None
        deviation = statistics.stdev(known) if len(known) > 1 else None
        return cls(statistics.fmean(known), deviation, len(known))


class Results:
    """The results of all experiments in a folder, so that a cell that two of them share is run once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.rows: dict[str, Result] = {}
        #: keys by experiment and place on its axes
        self.keys: dict[Place, str] = {}
        #: experiments with results whose keys are not those of their cells
        self._outdated: set[str] = set()
        #: keys of cells whose speed is known, and on what, be there a result or not
        self.measured: set[tuple[str, str]] = set()
        for path in sorted(folder.glob("*.jsonl")):
            for row in read_rows(path):
                self._add(row)
        for path in sorted((folder / "speeds").glob("*.jsonl")):
            for row in read_rows(path):
                self.measured.add((row["key"], row["on"]))
                if row["key"] in self.rows:
                    self.rows[row["key"]] = self.rows[row["key"]] | {f"{row['on']} sentences/s": row["sentences/s"]}

    def of(self, cell: Cell) -> Result | None:
        """The result of a cell, if there is one: that of its settings, or else that of its place in its experiment.

        A result of the same place has a key that an earlier version of permutree gave it, or other settings.
        """
        if cell.settings is not None and (row := self._usable(cell.key, cell)) is not None:
            return row
        row = self._usable(self.keys.get(cell.place), cell)
        if row is not None and cell.settings is not None and cell.experiment not in self._outdated:
            self._outdated.add(cell.experiment)
            _log.warning(
                "%s: some results have old keys (permutree experiment rekey) or are of other settings", cell.experiment
            )
        return row

    def key(self, cell: Cell) -> str:
        """The key under which the work of a cell that has a result was kept."""
        row = self.of(cell)
        return cell.key if row is None else str(row["key"])

    def is_done(self, cell: Cell) -> bool:
        """Whether there is a result of the very settings of a cell, so that it need not be run."""
        return self._usable(cell.key, cell) is not None

    def _usable(self, key: str | None, cell: Cell) -> Result | None:
        """The result of a key; one without test scores is good for its own experiment only."""
        row = None if key is None else self.rows.get(key)
        if row is not None and not _is_complete(row) and row.get("experiment") != cell.experiment:
            return None
        return row

    def append(self, experiment: str, row: Result) -> None:
        """Keep one more."""
        append_row(self.folder / f"{experiment}.jsonl", row)
        self._add(row)

    def _add(self, row: Result) -> None:
        key = row["key"]
        if _is_complete(row) or key not in self.rows:
            self.rows[key] = row
        if "experiment" in row and "cell" in row:
            self.keys[place_of(row["experiment"], row["cell"])] = key

    def estimate(self, cell: Cell) -> float | None:
        """The seconds that a cell will take, by those that are like it; None if there are none."""
        for axes in (set(cell.coordinates) - {"seed"}, {"treebank", "encoder"}):
            wanted = {axis: cell.coordinates[axis] for axis in axes if axis in cell.coordinates}
            seconds = [
                float(row["seconds"])
                for row in self.rows.values()
                if row.get("seconds") and wanted.items() <= row.get("cell", {}).items()
            ]
            if wanted and seconds:
                return statistics.fmean(seconds)
        return None


def _is_complete(row: Result) -> bool:
    return "test" in row or "sizes" in row


def read_rows(path: Path) -> list[Result]:
    """The lines of a file; a last one that was cut off when a machine died is left out, which is said."""
    if not path.is_file():
        return []
    lines = path.read_bytes().split(b"\n")
    rows = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            row["key"]
        except (ValueError, KeyError, TypeError):
            _log.warning("%s, line %d: left out, it is not a result", path, number)
            continue
        rows.append(row)
    return rows


def append_row(path: Path, row: Mapping[str, Any]) -> None:
    """Add a line to a file, which several processes may do at once."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as file, _lock(file):
        line = json.dumps(row, ensure_ascii=False).encode() + b"\n"
        size = file.seek(0, 2)
        if size:
            file.seek(size - 1)
            if file.read(1) != b"\n":
                line = b"\n" + line
        file.write(line)
        file.flush()


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Wait until no other process holds the lock of this name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file, _lock(file):
        yield


@contextlib.contextmanager
def _lock(file: IO[bytes]) -> Iterator[None]:
    try:
        import fcntl
    except ImportError:
        # Systems without such locks have no clusters either.
        yield
        return
    fcntl.flock(file, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(file, fcntl.LOCK_UN)


def group(rows: Iterable[tuple[Mapping[str, str], Result]], axes: Sequence[str]) -> dict[tuple[str, ...], list[Result]]:
    """Results by the values that their cells have on some axes, in the order in which these come."""
    groups: dict[tuple[str, ...], list[Result]] = {}
    for coordinates, row in rows:
        groups.setdefault(tuple(coordinates[axis] for axis in axes), []).append(row)
    return groups
