from typing import Any

import IPython
import pytest

from permutree import progress
from permutree.progress import in_notebook, progress_bar


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(IPython, "get_ipython", lambda: type("ZMQInteractiveShell", (), {})())


def test_no_bar_in_a_log(capsys: pytest.CaptureFixture[str]) -> None:
    bar = progress_bar([1, 2], desc="epoch")
    assert bar.disable
    assert list(bar) == [1, 2]
    assert capsys.readouterr() == ("", "")


@pytest.mark.usefixtures("notebook")
def test_a_widget_in_a_notebook() -> None:
    assert in_notebook()
    bar: Any = progress_bar([1, 2], desc="epoch")
    assert not bar.disable
    assert list(bar) == [1, 2]
    assert type(bar).__name__ == "tqdm_notebook"
    assert bar.container.children[1].value == 2


@pytest.mark.usefixtures("notebook")
def test_text_in_a_notebook_without_widgets(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "find_spec", lambda name: None)
    assert list(progress_bar([1, 2], desc="epoch")) == [1, 2]
    assert "epoch: 100%" in capsys.readouterr().err


@pytest.mark.usefixtures("notebook")
def test_one_of_several_processes_shows() -> None:
    assert progress_bar([1], shown=False).disable


def test_a_terminal_of_ipython_is_no_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(IPython, "get_ipython", lambda: type("TerminalInteractiveShell", (), {})())
    assert not in_notebook()
    monkeypatch.setitem(__import__("sys").modules, "IPython", None)
    assert not in_notebook()
