"""Labelled brackets: tokens, lines, damage."""

import io

import pytest

from permutree.errors import DataError, TreeError
from permutree.formats.brackets import Bracket, check, escape, read_brackets, unescape
from permutree.formats.sources import Source


def brackets(text: str) -> tuple[list[tuple[int, str]], list[str]]:
    """The brackets with their lines, and the messages of the errors."""
    errors: list[str] = []
    source = Source("test", io.BufferedReader(io.BytesIO(text.encode())))
    found = list(read_brackets(source, lambda error: errors.append(str(error))))
    return [(line, str(bracket)) for line, bracket in found], errors


def test_brackets_share_lines_and_run_over_many() -> None:
    text = "(S (A a)) (S (B b))\n\n( (S\n\t(C c)\n  (D d) ))\n"
    assert brackets(text) == ([(1, "(S (A a))"), (1, "(S (B b))"), (3, "( (S (C c) (D d)))")], [])


def test_white_space_of_any_kind_between_brackets() -> None:
    assert brackets("(S (A a) \u00a0\u00a0 (B b))") == ([(1, "(S (A a) (B b))")], [])


def test_unusual_space_inside_a_word_is_part_of_it() -> None:
    assert brackets("(S (A a\u00a0b))") == ([(1, "(S (A a\u00a0b))")], [])


def test_an_open_bracket_costs_one_tree() -> None:
    found, errors = brackets("( (S (A a))\n( (S (B b)))\n")
    assert found == [(2, "( (S (B b)))")]
    assert errors == ["test:1: unbalanced brackets: 1 not closed before the next tree in line 2"]


def test_an_open_bracket_at_the_end() -> None:
    found, errors = brackets("(S (A a))\n(S (B b)")
    assert found == [(1, "(S (A a))")]
    assert errors == ["test:2: unbalanced brackets: 1 not closed at the end of the file"]


def test_a_closing_bracket_too_many_is_one_error_and_costs_nothing() -> None:
    found, errors = brackets("(S (A a))))\n\n(S (B b))\n")
    assert found == [(1, "(S (A a))"), (3, "(S (B b))")]
    assert errors == ["test:1: unbalanced brackets: a ) closes nothing; the tree before it is kept"]


def test_text_outside_brackets() -> None:
    found, errors = brackets("hello world\n\n(S (A a))\n")
    assert found == [(3, "(S (A a))")]
    assert errors == ["test:1: text outside the brackets: 'hello'"]


def test_the_first_error_stops_reading_by_default() -> None:
    source = Source("test", io.BufferedReader(io.BytesIO(b"(S (A a)")))
    with pytest.raises(DataError, match="unbalanced brackets"):
        list(read_brackets(source))


@pytest.mark.parametrize(
    ("bracket", "message"),
    [
        (Bracket("S"), r"empty bracket \(S\)"),
        (Bracket("S", [Bracket("A", ["a", "b"])]), r"a terminal with 2 words: \(A a b\)"),
        (Bracket("S", [Bracket("A", ["a"]), "b"]), "a word beside brackets: 'b' under S"),
        (Bracket("", ["b"]), "the word 'b' stands alone in its bracket"),
    ],
)
def test_check_says_what_is_wrong(bracket: Bracket, message: str) -> None:
    with pytest.raises(TreeError, match=message):
        check(bracket)


def test_check_is_content_with_good_brackets() -> None:
    check(Bracket("", [Bracket("S", [Bracket("A", ["a"]), Bracket("-NONE-", ["*"])])]))


def test_parentheses_in_words() -> None:
    assert escape("f(x)") == "f-LRB-x-RRB-"
    assert unescape("f-LRB-x-RRB-") == "f(x)"


@pytest.mark.parametrize("layout", ["{}\n", "( {})\n", "{}\n\n"])
def test_a_missing_bracket_costs_one_tree(layout: str) -> None:
    trees = [f"(S (A a{number}) (B (C b)))" for number in range(9)]
    for place in range(9):
        for broken in ("(S (A a) (B (C b))", "(S (A a", "(S (A a)) (B (C b)))", "S (A a) (B (C b)))"):
            written = [*trees[:place], broken, *trees[place:]]
            found, errors = brackets("".join(layout.format(tree) for tree in written))
            kept = [text for _, text in found if any(text == layout.format(tree).strip() for tree in trees)]
            assert len(kept) == 9, (place, broken)
            assert len(errors) == 1


def test_trees_that_go_on_at_the_margin() -> None:
    text = "(S\n(A a)\n(B\n(C b)))\n(S (A c)\n(B (C d)))\n(S (A e))\n"
    found, errors = brackets(text)
    assert [line for line, _ in found] == [1, 5, 7]
    assert errors == []


def test_a_long_line_at_the_margin() -> None:
    word = "a" * (1 << 20)
    assert brackets(f"(S\n(A {word}))\n") == ([(1, f"(S (A {word}))")], [])


def test_children_at_the_margin_have_indented_lines() -> None:
    text = "(ROOT\n(S\n  (A a)\n  (B b)))\n" * 3
    assert brackets(text) == ([(line, "(ROOT (S (A a) (B b)))") for line in (1, 5, 9)], [])


def test_damaged_lines_make_no_tree_where_trees_go_on_in_indented_lines() -> None:
    text = "(RO\n(ROOT (A a)\n    (B b))\n(RO/*, c))\n(ROOT (A d)\n    (B e))\n"
    found, errors = brackets(text)
    assert [text for _, text in found] == ["(ROOT (A a) (B b))", "(RO/*, c)", "(ROOT (A d) (B e))"]
    assert errors == [
        "test:1: unbalanced brackets: 1 not closed before the next tree in line 2",
        "test:4: unbalanced brackets: a ) closes nothing; the tree before it is kept",
    ]


def test_damage_after_damage_and_a_blank_line_is_told() -> None:
    found, errors = brackets("(S (A a)))) (B b))\n\n$(S (A c))\n\n(S (A d))\n")
    assert found == [(5, "(S (A d))")]
    assert errors == [
        "test:1: unbalanced brackets: a ) closes nothing", "test:3: text outside the brackets: '$'",
    ]  # fmt: skip


def test_damaged_lines_that_close_a_tree_and_open_another_do_not_go_on_at_the_margin() -> None:
    text = "((S (A a))\n(B b)) (C c)\n        (D\n" + "(S (A d)\n    (B e))\n" * 4
    found, errors = brackets(text)
    assert [text for _, text in found if text == "(S (A d) (B e))"] == ["(S (A d) (B e))"] * 4
    assert errors == [
        "test:1: unbalanced brackets: 1 not closed before the next tree in line 2",
        "test:2: unbalanced brackets: a ) closes nothing",
    ]
