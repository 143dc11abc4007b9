"""Labellers run by ONNX Runtime, which is all that it takes on a CPU.

A model is up to three graphs. ``words.onnx`` makes vectors of the different words, each once however often it occurs;
``model.onnx`` reads sentences of them; ``second.onnx`` is the second reading, before which the words are put into the
order of the arrangement that the first has predicted. Graphs give the scores of their heads.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from permutree.encoding.final_punctuation import arranged, close, last
from permutree.errors import DataError
from permutree.model.batching import Arrays, Ints, batches_by_size, padded
from permutree.model.features import PAD, WordArrays
from permutree.model.folder import FOUND, GRAPHS, SCORES, SPAN_LABELS, SPAN_TOTALS, SPANS, STATES, VOTES, Outline
from permutree.parsing.chart import best_tree, smallest_spans, span_probabilities
from permutree.parsing.engines import (
    CHUNK,
    CHUNK_WORDS,
    ENDS,
    ENDS_SCORES,
    LABELS,
    ORDER,
    Costs,
    Engine,
    Values,
    joined,
    ranges,
)
from permutree.parsing.graph import MISFIT, Feeds, Graph
from permutree.parsing.structured import choose_constituents
from permutree.trees.batch import Bools

__all__ = ["OnnxEngine", "arrangements", "cores"]

#: places of a batch, padding included: few enough for the cache of a core
BATCH = 576
#: places of padding that take as long as another run
WASTE = 32
#: characters of a batch of words
CHARACTERS = 1 << 11
#: bytes for the vectors of the most frequent words, which are kept: about 8,000 words of most bundled models
KEPT = 1 << 23
#: scores of labels from which a thread chooses constituents at once: many, as choosing for more words takes little
#: longer, but few enough to take little memory
CHOICES = 1 << 21
#: words of these, at most: for more, the system would have to give and to clear memory anew each time
TOGETHER = 1 << 12
#: scores that each thread may be asked for at once
ROOM = 1 << 21


class OnnxEngine(Engine):
    """The graphs of a model folder, on so many threads: each works on a batch of its own."""

    name = "ONNX Runtime"
    chunk, chunk_words = CHUNK, CHUNK_WORDS
    overlaps = False

    def __init__(self, folder: str | Path, outline: Outline, *, threads: int | None = None) -> None:
        words, model, second, labels = (Path(folder) / name for name in GRAPHS)
        self.outline, self._sizes = outline, outline.sizes
        self.chooses = outline.config.finds_ends and not outline.config.scores_spans
        self.says_how_sure = False
        self.threads = threads or cores()
        self.room = ROOM * max(2, self.threads)
        checksums = replace(outline.checksums, folder=Path(folder))
        self.model = Graph(model, checksums)
        reads_words = outline.features.kind == "words"
        self.words = Graph(words, checksums) if reads_words else None
        self._kept = _Kept(KEPT)
        self.second = Graph(second, checksums) if outline.config.rereads else None
        # Graphs of earlier versions have the heads for labels in that of the second reading.
        hands_on = self.second is not None and STATES in self.second.outputs
        self.labels = Graph(labels, checksums) if hands_on else None
        self._check_sizes()

    def _check_sizes(self) -> None:
        """An error if the graphs do not go with the vocabularies, or with each other."""
        for name, size in self.outline.sizes.items():
            graphs = (self.model, self.second, self.labels)
            graph = next((one for one in graphs if one and name + SCORES in one.outputs), None)
            if graph is None:
                raise DataError(f"predicts no {name}; export the model again", source=str(self.model.path))
            # Attention has as many scores as there are words.
            if not (name == "permutation" and self.outline.config.attends):
                graph.check(graph.outputs, name + SCORES, size, "config.json and tags.json")
        config = self.outline.config
        if self.words is not None:
            self.model.check(self.model.inputs, "vectors", self.words.width("vectors"), GRAPHS[0])
            if config.reads_tags != ("tags" in self.model.inputs):
                raise DataError(f"{MISFIT} config.json: it differs in whether tags are read", source=self.model.source)
        if self.second is not None:
            self.second.check(self.second.inputs, "states", self.model.width("states"), GRAPHS[1])
        if self.second is not None and self.labels is not None:
            for name in (STATES, FOUND):
                self.labels.check(self.labels.inputs, name, self.second.width(name), GRAPHS[2])

    def predict(self, arrays: Arrays, scores: Collection[str] = (), closed: Costs | None = None) -> Values:
        """The best values of all heads, or scores where they are asked for."""
        return self._predict(arrays, scores, closed, None)

    def launch(
        self,
        arrays: Arrays,
        scores: Collection[str] = (),
        closed: Costs | None = None,
        labels: Bools | None = None,
        sure: Collection[str] = (),
    ) -> Callable[[], Values]:
        """What predicts when it is asked.

        Constituents and labels are chosen group by group of sentences, so that there are never scores of many words.
        """
        return partial(self._predict, arrays, scores, closed, labels if self.chooses else None)

    def _predict(self, arrays: Arrays, scores: Collection[str], closed: Costs | None, labels: Bools | None) -> Values:
        lengths = arrays.lengths
        order = np.argsort(lengths, kind="stable")
        batches = batches_by_size(lengths, order, BATCH, waste=WASTE)
        if not batches:
            return {}
        feeds = self._word_feeds(arrays) if isinstance(arrays, WordArrays) else _piece_feeds(arrays)

        def run(group: Sequence[Ints]) -> tuple[Ints, Values]:
            parts = [
                self._run(feeds(sentences), scores, None if closed is None else closed[sentences])
                for sentences in group
            ]
            counts = np.concatenate([counts for counts, _ in parts])
            # What is joined is not kept in parts as well.
            values = {name: joined([values.pop(name) for _, values in parts]) for name in [*parts[0][1]]}
            score = None if self.labels is None else _Votes(self.labels, values.pop(STATES), values.pop(FOUND))
            if labels is not None:
                offsets = np.append(0, np.cumsum(counts)).astype(np.int32)
                return counts, choose_constituents(values, offsets, labels, score)
            return counts, values if score is None else values | score.tables(scores)

        groups = [*_groups(batches, lengths, 0 if labels is None else self._most_words(int(lengths.sum())))]
        if self.threads > 1 and len(groups) > 1:
            from concurrent.futures import ThreadPoolExecutor

            with ThreadPoolExecutor(self.threads) as pool:
                # The longest take longest: last, they would be waited for.
                parts = [*pool.map(run, reversed(groups))][::-1]
        else:
            parts = [run(group) for group in groups]
        places = ranges(np.concatenate([counts for counts, _ in parts]), np.argsort(order))
        return {name: joined([values[name] for _, values in parts])[places] for name in parts[0][1]}

    def _most_words(self, words: int) -> int:
        """From how many words a thread chooses constituents at once, if there are so many for all threads."""
        values = sum(self._sizes.get(name, 0) for name in VOTES)
        return min(CHOICES // max(1, values), TOGETHER, -(-words // self.threads))

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
        # A word that is known by its lower-case form has characters of its own.
        is_kept = arrays.has_own_number & self._kept.has(arrays.numbers)
        # The last row is padding, which is never kept: something is always left.
        left = np.flatnonzero(~is_kept)
        sizes = np.maximum(np.count_nonzero(arrays.characters[left], axis=1), 1)
        order = np.argsort(sizes, kind="stable")
        vectors: npt.NDArray[np.float32] = np.empty((0, 0), np.float32)
        for batch in batches_by_size(sizes, order, CHARACTERS):
            types = left[batch]
            feeds = {"words": arrays.numbers[types]}
            if "characters" in self.words.inputs:
                feeds["characters"] = arrays.characters[types, : sizes[batch[-1]]]
            found = self.words.run(["vectors"], feeds)["vectors"]
            if not len(vectors):
                vectors = self._kept.table(arrays.numbers, found.shape[1])
            vectors[types] = found
        self._kept.keep(arrays.numbers, left[arrays.has_own_number[left]], vectors)
        return vectors

    def _run(self, feeds: Feeds, scores: Collection[str], closed: Costs | None) -> tuple[Ints, Values]:
        """The lengths of a batch, and what is predicted for it, one sentence after the other."""
        lengths = feeds["lengths"]
        found = self.model.run([*self._heads(self.model), *(["states"] if self.second is not None else [])], feeds)
        states = found.pop("states", None)
        shape = next(iter(found.values())).shape[:2]
        inside = np.flatnonzero(np.arange(shape[1]) < lengths[:, None])

        def at_words(table: np.ndarray) -> np.ndarray:
            flat = table.reshape(-1, *table.shape[2:])
            return flat if len(inside) == len(flat) else flat.take(inside, 0)

        values: Values = {}
        if self.outline.config.attends:
            predecessors = self._predecessors(found.pop("permutation" + SCORES), lengths, closed)
            values["permutation"] = at_words(predecessors).astype(np.int32)
            if states is not None:
                forth = arrangements(predecessors, lengths)
                bases = shape[1] * np.arange(shape[0])[:, None]
                values[ORDER] = at_words(forth.reshape(shape) - bases).astype(np.int32)
                moved = np.flatnonzero(forth != np.arange(len(forth)))
                flat = states.reshape(-1, states.shape[2])
                flat[moved] = flat[forth[moved]]
                found |= self._reread({"states": states, "lengths": lengths})
        if SPANS + SCORES in found:
            values |= {name: at_words(given) for name, given in self._constituents(found, lengths).items()}
        if ENDS in found:
            handed = [name for name in (ENDS, ENDS_SCORES, STATES, FOUND) if name in found]
            values |= {name: at_words(found.pop(name)) for name in handed}
        for output, table in found.items():
            name = output.removesuffix(SCORES)
            values[name] = at_words(table if name in scores else table.argmax(2).astype(np.int32))
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
        others = [name for name in (ENDS, ENDS_SCORES, STATES, FOUND) if name in self.second.outputs]
        found = self.second.run([*self._heads(self.second), *others], feeds)
        if others == [ENDS]:
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

    def _heads(self, graph: Graph) -> list[str]:
        """The outputs of a graph that are scores of heads."""
        return [name + SCORES for name in self._sizes if name + SCORES in graph.outputs]

    def _predecessors(self, scores: npt.NDArray[np.float32], lengths: Ints, closed: Costs | None) -> Ints:
        """The values [B, T] of an encoding by attention, whose scores are those of words [B, T, T].

        Where a sentence is closed and its last word is not the last, one of them is changed, if that does not cost more
        than it may.
        """
        values: Ints = np.maximum(np.arange(scores.shape[1]) - 1 - scores.argmax(2), 0)
        if closed is None:
            return values
        limit = self._sizes["permutation"]
        chosen = np.flatnonzero((closed > 0) & _has_jumps(values, lengths))
        rows = zip(chosen.tolist(), values[chosen].tolist(), lengths[chosen].tolist(), strict=True)
        for sentence, row, length in rows:
            given = row[:length]
            if last(given) != length - 1:
                (by_value,) = _by_distance(scores[sentence : sentence + 1, :length, :length], limit)
                values[sentence, :length] = close(given, by_value, float(closed[sentence]))
        return values


class _Kept:
    """The vectors of the first words of a vocabulary, which are the most frequent ones, once they have been made.

    The vector of a word is the same to the last bit whatever words it is made with.
    """

    def __init__(self, size: int) -> None:
        """So many bytes of vectors."""
        self._size = size
        self._is_made = np.zeros(0, bool)
        self._vectors: npt.NDArray[np.float32] | None = None
        self._lock = Lock()

    def has(self, numbers: Ints) -> Bools:
        """Which words have a vector here."""
        is_here: Bools = numbers < len(self._is_made)
        is_here[is_here] = self._is_made[numbers[is_here]]
        return is_here

    def table(self, numbers: Ints, width: int) -> npt.NDArray[np.float32]:
        """The vectors of words, those that are kept; the rows of others are there to be written."""
        with self._lock:
            if self._vectors is None:
                self._is_made = np.zeros(self._size // (4 * width), bool)
                # The last row is read for all other words.
                self._vectors = np.empty((len(self._is_made) + 1, width), np.float32)
        return self._vectors.take(numbers, 0, mode="clip")

    def keep(self, numbers: Ints, places: Ints, vectors: npt.NDArray[np.float32]) -> None:
        """Keep the vectors of words at some places of a table, if the words are frequent."""
        places = places[numbers[places] < len(self._is_made)]
        frequent = numbers[places]
        with self._lock:
            assert self._vectors is not None
            self._vectors[frequent] = vectors[places]
            # Another thread must not take a vector before it is there.
            self._is_made[frequent] = True


class _Votes:
    """The scores of labels of constituents, by what the second reading has handed on of some sentences."""

    def __init__(self, graph: Graph, states: np.ndarray, found: np.ndarray) -> None:
        self._graph, self._handed = graph, {STATES: states, FOUND: found}
        self._heads = [name for name in VOTES if name in graph.inputs]

    def __call__(self, name: str, positions: npt.NDArray[np.integer]) -> npt.NDArray[np.float32] | None:
        """The scores of a head at some positions."""
        return self._score([name], positions)[name] if name in self._heads else None

    def tables(self, scores: Collection[str]) -> Values:
        """The scores of all heads at all positions, or the best values where scores are not asked for."""
        tables = self._score(self._heads, np.arange(len(self._handed[STATES])))
        return {name: table if name in scores else table.argmax(1).astype(np.int32) for name, table in tables.items()}

    def _score(self, heads: Sequence[str], positions: npt.NDArray[np.integer]) -> Values:
        rows = dict.fromkeys(self._heads, np.empty(0, np.int64)) | dict.fromkeys(heads, positions.astype(np.int64))
        found = self._graph.run([name + SCORES for name in heads], self._handed | rows)
        return {name: found[name + SCORES] for name in heads}


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _groups(batches: Sequence[Ints], lengths: Ints, most: int) -> Iterator[list[Ints]]:
    """Batches that follow each other, in groups of at most so many words, but of one batch at least."""
    group: list[Ints] = []
    words = 0
    for batch in batches:
        count = int(lengths[batch].sum())
        if group and words + count > most:
            yield group
            group, words = [], 0
        group.append(batch)
        words += count
    yield group


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
    batch, width = values.shape
    forth: Ints = np.arange(batch * width)
    moved = np.flatnonzero(_has_jumps(values, lengths))
    if len(moved):
        rows = zip(values[moved].tolist(), lengths[moved].tolist(), strict=True)
        orders = [[*arranged(row[:length]), *range(length, width)] for row, length in rows]
        forth.reshape(batch, width)[moved] = np.array(orders) + width * moved[:, None]
    return forth


def _has_jumps(values: npt.NDArray[np.integer], lengths: Ints) -> Bools:
    """Which sentences of a batch have a word that does not come after the one before it."""
    found: Bools = ((values != 0) & (np.arange(values.shape[1]) < lengths[:, None])).any(1)
    return found


def _by_distance(scores: npt.NDArray[np.float32], values: int) -> npt.NDArray[np.float32]:
    """From the scores of words as predecessors [B, T, T] to those of values of the encoding [B, T, min(T, values)]."""
    words = np.arange(scores.shape[1])[:, None]
    before = words - 1 - np.arange(min(len(words), values))
    found: npt.NDArray[np.float32] = scores[:, words, before]
    found[:, before < 0] = -np.inf
    found[:, 0, 0] = scores[:, 0, 0]
    return found
