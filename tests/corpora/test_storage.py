import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from permutree.corpora import Step, run, verify
from permutree.corpora.inputs import find_inputs
from permutree.corpora.storage import place_of
from permutree.errors import ConfigError

RECORDS = "".join(json.dumps({"id": f"d{number}", "text": f"it works {number}."}) + "\n" for number in range(30))


@pytest.fixture(scope="module")
def store() -> Iterator[tuple[str, str]]:
    """An object store on this machine: the beginning of URIs in it, and how they end."""
    pytest.importorskip("moto")
    import boto3
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        keys = {"aws_access_key_id": "x", "aws_secret_access_key": "y", "region_name": "us-east-1"}
        boto3.client("s3", endpoint_url=f"http://{host}:{port}", **keys).create_bucket(Bucket="corpora")
        options = f"?endpoint_override={quote(f'{host}:{port}', safe='')}&scheme=http&region=us-east-1"
        yield "s3://x:y@corpora/", options
    finally:
        server.stop()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_an_object_store(store: tuple[str, str], step: Step, tmp_path: Path) -> None:
    begin, options = store
    (tmp_path / "in.jsonl").write_text(RECORDS)
    place_of(f"{begin}in/a.jsonl{options}").write(RECORDS.encode())
    assert [one.name for one in find_inputs([f"{begin}in{options}"])] == ["a.jsonl"]
    source, out = f"{begin}in{options}", f"{begin}out{options}"
    report = run(source, out, step=step, shard_size=300)
    assert (report.counts.rows, report.counts.errors) == (30, 0)
    assert report.shards > 3
    # One is lost, one is cut off: both are made again.
    place = place_of(out)
    whole = {info.path: (place / info.path.rpartition("/")[2]).read() for info in place.files()}
    (place / "part-000001.parquet").remove()
    (place / "part-000002.parquet").write(whole[f"{place.path}/part-000002.parquet"][:100])
    assert len(verify(source, out, step=step, shard_size=300)[1]) == 2
    assert run(source, out, step=step, shard_size=300).made_shards == 2
    assert {info.path: (place / info.path.rpartition("/")[2]).read() for info in place.files()} == whole
    run(str(tmp_path / "in.jsonl"), str(tmp_path / "out"), step=step, shard_size=300)
    from pyarrow import parquet

    for file in (tmp_path / "out").glob("*.parquet"):
        with (place / file.name).open() as stream:
            assert parquet.read_table(stream).equals(parquet.read_table(file))


def test_any_file_system_of_fsspec(step: Step) -> None:
    pytest.importorskip("fsspec")
    place_of("memory://in/a.jsonl").write(RECORDS.encode())
    report = run("memory://in/a.jsonl", "memory://out", step=step, shard_size=400)
    assert report.counts.rows == 30
    assert len(place_of("memory://out").files()) == report.shards
    assert run("memory://in/*.jsonl", "memory://out", step=step, shard_size=400).made_shards == 0


def test_no_such_file_system() -> None:
    with pytest.raises(ConfigError, match="no file system for gopher://"):
        place_of("gopher://host/file")
