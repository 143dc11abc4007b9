"""Which prediction belongs to which gold tree: by place in the file, and never by guessing.

The words of both must be the same, and so must be the ids of the sentences where both sides have them. Where
predictions are missing, the rest are found by the ids of the sentences if both sides have them, else by their words,
in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from permutree.errors import DataError
from permutree.evaluation.brackets import Ints
from permutree.evaluation.parameters import Parameters
from permutree.formats import read
from permutree.trees.batch import TreeBatch
from permutree.trees.tree import Tree

__all__ = ["Missing", "Side", "Trees", "pair"]

#: what a gold tree without a prediction is: an error, or a tree of which everything was missed
Missing = Literal["error", "count"]
#: trees as the evaluation takes them: a path to read, arrays, or the trees themselves
Trees = str | Path | TreeBatch | Iterable[Tree]


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """The trees of one side as arrays, with the ids of the sentences and a name for messages."""

    forest: TreeBatch
    ids: Sequence[str | None]
    name: str

    @classmethod
    def load(
        cls,
        trees: Trees,
        name: str,
        format: str | None = None,  # noqa: A002 - the word that users expect
        encoding: str | None = None,
    ) -> Side:
        """The trees behind a path, or those that are given, which then go by this name."""
        if isinstance(trees, TreeBatch):
            return cls(trees, [None] * len(trees), name)
        if isinstance(trees, str | Path):
            name = str(trees)
            trees = read(trees, format, encoding)
        trees = list(trees)
        return cls(TreeBatch.from_trees(trees), [tree.id for tree in trees], name)

    def sentence(self, number: int) -> str:
        """What a sentence is called: its id, or its number from 1."""
        return self.ids[number] or str(number + 1)


def pair(gold: Side, predicted: Side, parameters: Parameters, missing: Missing = "error") -> Ints:
    """The predicted tree of each gold tree; -1 where it is missing and that is allowed."""
    if len(gold.forest) == len(predicted.forest):
        pairs = list(range(len(gold.forest)))
        _check_ids(gold, predicted, parameters)
    else:
        pairs = _pair_by_id(gold, predicted) or _pair_by_words(gold, predicted, parameters)
        _check_complete(gold, predicted, pairs, parameters, missing)
    faults = list(_faults(gold, predicted, pairs, parameters))
    if faults:
        sentence, fault = faults[0]
        message = f"{fault}; gold and prediction must have the same words" + _others(
            [gold.sentence(number) for number, _ in faults[1:]], parameters
        )
        raise DataError(message, source=predicted.name, sentence=gold.sentence(sentence))
    return np.array(pairs, dtype=np.int64)


def _check_ids(gold: Side, predicted: Side, parameters: Parameters) -> None:
    """Raise an error for trees at the same place that have different ids; numbers of places are none."""
    if _are_places(gold.ids) or _are_places(predicted.ids):
        return
    both = zip(gold.ids, predicted.ids, strict=True)
    different = [number for number, (name, other) in enumerate(both) if name and other and name != other]
    if different:
        first = different[0]
        more = _others([gold.sentence(number) for number in different[1:]], parameters)
        message = (
            f"sentence {first + 1} has the id {predicted.ids[first]!r}, but {gold.ids[first]!r} in {gold.name}: are "
            f"the sentences in the same order? --ignore-ids pairs them by place{more}"
        )
        raise DataError(message, source=predicted.name)


def _are_places(ids: Sequence[str | None]) -> bool:
    """Whether the ids are nothing but the numbers that a writer makes up: 1, 2, 3, …, or s1, s2, s3, …"""
    return all(name is None or name.removeprefix("s") == str(number) for number, name in enumerate(ids, 1))


def _pair_by_id(gold: Side, predicted: Side) -> list[int] | None:
    """Pairs by id, if every sentence on both sides has one of its own and no prediction has an unknown one."""
    numbers = {name: number for number, name in enumerate(predicted.ids)}
    known = set(gold.ids)
    if None in known or None in numbers or len(numbers) < len(predicted.ids) or len(known) < len(gold.ids):
        return None
    if not known.issuperset(numbers):
        return None
    return [numbers.get(name, -1) for name in gold.ids]


def _pair_by_words(gold: Side, predicted: Side, parameters: Parameters) -> list[int]:
    """Pairs in order: each prediction with the next gold sentence of the same words."""
    pairs = []
    following = 0
    for words in gold.forest.words:
        is_here = following < len(predicted.forest) and _same(words, predicted.forest.words[following], parameters)
        pairs.append(following if is_here else -1)
        following += is_here
    return pairs


def _check_complete(
    gold: Side, predicted: Side, pairs: Sequence[int], parameters: Parameters, missing: Missing
) -> None:
    """Raise an error for predictions without a gold tree and, unless they are to be counted, for missing ones."""
    counts = f"{len(gold.forest)} gold trees, {len(predicted.forest)} predictions"
    used = set(pairs)
    extra = [number for number in range(len(predicted.forest)) if number not in used]
    if extra:
        words = " ".join(predicted.forest.words[extra[0]][:8])
        more = _others([predicted.sentence(number) for number in extra[1:]], parameters)
        message = f"no gold sentence for the prediction “{words} …” ({counts}){more}"
        raise DataError(message, source=predicted.name, sentence=predicted.sentence(extra[0]))
    absent = [number for number, prediction in enumerate(pairs) if prediction < 0]
    if absent and missing == "error":
        more = _others([gold.sentence(number) for number in absent[1:]], parameters)
        message = f"no prediction for this gold sentence ({counts}); --missing count scores it as empty{more}"
        raise DataError(message, source=predicted.name, sentence=gold.sentence(absent[0]))


def _faults(gold: Side, predicted: Side, pairs: Sequence[int], parameters: Parameters) -> Iterator[tuple[int, str]]:
    """The gold sentences whose prediction has other words, and what is different."""
    for number, prediction in enumerate(pairs):
        if prediction < 0:
            continue
        words, others = gold.forest.words[number], predicted.forest.words[prediction]
        if _same(words, others, parameters):
            continue
        for place, (word, other) in enumerate(zip(words, others, strict=False), 1):
            if parameters.canonical_word(word) != parameters.canonical_word(other):
                yield number, f"word {place} is {other!r}, not {word!r} as in {gold.name}"
                break
        else:
            yield number, f"{len(others)} words, not {len(words)} as in {gold.name}"


def _same(words: Sequence[str], others: Sequence[str], parameters: Parameters) -> bool:
    """Whether two sentences have the same words, by the parameters."""
    if words == others:
        return True
    canonical = parameters.canonical_word
    return len(words) == len(others) and list(map(canonical, words)) == list(map(canonical, others))


def _others(names: Sequence[str], parameters: Parameters) -> str:
    """The end of a message about one sentence that holds for others too."""
    if not names:
        return ""
    listed = names[: max(parameters.max_error - 1, 0)]
    rest = f" and {len(names) - len(listed)} more" if len(names) > len(listed) else ""
    return f"; so too sentence {', '.join(listed)}{rest}" if listed else f"; so too {len(names)} more sentences"
