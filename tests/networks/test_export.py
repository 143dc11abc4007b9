"""The graphs give what PyTorch gives, for every kind of encoder and both labellers."""

import shutil
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
import onnx.numpy_helper
import onnxruntime
import pytest

from permutree.encoding.final_punctuation import arranged
from permutree.errors import DataError
from permutree.formats import read
from permutree.model.folder import GRAPHS, Outline
from permutree.networks import export as export_module
from permutree.networks.export import export
from permutree.networks.model import Model
from permutree.parsing.comparison import compare
from permutree.parsing.engines import ENDS, ENDS_SCORES, LABELS, ORDER, Engine
from permutree.parsing.onnx_engine import OnnxEngine
from permutree.parsing.parser import Parser
from permutree.parsing.torch_engine import TorchEngine
from permutree.trees.tree import Tree
from sealing import without_checksums
from tiny_exports import CONFIGS, Exported
from tiny_models import TREES

Exports = Callable[[str], Exported]


@pytest.fixture(scope="module")
def trees() -> list[Tree]:
    return list(read(TREES))


def probabilities(scores: np.ndarray) -> np.ndarray:
    """Scores are log-probabilities up to a constant for each word."""
    shares = np.exp(scores - scores.max(1, keepdims=True))
    found: np.ndarray = shares / shares.sum(1, keepdims=True)
    return found


def check(model: Model, folder: Path, trees: list[Tree], tolerance: float) -> None:
    """The same values, and nearly the same probabilities, whatever is asked for."""
    engine = OnnxEngine(folder, Outline.read(folder), threads=1)
    long = [tree.words for tree in trees[:9]]
    words = [*(tree.words for tree in trees), tuple(word for sentence in long for word in sentence), ("漢字", "x" * 99)]
    tags = [["NN"] * len(sentence) for sentence in words]
    arrays = model.features.arrays(words, tags)
    # Attention has no scores by value outside of PyTorch.
    names = {*model.outline.sizes} - ({"permutation"} if model.config.attends else set())
    wanted, found = TorchEngine(model.labeller).predict(arrays, names), engine.predict(arrays, names)
    assert wanted.keys() == found.keys()
    for name in (ORDER, "permutation"):
        if found.keys() - names >= {name}:
            assert found[name].dtype == np.int32
            assert found[name].tolist() == wanted[name].tolist()
    if model.config.finds_constituents:
        # At the last position nothing can be said, and what is depends on the batch.
        before, after = (np.delete(given[ENDS], arrays.offsets[1:] - 1, 0) for given in (wanted, found))
        # With random weights many ends are as good as others.
        assert (before == after).mean() > (0.99 if tolerance < 0.001 else 0.8)
        sure, other = (np.delete(given[ENDS_SCORES], arrays.offsets[1:] - 1) for given in (wanted, found))
        assert np.abs(sure - other).max() < 10 * tolerance
        assert found[ENDS].dtype == np.int32
    for name in names:
        assert wanted[name].shape == found[name].shape
        assert np.abs(probabilities(wanted[name]) - probabilities(found[name])).max() < tolerance
    best = engine.predict(arrays)
    some = engine.predict(arrays, ["shared", "tags"])
    for name in names:
        assert best[name].dtype == np.int32
        assert (best[name] == found[name].argmax(1)).all()
        assert (some[name].argmax(1) if some[name].ndim == 2 else some[name]).tolist() == best[name].tolist()


@pytest.mark.parametrize("name", CONFIGS)
def test_graphs_of_labellers(exported: Exports, trees: list[Tree], name: str) -> None:
    model, folder = exported(name)
    check(model, folder, trees, 0.03 if "int8" in name else 1e-4)
    assert Outline.read(folder).facts["onnx"] == ("int8" if "int8" in name else "float32")
    for file in folder.glob("*.onnx"):
        # They say nothing of where they were made.
        assert b".py" not in file.read_bytes()


@pytest.mark.parametrize("name", ["reread, int8", "convolution, int8", "spans, int8", "tagger, int8"])
def test_sums_of_products_fit_in_16_bits(exported: Exports, name: str) -> None:
    """Processors without instructions for int8 add the products of two neighbours in 16 bits."""
    multiplied = {"DynamicQuantizeLSTM": (1, 2), "MatMulIntegerToFloat": (1,)}
    checked = 0
    for file in exported(name).folder.glob("*.onnx"):
        graph = onnx.load(file).graph
        tensors = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in graph.initializer}
        for node in graph.node:
            for place in multiplied.get(node.op_type, ()):
                weights = tensors[node.input[place]].astype(int)
                weights = weights[..., : weights.shape[-2] // 2 * 2, :]
                assert np.abs(weights[..., ::2, :] + weights[..., 1::2, :]).max() * 255 < 2**15
                checked += 1
    assert checked


def test_what_has_no_bound_is_multiplied_in_float32(exported: Exports, tmp_path: Path) -> None:
    """ONNX Runtime would quantise it if the weights of heads were dequantised by the operator for that."""
    for name in ("model.onnx", "second.onnx", "labels.onnx"):
        options = onnxruntime.SessionOptions()
        options.optimized_model_filepath = str(tmp_path / name)
        # It warns that the graph suits this machine alone.
        options.log_severity_level = 4
        path = str(exported("reread, int8").folder / name)
        onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        kinds = {node.op_type for node in onnx.load(tmp_path / name).graph.node}
        assert "MatMulIntegerToFloat" in kinds
        assert not kinds & {"DequantizeLinear", "MatMulNBits"}


@pytest.mark.parametrize(
    "name", ["reread, int8", "convolution, int8", "spans, int8", "tagger, int8", "modernbert, int8"]
)
def test_a_sentence_has_the_same_scores_in_every_batch(exported: Exports, trees: list[Tree], name: str) -> None:
    model, folder = exported(name)
    engine = OnnxEngine(folder, Outline.read(folder), threads=1)
    words = [*(tree.words for tree in trees), ("漢字", "x" * 99)]
    tags = [["NN"] * len(sentence) for sentence in words]
    names = {*model.outline.sizes} - ({"permutation"} if model.config.attends else set())
    together = engine.predict(model.features.arrays(words, tags), names)
    bounds = np.cumsum([0, *map(len, words)])
    for number, sentence in enumerate(words):
        alone = engine.predict(model.features.arrays([sentence], [tags[number]]), names)
        for head, scores in alone.items():
            other = together[head][bounds[number] : bounds[number + 1]]
            if head in (ENDS, ENDS_SCORES, LABELS):
                # Behind the last word there is nothing.
                scores, other = scores[:-1], other[:-1]
            # Integers are the same to the last bit; softmax adds up in another order if there is padding.
            np.testing.assert_allclose(scores, other, rtol=1e-5, atol=1e-5)


def test_graphs_hold_what_decoding_reads(exported: Exports) -> None:
    outputs = {}
    for name in GRAPHS:
        path = str(exported("reread").folder / name)
        session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
        outputs[name] = {one.name for one in session.get_outputs()}
    assert outputs == {
        "words.onnx": {"vectors"},
        "model.onnx": {"permutation.scores", "tags.scores", "states"},
        "second.onnx": {"unary.scores", "ends", "ends.scores", "numbers", "found"},
        "labels.onnx": {"shared.scores", "first.scores", "last.scores"},
    }


def test_graphs_of_before_there_was_one_for_labels(
    exported: Exports, trees: list[Tree], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, folder = exported("reread")
    monkeypatch.setattr(export_module, "VOTES", ())
    export(model, tmp_path)
    assert not (tmp_path / "labels.onnx").exists()
    words = [tree.words for tree in trees]
    wanted = list(Parser.load(folder, threads=1).pipe(words))
    for parser in (Parser.load(tmp_path, threads=1), Parser.load(tmp_path, threads=2)):
        assert list(parser.pipe(words)) == wanted
        assert list(parser.pipe(words, confidence=True)) == wanted
    before, after = (Model.load(place).labeller.weights() for place in (tmp_path, folder))
    for name, weight in before.items():
        assert (weight == after[name]).all(), name


def test_a_graph_for_labels_that_is_not_there(exported: Exports, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(exported("reread").folder, folder)
    without_checksums(folder)
    (folder / "labels.onnx").unlink()
    with pytest.raises(DataError, match=r"labels\.onnx: the weights are missing"):
        Parser.load(folder)
    # Or that is part of another model.
    shutil.copyfile(folder / "model.onnx", folder / "labels.onnx")
    with pytest.raises(DataError, match="predicts no shared; export the model again"):
        Parser.load(folder)


@pytest.mark.parametrize("name", ["reread", "paper"])
def test_final_punctuation_is_last(exported: Exports, trees: list[Tree], name: str) -> None:
    model, folder = exported(name)
    engines: dict[str, Engine] = {
        "PyTorch": TorchEngine(model.labeller),
        "ensemble": TorchEngine([model.labeller, model.labeller]),
        "ONNX": OnnxEngine(folder, Outline.read(folder), threads=2),
    }
    some = [tree for tree in trees if len(tree) > 1]
    arrays = model.features.arrays([tree.words for tree in some], [tree.tags for tree in some])
    bounds = arrays.offsets.tolist()
    is_closed = np.arange(len(some)) % 3 > 0
    costs = np.where(is_closed, np.float32(np.inf), np.float32(0))
    open_ends: list[list[bool]] = []
    for closed in (None, costs):
        found = {engine: engines[engine].predict(arrays, (), closed) for engine in engines}
        for head, values in found["ONNX"].items():
            if head not in (ENDS, ENDS_SCORES):
                assert (values == found["PyTorch"][head]).all()
                assert (values == found["ensemble"][head]).all()
        chosen = found["ONNX"]["permutation"].tolist()
        orders = [arranged(chosen[first:last]) for first, last in pairwise(bounds)]
        if model.config.rereads:
            assert found["ONNX"][ORDER].tolist() == [word for order in orders for word in order]
        ends = np.array([order[-1] == len(order) - 1 for order in orders])
        assert not ends[~is_closed].all()
        assert ends[is_closed].all() == (closed is not None)
        open_ends.append(ends[~is_closed].tolist())
    # What is not closed stays as it was.
    assert open_ends[0] == open_ends[1]


def test_new_folders_hold_what_is_needed(tmp_path: Path, tiny_tagger: Path, tiny_treebank: Path) -> None:
    model = Model.load(tiny_tagger)
    export(model, tmp_path, source=tiny_tagger)
    assert {file.name for file in tmp_path.iterdir()} == {
        "README.md",
        "config.json",
        "model.onnx",
        "tags.json",
        "training.json",
        "words.json",
        "words.onnx",
    }
    assert Outline.read(tmp_path).features.to_json().keys() == {"words", "characters", "tags"}
    trees = list(read(tiny_treebank))
    assert compare(model, tmp_path, trees) == {"sentences": len(trees), "same tags %": 100.0}
    # New weights make the graphs of the old ones go.
    model.save(tmp_path)
    assert not any((tmp_path / name).exists() for name in GRAPHS)


def test_very_long_sentences(exported: Exports) -> None:
    words = [f"Wort{number % 37}" for number in range(2000)]
    assert Parser.load(exported("reread").folder).parse_tokens(words).words == tuple(words)


def test_the_number_of_threads_makes_no_difference(exported: Exports, trees: list[Tree]) -> None:
    one, four = (list(Parser.load(exported("reread").folder, threads=threads).pipe(trees * 20)) for threads in (1, 4))
    assert one == four


def test_damaged_graphs(exported: Exports, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(exported("reread").folder, folder)
    without_checksums(folder)
    for name in ("model.onnx", "words.onnx", "second.onnx"):
        content = (folder / name).read_bytes()
        (folder / name).write_bytes(content[: len(content) // 2])
        with pytest.raises(DataError, match=f"{name}: damaged weights"):
            Parser.load(folder)
        if name != "model.onnx":
            (folder / name).unlink()
            with pytest.raises(DataError, match=f"{name}: the weights are missing"):
                Parser.load(folder)
        (folder / name).write_bytes(content)
    # The graph of another model.
    shutil.copyfile(folder / "second.onnx", folder / "model.onnx")
    with pytest.raises(DataError, match="predicts no permutation; export the model again"):
        Parser.load(folder)
