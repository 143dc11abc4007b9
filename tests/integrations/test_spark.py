"""Spark in its local mode, in a process of its own: it starts a Java machine and keeps ports."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pyspark")

SCRIPT = """
import json, sys
from pyspark.sql import SparkSession
from permutree.integrations.spark import parse

session = (
    SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    .config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1").getOrCreate()
)
rows = [(f"d{i}", f"it works {i}. How does it work?" if i else "") for i in range(4)]
frame = session.createDataFrame(rows, "id string, text string").coalesce(1)
found = parse(frame, model=sys.argv[1], languages=("en",)).collect()
print(json.dumps([[row["doc_id"], row["sentence"], row["words"], row["discbracket"], row["error"]] for row in found]))
session.stop()
"""


@pytest.mark.engines
@pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java")
def test_a_data_frame(tiny_onnx: Path, tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)
    command = [sys.executable, str(tmp_path / "script.py"), str(tiny_onnx)]
    environment = os.environ | {"PYSPARK_PYTHON": sys.executable}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=900)
    assert done.returncode == 0, done.stderr[-3000:]
    rows = json.loads(done.stdout.splitlines()[-1])
    assert [(row[0], row[1]) for row in rows] == [
        ("d0", 1), ("d1", 1), ("d1", 2), ("d2", 1), ("d2", 2), ("d3", 1), ("d3", 2),
    ]  # fmt: skip
    assert rows[0][4] == "there are no words"
    assert rows[2][2] == ["How", "does", "it", "work", "?"]
    assert rows[2][3].startswith("(SQ (VP (WRB 0=How) (VB 3=work))")


def test_without_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    from permutree.errors import ConfigError
    from permutree.integrations.spark import parse

    for name in [name for name in sys.modules if name.partition(".")[0] == "pyspark"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pyspark", None)
    with pytest.raises(ConfigError, match=r"pip install 'permutree\[spark\]'"):
        parse(None)
