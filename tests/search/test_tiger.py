"""The query language of TIGERSearch: the queries of its manual, additions, and errors."""

import pytest

from permutree.search.corpus import Corpus
from permutree.search.languages import parse_query
from permutree.search.messages import QueryError
from permutree.trees.annotations import SecondaryEdge
from permutree.trees.tree import Tree

# A sentence in the manner of the manual's corpus: functions, lemmas, morphology, a secondary edge, a gap.
GERMAN = Tree.parse(
    "(S (VP (NP (ART 0=Das) (ADJA 1=neue) (NN 2=Geld)) (VVPP 6=gespielt)) (VAFIN 3=hat) (NE 4=Maria) (ADV 5=abends))"
).annotated(
    lemmas=("das", "neu", "Geld", "haben", "Maria", "abends", "spielen"),
    morphology=("Akk", "Akk", "Akk", "3.Sg", "Nom", "--", "--"),
    functions=("NK", "NK", "NK", "HD", "SB", "MO", "HD", "--", "OC", "OA"),
    secondary=(SecondaryEdge(4, 8, "SB"),),
)
SECOND = Tree.parse(
    "(S (NP (NN 0=Männer) (CNP (NN 1=Frauen) (KON 2=und) (NN 3=Kinder))) (VVFIN 4=sagt) (NP (ART 5=der) (NN 6=Abend)))"
)
CORPUS = Corpus.of([GERMAN, SECOND])


@pytest.mark.parametrize(
    ("query", "count"),
    [
        # feature values
        ('[word="Abend"]', 1),
        ('[word="Abend" & pos="NN"]', 1),
        ('[word=/Ma.*/ & pos= ("NN"|"NE")]', 1),
        ('[word=/sag./]', 1),
        ("[lemma=/spiel.*/]", 1),
        ("[word=/.+[0-9A-Z]+.*/]", 0),
        ("[word=/(Geld)e?/]", 1),
        ("[word=/[^0-9A-Z].*/]", 7),
        ("[word=/([lmnp][aeiou])+/]", 0),
        ("[word=/[dD](as|er)/]", 2),
        ("[word=/.*\\-.*/]", 0),
        ('[pos != "NN"]', 9),
        ('[pos = (!"NN")]', 9),
        ('[pos = (!("NN"|"ART"))]', 7),
        ('[pos=("NN"|"NE") & word=(/M.*/ & !"Maria")]', 1),
        ('[morph="Akk"]', 3),
        ('[word = "\\,"]', 0),
        # types
        ("[word = Constant]", 14),
        ("[word = String & pos = UserDefConstant]", 14),
        ("[FREC]", 21),
        ("[NT]", 7),
        ("[T]", 14),
        ('[!(pos="NN") & T]', 9),
        ('[pos="NN" | cat="NP"]', 8),
        # node relations
        ('[cat="NP"] > [pos="ART"]', 2),
        ('[cat="NP"] >NK [pos="ART"]', 1),
        ('[cat="S"] >SB [pos="NE"]', 1),
        ('[cat="NP"] !>NK [pos="NE"]', 1),
        ('[cat="S"] >* [pos="NN"]', 5),
        ('[cat="S"] >2 [NT]', 2),
        ('[cat="S"] >2,3 [pos="NN"]', 5),
        ('[cat="S"] >@l [word="Das"]', 1),
        ('[cat="VP"] >@r [pos="VVPP"]', 1),
        ('[word="Das"] >@l [word="Das"]', 1),
        ('[cat="VP"] !>@r [pos="VVPP"]', 0),
        ('[pos="ART"] . [pos="ADJA"]', 1),
        ('[pos="ART"] .* [pos="NN"]', 2),
        ('[pos="ART"] .2 [pos="NN"]', 1),
        ('[pos="ART"] .1,2 [pos="NN"]', 2),
        ('[pos="ART"] !. [pos="NN"]', 4),
        # precedence is that of left corners: the VP begins before the verb, although it ends after it
        ('[cat="VP"] .* [pos="VAFIN"]', 1),
        ('[pos="ART"] $ [pos="NN"]', 2),
        ('[pos="NN"] $.* [pos="NN"]', 1),
        ('[pos="NN"] !$ [pos="NN"] & [pos="ADJA"]', 1),
        ("[] >~ []", 1),
        ('[cat="VP"] >~SB [pos="NE"]', 1),
        ('[cat="VP"] >~OA [pos="NE"]', 0),
        ('[cat="VP"] !>~ [pos="NE"]', 0),
        # graph descriptions
        ('(#n:[cat="NP"] > [pos="ART"]) & (#n >* [pos="ADJA"])', 1),
        ('#n:[cat="NP"] & (#n > [pos="ADJA"] | #n > [pos="KON"])', 1),
        ('#v:[cat="VP"] & discontinuous(#v)', 1),
        ('#v:[cat="NP"] & continuous(#v)', 3),
        ("root(#n)", 2),
        ("arity(#n, 2)", 3),
        ("arity(#n,2,3)", 6),
        ("tokenarity(#n, 4)", 2),
        ("tokenarity(#n, 2, 4) & #n:[NT]", 5),
        # variables for values and records
        ('[pos=#p & word="Frauen"] .* [pos=#p]', 2),
        ("[lemma=#x & word=#x]", 3),
        ('[word="Männer" & pos=#x:("NN"|"NE")] & [pos=#x & word!="Männer"]', 3),
        ("#a:[pos=#x] . #b:[pos!=#x]", 11),
        ("[#f:(pos=\"NN\")] $ [#f]", 0),
        # templates and types
        ('nominal := noun, "NE" ; noun := "NN" ; [pos=nominal]', 6),
        ('WithArticle(#n) <- #n:[cat="NP"] > [pos="ART"] ; WithArticle(#x) & #x > [pos="ADJA"]', 1),
        ('P(#a, #b) <- #a:[NT] > #b & Q(#b) ; Q(#x:[T]) <- #x:[pos="NN"] ; P(#n, #m)', 5),
        # additions
        ('#v:[cat="VP"] & not (#v >* [cat="NP"])', 0),
        ('#v:[cat="NP"] & not exists (#v >* [cat="CNP"])', 2),
        ('#n:[cat="NP"] & forall #m: (#n > #m => #m:[T])', 2),
        ('#n:[cat="S"] & exists #m: (#n >* #m:[pos="NN"])', 2),
        ('gap(#n:[cat="VP"]) contains #m', 3),
        ('gap(#n:[cat="VP"], 1) contains #m:[pos="NE"]', 1),
        ("blocks(#n) = 2", 1),
        ("gaps(#n) > 0", 1),
        ('block(#n, -1) contains #m:[pos="VVPP"] & discontinuous(#n)', 1),
        ("crosses(#a, #b)", 0),
        ("fronted(#n)", 1),
        ("intervener(#m, #n)", 3),
        ("intervener(#m)", 3),
        ("extraposed(#m)", 0),
        ("#a:[cat=\"NP\"] & #b:[cat=\"NP\"] & #a != #b & length(#a) > length(#b) + 1", 1),
        ('precedes(#a:[cat="NP"], #b:[cat="NP"])', 1),
        ('[function="SB"]', 1),
    ],
)  # fmt: skip
def test_queries_find_so_many(query: str, count: int) -> None:
    assert CORPUS.count(query) == count
    assert len(list(CORPUS.search(query))) == count


def test_extraposition_and_fillers() -> None:
    corpus = Corpus.of([
        Tree.parse("(S (NP (NP (DT 0=a) (NN 1=man)) (SBAR (WP 3=who) (VP (VBZ 4=sleeps)))) (VBD 2=came) (. 5=.))"),
    ])  # fmt: skip
    assert [match.nodes["n"].text for match in corpus.search("extraposed(#n)")] == ["who sleeps"]
    assert [match.nodes["f"].text for match in corpus.search("fills(#f, #n)")] == ["came"]
    assert corpus.count("fronted(#n)") == 0
    assert [match.nodes["n"].text for match in corpus.search("intervener(#n)")] == ["came"]


def test_templates_bind_what_they_negate() -> None:
    corpus = Corpus.of([
        Tree.parse("(SQ (VP (WHNP (WP 0=What)) (VB 4=see)) (VBZ 1=does) (NP (DT 2=the) (NN 3=cat)) (. 5=?))"),
        Tree.parse("(S (VP (ADVP (RB 0=Often)) (VB 2=sees) (NP (PRP 3=it))) (PRP 1=she))"),
    ])  # fmt: skip
    assert [match.nodes["n"].text for match in corpus.search("intervener(#n)")] == ["does", "the cat", "she"]
    assert [match.nodes["n"].text for match in corpus.search("fronted(#n)")] == ["What", "Often"]
    # The verb stands to the right of the gap, so its object is not extraposed.
    assert corpus.count("extraposed(#n)") == 0


def test_unnamed_nodes_have_numbers() -> None:
    match = next(iter(CORPUS.search('[cat="NP"] > #a:[pos="ART"]')))
    assert match.as_dict() == {
        "file": "",
        "sentence": 1,
        "nodes": {"_1": {"label": "NP", "words": [0, 1, 2]}, "a": {"label": "ART", "words": [0]}},
    }


def test_unique_forgets_other_variables() -> None:
    assert CORPUS.count('#n:[cat="NP"] > [pos="NN"]') == 3
    assert CORPUS.count('#n:[cat="S"] >* [pos="NN"]', unique=["n"]) == 2


@pytest.mark.parametrize(
    ("query", "position", "words"),
    [
        ("", 0, "empty"),
        ('[cat="NP") > []', 9, "cannot understand"),
        ('[cat="NP"', 9, "the end"),
        ('[cat="NP"] &', 12, "the end"),
        ("NP < DT", 3, "--syntax tregex"),
        ("[NP]", 1, '[cat="NP"]'),
        ("[cat=NP]", 5, '"NP"'),
        ("[word=/(/]", 7, "regular expression"),
        ("discontinous(#n)", 0, "did you mean discontinuous"),
        ("arity(#n)", 0, "arity(#n, 2)"),
        ("crosses(#n)", 0, "crosses(#a, #b)"),
        ("gap(#n)", 0, "contains"),
        ("[] >0 []", 3, "from 1"),
        ("block(#n, 0) contains []", 0, "from 1"),
        ("P(#x) <- P(#x) ; P(#y)", 9, "calls itself"),
        ('not ([cat="NP"])', 0, "no node"),
        ("t := t ; [pos=t]", 14, "by itself"),
    ],
)
def test_errors_point_at_the_character(query: str, position: int, words: str) -> None:
    with pytest.raises(QueryError) as caught:
        CORPUS.count(query)
    assert caught.value.position == position
    assert words in str(caught.value)
    lines = str(caught.value).splitlines()
    assert lines[2].index("^") == position + 2 if query else True


def test_labels_that_are_not_there_are_worth_a_hint() -> None:
    parsed = parse_query('[cat="np"] > [pos="ADJ"] & [word="Geld"]')
    assert CORPUS.count(parsed) == 0
    assert [hint.hint for hint in parsed.hints()] == ["did you mean NP?", "did you mean ADJA or ADV?"]


def test_features_of_an_index_are_checked(tmp_path) -> None:  # type: ignore[no-untyped-def]
    CORPUS.save(tmp_path / "x.ptidx")
    with pytest.raises(QueryError, match="there are cat, pos, word"):
        Corpus.open(tmp_path / "x.ptidx").count('[colour="red"]')


def test_too_many_alternatives_are_refused() -> None:
    choice = '(#a:[cat="A"] | #b:[cat="B"])'
    with pytest.raises(Exception, match="alternatives"):
        CORPUS.count(" & ".join([choice] * 14))
