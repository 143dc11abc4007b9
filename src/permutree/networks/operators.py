"""Layers as operators of ONNX: what PyTorch does not translate well, or not quantised.

Each stands in for a layer of a labeller, with the same weights, perhaps in int8. LSTMs become the operator of that
name, which reads every sentence from both ends.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from permutree.networks.attention import PredecessorHead
from permutree.networks.bilstm import BiLSTM
from permutree.networks.convolution import BOUND, Convolution, windows
from permutree.networks.embeddings import CharacterCNN, CharacterLSTM
from permutree.networks.pins import PINS, Layout

__all__ = [
    "BiLSTMOperator",
    "CharacterCNNOperator",
    "CharacterLSTMOperator",
    "ConvolutionOperator",
    "Predecessors",
    "bounded",
    "divided",
    "joined",
    "replace_layers",
]

#: tables of so few numbers are not quantised
SMALL = 1 << 14
#: and layers of so few, unless they read whole numbers: PyTorch's translation would compute the weights of such small
#: ones, and drop their names
TINY = 1 << 13
#: layers of more numbers stay quantised in memory, too
LARGE = 1 << 18
#: what stands for zero among bytes
_MIDDLE = 128
#: the number of the type float32 in ONNX
_FLOAT = 1
#: so much that a gate is open or shut, and a state is 1 or -1
_SATURATED = 30.0


def replace_layers(network: nn.Module, quantise: bool) -> None:
    """Put layers in the place of others whose weights keep their names, or are quantised."""
    for module in [*network.modules()]:
        for name, child in [*module.named_children()]:
            if isinstance(child, nn.Linear):
                setattr(module, name, _Linear(child, quantise))
            elif quantise and isinstance(child, nn.Embedding) and child.weight.numel() > SMALL:
                setattr(module, name, _Embedding(child))


def joined(layers: Sequence[nn.Linear]) -> nn.Linear:
    """Linear layers over the same vectors as one, whose outputs are theirs side by side."""
    joined = nn.Linear(layers[0].in_features, sum(layer.out_features for layer in layers))
    joined.weight.data = torch.cat([layer.weight.data for layer in layers])
    joined.bias.data = torch.cat([layer.bias.data for layer in layers])
    return joined


def divided(layer: nn.Linear, first: int) -> tuple[nn.Linear, nn.Linear]:
    """A layer as two over the first inputs and over the others, whose outputs are to be added."""
    left, right = nn.Linear(first, layer.out_features), nn.Linear(layer.in_features - first, layer.out_features, False)
    left.weight.data, left.bias.data = layer.weight.data[:, :first], layer.bias.data
    right.weight.data = layer.weight.data[:, first:]
    return left, right


def bounded(layer: nn.Linear, layout: Layout) -> nn.Linear:
    """A layer over vectors of a layout, which says how large their numbers may be."""
    wider = nn.Linear(layout.width, layer.out_features)
    wider.weight.data, wider.bias.data = layout.spread(layer.weight.data), layer.bias.data
    _set_bound(wider, layout.bound)
    return wider


def _set_bound(layer: Any, bound: float) -> None:
    """Note that what a layer reads is between -bound and bound."""
    layer.bound = bound


class Predecessors(nn.Module):
    """The head for predecessors, with scores by word [B, T, T]: as wide as the batch is long, and no wider."""

    def __init__(self, head: PredecessorHead) -> None:
        super().__init__()
        size = head.weight.shape[0]
        self.both, self.prior = joined([head.words, head.predecessors]), head.prior
        self.weight = nn.Linear(size, size, bias=False)
        self.weight.weight.data = head.weight.data.T / math.sqrt(size)
        self.next, self.values = head.next, head.values

    def forward(self, states: Tensor) -> Tensor:
        """States [B, T, inputs] to scores [B, T, T]."""
        words, before = nn.functional.gelu(self.both(states)).chunk(2, 2)
        scores = self.weight(words) @ before.transpose(1, 2) + self.prior(before).transpose(1, 2)
        places = torch.arange(states.shape[1])
        back = places[:, None] - 1 - places
        scores = torch.where(back == 0, scores + self.next, scores)
        # The first word has nothing before it: whatever it is said to follow, it stays the first.
        is_open = (back >= 0) & (back < self.values) | (places[:, None] + places == 0)
        return torch.where(is_open, scores, -math.inf)


class BiLSTMOperator(nn.Module):
    """Stacked BiLSTMs of the operator, quantised if they read vectors with pins."""

    def __init__(self, stack: BiLSTM, layout: Layout | None) -> None:
        super().__init__()
        self.layers = nn.ModuleList()
        for pair in zip(stack.forwards, stack.backwards, strict=True):
            self.layers.append(_LSTM(pair, "bidirectional", layout))
            layout = None if layout is None else Layout.of_bilstm(stack.size // 2)
        #: that of its states
        self.layout = layout

    def forward(self, vectors: Tensor, lengths: Tensor, mask: Tensor) -> Tensor:
        """Vectors [B, T, inputs] to states [B, T, size]."""
        vectors = vectors.transpose(0, 1)
        for layer in self.layers:
            states, _ = layer(vectors, lengths)
            vectors = states.transpose(1, 2).flatten(2)
        return vectors.transpose(0, 1)


class ConvolutionOperator(nn.Module):
    """Stacked convolutions as matrix products over windows of three words, quantised if what they read has a bound."""

    def __init__(self, stack: Convolution, layout: Layout | None) -> None:
        super().__init__()
        #: that of its states
        self.layout = None if layout is None else Layout.of_convolution(stack.size)
        self.enter = stack.enter if layout is None else bounded(stack.enter, layout)
        self.layers = nn.ModuleList(_ConvolutionLayer(layer) for layer in stack.layers)
        self.norm = stack.norm
        self.register_buffer("pins", None if layout is None else BOUND * torch.tensor([1.0, -1.0]))

    def forward(self, vectors: Tensor, lengths: Tensor, mask: Tensor) -> Tensor:
        """Vectors [B, T, inputs] to states [B, T, size]."""
        states = self.enter(vectors)
        is_word = mask[:, :, None].to(states.dtype)
        for layer in self.layers:
            states = states + layer(states, is_word)
        normalised: Tensor = self.norm(states).clamp(-BOUND, BOUND)
        if not isinstance(self.pins, Tensor):
            return normalised
        return torch.cat([normalised, self.pins.expand(*normalised.shape[:2], PINS)], 2)


class _ConvolutionLayer(nn.Module):
    """One of these layers."""

    def __init__(self, layer: Any) -> None:
        super().__init__()
        self.reach, self.norm, self.look, self.mix = layer.reach, layer.norm, layer.look, layer.mix
        _set_bound(self.look, BOUND)
        _set_bound(self.mix, 1.0)

    def forward(self, states: Tensor, is_word: Tensor) -> Tensor:
        look: Any = self.look
        numbers = look.numbers(self.norm(states).clamp(-BOUND, BOUND) * is_word)
        found, gates = look.multiply(windows(numbers, self.reach, look.zero)).chunk(2, 2)
        mixed: Tensor = self.mix(found.tanh() * gates.sigmoid())
        return mixed


class _LSTM(nn.Module):
    """The operator for one direction or both; if what it reads has pins, it is quantised, and so have its states."""

    def __init__(self, parts: Sequence[Any], direction: str, layout: Layout | None) -> None:
        super().__init__()
        self.direction, self.hidden, self.quantise = direction, parts[0].hidden_size, layout is not None

        def stacked(name: str) -> Tensor:
            # Its gates come in another order: input, output, forget, cell.
            return torch.stack([getattr(part, name).detach()[_gates(part.hidden_size)] for part in parts])

        inputs, states = stacked("weight_ih_l0"), stacked("weight_hh_l0")
        biases = torch.stack([stacked("bias_ih_l0"), stacked("bias_hh_l0")], 1)
        if layout is None:
            self.register_buffer("inputs", inputs)
            self.register_buffer("states", states)
            self.register_buffer("biases", biases.flatten(1))
            return
        _add_quantised(
            self, "inputs", _with_pins(layout.spread(inputs)).transpose(1, 2).contiguous(), 1, multiplied=True
        )
        states = nn.functional.pad(_with_pins(states), (0, PINS))
        _add_quantised(self, "states", states.transpose(1, 2).contiguous(), 1, multiplied=True)
        # Units that take in nothing, give out everything and forget nothing stay what they are at first.
        gates = nn.functional.pad(biases.view(len(parts), 2, 4, self.hidden), (0, PINS))
        gates[:, 0, :, self.hidden :] = torch.tensor([-_SATURATED, _SATURATED, _SATURATED, 0.0])[:, None]
        self.register_buffer("biases", gates.flatten(1))
        pins = torch.tensor([1.0, -1.0]).expand(len(parts), 1, PINS)
        self.register_buffer("initial", torch.cat([torch.zeros(len(parts), 1, self.hidden), pins], 2))
        self.hidden += PINS

    def forward(self, vectors: Tensor, lengths: Tensor) -> Sequence[Tensor]:
        """Vectors [T, B, inputs] to states [T, directions, B, hidden], and the last of them."""
        known: Any = self
        directions, (length, batch, _) = known.biases.shape[0], vectors.shape
        weights = [vectors, known.inputs, known.states, known.biases, lengths.int()]
        operator, version = "LSTM", None
        if self.quantise:
            operator, version = "com.microsoft::DynamicQuantizeLSTM", 1
            initial = known.initial.expand(directions, batch, self.hidden)
            scales = [known.inputs_scale, known.inputs_zero, known.states_scale, known.states_zero]
            weights += [initial, _SATURATED * initial, None, *scales]
        return torch.onnx.ops.symbolic_multi_out(
            operator,
            weights,
            {"hidden_size": self.hidden, "direction": self.direction},
            dtypes=[vectors.dtype] * 2,
            shapes=[(length, directions, batch, self.hidden), (directions, batch, self.hidden)],
            version=version,
        )


def _with_pins(weights: Tensor) -> Tensor:
    """The weights of the four gates [directions, 4 · units, inputs] with more units, whose weights are zero."""
    gates = weights.view(len(weights), 4, -1, weights.shape[2])
    return nn.functional.pad(gates, (0, 0, 0, PINS)).flatten(1, 2)


def _gates(hidden: int) -> Tensor:
    """Where the gates of the operator stand in PyTorch's order: input, forget, cell, output."""
    return torch.arange(4 * hidden).view(4, hidden)[[0, 3, 1, 2]].flatten()


class CharacterLSTMOperator(nn.Module):
    """Last states of LSTMs over characters."""

    def __init__(self, spelling: CharacterLSTM, quantise: bool) -> None:
        super().__init__()
        self.embedding, layout = spelling.embedding, None
        if quantise:
            # Pins stand in the table itself.
            table = spelling.embedding.weight.detach()
            layout = Layout.of_words(table.shape[1], 0)
            pins = (table.abs().max() * torch.tensor([1.0, -1.0])).expand(len(table), PINS)
            wider = nn.Embedding.from_pretrained(torch.cat([table, pins], 1))  # type: ignore[no-untyped-call]
            self.embedding = wider
        self.forwards = _LSTM([spelling.forwards], "forward", layout)
        self.backwards = _LSTM([spelling.backwards], "reverse", layout)
        self.sizes = (spelling.forwards.hidden_size, spelling.backwards.hidden_size)

    def forward(self, characters: Tensor) -> Tensor:
        """Characters [U, L] to vectors [U, size]."""
        lengths = (characters != 0).sum(1).clamp(min=1)
        vectors = self.embedding(characters).transpose(0, 1)
        lasts = [lstm(vectors, lengths)[1][0] for lstm in (self.forwards, self.backwards)]
        return torch.cat([last[:, :size] for last, size in zip(lasts, self.sizes, strict=True)], 1)


class CharacterCNNOperator(nn.Module):
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
        _set_bound(self.respond, float(self.embedding.weight.detach().abs().max()))

    def forward(self, characters: Tensor) -> Tensor:
        """Characters [U, L] to vectors [U, size]."""
        # Windows that end at each character, and where nothing but padding is left.
        count = characters.shape[1] + self.widest
        room = nn.functional.pad(characters, (self.widest - 1, self.widest), value=0)
        windows = torch.stack([room[:, start : start + count] for start in range(self.widest)], 2)
        responses: Tensor = self.respond(self.embedding(windows).flatten(2))
        return responses.amax(1).relu()


class _Linear(nn.Module):
    """A linear layer whose weights keep their name in the graph; they may be quantised.

    So is what it reads then, if that has a bound.
    """

    def __init__(self, layer: nn.Linear, quantise: bool) -> None:
        super().__init__()
        weights = layer.weight.detach().T.contiguous()
        self.bound: float | None = getattr(layer, "bound", None)
        self.quantise = quantise = quantise and (self.bound is not None or weights.numel() > TINY)
        if quantise:
            _add_quantised(self, "weight", weights, 0, multiplied=self.bound is not None)
            if self.bound is not None:
                self.register_buffer("scale", torch.tensor(self.bound / 127))
                self.register_buffer("middle", torch.tensor(_MIDDLE, dtype=torch.uint8))
        else:
            self.register_buffer("weight", weights)
        self.register_buffer("bias", None if layer.bias is None else layer.bias.detach())

    def forward(self, vectors: Tensor) -> Tensor:
        return self.multiply(self.numbers(vectors))

    @property
    def zero(self) -> int:
        """What stands for zero in what is multiplied."""
        return _MIDDLE if self.quantise and self.bound is not None else 0

    def numbers(self, vectors: Tensor) -> Tensor:
        """Vectors as they are multiplied: quantised, if they have a bound."""
        known: Any = self
        if not self.quantise or self.bound is None:
            return vectors
        return torch.onnx.ops.symbolic(
            "QuantizeLinear", [vectors, known.scale, known.middle], dtype=torch.uint8, shape=vectors.shape
        )

    def multiply(self, numbers: Tensor) -> Tensor:
        """The output for what :meth:`numbers` gave."""
        known: Any = self
        shape = (*numbers.shape[:-1], known.weight.shape[1])
        if self.quantise and self.bound is not None:
            weights = [known.weight, known.scale, known.weight_scale, known.middle, known.weight_zero, known.bias]
            return torch.onnx.ops.symbolic(
                "com.microsoft::MatMulIntegerToFloat", [numbers, *weights], dtype=torch.float, shape=shape, version=1
            )
        weight = self._dequantised() if self.quantise else known.weight
        found = torch.onnx.ops.symbolic("MatMul", [numbers, weight], dtype=torch.float, shape=shape)
        return found if known.bias is None else found + known.bias

    def _dequantised(self) -> Tensor:
        """The weights as a graph makes them of whole numbers.

        ONNX Runtime may quantise whatever is multiplied with the operator for this, in a way that depends on the
        processor. So small layers, such as heads, do without it: their weights are computed once, when the graph is
        loaded. Large ones would take four times the memory.
        """
        known: Any = self
        shape = known.weight.shape
        if known.weight.numel() > LARGE:
            weights = [known.weight, known.weight_scale, known.weight_zero]
            return torch.onnx.ops.symbolic("DequantizeLinear", weights, {"axis": 1}, dtype=torch.float, shape=shape)
        numbers = torch.onnx.ops.symbolic("Cast", [known.weight], {"to": _FLOAT}, dtype=torch.float, shape=shape)
        return torch.onnx.ops.symbolic("Mul", [numbers, known.weight_scale], dtype=torch.float, shape=shape)


class _Embedding(nn.Module):
    """A table of vectors with quantised rows."""

    def __init__(self, table: nn.Embedding) -> None:
        super().__init__()
        _add_quantised(self, "weight", table.weight.detach(), 1)

    def forward(self, numbers: Tensor) -> Tensor:
        known: Any = self
        vectors: Tensor = known.weight[numbers].float() * known.weight_scale[numbers][..., None]
        return vectors


def _add_quantised(module: nn.Module, name: str, weights: Tensor, axis: int, *, multiplied: bool = False) -> None:
    """Keep weights as whole numbers, with scales that are the same along an axis.

    Weights that are multiplied as whole numbers leave room: processors without instructions for int8 add neighbouring
    products (of numbers up to 255) in 16 bits, and two that go beyond give another sum there than elsewhere. With room,
    all processors give the same sum.
    """
    largest = weights.abs().amax(axis)
    if multiplied:
        pairs = weights.shape[axis] // 2
        first, second = (weights.index_select(axis, torch.arange(start, 2 * pairs, 2)) for start in (0, 1))
        together = (first + second).abs().amax(axis) if pairs else torch.zeros_like(largest)
        largest = torch.maximum(largest, together)
    scales = largest / 127
    scales[scales == 0] = 1
    numbers = (weights / scales.unsqueeze(axis)).round().to(torch.int8)
    module.register_buffer(name, numbers)
    module.register_buffer(f"{name}_scale", scales)
    module.register_buffer(f"{name}_zero", torch.zeros_like(scales, dtype=torch.int8))
