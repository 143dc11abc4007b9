"""Weights read back out of graphs for ONNX Runtime, so that a model that was exported also runs in PyTorch.

What :mod:`~permutree.networks.export` joins, transposes and quantises is taken apart here: int8 numbers times their
scales are the weights, as near to the trained ones as they are in the graphs. Labellers with BiLSTMs or
convolutions over words come back whole, and so do those over most pretrained encoders; of other encoders, the
translation does not keep the names of weights.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from permutree.errors import ConfigError, DataError
from permutree.model.folder import GRAPHS, SCORES, SPANS, STATES
from permutree.networks.attention import PredecessorHead
from permutree.networks.bilstm import BiLSTM
from permutree.networks.convolution import Convolution
from permutree.networks.embeddings import CharacterCNN, CharacterLSTM, WordEmbedding
from permutree.networks.labeller import Labeller, WordEncoder
from permutree.networks.pins import Layout
from permutree.networks.pretrained import PretrainedEncoder
from permutree.networks.reread import RereadLabeller

__all__ = ["read_graphs"]

Weights = Iterator[tuple[str, Tensor]]


def read_graphs(folder: Path, labeller: Labeller) -> dict[str, Tensor]:
    """The weights of a labeller by name, from the graphs in a folder."""
    words, model, second, labels = (folder / name for name in GRAPHS)
    first = _Graph(model)
    encoder: Any = labeller.encoder
    is_words = isinstance(encoder, WordEncoder) and isinstance(encoder.context, BiLSTM | Convolution)
    if not (is_words or (isinstance(encoder, PretrainedEncoder) and _is_named(first, encoder))):
        raise ConfigError(
            f"{folder} has graphs for the CPU only; to run it in PyTorch, use the folder that it was exported from"
        )
    try:
        if isinstance(encoder, PretrainedEncoder):
            found, states = dict(_pretrained(first, encoder)), _plain(encoder.size)
        else:
            found, states = dict(_word_encoder(_Graph(words), first, encoder)), Layout.of_states(encoder.context)
        found |= _heads(first, labeller, states, arranged=False)
        if isinstance(labeller, RereadLabeller):
            again, reading = _Graph(second), labeller.reading
            found |= _context(again, "reading.context", reading.context, states)
            states = states.beside(Layout.of_states(reading.context))
            if reading.ends is not None:
                found |= _linear(again, "reading.ends.project", states)
            found |= _heads(again, labeller, states, arranged=True)
            if STATES in again.outputs:
                found |= _votes(_Graph(labels), states)
            if labeller.spans is not None:
                found |= _linear(again, "spans.label")
    except (KeyError, ValueError, IndexError, RuntimeError, StopIteration) as error:
        raise DataError(f"its graphs are not those of its config.json: {error!r}", source=str(folder)) from error
    return found


class _Graph:
    """The numbers in a graph, by name."""

    def __init__(self, path: Path) -> None:
        import onnx
        from onnx.numpy_helper import to_array

        try:
            graph = onnx.load(path).graph
        except Exception as error:  # of many kinds, from a library that documents none
            raise DataError(f"damaged weights: {error}", source=str(path)) from None
        self.arrays: dict[str, Any] = {one.name: to_array(one) for one in graph.initializer}
        self.outputs = [one.name for one in graph.output]
        self.heads = [name.removesuffix(SCORES) for name in self.outputs if name.endswith(SCORES)]
        #: what the graph does, in order: the kind of each step, what goes in, and what comes out
        self.steps = [(node.op_type, [*node.input], [*node.output]) for node in graph.node]

    def tensor(self, name: str) -> Tensor:
        """An array of the graph, not dequantised."""
        return torch.from_numpy(np.array(self.arrays[name]))

    def weight(self, name: str) -> Tensor:
        """Weights as they stand in the graph, made whole again if they are quantised."""
        numbers = self.tensor(name)
        if not self.is_quantised(name):
            return numbers
        return numbers.float() * self.tensor(name + "_scale").unsqueeze(-2)

    def is_quantised(self, name: str) -> bool:
        """Whether weights are int8."""
        return name + "_scale" in self.arrays

    def layer(self, name: str) -> Tensor:
        """The weights of a linear layer [outputs, inputs]."""
        return self.weight(f"{name}.weight").T

    def shares(self, layer: str, parts: int) -> list[int]:
        """How many of the outputs of a layer belong to each of the heads that it was joined from."""
        size = len(self.arrays[f"{layer}.bias"])
        followed = {f"{layer}.bias"}
        for kind, inputs, outputs in self.steps:
            if followed.isdisjoint(inputs):
                continue
            if kind == "Split" and parts > 1:
                return list(self.arrays[inputs[1]].tolist()) if len(inputs) > 1 else [size // parts] * parts
            followed.update(outputs)
        return [size]

    def tables(self) -> Iterator[Tensor]:
        """The tables that vectors are looked up in, as the graph does: translation takes away most of their names."""
        looked_up = [inputs[0] for kind, inputs, _ in self.steps if kind in ("Gather", "GatherND")]
        names = [name for name in looked_up if name in self.arrays]
        for number, name in enumerate(names):
            if self.arrays[name].ndim == 2:
                table = self.tensor(name)
                # The scales of a quantised table are looked up right after it.
                yield table if table.is_floating_point() else table.float() * self.tensor(names[number + 1])[:, None]


def _linear(graph: _Graph, name: str, layout: Layout | None = None) -> Weights:
    weight = graph.layer(name)
    yield f"{name}.weight", weight if layout is None else layout.gather(weight)
    yield f"{name}.bias", graph.tensor(f"{name}.bias")


def _lstm(graph: _Graph, name: str, targets: list[str], hidden: int, layout: Layout) -> Weights:
    """The LSTMs of both directions, or of one, with gates in PyTorch's order."""
    # The operator has input, output, forget, cell; PyTorch has input, forget, cell, output.
    gates = torch.arange(4 * hidden).view(4, hidden)[[0, 2, 3, 1]].flatten()
    inputs, states = (
        # The operator for int8 weights wants them the other way round.
        graph.weight(part).transpose(1, 2) if graph.is_quantised(part) else graph.weight(part)
        for part in (f"{name}.inputs", f"{name}.states")
    )
    biases = graph.tensor(f"{name}.biases").chunk(2, 1)
    inputs, states = layout.gather(inputs), states[:, :, :hidden]
    for number, target in enumerate(targets):
        yield f"{target}.weight_ih_l0", _units(inputs[number], hidden)[gates]
        yield f"{target}.weight_hh_l0", _units(states[number], hidden)[gates]
        for part, bias in zip(("ih", "hh"), biases, strict=True):
            yield f"{target}.bias_{part}_l0", _units(bias[number], hidden)[gates]


def _units(weights: Tensor, hidden: int) -> Tensor:
    """The rows of the first so many units of each of the four gates, without those of pins."""
    return torch.cat([gate[:hidden] for gate in weights.chunk(4)])


def _context(graph: _Graph, name: str, stack: BiLSTM | Convolution, layout: Layout) -> Weights:
    """A stack of layers that reads vectors of a layout."""
    if isinstance(stack, Convolution):
        yield from _convolution(graph, name, stack, layout)
        return
    hidden = stack.size // 2
    for layer in range(len(stack.forwards)):
        targets = [f"{name}.{direction}.{layer}" for direction in ("forwards", "backwards")]
        yield from _lstm(graph, f"{name}.layers.{layer}", targets, hidden, layout)
        layout = Layout.of_bilstm(hidden)


def _convolution(graph: _Graph, name: str, stack: Convolution, layout: Layout) -> Weights:
    yield from _linear(graph, f"{name}.enter", layout)
    for number in range(len(stack.layers)):
        layer = f"{name}.layers.{number}"
        yield from _linear(graph, f"{layer}.look")
        yield from _linear(graph, f"{layer}.mix")
        yield from _norm(graph, f"{layer}.norm")
    yield from _norm(graph, f"{name}.norm")


def _norm(graph: _Graph, name: str) -> Weights:
    for part in ("weight", "bias"):
        yield f"{name}.{part}", graph.tensor(f"{name}.{part}")


def _word_encoder(words: _Graph, model: _Graph, encoder: Any) -> Weights:
    """What reads words: their vectors, and the stack of layers over these."""
    embedding: WordEmbedding = encoder.embedding
    yield from _embedding(words, model, embedding)
    tags = 0 if embedding.tags is None else embedding.tags.weight.shape[1]
    yield from _context(model, "encoder.context", encoder.context, Layout.of_words(embedding.size - tags, tags))


def _is_named(graph: _Graph, encoder: PretrainedEncoder) -> bool:
    """Whether a graph has the weights of a pretrained encoder by their names; tables of vectors need none."""
    return all(
        f"encoder.model.{name}" in graph.arrays
        for name, _ in encoder.model.named_parameters()
        if not isinstance(_owner(encoder, name), nn.Embedding)
    )


def _pretrained(graph: _Graph, encoder: PretrainedEncoder) -> Weights:
    """What reads sub-words, and the BiLSTM on top of it, if there is one."""
    tables = [*graph.tables()]
    for name, weight in encoder.model.state_dict().items():
        full, owner = f"encoder.model.{name}", _owner(encoder, name)
        if isinstance(owner, nn.Embedding):
            # Most have lost their names, but no two of them have the same shape.
            number = next(number for number, table in enumerate(tables) if table.shape == weight.shape)
            yield full, tables.pop(number)
        else:
            numbers = graph.weight(full)
            yield full, numbers.T if isinstance(owner, nn.Linear) and numbers.dim() == 2 else numbers
    if encoder.on_top is not None:
        yield from _context(graph, "encoder.on_top", encoder.on_top, _plain(encoder.model.config.hidden_size))


def _plain(size: int) -> Layout:
    """A vector without pins."""
    return Layout(size, torch.arange(size))


def _owner(encoder: PretrainedEncoder, name: str) -> nn.Module:
    """The layer of a pretrained encoder that a weight belongs to."""
    return encoder.model.get_submodule(name.rpartition(".")[0])


def _embedding(words: _Graph, model: _Graph, embedding: WordEmbedding) -> Weights:
    """The vectors of words, characters and tags."""
    name = "encoder.embedding"
    tables = words.tables()
    yield f"{name}.words.weight", next(tables)
    if embedding.fixed is not None:
        yield f"{name}.fixed", next(tables)
    if embedding.tags is not None:
        yield f"{name}.tags.weight", next(model.tables())
    spelling: Any = embedding.characters
    if spelling is not None:
        layout = Layout.of_words(spelling.embedding.embedding_dim, 0)
        yield f"{name}.characters.embedding.weight", layout.gather(next(tables))
    if isinstance(spelling, CharacterLSTM):
        for direction in ("forwards", "backwards"):
            hidden = getattr(spelling, direction).hidden_size
            yield from _lstm(words, f"characters.{direction}", [f"{name}.characters.{direction}"], hidden, layout)
    elif isinstance(spelling, CharacterCNN):
        weight, biases = words.layer("characters.respond"), words.tensor("characters.respond.bias")
        joined = weight.reshape(len(weight), spelling.widest, -1)
        filters: Any = spelling.filters
        first = 0
        for number, one in enumerate(filters):
            share, _, width = one.weight.shape
            last = first + share
            yield f"{name}.characters.filters.{number}.weight", joined[first:last, -width:].transpose(1, 2)
            yield f"{name}.characters.filters.{number}.bias", biases[first:last]
            first = last


def _heads(graph: _Graph, labeller: Labeller, layout: Layout, *, arranged: bool) -> Weights:
    """The heads of a graph over states of a layout: those that are one layer each were joined."""
    heads = {name: head for name, head in labeller.heads.items() if labeller.is_arranged(name) == arranged}
    for name, head in heads.items():
        if isinstance(head, PredecessorHead):
            yield from _predecessors(graph, name, head, layout)
    plain = [name for name in graph.heads if f"attention.{name}.next" not in graph.arrays and name != "ends"]
    if plain:
        weight, bias = layout.gather(graph.layer("plain")), graph.tensor("plain.bias")
        if "beside.weight" in graph.arrays:
            weight = torch.cat([weight, graph.layer("beside")], 1)
        sizes = graph.shares("plain", len(plain))
        # Graphs of earlier versions have heads that the labeller has not.
        for name, rows, numbers in zip(plain, torch.split(weight, sizes), torch.split(bias, sizes), strict=True):
            full = "spans.project" if name == SPANS else f"heads.{name}"
            if name in heads or name == SPANS:
                yield f"{full}.weight", rows
                yield f"{full}.bias", numbers


def _votes(graph: _Graph, layout: Layout) -> Weights:
    """The heads for the labels of constituents, which have a graph of their own."""
    for name in graph.heads:
        layer = f"layers.{name}"
        weight = torch.cat([layout.gather(graph.layer(layer)), graph.layer(f"beside.{name}")], 1)
        yield f"heads.{name}.weight", weight
        yield f"heads.{name}.bias", graph.tensor(f"{layer}.bias")


def _predecessors(graph: _Graph, name: str, head: PredecessorHead, layout: Layout) -> Weights:
    """The attention to predecessors, whose two layers were joined and whose scores were scaled."""
    source, target = f"attention.{name}", f"heads.{name}"
    size = head.weight.shape[0]
    both = (layout.gather(graph.layer(f"{source}.both")).chunk(2), graph.tensor(f"{source}.both.bias").chunk(2))
    for part, weight, bias in zip(("words", "predecessors"), *both, strict=True):
        yield f"{target}.{part}.weight", weight
        yield f"{target}.{part}.bias", bias
    yield f"{target}.weight", graph.layer(f"{source}.weight").T * math.sqrt(size)
    yield from ((f"{target}.prior.{part}", numbers) for part, numbers in _parts(graph, f"{source}.prior"))
    yield f"{target}.next", graph.tensor(f"{source}.next")


def _parts(graph: _Graph, name: str) -> Weights:
    for full, numbers in _linear(graph, name):
        yield full.rpartition(".")[2], numbers
