from dataclasses import replace

from permutree import Tree, evaluate
from permutree.evaluation import Evaluation, Parameters, reports
from permutree.evaluation.significance import Difference
from permutree.evaluation.tables import Cell, Table

# Gold brackets: S, VP (0, 1, 4), NP (2, 3), NP (2), PP (5, 6) and NP (6). Of these the prediction has S, VP, PP and
# NP (6); besides, AP (2, 3), NP (3) and an X over PP.
GOLD = (
    "(ROOT (S (VP (X 0=what) (V 1=did) (V 4=see)) (NP (NP (D 2=the)) (N 3=cat)) (PP (P 5=in) (NP (N 6=bed)))) (. 7=?))"
)
PREDICTED = (
    "(ROOT (S (VP (X 0=what) (V 1=did) (N 4=see)) (AP (D 2=the) (NP (N 3=cat)))"
    " (X (PP (P 5=in) (NP (N 6=bed))))) (. 7=?))"
)


def example(disc_only: bool = False) -> Evaluation:
    parameters = replace(Parameters.load("proper"), disc_only=disc_only)
    return evaluate([Tree.parse(GOLD)] * 2, [Tree.parse(PREDICTED), Tree.parse(GOLD)], parameters)


def row(table: Table, *names: Cell) -> list[Cell]:
    (found,) = [list(row) for row in table.rows if tuple(row[: len(names)]) == names]
    return found[len(names) :]


def test_summary_has_columns_for_all_and_for_discontinuous_brackets() -> None:
    table = example().summary()
    assert list(table.columns) == ["", "all", "all ≤ 40", "disc.", "disc. ≤ 40"]
    assert row(table, "number of sentences") == [2, 2, 2, 2]
    assert row(table, "gold brackets") == [12, 12, 2, 2]
    assert row(table, "cand. brackets") == [13, 13, 2, 2]
    # S, VP, PP and NP (6) of the first pair, all six of the second
    assert row(table, "labeled recall") == [100 * 10 / 12] * 2 + [100.0] * 2
    assert list(example(disc_only=True).summary().columns) == ["", "disc.", "disc. ≤ 40"]


def test_categories() -> None:
    table = reports.categories(example())
    assert row(table, "NP") == [50.0, 6, 5, 4, 100 * 4 / 6, 80.0, 100 * 8 / 11]
    assert row(table, "AP") == [0.0, 0, 1, 0, None, 0.0, 0.0]
    assert [line[0] for line in table.rows] == ["NP", "PP", "S", "VP", "AP", "X"]
    assert [line[0] for line in reports.categories(example(disc_only=True)).rows] == ["VP"]


def test_gaps() -> None:
    table = reports.gaps(example())
    assert row(table, 1)[1:4] == [2, 2, 2]
    assert row(table, 0)[1:4] == [10, 11, 8]


def test_lengths() -> None:
    table = reports.lengths(example())
    assert row(table, "1–10")[:4] == [2, 12, 13, 10]
    assert row(table, "1–10")[-2:] == [50.0, 100 * 13 / 14]
    assert [line[0] for line in reports.lengths(example(), step=4).rows] == ["5–8"]


def test_confusions_are_other_labels_over_the_same_words() -> None:
    assert [tuple(line) for line in reports.confusions(example()).rows] == [("NP", "AP", 1)]


def test_attachments_are_right_brackets_with_other_parents() -> None:
    assert [tuple(line) for line in reports.attachments(example()).rows] == [("PP", "S", "X", 1)]


def test_a_root_has_no_parent() -> None:
    table = reports.attachments(evaluate([Tree.parse("(S (X 0=a))")], [Tree.parse("(ROOT (S (X 0=a)))")]))
    assert [tuple(line) for line in table.rows] == [("S", "(none)", "ROOT", 1)]


def test_tags() -> None:
    assert row(reports.tags(example()), "V")[1:4] == [4, 3, 3]
    assert [tuple(line) for line in reports.tag_confusions(example()).rows] == [("V", "N", 1)]


def test_long_lists_of_errors_say_what_they_leave_out() -> None:
    labels = [f"L{number:02}" for number in range(25)]
    gold = [Tree.parse(f"({label} (X 0=a))") for label in labels]
    table = reports.confusions(evaluate(gold, [Tree.parse("(N (X 0=a))")] * 25))
    assert len(table.rows) == 20
    assert table.title == "Labels taken for others (the 20 most frequent of 25)"


def test_sentences() -> None:
    table = reports.sentences(example())
    figures = dict(zip(table.columns, table.rows[0], strict=True))
    assert figures["sentence"] == "1"
    assert [figures[name] for name in ("length", "gold", "cand.", "right")] == [8, 6, 7, 4]
    assert [figures[name] for name in ("disc. gold", "disc. cand.", "disc. right", "disc. F1")] == [1, 1, 1, 100.0]
    assert [figures[name] for name in ("exact", "words", "tags right")] == [0, 7, 6]
    assert table.rows[1][table.columns.index("exact")] == 1


def test_comparison_and_significance() -> None:
    evaluation = example()
    table = reports.comparison({"one": evaluation, "two": evaluation})
    assert table.rows[0][1:] == table.rows[1][1:]
    assert row(table, "one")[2] == evaluation.f1
    tested = [Difference("F1", 80.0, 81.5, 0.01234, (0.5, 2.5))]
    table = reports.significance(tested, "one", "two", "bootstrap")
    assert [list(line) for line in table.rows] == [["F1", 80.0, 81.5, 1.5, 0.5, 2.5, "0.0123"]]


def test_every_report_can_be_printed_without_sentences() -> None:
    for report in reports.REPORTS.values():
        table = report(evaluate([], []))
        assert table.text()
        assert table.latex()
        assert table.csv()


def test_tables() -> None:
    table = Table("Some_title", ["label", "n", "share"], [["NP", 12, 7.125], ["$,_%", 3, None]])
    assert table.text() == "Some_title\nlabel   n  share\nNP     12   7.12\n$,_%    3      –\n"
    assert table.csv() == 'label,n,share\nNP,12,7.125\n"$,_%",3,\n'
    assert r"\$,\_\% & 3 & -- \\" in table.latex()
    assert r"\begin{tabular}{lrr}" in table.latex()
    assert table.records() == [{"label": "NP", "n": 12, "share": 7.12}, {"label": "$,_%", "n": 3, "share": None}]
