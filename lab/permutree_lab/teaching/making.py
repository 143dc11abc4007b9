"""Making lessons: rewritings applied to trees, productions of a grammar in turns, each sentence once and checked."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import cycle, zip_longest
from pathlib import Path
from random import Random

from permutree.errors import ConfigError
from permutree.formats import read
from permutree.trees.tree import Tree
from permutree_lab.teaching.lessons import Language, check, normalise
from permutree_lab.teaching.parts import part_of

__all__ = ["choose", "generate", "read_texts", "rewrite", "spread"]

#: so many sentences in a row that were there before end a grammar
PATIENCE = 2000


def choose(names: Collection[str], kinds: Sequence[str]) -> list[str]:
    """The kinds that were asked for, in the order in which they are defined; all of them if none was."""
    for kind in kinds:
        if kind not in names:
            raise ConfigError(f"there is no kind {kind!r}; there are {', '.join(names)}")
    return [name for name in names if not kinds or name in kinds]


def rewrite(
    language: Language, trees: Iterable[Tree], seed: int, kinds: Sequence[str] = (), avoid: Collection[str] = ()
) -> Iterator[tuple[str, Tree]]:
    """The trees that the rewritings make, with their kinds, in the order of the trees that they come from.

    What is made of a tree depends on the seed, the kind and the tree alone. No sentence comes twice, and none whose
    normalised text is in ``avoid``.
    """
    chosen = choose(language.rewritings, kinds)
    seen: set[str] = set()
    for tree in trees:
        text = " ".join(tree.words)
        root = part_of(tree)
        seen.add(text)
        for kind in chosen:
            for made in language.rewritings[kind](root, Random(f"{seed} {kind} {text}")):
                check(made)
                if _is_new(made.tree, seen, avoid):
                    yield kind, made.tree


def generate(
    language: Language, count: int, seed: int, kinds: Sequence[str] = (), avoid: Collection[str] = ()
) -> Iterator[tuple[str, Tree]]:
    """So many trees of the grammar, with their kinds, which take turns by their shares.

    No sentence comes twice, and none whose normalised text is in ``avoid``. A grammar that has nothing new to say
    ends early.
    """
    chosen = choose(language.grammar, kinds)
    seen: set[str] = set()
    turns = cycle([kind for kind in chosen for _ in range(language.shares.get(kind, 1))])
    random = Random(f"{seed} {language.code}")
    made = repeated = 0
    while made < count and repeated < PATIENCE:
        kind = next(turns)
        one = language.grammar[kind](random)
        check(one)
        if not _is_new(one.tree, seen, avoid):
            repeated += 1
            continue
        made, repeated = made + 1, 0
        yield kind, one.tree


def _is_new(tree: Tree, seen: set[str], avoid: Collection[str]) -> bool:
    """Whether a sentence was not seen before, which it is from now on, and need not be avoided."""
    text = " ".join(tree.words)
    if text in seen or normalise(text) in avoid:
        return False
    seen.add(text)
    return True


def spread(made: Iterable[tuple[str, Tree]], count: int, seed: int) -> list[tuple[str, Tree]]:
    """So many of the trees, as evenly over the kinds as these allow, in a random order."""
    by_kind: dict[str, list[tuple[str, Tree]]] = {}
    for pair in made:
        by_kind.setdefault(pair[0], []).append(pair)
    random = Random(f"{seed} spread")
    for pairs in by_kind.values():
        random.shuffle(pairs)
    chosen = [pair for turn in zip_longest(*by_kind.values()) for pair in turn if pair is not None][:count]
    random.shuffle(chosen)
    return chosen


_MARK = re.compile(r"\{\S*\s?|\}")


def read_texts(paths: Iterable[Path]) -> set[str]:
    """The normalised texts of sentences: of a suite of constructions (.txt, a sentence a line) or of a treebank."""
    texts: set[str] = set()
    for path in paths:
        if path.suffix == ".txt":
            lines = path.read_text(encoding="utf-8").splitlines()
            texts.update(normalise(_MARK.sub("", line)) for line in lines if not line.startswith(("#", "==")))
        else:
            texts.update(normalise(" ".join(tree.words)) for tree in read(path))
    return texts - {""}
