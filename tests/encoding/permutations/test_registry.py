import pytest

from permutree.encoding import ENCODINGS, PAPER_ENCODINGS, Codec
from permutree.encoding.permutations import Permutation, permutation_named
from permutree.errors import TreeError
from slow_encoding import DEFINED


def test_the_papers_encodings_come_first_in_its_order() -> None:
    assert PAPER_ENCODINGS == ("absolute", "relative", "lehmer", "inverse-lehmer", "pointer", "pointer-simplified")
    assert ENCODINGS[:6] == PAPER_ENCODINGS
    assert "predecessor" in ENCODINGS[6:]


def test_encodings_say_what_they_need() -> None:
    kinds = {name: permutation_named(name) for name in DEFINED}
    assert [name for name, kind in kinds.items() if kind.needs_tags] == ["pointer", "pointer-simplified"]
    assert [name for name, kind in kinds.items() if kind.needs_tagset] == ["pointer-simplified"]
    assert [name for name, kind in kinds.items() if kind.head == "attention"] == ["predecessor"]
    assert [name for name, kind in kinds.items() if kind.fixed_values() is not None] == ["predecessor"]


def test_a_failed_look_up_lists_the_names_there_are() -> None:
    with pytest.raises(TreeError, match="no encoding 'pointr': did you mean pointer\\? there are absolute, relative"):
        Codec("pointr")


@pytest.mark.parametrize("name", ENCODINGS)
def test_symbols_survive_the_format_of_the_release(name: str) -> None:
    kind: type[Permutation] = permutation_named(name)
    symbols = kind()
    for text in (symbols.plain, "-2 NN", "3", "-3"):
        if not isinstance(symbols.parse(text), str):
            assert symbols.from_release(symbols.to_release(text)) == text
