"""Runs the cells of experiments side by side, each in a process of its own.

A cell that fails does not stop the others. Whatever stops the run, what is done stays done: results are appended as
cells end, and a cell that was under way goes on from its last checkpoint when the run is started again.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from permutree_lab.cell import RUNNER, Places
from permutree_lab.grid import Cell, Experiment
from permutree_lab.results import Result, Results

__all__ = ["Failure", "Options", "Outcome", "is_begun", "run", "shard", "time_left"]

#: seconds between looks at the processes
_PAUSE = 0.2
#: seconds that processes have to go when they are told to
_GRACE = 10.0
#: cells like others take this much longer at most, usually
_MARGIN = 1.15

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Options:
    """How cells are run."""

    #: cells side by side
    processes: int = 1
    #: the GPUs that they take in turns; whatever there is, if none are named
    devices: Sequence[str] = ()
    #: after so many minutes, all stop
    minutes: float | None = None
    #: models are thrown away when they have been scored
    discard_models: bool = False


@dataclass(frozen=True, slots=True)
class Failure:
    """A process that ended badly."""

    what: str
    log: Path


@dataclass(slots=True)
class Outcome:
    """What came of a run."""

    done: int = 0
    failures: list[Failure] = field(default_factory=list)
    #: cells that have no result yet, but have not failed
    left: list[Cell] = field(default_factory=list)
    is_interrupted: bool = False


@dataclass(slots=True)
class _Job:
    """A process to be run: a cell, or the tags that cells wait for."""

    key: str
    what: str
    #: the file of the experiment
    file: Path
    seconds: float | None
    cell: Cell | None = None
    needs: str | None = None
    process: subprocess.Popen[bytes] | None = None
    slot: int = 0


def run(
    experiments: Sequence[Experiment],
    cells: Sequence[Cell],
    places: Places,
    results: Results,
    options: Options,
    tell: Tell,
) -> Outcome:
    """Run all cells that have no result yet; one that several experiments have is run for the first of them."""
    for experiment in experiments:
        experiment.check_runnable()
    return _Run(experiments, places, results, options, tell).run(cells)


def shard(cells: Sequence[Cell], text: str) -> list[Cell]:
    """Every nth cell from the ith on, for ``i/n``: what one of n machines does.

    >>> shard([], "3/2")
    Traceback (most recent call last):
    ValueError: expected a share such as 2/8, the second of eight, not '3/2'
    """
    first, _, count = text.partition("/")
    if not (first.isdecimal() and count.isdecimal() and 1 <= int(first) <= int(count)):
        raise ValueError(f"expected a share such as 2/8, the second of eight, not {text!r}")
    return list(cells[int(first) - 1 :: int(count)])


def is_begun(cell: Cell, places: Places) -> bool:
    """Whether a cell was interrupted after its first epoch."""
    return (places.cell(cell.key) / "elapsed.json").exists()


def time_left(cell: Cell, places: Places, results: Results) -> float | None:
    """The seconds that a cell will still take, by how far it is or by cells that are like it; None if nobody knows."""
    file = places.cell(cell.key) / "elapsed.json"
    if file.exists():
        so_far = json.loads(file.read_text("utf-8"))
        return float(so_far["seconds"] / max(1, so_far["epoch"]) * (so_far["epochs"] - so_far["epoch"]))
    return results.estimate(cell)


class _Run:
    """One run of some experiments."""

    def __init__(
        self, experiments: Sequence[Experiment], places: Places, results: Results, options: Options, tell: Tell
    ) -> None:
        self.files = {one.name: one.folder / f"{one.name}.toml" for one in experiments}
        self.places, self.results = places, results
        self.options, self.tell = options, tell
        self.outcome = Outcome()
        self.running: list[_Job] = []
        self.start = time.monotonic()
        self.total = 0
        #: the keys of what failed
        self.failed: set[str] = set()
        self.is_stopped = False

    def run(self, cells: Sequence[Cell]) -> Outcome:
        """Run until all is done, or time is up, or somebody stops it."""
        open_cells: dict[str, Cell] = {}
        for cell in cells:
            if not self.results.is_done(cell):
                open_cells.setdefault(cell.key, cell)
        # Some were done when a run before was killed.
        for key in self._harvest(open_cells):
            del open_cells[key]
        waiting = self._jobs(list(open_cells.values()))
        self.total = sum(job.cell is not None for job in waiting)
        with self._listening():
            try:
                while (waiting or self.running) and not self.is_stopped:
                    self._start(waiting)
                    if not self.running:
                        break
                    time.sleep(_PAUSE)
                    if self.is_stopped:
                        # A key that interrupts does so to all processes: these did not fail.
                        break
                    for job in [job for job in self.running if job.process and job.process.poll() is not None]:
                        self._end(job, waiting)
                    if self._seconds_left() <= 0:
                        break
            finally:
                self._stop_all()
                self._harvest(open_cells)
        self.outcome.left = [
            cell for key, cell in open_cells.items() if not self.results.is_done(cell) and key not in self.failed
        ]
        self.outcome.is_interrupted = self.is_stopped
        return self.outcome

    def _harvest(self, cells: Mapping[str, Cell]) -> list[str]:
        """Record the cells that are done, but were not seen to end."""
        found = [
            key
            for key, cell in cells.items()
            if not self.results.is_done(cell) and (self.places.cell(key) / "result.json").exists()
        ]
        for key in found:
            self._record(cells[key])
        return found

    def _jobs(self, cells: Sequence[Cell]) -> list[_Job]:
        """What is to be run: tags first, then cells that were begun, then the others."""
        jobs = []
        missing = set()
        for cell in cells:
            key = "" if cell.tagger is None else cell.tagger.key
            if key and key not in missing and not (self.places.tags(key) / "done.json").exists():
                missing.add(key)
                jobs.append(_Job(key, f"tags for {cell.treebank.name}", self.files[cell.experiment], None))
        for cell in sorted(cells, key=lambda cell: not is_begun(cell, self.places)):
            needs = cell.tagger.key if cell.tagger is not None and cell.tagger.key in missing else None
            seconds = time_left(cell, self.places, self.results)
            jobs.append(_Job(cell.key, self._name(cell), self.files[cell.experiment], seconds, cell, needs))
        return jobs

    def _start(self, waiting: list[_Job]) -> None:
        """Start what there is room and time for."""
        busy = {job.slot for job in self.running}
        for slot in (number for number in range(self.options.processes) if number not in busy):
            job = next((job for job in waiting if job.needs is None and self._has_time(job)), None)
            if job is None:
                return
            waiting.remove(job)
            job.slot = slot
            job.process = self._spawn(job)
            self.running.append(job)

    def _has_time(self, job: _Job) -> bool:
        """Whether a job can end in time; one that never could in one go is begun all the same."""
        if job.seconds is None or self.options.minutes is None:
            return True
        needed = job.seconds * _MARGIN
        return needed <= self._seconds_left() or needed > 60 * self.options.minutes

    def _seconds_left(self) -> float:
        if self.options.minutes is None:
            return float("inf")
        return 60 * self.options.minutes - (time.monotonic() - self.start)

    def _spawn(self, job: _Job) -> subprocess.Popen[bytes]:
        environment = os.environ | {"OMP_NUM_THREADS": "1", RUNNER: str(os.getpid())}
        if self.options.devices:
            environment["CUDA_VISIBLE_DEVICES"] = self.options.devices[job.slot % len(self.options.devices)]
        log = self._log(job)
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("ab") as stream:
            return subprocess.Popen(self._command(job), stdout=stream, stderr=stream, env=environment)

    def _command(self, job: _Job) -> list[str]:
        command = [sys.executable, "-m", "permutree_lab", "cell", str(job.file), job.key]
        command += ["--treebanks", str(self.places.treebanks), "--work", str(self.places.work)]
        if self.places.encoders is not None:
            command += ["--encoders", str(self.places.encoders)]
        if "test" in self.places.halves:
            command.append("--test-half")
        return command

    def _log(self, job: _Job) -> Path:
        return self.places.work / "logs" / f"{job.key}.log"

    def _end(self, job: _Job, waiting: list[_Job]) -> None:
        """See what came of a process."""
        self.running.remove(job)
        assert job.process is not None
        if job.process.returncode == 0:
            if job.cell is not None:
                self._record(job.cell)
            for other in waiting:
                if other.needs == job.key:
                    other.needs = None
            return
        self._fail(job, f"failed with exit status {job.process.returncode}")
        for other in [other for other in waiting if other.needs == job.key]:
            waiting.remove(other)
            self._fail(other, f"cannot be run without {job.what}", self._log(job))

    def _fail(self, job: _Job, how: str, log: Path | None = None) -> None:
        self.failed.add(job.key)
        self.outcome.failures.append(Failure(job.what, log or self._log(job)))
        self.tell(f"{job.what}: {how}")

    def _record(self, cell: Cell) -> None:
        row: Result = json.loads((self.places.cell(cell.key) / "result.json").read_text("utf-8"))
        self.results.append(cell.experiment, row)
        self.outcome.done += 1
        if self.options.discard_models:
            for weights in (self.places.cell(cell.key) / "model").glob("*.safetensors"):
                weights.unlink()
        counted = f"{self.outcome.done}/{max(self.total, self.outcome.done)}"
        self.tell(f"[{counted}] {self._name(cell)}: {_told(row)}")

    def _name(self, cell: Cell) -> str:
        """What a cell is called, with its experiment if there are several."""
        return str(cell) if len(self.files) == 1 else f"{cell.experiment}: {cell}"

    def _stop_all(self) -> None:
        """End all processes that are still there, and wait for them."""
        for job in self.running:
            assert job.process is not None
            job.process.terminate()
        deadline = time.monotonic() + _GRACE
        for job in self.running:
            assert job.process is not None
            try:
                job.process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                job.process.kill()
                job.process.wait()
        self.running.clear()

    @contextmanager
    def _listening(self) -> Iterator[None]:
        """Stop in good order when told to, by a key or by a scheduler."""

        def stop(number: int, frame: FrameType | None) -> None:
            self.is_stopped = True

        before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def _told(row: Result) -> str:
    """A result in a line."""
    said = []
    for split in ("dev", "test"):
        if scores := row.get(split):
            f1, disc = scores["f1"], scores["discontinuous"]["f1"]
            said.append(f"{split} {'–' if f1 is None else f'{f1:.2f}'} / {'–' if disc is None else f'{disc:.2f}'}")
    if suite := row.get("suite"):
        said.append("suite " + ", ".join(f"{half} {counts['recall']:.1f} %" for half, counts in suite.items()))
    return ", ".join([*said, f"{row['seconds']:,.0f} s"])
