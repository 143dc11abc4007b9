"""The parser: sentences in, trees out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import nn

from permutree.encoding import Labels, Repairs
from permutree.encoding.codec import COMPONENTS, Decoded, Scores
from permutree.forest import Forest
from permutree.inference.sentences import Sentence
from permutree.labeling.batching import Arrays, Ints, batches_by_size
from permutree.labeling.model import Model
from permutree.labeling.tensors import as_tensors
from permutree.settings import SettingsError
from permutree.tree import NO_ANNOTATIONS, Annotations, Tree, TreeError

__all__ = ["Parsed", "Parser", "predict"]

#: places of a batch, padding included: many for a GPU, few enough for the cache of a CPU
BATCH = {"cuda": 16384, "cpu": 2048}
#: sentences, and words, that are sorted by length together
CHUNK = 4096
CHUNK_WORDS = 1 << 17

Words = Sequence[Sequence[str]]
Values = dict[str, np.ndarray]


class Parsed(NamedTuple):
    """Trees as arrays, with the tags that were used, what had to be repaired, and what the input said beside."""

    forest: Forest
    repairs: Repairs
    annotations: Sequence[Annotations] = ()

    def trees(self) -> Iterator[Tree]:
        """The trees, with ids, lemmas and whatever else of the input is about words or the whole sentence."""
        if not self.annotations:
            yield from self.forest.trees()
            return
        for tree, given in zip(self.forest.trees(), self.annotations, strict=True):
            if given is NO_ANNOTATIONS:
                yield tree
                continue
            # Edge labels go with the constituents of the input.
            yield tree.annotated(
                id=given.id, lemmas=given.lemmas, morphology=given.morphology, comment=given.comment, info=given.info
            )


def predict(labeller: nn.Module, arrays: Arrays, device: torch.device | str, limit: int | None = None) -> Values:
    """The best value of every head at every word of all sentences, one sentence after the other."""
    return _run(labeller, arrays, device, _best, limit)


@torch.inference_mode()
def _run(
    labeller: nn.Module,
    arrays: Arrays,
    device: torch.device | str,
    keep: Callable[[torch.Tensor], torch.Tensor],
    limit: int | None,
) -> Values:
    """What ``keep`` makes of the scores [B, T, values] of each head, at every word, one sentence after the other."""
    lengths = arrays.lengths
    order = np.argsort(lengths, kind="stable")
    found: dict[str, list[torch.Tensor]] = {}
    counts: list[torch.Tensor] = []
    for sentences in batches_by_size(lengths, order, limit or _batch(device)):
        inputs = as_tensors(arrays.batch(sentences))
        counts.append(inputs.lengths)
        # Worked out here, as a GPU that has to count words would be waited for.
        words = inputs.mask.flatten().nonzero().squeeze(1).to(device, non_blocking=True)
        for name, scores in labeller(inputs.to(device)).items():
            found.setdefault(name, []).append(keep(scores).flatten(0, 1).index_select(0, words))
    if not found:
        return {}
    # From the order of lengths back to that of the sentences.
    places = _ranges(torch.cat(counts).numpy(), np.argsort(order))
    return {name: torch.cat(parts).cpu().numpy()[places] for name, parts in found.items()}


def _best(scores: torch.Tensor) -> torch.Tensor:
    return scores.argmax(2).int()


def _log_probabilities(scores: torch.Tensor) -> torch.Tensor:
    return scores.float().log_softmax(2)


def _batch(device: torch.device | str) -> int:
    return BATCH.get(torch.device(device).type, BATCH["cpu"])


class Parser:
    """Runs a model on sentences of words.

    With a tagger, which is another model that predicts tags, sentences are tagged before they are parsed, whatever tags
    they come with. ``use_scores`` repairs labels that describe no tree by the probabilities of all labels, instead of
    by the rules of the encoding.
    """

    def __init__(
        self,
        model: Model,
        device: torch.device | str = "cpu",
        *,
        tagger: Parser | None = None,
        use_scores: bool = False,
    ) -> None:
        self.model = model
        self.device = device
        self.tagger = tagger
        self.use_scores = use_scores
        if tagger is not None and not tagger.predicts_tags:
            raise SettingsError("the tagger predicts no tags; use one that was trained with task = 'tag'")
        if tagger is not None and model.config.predicts_tags:
            raise SettingsError("this model predicts tags itself; use it without a tagger")

    @classmethod
    def load(
        cls,
        folder: str | Path,
        device: torch.device | str | None = None,
        *,
        tagger: str | Path | None = None,
        use_scores: bool = False,
    ) -> Parser:
        """The parser in a model folder; on a GPU, if there is one and nothing else is said."""
        has_gpu = torch.cuda.is_available()
        device = torch.device(device or ("cuda" if has_gpu else "cpu"))
        if device.type == "cuda" and not has_gpu:
            raise SettingsError("there is no GPU that PyTorch can use; run on the cpu")
        other = cls(Model.load(tagger, device), device) if tagger is not None else None
        return cls(Model.load(folder, device), device, tagger=other, use_scores=use_scores)

    @property
    def predicts_tags(self) -> bool:
        """Whether it can tag."""
        return self.model.config.predicts_tags

    @property
    def needs_tags(self) -> bool:
        """Whether sentences must come with tags."""
        return self.model.config.reads_tags and self.tagger is None

    def parse_tokens(self, words: Sequence[str], tags: Sequence[str] | None = None) -> Tree:
        """The tree of one sentence. Many are parsed faster by :meth:`pipe`."""
        return next(self.pipe([Sentence(words, tags)]))

    def pipe(self, sentences: Iterable[Sequence[str] | Sentence | Tree], *, chunk: int = CHUNK) -> Iterator[Tree]:
        """The trees of a stream of sentences, in order: lists of words, with tags and more in a Sentence or a Tree.

        Of a tree, words and tags are read. Up to ``chunk`` sentences are read before the first tree comes.
        """
        for parsed in self.batches(sentences, chunk=chunk):
            yield from parsed.trees()

    def batches(self, sentences: Iterable[Sequence[str] | Sentence | Tree], *, chunk: int = CHUNK) -> Iterator[Parsed]:
        """The same as arrays, for those who need speed more than trees."""
        first = 1
        for batch in _chunks(sentences, chunk):
            words, given = [one.words for one in batch], [one.tags for one in batch]
            if self.needs_tags and None in given:
                raise TreeError(f"sentence {first + given.index(None)} has no tags; {_NEEDS_TAGS}")
            # A model that reads no tags hands on those that there are.
            tags = [_no_tags(one.words) if one.tags is None else one.tags for one in batch]
            yield self._parse(words, tags, first)._replace(annotations=[one.annotations for one in batch])
            first += len(batch)

    def parse(self, words: Words, tags: Words | None = None) -> Parsed:
        """The trees of sentences, all at once; their tags are replaced if the model or a tagger predicts them."""
        if self.needs_tags and tags is None:
            raise TreeError(_NEEDS_TAGS)
        return self._parse(words, list(map(_no_tags, words)) if tags is None else tags)

    def _parse(self, words: Words, tags: Words, first: int = 1) -> Parsed:
        """The same, where sentences are counted from another number."""
        codec = self.model.codec
        if codec is None:
            raise TreeError("this model is a tagger; parse with a model that was trained to parse")
        _check(words, tags, first)
        if self.tagger is not None:
            tags = self.tagger.tag(words)
        arrays = self.model.features.arrays(words, tags)
        values = predict(self.model.labeller, arrays, self.device)
        if self.model.config.predicts_tags:
            tags = self._tags(values, words)
        decoded = codec.decode(_labels(words, values), words, tags)
        if self.use_scores and decoded.repairs:
            decoded = self._repair_by_scores(decoded)
        return Parsed(*decoded)

    def tag(self, words: Words) -> list[list[str]]:
        """The tags of sentences."""
        if not self.model.config.predicts_tags:
            raise TreeError("this model predicts no tags; tag with a tagger, or a parser with tags = 'own'")
        _check(words, words)
        arrays = self.model.features.arrays(words, None)
        return self._tags(predict(self.model.labeller, arrays, self.device), words)

    def tag_all(
        self, sentences: Iterable[Sequence[str] | Sentence | Tree], *, chunk: int = CHUNK
    ) -> Iterator[Tree | Sentence]:
        """A stream of sentences with predicted tags, in order: trees stay trees."""
        for batch in _chunks(sentences, chunk):
            for one, tags in zip(batch, self.tag([one.words for one in batch]), strict=True):
                yield one.with_tags(tags) if isinstance(one, Tree) else replace(one, tags=tags)

    def _tags(self, values: Values, words: Words) -> list[list[str]]:
        """The names of predicted tags, by sentence."""
        if not words:
            return []
        names = iter([self.model.tags[number] for number in values["tags"].tolist()])
        return [list(islice(names, len(sentence))) for sentence in words]

    def _repair_by_scores(self, decoded: Decoded) -> Decoded:
        """Decode the sentences that needed repairs once more, with the scores of all labels.

        Scores are many numbers a word. To have them for bad sentences alone, these are labelled a second time, a batch
        at a time.
        """
        codec, forest = self.model.codec, decoded.forest
        assert codec is not None
        lengths = np.diff(forest.word_offsets).astype(np.int64)
        bad = decoded.repairs.sentences()
        bad = bad[np.argsort(lengths[bad], kind="stable")]
        parts: list[Forest] = [forest]
        repairs: list[Repairs] = []
        for batch in batches_by_size(lengths, bad, _batch(self.device)):
            words, tags = ([given[number] for number in batch.tolist()] for given in (forest.words, forest.tags))
            arrays = self.model.features.arrays(words, tags)
            found = _run(self.model.labeller, arrays, self.device, _log_probabilities, None)
            scores = Scores(*(found[component] for component in COMPONENTS))
            again = codec.decode(_labels(words, scores.best()), words, tags, scores)
            parts.append(again.forest)
            repairs.append(again.repairs.renumber(batch))
        return Decoded(_replaced(parts, bad), Repairs.join(repairs, codec.spelling))


_NEEDS_TAGS = "this model reads tags: give them, or a tagger"


def _no_tags(words: Sequence[str]) -> list[str]:
    return ["_"] * len(words)


def _check(words: Words, tags: Words, first: int = 1) -> None:
    """Refuse what is no sentence."""
    if len(words) != len(tags):
        raise TreeError(f"{len(words)} sentences, but tags of {len(tags)}")
    for number, (sentence, given) in enumerate(zip(words, tags, strict=True), first):
        if isinstance(sentence, str):
            raise TreeError(f"sentence {number} is a text; give a list of its words")
        if not sentence:
            raise TreeError(f"sentence {number} has no words")
        if "" in sentence or "" in given:
            raise TreeError(f"sentence {number} has an empty word or tag")
        if len(sentence) != len(given):
            raise TreeError(f"sentence {number} has {len(sentence)} words, but {len(given)} tags")


def _chunks(sentences: Iterable[Sequence[str] | Sentence | Tree], size: int) -> Iterator[list[Sentence | Tree]]:
    """Lists of at most so many sentences, fewer if they are long."""
    chunk: list[Sentence | Tree] = []
    words = 0
    for sentence in sentences:
        known = sentence if isinstance(sentence, Sentence | Tree) else Sentence(sentence)
        chunk.append(known)
        words += len(known.words)
        if len(chunk) >= size or words >= CHUNK_WORDS:
            yield chunk
            chunk, words = [], 0
    if chunk:
        yield chunk


def _labels(words: Words, values: Values) -> Labels:
    offsets = np.cumsum([0, *map(len, words)], dtype=np.int32)
    return Labels(offsets, *(values.get(component, np.zeros(0, np.int32)) for component in COMPONENTS))


def _replaced(forests: Sequence[Forest], sentences: Ints) -> Forest:
    """The first forest with some of its sentences replaced by those of the other forests, in that order."""
    first = forests[0]
    words = np.concatenate([np.diff(forest.word_offsets) for forest in forests])
    nodes = np.concatenate([np.diff(forest.node_offsets) for forest in forests])
    chosen = np.arange(len(first))
    chosen[sentences] = len(first) + np.arange(len(sentences))
    at_words, at_nodes = _ranges(words, chosen), _ranges(nodes, chosen)

    def gather(name: str, places: Ints) -> np.ndarray:
        values: np.ndarray = np.concatenate([getattr(forest, name) for forest in forests])[places]
        return values

    return replace(
        first,
        order=gather("order", at_words),
        node_offsets=np.append(0, np.cumsum(nodes[chosen])).astype(np.int32),
        labels=gather("labels", at_nodes),
        starts=gather("starts", at_nodes),
        ends=gather("ends", at_nodes),
        vocabulary=forests[-1].vocabulary,
    )


def _ranges(lengths: Ints, chosen: Ints) -> Ints:
    """The places of some of the pieces that stand one after the other with these lengths."""
    starts = (np.cumsum(lengths) - lengths)[chosen]
    sizes = lengths[chosen]
    places: Ints = np.repeat(starts - (np.cumsum(sizes) - sizes), sizes) + np.arange(int(sizes.sum()))
    return places
