"""Masked words: learning a language from text, before there are trees.

Some words of each sentence are hidden, and the encoder is trained to say which they were (Devlin et al. 2019).
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from permutree.errors import ConfigError
from permutree.model.batching import Ints, batches_by_size
from permutree.model.features import PAD, UNKNOWN, WordArrays, WordFeatures
from permutree.networks.model import Model
from permutree.networks.tensors import Constituents, WordInputs, as_tensors
from permutree.parsing.inputs import read_sentences

__all__ = ["SHARE", "MaskedText", "MaskedValidator", "read_words"]

_log = logging.getLogger("permutree")
#: how many of the words are hidden
SHARE = 0.15
#: places of a batch on the dev set
_BATCH = 4096


def read_words(paths: Iterable[str], max_length: int | None = None) -> list[Sequence[str]]:
    """The words of the sentences of text and treebanks."""
    sentences = [sentence.words for sentence in read_sentences(paths)]
    kept = [words for words in sentences if max_length is None or len(words) <= max_length]
    if len(kept) < len(sentences):
        _log.info("%d sentences of more than %d words are not trained on", len(sentences) - len(kept), max_length)
    if not kept:
        raise ConfigError("there is no text to train on or to evaluate with; name files in data.train and data.dev")
    return kept


@dataclass(frozen=True, slots=True, eq=False)
class MaskedText:
    """Sentences, some of whose words are hidden, others every time."""

    arrays: WordArrays
    #: as many of the most frequent words are to be found
    values: int

    @classmethod
    def of(cls, words: Sequence[Sequence[str]], model: Model) -> MaskedText:
        """Sentences as a model sees them."""
        assert isinstance(model.features, WordFeatures)
        return cls(model.features.arrays(words, None), model.outline.sizes["words"])

    def __len__(self) -> int:
        """The number of sentences."""
        return len(self.arrays.lengths)

    @property
    def words(self) -> Ints:
        """The number of words of each sentence."""
        return self.arrays.lengths

    def batch(self, sentences: Ints) -> tuple[WordInputs, dict[str, Tensor]]:
        """Some of the sentences with words hidden at random, and which words these are [B, T]."""
        inputs = as_tensors(self.arrays.batch(sentences))
        assert isinstance(inputs, WordInputs)
        return hide(inputs, torch.rand(inputs.words.shape) < SHARE, self.values)

    def order(self, sentences: Ints) -> Tensor:
        """Nothing is read in another order."""
        raise NotImplementedError

    def constituents(self, sentences: Ints) -> Constituents:
        """Text has none."""
        raise NotImplementedError


def hide(inputs: WordInputs, chosen: Tensor, values: int) -> tuple[WordInputs, dict[str, Tensor]]:
    """Make chosen words unknown, and their characters nothing."""
    chosen = chosen & inputs.mask
    is_known = (inputs.words > UNKNOWN) & (inputs.words < values)
    gold = torch.where(chosen & is_known, inputs.words, -1)
    nothing = torch.full_like(inputs.characters[:1], PAD)
    hidden = replace(
        inputs,
        words=torch.where(chosen, UNKNOWN, inputs.words),
        types=torch.where(chosen, len(inputs.characters), inputs.types),
        characters=torch.cat([inputs.characters, nothing]),
    )
    return hidden, {"words": gold}


@dataclass(frozen=True, slots=True, eq=False)
class MaskedValidator:
    """Scores a labeller by how many hidden words it finds."""

    text: MaskedText

    @torch.inference_mode()
    def score(self, labeller: nn.Module, device: torch.device) -> dict[str, Any]:
        """The share of hidden words found; always the same words are hidden."""
        labeller.eval()
        start = time.perf_counter()
        right = total = 0
        random = np.random.default_rng(1)
        order = np.argsort(self.text.words, kind="stable")
        for sentences in batches_by_size(self.text.words, order, _BATCH):
            inputs = as_tensors(self.text.arrays.batch(sentences))
            assert isinstance(inputs, WordInputs)
            chosen = torch.from_numpy(random.random(tuple(inputs.words.shape)) < SHARE)
            hidden, gold = hide(inputs, chosen, self.text.values)
            found = labeller(hidden.to(device))["words"].argmax(2).cpu()
            right += int((found == gold["words"]).sum())
            total += int((gold["words"] >= 0).sum())
        accuracy = 100 * right / max(1, total)
        seconds = time.perf_counter() - start
        return {"score": accuracy, "word accuracy": accuracy, "sentences/s": len(self.text) / seconds}
