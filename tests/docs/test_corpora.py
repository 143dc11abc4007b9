"""The queries of the page about corpora, over a corpus."""

import json
import re
from pathlib import Path

import pytest

from permutree.corpora import Step, run
from permutree.formats.arrow import schema

PAGE = (Path(__file__).parents[2] / "docs" / "guides" / "corpora.md").read_text("utf-8")


@pytest.fixture
def parsed(tiny_onnx: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a small corpus, beside which the queries are."""
    texts = ["the dog sleeps. it works.", "", "How does it work?"] * 5
    lines = [json.dumps({"id": f"d{number}", "text": text}) for number, text in enumerate(texts)]
    (tmp_path / "in.jsonl").write_text("\n".join(lines))
    run(
        str(tmp_path / "in.jsonl"),
        str(tmp_path / "parsed"),
        step=Step(model=str(tiny_onnx), languages=("en",)),
        shard_size=200,
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path / "parsed"


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_queries_of_duckdb(parsed: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    (block,) = blocks("sql")
    first, second = (duckdb.sql(query).fetchall() for query in block.split(";") if query.strip())
    assert [row[:2] for row in first] == [("en", 15)]
    assert 3 < first[0][2] < 5
    assert 0 < first[0][3] <= 1
    assert second[0][1] >= 15


def test_queries_of_pandas(parsed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    block = next(block for block in blocks("python") if "import pandas" in block)
    names: dict[str, object] = {}
    exec(block, names)
    assert dict(names["errors"]) == {"there are no words": 5}  # type: ignore[call-overload]
    assert "works" in capsys.readouterr().out


def test_the_page_names_all_columns() -> None:
    rows = re.findall(r"^\| (`[a-z_`, ]+`) \|", PAGE.partition("## Rows out")[2], re.MULTILINE)
    named = [name for row in rows for name in re.findall(r"`([a-z_]+)`", row)]
    assert sorted(named) == sorted(schema().names)
