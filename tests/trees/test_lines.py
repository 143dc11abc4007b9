import pytest
from hypothesis import given
from hypothesis import strategies as st

from permutree.errors import TreeError
from permutree.trees.batch import TreeBatch
from permutree.trees.tree import Tree

LINES = [
    "(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))",
    "(S (NP (NN 0=—é𝄞)))",
    "(S (X 0==) (X 1=-LRB-) (Y 2=a-RRB-b))",
]


def text_of(trees: list[Tree]) -> str:
    return TreeBatch.from_trees(trees).text()


def test_lines_of_many_trees_at_once() -> None:
    assert text_of([Tree.parse(line) for line in LINES]) == "".join(f"{line}\n" for line in LINES)
    assert text_of([]) == ""


def test_a_word_without_constituents_is_a_line_too() -> None:
    tree = Tree.parse("(X 0=a)")
    assert text_of([tree, tree]) == "(X 0=a)\n(X 0=a)\n"


@pytest.mark.parametrize("word", ["a b", "a\nb", "a\tb", "a\rb", "a\x0bb", "\n"])
def test_a_word_that_discbracket_cannot_hold_is_an_error(word: str) -> None:
    tree = Tree.from_spans(["a", word], ["X", "X"], [0, 1], ["S"], [0], [2])
    with pytest.raises(TreeError, match="white space"):
        text_of([tree])


@pytest.mark.parametrize("tag", ["$(", "X(", ")"])
def test_round_brackets_in_tags_become_square(tag: str) -> None:
    tree = Tree.parse("(S (X 0=a))").with_tags([tag])
    assert text_of([tree]) == f"{tree.discbracket()}\n"


@given(st.lists(st.text(st.characters(blacklist_categories=("Zs", "Cc")), min_size=1), min_size=1, max_size=4))
def test_any_words_are_written_as_trees_write_them(words: list[str]) -> None:
    tree = Tree.from_spans(words, ["X"] * len(words), range(len(words)), ["S"], [0], [len(words)])
    try:
        expected = f"{tree.discbracket()}\n"
    except TreeError:
        return
    assert text_of([tree, tree]) == 2 * expected


@given(st.lists(st.integers(1, 80).flatmap(lambda size: st.sampled_from(["a" * size, "é" * size])), min_size=1))
def test_words_of_any_size(words: list[str]) -> None:
    tags = [word[:40].upper() for word in reversed(words)]
    spans = (["S", "NP" * len(words)], [0, 0], [len(words), 1])
    tree = Tree.from_spans(words, tags, range(len(words)), *spans)
    assert text_of([tree, tree]) == 2 * f"{tree.discbracket()}\n"


def test_more_lines_than_are_put_together_at_once() -> None:
    trees = [Tree.parse(LINES[number % len(LINES)]) for number in range(2500)]
    assert text_of(trees) == "".join(f"{tree.discbracket()}\n" for tree in trees)


def test_many_tags_in_a_long_sentence() -> None:
    size = 300
    texts = [f"t{number}" for number in range(size)]
    tree = Tree.from_spans(texts, texts[::-1], range(size), ["S"], [0], [size])
    assert text_of([tree]) == f"{tree.discbracket()}\n"
