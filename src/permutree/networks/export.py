"""Trained labellers as graphs for ONNX Runtime.

PyTorch translates the networks; what it does not translate well is put in by hand. LSTMs become the operator of that
name, which reads every sentence from both ends. Graphs give the scores of heads, and nothing that decoding does not
read.

With int8 quantisation, weights are scaled by output (tables of vectors by row). What they are multiplied with is
quantised, too, where it has a bound, and by a scale that is the same in every batch, so that a sentence gets the same
scores whatever stands beside it: see :mod:`~permutree.networks.pins`. What has no bound is multiplied in float32.
"""

from __future__ import annotations

import contextlib
import copy
import logging
import shutil
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from permutree.formats.sinks import whole_file
from permutree.model.features import UNKNOWN, WordFeatures
from permutree.model.folder import CARD, FOUND, GRAPHS, SCORES, SPAN_LABELS, SPAN_TOTALS, SPANS, STATES, VOTES
from permutree.networks.attention import PredecessorHead
from permutree.networks.bilstm import BiLSTM
from permutree.networks.convolution import Convolution
from permutree.networks.embeddings import CharacterCNN, CharacterLSTM, WordEmbedding
from permutree.networks.labeller import Labeller, WordEncoder
from permutree.networks.model import Model
from permutree.networks.operators import (
    BiLSTMOperator,
    CharacterCNNOperator,
    CharacterLSTMOperator,
    ConvolutionOperator,
    Predecessors,
    bounded,
    divided,
    joined,
    replace_layers,
)
from permutree.networks.pins import PINS, Layout, words_layout
from permutree.networks.reread import ENDS, RereadLabeller, best_ends
from permutree.networks.tensors import PieceInputs

__all__ = ["export"]

#: words that are looked at to see how large the numbers of vectors are, and how many at once
_WORDS, _AT_ONCE = 20_000, 500


def export(model: Model, folder: str | Path, *, quantise: bool = False, source: str | Path | None = None) -> None:
    """Write the graphs of a model, and what else belongs into its folder.

    ``source`` is the folder that the model comes from, if it does: it may be the same, and then keeps its weights.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    bound = _word_bound(model) if quantise else None
    graphs = _graphs(_translatable(model.labeller, quantise, bound), quantise, bound)
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


def _graphs(labeller: Labeller, quantise: bool, bound: float | None) -> dict[str, bytes]:
    """The graphs by the names of their files; with a bound of the vectors of words, states are quantised, too."""
    words, model, second, labels = GRAPHS
    graphs: dict[str, bytes] = {}

    def translate(module: nn.Module, inputs: dict[str, Tensor], names: Sequence[str]) -> bytes:
        replace_layers(module, quantise)
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
        graphs[words] = translate(_Words(embedding, bound), inputs, ["vectors"])
        tag_size = 0 if embedding.tags is None else embedding.tags.weight.shape[1]
        vectors = torch.zeros(count + 1, embedding.size - tag_size + (0 if bound is None else PINS))
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
        size = encoder.size if bound is None else encoder.context.layout.width
        inputs = {"states": torch.zeros(count, length, size), "lengths": lengths}
        again = _SecondSentences(labeller)
        graphs[second] = translate(again, inputs, again.names)
        if again.hands_on:
            votes = _Votes(labeller)
            rows = {name: torch.arange(length - number) for number, name in enumerate(votes.layers)}
            inputs = {STATES: torch.zeros(length, votes.width), FOUND: torch.zeros(length, votes.found)}
            if bound is not None:
                inputs[STATES] = inputs[STATES].to(torch.uint8)
            graphs[labels] = translate(votes, inputs | rows, [name + SCORES for name in rows])
    return graphs


class _Words(nn.Module):
    """Different words to their vectors."""

    def __init__(self, embedding: WordEmbedding, bound: float | None) -> None:
        super().__init__()
        self.bound = bound
        self.words, self.characters = embedding.words, embedding.characters
        self.trained = embedding.words.weight.shape[0]
        self.fixed: nn.Module | None = embedding.get_submodule("table") if embedding.fixed is not None else None

    def forward(self, words: Tensor, characters: Tensor | None = None) -> Tensor:
        vectors = [self.words(torch.where(words < self.trained, words, UNKNOWN))]
        if self.fixed is not None:
            vectors.append(self.fixed(words))
        if self.characters is not None:
            vectors.append(self.characters(characters))
        if self.bound is None:
            return torch.cat(vectors, 1)
        vectors = [vector.clamp(-self.bound, self.bound) for vector in vectors]
        pins = torch.tensor([[self.bound, -self.bound]]).expand(words.shape[0], PINS)
        return torch.cat([*vectors, pins], 1)


class _Sentences(nn.Module):
    """Some of the heads of a labeller, over states that others make; those that are plain layers as one layer."""

    def __init__(self, heads: dict[str, nn.Module], *, gives_states: bool = False) -> None:
        super().__init__()
        plain = {name: head for name, head in heads.items() if isinstance(head, nn.Linear)}
        self.predicted = [*heads]
        self.sizes = {name: head.out_features for name, head in plain.items()}
        self.plain = joined([*plain.values()]) if plain else None
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


class _First(_Sentences):
    """The heads that go with the first reading."""

    def __init__(self, labeller: Labeller) -> None:
        heads = {name: head for name, head in labeller.heads.items() if not labeller.is_arranged(name)}
        super().__init__(heads, gives_states=isinstance(labeller, RereadLabeller))
        self.encoder: Any = labeller.encoder
        layout = getattr(getattr(labeller.encoder, "context", None), "layout", None)
        if layout is not None:
            self.plain = bounded(self.plain, layout) if self.plain is not None else None
            for head in self.attention.values():
                head.both = bounded(head.both, layout)  # type: ignore[arg-type]


class _WordSentences(_First):
    """Sentences of words whose vectors are known."""

    def forward(
        self, vectors: Tensor, types: Tensor, lengths: Tensor, tags: Tensor | None = None
    ) -> tuple[Tensor, ...]:
        embed = nn.functional.embedding
        if isinstance(self.encoder.context, BiLSTMOperator):
            # LSTMs go by position: looked up in that order, no vector is moved twice.
            read = embed(types.T, vectors).transpose(0, 1)
        else:
            read = embed(types, vectors)
        if tags is not None:
            read = torch.cat([read, self.encoder.embedding.tags(tags)], 2)
        mask = torch.arange(types.shape[1]) < lengths[:, None]
        return self.predict(self.encoder.context(read, lengths, mask))


class _PieceSentences(_First):
    """Sentences of sub-words."""

    def forward(self, pieces: Tensor, visible: Tensor, places: Tensor, lengths: Tensor) -> tuple[Tensor, ...]:
        return self.predict(self.encoder(PieceInputs(lengths, pieces, visible, places)))


class _SecondSentences(_Sentences):
    """The second reading and its heads, over states in the order of the arrangement.

    Where it finds the ends of constituents, their labels are left to another graph, which need not read all words.
    """

    def __init__(self, labeller: RereadLabeller) -> None:
        finds_ends = labeller.spans is None and labeller.reading.ends is not None
        heads: dict[str, nn.Module] = {
            name: head
            for name, head in labeller.heads.items()
            if labeller.is_arranged(name) and not (finds_ends and name in VOTES)
        }
        #: whether there are heads for the labels of constituents, in another graph
        self.hands_on = finds_ends and "shared" not in heads
        if labeller.spans is not None:
            heads[SPANS] = labeller.spans.project
        super().__init__(heads)
        self.spans = labeller.spans
        self.reading: Any = labeller.reading
        ends = self.reading.ends
        assert self.plain is not None
        self.beside: nn.Linear | None = None
        if ends is not None:
            # What attention finds at the ends has no bound, unlike states.
            self.plain, self.beside = divided(self.plain, self.plain.in_features - ends.size)
        if (layout := _second_layout(labeller)) is not None:
            self.plain = bounded(self.plain, layout)
            if ends is not None:
                ends.project = bounded(ends.project, layout)

    def forward(self, states: Tensor, lengths: Tensor) -> tuple[Tensor, ...]:
        mask = torch.arange(states.shape[1]) < lengths[:, None]
        states = torch.cat([states, self.reading.context(states, lengths, mask)], 2)
        assert self.plain is not None
        if self.beside is None:
            return self._split(self.plain(states), mask)
        plain: Any = self.plain
        numbers = plain.numbers(states)
        scores = plain.multiply(numbers)
        found, _, probabilities = self.reading.ends(states, mask)
        given = self._split(scores + self.beside(found), mask)
        if self.spans is not None:
            return given
        return *given, *best_ends(probabilities), *((numbers, found) if self.hands_on else ())

    def _split(self, scores: Tensor, mask: Tensor) -> tuple[Tensor, ...]:
        parts = torch.split(scores, [*self.sizes.values()], 2)
        if self.spans is None:
            return parts
        spans = self.spans.label(self.spans.put_together(parts[-1], mask))
        best, labels = spans.max(3)
        # The operator for this, ReduceLogSumExp, takes five times as long as the steps that it is made of.
        totals = best + (spans - best[..., None]).exp().sum(3).log()
        return (*parts[:-1], best, labels.int(), totals)

    @property
    def names(self) -> list[str]:
        if self.spans is not None:
            return [*super().names, SPAN_LABELS, SPAN_TOTALS]
        names = super().names if self.reading.ends is None else [*super().names, ENDS, ENDS + SCORES]
        return [*names, STATES, FOUND] if self.hands_on else names


class _Votes(nn.Module):
    """The heads that choose the labels of constituents, each for some of the positions of the second reading."""

    def __init__(self, labeller: RereadLabeller) -> None:
        super().__init__()
        assert labeller.reading.ends is not None
        self.found, layout = labeller.reading.ends.size, _second_layout(labeller)
        self.layers, self.beside = nn.ModuleDict(), nn.ModuleDict()
        for name in VOTES:
            if name in labeller.heads:
                head: Any = labeller.heads[name]
                layer, self.beside[name] = divided(head, head.in_features - self.found)
                self.layers[name] = layer if layout is None else bounded(layer, layout)
                self.width: int = self.layers[name].in_features  # type: ignore[assignment]

    def forward(
        self, numbers: Tensor, found: Tensor, shared: Tensor, first: Tensor | None = None, last: Tensor | None = None
    ) -> tuple[Tensor, ...]:
        """What the second reading handed on of all positions [N, …], and the rows that each head is to score."""
        layers: Any = self.layers
        rows = ((name, chosen) for name, chosen in zip(VOTES, (shared, first, last), strict=True) if chosen is not None)
        return tuple(
            layers[name].multiply(nn.functional.embedding(chosen, numbers))
            + self.beside[name](nn.functional.embedding(chosen, found))
            for name, chosen in rows
        )


def _second_layout(labeller: RereadLabeller) -> Layout | None:
    """The layout of the states of both readings side by side, if they have pins."""
    context: Any = labeller.reading.context
    if context.layout is None:
        return None
    first: Any = labeller.encoder.context
    both: Layout = first.layout.beside(context.layout)
    return both


@torch.inference_mode()
def _word_bound(model: Model) -> float | None:
    """How large the numbers are that stand for the words that a model knows, and so about those of others.

    None for encoders whose states have no bound, so that nothing but weights is quantised.
    """
    encoder = model.labeller.encoder
    if not isinstance(encoder, WordEncoder) or not isinstance(encoder.context, BiLSTM | Convolution):
        return None
    assert isinstance(model.features, WordFeatures)
    embedding = copy.deepcopy(encoder.embedding).cpu().float().eval()
    arrays = model.features.arrays([[word] for word in model.features.known()[:_WORDS]], None)
    found = [embedding.forms(torch.from_numpy(arrays.numbers)).abs().amax()]
    if embedding.characters is not None:
        parts = torch.split(torch.from_numpy(arrays.characters), _AT_ONCE)
        found += [embedding.characters(part).abs().amax() for part in parts]
    if embedding.tags is not None:
        found.append(embedding.tags.weight.abs().amax())
    return float(torch.stack(found).max())


def _translatable(labeller: Labeller, quantise: bool, bound: float | None) -> Labeller:
    """A copy of a labeller made of what can be translated; if the vectors of words have a bound, they have pins."""
    labeller = copy.deepcopy(labeller).cpu().float().eval()
    for module in [*labeller.modules()]:
        for name, child in [*module.named_children()]:
            if isinstance(child, PredecessorHead):
                setattr(module, name, Predecessors(child))
            elif isinstance(child, BiLSTM | Convolution):
                layout = None if bound is None else _layout(labeller, module, bound)
                operator = BiLSTMOperator if isinstance(child, BiLSTM) else ConvolutionOperator
                setattr(module, name, operator(child, layout))  # type: ignore[arg-type]
            elif isinstance(child, CharacterLSTM):
                setattr(module, name, CharacterLSTMOperator(child, quantise))
            elif isinstance(child, CharacterCNN):
                setattr(module, name, CharacterCNNOperator(child))
        if isinstance(module, WordEmbedding) and module.fixed is not None:
            # As a layer, so that it is quantised like the others.
            table = nn.Embedding.from_pretrained(module.fixed)  # type: ignore[no-untyped-call]
            module.add_module("table", table)
    return labeller


def _layout(labeller: Labeller, module: nn.Module, bound: float) -> Layout:
    """The layout of what a module reads: vectors of words, or the states of the first reading."""
    encoder: Any = labeller.encoder
    if module is labeller.encoder:
        return words_layout(encoder.embedding, bound)
    layout: Layout = encoder.context.layout
    return layout


def _translate(module: nn.Module, inputs: dict[str, Tensor], names: Sequence[str]) -> bytes:
    """A network as a graph: inputs and outputs have these names, and the sizes of the first dimensions are free."""
    fixed = {"vectors": 1, "states": 2, STATES: 1, FOUND: 1}
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
    """Silence the progress messages of PyTorch's exporter."""
    logger = logging.getLogger("torch.onnx")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)
