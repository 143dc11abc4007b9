"""New sentences out of the phrases of a treebank."""

import importlib
import lzma
import random
import sys
from pathlib import Path
from types import ModuleType

import pytest

from permutree.trees.tree import Tree
from permutree_lab.folders import LAB

GAP = Tree.parse("(S (VP (WRB 0=How) (VB 5=work)) (VBZ 1=does) (NP (DT 2=the) (NN 4=parser) (JJ 3=new)))")
OTHER = Tree.parse("(S (ADVP (RB 0=Here)) (VBZ 1=is) (NP (NP (DT 2=a) (NN 3=tree)) (PP (IN 4=of) (NP (NN 5=words)))))")
THIRD = Tree.parse("(S (PRP 0=I) (VBD 1=saw) (NP (NP (DT 2=every) (NN 3=leaf)) (PP (IN 4=on) (NP (NN 5=it)))) (. 6=.))")


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module."""
    monkeypatch.syspath_prepend(str(LAB / "models"))
    return importlib.import_module("recombined")


def test_phrases_have_no_gaps_and_do_not_begin_the_sentence(script: ModuleType) -> None:
    assert [(one.start, one.end) for one in script.phrases(GAP)] == [(2, 5)]
    assert [one.kind for one in script.phrases(OTHER)] == [
        ("NP", "DT", "NN"),
        ("NP", "DT", "NN"),
        ("PP", "IN", "NN"),
        ("NP", "NN", "NN"),
    ]


def test_trees_of_phrases_take_the_places_of_others(script: ModuleType) -> None:
    (old,) = script.phrases(GAP)
    new = next(script.phrases(THIRD))
    expected = (
        "(S (VP (WRB 0=How) (VB 6=work)) (VBZ 1=does) (NP (NP (DT 2=every) (NN 3=leaf)) (PP (IN 4=on) (NP (NN 5=it)))))"
    )
    assert script.replaced(GAP, {old: new}).discbracket() == expected
    # Two at once, of other lengths than before.
    _, inner, _, last = script.phrases(OTHER)
    *_, pronoun = script.phrases(THIRD)
    swapped = script.replaced(OTHER, {inner: new, last: pronoun})
    assert swapped.words == ("Here", "is", "every", "leaf", "on", "it", "of", "it")
    assert swapped.discbracket() == (
        "(S (ADVP (RB 0=Here)) (VBZ 1=is) (NP (NP (NP (DT 2=every) (NN 3=leaf)) (PP (IN 4=on) (NP (NN 5=it))))"
        " (PP (IN 6=of) (NP (NN 7=it)))))"
    )


def test_nothing_is_made_twice_or_was_there(script: ModuleType) -> None:
    trees = [OTHER, THIRD]
    made = script.make(trees, 50, 0.3, {script.normalise("Here is a tree of it")}, random.Random(1))
    sentences = [" ".join(tree.words) for tree in made]
    assert 2 < len(sentences) == len({*sentences}) < 50
    assert not {*sentences} & {"Here is a tree of it", *(" ".join(tree.words) for tree in trees)}
    assert script.make([], 50, 0.3, set(), random.Random(1)) == []


@pytest.mark.parametrize("name", ["is.tokens.xz", "is.discbracket.xz"])
def test_names_say_what_is_written(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    (tmp_path / "train.discbracket").write_text(f"{GAP.discbracket()}\n{OTHER.discbracket()}\n{THIRD.discbracket()}\n")
    given = [str(tmp_path / name), str(tmp_path / "train.discbracket"), "--treebanks", str(tmp_path), "--count", "5"]
    monkeypatch.setattr(sys, "argv", ["recombined.py", *given])
    script.main()
    assert "5 sentences" in capsys.readouterr().err
    with lzma.open(tmp_path / name, "rt") as file:
        lines = file.readlines()
    assert len(lines) == 5
    assert all(("(S" in line) == ("discbracket" in name) for line in lines)


def test_other_names_are_refused(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["recombined.py", "out.txt", "trees", "--treebanks", str(tmp_path)])
    with pytest.raises(SystemExit):
        script.main()
    assert "out.txt: the name must end in .tokens.xz" in capsys.readouterr().err
