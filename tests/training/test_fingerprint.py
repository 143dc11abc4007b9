from pathlib import Path

import pytest

from permutree.errors import DataError
from permutree.training.fingerprint import check_data, fingerprint
from permutree.training.loop import train
from permutree.training.overrides import configure
from tiny_models import tiny_config


def test_files_and_folders(tmp_path: Path) -> None:
    file, folder = tmp_path / "a", tmp_path / "b"
    file.write_text("one")
    folder.mkdir()
    (folder / "c").write_text("one")
    config = configure(tiny_config(tmp_path / "out"), {"data": {"train": [str(file)], "dev": [str(folder)]}})
    before = fingerprint(config)
    assert list(before) == [str(file), str(folder)]
    assert fingerprint(config) == before
    (folder / "c").rename(folder / "d")
    now = fingerprint(config)
    assert now[str(file)] == before[str(file)]
    with pytest.raises(DataError, match=rf"done\.json: was made with other data \({folder}\)"):
        check_data(tmp_path / "done.json", before, now)
    # Earlier versions do not say what they read.
    check_data(tmp_path / "done.json", None, now)


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"settings": {}, "history": 3}', "\udcff"])
def test_a_damaged_record(tmp_path: Path, content: str) -> None:
    (tmp_path / "done.json").write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(DataError, match=r"done\.json: damaged: .*; delete it, and the same command trains"):
        train(tiny_config(tmp_path))
