import bz2
import gzip
import io
import json
import lzma
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyarrow import Table, parquet

from permutree.corpora import Step, run
from permutree.corpora.inputs import find_inputs
from permutree.corpora.plan import Scan, shards_of
from permutree.errors import ConfigError, DataError

Rows = Callable[[Path], list[dict[str, Any]]]
TEXTS = [f"the dog {number} sleeps. it works." for number in range(40)]
LINES = "".join(f"it works {number} .\n" for number in range(100))
RECORDS = "".join(json.dumps({"id": f"d{number}", "text": text}) + "\n" for number, text in enumerate(TEXTS))
CONLLU = "".join(
    f"# newdoc id = d{number // 7}\n1\tit\t_\t_\t_\t_\t_\t_\t_\t_\n\n" if number % 7 == 0
    else "1\tshe\t_\t_\t_\t_\t_\t_\t_\t_\n2\tworks\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    for number in range(50)
)  # fmt: skip


def key(rows: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [(row["doc_id"], row["sentence"], row["words"], row["starts"], row["discbracket"]) for row in rows]


@pytest.mark.parametrize(("name", "text"), [("x.lines", LINES), ("x.jsonl", RECORDS), ("x.conllu", CONLLU)])
def test_cuts_change_no_row(name: str, text: str, step: Step, rows_of: Rows, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(text, "utf-8")
    found = {}
    for size in (1 << 20, 300, 77):
        report = run(str(file), str(tmp_path / f"out{size}"), step=step, shard_size=size)
        found[size] = key(rows_of(tmp_path / f"out{size}"))
        assert report.counts.errors == 0
        assert report.shards == (1 if size == 1 << 20 else len([*(tmp_path / f"out{size}").glob("*.parquet")]))
    assert report.shards > 5
    assert found[77] == found[300] == found[1 << 20]
    if name == "x.lines":
        assert [row[1] for row in found[77]] == [*range(1, 101)]
        assert [row[3][0] for row in found[77]][:3] == [0, 13, 26]
    if name == "x.conllu":
        assert [row[:2] for row in found[77]] == [(f"d{number // 7}", number % 7 + 1) for number in range(50)]


def test_a_long_text_is_several_documents(step: Step, rows_of: Rows, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("\n\n".join(TEXTS))
    run(str(tmp_path / "x.txt"), str(tmp_path / "out"), step=step, shard_size=400)
    rows = rows_of(tmp_path / "out")
    assert [*dict.fromkeys(row["doc_id"] for row in rows)] == ["x.txt#1", "x.txt#2", "x.txt#3"]
    assert [row["sentence"] for row in rows if row["doc_id"] == "x.txt#2"][:3] == [1, 2, 3]
    assert " ".join(row["text"] for row in rows) == " ".join(TEXTS)


COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress,
}  # fmt: skip


@pytest.mark.parametrize("suffix", COMPRESSORS)
def test_compressed_files_have_the_same_rows(suffix: str, step: Step, rows_of: Rows, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text(RECORDS)
    (tmp_path / f"x.jsonl.{suffix}").write_bytes(COMPRESSORS[suffix](RECORDS.encode()))
    run(str(tmp_path / "x.jsonl"), str(tmp_path / "plain"), step=step, shard_size=500)
    report = run(str(tmp_path / f"x.jsonl.{suffix}"), str(tmp_path / "out"), step=step, shard_size=500)
    assert report.shards > 3
    assert key(rows_of(tmp_path / "out")) == key(rows_of(tmp_path / "plain"))


def test_archives_folders_and_patterns(
    step: Step, rows_of: Rows, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "in"
    (folder / "sub").mkdir(parents=True)
    for number in (10, 2, 1):
        (folder / f"{number}.txt").write_text(f"it works {number} .")
    (folder / "sub" / "x.txt").write_text("the dog sleeps .")
    (folder / "README").write_text("not of the corpus")
    (folder / ".hidden.txt").write_text("nor this")
    (folder / "empty.txt").write_text("")
    run(str(folder), str(tmp_path / "out"), step=step)
    rows = rows_of(tmp_path / "out")
    assert [row["doc_id"] for row in rows] == ["1.txt", "2.txt", "10.txt", "empty.txt", "sub/x.txt"]
    assert [row["error"] for row in rows] == [None, None, None, "there are no words", None]
    assert "1 files left out, whose names say no format, such as README" in caplog.text
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        for file in folder.rglob("*.txt"):
            archive.write(file, file.relative_to(folder))
    with tarfile.open(tmp_path / "x.tar.gz", "w:gz") as tar:
        for name in ("1.txt", "2.txt"):
            content = (folder / name).read_bytes()
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    run(str(tmp_path / "x.zip"), str(tmp_path / "zip"), step=step, shard_size=10)
    assert [row["doc_id"] for row in rows_of(tmp_path / "zip")] == [f"x.zip/{row['doc_id']}" for row in rows]
    run(str(tmp_path / "x.tar.gz"), str(tmp_path / "tar"), step=step)
    assert [row["doc_id"] for row in rows_of(tmp_path / "tar")] == ["x.tar.gz/1.txt", "x.tar.gz/2.txt"]
    found = find_inputs([f"{folder}/**/*.txt"])
    assert [one.name for one in found] == ["1.txt", "2.txt", "10.txt", "empty.txt", "sub/x.txt"]
    assert [one.name for one in find_inputs([f"{folder}/[12]*.txt"])] == ["1.txt", "2.txt", "10.txt"]
    both = find_inputs([f"{folder}/1.txt", f"{folder}/sub/x.txt"])
    assert [one.name for one in both] == ["1.txt", "x.txt"]


def test_parquet_is_cut_within_row_groups(step: Step, rows_of: Rows, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text(RECORDS)
    table = Table.from_pylist([{"id": f"d{number}", "text": text, "x": 1} for number, text in enumerate(TEXTS)])
    parquet.write_table(table, tmp_path / "x.parquet", row_group_size=25)
    run(str(tmp_path / "x.jsonl"), str(tmp_path / "json"), step=step)
    report = run(str(tmp_path / "x.parquet"), str(tmp_path / "out"), step=step, shard_size=300)
    assert report.shards > 3
    assert key(rows_of(tmp_path / "out")) == key(rows_of(tmp_path / "json"))
    # What was parsed can be parsed again: its words are taken.
    run(str(tmp_path / "out"), str(tmp_path / "again"), step=step)
    again = rows_of(tmp_path / "again")
    assert [row["discbracket"] for row in again] == [row["discbracket"] for row in rows_of(tmp_path / "out")]


def test_rows_without_ids_are_named_by_their_place(step: Step, rows_of: Rows, tmp_path: Path) -> None:
    parquet.write_table(Table.from_pylist([{"text": text} for text in TEXTS]), tmp_path / "x.parquet", row_group_size=9)
    run(str(tmp_path / "x.parquet"), str(tmp_path / "out"), step=step, shard_size=200)
    names = [*dict.fromkeys(row["doc_id"] for row in rows_of(tmp_path / "out"))]
    assert names == [f"x.parquet:{number}" for number in range(1, 41)]


def test_what_is_no_input(step: Step, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "x.bin").write_bytes(b"a\0b")
    (tmp_path / "x.jsonl.gz").write_bytes(gzip.compress(RECORDS.encode())[:-20])
    (tmp_path / "x.parquet").write_bytes(b"PAR1 no")
    out = str(tmp_path / "out")
    for name, message in {
        "none.txt": "there is no such file or folder",
        "*.none": "no file matches",
        "empty": "holds no file of text, JSON lines, CoNLL-U or Parquet",
        "x.bin": "is not text, and no text: it holds zero bytes",
        "x.jsonl.gz": "cut off: the gzip data ends too soon",
        "x.parquet": "not a Parquet file, or a damaged one",
    }.items():
        with pytest.raises(DataError, match=message):
            run(str(tmp_path / name), out, step=step)
    assert [*(tmp_path / "out").glob("*.parquet")] == []
    with pytest.raises(ConfigError, match="a corpus is read from files"):
        run("-", out, step=step)
    with pytest.raises(ConfigError, match="cannot be cut; convert them to utf-8"):
        Scan(100, charset="utf-16")


def test_small_pieces_share_a_shard(tmp_path: Path) -> None:
    for number in range(10):
        (tmp_path / f"{number}.txt").write_text("x" * 30)
    inputs = find_inputs([str(tmp_path)])
    pieces = [piece for task in enumerate(inputs) for piece in Scan(100)(task)]
    assert [len(shard.pieces) for shard in shards_of(pieces, 100)] == [4, 4, 2]
