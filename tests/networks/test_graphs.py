"""Weights that were exported come back out of the graphs, so that a model without others runs in PyTorch."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from onnx import numpy_helper

from permutree.errors import ConfigError, DataError
from permutree.formats import read
from permutree.model.folder import GRAPHS
from permutree.networks import operators
from permutree.networks.export import export
from permutree.networks.model import Model
from permutree.parsing.parser import Parser
from permutree.parsing.torch_engine import TorchEngine
from tiny_exports import READABLE, Exported
from tiny_models import TREES

Exports = Callable[[str], Exported]


def test_models_with_all_that_can_be_read_back() -> None:
    assert READABLE == [
        "reread",
        "reread, int8",
        "convolution",
        "convolution, int8",
        "spans",
        "spans, int8",
        "paper",
        "tagger, int8",
        "bert",
        "modernbert",
        "modernbert, int8",
        "qwen2",
    ]


@pytest.mark.parametrize("name", READABLE)
def test_weights_come_back(exported: Exports, name: str) -> None:
    model, folder = exported(name)
    wanted, found = model.labeller.weights(), Model.load(folder).labeller.weights()
    assert found.keys() == wanted.keys()
    for weight in wanted:
        # int8 weights were rounded to the nearest step, and the scores of attention are scaled in the graph.
        # Two weights together may be the largest number.
        tolerance = 0.51 * 2 * float(wanted[weight].abs().max()) / 127 if "int8" in name else 0.0
        tolerance += 1e-6 if weight == "heads.permutation.weight" else 0.0
        torch.testing.assert_close(found[weight], wanted[weight], rtol=0, atol=tolerance, msg=weight)


def test_int8_graphs_are_nearly_the_same_again(
    exported: Exports, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two weights that were rounded may be larger together than before, so that steps may be a little longer."""
    _, folder = exported("tagger, int8")
    monkeypatch.setattr(operators, "SMALL", 0)
    export(Model.load(folder), tmp_path, quantise=True)
    for name in GRAPHS[:2]:
        before, after = (
            {tensor.name: numpy_helper.to_array(tensor) for tensor in onnx.load(place / name).graph.initializer}
            for place in (folder, tmp_path)
        )
        assert before.keys() == after.keys()
        for tensor, numbers in before.items():
            if numbers.dtype == np.int8:
                assert np.abs(numbers.astype(int) - after[tensor]).max(initial=0) <= 2
            else:
                np.testing.assert_allclose(after[tensor], numbers, rtol=0.02)


def test_a_model_of_graphs_parses_in_pytorch(exported: Exports) -> None:
    model, folder = exported("reread")
    words = [tree.words for tree in read(TREES)]
    wanted = list(Parser(model.outline, TorchEngine(model.labeller)).pipe(words))
    loaded = Model.load(folder)
    assert list(Parser(loaded.outline, TorchEngine(loaded.labeller)).pipe(words)) == wanted
    # An ensemble runs in PyTorch, whatever its members are.
    assert list(Parser.load(folder, "cpu", partners=[folder]).pipe(words)) == wanted


@pytest.mark.parametrize("name", ["rotary", "learned"])
def test_other_encoders_cannot_be_read_back(exported: Exports, name: str) -> None:
    with pytest.raises(ConfigError, match=r"graphs for the CPU only; .* use the folder that it was exported from"):
        Model.load(exported(name).folder)


def test_graphs_of_another_model(exported: Exports, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(exported("reread").folder, folder)
    (folder / "second.onnx").write_bytes((folder / "model.onnx").read_bytes())
    with pytest.raises(DataError, match=r"second\.onnx: .* part of another model"):
        Model.load(folder)
    config = json.loads((folder / "config.json").read_text("utf-8"))
    del config["files"]
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    with pytest.raises(DataError, match=r"its graphs are not those of its config\.json"):
        Model.load(folder)
    (folder / "second.onnx").write_bytes(b"nonsense")
    with pytest.raises(DataError, match=r"second\.onnx: damaged weights"):
        Model.load(folder)
