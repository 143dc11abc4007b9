"""The decoding that ships: whatever scores a labeller gives, there is one tree over the same words."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from permutree.encoding import Codec
from permutree.model.folder import VOTES
from permutree.parsing.engines import ENDS, ENDS_SCORES, ORDER, Values
from permutree.parsing.structured import _Constituents, choose_constituents, decode_spans
from permutree.trees.batch import TreeBatch
from permutree.trees.tree import Tree
from strategies import trees


def gold(codec: Codec, some: list[Tree], *, sure: float = 9.0) -> Values:
    """What a labeller predicts that knows these trees."""
    forest = TreeBatch.from_trees(some)
    found = codec.encode_constituents(forest)
    bases = np.repeat(forest.word_offsets[:-1], np.diff(forest.word_offsets))
    ends = np.zeros((len(bases), 2), np.int32)
    if len(found.starts):
        ends = np.stack([found.starts[found.owners], found.ends[found.owners] - 1], 1) - bases[:, None]
    votes = sure * np.eye(len(codec.shared), dtype=np.float32)[found.shared]
    nothing = np.zeros_like(votes)
    return {
        ORDER: forest.order,
        ENDS: ends.astype(np.int32),
        ENDS_SCORES: np.zeros(len(bases), np.float32),
        "shared": votes,
        "first": nothing,
        "last": nothing.copy(),
        "unary": found.unary,
    }


def decoded(codec: Codec, found: Values, some: list[Tree]) -> list[Tree]:
    return list(decode_spans(codec, found, [tree.words for tree in some], [tree.tags for tree in some]).trees())


@settings(max_examples=100, deadline=None)
@given(st.lists(trees(max_words=14), min_size=1, max_size=4))
def test_true_predictions_give_the_true_trees(some: list[Tree]) -> None:
    codec = Codec.fit(some, "predecessor", level_scale="mixed")
    assert decoded(codec, gold(codec, some), some) == some


@settings(max_examples=100, deadline=None)
@given(st.lists(trees(max_words=12), min_size=1, max_size=5), st.integers(0, 2**32 - 1), st.floats(0, 1))
def test_any_predictions_give_one_tree_over_the_same_words(some: list[Tree], seed: int, share: float) -> None:
    codec = Codec.fit(some, "predecessor", level_scale="mixed")
    found = gold(codec, some)
    random = np.random.default_rng(seed)
    size = len(found[ORDER])
    is_noise = random.random(size) < share
    noise: Values = {
        ENDS: random.integers(-3, 15, (size, 2)).astype(np.int32),
        ENDS_SCORES: random.normal(size=size).astype(np.float32),
        "unary": random.integers(0, len(codec.unary), size).astype(np.int32),
        **{name: random.normal(size=found["shared"].shape).astype(np.float32) for name in ("shared", "first", "last")},
    }
    for name, values in noise.items():
        found[name] = np.where(is_noise if values.ndim == 1 else is_noise[:, None], values, found[name])
    lengths = [len(tree) for tree in some]
    if share > 0.5:
        found[ORDER] = np.concatenate([random.permutation(length) for length in lengths]).astype(np.int32)
    results = decoded(codec, found, some)
    # An engine may have chosen constituents and labels before.
    is_label = codec.shared_chains.parsed()[0][:-1] > 0
    chosen = choose_constituents(found, np.cumsum([0, *lengths], dtype=np.int32), is_label)
    assert not chosen.keys() & {ENDS_SCORES, *VOTES}
    assert decoded(codec, chosen, some) == results
    assert [tree.words for tree in results] == [tree.words for tree in some]
    for tree in results:
        # It is well-formed and canonical: all that checks trees accepts it as it is.
        assert Tree.from_spans(tree.words, tree.tags, tree.order, tree.labels, tree.starts, tree.ends) == tree
        assert Tree.parse(tree.discbracket()) == tree
    # Each as it would be alone.
    bounds = np.cumsum([0, *lengths])
    for number, tree in enumerate(some):
        alone = {name: values[bounds[number] : bounds[number + 1]] for name, values in found.items()}
        assert decoded(codec, alone, [tree]) == [results[number]]


@settings(max_examples=100, deadline=None)
@given(st.lists(trees(max_words=14), max_size=6))
def test_constituents_are_in_preorder_with_their_boundaries(some: list[Tree]) -> None:
    codec, forest = Codec("predecessor"), TreeBatch.from_trees(some)
    given = codec.encode_constituents(forest)
    offsets, size = forest.word_offsets, len(forest.order)
    starts, ends = (np.zeros(size, np.int32), np.ones(size, np.int32))
    if len(given.starts):
        starts, ends = given.starts[given.owners], given.ends[given.owners]
    found = _Constituents.of(starts, ends, offsets)
    boundaries = sorted({*range(size)} - {*(offsets[1:] - 1).tolist()}, key=lambda place: (starts[place], -ends[place]))
    spans = [(int(starts[place]), int(ends[place])) for place in boundaries]
    once = [*dict.fromkeys(spans)]
    assert found.boundaries.tolist() == boundaries
    assert found.owners.tolist() == [once.index(span) for span in spans]
    assert [*zip(found.starts.tolist(), found.ends.tolist(), strict=True)] == once
    assert found.lasts.tolist() == [*dict(zip(spans, boundaries, strict=True)).values()]
    assert all(part.dtype == np.int32 for part in found)


def test_edges_have_a_say_in_labels() -> None:
    tree = Tree.parse("(S (NP (D 0=the) (N 1=man)) (V 2=left) (. 3=.))")
    codec = Codec.fit([tree, Tree.parse("(S (VP (D 0=the) (N 1=man)) (V 2=left))")], "predecessor")
    found = gold(codec, [tree], sure=1.0)
    assert decoded(codec, found, [tree]) == [tree]
    # Of S, three words say that it is one; of NP, one does, and its first and last word say VP.
    for name, word in (("first", 0), ("last", 1)):
        found[name][word, codec.shared.number("VP")] = 1.0
    assert decoded(codec, found, [tree])[0].labels == ("S", "VP")


def test_a_labeller_without_edges_has_votes_of_boundaries_alone() -> None:
    tree = Tree.parse("(S (NP (D 0=the) (N 1=man)) (V 2=left))")
    codec = Codec.fit([tree], "predecessor")
    found = {name: values for name, values in gold(codec, [tree]).items() if name not in ("first", "last")}
    assert decoded(codec, found, [tree]) == [tree]


def test_labels_that_only_roots_have() -> None:
    man = Tree.parse("(TOP (S (NP (N 0=men)) (V 1=left) (. 2=.)))")
    no = Tree.parse("(TOP (NP (N 0=no)))")
    codec = Codec.fit([man, no], "predecessor")
    assert codec.tops == ("TOP",)
    found = gold(codec, [man, no])
    found["unary"] = found["unary"][[3, 1, 2, 1]]
    assert [tree.discbracket() for tree in decoded(codec, found, [man, no])] == [
        "(TOP (S (NP (N 0=men)) (V 1=left) (. 2=.)))",
        "(TOP (N 0=no))",
    ]
