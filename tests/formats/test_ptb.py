"""Penn brackets, plain and with traces."""

import io
from collections.abc import Callable
from typing import Any

import nltk
import pytest
from hypothesis import given
from hypothesis import strategies as st

from permutree.errors import DataError
from permutree.formats import ptb
from permutree.formats.sources import Source
from permutree.trees.tree import Tree
from strategies import trees, words


def source(text: str) -> Source:
    return Source("test", io.BufferedReader(io.BytesIO(text.encode())))


def read(text: str) -> list[str]:
    return [tree.discbracket() for tree in ptb.read(source(text))]


def written(tree: Tree, write: Callable[..., None] = ptb.write, **options: Any) -> str:
    stream = io.StringIO()
    write([tree], stream, **options)
    return stream.getvalue()


DISCONTINUOUS = Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))")


def test_nameless_brackets_several_trees_a_line_and_trees_over_lines() -> None:
    text = "((S (NP-SBJ-1 (DT the)) (. .)))(NP (NN x))\n\n( (S\n  (NP=2\n (-LRB- -LRB-))\n (ADVP|PRT (RP up))))\n"
    assert read(text) == [
        "(S (NP-SBJ-1 (DT 0=the)) (. 1=.))",
        "(NP (NN 0=x))",
        "(S (NP=2 (-LRB- 0=-LRB-)) (ADVP|PRT (RP 1=up)))",
    ]


def test_parentheses_are_real_in_words() -> None:
    (tree,) = ptb.read(source("(NP (-LRB- -LRB-) (NN f-LRB-x-RRB-))"))
    assert tree.words == ("(", "f(x)")
    assert tree.tags == ("-LRB-", "NN")
    assert written(tree) == "(NP (-LRB- -LRB-) (NN f-LRB-x-RRB-))\n"


def test_a_lone_word() -> None:
    (tree,) = ptb.read(source("( (UH yes))"))
    assert (tree.words, tree.tags, tree.labels) == (("yes",), ("UH",), ())
    assert written(tree) == "(UH yes)\n"
    assert written(tree, ptb.write_traces) == "( (UH yes))\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "(S (NP (-NONE- *T*-1)) (VB go))",
            r"test:1: an empty element, \(-NONE- \*T\*-1\): read this file as ptb-traces",
        ),
        ("(S (NN a b))", r"test:1: a terminal with 2 words: \(NN a b\)"),
        ("(S (NN a) b)", "test:1: a word beside brackets: 'b' under S"),
        ("(S ())", r"test:1: empty bracket \(\)"),
        ("(S (NN a) ((NN b)))", "test:1: a nameless bracket inside a tree"),
        ("(S (NN a)", "test:1: unbalanced brackets"),
    ],
)
def test_bad_brackets_are_named_and_reading_goes_on(text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        list(ptb.read(source(text)))
    errors: list[DataError] = []
    found = list(ptb.read(source(f"{text}\n\n(S (NN last))\n"), errors.append))
    assert [tree.words for tree in found] == [("last",)]
    assert len(errors) == 1


@pytest.mark.parametrize(
    ("damaged", "closing"),
    [
        ("(S", "(S NN x))"),
        ("(S", "(S (NN x)) y)"),
        ("(S", "(S (NN x) y))"),
        ("(S (NN`x )", "(S (NN x))) (S"),
        ("(S\udcff", "(S (NN x)))"),
        ("(S", "(S\udcff (NN x)))"),
    ],
)
def test_lines_that_close_each_others_brackets_are_trees_of_their_own(damaged: str, closing: str) -> None:
    good = [f"(S (NN {word}))" for word in "abc"]
    lines = [damaged, good[0], closing, *good[1:]]
    text = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")
    errors: list[DataError] = []
    found = list(ptb.read(Source("test", io.BufferedReader(io.BytesIO(text))), errors.append))
    assert [tree.words for tree in found if "x" not in tree.words] == [("a",), ("b",), ("c",)]
    assert len(found) + sum(error.skipped or 0 for error in errors) >= len(lines)


def test_plain_brackets_cannot_hold_discontinuous_trees() -> None:
    with pytest.raises(DataError, match=r"sentence s7: .*discontinuous.*discbracket or ptb-traces.*arrangement"):
        written(DISCONTINUOUS.annotated(id="s7"))
    with pytest.raises(DataError, match="sentence 1: "):
        written(DISCONTINUOUS)


def test_the_continuous_arrangement_on_demand() -> None:
    expected = "(S (VP (WRB How) (VB work)) (VBZ does) (PRP it))\n"
    assert written(DISCONTINUOUS, arrange=True) == expected


def test_functions_on_demand() -> None:
    tree = Tree.parse("(S (NP (NN 0=a)) (VB 1=b))").annotated(functions=(None, "HD", None, "SBJ"))
    assert written(tree) == "(S (NP (NN a)) (VB b))\n"
    assert written(tree, functions=True) == "(S (NP-SBJ (NN a)) (VB-HD b))\n"


@pytest.mark.parametrize("word", ["", "a b", "\u00a0"])
@pytest.mark.parametrize("write", [ptb.write, ptb.write_traces])
def test_words_that_brackets_cannot_hold(word: str, write: Callable[..., None]) -> None:
    tree = Tree.from_constituents([word], ["NN"], [("NP", [0])])
    with pytest.raises(DataError, match="sentence 1: brackets cannot hold the word"):
        written(tree, write)


@given(trees(continuous=True, words=words | st.just("(") | st.just("f(x)")))
def test_continuous_trees_come_back(tree: Tree) -> None:
    (found,) = ptb.read(source(written(tree)))
    assert found == tree


@given(trees())
def test_the_arrangement_has_the_same_constituents(tree: Tree) -> None:
    (found,) = ptb.read(source(written(tree, arrange=True)))
    assert found.words == tuple(tree.words[word] for word in tree.order)
    assert (found.labels, found.starts, found.ends) == (tree.labels, tree.starts, tree.ends)
    assert not found.is_discontinuous


@given(trees(continuous=True, words=words.filter(lambda word: "\\" not in word)))
def test_nltk_reads_the_same_tree(tree: Tree) -> None:
    other = nltk.Tree.fromstring(written(tree))
    assert other.pos() == list(zip(tree.words, tree.tags, strict=True))
    assert tuple(node.label() for node in other.subtrees(lambda node: node.height() > 2)) == tree.labels


def read_traces(text: str, **options: Any) -> list[Tree]:
    return list(ptb.read_traces(source(text), **options))


SPEECH = """
( (CODE <TURN>))
( (S (NP-SBJ (PRP I)) (VP (VBP know)) (SU /)))
( (S (NP-SBJ (PRP you)) (VP (VBP go))) (SU /))
(INTJ (UH yes))
"""


def test_terminals_to_be_left_out_and_roots_to_be_added() -> None:
    found = read_traces(SPEECH, without=("CODE", "SU"), root="ROOT")
    assert [tree.discbracket() for tree in found] == [
        "(ROOT (S (NP (PRP 0=I)) (VP (VBP 1=know))))",
        "(ROOT (S (NP (PRP 0=you)) (VP (VBP 1=go))))",
        "(ROOT (INTJ (UH 0=yes)))",
    ]
    found = read_traces(SPEECH, without=("CODE", "SU"))
    assert [tree.root_label for tree in found] == ["S", "S", "INTJ"]


def test_a_nameless_bracket_around_several_trees_is_a_root() -> None:
    text = "( (S (NN a)) (. .))"
    assert read(text) == ["(ROOT (S (NN 0=a)) (. 1=.))"]
    assert [tree.discbracket() for tree in read_traces(text)] == ["(ROOT (S (NN 0=a)) (. 1=.))"]
    assert [tree.discbracket() for tree in read_traces(text, root="TOP")] == ["(TOP (S (NN 0=a)) (. 1=.))"]


def test_labels_are_split_and_tags_are_not() -> None:
    text = "( (S (NP-SBJ-1=2 (PRP$ his) (ADJ-N x)) (VP (-LRB- -LRB-)) (ADVP|PRT-CLR (RP up))))"
    (tree,) = read_traces(text)
    assert tree.labels == ("S", "NP", "VP", "ADVP|PRT")
    assert tree.tags == ("PRP$", "ADJ-N", "-LRB-", "RP")
    assert tree.annotations.functions == (None, None, None, None, None, "SBJ", None, "CLR")
    (tree,) = read_traces(text, functions=False)
    assert tree.labels == ("S", "NP-SBJ", "VP", "ADVP|PRT-CLR")
    assert tree.annotations.functions is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("( (S (NP (-NONE- *T*-1))))", "test:1: no words, only empty elements"),
        ("( (S (NP)))", r"test:1: empty bracket \(NP\)"),
        ("( (S (NP (-NONE- *T*-1) (NN a)) x))", "test:1: a word beside brackets: 'x' under S"),
    ],
)
def test_bad_brackets_with_traces(text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_traces(text)
    errors: list[DataError] = []
    found = list(ptb.read_traces(source(f"{text}\n( (S (NN last)))"), errors.append))
    assert [tree.words for tree in found] == [("last",)]
    assert len(errors) == 1


def test_a_discontinuous_tree_with_traces() -> None:
    expected = "( (S (VP (WRB How) (VB (-NONE- *ICH*-1))) (VBZ does) (PRP it) (VB-1 work)))\n"
    assert written(DISCONTINUOUS, ptb.write_traces) == expected


simple_labels = st.sampled_from(["S", "NP", "VP", "ADVP|PRT", "-LRB-", "X1"])
functions = st.sampled_from([None, "SBJ", "LOC-TPC", "PRD"])


@given(trees(labels=simple_labels), st.data())
def test_any_tree_comes_back_with_its_functions(tree: Tree, data: st.DataObject) -> None:
    chosen = [data.draw(functions) for _ in tree.labels]
    tree = tree.annotated(functions=(*[None] * len(tree), *chosen) if any(chosen) else None)
    (found,) = read_traces(written(tree, ptb.write_traces))
    assert found == tree
    assert found.annotations == tree.annotations


@given(trees())
def test_any_tree_comes_back_with_its_labels_as_they_are(tree: Tree) -> None:
    (found,) = read_traces(written(tree, ptb.write_traces, functions=False), functions=False)
    assert found == tree


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        (
            Tree.parse("(CP-REL (NN 0=a))"),
            "sentence 1: the label 'CP-REL' .* as 'CP' with the function 'REL'",
        ),
        (Tree.parse("(NP-1 (NN 0=a))"), "the label 'NP-1' cannot be written: its number would be read as an index"),
        (Tree.parse("(NP=2 (NN 0=a))"), "the label 'NP=2' cannot be written"),
        (Tree.parse("(NP (NN-1 0=a))"), "the tag 'NN-1' cannot be written"),
        (Tree.parse("(NP (-NONE- 0=a))"), "the tag -NONE- of the word 'a' would be read as an empty element"),
        (Tree.parse("(NP (NN 0=a))").annotated(functions=("HD", None)), "the word 'a' has the function 'HD'"),
        (Tree.parse("(NP (NN 0=a))").annotated(functions=(None, "--")), "the label 'NP' cannot be written"),
    ],
)
def test_what_would_be_read_as_something_else(tree: Tree, message: str) -> None:
    with pytest.raises(DataError, match=message):
        written(tree, ptb.write_traces)
