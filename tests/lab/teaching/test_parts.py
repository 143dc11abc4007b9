import pytest

from permutree import Tree
from permutree.errors import TreeError
from permutree_lab.teaching.parts import constituent_of, copy, part, part_of, replace, replace_words, tree_of, word

QUESTION = "(SBARQ (SQ (VP (WP 0=Who) (VB 3=see)) (VBD 1=did) (PRP 2=you)) (. 4=?))"


def test_a_tree_comes_back_as_it_was() -> None:
    tree = Tree.parse(QUESTION)
    assert tree_of(part_of(tree)) == tree


def test_a_part_knows_its_words_in_the_order_in_which_they_are_said() -> None:
    root = part_of(Tree.parse(QUESTION))
    assert root.texts == ("Who", "did", "you", "see", "?")
    seeing = root.children[0].children[0]
    assert seeing.texts == ("Who", "see")
    assert constituent_of(seeing, root) == ("VP", (0, 3))


def test_replacing_says_the_new_words_in_the_place_of_the_old() -> None:
    root = part_of(Tree.parse(QUESTION))
    you = root.children[0].children[2]
    new = replace(root, you, part("NP", word("DT", "the"), word("NN", "cat")))
    assert new is not None
    assert tree_of(new).discbracket() == (
        "(SBARQ (SQ (VP (WP 0=Who) (VB 4=see)) (VBD 1=did) (NP (DT 2=the) (NN 3=cat))) (. 5=?))"
    )
    without = replace(root, you, None)
    assert without is not None
    assert without.texts == ("Who", "did", "see", "?")
    with pytest.raises(TreeError, match="has a gap"):
        replace(root, root.children[0].children[0], you)


def test_a_copy_has_words_of_its_own() -> None:
    root = part_of(Tree.parse(QUESTION))
    twin = copy(root)
    assert tree_of(twin) == tree_of(root)
    assert not {*twin.words} & {*root.words}
    loud = copy(root, lambda old: word(old.label, old.text.upper()))
    assert loud.texts == ("WHO", "DID", "YOU", "SEE", "?")
    assert replace_words(root, {root.words[2]: word("PRP", "we")}).texts == ("Who", "did", "we", "see", "?")


def test_a_word_that_is_not_said_is_an_error() -> None:
    one, other = word("X", "a"), word("Y", "b")
    with pytest.raises(TreeError, match="'b' hangs in the tree but is not said"):
        tree_of(part("S", one, other, order=[one]))
