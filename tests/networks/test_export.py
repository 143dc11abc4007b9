"""The graphs give what PyTorch gives, for every kind of encoder and both labellers."""

import shutil
from dataclasses import replace
from itertools import chain, pairwise
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
import torch

from permutree.encoding import Codec
from permutree.encoding.final_punctuation import arranged
from permutree.errors import DataError
from permutree.formats import read
from permutree.model.config import EmbeddingConfig, EncoderConfig, ModelConfig, RereadConfig
from permutree.model.features import WordFeatures
from permutree.model.folder import GRAPHS, Outline
from permutree.networks.export import export
from permutree.networks.model import Model
from permutree.networks.pretrained import load_pretrained
from permutree.parsing.comparison import compare
from permutree.parsing.engines import ENDS, ENDS_SCORES, ORDER, Engine
from permutree.parsing.onnx_engine import OnnxEngine
from permutree.parsing.parser import Parser
from permutree.parsing.torch_engine import TorchEngine
from permutree.trees.tree import Tree
from tiny_encoders import write_encoder
from tiny_models import TREES

EMBEDDINGS = EmbeddingConfig(word=8, character=9, character_embedding=4, tag=4)
BILSTM = EncoderConfig(hidden=8, layers=2)
TRANSFORMER = EncoderConfig(kind="transformer", hidden=8, layers=1, heads=2, feedforward=16)

#: translating a network takes seconds, so each of these has several settings
CONFIGS = {
    "gold tags": ModelConfig(tags="gold", encoder=BILSTM, embeddings=replace(EMBEDDINGS, characters="lstm")),
    "tagger": ModelConfig(task="tag", encoder=BILSTM, embeddings=replace(EMBEDDINGS, character=0)),
    "rotary": ModelConfig(tags="gold", encoder=TRANSFORMER, embeddings=EMBEDDINGS),
    "learned": ModelConfig(encoder=replace(TRANSFORMER, positions="learned"), embeddings=replace(EMBEDDINGS, fixed=5)),
}
REREAD = ModelConfig(
    labeller="reread",
    attention=8,
    reread=RereadConfig(hidden=6, ends=4),
    encoder=BILSTM,
    embeddings=EMBEDDINGS,
)


@pytest.fixture(scope="module")
def trees() -> list[Tree]:
    return list(read(TREES))


@pytest.fixture(scope="module")
def reread(trees: list[Tree], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The graphs of a labeller that reads again."""
    folder = tmp_path_factory.mktemp("reread")
    export(make(REREAD, trees), folder)
    return folder


def make(config: ModelConfig, trees: list[Tree], pretrained: Path | None = None, *, jumps: bool = True) -> Model:
    """A model with random weights, in whose arrangements words jump, or hardly any."""
    torch.manual_seed(3)
    words, tags = [tree.words for tree in trees], [tree.tags for tree in trees]
    # Half of the words are known by fixed vectors only, if there are such.
    fixed = {"min_count": 2, "fixed_words": chain.from_iterable(words)} if config.embeddings.fixed else {}
    known = WordFeatures.fit(words, tags, **fixed)  # type: ignore[arg-type]
    features, encoder = load_pretrained(str(pretrained)) if pretrained else (known, None)
    codec = Codec.fit(trees, config.permutation.name) if config.task == "parse" else None
    model = Model.build(config, features, codec, sorted({tag for sentence in tags for tag in sentence}), encoder)
    if config.attends and jumps:
        torch.nn.init.zeros_(model.labeller.heads["permutation"].next)  # type: ignore[arg-type]
    if config.embeddings.fixed:
        torch.nn.init.normal_(model.labeller.encoder.embedding.fixed)  # type: ignore[arg-type,union-attr]
    model.labeller.eval()
    return model


def probabilities(scores: np.ndarray) -> np.ndarray:
    """Scores are log-probabilities up to a constant for each word."""
    shares: np.ndarray = np.exp(scores - scores.max(1, keepdims=True))
    return shares / shares.sum(1, keepdims=True)


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
    if model.config.finds_ends:
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
def test_graphs_of_labellers(tmp_path: Path, trees: list[Tree], name: str) -> None:
    model = make(CONFIGS[name], trees)
    export(model, tmp_path)
    check(model, tmp_path, trees, 1e-4)


def test_graphs_of_a_second_reading(reread: Path, trees: list[Tree]) -> None:
    check(make(REREAD, trees), reread, trees, 1e-4)
    for name in GRAPHS:
        # They say nothing of where they were made.
        assert b".py" not in (reread / name).read_bytes()


def test_graphs_hold_what_decoding_reads(reread: Path) -> None:
    outputs = {}
    for name in GRAPHS:
        session = onnxruntime.InferenceSession(str(reread / name), providers=["CPUExecutionProvider"])
        outputs[name] = {one.name for one in session.get_outputs()}
    assert outputs == {
        "words.onnx": {"vectors"},
        "model.onnx": {"permutation.scores", "tags.scores", "states"},
        "second.onnx": {"shared.scores", "unary.scores", "first.scores", "last.scores", "ends", "ends.scores"},
    }


@pytest.mark.parametrize("labeller", ["reread", "paper"])
def test_final_punctuation_is_last(reread: Path, tmp_path: Path, trees: list[Tree], labeller: str) -> None:
    config, folder = REREAD, reread
    if labeller == "paper":
        config, folder = replace(REREAD, labeller="paper", encoding="predecessor"), tmp_path
        export(make(config, trees), folder)
    model, outline = make(config, trees), Outline.read(folder)
    engines: dict[str, Engine] = {
        "PyTorch": TorchEngine(model.labeller),
        "ensemble": TorchEngine([model.labeller, model.labeller]),
        "ONNX": OnnxEngine(folder, outline, threads=2),
    }
    words = [tree.words for tree in trees if len(tree) > 1]
    arrays = model.features.arrays(words, None)
    bounds = arrays.offsets.tolist()
    is_closed = np.arange(len(words)) % 3 > 0
    open_ends: list[list[bool]] = []
    for closed in (None, is_closed):
        found = {name: engine.predict(arrays, (), closed) for name, engine in engines.items()}
        for name, values in found["ONNX"].items():
            if name not in (ENDS, ENDS_SCORES):
                assert (values == found["PyTorch"][name]).all()
                assert (values == found["ensemble"][name]).all()
        values = found["ONNX"]["permutation"].tolist()
        orders = [arranged(values[first:last]) for first, last in pairwise(bounds)]
        if labeller == "reread":
            assert found["ONNX"][ORDER].tolist() == [word for order in orders for word in order]
        ends = np.array([order[-1] == len(order) - 1 for order in orders])
        assert not ends[~is_closed].all()
        assert ends[is_closed].all() == (closed is not None)
        open_ends.append(ends[~is_closed].tolist())
    # What is not closed stays as it was.
    assert open_ends[0] == open_ends[1]


def test_quantised_graphs(tmp_path: Path, trees: list[Tree]) -> None:
    config = replace(REREAD, embeddings=replace(EMBEDDINGS, characters="lstm"))
    model = make(config, trees, jumps=False)
    export(model, tmp_path, quantise=True)
    check(model, tmp_path, trees, 0.02)
    assert Outline.read(tmp_path).facts["onnx"] == "int8"


@pytest.mark.parametrize(("family", "on_top"), [("bert", 0), ("modernbert", 0), ("bert", 1)])
def test_graphs_of_pretrained_encoders(tmp_path: Path, trees: list[Tree], family: str, on_top: int) -> None:
    write_encoder(tmp_path / "encoder", family)
    encoder = EncoderConfig(kind="pretrained", pretrained="encoder", on_top=on_top, hidden=8)
    model = make(ModelConfig(encoder=encoder), trees, tmp_path / "encoder")
    export(model, tmp_path / "model")
    check(model, tmp_path / "model", trees, 1e-4)


def test_graphs_beside_the_weights(tmp_path: Path, tiny_own_tags: Path, tiny_treebank: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(tiny_own_tags, folder)
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    model = Model.load(folder)
    export(model, folder, source=folder)
    after = {file.name: file.read_bytes() for file in folder.iterdir()}
    assert {name for name in after if after[name] != before.get(name)} == {"config.json", *GRAPHS}
    trees = list(read(tiny_treebank))
    found = compare(model, folder, trees)
    assert found["sentences"] == len(trees)
    assert found["same trees %"] == found["F1, PyTorch"] == found["F1, ONNX"] == 100
    # New weights make the graphs of the old ones go.
    model.save(folder)
    assert {file.name for file in folder.iterdir()} == {*before}


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


def test_very_long_sentences(reread: Path) -> None:
    words = [f"Wort{number % 37}" for number in range(2000)]
    assert Parser.load(reread).parse_tokens(words).words == tuple(words)


def test_the_number_of_threads_makes_no_difference(reread: Path, trees: list[Tree]) -> None:
    one, four = (list(Parser.load(reread, threads=threads).pipe(trees * 20)) for threads in (1, 4))
    assert one == four


def test_damaged_graphs(reread: Path, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(reread, folder)
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
