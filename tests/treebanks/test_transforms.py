from functools import partial

import pytest
from hypothesis import given

from permutree.errors import TreeError
from permutree.treebanks import transforms as t
from permutree.treebanks.splits import parse_shares, split_by_hash, split_by_order
from permutree.trees.builder import TreeBuilder
from permutree.trees.tree import Tree
from strategies import trees

#: punctuation hangs from the root and makes two false discontinuities
ROOTED = Tree.parse("(ROOT (S (NP (A 0=a) (B 2=b)) (V 3=v) (X 5=x)) ($, 1=,) ($, 4=,) ($. 6=.))")


def test_move_punctuation() -> None:
    moved = t.transform(ROOTED, t.move_punctuation)
    assert moved.discbracket() == "(ROOT (S (NP (A 0=a) ($, 1=,) (B 2=b)) (V 3=v) ($, 4=,) (X 5=x)) ($. 6=.))"
    assert not moved.is_discontinuous


def test_punctuation_at_the_edges_goes_to_the_root() -> None:
    tree = Tree.parse("(ROOT (S (NP ($( 0=“) (A 1=a) ($( 2=”) ($. 3=.))))")
    assert t.transform(tree, t.move_punctuation).words == tree.words
    assert [leaf.word for leaf in TreeBuilder.from_tree(tree).leaves] == ["“", "a", "”", "."]
    moved = t.transform(tree, t.move_punctuation)
    assert moved.word_parents == (0, 2, 0, 0)


def test_a_constituent_of_punctuation_alone_stays() -> None:
    tree = Tree.parse("(ROOT (S (A 0=a) (PRN ($, 1=,)) (B 2=b)))")
    assert t.transform(tree, t.move_punctuation) == tree
    only = Tree.parse("(ROOT (S ($, 0=,) ($. 1=.)))")
    assert t.transform(only, t.move_punctuation) == only
    assert t.transform(only, t.attach_punctuation) == only


def test_remove_punctuation() -> None:
    assert t.transform(ROOTED, t.remove_punctuation).discbracket() == "(ROOT (S (NP (A 0=a) (B 1=b)) (V 2=v) (X 3=x)))"
    only = Tree.parse("(ROOT (S ($, 0=,) ($. 1=.)))")
    assert t.transform(only, t.remove_punctuation) == only
    emptied = Tree.parse("(ROOT (S (A 0=a)) (PRN ($, 1=,)))")
    assert t.transform(emptied, t.remove_punctuation).discbracket() == "(ROOT (S (A 0=a)))"


def test_attach_punctuation_is_undone_by_moving_it() -> None:
    moved = t.transform(ROOTED, t.move_punctuation)
    assert t.transform(moved, t.attach_punctuation) == ROOTED


def test_other_punctuation_tags() -> None:
    tree = Tree.parse("(ROOT (S (A 0=a) (B 2=b)) (SYM 1=/))")
    assert t.transform(tree, t.move_punctuation) == tree
    moved = t.transform(tree, partial(t.move_punctuation, tags={"SYM"}))
    assert moved.discbracket() == "(ROOT (S (A 0=a) (SYM 1=/) (B 2=b)))"


@given(trees())
def test_moved_punctuation_makes_no_gap_of_its_own(tree: Tree) -> None:
    moved = t.transform(tree, t.move_punctuation)
    assert moved.words == tree.words
    assert t.transform(moved, t.move_punctuation) == moved
    assert t.transform(moved, t.remove_punctuation) == t.transform(tree, t.remove_punctuation)


@given(trees())
def test_removed_punctuation_keeps_the_rest(tree: Tree) -> None:
    kept = [word for word, tag in zip(tree.words, tree.tags, strict=True) if tag not in t.PUNCTUATION_TAGS]
    assert list(t.transform(tree, t.remove_punctuation).words) == (kept or list(tree.words))


def test_removing_every_word_is_an_error() -> None:
    draft = TreeBuilder.from_tree(Tree.parse("(S (A 0=a))"))
    with pytest.raises(TreeError, match="no word would be left"):
        t.remove_leaves(draft, set(draft.leaves))


def test_functions() -> None:
    tree = Tree.parse("(S (NP-SBJ-1 (X 0=x)) (NP=2 (Y 1=y)) (-LRB- (Z 2=z)))")
    split = t.transform(tree, t.split_functions)
    assert split.labels == ("S", "NP", "NP", "-LRB-")
    assert split.annotations.functions == (None, None, None, None, "SBJ-1", "2", None)
    assert t.transform(split, t.join_functions).labels == ("S", "NP-SBJ-1", "NP-2", "-LRB-")
    assert t.transform(split, t.strip_functions).annotations.functions is None
    assert t.transform(tree, t.strip_functions).labels == ("S", "NP", "NP", "-LRB-")


def test_roots() -> None:
    tree = Tree.parse("(S (A 0=a) (B 1=b))")
    rooted = t.transform(tree, t.add_root)
    assert rooted.discbracket() == "(ROOT (S (A 0=a) (B 1=b)))"
    assert t.transform(rooted, t.add_root) == rooted
    assert t.transform(rooted, t.remove_root) == tree
    assert t.transform(tree, t.remove_root) == tree
    assert t.transform(tree, partial(t.rename_root, label="TOP")).labels == ("TOP",)
    lone = Tree.parse("(NN 0=dog)")
    assert t.transform(lone, t.add_root).discbracket() == "(ROOT (NN 0=dog))"
    assert t.transform(lone, t.rename_root).discbracket() == "(ROOT (NN 0=dog))"
    assert t.transform(Tree.parse("(ROOT (NN 0=dog))"), t.remove_root).discbracket() == "(ROOT (NN 0=dog))"


def test_map_labels_and_tags() -> None:
    tree = Tree.parse("(S (A 0=a) (B 1=b))")
    step = partial(t.map_labels, labels={"S": "T"}, tags={"A": "X"})
    assert t.transform(tree, step).discbracket() == "(T (X 0=a) (B 1=b))"


def test_unary_chains() -> None:
    tree = Tree.parse("(ROOT (S (VP (A 0=a) (NP (QP (B 1=b))))))")
    collapsed = t.transform(tree, t.collapse_unary)
    assert collapsed.discbracket() == "(ROOT+S+VP (A 0=a) (NP+QP (B 1=b)))"
    assert t.transform(collapsed, t.expand_unary) == tree
    assert t.transform(tree, t.remove_unary).discbracket() == "(ROOT (A 0=a) (NP (B 1=b)))"
    bottom = t.transform(tree, partial(t.remove_unary, keep="bottom"))
    assert bottom.discbracket() == "(VP (A 0=a) (QP (B 1=b)))"


@given(trees())
def test_collapsing_and_expanding_is_identity(tree: Tree) -> None:
    assert t.transform(t.transform(tree, t.collapse_unary), t.expand_unary) == tree


def test_shares() -> None:
    assert parse_shares("a=1,b=3") == {"a": 0.25, "b": 0.75}
    for bad in ("80/20", "x", "a=x", "=1", "a=-1,b=2", ""):
        with pytest.raises(ValueError):  # noqa: PT011 - float, zip and our own checks word it differently
            parse_shares(bad)


def test_splits_are_deterministic_and_complete() -> None:
    some = [Tree.parse(f"(S (A 0=a{number}))") for number in range(1000)]
    by_order = list(split_by_order(some, parse_shares("80/10/10")))
    assert [tree for _, tree in by_order] == some
    assert [name for name, _ in by_order] == ["train"] * 800 + ["dev"] * 100 + ["test"] * 100
    by_hash = list(split_by_hash(some, parse_shares("80/10/10")))
    assert [tree for _, tree in by_hash] == some
    assert by_hash == list(split_by_hash(some, parse_shares("80/10/10")))
    counts = [sum(name == part for name, _ in by_hash) for part in ("train", "dev", "test")]
    assert counts[0] > 700
    assert min(counts) > 50
    assert by_hash[0][0] == next(iter(split_by_hash(some[:1], parse_shares("80/10/10"))))[0]


def test_tiger_has_no_constituents_of_one_word_and_flat_prepositional_phrases() -> None:
    tree = Tree.parse(
        "(VROOT (S (NP (PPER 0=Er)) (VAFIN 1=hat) (VP (AVP (ADV 2=oft)) (PP (APPR 3=von) (NP (ART 4=der) "
        "(AP (ADJA 5=neuen)) (NN 6=Stadt) (NP (NE 7=Roms)))) (VVPP 8=erzählt))) ($. 9=.))"
    )
    assert t.transform(tree, t.to_tiger).discbracket() == (
        "(VROOT (S (PPER 0=Er) (VAFIN 1=hat) (VP (ADV 2=oft) (PP (APPR 3=von) (ART 4=der) (ADJA 5=neuen) (NN 6=Stadt) "
        "(NE 7=Roms)) (VVPP 8=erzählt))) ($. 9=.))"
    )


def test_tiger_keeps_names_coordinations_and_gaps() -> None:
    names = "(VROOT (PP (APPR 0=von) (NP (PN (NE 1=Anna) (NE 2=Klein)))) ($[ 3=-LRB-))"
    changed = t.transform(Tree.parse(names), t.to_tiger)
    assert changed.discbracket() == "(VROOT (PP (APPR 0=von) (PN (NE 1=Anna) (NE 2=Klein))) ($[ 3=-LRB-))"
    assert changed.tags[-1] == "$("
    union = "(VROOT (NP (ART 0=die) (PN (NP (AP (ADJA 1=Neue)) (NN 2=Welt)))) (NN 3=x))"
    assert t.transform(Tree.parse(union), t.to_tiger).discbracket() == (
        "(VROOT (NP (ART 0=die) (PN (ADJA 1=Neue) (NN 2=Welt))) (NN 3=x))"
    )
    pair = "(VROOT (PP (APPR 0=mit) (CNP (NP (NN 1=Rat)) (KON 2=und) (NP (NN 3=Tat)))) (NN 4=x))"
    assert t.transform(Tree.parse(pair), t.to_tiger).discbracket() == (
        "(VROOT (PP (APPR 0=mit) (CNP (NN 1=Rat) (KON 2=und) (NN 3=Tat))) (NN 4=x))"
    )
    apart = (
        "(VROOT (S (PP (APPR 0=von) (NP (NN 1=Leuten) (S (NP (PRELS 4=die)) (VVFIN 5=gehen)))) (VVFIN 2=redet) "
        "($, 3=,)))"
    )
    assert t.transform(Tree.parse(apart), t.to_tiger).discbracket() == (
        "(VROOT (S (PP (APPR 0=von) (NN 1=Leuten) (S (PRELS 4=die) (VVFIN 5=gehen))) (VVFIN 2=redet) ($, 3=,)))"
    )


def test_tiger_merges_the_phrase_that_the_preposition_governs() -> None:
    tree = "(VROOT (PP (NP (NN 0=Jahre)) (APPR 1=nach) (NP (ART 2=dem) (NN 3=Krieg))) (NN 4=x))"
    assert t.transform(Tree.parse(tree), t.to_tiger).discbracket() == (
        "(VROOT (PP (NN 0=Jahre) (APPR 1=nach) (ART 2=dem) (NN 3=Krieg)) (NN 4=x))"
    )
    after = "(VROOT (PP (NP (ART 0=dem) (NN 1=Plan)) (APPO 2=zufolge)) (NN 3=x))"
    assert t.transform(Tree.parse(after), t.to_tiger).discbracket() == (
        "(VROOT (PP (ART 0=dem) (NN 1=Plan) (APPO 2=zufolge)) (NN 3=x))"
    )


@given(trees())
def test_tiger_keeps_the_words_and_has_no_unary_constituents(tree: Tree) -> None:
    changed = t.transform(tree, t.to_tiger)
    assert changed.words == tree.words
    draft = TreeBuilder.from_tree(changed)
    assert all(len(node.children) > 1 for node in draft.nodes() if node is not draft.root)
