"""The notebooks of the documentation run from top to bottom, each in a kernel of its own."""

import os
import re
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).resolve().parents[2] / "docs" / "notebooks"
NAMES = sorted(path.name for path in NOTEBOOKS.glob("*.ipynb"))

# The kernel's messages go over sockets of libraries whose deprecations are not ours.
pytestmark = pytest.mark.filterwarnings("default")


def test_there_are_three() -> None:
    assert NAMES == ["encodings.ipynb", "parse-and-search.ipynb", "train.ipynb"]


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    notebook = nbformat.read(NOTEBOOKS / name, 4)  # type: ignore[no-untyped-call]
    resources = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(notebook, timeout=600, startup_timeout=600, resources=resources).execute()
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code
    assert all(cell.execution_count for cell in code)
    if name == "train.ipynb":
        shown = str([output for cell in code for output in cell.outputs])
        assert float(re.findall(r"\bf1=([0-9.]+)", shown)[0]) > 90
