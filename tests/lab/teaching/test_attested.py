from pathlib import Path

import pytest

from permutree import Tree, read
from permutree_lab.teaching.attested import compare, edges, rules
from permutree_lab.teaching.making import generate
from permutree_lab.teaching.registry import find_language

#: language → the file whose scheme its lessons follow, the least share of rules that it must have, and the
#: edges that it does not have but may be written: a parenthetical on top is the convention of newspaper text
SCHEMES = {
    "en": ("masc/train", 0.97, {("ROOT", "PRN"), ("ROOT+", "PRN")}),
    "de": ("squoia_de/train", 0.96, {("VP+", "VVIZU")}),
    "nl": ("alpino/train", 0.97, set[tuple[str, str]]()),
    "is": ("icepahc/dev", 0.97, set[tuple[str, str]]()),
}
QUESTION = Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it) (. 4=?))")


def test_rules_leave_punctuation_out() -> None:
    assert list(rules(QUESTION)) == [("S", ("VP", "VBZ", "PRP")), ("VP", ("WRB", "VB"))]


def test_an_only_child_is_an_edge_of_its_own() -> None:
    assert list(edges(("NP", ("NN",)))) == [("NP+", "NN"), ("NP", "NN")]


def test_the_order_of_children_does_not_count() -> None:
    other = Tree.parse("(S (VBZ 0=does) (PRP 1=it) (VP (VB 2=work) (WRB 3=how)))")
    found = compare([QUESTION], [other])
    assert (found.rules, found.share) == (2, 1.0)


def test_what_is_new_is_counted() -> None:
    found = compare([QUESTION, QUESTION], [Tree.parse("(S (VP (VB 0=Go)))")])
    assert found.share == 0.0
    assert found.new_rules[("VP", ("VB", "WRB"))] == 2
    assert found.new_edges[("S", "PRP")] == 2
    assert ("S", "VP") not in found.new_edges


@pytest.mark.parametrize("code", SCHEMES)
def test_lessons_follow_the_scheme_of_the_treebank(code: str, shared: Path) -> None:
    treebank, least, allowed = SCHEMES[code]
    made = [tree for _, tree in generate(find_language(code), 400, seed=1)]
    found = compare(made, read(shared / "treebanks" / f"{treebank}.discbracket.xz"))
    assert set(found.new_edges) <= allowed
    assert found.share > least
