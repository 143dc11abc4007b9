from pathlib import Path

import pytest

from permutree.errors import DataError
from permutree.evaluation.parameters import Parameters, strip_function


def test_proper_leaves_out_roots_and_punctuation() -> None:
    proper = Parameters.load("proper")
    assert all(
        map(proper.is_deleted, ["TOP", "ROOT", "VROOT", "NOPARSE", "$,", "$(", "$[", "$.", "let", "LET()", "``"])
    )
    assert all(map(proper.is_deleted, ["PUNCT", "punct", ",", ":", "''", ".", "-NONE-"]))
    assert not any(map(proper.is_deleted, ["S", "-LRB-", "SYM", "$", "root"]))
    assert all(map(proper.deletes_word, [".", ",", "...", "???", "!!!", "«", "-", "&", "$", '"']))
    assert not any(map(proper.deletes_word, ["!!", "--", "....", "a.", "(", ")", "-LRB-"]))
    assert proper.canonical("PRT") == proper.canonical("ADVP") == "ADVP"
    assert proper.cutoff == 40
    assert proper.labelled
    assert not proper.disc_only


def test_none_leaves_out_nothing() -> None:
    none = Parameters.load("none")
    assert not any(map(none.is_deleted, ["ROOT", "$,", ".", "-NONE-"]))
    assert not any(map(none.deletes_word, [".", ","]))
    assert none.canonical("PRT") == "PRT"


def test_every_keyword_is_read() -> None:
    text = """
    # a comment
    DEBUG 1
    MAX_ERROR 3
    CUTOFF_LEN 25
    LABELED 0
    DISC_ONLY 1
    DELETE_ROOT_PRETERMS 1
    DELETE_LABEL TOP   # another comment
    DELETE_LABEL #
    DELETE_WORD #
    DELETE_LABEL_FOR_LENGTH -NONE-
    EQ_LABEL ADVP PRT
    EQ_WORD colour color
    QUOTE_LABEL POS
    LA 0
    TED 0
    """
    assert Parameters.parse(text, "mine") == Parameters(
        name="mine",
        debug=1,
        max_error=3,
        cutoff=25,
        labelled=False,
        disc_only=True,
        delete_root_words=True,
        delete_labels=frozenset({"TOP", "#"}),
        delete_words=frozenset({"#"}),
        delete_labels_for_length=frozenset({"-NONE-"}),
        equal_labels=(("ADVP", "PRT"),),
        equal_words=(("colour", "color"),),
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("DELETE_LABELS TOP", "unknown keyword 'DELETE_LABELS'"),
        ("DELETE_LABEL", "takes 1 value, not 0"),
        ("DELETE_LABEL NP VP", "takes 1 value, not 2"),
        ("EQ_LABEL NP", "takes 2 values, not 1"),
        ("CUTOFF_LEN forty", "takes a number, not 'forty'"),
        ("LA 1", "not computed here; set it to 0"),
    ],
)
def test_bad_lines_are_named(line: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        Parameters.parse(f"LABELED 1\n{line}\n", "mine.prm")
    assert message in str(caught.value)
    assert str(caught.value).startswith("mine.prm:2: ")


def test_files_are_read_by_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.prm"
    path.write_text("DELETE_LABEL X\n", encoding="utf-8")
    assert Parameters.load(path).delete_labels == {"X"}
    with pytest.raises(DataError, match="proper, none"):
        Parameters.load("propper")


def test_same_labels_carry_over_from_pair_to_pair() -> None:
    parameters = Parameters.parse("EQ_LABEL A B\nEQ_LABEL C D\nEQ_LABEL D B")
    assert {parameters.canonical(label) for label in "ABCD"} == {"A"}
    assert parameters.canonical("E") == "E"


def test_functions_are_cut_off_labels() -> None:
    assert strip_function("NP-SBJ-1") == "NP"
    assert strip_function("NP=1") == "NP"
    assert strip_function("-LRB-") == "-LRB-"
    assert strip_function("-X-Y") == "-X-Y"
    assert strip_function("X-") == "X"
    assert strip_function("-") == "-"
    assert strip_function("=-X") == "="
    assert Parameters(keep_functions=True).canonical("NP-SBJ") == "NP-SBJ"


def test_deletion_comes_before_equality() -> None:
    parameters = Parameters.parse("DELETE_LABEL A\nEQ_LABEL A B")
    assert parameters.is_deleted("A")
    assert not parameters.is_deleted("B")


def test_words_are_named_as_bracketed_files_write_them() -> None:
    parameters = Parameters.parse("DELETE_WORD -LRB-\nDELETE_WORD )\nEQ_WORD ( [")
    assert parameters.deletes_word("(")
    assert parameters.deletes_word("-LRB-")
    assert not parameters.deletes_word(")")
    assert parameters.canonical_word("[") == parameters.canonical_word("(") == parameters.canonical_word("-LRB-")
