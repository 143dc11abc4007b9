"""Labellers run by ONNX Runtime, which is all that it takes on a CPU.

A model is up to three graphs. ``words.onnx`` makes vectors of the different words, each once however often it occurs;
``model.onnx`` reads sentences of them; ``second.onnx`` is the second reading, before which the words are put into the
order of the arrangement that the first has predicted. Graphs give the scores of their heads.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnxruntime
from numpy.lib.stride_tricks import as_strided

from permutree.encoding.final_punctuation import arranged, close, last
from permutree.errors import DataError
from permutree.model.batching import Arrays, Ints, batches_by_size, padded
from permutree.model.checksums import Checksums
from permutree.model.features import PAD, WordArrays
from permutree.model.folder import GRAPHS, SCORES, SPAN_LABELS, SPAN_TOTALS, SPANS, Outline
from permutree.parsing.chart import best_tree, smallest_spans, span_probabilities
from permutree.parsing.engines import (
    CHUNK,
    CHUNK_WORDS,
    ENDS,
    ENDS_SCORES,
    LABELS,
    ORDER,
    Engine,
    Values,
    joined,
    ranges,
)
from permutree.trees.batch import Bools

__all__ = ["OnnxEngine", "arrangements", "cores"]

#: places of a batch, padding included: few enough for the cache of a core
BATCH = 576
#: places of padding that take as long as another run
WASTE = 32
#: characters of a batch of words
CHARACTERS = 1 << 10
#: scores that each thread may be asked for at once
ROOM = 1 << 21

Feeds = dict[str, np.ndarray]


class OnnxEngine(Engine):
    """The graphs of a model folder, on so many threads: each works on a batch of its own."""

    name = "ONNX Runtime"
    chunk, chunk_words = CHUNK, CHUNK_WORDS
    overlaps = False

    def __init__(self, folder: str | Path, outline: Outline, *, threads: int | None = None) -> None:
        words, model, second = (Path(folder) / name for name in GRAPHS)
        self.outline = outline
        self.threads = threads or cores()
        self.room = ROOM * max(2, self.threads)
        checksums = replace(outline.checksums, folder=Path(folder))
        self.model = _Graph(model, checksums)
        reads_words = outline.features.kind == "words"
        self.words = _Graph(words, checksums) if reads_words else None
        self.second = _Graph(second, checksums) if outline.config.rereads else None
        self._check_sizes()

    def _check_sizes(self) -> None:
        """An error if the graphs do not go with the vocabularies, or with each other."""
        for name, size in self.outline.sizes.items():
            graph = next((one for one in (self.model, self.second) if one and name + SCORES in one.outputs), None)
            if graph is None:
                raise DataError(f"predicts no {name}; export the model again", source=str(self.model.path))
            # Attention has as many scores as there are words.
            if not (name == "permutation" and self.outline.config.attends):
                graph.check(graph.outputs, name + SCORES, size, "config.json and tags.json")
        config = self.outline.config
        if self.words is not None:
            self.model.check(self.model.inputs, "vectors", self.words.width("vectors"), GRAPHS[0])
            if config.reads_tags != ("tags" in self.model.inputs):
                raise DataError(f"{_MISFIT} config.json: it differs in whether tags are read", source=self.model.source)
        if self.second is not None:
            self.second.check(self.second.inputs, "states", self.model.width("states"), GRAPHS[1])

    def predict(self, arrays: Arrays, scores: Collection[str] = (), closed: Bools | None = None) -> Values:
        """The best values of all heads, or scores where they are asked for."""
        lengths = arrays.lengths
        order = np.argsort(lengths, kind="stable")
        batches = batches_by_size(lengths, order, BATCH, waste=WASTE)
        if not batches:
            return {}
        feeds = self._word_feeds(arrays) if isinstance(arrays, WordArrays) else _piece_feeds(arrays)

        def run(sentences: Ints) -> tuple[Ints, Values]:
            return self._run(feeds(sentences), scores, None if closed is None else closed[sentences])

        if self.threads > 1 and len(batches) > 1:
            from concurrent.futures import ThreadPoolExecutor

            with ThreadPoolExecutor(self.threads) as pool:
                # The longest take longest: last, they would be waited for.
                parts = [*pool.map(run, reversed(batches))][::-1]
        else:
            parts = [run(batch) for batch in batches]
        places = ranges(np.concatenate([counts for counts, _ in parts]), np.argsort(order))
        return {name: joined([values[name] for _, values in parts])[places] for name in parts[0][1]}

    def _word_feeds(self, arrays: WordArrays) -> Callable[[Ints], Feeds]:
        """What makes a batch of some of the sentences; the vectors of all words are made here."""
        vectors = self._vectors(arrays)
        lengths, reads_tags = arrays.lengths, "tags" in self.model.inputs

        def feeds(sentences: Ints) -> Feeds:
            types = padded(arrays.types, arrays.offsets, sentences, -1)
            found: Feeds = {"vectors": vectors, "types": types, "lengths": lengths[sentences]}
            if reads_tags:
                found["tags"] = padded(arrays.tags, arrays.offsets, sentences, PAD)
            return found

        return feeds

    def _vectors(self, arrays: WordArrays) -> npt.NDArray[np.float32]:
        """The vectors of the different words."""
        assert self.words is not None
        sizes = np.maximum(np.count_nonzero(arrays.characters, axis=1), 1)
        order = np.argsort(sizes, kind="stable")
        parts = []
        for types in batches_by_size(sizes, order, CHARACTERS):
            feeds = {"words": arrays.numbers[types]}
            if "characters" in self.words.inputs:
                feeds["characters"] = arrays.characters[types, : sizes[types[-1]]]
            parts.append(self.words.run(["vectors"], feeds)["vectors"])
        vectors: npt.NDArray[np.float32] = np.empty((len(order), parts[0].shape[1]), np.float32)
        vectors[order] = np.concatenate(parts)
        return vectors

    def _run(self, feeds: Feeds, scores: Collection[str], closed: Bools | None) -> tuple[Ints, Values]:
        """The lengths of a batch, and what is predicted for it, one sentence after the other."""
        lengths = feeds["lengths"]
        found = self.model.run([*self._heads(self.model), *(["states"] if self.second is not None else [])], feeds)
        states = found.pop("states", None)
        inside = np.arange(next(iter(found.values())).shape[1]) < lengths[:, None]
        values: Values = {}
        if self.outline.config.attends:
            predecessors = self._predecessors(found.pop("permutation" + SCORES), lengths, closed)
            values["permutation"] = predecessors[inside].astype(np.int32)
            if states is not None:
                forth = arrangements(predecessors, lengths)
                bases = inside.shape[1] * np.arange(len(lengths))[:, None]
                values[ORDER] = (forth.reshape(inside.shape) - bases)[inside].astype(np.int32)
                arranged = states.reshape(-1, states.shape[2])[forth].reshape(states.shape)
                found |= self._reread({"states": arranged, "lengths": lengths})
        if SPANS + SCORES in found:
            values |= {name: given[inside] for name, given in self._constituents(found, lengths).items()}
        if ENDS in found:
            values |= {ENDS: found.pop(ENDS)[inside], ENDS_SCORES: found.pop(ENDS_SCORES)[inside]}
        for output, table in found.items():
            name, rows = output.removesuffix(SCORES), table[inside]
            values[name] = rows if name in scores else rows.argmax(1).astype(np.int32)
        return lengths, values

    def _reread(self, feeds: Feeds) -> dict[str, np.ndarray]:
        """The outputs of the second reading, of states in the order of the arrangement."""
        assert self.second is not None
        if self.outline.config.scores_spans:
            return self.second.run([*self._heads(self.second), SPANS + SCORES, SPAN_LABELS, SPAN_TOTALS], feeds)
        if "forth" in self.second.inputs:
            # Graphs of the first version put states into order themselves, and the results back.
            same = np.arange(feeds["states"].shape[0] * feeds["states"].shape[1])
            feeds |= {"forth": same, "back": same}
        ends = [name for name in (ENDS, ENDS_SCORES) if name in self.second.outputs]
        found = self.second.run([*self._heads(self.second), *ends], feeds)
        if ends == [ENDS]:
            # They had places and probabilities in one.
            places, sure = np.split(found[ENDS], [2], axis=2)
            found |= {ENDS: places.astype(np.int32), ENDS_SCORES: sure[:, :, 0]}
        return found

    def _constituents(self, found: dict[str, np.ndarray], lengths: Ints) -> Values:
        """The constituents of the best trees by the scores of spans, which are taken out of what was found."""
        config = self.outline.config.reread
        best, labels, totals = (found.pop(name) for name in (SPANS + SCORES, SPAN_LABELS, SPAN_TOTALS))
        if config.span_loss == "crf":
            sure = span_probabilities(totals, lengths) * np.exp(best - totals)
        else:
            sure = np.exp(best - np.logaddexp(totals, np.float32(0)))
        ends = smallest_spans(best_tree(best if config.span_loss == "margin" else sure - config.threshold, lengths))
        at = (np.arange(len(best))[:, None], ends[:, :, 0], ends[:, :, 1])
        return {ENDS: ends, LABELS: labels[at], ENDS_SCORES: np.log(np.maximum(sure[at], 1e-30, dtype=np.float32))}

    def _heads(self, graph: _Graph) -> list[str]:
        """The outputs of a graph that are scores of heads."""
        return [name + SCORES for name in self.outline.sizes if name + SCORES in graph.outputs]

    def _predecessors(self, scores: npt.NDArray[np.float32], lengths: Ints, closed: Bools | None) -> Ints:
        """The values [B, T] of an encoding by attention, whose scores are those of words [B, T, T].

        Where a sentence is closed and its last word is not the last, one of them is changed.
        """
        values: Ints = np.maximum(np.arange(scores.shape[1]) - 1 - scores.argmax(2), 0)
        if closed is None:
            return values
        limit = self.outline.sizes["permutation"]
        for sentence in np.flatnonzero(closed & _has_jumps(values, lengths)).tolist():
            length = int(lengths[sentence])
            given = values[sentence, :length].tolist()
            if last(given) != length - 1:
                (rows,) = _by_distance(scores[sentence : sentence + 1, :length, :length], limit)
                values[sentence, :length] = close(given, rows)
        return values


_MISFIT = "does not go with"


class _Graph:
    """A graph as a session of ONNX Runtime."""

    def __init__(self, path: Path, checksums: Checksums) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        # What goes wrong is raised, and need not be printed as well.
        options.log_severity_level = 4
        self.path = path
        if not path.exists():
            raise DataError("the weights are missing: copy the whole folder again", source=self.source)
        # Given as bytes, a graph cannot point to other files.
        content = checksums.contents(path.name)
        try:
            self._session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
            self.inputs = {one.name: one.shape for one in self._session.get_inputs()}
            self.outputs = {one.name: one.shape for one in self._session.get_outputs()}
        except Exception as error:  # the library has many kinds, and none that is documented
            raise DataError(f"damaged weights: {error}", source=self.source) from None

    @property
    def source(self) -> str:
        """Where it is, for messages."""
        return str(self.path)

    def width(self, output: str) -> int | None:
        """The last dimension of an output, if the graph tells it."""
        if output not in self.outputs:
            raise DataError(f"has no {output!r}: it is no such graph; export the model again", source=self.source)
        shape = self.outputs[output]
        return shape[-1] if shape and isinstance(shape[-1], int) else None

    def check(self, shapes: Mapping[str, Sequence[Any]], name: str, size: int | None, other: str) -> None:
        """An error if an input or output is not of the size that another file wants."""
        if name not in shapes:
            raise DataError(f"has no {name!r}: it is no such graph; export the model again", source=self.source)
        found = shapes[name][-1] if shapes[name] else None
        if size is not None and isinstance(found, int) and found != size:
            message = f"{_MISFIT} {other}: {name!r} is of size {found}, not {size}. It is part of another model"
            raise DataError(f"{message}; export the model again", source=self.source)

    def run(self, names: Sequence[str], feeds: Feeds) -> dict[str, np.ndarray]:
        """Some of the outputs, by name."""
        try:
            return dict(zip(names, self._session.run(names, feeds), strict=True))
        except Exception as error:  # here, too
            if "alloc" in str(error):
                raise MemoryError(f"ONNX Runtime: {error}") from None
            message = f"cannot be run: {error}. It is damaged, or part of another model; export the model again"
            raise DataError(message, source=self.source) from None


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _piece_feeds(arrays: Arrays) -> Callable[[Ints], Feeds]:
    """What makes a batch of some of the sentences, for a pretrained encoder."""

    def feeds(sentences: Ints) -> Feeds:
        batch: Any = arrays.batch(sentences)
        return {name: getattr(batch, name) for name in ("pieces", "visible", "places", "lengths")}

    return feeds


def arrangements(values: npt.NDArray[np.integer], lengths: Ints) -> Ints:
    """Where to look up the words of a batch in the order of the arrangement.

    Predecessors [B, T] are given as values of the encoding; a value that leads out of the sentence leads to its first
    word. Places are counted through the whole batch; padding stays where it is.
    """
    batch, length = values.shape
    forth: Ints = np.arange(batch * length)
    for sentence in np.flatnonzero(_has_jumps(values, lengths)).tolist():
        order = arranged(values[sentence, : lengths[sentence]].tolist())
        base = sentence * length
        forth[base : base + len(order)] = base + np.array(order)
    return forth


def _has_jumps(values: npt.NDArray[np.integer], lengths: Ints) -> Bools:
    """Which sentences of a batch have a word that does not come after the one before it."""
    found: Bools = ((values != 0) & (np.arange(values.shape[1]) < lengths[:, None])).any(1)
    return found


def _by_distance(scores: npt.NDArray[np.float32], values: int) -> npt.NDArray[np.float32]:
    """From the scores of words as predecessors [B, T, T] to those of values of the encoding [B, T, min(T, values)]."""
    batch, length, _ = scores.shape
    size = min(length, values)
    # Where rows are read backwards, each word begins one place further to the left than the word before.
    flat = np.zeros((batch, length * length + size), np.float32)
    flat[:, : length * length] = scores[:, :, ::-1].reshape(batch, -1)
    by_sentence, by_place = flat.strides
    shifted = as_strided(flat[:, length:], (batch, length, size), (by_sentence, (length - 1) * by_place, by_place))
    found = np.where(np.arange(length)[:, None] > np.arange(size), shifted, np.float32(-np.inf))
    found[:, 0, 0] = scores[:, 0, 0]
    return found
