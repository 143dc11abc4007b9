"""How much vectors of words know of tags: the tag of a word from its vector alone, by a linear model.

    python lab/benchmarks/vector_probe.py TRAIN DEV VECTORS… [--words 60000]

A ridge regression from the vectors of words of TRAIN to their tags; of DEV's words, those are counted whose tag gets
the highest score, apart for words that TRAIN has and others. A word without a vector has zeros. VECTORS are files of
`lab/models/word_vectors.py`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import chain, islice
from pathlib import Path

import numpy as np
import numpy.typing as npt

from permutree import read
from permutree.networks.embeddings import read_vectors

#: the weight of the squares of the weights
RIDGE = 1.0

Tokens = Sequence[tuple[str, str]]


def tokens(file: Path) -> list[tuple[str, str]]:
    """Words and their tags."""
    return [*chain.from_iterable(zip(tree.words, tree.tags, strict=True) for tree in read(file))]


def features(some: Tokens, vectors: dict[str, npt.NDArray[np.float32]], size: int) -> npt.NDArray[np.float64]:
    """The vectors of words, with a constant beside."""
    none = np.zeros(size)
    return np.array([[*vectors.get(word, none), 1.0] for word, _ in some])


def probe(train: Tokens, dev: Tokens, vectors: dict[str, npt.NDArray[np.float32]]) -> npt.NDArray[np.bool_]:
    """Which words of dev get their tag."""
    size = len(next(iter(vectors.values())))
    tags = sorted({tag for _, tag in train})
    numbers = {tag: number for number, tag in enumerate(tags)}
    inputs = features(train, vectors, size)
    wanted = np.eye(len(tags))[[numbers[tag] for _, tag in train]]
    weights = np.linalg.solve(inputs.T @ inputs + RIDGE * np.eye(size + 1), inputs.T @ wanted)
    found = (features(dev, vectors, size) @ weights).argmax(1)
    return np.array([tags[number] == tag for number, (_, tag) in zip(found, dev, strict=True)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("train", type=Path)
    parser.add_argument("dev", type=Path)
    parser.add_argument("vectors", type=Path, nargs="+")
    parser.add_argument("--words", type=int, default=60_000)
    options = parser.parse_args()
    whole, dev = tokens(options.train), tokens(options.dev)
    seen = {word for word, _ in whole}
    is_seen = np.array([word in seen for word, _ in dev])
    # Texts stand one after the other: some of each.
    train = [*islice(whole, 0, None, max(1, len(whole) // options.words))]
    print("| vectors | words | all | in the training set | others |\n|---|---:|---:|---:|---:|")
    for file in options.vectors:
        vectors = read_vectors(file)
        right = probe(train, dev, vectors)
        shares = (right.mean(), right[is_seen].mean(), right[~is_seen].mean())
        print(f"| {file.name} | {len(vectors):,} | {' | '.join(f'{100 * share:.1f} %' for share in shares)} |")


if __name__ == "__main__":
    main()
