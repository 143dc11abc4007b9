import json
import random
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fuzzing
from permutree import decode, encode, read
from permutree.encoding import ENCODINGS, TAGSETS, Codec, Decoded, Kind, Label, Labels, Repair, Scores
from permutree.encoding.levels import LevelScale
from permutree.errors import TreeError
from permutree.trees.batch import TreeBatch
from permutree.trees.tree import Tree
from slow_encoding import DEFINED, slow_encode, strict_decode
from strategies import trees

NOCH_NIE = Tree.parse(
    "(ROOT (S (VP (AVP (ADV 0=Noch) (ADV 1=nie)) (NP (ADV 4=so) (PIAT 5=viel)) (VVPP 6=gewählt)) "
    "(VAFIN 2=habe) (PPER 3=ich)) ($. 7=.))"
)
#: labels with signs that chains have a meaning for
LABELS = st.sampled_from(["S", "NP", "A+B", "+", "_", "a_b", "\\", "\\e", "e", "", "x y", "S+VP"])
SCALES = get_args(LevelScale)


def round_trip(codec: Codec, some: list[Tree]) -> Decoded:
    return codec.decode(codec.encode(some), [tree.words for tree in some], [tree.tags for tree in some])


def test_worked_example() -> None:
    relative = encode(NOCH_NIE, "relative")
    assert [label.levels for label in relative] == ["4", "-1", "0", "-1", "1", "-1", "-1", "_"]
    assert [label.shared for label in relative] == ["AVP", "VP", "S", "ROOT", "NP", "VP", "S", "_"]
    assert {label.unary for label in relative} == {"_"}
    assert NOCH_NIE.tau == (0, 1, 5, 6, 2, 3, 4, 7)


def test_steep_falls_to_near_the_root_are_absolute_on_the_mixed_scale() -> None:
    line = "(ROOT (S (NP (NP (D 0=the) (N 1=man)) (PP (P 2=at) (NP (D 3=the) (N 4=bar)))) (V 5=left)) (. 6=.))"
    labels = encode(Tree.parse(line), level_scale="mixed")
    assert [label.levels for label in labels] == ["4", "-1", "1", "1", "2ROOT", "-1", "_"]
    trees = [Tree.parse(line)]
    codec = Codec.fit(trees, level_scale="mixed")
    assert sorted(codec.levels) == ["-1", "1", "2ROOT", "4", "_"]
    assert list(round_trip(Codec.from_json(codec.to_json()), trees).forest.trees()) == trees


def test_a_scale_that_does_not_exist_is_refused() -> None:
    with pytest.raises(TreeError, match="relative, absolute, mixed, not 'log'"):
        Codec(level_scale="log")  # type: ignore[arg-type]


@pytest.mark.parametrize("scale", SCALES)
@settings(max_examples=50)
@given(some=st.lists(trees(max_words=14, tags=st.sampled_from(fuzzing.TAGS), labels=LABELS), max_size=4))
def test_labels_are_what_the_definition_says_and_lead_back(some: list[Tree], scale: LevelScale) -> None:
    for encoding in DEFINED:
        simplify = fuzzing.simplifier(encoding)
        codec = Codec(encoding, level_scale=scale, tagset=fuzzing.TAGSET)
        labels = [slow_encode(tree, encoding, simplify, scale) for tree in some]
        assert [list(map(tuple, texts)) for texts in codec.texts(codec.encode(some))] == labels
        forest, repairs = round_trip(codec, some)
        assert list(forest.trees()) == some
        assert repairs == []
        for tree, rows in zip(some, labels, strict=True):
            assert strict_decode(tree.words, tree.tags, rows, encoding, simplify, scale) == tree


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32))
def test_long_sentences_with_many_gaps(seed: int) -> None:
    tree = fuzzing.random_tree(random.Random(seed), 200)
    for encoding, scale in product(ENCODINGS, SCALES):
        labels = encode(tree, encoding, level_scale=scale)
        assert decode(tree.words, tree.tags, labels, encoding, level_scale=scale) == (tree, [])


def test_random_permutations_have_many_gaps() -> None:
    rng = random.Random(2)
    some = []
    for _ in range(50):
        words = [str(index) for index in range(60)]
        shuffled = rng.sample(range(60), 60)
        cut = rng.randint(10, 50)
        some.append(
            Tree.from_constituents(words, ["T"] * 60, [("S", range(60)), ("A", shuffled[:cut]), ("B", shuffled[cut:])])
        )
    assert min(tree.gap_degree for tree in some) >= 5
    for encoding in ENCODINGS:
        forest, repairs = round_trip(Codec(encoding), some)
        assert (list(forest.trees()), list(repairs)) == (some, [])


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(
    "line",
    [
        "(NN 0=word)",
        "(S (NN 0=word))",
        "(ROOT (S (NP (NN 0=word))))",
        "(ROOT (S (NN 0=one) (NN 1=two)))",
        "(ROOT (S (VP (NP (NN 0=one)) (NP (X (NN 1=two))))))",
        "(ROOT (S (A (N 0=a) (N 2=c)) (N 1=b)))",
        "(ROOT (A (N 0=a) (B (N 1=b) (N 3=d))) (C (N 2=c) (N 4=e)))",
    ],
)
def test_corner_cases(line: str, encoding: str) -> None:
    tree = Tree.parse(line)
    assert decode(tree.words, tree.tags, encode(tree, encoding), encoding) == (tree, [])


def test_one_word() -> None:
    assert encode(Tree.parse("(NN 0=word)")) == [Label("_", "_", "_", "NEXT")]
    assert encode(Tree.parse("(ROOT (NP (NN 0=word)))"), "absolute") == [Label("_", "_", "ROOT+NP", "INV")]


def test_unary_chains() -> None:
    labels = encode(Tree.parse("(ROOT (S (NP (NN 0=one)) (VP (X (VB 1=two)))))"))
    assert labels == [Label("1", "ROOT+S", "NP", "NEXT"), Label("_", "_", "VP+X", "NEXT")]


def test_trees_in_any_child_order_are_the_same() -> None:
    tree = Tree.parse("(S (B (N 1=b) (N 3=d)) (A (N 4=e) (N 2=c) (N 0=a)))")
    assert decode(tree.words, tree.tags, encode(tree)).tree == tree
    forest = TreeBatch.from_trees([tree])
    spans = {"order": [1, 3, 4, 2, 0], "labels": [2, 1, 0], "starts": [0, 0, 2], "ends": [5, 2, 5]}
    arrays = {name: np.array(values, np.int32) for name, values in spans.items()}
    out_of_order = TreeBatch(
        forest.words,
        forest.tags,
        forest.word_offsets,
        arrays["order"],
        forest.node_offsets,
        arrays["labels"],
        arrays["starts"],
        arrays["ends"],
        forest.vocabulary,
    )
    codec = Codec()
    assert next(codec.texts(codec.encode(out_of_order))) == encode(tree)


def test_deep_and_long_trees() -> None:
    size = 1500
    words = [f"w{index}" for index in range(size)]
    spans = [(f"L{depth % 3}", range(depth, size)) for depth in range(size - 1)]
    chain = [("U", [size - 1])] * 1500
    deep = Tree.from_constituents(words, ["T"] * size, [*spans, *chain])
    long = Tree.from_constituents(
        [str(index) for index in range(10_000)],
        ["T"] * 10_000,
        [("S", range(10_000)), ("A", range(0, 10_000, 2)), ("B", range(1, 10_000, 2))],
    )
    for encoding in ENCODINGS:
        forest, repairs = round_trip(Codec(encoding), [deep, long])
        assert (list(forest.trees()), list(repairs)) == ([deep, long], [])


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_fuzz(encoding: str, scale: LevelScale) -> None:
    kinds = fuzzing.check(random.Random(encoding), encoding, 700, 9, scale)
    assert len(kinds) >= 10
    fuzzing.check(random.Random(encoding), encoding, 30, 80, scale)


def test_treebank(shared: Path) -> None:
    for name in ("alpino", "squoia_de"):
        some = list(read(shared / "treebanks" / name / "dev.discbracket.xz"))
        for encoding in ENCODINGS:
            codec = Codec.fit(some, encoding)
            forest, repairs = round_trip(codec, some)
            assert list(forest.trees()) == some
            assert list(forest.discbracket()) == [tree.discbracket() for tree in some]
            assert repairs == []


def decoded(
    rows: list[tuple[str, str, str, str]], encoding: str = "absolute"
) -> tuple[str, list[tuple[Kind, int, str, str]]]:
    words = "abcdefgh"[: len(rows)]
    tree, repairs = decode(list(words), ["T"] * len(rows), rows, encoding)
    return tree.discbracket(), [(kind, word, was, became) for kind, _, word, was, became in repairs]


def test_the_last_of_several_last_words_counts() -> None:
    text, repairs = decoded([("_", "S", "_", "INV"), ("0", "S", "_", "INV"), ("_", "_", "_", "INV")])
    assert text == "(S (T 0=a) (T 1=b) (T 2=c))"
    assert repairs == [(Kind.LEVELS_LAST, 0, "_", "1")]


def test_without_a_last_word_the_permutation_decides() -> None:
    text, repairs = decoded([("1", "S", "_", "INV"), ("0", "S", "_", "2"), ("0", "S", "_", "1")])
    assert text == "(S (T 0=a) (T 1=b) (T 2=c))"
    assert repairs == [(Kind.LEVELS_LAST, 1, "0", "_"), (Kind.SHARED_LAST, 1, "S", "_")]


def test_the_last_word_is_moved_to_the_end() -> None:
    rows = [("1", "S", "_", "0"), ("_", "_", "_", "0"), ("1", "A", "_", "0"), ("-1", "S", "_", "0")]
    text, repairs = decoded(rows, "lehmer")
    assert text == "(S (T 0=a) (T 1=b) (A (T 2=c) (T 3=d)))"
    assert repairs[0] == (Kind.PERMUTATION_LAST, 1, "@1", "@3")


def test_the_first_label_of_a_constituent_counts() -> None:
    text, repairs = decoded([("1", "S", "_", "INV"), ("0", "X", "_", "INV"), ("_", "_", "_", "INV")])
    assert text == "(S (T 0=a) (T 1=b) (T 2=c))"
    assert repairs == [(Kind.SHARED_CONFLICT, 1, "X", "S")]


def test_levels_without_a_label_are_not_there() -> None:
    text, repairs = decoded([("3", "A", "_", "INV"), ("-2", "S", "_", "INV"), ("_", "_", "_", "INV")])
    assert text == "(S (A (T 0=a) (T 1=b)) (T 2=c))"
    assert repairs == [(Kind.LEVELS_UNLABELLED, 0, "3", "2"), (Kind.LEVELS_UNLABELLED, 1, "-2", "-1")]
    assert decoded([("9" * 30, "A", "_", "INV"), ("_", "_", "_", "INV")])[0] == "(A (T 0=a) (T 1=b))"


def test_a_constituent_without_a_label_goes_and_a_root_gets_one() -> None:
    rows = [("2", "_", "_", "INV"), ("-1", "S", "_", "INV"), ("_", "_", "_", "INV")]
    text, repairs = decoded(rows)
    assert text == "(S (T 0=a) (T 1=b) (T 2=c))"
    assert repairs == [
        (Kind.LEVELS_UNLABELLED, 0, "2", "1"),
        (Kind.SHARED_MISSING, 0, "_", "S"),
        (Kind.LEVELS_UNLABELLED, 1, "-1", "0"),
    ]
    text, repairs = decoded([("1", "", "_", "INV"), ("_", "_", "_", "INV")])
    assert text == "(ROOT (T 0=a) (T 1=b))"
    assert repairs == [(Kind.SHARED_MISSING, 0, "", "ROOT")]


def test_malformed_chains() -> None:
    text, repairs = decoded([("1", "S++VP", "", "INV"), ("_", "_", "A+", "INV")])
    assert text == "(S (VP (T 0=a) (A (T 1=b))))"
    assert repairs == [
        (Kind.UNARY_SYMBOL, 0, "", "_"),
        (Kind.SHARED_MISSING, 0, "S++VP", "S+VP"),
        (Kind.UNARY_SYMBOL, 1, "A+", "A"),
    ]


def test_a_label_with_white_space_is_none() -> None:
    text, repairs = decoded([("1", "-3 QQ", "x y", "INV"), ("_", "_", "S+\x07", "INV")])
    assert text == "(ROOT (T 0=a) (S (T 1=b)))"
    assert repairs == [
        (Kind.UNARY_SYMBOL, 0, "x y", "_"),
        (Kind.SHARED_MISSING, 0, "-3 QQ", "ROOT"),
        (Kind.UNARY_SYMBOL, 1, "S+\x07", "S"),
    ]


def test_all_words_last_and_empty_strings() -> None:
    for encoding in ENCODINGS:
        assert decoded([("_", "_", "_", "_")] * 4, encoding)[0] == "(ROOT (T 0=a) (T 1=b) (T 2=c) (T 3=d))"
        assert decoded([("", "", "", "")] * 4, encoding)[0] == "(ROOT (T 0=a) (T 1=b) (T 2=c) (T 3=d))"


def test_fit_makes_closed_vocabularies_with_the_frequent_first() -> None:
    codec = Codec.fit([NOCH_NIE], "relative")
    assert codec.levels.values[0] == "-1"
    assert codec.permutation.values == ["2", "INV", "-3"]
    assert codec.root == "ROOT"
    labels = codec.encode([Tree.parse("(S (X 0=a) (Y (X 1=b) (X 3=d)) (X 2=c))")])
    assert -1 in labels.shared
    assert len(codec.shared) == 6


def test_unknown_numbers_are_repaired() -> None:
    codec = Codec.fit([NOCH_NIE])
    gold = codec.encode([NOCH_NIE])
    wild = [np.array([-1, 99, -7, 10**6, -1, 5000, -1, -1], np.int32)] * 4
    forest, repairs = codec.decode(Labels(gold.word_offsets, *wild), [NOCH_NIE.words], [NOCH_NIE.tags])
    assert next(forest.trees()).labels == ("ROOT",)
    assert {repair.was for repair in repairs} == {"<unknown>"}


def test_json_and_back() -> None:
    codec = Codec.fit([NOCH_NIE], "pointer-simplified", tagset="stts")
    again = Codec.from_json(json.loads(json.dumps(codec.to_json())))
    assert again.to_json() == codec.to_json()
    assert again.tagset == TAGSETS["stts"]
    assert again.encode([NOCH_NIE]).permutation.tolist() == codec.encode([NOCH_NIE]).permutation.tolist()


def test_batches_do_not_depend_on_their_size(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(3)
    some = [fuzzing.random_tree(rng, 12) for _ in range(25)]
    whole = Codec("lehmer")
    labels = whole.encode(some)
    wild = [fuzzing.mutate(rng, sentence) for sentence in whole.texts(labels)]
    words, tags = [tree.words for tree in some], [tree.tags for tree in some]
    forest, repairs = whole.decode(whole.numbers(wild), words, tags)
    monkeypatch.setattr("permutree.encoding.codec.BATCH", 4)
    parts = Codec("lehmer")
    assert list(parts.texts(parts.encode(some))) == list(whole.texts(labels))
    assert parts.encode(some).word_offsets.tolist() == labels.word_offsets.tolist()
    other, others = parts.decode(parts.numbers(wild), words, tags)
    assert list(other.trees()) == list(forest.trees())
    assert others == repairs


def test_no_sentences() -> None:
    codec = Codec()
    labels = codec.encode([])
    assert len(labels) == 0
    forest, repairs = codec.decode(labels, [], [])
    assert (list(forest.trees()), list(repairs)) == ([], [])


def test_lengths_must_agree() -> None:
    labels = encode(NOCH_NIE)
    with pytest.raises(TreeError, match="sentence 0: 8 labels, but 7 words"):
        decode(NOCH_NIE.words[:-1], NOCH_NIE.tags, labels)
    with pytest.raises(TreeError, match="no words"):
        decode([], [], [])
    with pytest.raises(TreeError, match="there are absolute, relative"):
        Codec("absolut")


def best(codec: Codec, rows: list[dict[str, dict[str, float]]]) -> tuple[str, list[Kind]]:
    """Decode the best values of scores, which are given where they are not very low."""
    arrays = {}
    for component in ("levels", "shared", "unary", "permutation"):
        vocabulary = getattr(codec, component)
        scores = np.full((len(rows), len(vocabulary)), -50.0)
        for index, row in enumerate(rows):
            for value, score in row.get(component, {"_" if component != "permutation" else "INV": 0.0}).items():
                scores[index, vocabulary.number(value)] = score
        arrays[component] = scores
    scored = Scores(**arrays)
    labels = Labels(np.array([0, len(rows)], np.int32), **scored.best())
    words = list("abcdefgh"[: len(rows)])
    forest, repairs = codec.decode(labels, [words], [["T"] * len(rows)], scored)
    return next(forest.discbracket()), [repair.kind for repair in repairs]


def scoring_codec() -> Codec:
    vocabularies = {
        "levels": ["_", "1", "0", "-1", "2"],
        "shared": ["_", "S", "NP", "VP"],
        "unary": ["_"],
        "permutation": ["INV", "1", "2", "3"],
    }
    return Codec("absolute", vocabularies=vocabularies)


def test_scores_choose_the_last_word() -> None:
    # words 1 and 2 both want to be last, but word 2 would as soon have no other level in common
    text, kinds = best(
        scoring_codec(),
        [
            {"levels": {"1": 0}, "shared": {"S": 0}},
            {"levels": {"_": 0, "0": -9}},
            {"levels": {"_": 0, "0": -0.1}, "shared": {"_": 0, "S": -1}},
        ],
    )
    assert text == "(S (T 0=a) (T 1=b) (T 2=c))"
    assert Kind.LEVELS_LAST in kinds
    assert Kind.PERMUTATION_LAST in kinds


def test_scores_choose_a_possible_level() -> None:
    text, kinds = best(
        scoring_codec(),
        [
            {"levels": {"-1": 0, "2": -1, "1": -2}, "shared": {"NP": 0}},
            {"levels": {"-1": 0}, "shared": {"S": 0}},
            {"levels": {"_": 0}},
        ],
    )
    assert text == "(S (NP (T 0=a) (T 1=b)) (T 2=c))"
    assert kinds == [Kind.LEVELS_RANGE]


def test_scores_choose_the_label_of_a_constituent() -> None:
    text, kinds = best(
        scoring_codec(),
        [
            {"levels": {"1": 0}, "shared": {"NP": -0.5, "VP": -0.6}},
            {"levels": {"0": 0}, "shared": {"S": -0.5, "VP": -0.6}},
            {"levels": {"_": 0}},
        ],
    )
    assert text == "(VP (T 0=a) (T 1=b) (T 2=c))"
    assert kinds == [Kind.SHARED_CONFLICT, Kind.SHARED_CONFLICT]


def test_scores_choose_a_free_place() -> None:
    text, kinds = best(
        scoring_codec(),
        [
            {"levels": {"2": 0}, "shared": {"NP": 0}},
            {"levels": {"0": 0}, "shared": {"S": 0}, "permutation": {"3": 0, "2": -1}},
            {"levels": {"-1": 0}, "shared": {"S": 0}, "permutation": {"1": 0}},
            {"levels": {"_": 0}, "permutation": {"3": 0}},
        ],
    )
    assert text == "(S (NP (T 0=a) (T 2=c)) (T 1=b) (T 3=d))"
    assert kinds == [Kind.PERMUTATION_TAKEN]


def test_labels_that_only_roots_have() -> None:
    man = Tree.parse("(TOP (S (NP (D 0=the) (N 1=man)) (V 2=left)))")
    codec = Codec.fit([man, man, Tree.parse("(X (S (D 0=a) (S (E 1=b) (F 2=c))))")], "predecessor")
    assert codec.tops == ("TOP", "X")
    assert Codec.from_json(codec.to_json()).tops == codec.tops
    assert Codec.fit([man, Tree.parse("(S (S (D 0=the) (N 1=man)) (V 2=left))")]).tops == ()
    # Once in two hundred times may be a mistake.
    assert Codec.fit([*[man] * 200, Tree.parse("(TOP (TOP (D 0=the) (N 1=man)) (V 2=left))")]).tops == ("TOP",)

    def decoded(word: int, said: str) -> str:
        labels = codec.encode([man])
        shared = labels.shared.copy()
        shared[word] = codec.shared.number(said)
        scores = Scores(shared=np.log(np.eye(len(codec.shared))[shared] + 1e-3))
        forest, _ = codec.decode(replace(labels, shared=shared), [man.words], [man.tags], scores)
        return next(iter(forest.trees())).discbracket()

    assert decoded(0, "NP") == man.discbracket()
    assert decoded(1, "NP") == "(TOP (NP (NP (D 0=the) (N 1=man)) (V 2=left)))"
    assert decoded(0, "TOP+S") == "(TOP (S (S (D 0=the) (N 1=man)) (V 2=left)))"


def test_sentences_of_one_word_have_roots() -> None:
    man = Tree.parse("(TOP (S (NP (N 0=men)) (V 1=left)))")
    no = Tree.parse("(TOP (NP (N 0=men)))")
    codec = Codec.fit([man, no], "predecessor")
    assert codec.tops == ("TOP",)
    assert Codec.fit([man, Tree.parse("(NP (N 0=men))")]).tops == ()
    assert Codec.fit([man, Tree.parse("(N 0=men)")]).tops == ()

    def decoded(tree: Tree, said: str | None) -> tuple[str, list[Repair]]:
        labels = codec.encode([tree])
        unary = labels.unary.copy()
        unary[0] = codec.unary.number(said or "-")
        scores = Scores(unary=np.log(np.eye(len(codec.unary))[unary] + 1e-3))
        forest, repairs = codec.decode(replace(labels, unary=unary), [tree.words], [tree.tags], scores)
        return next(iter(forest.trees())).discbracket(), [*repairs]

    assert decoded(no, "TOP+NP") == (no.discbracket(), [])
    assert decoded(no, "NP") == (no.discbracket(), [Repair(Kind.UNARY_ROOT, 0, 0, "NP", "TOP+NP")])
    assert decoded(no, None)[0] == "(TOP (N 0=men))"
    assert decoded(man, "TOP+NP") == (man.discbracket(), [Repair(Kind.UNARY_ROOT, 0, 0, "TOP+NP", "NP")])
