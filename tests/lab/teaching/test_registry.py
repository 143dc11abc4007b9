import pytest

from permutree.errors import ConfigError
from permutree_lab.teaching.registry import LANGUAGES, find_language


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_language_is_there(code: str) -> None:
    assert find_language(code).code == code


def test_an_unknown_language_names_the_known_ones() -> None:
    with pytest.raises(ConfigError, match="no lessons for 'xx', only for "):
        find_language("xx")
