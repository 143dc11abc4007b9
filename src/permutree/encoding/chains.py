"""Unary chains as numbers: a chain is one or more labels, top down; number 0 is no chain."""

from __future__ import annotations

import numpy as np

from permutree.encoding.constituents import format_chain, parse_chain
from permutree.encoding.vocabulary import Vocabulary
from permutree.trees.batch import Bools, Ints

__all__ = ["ChainValues", "Chains"]

#: marks chains whose value nobody has asked for yet
_NOT_ASKED = -2


class Chains:
    """All chains met so far, and the labels in them, numbered."""

    def __init__(self) -> None:
        self.labels = Vocabulary()
        self._chains: list[tuple[int, ...]] = [()]
        self._longer: dict[tuple[int, int], int] = {}
        self._arrays: tuple[Ints, Ints, Ints] | None = None

    def __len__(self) -> int:
        return len(self._chains)

    def extend(self, chain: int, label: int) -> int:
        """The number of a chain with one more label at its lower end."""
        longer = self._longer.get((chain, label))
        if longer is None:
            longer = self._longer[chain, label] = len(self._chains)
            self._chains.append((*self._chains[chain], label))
            self._arrays = None
        return longer

    def number(self, labels: tuple[str, ...]) -> int:
        """The number of a chain of labels."""
        chain = 0
        for label in labels:
            chain = self.extend(chain, self.labels.number(label))
        return chain

    def text(self, chain: int) -> str:
        """A chain as it stands in a label."""
        return format_chain([self.labels[label] for label in self._chains[chain]])

    def extend_all(self, chains: Ints, labels: Ints) -> Ints:
        """``extend`` for arrays."""
        pairs = chains.astype(np.int64) * len(self.labels) + labels
        unique, inverse = np.unique(pairs, return_inverse=True)
        longer = [self.extend(*divmod(pair, len(self.labels))) for pair in unique.tolist()]
        return np.array(longer, np.int32)[inverse]

    def of_single(self) -> Ints:
        """The chains of one label each."""
        return np.array([self.extend(0, label) for label in range(len(self.labels))], np.int32)

    def arrays(self) -> tuple[Ints, Ints, Ints]:
        """The length of each chain, where its labels begin, and all labels."""
        if self._arrays is None:
            lengths = np.array([len(chain) for chain in self._chains], np.int32)
            flat = np.array([label for chain in self._chains for label in chain], np.int32)
            self._arrays = lengths, np.cumsum(lengths, dtype=np.int32) - lengths, flat
        return self._arrays


class ChainValues:
    """The link between a vocabulary of chains in text and their numbers."""

    def __init__(self, chains: Chains, vocabulary: Vocabulary) -> None:
        self.chains = chains
        self.vocabulary = vocabulary
        self._values = np.zeros(0, np.int32)
        self._parsed: tuple[Ints, Bools] = (np.zeros(1, np.int32), np.zeros(1, bool))

    def values(self, chains: Ints) -> Ints:
        """The vocabulary's numbers for chains."""
        known = self._values
        if len(known) < len(self.chains):
            known = self._values = np.append(known, np.full(len(self.chains) - len(known), _NOT_ASKED, np.int32))
        values = known[chains]
        if values.min(initial=0) == _NOT_ASKED:
            for chain in np.unique(chains[values == _NOT_ASKED]).tolist():
                known[chain] = self.vocabulary.number(self.chains.text(chain))
            values = known[chains]
        return values

    def parsed(self) -> tuple[Ints, Bools]:
        """For each value, the chain it stands for and whether it is well-formed; one more for unknown ones."""
        numbers, is_formed = self._parsed
        if len(numbers) != len(self.vocabulary) + 1:
            added = [parse_chain(text) for text in self.vocabulary.values[len(numbers) - 1 :]]
            chains = [self.chains.number(labels) for labels, _ in added]
            numbers = np.concatenate([numbers[:-1], np.array([*chains, 0], np.int32)])
            is_formed = np.concatenate([is_formed[:-1], np.array([*(formed for _, formed in added), False])])
            self._parsed = numbers, is_formed
        return self._parsed
