"""The runner, with processes that only pretend to train."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from permutree_lab import runner
from permutree_lab.cell import Places
from permutree_lab.grid import Experiment
from permutree_lab.results import Results, append_row, read_rows

#: writes the result of a cell, or the tags that others wait for; fails, or takes long, if it is told to
PRETEND = """\
import json, os, sys, time
from pathlib import Path
key, work, what, gpu = sys.argv[1], Path(sys.argv[2]), sys.argv[3], os.environ.get("CUDA_VISIBLE_DEVICES")
with (work / "order").open("a") as file:
    file.write(f"{key} {gpu} {os.environ['OMP_NUM_THREADS']}\\n")
if what == "fail":
    sys.exit("no luck")
if what == "sleep":
    time.sleep(600)
scores = {"f1": 50.0, "discontinuous": {"f1": None}}
row = {"key": key, "dev": scores, "test": scores, "seconds": 1.0}
for folder, name in (("cells", "result.json"), ("tags", "done.json")):
    (work / folder / key).mkdir(parents=True, exist_ok=True)
    (work / folder / key / name).write_text(json.dumps(row))
"""


class Pretended:
    """A run of the tiny grid whose cells do as they are told."""

    def __init__(self, experiment: Experiment, places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
        self.experiment, self.places = experiment, places
        self.orders: dict[str, str] = {}
        self.said: list[str] = []
        self.results = Results(places.work / "results")
        places.work.mkdir(parents=True)
        self.order = places.work / "order"

        def command(run: object, job: runner._Job) -> list[str]:
            what = self.orders.get(job.key, "do")
            return [sys.executable, "-S", "-c", PRETEND, job.key, str(places.work), what]

        monkeypatch.setattr(runner._Run, "_command", command)

    def run(self, **options: object) -> runner.Outcome:
        chosen = runner.Options(**options)  # type: ignore[arg-type]
        return runner.run([self.experiment], self.experiment.cells, self.places, self.results, chosen, self.said.append)

    @property
    def started(self) -> list[list[str]]:
        return [line.split() for line in self.order.read_text("utf-8").splitlines()]


@pytest.fixture
def pretended(tiny: Experiment, places: Places, monkeypatch: pytest.MonkeyPatch) -> Pretended:
    return Pretended(tiny, places, monkeypatch)


def test_all_cells_once_after_the_tags_that_they_need(pretended: Pretended) -> None:
    cells = pretended.experiment.cells
    outcome = pretended.run(processes=2, devices=["0", "3"])
    assert (outcome.done, outcome.failures, outcome.left) == (len(cells), [], [])
    keys = [line[0] for line in pretended.started]
    (reads,) = pretended.experiment.select(["tags=predicted"])
    assert reads.tagger is not None
    assert keys.index(reads.tagger.key) < keys.index(reads.key)
    assert sorted(keys) == sorted([*(cell.key for cell in cells), reads.tagger.key])
    assert {(line[1], line[2]) for line in pretended.started} == {("0", "1"), ("3", "1")}
    assert len(Results(pretended.results.folder).rows) == len(cells)
    assert any("dev 50.00 / –, test 50.00 / –, 1 s" in line for line in pretended.said)
    # All have results now.
    assert pretended.run(processes=2).done == 0
    assert len(pretended.started) == len(keys)


def test_a_failure_stops_only_what_depends_on_it(pretended: Pretended) -> None:
    cells = pretended.experiment.cells
    (reads,) = pretended.experiment.select(["tags=predicted"])
    assert reads.tagger is not None
    pretended.orders = {reads.tagger.key: "fail", cells[0].key: "fail"}
    outcome = pretended.run(processes=2)
    assert outcome.done == len(cells) - 2
    assert {failure.what for failure in outcome.failures} == {"tags for tiny", str(reads), str(cells[0])}
    assert all("no luck" in failure.log.read_text("utf-8") for failure in outcome.failures)
    assert outcome.left == []
    # What failed is tried again by the next run.
    pretended.orders = {}
    assert pretended.run().done == 2


def test_when_time_is_up_processes_end(pretended: Pretended) -> None:
    cells = pretended.experiment.cells
    pretended.orders = {cell.key: "sleep" for cell in cells[2:]}
    start = time.monotonic()
    outcome = pretended.run(processes=2, minutes=1.5 / 60)
    assert time.monotonic() - start < 300, "it waits for processes that should end"
    assert not outcome.is_interrupted
    assert outcome.done + len(outcome.left) == len(cells)
    assert outcome.failures == []
    assert set(pretended.orders) <= {cell.key for cell in outcome.left}


def test_a_cell_that_cannot_end_in_time_is_not_begun(pretended: Pretended) -> None:
    experiment, cells = pretended.experiment, pretended.experiment.cells
    known = {"treebank": "tiny", "encoder": "BiLSTM"}
    append_row(pretended.results.folder / "old.jsonl", {"key": "old", "cell": known, "test": {}, "seconds": 50.0})
    pretended.results = Results(pretended.results.folder)
    # Fifty seconds fit into a minute, but not into what is left of it once the clock has run for twenty seconds.
    run = runner._Run(
        [experiment], pretended.places, pretended.results, runner.Options(minutes=1.0), pretended.said.append
    )
    (job,) = run._jobs(cells[:1])
    assert job.seconds == 50
    assert run._has_time(job)
    run.start -= 20
    assert not run._has_time(job)
    # What never fits is begun all the same: it goes on from its checkpoint next time.
    job.seconds = 500.0
    assert run._has_time(job)


def test_begun_cells_come_first_and_know_what_is_left(pretended: Pretended) -> None:
    cells = pretended.experiment.cells
    folder = pretended.places.cell(cells[3].key)
    folder.mkdir(parents=True)
    (folder / "elapsed.json").write_text('{"seconds": 30.0, "epoch": 3, "epochs": 10}', "utf-8")
    run = runner._Run(
        [pretended.experiment], pretended.places, pretended.results, runner.Options(), pretended.said.append
    )
    jobs = [job for job in run._jobs(cells) if job.cell is not None]
    assert jobs[0].key == cells[3].key
    assert jobs[0].seconds == 70


def test_experiments_that_share_cells(pretended: Pretended, tmp_path: Path) -> None:
    first = pretended.experiment
    second = replace(first, name="other", cells=[replace(cell, experiment="other") for cell in first.cells[:3]])
    outcome = runner.run(
        [second, first],
        [*second.cells, *first.cells],
        pretended.places,
        pretended.results,
        runner.Options(processes=3),
        pretended.said.append,
    )
    assert (outcome.done, outcome.left) == (len(first.cells), [])
    assert all("] other: " in line or "] tiny: " in line for line in pretended.said)
    written = {path.stem: len(read_rows(path)) for path in pretended.results.folder.glob("*.jsonl")}
    assert written == {"other": 3, "tiny": len(first.cells) - 3}


def test_an_interrupted_run(pretended: Pretended) -> None:
    pretended.orders = {cell.key: "sleep" for cell in pretended.experiment.cells}

    def interrupt() -> None:
        deadline = time.monotonic() + 300
        while not pretended.order.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    outcome = pretended.run(processes=2)
    thread.join()
    assert outcome.is_interrupted
    assert (outcome.done, outcome.failures) == (0, [])
    assert len(outcome.left) == len(pretended.experiment.cells)


def test_what_was_done_when_a_run_was_killed_counts(pretended: Pretended) -> None:
    cell = pretended.experiment.cells[0]
    folder = pretended.places.cell(cell.key)
    folder.mkdir(parents=True)
    row = {"key": cell.key, "dev": None, "test": None, "seconds": 1.0}
    (folder / "result.json").write_text(json.dumps(row), "utf-8")
    pretended.run(processes=2)
    assert cell.key not in [line[0] for line in pretended.started]
    assert cell.key in Results(pretended.results.folder).rows


def test_models_can_be_thrown_away(pretended: Pretended) -> None:
    model = pretended.places.cell(pretended.experiment.cells[0].key) / "model"
    model.mkdir(parents=True)
    for name in ("model.safetensors", "config.json"):
        (model / name).write_text("", "utf-8")
    pretended.run(processes=2, discard_models=True)
    assert [path.name for path in model.iterdir()] == ["config.json"]


def test_shares_of_the_cells(tiny: Experiment) -> None:
    shares = [runner.shard(tiny.cells, f"{number}/3") for number in (1, 2, 3)]
    assert sorted(cell.key for share in shares for cell in share) == sorted(cell.key for cell in tiny.cells)
    for text in ("0/3", "4/3", "1", "a/b"):
        with pytest.raises(ValueError, match="expected a share"):
            runner.shard(tiny.cells, text)


def test_running_needs_no_torch() -> None:
    # Only the processes of cells do, so that a run, a list or a table starts at once.
    code = "import sys, permutree_lab.report, permutree_lab.runner; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_command_of_a_cell(tiny: Experiment, places: Places) -> None:
    run = runner._Run([tiny], places, Results(places.work), runner.Options(), print)
    command = run._command(runner._Job("key", "what", run.files["tiny"], None))
    assert command[1:4] == ["-m", "permutree_lab", "cell"]
    assert Path(command[4]).name == "tiny.toml"
