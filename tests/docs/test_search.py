"""The pages about searching: their queries are understood, and their counts are those of the treebanks."""

import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from permutree.search.corpus import Corpus
from permutree.search.languages import parse_query
from permutree.trees.tree import Tree

CHECKOUT = Path(__file__).resolve().parents[2]
PAGE = (CHECKOUT / "docs" / "reference" / "queries.md").read_text("utf-8")
GUIDE = (CHECKOUT / "docs" / "guides" / "search.md").read_text("utf-8")
QUESTIONS = (CHECKOUT / "docs" / "results" / "questions.md").read_text("utf-8")
TREE = Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))")


@pytest.fixture(scope="module")
def questions() -> ModuleType:
    spec = spec_from_file_location("search_questions", CHECKOUT / "lab" / "search_questions.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _section(title: str) -> str:
    return re.split(r"^##+ ", PAGE.partition(f"# {title}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]


def _first_cells(section: str) -> list[str]:
    """The pieces of code in the first column of tables."""
    rows = re.findall(r"^\| (`.*?) \|(?!\")", section, re.MULTILINE)
    return [
        code.replace("\\|", "|")
        for row in rows
        for code in re.findall(r"`` (.*?) ``|`([^`]+)`", row)
        for code in code
        if code
    ]


@pytest.mark.parametrize("title", ["Nodes", "Relations", "Variables, predicates, Boolean expressions", "Additions"])
def test_queries_of_tables_are_understood(title: str) -> None:
    cells = _first_cells(_section(title))
    assert len(cells) > 5
    for cell in cells:
        query = cell.replace("(…)", "([])").replace("… => …", "#m:[T] => #m:[NT]")
        if title == "Relations":
            query = re.sub(r"\bA\b", "#a", re.sub(r"\bB\b", "#b", query))
        if re.match("not|exists|forall", query):
            query = f"#n & {query}"
        if title != "Relations" or "…" not in query:
            Corpus.of([TREE]).count(query)


def test_patterns_of_tregex_are_understood() -> None:
    cells = [cell for cell in _first_cells(_section("Tregex and TGrep2")) if " " in cell]
    assert len(cells) > 15
    for cell in cells:
        parse_query(cell, "tregex").query_for(Corpus.of([TREE])._sources[0].made[0].tables)  # type: ignore[attr-defined]


def test_examples_are_understood() -> None:
    cells = _first_cells(_section("Query by example"))
    assert len(cells) > 6
    assert sum(Corpus.of([TREE]).count(cell, syntax="example") for cell in cells) == 1


def test_other_queries_are_understood() -> None:
    queries = re.findall(r"`(#v:\[cat=\"VP\"\] & .*?|\[cat=\"VP\"\] >\* .*?|\[word=#w\].*?|\[#f:.*?)`", PAGE)
    assert len(queries) >= 4
    for query in queries:
        Corpus.of([TREE]).count(query)
    template = re.search(r"```\n(WithArticle.*?)```", PAGE, re.DOTALL)
    assert template is not None
    Corpus.of([TREE]).count(template[1])


def test_queries_of_the_guide_are_understood() -> None:
    table = GUIDE.partition("## Queries\n")[2].partition("\n\n`[…]`")[0]
    queries = re.findall(r"\| `(.*)` \|$", table, re.MULTILINE)
    assert len(queries) == 8
    for query in queries:
        Corpus.of([TREE]).count(query)


def test_counts_are_those_of_the_treebanks(questions: ModuleType, shared: Path) -> None:
    treebanks = questions.Treebanks(shared / "treebanks")
    assert questions.differences(treebanks, QUESTIONS, ["alpino", "masc", "squoia_de"]) == []


def test_examples_are_drawn_as_they_are(questions: ModuleType, shared: Path) -> None:
    treebanks = questions.Treebanks(shared / "treebanks")
    for question in questions.QUESTIONS[2:6]:
        assert treebanks.drawn(question) in QUESTIONS
