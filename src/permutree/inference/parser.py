"""The parser: sentences in, trees out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import nn

from permutree.encoding import Labels, Repair
from permutree.encoding.codec import COMPONENTS
from permutree.forest import Forest
from permutree.labeling.batching import batches_by_size
from permutree.labeling.labeller import Arrays
from permutree.labeling.model import Model
from permutree.tree import Tree, TreeError

__all__ = ["Parsed", "Parser", "predict"]

#: places of a batch, padding included
BATCH = 16384
#: sentences that are sorted by length together
CHUNK = 4096


class Parsed(NamedTuple):
    """Trees as arrays, with the tags that were used, and what had to be repaired."""

    forest: Forest
    repairs: list[Repair]


@torch.inference_mode()
def predict(
    labeller: nn.Module, arrays: Arrays, device: torch.device | str, limit: int = BATCH
) -> dict[str, np.ndarray]:
    """The best value of every head at every word of all sentences, one sentence after the other."""
    lengths = arrays.lengths
    order = np.argsort(lengths, kind="stable")
    found: list[torch.Tensor] = []
    counts: list[torch.Tensor] = []
    names: list[str] = []
    for sentences in batches_by_size(lengths, order, limit):
        inputs = arrays.batch(sentences)
        counts.append(inputs.lengths)
        inputs = inputs.to(device)
        scores = labeller(inputs)
        names = list(scores)
        found.append(torch.stack([scores[name].argmax(2) for name in names], 2)[inputs.mask])
    if not found:
        return {}
    values = torch.cat(found).cpu().numpy().astype(np.int32)
    words = torch.cat(counts).numpy()
    # From the order of lengths back to that of the sentences.
    starts = np.zeros(len(order), np.int64)
    starts[order] = np.cumsum(words) - words
    sizes = np.zeros(len(order), np.int64)
    sizes[order] = words
    ends = np.cumsum(sizes)
    places = np.repeat(starts - (ends - sizes), sizes) + np.arange(int(ends[-1]))
    return {name: values[places, number] for number, name in enumerate(names)}


class Parser:
    """Runs a model on sentences of words."""

    def __init__(self, model: Model, device: torch.device | str = "cpu") -> None:
        self.model = model
        self.device = device

    @classmethod
    def load(cls, folder: str | Path, device: torch.device | str | None = None) -> Parser:
        """The parser in a model folder; on a GPU, if there is one and nothing else is said."""
        device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        return cls(Model.load(folder, device), device)

    def parse(self, words: Sequence[Sequence[str]], tags: Sequence[Sequence[str]] | None = None) -> Parsed:
        """The trees of sentences; their tags are needed if the model reads tags, and replaced if it predicts them."""
        codec = self.model.codec
        if codec is None:
            raise TreeError("this model is a tagger; parse with a model that was trained to parse")
        values = self._values(words, tags)
        if self.model.config.predicts_tags:
            tags = self._tags(values, words)
        elif tags is None:
            tags = [["_"] * len(sentence) for sentence in words]
        offsets = np.cumsum([0, *map(len, words)], dtype=np.int32)
        labels = Labels(offsets, *(values[component] for component in COMPONENTS))
        return Parsed(*codec.decode(labels, words, tags))

    def tag(self, words: Sequence[Sequence[str]]) -> list[list[str]]:
        """The tags of sentences."""
        if not self.model.config.predicts_tags:
            raise TreeError("this model predicts no tags; tag with a tagger, or a parser with tags = 'own'")
        return self._tags(self._values(words, None), words)

    def trees(self, sentences: Iterable[tuple[Sequence[str], Sequence[str] | None]]) -> Iterator[Tree]:
        """The trees of a stream of sentences with their tags, in order."""
        sentences = iter(sentences)
        while chunk := list(islice(sentences, CHUNK)):
            words = [sentence for sentence, _ in chunk]
            tags = [given for _, given in chunk if given is not None]
            yield from self.parse(words, tags if len(tags) == len(words) else None).forest.trees()

    def _values(self, words: Sequence[Sequence[str]], tags: Sequence[Sequence[str]] | None) -> dict[str, np.ndarray]:
        if self.model.config.reads_tags and tags is None:
            raise TreeError("this model reads tags, and none were given; tag the sentences first")
        for number, sentence in enumerate(words):
            if not sentence:
                raise TreeError(f"sentence {number + 1} has no words")
        arrays = self.model.features.arrays(words, tags)
        return predict(self.model.labeller, arrays, self.device)

    def _tags(self, values: dict[str, np.ndarray], words: Sequence[Sequence[str]]) -> list[list[str]]:
        names = iter(self.model.tags[number] for number in values["tags"].tolist())
        return [list(islice(names, len(sentence))) for sentence in words]
