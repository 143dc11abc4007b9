"""Small random models as graphs. A translation takes seconds, so each model stands for several settings at once."""

from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import torch

from permutree.encoding import Codec
from permutree.formats import read
from permutree.model.config import EmbeddingConfig, EncoderConfig, ModelConfig, RereadConfig
from permutree.model.features import WordFeatures
from permutree.networks import operators
from permutree.networks.export import export
from permutree.networks.model import Model
from permutree.networks.pretrained import load_pretrained
from tiny_encoders import write_encoder
from tiny_models import TREES

EMBEDDINGS = EmbeddingConfig(word=8, character=9, character_embedding=8, tag=4)
BILSTM = EncoderConfig(hidden=8, layers=2)
CONVOLUTION = EncoderConfig(kind="convolution", hidden=10, layers=3)
TRANSFORMER = EncoderConfig(kind="transformer", hidden=8, layers=1, heads=2, feedforward=16)
SIZES: dict[str, Any] = {"attention": 8, "reread": RereadConfig(hidden=6, ends=4)}
PRETRAINED = EncoderConfig(kind="pretrained", pretrained="encoder", hidden=8)

REREAD = ModelConfig(labeller="reread", encoder=BILSTM, embeddings=EMBEDDINGS, **SIZES)
TAGGER = ModelConfig(task="tag", encoder=BILSTM, embeddings=EMBEDDINGS)
CONFIGS = {
    "reread": REREAD,
    "reread, int8": replace(REREAD, tags="gold", embeddings=replace(EMBEDDINGS, characters="lstm", fixed=8)),
    "convolution": replace(REREAD, encoder=CONVOLUTION),
    "convolution, int8": replace(REREAD, encoder=CONVOLUTION, tags="gold"),
    "spans": replace(REREAD, reread=RereadConfig(hidden=6, ends=4, spans=5)),
    "spans, int8": replace(REREAD, reread=RereadConfig(hidden=6, ends=0, spans=5, span_loss="local")),
    "paper": replace(
        REREAD,
        labeller="paper",
        encoding="predecessor",
        tags="gold",
        embeddings=replace(EMBEDDINGS, characters="lstm", fixed=8),
    ),
    "tagger, int8": replace(TAGGER, embeddings=replace(EMBEDDINGS, fixed=5)),
    "rotary": ModelConfig(tags="gold", encoder=TRANSFORMER, embeddings=EMBEDDINGS),
    "learned": replace(
        TAGGER, encoder=replace(TRANSFORMER, positions="learned"), embeddings=replace(EMBEDDINGS, character=0)
    ),
    "bert": replace(TAGGER, encoder=replace(PRETRAINED, on_top=1)),
    "modernbert": ModelConfig(encoder=PRETRAINED),
    "modernbert, int8": replace(REREAD, encoder=PRETRAINED),
    "qwen2": replace(REREAD, encoder=PRETRAINED),
}
#: those whose weights can be read back
READABLE = [name for name, config in CONFIGS.items() if config.encoder.kind != "transformer"]


class Exported(NamedTuple):
    """A model, and the folder with its graphs."""

    model: Model
    folder: Path


def make_model(name: str, folder: Path) -> Model:
    """A model with random weights, in whose arrangements words jump."""
    config = CONFIGS[name]
    torch.manual_seed(3)
    trees = list(read(TREES))
    words, tags = [tree.words for tree in trees], [tree.tags for tree in trees]
    encoder = None
    features: Any
    if config.encoder.kind == "pretrained":
        write_encoder(folder, name.removesuffix(", int8"))
        features, encoder = load_pretrained(str(folder))
    else:
        fixed: dict[str, Any] = {}
        if config.embeddings.fixed:
            # All words have fixed vectors, but some may not have others.
            fixed = {"fixed_words": chain.from_iterable(words), "min_count": 2 if name == "paper" else 1}
        features = WordFeatures.fit(words, tags, **fixed)
    codec = Codec.fit(trees, config.permutation.name) if config.task == "parse" else None
    model = Model.build(config, features, codec, sorted({tag for sentence in tags for tag in sentence}), encoder)
    weights = model.labeller.state_dict()
    for weight in weights.values():
        # Biases that are all zeros would be one in a graph.
        if weight.dim() == 1 and weight.is_floating_point():
            weight += 0.02 * torch.randn_like(weight)
    if config.embeddings.fixed:
        torch.nn.init.normal_(weights["encoder.embedding.fixed"])
    if name in ("reread", "convolution", "spans", "paper"):
        # Elsewhere, words that jump would jump to other places for the smallest difference.
        weights["heads.permutation.next"].fill_(-0.01)
    model.labeller.eval()
    return model


def export_model(name: str, folder: Path) -> Exported:
    """A model and its graphs; with int8 weights, small tables are quantised, too."""
    from torch._dynamo import config as dynamo

    model = make_model(name, folder / "encoder")
    # PyTorch finds the shapes of networks this small in less time than it finds them in its cache.
    with patch.object(operators, "SMALL", 0), dynamo.patch(fake_tensor_cache_enabled=False):
        export(model, folder / "model", quantise="int8" in name)
    return Exported(model, folder / "model")
