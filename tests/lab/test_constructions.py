"""The suite of constructions: its notation, how trees are scored on it, the command, and the sentences themselves."""

import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from permutree import Tree
from permutree.errors import ConfigError, DataError
from permutree_lab.cli import command
from permutree_lab.constructions import HALVES, Mark, Tally, judge, judge_all, read_constructions, show_miss, tallies
from permutree_lab.folders import CONSTRUCTIONS, LAB

SUITE = """\
# a comment
== question
{a=VP What} did {b the man} {a see} ?

== topic
{a “ This , ” {?c she} saw} {?c it} .
"""
GOOD = "(S (VP (W 0=What) (V 4=see)) (V 1=did) (NP (D 2=the) (N 3=man)) (. 5=?))"


def written(folder: Path, text: str) -> Path:
    (folder / "en").mkdir(exist_ok=True)
    path = folder / "en" / "dev.txt"
    path.write_text(text, "utf-8")
    return path


def test_the_notation(tmp_path: Path) -> None:
    first, second = read_constructions(written(tmp_path, SUITE))
    assert first.kind == "question"
    assert first.line == 3
    assert first.words == ("What", "did", "the", "man", "see", "?")
    assert first.marks == (Mark("a", frozenset({0, 4}), ("VP",)), Mark("b", frozenset({2, 3})))
    assert second.kind == "topic"
    # Punctuation is in no set; it may be in a stretch.
    assert second.marks == (Mark("a", frozenset({1, 4, 5})), Mark("?c", frozenset({4, 6})))
    assert [mark.name for mark in second.musts] == ["a"]


def test_marks_may_cross_by_being_split(tmp_path: Path) -> None:
    (one,) = read_constructions(written(tmp_path, "== cross\n{a dat} {b ik} {a zie} {b loop}"))
    assert [sorted(mark.words) for mark in one.marks] == [[0, 2], [1, 3]]


def test_punctuation_makes_no_gap(tmp_path: Path) -> None:
    path = written(tmp_path, "== gaps\n{a Yes} , {a please} {b do} it {b now} , {c/1 she} says {c/1 so} {c/2 to him}")
    (one,) = read_constructions(path)
    # Of alternatives, all must have a gap.
    assert [one.has_gap(marks) for marks in one.demands] == [False, True, False]


def test_symbols_that_are_read_aloud_are_words(tmp_path: Path) -> None:
    (one,) = read_constructions(written(tmp_path, "== share\n{a 5 %} of `` {b A & B} '' -- {c $ 3}"))
    assert [len(mark.words) for mark in one.marks] == [2, 3, 2]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{a What did you see ?", "stretch a is not closed: unbalanced braces"),
        ("{a What did} you} see ?", r"you} closes a stretch that was not opened: unbalanced braces"),
        ("{What} did {b you see} ?", "opens no stretch"),
        ("{ What did} you see ?", "opens no stretch"),
        ("{a What did } you see ?", "a brace stands alone"),
        ("{a What}did you} see ?", "has a brace within"),
        ("{a What {a did you}} see ?", "stretch a is opened within itself"),
        ("{a What} did you see ?", "a has fewer than two words that are no punctuation"),
        ("{a What ,} did you see ?", "a has fewer than two words that are no punctuation"),
        ("{?a What did} you see ?", "nothing is marked"),
        ("{a What {b did} you} see {b it} ?", "a and b cross"),
    ],
)
def test_what_is_not_in_the_notation_is_refused_with_its_line(tmp_path: Path, line: str, message: str) -> None:
    path = written(tmp_path, f"== question\n{line}\n")
    with pytest.raises(DataError, match=message) as error:
        read_constructions(path)
    assert str(error.value).startswith(f"{path}:2: ")


def test_a_sentence_needs_a_kind(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"dev\.txt:1: a sentence before the first kind"):
        read_constructions(written(tmp_path, "{a What now} ?"))


def test_a_tree_that_has_all(tmp_path: Path) -> None:
    first = read_constructions(written(tmp_path, SUITE))[0]
    found = judge(first, Tree.parse(GOOD))
    assert found.is_right
    assert tallies([found]) == {"question": (2, 2, 1, 1, 1, 1, 0)}


def test_what_is_missed_and_what_is_wrong_for_sure(tmp_path: Path) -> None:
    first = read_constructions(written(tmp_path, SUITE))[0]
    # The words are there with another label, and a constituent crosses both marks.
    tree = Tree.parse("(S (NP (W 0=What) (V 4=see)) (X (V 1=did) (D 2=the)) (N 3=man) (. 5=?))")
    found = judge(first, tree)
    assert [marks[0].name for marks in found.missed] == ["a", "b"]
    assert found.wrong == (Mark("X", frozenset({1, 2})),)
    assert [*show_miss(found)][:4] == [
        "3: question: What did the man see ?",
        "  missed VP: What … see",
        "  missed b: the man",
        "  wrong  X: did the",
    ]
    # What contains a mark, is within one or has none of its words is not wrong.
    tree = Tree.parse("(S (W 0=What) (Y (V 1=did) (X (D 2=the) (N 3=man)) ) (V 4=see) (. 5=?))")
    assert judge(first, tree).wrong == ()


def test_what_may_be_is_not_wrong_and_punctuation_does_not_count(tmp_path: Path) -> None:
    second = read_constructions(written(tmp_path, SUITE))[1]
    tree = "(S (A (Q 0=“) (D 1=This) (C 2=,) (Q 3=”) (V 5=saw)) (X (P 4=she) (P 6=it)) (. 7=.))"
    assert judge(second, Tree.parse(tree)).wrong == ()
    tree = "(S (A (D 1=This) (P 4=she) (V 5=saw) (. 7=.)) (Q 0=“) (C 2=,) (Q 3=”) (P 6=it))"
    assert judge(second, Tree.parse(tree)).is_right
    tree = "(S (Q 0=“) (D 1=This) (C 2=,) (Q 3=”) (P 4=she) (X (V 5=saw) (P 6=it)) (. 7=.))"
    assert len(judge(second, Tree.parse(tree)).wrong) == 1


def test_one_of_several_alternatives_is_enough(tmp_path: Path) -> None:
    # An aside is a constituent beside others, or what is around it is the complement of its verb.
    (one,) = read_constructions(written(tmp_path, "== aside\n{a/1 This} , {a/2 she said} , {a/1 works} ."))
    aside = "(S (D 0=This) (C 1=,) (X (P 2=she) (V 3=said)) (C 4=,) (V 5=works) (. 6=.))"
    whole = "(S (Y (D 0=This) (V 5=works)) (C 1=,) (P 2=she) (V 3=said) (C 4=,) (. 6=.))"
    wrong = "(S (Y (D 0=This) (P 2=she)) (C 1=,) (X (V 3=said) (V 5=works)) (C 4=,) (. 6=.))"
    assert [judge(one, Tree.parse(tree)).is_right for tree in (aside, whole, wrong)] == [True, True, False]
    missed = judge(one, Tree.parse(wrong))
    assert tallies([missed]) == {"aside": (0, 1, 0, 0, 0, 1, 0)}
    assert [*show_miss(missed)][1] == "  missed a: This … works / she said"


def test_trees_of_other_sentences_are_refused(tmp_path: Path) -> None:
    sentences = read_constructions(written(tmp_path, SUITE))
    with pytest.raises(DataError, match=r"mine: 1 trees for 2 sentences"):
        judge_all(sentences, [Tree.parse(GOOD)], "mine")
    with pytest.raises(DataError, match=r"mine \(sentence 2\): the tree is of 'What did"):
        judge_all(sentences, [Tree.parse(GOOD)] * 2, "mine")


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(command, ["constructions", *map(str, arguments)])


def test_predicted_trees_are_scored(tmp_path: Path) -> None:
    written(tmp_path, SUITE.partition("== topic")[0])
    trees = tmp_path / "mine.discbracket"
    trees.write_text(GOOD + "\n", "utf-8")
    options = ["--half", "dev", "--lang", "en", "--suite", str(tmp_path), "--predicted", str(trees)]
    done = run(*options, "--misses")
    assert done.exit_code == 0, done.stderr
    assert "| question | 2/2 (100 %) |\n" in done.stdout
    assert "| discontinuous ones | 1/1 (100 %) |\n| sentences fully right | 1/1 (100 %) |\n" in done.stdout
    assert "| constituents wrong for sure | 0 |\n" in done.stdout
    (record,) = json.loads(run(*options, "--json").stdout)
    assert record["model"] == str(trees)
    assert record["all"] == {**Tally(2, 2, 1, 1, 1, 1, 0)._asdict(), "recall": 100.0}
    tokens = run("--half", "dev", "--lang", "en", "--suite", tmp_path, "--tokens")
    assert tokens.stdout == "What did the man see ?\n"


def test_misses_are_printed(tmp_path: Path) -> None:
    written(tmp_path, SUITE.partition("== topic")[0])
    trees = tmp_path / "mine.discbracket"
    trees.write_text(GOOD.replace("VP", "NP") + "\n", "utf-8")
    done = run("--half", "dev", "--lang", "en", "--suite", tmp_path, "--predicted", trees, "--misses")
    assert done.stdout.startswith("3: question: What did the man see ?\n  missed VP: What … see\n  tree   ")
    assert done.stderr == ""


def test_misses_of_the_test_half_come_with_a_warning(tmp_path: Path) -> None:
    written(tmp_path, SUITE.partition("== topic")[0]).rename(tmp_path / "en" / "test.txt")
    trees = tmp_path / "mine.discbracket"
    trees.write_text(GOOD + "\n", "utf-8")
    done = run("--lang", "en", "--suite", tmp_path, "--predicted", trees, "--misses")
    assert done.exit_code == 0
    assert "use --half dev" in done.stderr


def test_bundled_models_are_scored(tmp_path: Path) -> None:
    written(tmp_path, SUITE)
    done = run("en", "--half", "dev", "--suite", tmp_path, "--json")
    assert done.exit_code == 0, done.stderr
    (record,) = json.loads(done.stdout)
    assert record["model"] == "en"
    assert record["all"]["marked"] == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--tokens"], "--lang"),
        (["--predicted", __file__], "--lang"),
        (["en", "--lang", "en", "--tokens"], "take no models"),
        (["--misses", "--json"], "without --json"),
    ],
)
def test_usage(arguments: list[str], message: str) -> None:
    done = run(*arguments)
    assert done.exit_code == 2
    assert message in done.stderr


def test_a_language_without_sentences(tmp_path: Path) -> None:
    written(tmp_path, SUITE)
    done = run("--half", "dev", "--lang", "fr", "--suite", tmp_path, "--tokens")
    assert isinstance(done.exception, ConfigError)
    assert "no language 'fr'; there are en" in str(done.exception)


#: language → the least number of sentences and of kinds
LEAST = {"en": (300, 15), "de": (300, 15), "nl": (300, 15), "is": (100, 10)}


def test_languages_of_the_suite() -> None:
    assert {path.relative_to(CONSTRUCTIONS).as_posix() for path in CONSTRUCTIONS.glob("*/*.txt")} == {
        f"{language}/{half}.txt" for language in LEAST for half in HALVES
    }


@pytest.mark.parametrize("language", LEAST)
def test_halves_have_the_same_kinds_and_no_sentence_in_common(language: str) -> None:
    dev, test = (read_constructions(CONSTRUCTIONS / language / f"{half}.txt") for half in HALVES)
    sentences, kinds = LEAST[language]
    assert len(dev) + len(test) >= sentences
    counts = [Counter(one.kind for one in half) for half in (dev, test)]
    assert list(counts[0]) == list(counts[1])
    assert len(counts[0]) >= kinds
    assert all(abs(counts[0][kind] - counts[1][kind]) <= 1 for kind in counts[0])
    written = Counter(" ".join(one.words).lower() for one in (*dev, *test))
    assert [words for words, count in written.items() if count > 1] == []
    assert all(4 <= len(one.counted) <= 30 for one in (*dev, *test))


@pytest.mark.parametrize("language", LEAST)
def test_the_test_half_says_that_nothing_is_tuned_on_it(language: str) -> None:
    head = (CONSTRUCTIONS / language / "test.txt").read_text("utf-8").partition("==")[0]
    assert "# Nothing is tuned on this half" in head


def test_the_table_in_the_documentation_is_of_this_suite() -> None:
    page = (
        (LAB.parent / "docs" / "results" / "models.md")
        .read_text("utf-8")
        .partition("## By construction")[2]
        .partition("\n## ")[0]
    )
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in page.splitlines() if line[:1] == "|"]
    languages = rows[0][1:]
    assert set(languages) == set(LEAST)
    marked: Counter[tuple[str, str]] = Counter()
    for language in languages:
        for one in read_constructions(CONSTRUCTIONS / language / "test.txt"):
            marked[one.kind, language] += len(one.demands)
    shown = {
        (kind, language): int(cell.partition("/")[2].partition(" ")[0])
        for kind, *cells in rows[2:-4]
        for language, cell in zip(languages, cells, strict=True)
        if cell
    }
    assert shown == dict(marked)
