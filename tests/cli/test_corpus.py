import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from permutree.cli import permutree
from permutree.corpora import inputs
from permutree.errors import ConfigError


def call(*arguments: object) -> Result:
    return CliRunner().invoke(permutree, ["corpus", *map(str, arguments)])


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A file of documents, one of which is no JSON."""
    file = tmp_path / "in.jsonl"
    lines = [json.dumps({"id": f"d{number}", "body": f"it works {number}. How does it work?"}) for number in range(20)]
    file.write_text("\n".join([*lines, "{"]))
    return file


def test_a_folder_of_parquet(corpus: Path, tiny_onnx: Path, tmp_path: Path) -> None:
    from pyarrow import parquet

    out = tmp_path / "out"
    options = ("--model", tiny_onnx, "--lang", "en", "--text-column", "body", "--shard-size", "0.5KB")
    done = call(corpus, out, *options, "--json", "--price-per-hour", "0.1")
    assert done.exit_code == 0
    record = json.loads(done.stdout)
    assert (record["rows"], record["errors"], record["made"]["rows"]) == (41, 1, 41)
    assert "41 rows, " in done.stderr
    assert "1 errors in 3 shards" in done.stderr
    assert " a million words" in done.stderr
    table = parquet.read_table(out)
    assert {"doc_id", "sentence", "words", "tags", "discbracket", "error"} <= set(table.column_names)
    assert table["doc_id"].to_pylist()[:3] == ["d0", "d0", "d1"]
    assert table["error"].to_pylist()[-1].startswith("not JSON")
    again = call(corpus, out, *options)
    assert again.exit_code == 0
    assert again.stdout == ""
    assert "3 of 3 shards are there; going on" in again.stderr
    checked = call(corpus, out, *options, "--verify")
    assert checked.exit_code == 0
    (out / "part-000001.parquet").unlink()
    checked = call(corpus, out, *options, "--verify")
    assert checked.exit_code == 1
    assert "wrong: part-000001.parquet: is not there yet" in checked.stderr
    mixed = call(corpus, out, *options, "--max-words", 5)
    assert isinstance(mixed.exception, ConfigError)
    assert "was begun with max_words = null (now it is 5)" in str(mixed.exception)


def test_parsed_corpora_are_treebanks(corpus: Path, tiny_onnx: Path, tmp_path: Path) -> None:
    call(corpus, tmp_path / "out", "--model", tiny_onnx, "--lang", "en", "--text-column", "body")
    done = CliRunner().invoke(
        permutree, ["convert", "--skip-bad", str(tmp_path / "out" / "part-000000.parquet"), "-", "--to", "discbracket"]
    )
    assert len(done.stdout.splitlines()) == 40
    assert "1 of 41 sentences skipped" in done.stderr


def test_wrong_calls(corpus: Path, tmp_path: Path) -> None:
    for arguments, message in {
        ("--on", "slurm"): "no engine 'slurm': there are local, ray and ray://HOST:PORT.",
        ("--shard-size", "many"): "'many' is no size; say 4MB, or 512KB",
        ("--gpus-per-worker", "1"): "--gpus-per-worker is for --on ray",
        ("--lang", "xx"): "'xx' is not one of",
    }.items():
        done = call(corpus, tmp_path / "out", *arguments)
        assert done.exit_code == 2
        assert message in done.stderr


def test_formats_are_those_that_are_read() -> None:
    from permutree.cli import corpus as module

    assert list(module._FORMATS) == list(inputs.FORMATS)
