"""Running a corpus from files to shards: plan, go on where a run stopped, report."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from permutree.corpora.documents import Columns
from permutree.corpora.inputs import Input, find_inputs
from permutree.corpora.local import Engine, LocalEngine
from permutree.corpora.manifest import FOLDER, Manifest, shard_name
from permutree.corpora.plan import Piece, Scan
from permutree.corpora.shards import Counts, Done, ShardWorker, check_shard, read_shard, tasks
from permutree.corpora.step import Step
from permutree.corpora.storage import Place, place_of
from permutree.errors import ConfigError, DataError, PermutreeError

__all__ = ["SHARD_SIZE", "Report", "run", "verify"]

#: bytes of input that go into a shard
SHARD_SIZE = 4 << 20
#: footers of shards that are read at once
_READERS = 16


@dataclass(frozen=True, slots=True)
class Report:
    """What a run has done."""

    counts: Counts
    #: what this run has made; the rest was there
    made: Counts
    shards: int
    made_shards: int
    seconds: float
    workers: int

    @property
    def sentences_per_second(self) -> float:
        """The speed of this run."""
        return self.made.rows / self.seconds if self.seconds else 0.0

    def cost(self, price_per_hour: float) -> float:
        """What this run has cost, if a worker costs so much an hour."""
        return price_per_hour * self.workers * self.seconds / 3600


@dataclass(frozen=True)
class _Wanted:
    """What was asked for."""

    given: Sequence[str]
    out: str
    step: Step
    scan: Scan

    def settings(self) -> dict[str, Any]:
        return Manifest.settings_of(
            self.step, shard_size=self.scan.size, format=self.scan.format, charset=self.scan.charset
        )


def run(
    inputs: str | Sequence[str],
    out: str,
    *,
    step: Step | None = None,
    engine: Engine | None = None,
    format: str | None = None,  # noqa: A002 - the word that users expect
    charset: str = "utf-8",
    shard_size: int = SHARD_SIZE,
    on_start: Callable[[int, int], None] | None = None,
    on_shard: Callable[[Done], None] | None = None,
) -> Report:
    """Parse the documents of files into a folder of Parquet shards; a folder that was begun is gone on with.

    ``on_start`` is told how many shards there are, and how many of them were there; ``on_shard`` of each that is made.
    """
    began = time.perf_counter()
    wanted, engine = _wanted(inputs, out, step, format, charset, shard_size), engine or LocalEngine()
    place = place_of(out)
    with _locked(place):
        manifest = _manifest(wanted, place, engine)
        shards = manifest.shards()
        there = _there(place, manifest, len(shards))
        if on_start is not None:
            on_start(len(shards), len(there))
        missing = [shard for shard in shards if shard.number not in there]
        made: dict[int, Counts] = {}
        worker = ShardWorker(wanted.step, out, manifest.digest, charset)
        for done in engine.map(worker, tasks(missing, manifest.inputs)):
            made[done.number] = done.counts
            if on_shard is not None:
                on_shard(done)
        _finish(place, manifest, there | made)
    return Report(
        sum(there.values(), Counts()) + sum(made.values(), Counts()),
        sum(made.values(), Counts()),
        len(shards),
        len(made),
        time.perf_counter() - began,
        engine.workers,
    )


def verify(
    inputs: str | Sequence[str],
    out: str,
    *,
    step: Step | None = None,
    engine: Engine | None = None,
    format: str | None = None,  # noqa: A002
    charset: str = "utf-8",
    shard_size: int = SHARD_SIZE,
) -> tuple[Report, list[str]]:
    """Check all of a folder: settings, the content of all inputs, each byte of each shard; and say what is wrong."""
    began = time.perf_counter()
    wanted, engine = _wanted(inputs, out, step, format, charset, shard_size), engine or LocalEngine()
    place = place_of(out)
    manifest = Manifest.read(place)
    if manifest is None:
        raise DataError("there is no corpus in this folder", source=out)
    manifest.check_settings(wanted.settings(), out)
    found = [
        Input(one.uri, one.name, one.size, -1) for one in find_inputs(wanted.given, wanted.scan.format)
    ]  # no time: look through all of them
    manifest.check_inputs(found, lambda numbers: _scan(wanted.scan, found, numbers, engine))
    wrong, counts = [], Counts()
    shards = manifest.shards()
    for checked in engine.map(_Check(out, manifest.digest), [shard.number for shard in shards]):
        if isinstance(checked, str):
            wrong.append(checked)
        else:
            counts += checked
    names = {shard_name(shard.number) for shard in shards}
    wrong += [
        f"{name}: is no shard of this corpus"
        for name in (info.path.rpartition("/")[2] for info in place.files())
        if name.endswith(".parquet") and name not in names
    ]
    report = Report(counts, Counts(), len(shards), 0, time.perf_counter() - began, engine.workers)
    return report, sorted(wrong)


@dataclass(frozen=True)
class _Check:
    """Checks a shard by its number."""

    out: str
    run: str

    def __call__(self, number: int) -> Counts | str:
        place = place_of(self.out) / shard_name(number)
        if not place.info().is_file:
            return f"{place.name}: is not there yet"
        try:
            return check_shard(place, self.run)
        except PermutreeError as error:
            return str(error)


def _wanted(
    inputs: str | Sequence[str], out: str, step: Step | None, format_: str | None, charset: str, shard_size: int
) -> _Wanted:
    if shard_size < 1:
        raise ConfigError(f"a shard of {shard_size} bytes is too small")
    step = step or Step()
    columns = step.columns if step is not None else Columns()
    given = [inputs] if isinstance(inputs, str) else list(inputs)
    return _Wanted(given, out, step, Scan(shard_size, format_, charset, columns))


def _manifest(wanted: _Wanted, place: Place, engine: Engine) -> Manifest:
    """The manifest of a folder that was begun, checked; or a new one."""
    settings = wanted.settings()
    manifest = Manifest.read(place)
    if manifest is not None:
        manifest.check_settings(settings, wanted.out)
    found = find_inputs(wanted.given, wanted.scan.format)
    if manifest is not None:
        manifest.check_inputs(found, lambda numbers: _scan(wanted.scan, found, numbers, engine))
        return manifest
    strangers = [info.path for info in place.files() if not info.path.rpartition("/")[2].startswith(".")]
    if strangers:
        raise ConfigError(f"{wanted.out} holds other files, such as {strangers[0]}; name a new folder")
    pieces = [piece for some in _scan(wanted.scan, found, range(len(found)), engine) for piece in some]
    manifest = Manifest(settings, found, pieces)
    manifest.write(place)
    return manifest


def _scan(scan: Scan, inputs: Sequence[Input], numbers: Iterable[int], engine: Engine) -> list[list[Piece]]:
    """The pieces of some inputs, in their order."""
    numbers = list(numbers)
    # A process that starts for one file takes longer than the file.
    chosen = engine if len(numbers) > engine.workers else LocalEngine()
    found = dict(chosen.map(_Numbered(scan), [(number, inputs[number]) for number in numbers]))
    return [found[number] for number in numbers]


@dataclass(frozen=True)
class _Numbered:
    """A scan whose results say which input they are of, as they come in any order."""

    scan: Scan

    def __call__(self, task: tuple[int, Input]) -> tuple[int, list[Piece]]:
        return task[0], self.scan(task)


def _there(place: Place, manifest: Manifest, count: int) -> dict[int, Counts]:
    """The shards that are there and whole; what a run that was killed has left behind is removed."""
    files = {info.path.rpartition("/")[2] for info in place.files()}
    for name in files:
        if name.startswith(".part-"):
            (place / name).remove()
    names = {number: shard_name(number) for number in range(count) if shard_name(number) in files}
    # In an object store, each takes a while, and most of that is waiting.
    with ThreadPoolExecutor(_READERS) as pool:
        counts = pool.map(lambda name: _counts(place / name, manifest.digest), names.values())
        return {number: found for number, found in zip(names, counts, strict=True) if found is not None}


def _counts(place: Place, run_of: str) -> Counts | None:
    """What is in a shard; None if it is damaged, and has to be made again."""
    try:
        return read_shard(place, run_of)
    except DataError:
        return None


def _finish(place: Place, manifest: Manifest, shards: dict[int, Counts]) -> None:
    """Write how much there is in which shard, as a sign that all are there."""
    record = {
        "run": manifest.digest,
        "total": asdict(sum(shards.values(), Counts())),
        "shards": {shard_name(number): asdict(shards[number]) for number in sorted(shards)},
    }
    (place / FOLDER / "done.json").write(json.dumps(record, indent=1).encode())


@contextlib.contextmanager
def _locked(place: Place) -> Iterator[None]:
    """Keep another run on this machine out of a folder; the lock ends with the process, however that ends."""
    if not place.is_local:
        yield
        return
    try:
        import fcntl
    except ModuleNotFoundError:  # a system without such locks
        yield
        return
    folder = Path(place.path) / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ConfigError(f"{place.path}: another run is writing there; wait for it, or end it") from None
        yield
