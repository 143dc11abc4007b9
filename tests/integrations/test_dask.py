import sys
from pathlib import Path

import pytest

from permutree.errors import ConfigError
from permutree.integrations.dask import parse

pytest.importorskip("dask.dataframe")


def test_a_data_frame(tiny_onnx: Path) -> None:
    import dask.dataframe
    import pandas

    frame = pandas.DataFrame({"id": [f"d{number}" for number in range(5)], "text": ["it works. it sleeps."] * 4 + [""]})
    documents = dask.dataframe.from_pandas(frame, npartitions=2)  # type: ignore[no-untyped-call]
    found = parse(documents, model=str(tiny_onnx), languages=("en",)).compute(scheduler="synchronous")
    assert found["doc_id"].to_list() == ["d0", "d0", "d1", "d1", "d2", "d2", "d3", "d3", "d4"]
    assert found["sentence"].to_list() == [1, 2, 1, 2, 1, 2, 1, 2, 1]
    assert list(found["words"].iloc[0]) == ["it", "works", "."]
    assert found["error"].iloc[8] == "there are no words"
    assert found["discbracket"].notna().sum() == 8


def test_without_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "dask"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "dask", None)
    with pytest.raises(ConfigError, match=r"pip install 'permutree\[dask\]'"):
        parse(None)
