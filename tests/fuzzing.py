"""Random and mutated labels, and what must hold when they are decoded."""

import random
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from permutree.encoding import TAGSETS, Codec, Kind, Label, Repair, Scores
from permutree.encoding.levels import LevelScale
from permutree.trees.builder import Leaf, Node, TreeBuilder
from permutree.trees.fields import check_spans, is_canonical
from permutree.trees.tree import Tree
from slow_encoding import DEFINED, NotATreeError, strict_decode

TAGS = ["NN", "NNS", "VB", "DT", "$,", "N-N"]
STRANGE = ["", "_", "?", "-", "+", "INV", "NEXT", "1ROOT", "9" * 20, "-1", "0", "\\", "²", "1.0", "- NN", "-0 NN"]
NAMES = ["S", "VP", "NP", "A+B", "_", "\\", "", "ROOT"]
TAGSET = TAGSETS["ptb"]
COMPONENTS = ("levels", "shared", "unary", "permutation")


def random_tree(rng: random.Random, longest: int) -> Tree:
    """Any tree: items are merged at random, neighbours or not, with unary chains here and there."""
    leaves = [Leaf(f"w{index}", rng.choice(TAGS)) for index in range(rng.randint(1, longest))]
    items: list[Node | Leaf] = list(leaves)
    while len(items) > 1 or isinstance(items[0], Leaf):
        chosen = sorted(rng.sample(range(len(items)), rng.randint(1, min(4, len(items)))))
        if len(chosen) == 1 and rng.random() < 0.7 and len(items) > 1:
            continue
        items[chosen[0]] = Node(rng.choice(NAMES), [items[index] for index in chosen])
        items = [item for index, item in enumerate(items) if index not in chosen[1:]]
    return Tree.of(TreeBuilder(items[0], leaves))


def random_symbol(rng: random.Random, component: str, size: int) -> str:
    """Something that may stand in a label, or should not."""
    if rng.random() < 0.1:
        return rng.choice(STRANGE)
    if component == "levels":
        return rng.choice(["_", "1ROOT", *map(str, range(-4, 5)), str(rng.randint(-size, size))])
    if component in ("shared", "unary"):
        return rng.choice(["_", "S", "NP", "VP", "S+VP", "A\\+B", "S++NP", "\\_", "\\e", "\\e+S", "\\\\e", "+"])
    number, tag = rng.randint(-size, 2 * size), rng.choice([*TAGS, "V", "XX"])
    return rng.choice(["INV", "NEXT", "0", "0", "1", str(number), f"-{rng.randint(1, 4)} {tag}"])


def random_labels(rng: random.Random, size: int) -> list[Label]:
    """Labels without any tree behind them."""
    return [Label(*(random_symbol(rng, component, size) for component in COMPONENTS)) for _ in range(size)]


def mutate(rng: random.Random, labels: Sequence[Label]) -> list[Label]:
    """The labels of a tree with a few symbols changed, swapped or copied."""
    rows = [list(label) for label in labels]
    for _ in range(rng.choice([0, 1, 1, 1, 2, 3, 8])):
        word, column = rng.randrange(len(rows)), rng.randrange(4)
        other = rng.randrange(len(rows))
        if rng.random() < 0.5:
            rows[word][column] = random_symbol(rng, COMPONENTS[column], len(rows))
        elif rng.random() < 0.5:
            rows[word][column] = rows[other][column]
        else:
            rows[word][column], rows[other][column] = rows[other][column], rows[word][column]
    return [Label(*row) for row in rows]


def apply(labels: Sequence[Label], repairs: Sequence[Repair]) -> list[Label]:
    """The labels with the repairs put in; each repair must tell what really stood there, and change it."""
    rows = list(labels)
    for repair in repairs:
        component = repair.kind.component
        if repair.became.startswith("@"):
            assert repair.kind is Kind.PERMUTATION_LAST, repair
            assert repair.was != repair.became, repair
            continue
        assert getattr(labels[repair.word], component) == repair.was != repair.became, repair
        rows[repair.word] = rows[repair.word]._replace(**{component: repair.became})
    return rows


def simplifier(encoding: str) -> Callable[[str], str]:
    """What the slow reference does to tags."""
    return TAGSET.__getitem__ if encoding == "pointer-simplified" else str


def check(rng: random.Random, encoding: str, count: int, longest: int, scale: LevelScale = "relative") -> Counter[str]:
    """Fuzz one encoding with a batch; returns how often each kind of repair was needed."""
    codec = Codec(encoding, level_scale=scale, tagset=TAGSET)
    simplify = simplifier(encoding)
    trees = [random_tree(rng, longest) for _ in range(count)]
    gold = list(codec.texts(codec.encode(trees)))
    given = [
        random_labels(rng, len(tree)) if index % 4 == 0 else mutate(rng, gold[index])
        for index, tree in enumerate(trees)
    ]
    words, tags = [tree.words for tree in trees], [tree.tags for tree in trees]
    forest, repairs = codec.decode(codec.numbers(given), words, tags)
    decoded = list(forest.trees())
    by_sentence: list[list[Repair]] = [[] for _ in trees]
    for repair in repairs:
        by_sentence[repair.sentence].append(repair)
    for sentence, tree in enumerate(decoded):
        assert (tree.words, tree.tags) == (words[sentence], tags[sentence])
        check_spans(tree.words, tree.tags, tree.order, tree.labels, tree.starts, tree.ends)
        assert is_canonical(tree.order, tree.starts, tree.ends), tree
        if encoding not in DEFINED:
            continue
        try:
            strict = strict_decode(words[sentence], tags[sentence], given[sentence], encoding, simplify, scale)
        except NotATreeError:
            assert by_sentence[sentence], (given[sentence], tree)
        else:
            assert tree == strict, (given[sentence], tree, strict)
            assert not by_sentence[sentence], (given[sentence], by_sentence[sentence])
    check_repaired(codec, given, decoded, by_sentence)
    same, none = codec.decode(codec.encode(decoded), words, tags)
    assert not none, none[:3]
    assert list(same.trees()) == decoded
    few = count // 20
    check_scored(rng, codec, given[:few], words[:few], tags[:few])
    return Counter(repair.kind.value for repair in repairs)


def check_repaired(
    codec: Codec, given: Sequence[list[Label]], trees: Sequence[Tree], repairs: Sequence[Sequence[Repair]]
) -> None:
    """Labels with the repairs put in are labels of the same trees and need no repair but the move of a last word."""
    repaired = [apply(labels, fixes) for labels, fixes in zip(given, repairs, strict=True)]
    words, tags = [tree.words for tree in trees], [tree.tags for tree in trees]
    forest, left = codec.decode(codec.numbers(repaired), words, tags)
    for sentence, (tree, other) in enumerate(zip(trees, forest.trees(), strict=True)):
        assert tree == other, (given[sentence], repairs[sentence], tree, other)
    assert all(repair.became.startswith("@") for repair in left), left[:3]


def check_scored(
    rng: random.Random,
    codec: Codec,
    given: Sequence[list[Label]],
    words: Sequence[Sequence[str]],
    tags: Sequence[Sequence[str]],
) -> None:
    """Decoding with random scores gives trees too, and true lists of repairs."""
    labels = codec.numbers(given)
    numbers = np.random.default_rng(rng.getrandbits(32))
    scores = Scores(*(numbers.random((labels.word_offsets[-1], len(getattr(codec, name)))) for name in COMPONENTS))
    forest, repairs = codec.decode(labels, words, tags, scores)
    trees = list(forest.trees())
    by_sentence: list[list[Repair]] = [[] for _ in trees]
    for repair in repairs:
        by_sentence[repair.sentence].append(repair)
    for tree in trees:
        check_spans(tree.words, tree.tags, tree.order, tree.labels, tree.starts, tree.ends)
        assert is_canonical(tree.order, tree.starts, tree.ends), tree
    check_repaired(codec, given, trees, by_sentence)
