import inspect
import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin

from permutree import ConfigError, Parser, Tree, TreeError, read
from permutree.integrations.spacy import make_component
from permutree.integrations.spacy_attributes import KEY

TEXT = "The time for action is now. What do you  want to eat?\n\n A man (he) came in."


@pytest.fixture(scope="module")
def nlp() -> Language:
    made = spacy.blank("en")
    made.add_pipe("permutree", config={"model": "en"})
    return made


@pytest.fixture(scope="module")
def doc(nlp: Language) -> Doc:
    return nlp(TEXT)


def test_the_example_of_benepar(nlp: Language) -> None:
    doc = nlp("The time for action is now. It is never too late to do something.")
    first = next(iter(doc.sents))
    assert first._.parse_string == (
        "(ROOT (S (NP (NP (DT The) (NN time)) (PP (IN for) (NP (NN action)))) (VP (VBZ is) (ADVP (RB now))) (. .)))"
    )
    assert first._.labels == ("ROOT", "S")
    assert next(iter(first._.children)).text == "The time for action"
    assert [span.text for span in first._.constituents][:4] == [first.text, "The time for action", "The time", "The"]
    assert doc[0:2]._.labels == ("NP",)
    assert doc[0:2]._.parent.text == "The time for action"
    assert doc[0]._.labels == ()
    assert doc[3]._.labels == ("NP",)
    assert doc[3]._.parse_string == "(NP (NN action))"


def test_trees_are_those_of_the_parser(doc: Doc) -> None:
    expected = list(Parser.load("en").parse(TEXT))
    assert doc._.trees == [tree if "(" not in tree.words else Tree.parse(tree.discbracket()) for tree in expected]
    assert [sentence.text.split() for sentence in doc.sents] == [
        ["The", "time", "for", "action", "is", "now."],
        ["What", "do", "you", "want", "to", "eat?"],
        ["A", "man", "(he)", "came", "in."],
    ]


def test_what_a_span_cannot_say(doc: Doc) -> None:
    sentence = list(doc.sents)[1]
    lowest = next(
        span for span in sentence._.constituents if span._.discbracket.startswith("(VP (WHNP (WP 0=What)) (VB")
    )
    assert lowest.text == "What do you  want to eat"
    assert [block.text for block in lowest._.blocks] == ["What", "eat"]
    assert lowest._.is_discontinuous
    assert lowest._.gap_degree == 1
    assert lowest._.labels == ("VP",)
    assert lowest._.tree == Tree.parse("(VP (WHNP (WP 0=What)) (VB 1=eat))")
    assert 0.5 < lowest._.confidence <= 1
    assert not sentence._.is_discontinuous
    assert lowest._.parent._.labels == ("S", "VP")
    assert {span.text for span in lowest._.children} == {"What", "eat"}
    assert "VP*1" in sentence._.parse_string


def test_every_constituent_is_reached(doc: Doc) -> None:
    for sentence, tree in zip(doc.sents, doc._.trees, strict=True):
        labels = [label for span in sentence._.constituents for label in span._.labels]
        assert labels == list(tree.labels)
        for span in sentence._.constituents:
            for child in span._.children:
                assert (child._.parent.start, child._.parent.end) == (span.start, span.end)
                assert child._.parent._.blocks == span._.blocks


def same(one: Doc, other: Doc) -> bool:
    return one.text == other.text and one._.trees == other._.trees


def test_trees_survive(nlp: Language, doc: Doc, tmp_path: Path) -> None:
    assert same(doc, Doc(nlp.vocab).from_bytes(doc.to_bytes()))
    assert same(doc, pickle.loads(pickle.dumps(doc)))
    DocBin(docs=[doc, doc], store_user_data=True).to_disk(tmp_path / "docs.spacy")
    for found in DocBin().from_disk(tmp_path / "docs.spacy").get_docs(spacy.blank("en").vocab):
        assert same(doc, found)
    nlp.to_disk(tmp_path / "pipeline")
    assert same(doc, spacy.load(tmp_path / "pipeline")(TEXT))


def test_docs_that_are_joined_and_cut(nlp: Language, doc: Doc) -> None:
    other = nlp("  How does it work?")
    joined = Doc.from_docs([other, doc, other])
    assert joined is not None
    assert joined._.trees == [*other._.trees, *doc._.trees, *other._.trees]
    for sentence, tree in zip(doc.sents, doc._.trees, strict=True):
        cut = sentence.as_doc(copy_user_data=True)
        assert cut._.trees == [tree]
        assert next(cut.sents)._.discbracket == tree.discbracket()
    half = doc[: next(doc.sents).end - 1].as_doc(copy_user_data=True)
    with pytest.raises(TreeError, match="was not parsed"):
        print(half._.trees)


def test_a_doc_that_changed(nlp: Language) -> None:
    doc = nlp("The man came in. Why?")
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[0:2])
    with pytest.raises(TreeError, match="parse it again"):
        print(doc._.trees)
    again = nlp(doc)
    assert [tree.words for tree in again._.trees] == [("The man", "came", "in", "."), ("Why", "?")]


def test_many_and_several_processes(nlp: Language) -> None:
    texts = [TEXT, "", "  \n ", "How does it work?", *(f"She saw {number} dogs." for number in range(20))]
    alone = [nlp(text) for text in texts]
    for processes in (1, 2):
        found = list(nlp.pipe(texts, batch_size=5, n_process=processes))
        assert len(found) == len(texts)
        assert all(map(same, alone, found))


def test_sentences_set_before_are_read_alike(nlp: Language) -> None:
    text = '\t "Mr. Smith can\u2019t – or won\u2019t – come."\n\n  Why?\n- One.\n- Two (no. 3) etc. The end.'
    found = nlp(text)
    marks = [int(token.is_sent_start or -1) for token in found]
    assert marks.count(1) > 4
    doc = Doc(nlp.vocab, [token.text for token in found], [bool(token.whitespace_) for token in found])
    for token, mark in zip(doc, marks, strict=True):
        token.is_sent_start = mark == 1
    assert nlp(doc).user_data == found.user_data
    assert [sentence.text for sentence in doc.sents] == [sentence.text for sentence in found.sents]


def test_tokens_of_the_doc_and_sentences_of_others() -> None:
    nlp = spacy.blank("nl")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("permutree", config={"set_tags": True})
    words = ["Een", "auto", "-", "ongeluk", "gebeurde", ".", "Kom", "!"]
    doc = nlp(Doc(nlp.vocab, words, [True, False, False, True, False, True, False, False]))
    first, second = doc._.trees
    assert first.words == tuple(token.text for token in doc[:6])
    assert doc[0:4]._.labels == ("np",)
    assert [token.tag_ for token in doc[1:4]] == ["n"] * 3
    assert second.words == ("Kom", "!")


@pytest.mark.parametrize("language", ["de", "is"])
def test_other_languages(language: str) -> None:
    nlp = spacy.blank(language)
    nlp.add_pipe("permutree")
    text = {"de": "Den Hund hat er gesehen. Was?", "is": "Hvað sagði hann? Ekkert."}[language]
    assert list(nlp(text)._.trees) == list(Parser.load(language).parse(text))


def test_arguments_have_types_that_any_spacy_can_check() -> None:
    types = [parameter.annotation for parameter in inspect.signature(make_component).parameters.values()]
    assert types == [Language, str, str | None, bool, int]


def test_what_cannot_be() -> None:
    with pytest.raises(Exception, match=r"no model for|no language"):
        spacy.blank("fr").add_pipe("permutree")
    nlp = spacy.blank("en")
    with pytest.raises(ConfigError, match="nosuch"):
        nlp.add_pipe("permutree", config={"model": "nosuch"})
    nlp.add_pipe("permutree")
    with pytest.raises(TreeError, match="was not parsed"):
        print(nlp.make_doc("Hello.")._.trees)
    doc = nlp("The man came in.")
    with pytest.raises(TreeError, match="'man came' is no constituent"):
        print(doc[1:3]._.labels)
    assert [key[1] for key in doc.user_data] == [KEY]


def real(shared: Path) -> Iterator[str]:
    for tree in read(shared / "treebanks" / "masc" / "dev.discbracket.xz"):
        yield " ".join(tree.words)


def test_real_text(nlp: Language, shared: Path) -> None:
    """Any tokenisation gives trees over the tokens of the Doc."""
    docs = nlp.pipe(text for _, text in zip(range(100), real(shared), strict=False))
    for doc in docs:
        words = [word for tree in doc._.trees for word in tree.words]
        assert words == [token.text for token in doc if not token.is_space]


def test_other_sentence_boundaries_afterwards(nlp: Language) -> None:
    doc = nlp("How does it work? It works.")
    tree = doc._.trees[1]
    for token in doc:
        token.is_sent_start = token.i == 0
    assert doc[5:8]._.tree == tree
