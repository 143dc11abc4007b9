import lzma
from pathlib import Path

import nltk
import pytest
from hypothesis import given

from permutree import ConfigError, Tree, TreeError, read, write
from permutree.integrations.nltk import WAYS, TreebankReader, from_nltk, to_nltk
from strategies import labels, trees
from tiny_models import TREES

TREE = Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))")


def test_the_ways_to_write_a_gap() -> None:
    shown = {way: " ".join(str(to_nltk(TREE, way)).split()) for way in WAYS[1:]}
    assert shown == {
        "split": "(S (VP*1 (WRB How)) (VBZ does) (PRP it) (VP*1 (VB work)))",
        "traces": "(S (VP (WRB How) (VB (-NONE- *ICH*-1))) (VBZ does) (PRP it) (VB-1 work))",
        "indices": "(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))",
    }
    with pytest.raises(TreeError, match="discontinuous='split', 'traces' or 'indices'"):
        to_nltk(TREE)
    with pytest.raises(ConfigError, match=r"no way 'gaps'.*raise, split, traces, indices"):
        to_nltk(TREE, "gaps")  # type: ignore[arg-type]


@pytest.mark.parametrize("way", ["split", "indices"])
@given(tree=trees())
def test_every_tree_comes_back(way: str, tree: Tree) -> None:
    found = to_nltk(tree, way)  # type: ignore[arg-type]
    assert from_nltk(found, way) == tree  # type: ignore[arg-type]
    # What NLTK prints can be read, too; but its reader takes a backslash for a sign that protects the next.
    if not any("\\" in word for word in tree.words):
        assert from_nltk(nltk.Tree.fromstring(str(found)), way) == tree  # type: ignore[arg-type]


@given(tree=trees(labels=labels.filter(lambda label: "-" not in label)))
def test_trees_with_traces_come_back(tree: Tree) -> None:
    assert from_nltk(to_nltk(tree, "traces")) == tree


def test_functions_in_labels_come_back_with_traces() -> None:
    tree = Tree.parse("(ROOT (CP-QUE (VP-SPE (WRB 0=How) (VB 3=work)) (VBZ 1=does) (NP-SBJ (PRO-N 2=it))))")
    for way in ("split", "indices", "traces"):
        assert from_nltk(tree.to_nltk(way)) == tree


@given(tree=trees(continuous=True))
def test_continuous_trees_are_the_same_in_two_ways(tree: Tree) -> None:
    plain = to_nltk(tree)
    assert plain == to_nltk(tree, "split")
    assert plain.leaves() == list(tree.words)
    assert plain.pos() == list(zip(tree.words, tree.tags, strict=True))
    assert from_nltk(plain, "raise") == tree


def test_methods_of_trees() -> None:
    assert Tree.from_nltk(TREE.to_nltk(discontinuous="split")) == TREE


def test_parentheses_and_deep_trees() -> None:
    tree = Tree.from_constituents(["(", "a", ")"], ["$(", "NN", "$("], [("NP", [0, 1, 2])])
    assert to_nltk(tree).leaves() == ["-LRB-", "a", "-RRB-"]
    assert from_nltk(to_nltk(tree)) == tree
    deep = Tree.from_constituents("ab", "XY", [("A", [0, 1]), *[("B", [0])] * 2000])
    assert from_nltk(to_nltk(deep)) == deep


@pytest.mark.parametrize(
    ("text", "message"),
    [("(S (NP the dog))", "'the' has no tag"), ("(S (NP ) (VB 1))", "'NP' is empty"), ("(S dog)", None)],
)
def test_what_is_no_tree_of_tagged_words(text: str, message: str | None) -> None:
    tree = nltk.Tree.fromstring(text)
    if message is None:
        assert from_nltk(tree).tags == ("S",)
        return
    with pytest.raises(TreeError, match=message):
        from_nltk(tree)
    with pytest.raises(TreeError, match="not str"):
        from_nltk(text)
    with pytest.raises(TreeError, match="every index from 0 once"):
        from_nltk(nltk.Tree.fromstring("(S (NN 0=a) (NN 0=b))"), "indices")


def test_any_treebank_is_a_corpus(tmp_path: Path) -> None:
    known = list(read(TREES))
    write(known, tmp_path / "a.export")
    write(known[:2], tmp_path / "sub.discbracket")
    corpus = TreebankReader(tmp_path)
    assert corpus.fileids() == ["a.export", "sub.discbracket"]
    assert len(corpus.sents("sub.discbracket")) == 2
    assert list(corpus.trees()) == known + known[:2]
    assert corpus.sents()[1] == list(known[1].words)
    assert corpus.tagged_sents("a.export")[-1] == list(zip(known[-1].words, known[-1].tags, strict=True))
    assert list(corpus.words()[:3]) == list(known[0].words[:3])
    assert [from_nltk(tree) for tree in corpus.parsed_sents()] == known + known[:2]
    with pytest.raises(ConfigError, match="no file in"):
        TreebankReader(tmp_path, r".*\.xml")
    with pytest.raises(ConfigError, match="no way"):
        TreebankReader(tmp_path, discontinuous="no").parsed_sents()[0]  # type: ignore[arg-type]


def test_real_trees_come_back(shared: Path) -> None:
    for name in ("alpino", "squoia_de", "masc"):
        path = shared / "treebanks" / name / "dev.discbracket.xz"
        for tree in read(path):
            for way in ("split", "indices"):
                assert Tree.from_nltk(tree.to_nltk(way)) == tree
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        assert len(TreebankReader(path.parent, [path.name]).sents()) == sum(1 for _ in lines)
