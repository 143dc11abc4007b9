import shutil
from pathlib import Path

import pytest

from permutree import ConfigError, PermutreeError
from permutree.models import folder
from permutree.serving.settings import Served, Settings, models_to_serve


def test_all_bundled_models_by_default() -> None:
    assert [model.name for model in models_to_serve()] == ["en", "nl", "de", "is"]


def test_own_models_come_first(tmp_path: Path) -> None:
    shutil.copytree(folder("nl"), tmp_path / "mine")
    found = models_to_serve(["nl"], [str(tmp_path / "mine")])
    assert found == (Served("mine", str(tmp_path / "mine"), "nl"), Served("nl", "nl", "nl"))
    assert Settings(found).languages["nl"].name == "mine"
    assert models_to_serve(folders=[f"other={tmp_path / 'mine'}"])[0].name == "other"
    with pytest.raises(ConfigError, match="a name of its own"):
        models_to_serve(folders=[str(tmp_path / "mine")] * 2)
    with pytest.raises(ConfigError, match="name of another model"):
        models_to_serve(["nl"], [f"nl={tmp_path / 'mine'}"])


def test_what_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(PermutreeError, match="nothing"):
        models_to_serve(folders=[str(tmp_path / "nothing")])
