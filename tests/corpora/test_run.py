import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from permutree.corpora import LocalEngine, Step, run, verify
from permutree.corpora.local import ATTEMPTS
from permutree.errors import ConfigError, DataError

Rows = Callable[[Path], list[dict[str, Any]]]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A file of forty small documents."""
    file = tmp_path / "in.jsonl"
    records = [{"id": f"d{number}", "text": f"the dog sleeps {number}. it works."} for number in range(40)]
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    return file


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.glob("*.parquet")}


def test_any_number_of_workers_writes_the_same_bytes(corpus: Path, step: Step, tmp_path: Path) -> None:
    one = run(str(corpus), str(tmp_path / "one"), step=step, shard_size=330)
    two = run(str(corpus), str(tmp_path / "two"), step=step, shard_size=330, engine=LocalEngine(2))
    assert one.counts == two.counts
    assert (one.counts.rows, one.counts.errors, one.shards) == (80, 0, 6)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    done = json.loads((tmp_path / "one" / "_permutree" / "done.json").read_text())
    assert done["total"]["rows"] == 80
    assert one.cost(36.0) == pytest.approx(one.seconds * 0.01)


def test_a_run_goes_on_where_it_stopped(corpus: Path, step: Step, tmp_path: Path) -> None:
    out = tmp_path / "out"

    def stop(done: object) -> None:
        if len(contents(out)) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(str(corpus), str(out), step=step, shard_size=330, on_shard=stop)
    before = {file.name: file.stat().st_mtime_ns for file in out.glob("*.parquet")}
    (out / ".part-000005.parquet.abc").write_text("what a killed worker left")
    assert len(before) == 3
    report = run(str(corpus), str(out), step=step, shard_size=330)
    assert (report.made_shards, report.shards, report.counts.rows) == (3, 6, 80)
    assert all((out / name).stat().st_mtime_ns == when for name, when in before.items())
    run(str(corpus), str(tmp_path / "whole"), step=step, shard_size=330)
    assert contents(out) == contents(tmp_path / "whole")
    assert [*out.glob(".*")] == []


def test_damaged_shards_are_told_and_made_again(corpus: Path, step: Step, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(str(corpus), str(out), step=step, shard_size=330)
    whole = contents(out)
    assert verify(str(corpus), str(out), step=step, shard_size=330)[1] == []
    shards = sorted(out.glob("*.parquet"))
    flipped = bytearray(whole[shards[0].name])
    flipped[200] ^= 1
    shards[0].write_bytes(flipped)
    shards[1].write_bytes(whole[shards[1].name][:-9])
    shards[2].unlink()
    shards[3].write_bytes(whole[shards[4].name])
    (out / "stranger.parquet").write_bytes(b"x")
    _, wrong = verify(str(corpus), str(out), step=step, shard_size=330)
    assert len(wrong) == 5
    assert any("part-000000.parquet: damaged" in one for one in wrong)
    assert any("part-000001.parquet: damaged" in one for one in wrong)
    assert any("part-000003.parquet: is another shard" in one for one in wrong)
    assert "part-000002.parquet: is not there yet" in wrong
    assert "stranger.parquet: is no shard of this corpus" in wrong
    # What has no readable end is made again; what was found by --verify is for its owner to remove.
    report = run(str(corpus), str(out), step=step, shard_size=330)
    assert report.made_shards == 3


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"shard_size": 501}, r"was begun with shard_size = 330 \(now it is 501\)"),
        ({"format": "jsonl"}, r"was begun with format = null \(now it is \"jsonl\"\)"),
        ({"step": Step(languages=("en",))}, "was begun with another model"),
    ],
)
def test_settings_are_not_mixed(
    changes: dict[str, Any], message: str, corpus: Path, step: Step, tmp_path: Path
) -> None:
    run(str(corpus), str(tmp_path / "out"), step=step, shard_size=330)
    before = contents(tmp_path / "out")
    options: dict[str, Any] = {"step": step, "shard_size": 330}
    with pytest.raises(ConfigError, match=message):
        run(str(corpus), str(tmp_path / "out"), **(options | changes))
    assert contents(tmp_path / "out") == before


def test_a_model_with_other_weights_is_another_model(corpus: Path, tiny_onnx: Path, tmp_path: Path) -> None:
    import shutil

    model = tmp_path / "model"
    shutil.copytree(tiny_onnx, model)
    step = Step(model=str(model), languages=("en",))
    run(str(corpus), str(tmp_path / "out"), step=step)
    (model / "README.md").write_text("a card does not count")
    assert run(str(corpus), str(tmp_path / "out"), step=step).made_shards == 0
    tags = json.loads((model / "tags.json").read_text())
    (model / "tags.json").write_text(json.dumps([*tags, "NEW"]))
    with pytest.raises(ConfigError, match=r"another model \(the files of .*model have changed\)"):
        run(str(corpus), str(tmp_path / "out"), step=step)


def test_changed_inputs_are_refused(corpus: Path, step: Step, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    file = corpus.rename(folder / "in.jsonl")
    text = file.read_text()
    options: dict[str, Any] = {"step": step, "shard_size": 330}
    run(str(folder), str(tmp_path / "out"), **options)
    os.utime(file, ns=(1, 1))
    assert run(str(folder), str(tmp_path / "out"), **options).made_shards == 0
    file.write_text(text.replace("d1", "e1"))
    with pytest.raises(DataError, match=r"in\.jsonl: has changed since the corpus was begun"):
        run(str(folder), str(tmp_path / "out"), **options)
    file.write_text(text)
    (folder / "more.txt").write_text("it works .")
    with pytest.raises(DataError, match=r"more\.txt: is new since the corpus was begun"):
        run(str(folder), str(tmp_path / "out"), **options)
    (folder / "more.txt").unlink()
    # The time of the file says nothing: --verify looks at what is in it.
    when = file.stat().st_mtime_ns
    run(str(folder), str(tmp_path / "again"), **options)
    file.write_text(text.replace("d1", "e1"))
    os.utime(file, ns=(when, when))
    with pytest.raises(DataError, match="has changed"):
        verify(str(folder), str(tmp_path / "again"), **options)


def test_folders_that_are_not_ours(corpus: Path, step: Step, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.tex").write_text("x")
    with pytest.raises(ConfigError, match=r"holds other files, such as .*thesis\.tex; name a new folder"):
        run(str(corpus), str(tmp_path / "out"), step=step)
    with pytest.raises(DataError, match="there is no corpus in this folder"):
        verify(str(corpus), str(tmp_path / "none"), step=step)


def test_two_runs_do_not_write_into_one_folder(corpus: Path, step: Step, tmp_path: Path) -> None:
    def again(done: object) -> None:
        with pytest.raises(ConfigError, match="another run is writing there"):
            run(str(corpus), str(tmp_path / "out"), step=step)

    run(str(corpus), str(tmp_path / "out"), step=step, on_shard=again)


class Killed:
    """Work on which a worker dies: once for each of some items, or always."""

    def __init__(self, folder: Path, *, always: bool = False) -> None:
        self.folder = folder
        self.always = always

    def __call__(self, item: int) -> int:
        mark = self.folder / str(item)
        if item % 3 == 0 and (self.always or not mark.exists()):
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return item * item


def test_killed_workers_lose_nothing(tmp_path: Path) -> None:
    assert sorted(LocalEngine(2).map(Killed(tmp_path), range(1, 8))) == [1, 4, 9, 16, 25, 36, 49]
    with pytest.raises(ChildProcessError, match=f"{ATTEMPTS} workers died on the same task"):
        list(LocalEngine(2).map(Killed(tmp_path, always=True), [3]))


def test_a_killed_driver_loses_nothing(corpus: Path, step: Step, tmp_path: Path) -> None:
    run(str(corpus), str(tmp_path / "whole"), step=step, shard_size=150)
    out = tmp_path / "out"
    command = [
        sys.executable, "-m", "permutree", "corpus", str(corpus), str(out), "--model", str(step.model), "--lang", "en",
        "--shard-size", "150", "--jobs", "2",
    ]  # fmt: skip
    driver = subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True)
    deadline = time.monotonic() + 600
    while not contents(out) and driver.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    driver.kill()
    driver.wait()
    assert contents(out)
    done = subprocess.run([*command, "--json"], capture_output=True, check=True)
    assert json.loads(done.stdout)["rows"] == 80
    assert contents(out) == contents(tmp_path / "whole")
