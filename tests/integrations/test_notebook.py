from typing import Any
from xml.etree import ElementTree

import IPython
import pytest
import spacy

import permutree
from permutree import Corpus, Tree, TreeBatch, TreeError, Trees, decode, encode, evaluate, read
from permutree.encoding import Codec
from permutree.integrations.notebook import OPEN, SHOWN, display, display_differences, to_html
from tiny_models import TREES

TREE = Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))")


def test_everything_that_is_a_list_of_trees() -> None:
    trees = list(read(TREES))
    html = to_html(trees)
    assert html == to_html(iter(trees)) == to_html(TreeBatch.from_trees(trees))
    found = ElementTree.fromstring(html)
    assert len(found.findall("details")) == len(trees)
    assert len([one for one in found.iter("details") if "open" in one.attrib]) == OPEN
    nlp = spacy.blank("en")
    nlp.add_pipe("permutree")
    assert "discontinuous" in to_html(nlp("What do you want to eat?"))


def test_hostile_words_and_ids() -> None:
    tree = Tree.from_constituents(["<script>"], ["&"], [("<b>", [0])]).annotated(id='"><img src=x>')
    html = to_html(tree)
    assert "<script>" not in html
    assert "<img" not in html
    assert "<b>" not in html


def test_what_is_no_tree() -> None:
    for wrong in (3, "text", [TREE, None]):
        with pytest.raises(TreeError, match="can be shown, not"):
            display(wrong)


def test_differences() -> None:
    other = Tree.parse("(S (WRB 0=How) (VBZ 1=does) (PRP 2=it) (VB 3=work))")
    html = display_differences([TREE, TREE], [TREE, other])
    assert html is not None
    assert "1 of 2 sentences differ" in html
    assert html.count("<figure") == 1


def test_repairs() -> None:
    labels = [[*label[:3], "99"] for label in encode(TREE, "absolute")]
    found = decode(TREE.words, TREE.tags, labels, "absolute")
    html = to_html(found)
    assert html.count("<tr>") - 1 == len(found.repairs) > 0
    assert "permutation-range" in html
    assert html.count("<details") == 1


def test_a_notebook_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Any] = []
    monkeypatch.setattr("IPython.display.display", shown.append)
    assert display(TREE, jupyter=True) is None
    assert shown[0].data == to_html(TREE)
    monkeypatch.setattr(IPython, "get_ipython", lambda: type("ZMQInteractiveShell", (), {})())
    assert permutree.display([TREE]) is None
    monkeypatch.setattr(IPython, "get_ipython", lambda: type("TerminalInteractiveShell", (), {})())
    assert permutree.display([TREE]) == to_html(TREE)


def test_what_shows_itself() -> None:
    labels = [[*label[:3], "99"] for label in encode(TREE, "absolute")]
    decoded = decode(TREE.words, TREE.tags, labels, "absolute")
    assert decoded._repr_html_() == to_html(decoded)
    codec = Codec("absolute")
    _, repairs = codec.decode(codec.numbers([labels]), [TREE.words], [TREE.tags])
    assert repairs._repr_html_() == to_html(repairs)
    evaluation = evaluate([TREE], [decoded.tree])
    found = ElementTree.fromstring(to_html(evaluation))
    cells = [cell.text for cell in found.iter("td")]
    assert f"{evaluation.f1:.2f}" in cells
    assert evaluation.summary()._repr_html_() in to_html(evaluation)
    (match,) = Corpus.of([TREE]).search('#n:[cat="VP"]')
    assert 'class="gap found"' in match._repr_svg_()


def test_many_repairs() -> None:
    labels = [[*label[:3], "99"] for label in encode(TREE, "absolute")]
    codec = Codec("absolute")
    sentences = [TREE.words] * SHOWN
    _, repairs = codec.decode(codec.numbers([labels] * SHOWN), sentences, [TREE.tags] * SHOWN)
    assert len(repairs) > SHOWN
    html = repairs._repr_html_()
    assert html.count("<tr>") == SHOWN + 1
    assert f"{len(repairs) - SHOWN} more" in html


def test_labels_are_explained() -> None:
    assert "<title>VP: verb phrase" in to_html(TREE, language="en")
    assert "<title>VP:" not in to_html(TREE)
    assert "<title>VP: verb phrase" in to_html(Trees([TREE], language="en"))
    nlp = spacy.blank("en")
    nlp.add_pipe("permutree")
    assert "<title>VP: verb phrase" in to_html(nlp("What do you want to eat?"))
