import pytest

from permutree.search.corpus import Corpus
from permutree.search.messages import QueryError
from permutree.trees.tree import Tree

CORPUS = Corpus.of([
    Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (NP (PRP 2=it)))"),
    Tree.parse("(S (NP-SBJ (DT 0=the) (NN 1=dog)) (VP (VBZ 2=sees) "
               "(NP (DT 3=the) (NP (NN 4=cat)) (PP (IN 5=of) (NP (PRP$ 6=his) (NN 7=dog))))))"),
])  # fmt: skip


@pytest.mark.parametrize(
    ("pattern", "count"),
    [
        ("NP", 4),
        ("@NP", 5),
        ("NP < DT", 1),
        ("NP-SBJ < DT", 1),
        ("dog", 2),
        ("NN < dog", 2),
        ("NN < dog . VBZ", 1),
        ("NP << dog", 2),
        ("NP <<< dog", 2),
        ("NP !<< dog", 2),
        ("NP < DT|NN", 3),
        ("/^NP/ < (DT $+ NN)", 1),
        ("NP < (DT=d $ PP=p)", 1),
        ("PRP$ . NN", 1),
        ('"PRP$" $+ NN', 1),
        ("VP [< WRB | < VBZ]", 2),
        ("VP < WRB & < VB", 1),
        ("VP < WRB < VB", 1),
        ("NP <+(NP|PP) NN=n", 4),
        ("NP <: NN", 1),
        ("NP <1 DT <-1 PP", 1),
        ("NP <, DT <- PP", 1),
        ("NP > VP", 1),
        ("NP >> VP", 3),
        ("NP <<, the <<- dog", 1),
        ("VP <<` dog", 1),
        ("S : (NP < DT)", 1),
        ("NN=a .. NN=b", 3),
        ("DT=a < the .. (NN=b !== =a)", 5),
        ("NP ?< PP=p", 4),
        ("/DOG/i", 2),
        ("!NP < NN", 1),
        ("__ < WRB", 1),
        # precedence is about all words: the first VP surrounds its neighbours
        ("VP .. NP", 0),
        ("WRB . VBZ", 1),
        ("VP $++ VBZ", 1),
        ("VBZ $-- VP", 1),
        ("nothing < here", 0),
    ],
)
def test_patterns_find_so_many(pattern: str, count: int) -> None:
    assert CORPUS.count(pattern, syntax="tregex") == count


def test_a_match_is_the_first_node_and_those_with_names() -> None:
    match = next(CORPUS.search("NP < (DT=d < the) < PP", syntax="tregex"))
    assert match.as_dict()["nodes"] == {
        "n": {"label": "NP", "words": [3, 4, 5, 6, 7]},
        "d": {"label": "DT", "words": [3]},
    }


def test_a_leaf_is_labelled_by_its_word() -> None:
    match = next(CORPUS.search("dog", syntax="tregex"))
    assert match.as_dict()["nodes"] == {"n": {"label": "dog", "words": [1]}}
    assert CORPUS.count_by("/o/", ["#n.label"], syntax="tregex") == {
        ("dog",): 2, ("How",): 1, ("work",): 1, ("does",): 1, ("of",): 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("pattern", "position", "words"),
    [
        ("", 0, "empty"),
        ("NP <# NN", 3, "head"),
        ("NP < ", 5, "the end"),
        ('[cat="NP"]', 0, "--syntax tiger"),
        ("NP .. =x", 6, "called x"),
        ("NP <0 X", 3, "from 1"),
        ("NP < (DT", 8, "the end"),
    ],
)
def test_errors_point_at_the_character(pattern: str, position: int, words: str) -> None:
    with pytest.raises(QueryError) as caught:
        CORPUS.count(pattern, syntax="tregex")
    assert caught.value.position == position
    assert words in str(caught.value)
