import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from permutree.cli import permutree


@pytest.mark.usefixtures("operators_once")
def test_graphs_go_into_the_folder_of_the_model(tiny_no_tags: Path, tiny_treebank: Path, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(tiny_no_tags, folder)
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    result = CliRunner().invoke(permutree, ["export", str(folder), "--onnx", "--check", str(tiny_treebank), "--json"])
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {
        "sentences": 20,
        "same trees %": 100.0,
        "F1, PyTorch": 100.0,
        "discontinuous F1, PyTorch": 100.0,
        "F1, ONNX": 100.0,
        "discontinuous F1, ONNX": 100.0,
    }
    after = {file.name: file.read_bytes() for file in folder.iterdir()}
    assert {name for name in after if after[name] != before.get(name)} == {"config.json", "model.onnx", "words.onnx"}
    assert "ONNX Runtime and PyTorch" in CliRunner().invoke(permutree, ["info", str(folder)]).stdout


@pytest.mark.usefixtures("operators_once")
def test_quantised_into_a_new_folder_and_used_without_torch(tiny_no_tags: Path, tmp_path: Path) -> None:
    small = tmp_path / "small"
    result = CliRunner().invoke(permutree, ["export", str(tiny_no_tags), "--onnx", "--quantize", "-o", str(small)])
    assert result.exit_code == 0
    assert result.stdout == ""
    assert "graphs of" in result.stderr
    (tmp_path / "torch.py").write_text("raise ModuleNotFoundError('no torch', name='torch')", "utf-8")
    (tmp_path / "tokens.txt").write_text("How does it work ?\n", "utf-8")
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from permutree.cli import main; "
        f"sys.argv[1:] = ['parse', '-m', {str(small)!r}, '--from', 'tokens', {str(tmp_path / 'tokens.txt')!r}]; main()"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "(SQ (VP (_ 0=How) (_ 3=work)) (_ 1=does) (NP (_ 2=it)) (_ 4=?))\n"
    described = json.loads(CliRunner().invoke(permutree, ["info", str(small), "--json"]).stdout)
    assert described["engines"] == ["ONNX Runtime", "PyTorch"]
    assert (
        described["weights"]
        == json.loads(CliRunner().invoke(permutree, ["info", str(tiny_no_tags), "--json"]).stdout)["weights"]
    )


def test_what_to_export_to_must_be_said(tiny_no_tags: Path) -> None:
    result = CliRunner().invoke(permutree, ["export", str(tiny_no_tags)])
    assert result.exit_code == 2
    assert "Missing option '--onnx'" in result.stderr
