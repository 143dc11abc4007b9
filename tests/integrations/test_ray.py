"""Ray takes long to start: one cluster of two nodes is for all that is asked of it, in a process of its own."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("ray")

SCRIPT = """
import json, os, sys, signal
from pathlib import Path
from permutree.corpora import Step, run
from permutree.integrations.ray import RayEngine, parse
import ray, ray.data
from ray.cluster_utils import Cluster

class Once:
    # Work on which a worker is killed, once.
    def __init__(self, mark):
        self.mark = mark
    def __call__(self, item):
        if item == 2 and not os.path.exists(self.mark):
            open(self.mark, "w").close()
            os.kill(os.getpid(), signal.SIGKILL)
        return item * item

if __name__ == "__main__":
    source, out, model = sys.argv[1:]
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    cluster.add_node(num_cpus=1)
    ray.init(cluster.address, log_to_driver=False, logging_level="ERROR")
    ray.data.DataContext.get_current().enable_progress_bars = False
    step = Step(model=model, languages=("en",))
    engine = RayEngine.connect()
    report = run(source, out, step=step, shard_size=330, engine=engine)
    squares = sorted(engine.map(Once(out + "/mark"), range(1, 5)))
    documents = ray.data.from_items([{"id": f"d{i:02}", "text": f"it works {i}. it sleeps."} for i in range(12)])
    rows = parse(documents, batch_size=4, model=model, languages=("en",)).take_all()
    found = {
        "workers": engine.workers, "rows": report.counts.rows, "squares": squares,
        "ids": [row["doc_id"] for row in rows], "errors": [row["error"] for row in rows],
        "statistics": os.environ["RAY_USAGE_STATS_ENABLED"],
    }
    print(json.dumps(found))
    ray.shutdown()
    cluster.shutdown()
"""


@pytest.mark.engines
def test_a_cluster_of_two_nodes(tiny_onnx: Path, tmp_path: Path) -> None:
    from permutree.corpora import Step, run

    source = tmp_path / "in.jsonl"
    source.write_text(
        "".join(json.dumps({"id": str(number), "text": f"the dog sleeps {number}."}) + "\n" for number in range(30))
    )
    (tmp_path / "script.py").write_text(SCRIPT)
    command = [sys.executable, str(tmp_path / "script.py"), str(source), str(tmp_path / "ray"), str(tiny_onnx)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert (found["workers"], found["rows"], found["statistics"]) == (2, 30, "0")
    assert found["squares"] == [1, 4, 9, 16]
    assert found["ids"] == [f"d{number:02}" for number in range(12) for _ in range(2)]
    assert not any(found["errors"])
    run(str(source), str(tmp_path / "here"), step=Step(model=str(tiny_onnx), languages=("en",)), shard_size=330)
    shards = sorted((tmp_path / "here").glob("*.parquet"))
    assert len(shards) > 3
    assert all(shard.read_bytes() == (tmp_path / "ray" / shard.name).read_bytes() for shard in shards)


def test_no_cluster_there(monkeypatch: pytest.MonkeyPatch) -> None:
    from permutree.errors import ConfigError
    from permutree.integrations.ray import RayEngine

    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ConfigError, match=r"pip install 'permutree\[ray\]'"):
        RayEngine.connect()
