"""Penn-historical brackets."""

import io
import logging
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permutree.errors import DataError
from permutree.formats import psd
from permutree.formats.registry import guess_format
from permutree.formats.sources import Source
from permutree.trees.builder import Node, TreeBuilder
from permutree.trees.tree import Tree
from strategies import trees, words


def read(text: str, **options: Any) -> list[Tree]:
    return list(psd.read(Source.of_text(text, "test"), **options))


def discbracket(text: str, **options: Any) -> str:
    (tree,) = read(text, **options)
    return tree.discbracket()


def written(tree: Tree, **options: Any) -> str:
    stream = io.StringIO()
    psd.write([tree], stream, **options)
    return stream.getvalue()


HOMILY = """
( (IP-MAT (NP-1 (N-N Fögnuður-fögnuður))
      (RDPI verður-verða)
      (NP-SBJ (NP-POS (D-G þessa-þessi) (N-G heims-heimur))
          (D-N sá-sá)
          (ADJS-N hæstur-hár)
          (NP *ICH*-1))
      (CP-ADV-SPE (C er-er)
          (IP-SUB (NP-SBJ *con*) (VBPI fagnar-fagna)))
      (. .-.)) (ID 1150.HOMILIUBOK.REL-SER,.1))
"""


def test_a_sentence() -> None:
    (tree,) = read(HOMILY)
    assert tree.discbracket() == (
        "(IP-MAT (NP (NP (N-N 0=Fögnuður)) (NP (D-G 2=þessa) (N-G 3=heims)) (D-N 4=sá) (ADJS-N 5=hæstur)) "
        "(RDPI 1=verður) (CP-ADV (C 6=er) (IP-SUB (VBPI 7=fagnar))) (. 8=.))"
    )
    assert tree.id == "1150.HOMILIUBOK.REL-SER,.1"


def test_lemmas_functions_and_id_are_annotations() -> None:
    (tree,) = read(HOMILY)
    annotations = tree.annotations
    assert annotations.lemmas == ("fögnuður", "verða", "þessi", "heimur", "sá", "hár", "er", "fagna", ".")
    assert annotations.functions is not None
    assert annotations.functions[: len(tree)] == (None,) * 9
    by_label = list(zip(tree.labels, annotations.functions[len(tree) :], strict=True))
    assert by_label == [
        ("IP-MAT", None),
        ("NP", "SBJ"),
        ("NP", None),
        ("NP", "POS"),
        ("CP-ADV", "SPE"),
        ("IP-SUB", None),
    ]
    (plain,) = read(HOMILY, functions=False)
    assert plain.labels == ("IP-MAT", "NP-SBJ", "NP", "NP-POS", "CP-ADV-SPE", "IP-SUB")
    assert plain.annotations.functions is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "( (CP-QUE (WNP-1 (WPRO hvat)) (C 0) (IP-SUB (NP-SBJ (PRO þú)) (VBP sér) (NP-OB1 *T*-1))) (ID x))",
            "(CP-QUE (IP-SUB (WNP (WPRO 0=hvat)) (NP (PRO 1=þú)) (VBP 2=sér)))",
            id="a wh-phrase",
        ),
        pytest.param(
            "( (NP (D sá) (CP-REL (WNP-1 0) (C er) (IP-SUB (NP-SBJ *T*-1) (VBP fer)))))",
            "(NP (D 0=sá) (CP-REL (C 1=er) (IP-SUB (VBP 2=fer))))",
            id="a null operator",
        ),
        pytest.param(
            "( (NP (D sá) (CP-REL *ICH*-1)) (VBP fer) (CP-REL-1 (WNP-1 0) (C er) (IP-SUB (NP *T*-1) (VBP má))))",
            "(ROOT (NP (D 0=sá) (CP-REL (C 2=er) (IP-SUB (VBP 3=má)))) (VBP 1=fer))",
            id="one index for a clause and the null operator in it",
        ),
        pytest.param(
            "( (IP-MAT (NP (Q e) (CP-DEG *ICH*-1)) (V a) (CP-DEG-1 (C b) (ADV-1 c) (V d) (NP (ADV *ICH*-1) (N g)))))",
            "(IP-MAT (NP (Q 0=e) (CP-DEG (C 2=b) (NP (ADV 3=c) (N 5=g)) (V 4=d))) (V 1=a))",
            id="one index for two constituents",
        ),
        pytest.param(
            "( (IP-MAT (NP-SBJ *con*-D) (VBP *) (NP *-1) (X *XXX*-laga) (PP (P 0) (NP (N x) (NP *exp*))) (ADV *-*)))",
            "(IP-MAT (PP (NP (N 0=x))) (ADV 1=*-*))",
            id="empty elements of all kinds, and a star that is a word",
        ),
        pytest.param(
            "( (IP-MAT=1 (NP-RSP-2-1 (N a)) (CONJ-3 b) (IP-SUB=XXX (V c)) (IP-INF-SPE=1-2 (V d))))",
            "(IP-MAT (NP (N 0=a)) (CONJ 1=b) (IP-SUB (V 2=c)) (IP-INF (V 3=d)))",
            id="indexes of all kinds",
        ),
        pytest.param(
            "( (IP-MAT (NP-1 (CODE x)) (NP-SBJ (N a) (CP *ICH*-1)) (VBP b)) (ID x,1))",
            "(IP-MAT (NP (N 0=a)) (VBP 1=b))",
            id="an antecedent that holds only a comment",
        ),
        pytest.param(
            "( (IP-MAT (NP-SBJ *2s*) (PP (NP *を*)) (NP *speaker+hearer*) (V *) (N a) (X *_*) (X **) (X ***)))",
            "(IP-MAT (N 0=a) (X 1=*_*) (X 2=**) (X 3=***))",
            id="empty elements with signs and letters of all kinds",
        ),
        pytest.param("( (. ?))", "(. 0=?)", id="a lone word"),
        pytest.param("( (IP-MAT (V a)) (. .) (ID x))", "(ROOT (IP-MAT (V 0=a)) (. 1=.))", id="two trees"),
        pytest.param("(IP-MAT (V a))", "(IP-MAT (V 0=a))", id="no nameless bracket"),
        pytest.param(
            "( (METADATA (AUTHOR N.N.)) (CODE <P_1>) (IP-MAT (CODE (N ekki)) (V a) (NP (CODE x))) (ID y))",
            "(IP-MAT (V 0=a))",
            id="metadata and comments",
        ),
        pytest.param("( (NP (-LRB- -LRB-) (N a-RRB-)))", "(NP (-LRB- 0=-LRB-) (N 1=a-RRB-))", id="parentheses"),
    ],
)
def test_trees(text: str, expected: str) -> None:
    assert discbracket(text, lemmas="no") == expected


def test_only_the_kinds_of_traces_asked_for() -> None:
    text = "( (IP (NP-1 (N a)) (V b) (PP (P c) (NP *ICH*-1))))"
    assert discbracket(text) == "(IP (PP (NP (N 0=a)) (P 2=c)) (V 1=b))"
    assert discbracket(text, traces=("T",)) == "(IP (NP (N 0=a)) (V 1=b) (PP (P 2=c)))"


def test_a_part_takes_over_the_function_of_its_trace() -> None:
    (tree,) = read("( (CP-QUE (WNP-1 (WPRO hvat)) (IP-SUB (NP-OB1 *T*-1) (VBP sér))))")
    assert tree.labels == ("CP-QUE", "IP-SUB", "WNP")
    assert tree.annotations.functions == (None, None, None, None, "OB1")


def test_a_half_that_was_joined_is_no_antecedent() -> None:
    text = "( (IP (NP (N hest$) (D-1 $inn)) (V b) (NP (D *ICH*-1) (N c))))"
    assert discbracket(text, join=True) == "(IP (NP (N 0=hestinn)) (V 1=b) (NP (N 2=c)))"


def test_comments_are_kept() -> None:
    (tree,) = read("( (CODE <P_1>) (IP-MAT (CODE {COM:unsure of -LRB-x-RRB-}) (V a)) (ID y))")
    assert tree.annotations.comment == "<P_1> {COM:unsure of (x)}"
    (back,) = read(written(tree))
    assert back.annotations == tree.annotations


CORPUS_SEARCH = """/*
PREFACE:  (a query) (IP-MAT* iDoms NP*)
*/

/~*
a b
(x,1)
*~/
/* 1 IP-MAT: 1 IP-MAT, 2 N */
( (IP-MAT (N a)
   (V b)) (ID x,1)) /* one hit */

( (IP-MAT (N /*c*/)) (ID x,2))
/* FOOTER
*/
"""


def test_comments_between_trees_are_skipped() -> None:
    trees = read(CORPUS_SEARCH)
    assert [tree.discbracket() for tree in trees] == ["(IP-MAT (N 0=a) (V 1=b))", "(IP-MAT (N 0=/*c*/))"]
    found = guess_format("x.out", CORPUS_SEARCH.encode())
    assert found is psd.FORMAT


def test_a_comment_that_does_not_end_is_an_error() -> None:
    with pytest.raises(DataError, match=r"test:2: a comment /\* that does not end"):
        read("( (N a))\n/* (x\n( (N b))\n")


LEMMATISED = "( (IP (N orð-orð) (V er-vera) (, -) (N <dash/>) (. ---)))"
PLAIN = "( (IP (ADJ well-known) (N words) (V are) (. .)))"


PUNCTUATION = "( (IP (N well-known) (N words) (V are) (, ,-,) (N x) (, --) (. .-.)))"


def test_punctuation_alone_may_have_lemmas() -> None:
    (tree,) = read(PUNCTUATION)
    assert tree.words == ("well-known", "words", "are", ",", "x", "-", ".")
    assert tree.annotations.lemmas == (None, None, None, ",", None, None, ".")
    assert read(written(tree)) == [tree]
    assert read(PUNCTUATION, lemmas="punctuation") == [tree]
    (plain,) = read(PUNCTUATION, lemmas="no")
    assert plain.words[3:] == (",-,", "x", "--", ".-.")
    with pytest.raises(DataError, match="the first tree had them for punctuation only"):
        psd.write([tree, *read(LEMMATISED)], io.StringIO())
    (dashes,) = read("( (IP (N words) (, --) (, ---)))")
    assert dashes.words == ("words", "--", "---")


def test_lemmas_are_told_by_the_words() -> None:
    (tree,) = read(LEMMATISED)
    assert tree.words == ("orð", "er", "-", "<dash/>", "--")
    assert tree.annotations.lemmas == ("orð", "vera", None, None, None)
    (tree,) = read(PLAIN)
    assert tree.words == ("well-known", "words", "are", ".")
    assert tree.annotations.lemmas is None


def test_lemmas_as_the_user_says() -> None:
    (tree,) = read(LEMMATISED, lemmas="no")
    assert tree.words == ("orð-orð", "er-vera", "-", "<dash/>", "---")
    (tree,) = read(PLAIN, lemmas="yes")
    assert tree.words == ("well", "words", "are", ".")
    assert tree.annotations.lemmas == ("known", None, None, None)


def test_the_first_brackets_of_a_file_decide_about_lemmas() -> None:
    found = read("( (. ?))\n" + "( (NP (N orð-orð) (N a-b)))\n" * 200 + "( (N mid-way))")
    assert found[-1].words == ("mid",)
    assert found[0].words == ("?",)


@pytest.mark.parametrize(
    ("words", "warned"),
    [
        ("a b c d-e", []),
        ("a b c-d", ["test: 1 of 3 words have a hyphen inside; read as with --lemmas no: say which is right"]),
        ("a x-ray", ["test: 1 of 2 words have a hyphen inside; read as with --lemmas yes: say which is right"]),
        ("a b-b c-c d-d", []),
    ],
)
def test_a_guess_at_lemmas_that_may_be_wrong_is_told(
    words: str, warned: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    text = "( (NP " + " ".join(f"(N {word})" for word in words.split()) + "))"
    with caplog.at_level(logging.WARNING):
        read(text)
        read(text, lemmas="yes")
    assert caplog.messages == warned


def test_halves_of_words_are_joined() -> None:
    text = "( (IP (NP (N hest$-hestur) (D $inn-hinn)) (V skal$-skulu) (NP (PRO $tu-þú)) (RP a$-á) (V $b$-b) (N $c-c)))"
    (tree,) = read(text, join=True)
    assert tree.discbracket() == "(IP (NP (N 0=hestinn)) (V 1=skal) (NP (PRO 2=tu)) (RP 3=abc))"
    assert tree.annotations.lemmas == ("hestur+hinn", "skulu", "þú", "á+b+c")
    (tree,) = read(text)
    assert tree.words == ("hest$", "$inn", "skal$", "$tu", "a$", "$b$", "$c")


def test_brackets_without_words_are_no_sentences_and_are_reported(caplog: pytest.LogCaptureFixture) -> None:
    text = "( (CODE <heading>))\n( (CODE (NP (N a))) (ID x))\n( (NP *con*))\n( (IP (V a)))\n( (CODE))"
    with caplog.at_level(logging.WARNING):
        assert [tree.words for tree in read(text)] == [("a",)]
    assert caplog.messages == [
        "test: brackets without words (comments, empty elements) left out: 4, the first in line 1"
    ]


@pytest.mark.parametrize("text", ["( )", "()", "( ))", "(\n))", "())\n  (NP (N a)))", "(NP)", "( (NP 0)))"])
def test_damaged_brackets_with_no_words_left_are_sentences_that_were_lost(text: str) -> None:
    errors: list[DataError] = []
    found = read(f"( (IP (N a)))\n\n{text}\n\n( (IP (N b)))\n", on_error=errors.append)
    assert [tree.words for tree in found] == [("a",), ("b",)]
    assert sum(error.skipped or 0 for error in errors) == 1


def test_trees_at_the_margin_hold_comments_of_several_words() -> None:
    text = "(IP\n(CODE a comment)\n(NP (N a))\n(NP (N b)))\n(IP\n(NP (N c)))\n"
    assert [tree.words for tree in read(text, lemmas="no")] == [("a", "b"), ("c",)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("( (IP (N a b)) (ID t,1))", r"test:1 \(sentence t,1\): the word 'a' does not stand alone.* under N"),
        ("( (IP (N a) b) (ID t,1))", r"test:1 \(sentence t,1\): the word 'b' does not stand alone.* under IP"),
        ("( (IP (NP)) (ID t,1))", r"test:1 \(sentence t,1\): empty bracket \(NP\)"),
        ("( (IP ((N a))) (ID t,1))", r"test:1 \(sentence t,1\): a nameless bracket inside the sentence"),
        ("( (IP (N a) (ID t,1))", "test:1: unbalanced brackets: 1 not closed"),
        ("( (IP (N a)) (ID t,1)))", "test:1: unbalanced brackets: a \\) closes nothing"),
    ],
)
def test_bad_sentences_are_named_and_reading_goes_on(text: str, message: str) -> None:
    errors: list[DataError] = []
    found = read(f"{text}\n\n( (IP (N last)))\n", on_error=errors.append, lemmas="no")
    assert found[-1].words == ("last",)
    assert len(errors) == 1
    with pytest.raises(DataError, match=message):
        read(text, lemmas="no")


def test_how_trees_are_written() -> None:
    (tree,) = read(HOMILY)
    assert written(tree) == (
        "( (IP-MAT (NP-1 (N-N Fögnuður-fögnuður)) (RDPI verður-verða) (NP-SBJ (NP-POS (D-G þessa-þessi) "
        "(N-G heims-heimur)) (D-N sá-sá) (ADJS-N hæstur-hár) (NP *ICH*-1)) (CP-ADV-SPE (C er-er) "
        "(IP-SUB (VBPI fagnar-fagna))) (. .-.)) (ID 1150.HOMILIUBOK.REL-SER,.1))\n\n"
    )
    assert written(tree, functions=False, lemmas="no").startswith("( (IP-MAT (NP-1 (N-N Fögnuður)) (RDPI verður) (NP (")


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        (Tree.from_constituents(["a b"], ["N"], [("NP", [0])]), "cannot hold the word 'a b'"),
        (Tree.from_constituents([""], ["N"], [("NP", [0])]), "cannot hold the word ''"),
        (Tree.parse("(NP (N 0=0))"), "cannot hold the word '0': it would be read as something else"),
        (Tree.parse("(NP (N 0=*pro*-1))"), r"cannot hold the word '\*pro\*-1'"),
        (Tree.parse("(NP-3 (N 0=a))"), "label 'NP-3' cannot be written: a part of it would be read as an index"),
        (Tree.parse("(NP=X (N 0=a))"), "label 'NP=X' cannot be written"),
        (Tree.parse("(NP (N-3 0=a))"), "tag 'N-3' cannot be written"),
        (Tree.parse("(NP-SBJ (N 0=a))"), "'NP-SBJ' cannot be written beside functions: .* leave functions out"),
        (Tree.parse("(CODE (N 0=a))"), "cannot hold the label or tag 'CODE'"),
        (Tree.parse("(NP (ID 0=a))"), "cannot hold the label or tag 'ID'"),
        (Tree.from_constituents("a", ["N"], [("N P", [0])]), "cannot hold the label or tag 'N P'"),
        (Tree.parse("(NP (N 0=a))").annotated(lemmas=("x-y",)), "the word 'a' with the lemma 'x-y'"),
        (Tree.parse("(NP (N 0=a))").annotated(functions=("HD", None)), "the word 'a' has the function 'HD'"),
    ],
)
def test_what_cannot_be_written_is_named(tree: Tree, message: str) -> None:
    with pytest.raises(DataError, match=f"sentence s7: .*{message}"):
        written(tree.annotated(id="s7"))


@pytest.mark.parametrize("id_", ["a\tb", " a", "f(x)"])
def test_ids_that_cannot_be_written(id_: str) -> None:
    with pytest.raises(DataError, match="its id cannot be written"):
        written(Tree.parse("(NP (N 0=a))").annotated(id=id_))


def test_lemmas_that_turn_up_late_are_not_dropped() -> None:
    bare = Tree.parse("(NP (N 0=a))")
    with pytest.raises(DataError, match="sentence 2: has lemmas, but the first tree had none"):
        psd.write([bare, bare.annotated(lemmas=("b",))], io.StringIO())
    stream = io.StringIO()
    psd.write([bare, bare.annotated(lemmas=("b",))], stream, lemmas="yes")
    assert stream.getvalue() == "( (NP (N a)))\n\n( (NP (N a-b)))\n\n"


plain_labels = st.sampled_from(["S", "VP", "NP", "ROOT", "CP-REL", "IP-MAT", "smain", "X1"])
signs = st.sampled_from(["(", ")", "f(x)", "-", "--", "a-", "-a", "0", "*", "*T*-1", "*con*"])


@given(trees(words=words | signs))
def test_trees_come_back(tree: Tree) -> None:
    (found,) = read(written(tree, functions=False, lemmas="yes"), functions=False, lemmas="yes")
    assert found == tree
    assert found.annotations == tree.annotations


@given(st.data())
def test_annotated_trees_come_back(data: st.DataObject) -> None:
    tree = data.draw(trees(words=words | signs, labels=plain_labels))
    lemmas = st.none() | words.filter(lambda word: "-" not in word)
    functions = st.none() | st.sampled_from(["SBJ", "OB1", "SPE-PRN"])
    tree = tree.annotated(
        id=data.draw(st.none() | st.just("1150.A,.1")),
        comment=data.draw(st.none() | st.just("{COM:x} (y)")),
        lemmas=tuple(data.draw(st.lists(lemmas, min_size=len(tree), max_size=len(tree)))),
        functions=(None,) * len(tree)
        + tuple(data.draw(st.lists(functions, min_size=len(tree.labels), max_size=len(tree.labels)))),
    )
    try:
        text = written(tree, lemmas="yes")
    except DataError as error:
        assert "cannot hold the word" in error.message  # noqa: PT017 - an empty element with a lemma for its case
        return
    (found,) = read(text, lemmas="yes")
    assert found == tree
    expected = Tree.of(TreeBuilder.from_tree(tree)).annotations  # without tuples of nothing but None
    assert found.annotations == expected


@given(trees(words=words.filter(lambda word: not word.startswith(("*", "0"))), labels=plain_labels))
def test_trees_without_lemmas_come_back(tree: Tree) -> None:
    (found,) = read(written(tree))
    assert found == tree
    assert found.annotations == tree.annotations


def test_deep_trees() -> None:
    node = Node("NP", list(TreeBuilder.from_tree(Tree.parse("(X (N 0=a) (N 1=b))")).leaves))
    leaves = list(node.leaves())
    for _ in range(3000):
        node = Node("NP", [node])
    tree = Tree.of(TreeBuilder(node, leaves))
    (found,) = read(written(tree))
    assert found == tree


@pytest.mark.parametrize("words", [["x-ray"], ["x-ray", "tube"], ["a-b", "c-d", "e"], ["the", "x-ray", "-", "--"]])
def test_words_with_hyphens_come_back_as_they_were(words: list[str]) -> None:
    tree = Tree.from_constituents(words, ["N"] * len(words), [("NP", range(len(words)))])
    assert [found.words for found in read(written(tree))] == [tuple(words)]
    some = tree.annotated(lemmas=("x", *[None] * (len(words) - 1)))
    (found,) = read(written(some))
    assert (found.words, found.annotations.lemmas) == (tree.words, some.annotations.lemmas)
