"""Trained labellers as graphs for ONNX Runtime.

PyTorch translates the networks; what it does not translate well is put in by hand. LSTMs become the operator of that
name, which reads every sentence from both ends. Graphs give the scores of heads, and nothing that decoding does not
read. With int8 quantisation, weights are scaled by output (tables of vectors by row), and what they are multiplied with
is quantised while the graph runs.
"""

from __future__ import annotations

import contextlib
import copy
import logging
import math
import shutil
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from permutree.formats.sinks import whole_file
from permutree.model.features import UNKNOWN, WordFeatures
from permutree.model.folder import CARD, GRAPHS, SCORES
from permutree.networks.attention import PredecessorHead
from permutree.networks.bilstm import BiLSTM
from permutree.networks.embeddings import CharacterCNN, CharacterLSTM, WordEmbedding
from permutree.networks.labeller import Labeller, WordEncoder
from permutree.networks.model import Model
from permutree.networks.reread import ENDS, RereadLabeller, best_ends
from permutree.networks.tensors import PieceInputs

__all__ = ["export"]

#: tables of so few numbers are not quantised
SMALL = 1 << 14


def export(model: Model, folder: str | Path, *, quantise: bool = False, source: str | Path | None = None) -> None:
    """Write the graphs of a model, and what else belongs into its folder.

    ``source`` is the folder that the model comes from, if it does: it may be the same, and then keeps its weights.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    graphs = _graphs(_translatable(model.labeller, quantise), quantise)
    outline = model.outline
    outline.facts = outline.facts | {"onnx": "int8" if quantise else "float32", "weights": model.parameters}
    if source is None or folder.resolve() != Path(source).resolve():
        if isinstance(outline.features, WordFeatures):
            # How often words were seen matters to training alone.
            outline.features = outline.features.without_counts()
        if source is not None and (Path(source) / CARD).exists():
            shutil.copyfile(Path(source) / CARD, folder / CARD)
    for name in GRAPHS:
        if name not in graphs:
            (folder / name).unlink(missing_ok=True)
            continue
        with whole_file(folder / name) as temporary:
            temporary.write_bytes(graphs[name])
    outline.write(folder)


def _graphs(labeller: Labeller, quantise: bool) -> dict[str, bytes]:
    """The graphs by the names of their files."""
    words, model, second = GRAPHS
    graphs: dict[str, bytes] = {}

    def translate(module: nn.Module, inputs: dict[str, Tensor], names: Sequence[str]) -> bytes:
        _replace_layers(module, quantise)
        return _translate(module, inputs, names)

    encoder: Any = labeller.encoder
    count, length = 3, 5
    lengths = torch.tensor([5, 2, 4])
    first: nn.Module
    if isinstance(encoder, WordEncoder):
        embedding = encoder.embedding
        forms = torch.ones(count, dtype=torch.long)
        inputs = {"words": forms}
        if embedding.characters is not None:
            inputs["characters"] = forms[:, None].repeat(1, length)
        graphs[words] = translate(_Words(embedding), inputs, ["vectors"])
        tag_size = 0 if embedding.tags is None else embedding.tags.weight.shape[1]
        vectors = torch.zeros(count + 1, embedding.size - tag_size)
        inputs = {"vectors": vectors, "types": torch.ones(count, length, dtype=torch.long), "lengths": lengths}
        if embedding.tags is not None:
            inputs["tags"] = torch.ones(count, length, dtype=torch.long)
        first = _WordSentences(labeller)
    else:
        pieces = torch.ones(count + 1, length + 2, dtype=torch.long)
        places = torch.arange(count * length).view(count, length)
        inputs = {"pieces": pieces, "visible": pieces > 0, "places": places, "lengths": lengths}
        first = _PieceSentences(labeller)
    graphs[model] = translate(first, inputs, first.names)
    if isinstance(labeller, RereadLabeller):
        inputs = {"states": torch.zeros(count, length, encoder.size), "lengths": lengths}
        again = _SecondSentences(labeller)
        graphs[second] = translate(again, inputs, again.names)
    return graphs


class _Words(nn.Module):
    """Different words to their vectors."""

    def __init__(self, embedding: WordEmbedding) -> None:
        super().__init__()
        self.words, self.characters = embedding.words, embedding.characters
        self.trained = embedding.words.weight.shape[0]
        self.fixed: nn.Module | None = embedding.get_submodule("table") if embedding.fixed is not None else None

    def forward(self, words: Tensor, characters: Tensor | None = None) -> Tensor:
        vectors = [self.words(torch.where(words < self.trained, words, UNKNOWN))]
        if self.fixed is not None:
            vectors.append(self.fixed(words))
        if self.characters is not None:
            vectors.append(self.characters(characters))
        return torch.cat(vectors, 1)


class _Sentences(nn.Module):
    """Some of the heads of a labeller, over states that others make; those that are plain layers as one layer."""

    def __init__(self, heads: dict[str, nn.Module], *, gives_states: bool = False) -> None:
        super().__init__()
        plain = {name: head for name, head in heads.items() if isinstance(head, nn.Linear)}
        self.predicted = [*heads]
        self.sizes = {name: head.out_features for name, head in plain.items()}
        self.plain = _joined([*plain.values()]) if plain else None
        self.attention = nn.ModuleDict({name: head for name, head in heads.items() if name not in plain})
        self.gives_states = gives_states

    @property
    def names(self) -> list[str]:
        """What comes out."""
        names = [name + SCORES for name in self.predicted]
        return [*names, "states"] if self.gives_states else names

    def predict(self, states: Tensor) -> tuple[Tensor, ...]:
        """The scores of all heads."""
        scores = {name: head(states) for name, head in self.attention.items()}
        if self.plain is not None:
            scores |= zip(self.sizes, self.plain(states).split([*self.sizes.values()], 2), strict=True)
        found = [scores[name] for name in self.predicted]
        return (*found, states) if self.gives_states else tuple(found)


def _joined(layers: Sequence[nn.Linear]) -> nn.Linear:
    """Linear layers over the same vectors as one, whose outputs are theirs side by side."""
    joined = nn.Linear(layers[0].in_features, sum(layer.out_features for layer in layers))
    joined.weight.data = torch.cat([layer.weight.data for layer in layers])
    joined.bias.data = torch.cat([layer.bias.data for layer in layers])
    return joined


class _First(_Sentences):
    """The heads that go with the first reading."""

    def __init__(self, labeller: Labeller) -> None:
        heads = {name: head for name, head in labeller.heads.items() if not labeller.is_arranged(name)}
        super().__init__(heads, gives_states=isinstance(labeller, RereadLabeller))
        self.encoder: Any = labeller.encoder


class _WordSentences(_First):
    """Sentences of words whose vectors are known."""

    def forward(
        self, vectors: Tensor, types: Tensor, lengths: Tensor, tags: Tensor | None = None
    ) -> tuple[Tensor, ...]:
        read = vectors[types]
        if tags is not None:
            read = torch.cat([read, self.encoder.embedding.tags(tags)], 2)
        mask = torch.arange(types.shape[1]) < lengths[:, None]
        return self.predict(self.encoder.context(read, lengths, mask))


class _PieceSentences(_First):
    """Sentences of sub-words."""

    def forward(self, pieces: Tensor, visible: Tensor, places: Tensor, lengths: Tensor) -> tuple[Tensor, ...]:
        return self.predict(self.encoder(PieceInputs(lengths, pieces, visible, places)))


class _SecondSentences(_Sentences):
    """The second reading and its heads, over states in the order of the arrangement."""

    def __init__(self, labeller: RereadLabeller) -> None:
        super().__init__({name: head for name, head in labeller.heads.items() if labeller.is_arranged(name)})
        self.reading = labeller.reading

    def forward(self, states: Tensor, lengths: Tensor) -> tuple[Tensor, ...]:
        mask = torch.arange(states.shape[1]) < lengths[:, None]
        read, ends = self.reading(states, lengths, mask)
        found = self.predict(read)
        return found if ends is None else (*found, *best_ends(ends))

    @property
    def names(self) -> list[str]:
        return super().names if self.reading.ends is None else [*super().names, ENDS, ENDS + SCORES]


class _Predecessors(nn.Module):
    """The head for predecessors, with scores by word [B, T, T]: as wide as the batch is long, and no wider."""

    def __init__(self, head: PredecessorHead) -> None:
        super().__init__()
        size = head.weight.shape[0]
        self.both, self.prior = _joined([head.words, head.predecessors]), head.prior
        self.weight = nn.Linear(size, size, bias=False)
        self.weight.weight.data = head.weight.data.T / math.sqrt(size)
        self.next, self.values = head.next, head.values

    def forward(self, states: Tensor) -> Tensor:
        words, before = nn.functional.gelu(self.both(states)).chunk(2, 2)
        scores = self.weight(words) @ before.transpose(1, 2) + self.prior(before).transpose(1, 2)
        places = torch.arange(states.shape[1])
        back = places[:, None] - 1 - places
        scores = torch.where(back == 0, scores + self.next, scores)
        # The first word has nothing before it: whatever it is said to follow, it stays the first.
        is_open = (back >= 0) & (back < self.values) | (places[:, None] + places == 0)
        return torch.where(is_open, scores, -math.inf)


class _BiLSTM(nn.Module):
    """Stacked BiLSTMs of the operator."""

    def __init__(self, stack: BiLSTM, quantise: bool) -> None:
        super().__init__()
        pairs = zip(stack.forwards, stack.backwards, strict=True)
        self.layers = nn.ModuleList(_LSTM(pair, "bidirectional", quantise) for pair in pairs)

    def forward(self, vectors: Tensor, lengths: Tensor, mask: Tensor) -> Tensor:
        vectors = vectors.transpose(0, 1)
        for layer in self.layers:
            states, _ = layer(vectors, lengths)
            vectors = states.transpose(1, 2).flatten(2)
        return vectors.transpose(0, 1)


class _CharacterLSTM(nn.Module):
    """Last states of LSTMs over characters."""

    def __init__(self, spelling: CharacterLSTM, quantise: bool) -> None:
        super().__init__()
        self.embedding = spelling.embedding
        self.forwards = _LSTM([spelling.forwards], "forward", quantise)
        self.backwards = _LSTM([spelling.backwards], "reverse", quantise)

    def forward(self, characters: Tensor) -> Tensor:
        lengths = (characters != 0).sum(1).clamp(min=1)
        vectors = self.embedding(characters).transpose(0, 1)
        return torch.cat([lstm(vectors, lengths)[1][0] for lstm in (self.forwards, self.backwards)], 1)


class _CharacterCNN(nn.Module):
    """Filters of several widths as one layer over windows of the widest, which is faster than convolution."""

    def __init__(self, spelling: CharacterCNN) -> None:
        super().__init__()
        self.embedding, self.widest = spelling.embedding, spelling.widest
        filters: list[Any] = [*spelling.filters]
        inputs, outputs = spelling.embedding.embedding_dim, sum(one.out_channels for one in filters)
        weights = torch.zeros(outputs, self.widest, inputs)
        first = 0
        for one in filters:
            # A narrow filter looks at the end of the window.
            width = one.kernel_size[0]
            weights[first : first + one.out_channels, self.widest - width :] = one.weight.detach().transpose(1, 2)
            first += one.out_channels
        self.respond = nn.Linear(self.widest * inputs, outputs)
        self.respond.weight.data = weights.flatten(1)
        self.respond.bias.data = torch.cat([one.bias.detach() for one in filters])

    def forward(self, characters: Tensor) -> Tensor:
        # Windows that end at each character, and where nothing but padding is left.
        count = characters.shape[1] + self.widest
        room = nn.functional.pad(characters, (self.widest - 1, self.widest), value=0)
        windows = torch.stack([room[:, start : start + count] for start in range(self.widest)], 2)
        responses: Tensor = self.respond(self.embedding(windows).flatten(2))
        return responses.amax(1).relu()


class _LSTM(nn.Module):
    """The operator for one direction or both."""

    def __init__(self, parts: Sequence[Any], direction: str, quantise: bool) -> None:
        super().__init__()
        self.direction, self.hidden, self.quantise = direction, parts[0].hidden_size, quantise

        def stacked(name: str) -> Tensor:
            # Its gates come in another order: input, output, forget, cell.
            return torch.stack([getattr(part, name).detach()[_gates(part.hidden_size)] for part in parts])

        biases = torch.cat([stacked("bias_ih_l0"), stacked("bias_hh_l0")], 1)
        self.register_buffer("biases", biases)
        for name, weights in (("inputs", stacked("weight_ih_l0")), ("states", stacked("weight_hh_l0"))):
            if quantise:
                _add_quantised(self, name, weights.transpose(1, 2).contiguous(), 1)
            else:
                self.register_buffer(name, weights)

    def forward(self, vectors: Tensor, lengths: Tensor) -> Sequence[Tensor]:
        """Vectors [T, B, inputs] to states [T, directions, B, hidden], and the last of them."""
        known: Any = self
        directions, (length, batch, _) = known.biases.shape[0], vectors.shape
        weights = [vectors, known.inputs, known.states, known.biases, lengths.int()]
        operator, version = "LSTM", None
        if self.quantise:
            operator, version = "com.microsoft::DynamicQuantizeLSTM", 1
            scales = [known.inputs_scale, known.inputs_zero, known.states_scale, known.states_zero]
            weights += [None, None, None, *scales]
        return torch.onnx.ops.symbolic_multi_out(
            operator,
            weights,
            {"hidden_size": self.hidden, "direction": self.direction},
            dtypes=[vectors.dtype] * 2,
            shapes=[(length, directions, batch, self.hidden), (directions, batch, self.hidden)],
            version=version,
        )


class _Linear(nn.Module):
    """A linear layer whose weights keep their name in the graph; they may be quantised."""

    def __init__(self, layer: nn.Linear, quantise: bool) -> None:
        super().__init__()
        self.quantise = quantise
        weights = layer.weight.detach().T.contiguous()
        if quantise:
            _add_quantised(self, "weight", weights, 0)
        else:
            self.register_buffer("weight", weights)
        self.register_buffer("bias", None if layer.bias is None else layer.bias.detach())

    def forward(self, vectors: Tensor) -> Tensor:
        known: Any = self
        operator, version, weights = "MatMul", None, [vectors, known.weight]
        if self.quantise:
            operator, version = "com.microsoft::DynamicQuantizeMatMul", 1
            weights += [known.weight_scale, known.weight_zero, known.bias]
        found = torch.onnx.ops.symbolic(
            operator,
            weights,
            dtype=vectors.dtype,
            shape=(*vectors.shape[:-1], known.weight.shape[1]),
            version=version,
        )
        return found if self.quantise or known.bias is None else found + known.bias


class _Embedding(nn.Module):
    """A table of vectors with quantised rows."""

    def __init__(self, table: nn.Embedding) -> None:
        super().__init__()
        _add_quantised(self, "weight", table.weight.detach(), 1)

    def forward(self, numbers: Tensor) -> Tensor:
        known: Any = self
        vectors: Tensor = known.weight[numbers].float() * known.weight_scale[numbers][..., None]
        return vectors


def _add_quantised(module: nn.Module, name: str, weights: Tensor, axis: int) -> None:
    """Keep weights as whole numbers, with scales that are the same along an axis."""
    scales = weights.abs().amax(axis) / 127
    scales[scales == 0] = 1
    numbers = (weights / scales.unsqueeze(axis)).round().to(torch.int8)
    module.register_buffer(name, numbers)
    module.register_buffer(f"{name}_scale", scales)
    module.register_buffer(f"{name}_zero", torch.zeros_like(scales, dtype=torch.int8))


def _gates(hidden: int) -> Tensor:
    """Where the gates of the operator stand in PyTorch's order: input, forget, cell, output."""
    return torch.arange(4 * hidden).view(4, hidden)[[0, 3, 1, 2]].flatten()


def _translatable(labeller: Labeller, quantise: bool) -> Labeller:
    """A copy of a labeller made of what can be translated."""
    labeller = copy.deepcopy(labeller).cpu().float().eval()
    for module in [*labeller.modules()]:
        for name, child in [*module.named_children()]:
            if isinstance(child, PredecessorHead):
                setattr(module, name, _Predecessors(child))
            elif isinstance(child, BiLSTM):
                setattr(module, name, _BiLSTM(child, quantise))
            elif isinstance(child, CharacterLSTM):
                setattr(module, name, _CharacterLSTM(child, quantise))
            elif isinstance(child, CharacterCNN):
                setattr(module, name, _CharacterCNN(child))
        if isinstance(module, WordEmbedding) and module.fixed is not None:
            # As a layer, so that it is quantised like the others.
            table = nn.Embedding.from_pretrained(module.fixed)  # type: ignore[no-untyped-call]
            module.add_module("table", table)
    return labeller


def _replace_layers(network: nn.Module, quantise: bool) -> None:
    """Put layers in the place of others whose weights keep their names, or are quantised."""
    for module in [*network.modules()]:
        for name, child in [*module.named_children()]:
            if isinstance(child, nn.Linear):
                setattr(module, name, _Linear(child, quantise))
            elif quantise and isinstance(child, nn.Embedding) and child.weight.numel() > SMALL:
                setattr(module, name, _Embedding(child))


def _translate(module: nn.Module, inputs: dict[str, Tensor], names: Sequence[str]) -> bytes:
    """A network as a graph: inputs and outputs have these names, and the sizes of the first dimensions are free."""
    fixed = {"vectors": 1, "states": 2}
    free = {
        name: dict.fromkeys(range(fixed.get(name, tensor.dim())), torch.export.Dim.DYNAMIC)
        for name, tensor in inputs.items()
    }
    with _quiet(), torch.inference_mode():
        program = torch.onnx.export(
            module.eval(),
            kwargs=inputs,
            dynamo=True,
            dynamic_shapes=free,
            input_names=[*inputs],
            output_names=[*names],
            verbose=False,
        )
    assert program is not None
    model = program.model_proto
    # Names of files and lines of code are for those who mend the translation.
    del model.metadata_props[:]
    for part in (*model.graph.node, *model.graph.value_info, model.graph, *model.graph.input, *model.graph.output):
        del part.metadata_props[:]
        part.doc_string = ""
    del model.graph.value_info[:]
    graph: bytes = model.SerializeToString()
    return graph


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep PyTorch from telling how it goes about it."""
    logger = logging.getLogger("torch.onnx")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)
