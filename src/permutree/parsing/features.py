"""Labels as features for other models: what the parser knows of each word, as arrays.

The paper ends with the thought that labels of constituents, one a word, can feed any model that reads words. Here they
are: the labels of the predicted trees in any encoding, as numbers; how probable the values of each head are; and the
states of the network.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from permutree.encoding import Codec, Label
from permutree.encoding.labels import COMPONENTS, Labels
from permutree.errors import ConfigError
from permutree.parsing.engines import ORDER

if TYPE_CHECKING:
    from permutree.parsing.parser import Parser

__all__ = ["Features", "features_of"]

#: heads whose values are labels of their own
_HEADS = ("tags", "shared", "unary")

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """What a parser says of the words of sentences; arrays run over all words, one sentence after the other."""

    words: Sequence[Sequence[str]]
    tags: Sequence[Sequence[str]]
    #: the labels as numbers; ``codec`` has the texts, and gives others the same numbers
    labels: Labels
    codec: Codec
    #: head → the probabilities of its values [words, values]; ``values`` names the columns
    probabilities: dict[str, Floats] = field(default_factory=dict)
    values: dict[str, tuple[str, ...]] = field(default_factory=dict)
    #: states of the network [words, units], if they were asked for
    states: Floats | None = None

    def __len__(self) -> int:
        """The number of sentences."""
        return len(self.words)

    @property
    def offsets(self) -> npt.NDArray[np.int32]:
        """Where the words of each sentence begin in the arrays."""
        return self.labels.word_offsets

    def texts(self) -> list[list[Label]]:
        """The labels of each sentence as text."""
        return list(self.codec.texts(self.labels))

    def columns(self) -> dict[str, list[Any]]:
        """Columns with an entry for each sentence, such as ``datasets.Dataset.from_dict`` takes.

        ``words``, ``tags``, ``levels``, ``shared``, ``unary`` and ``permutation`` (numbers), ``tags_probabilities``, …,
        ``states``.
        """
        arrays: dict[str, Any] = {name: getattr(self.labels, name) for name in COMPONENTS}
        arrays |= {f"{name}_probabilities": table for name, table in self.probabilities.items()}
        if self.states is not None:
            arrays["states"] = self.states
        found: dict[str, list[Any]] = {
            "words": [list(one) for one in self.words],
            "tags": [list(one) for one in self.tags],
        }
        bounds = list(pairwise(self.offsets.tolist()))
        return found | {name: [array[start:end] for start, end in bounds] for name, array in arrays.items()}


def features_of(
    parser: Parser,
    sentences: Sequence[Sequence[str]],
    encoding: str = "pointer",
    *,
    codec: Codec | None = None,
    probabilities: bool = False,
    states: bool = False,
) -> Features:
    """What a parser says of the words of sentences; see :meth:`permutree.Parser.labels`."""
    words = [list(one) for one in sentences]
    trees = list(parser.pipe(words))
    codec = codec or Codec(encoding)
    labels = codec.encode(trees)
    tags = [tree.tags for tree in trees]
    tables, values = _probabilities(parser, words) if probabilities else ({}, {})
    return Features(words, tags, labels, codec, tables, values, _states(parser, words) if states else None)


def _probabilities(
    parser: Parser, words: Sequence[Sequence[str]]
) -> tuple[dict[str, Floats], dict[str, tuple[str, ...]]]:
    """The probabilities of the values of tags, shared labels and unary chains, at words."""
    outline = parser.model
    heads = {
        "tags": tuple(outline.tags),
        "shared": tuple(outline.codec.shared) if outline.codec else (),
        "unary": tuple(outline.codec.unary) if outline.codec else (),
    }
    wanted = [name for name in _HEADS if name in outline.sizes]
    values = {name: heads[name] for name in wanted}
    if not words:
        return {name: np.zeros((0, len(names)), np.float32) for name, names in values.items()}, values
    arrays = parser.features.arrays(words, None)
    found = parser.engine.predict(arrays, wanted, parser.closed_sentences(words))
    tables: dict[str, Floats] = {}
    for name in wanted:
        # Values that are impossible everywhere may be left out at the end.
        scores = np.full((len(found[name]), len(heads[name])), -np.inf, np.float32)
        scores[:, : found[name].shape[1]] = found[name]
        shares = np.exp(scores - scores.max(1, keepdims=True))
        tables[name] = shares / shares.sum(1, keepdims=True)
    if ORDER in found:
        starts = np.repeat(arrays.offsets[:-1], np.diff(arrays.offsets))
        for name in tables.keys() - {"tags"}:
            at_words = np.empty_like(tables[name])
            at_words[starts + found[ORDER]] = tables[name]
            tables[name] = at_words
    return tables, values


def _states(parser: Parser, words: Sequence[Sequence[str]]) -> Floats:
    """The states of the encoder, before any head, by PyTorch."""
    try:
        from permutree.networks.model import Model
        from permutree.parsing.torch_engine import encoder_states
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise ConfigError("states of the network need PyTorch: pip install 'permutree[train]'") from None
    if parser.folder is None:
        raise ConfigError("states need a parser that was loaded from a folder: save the model, and use Parser.load")
    return encoder_states(Model.load(parser.folder), words)
