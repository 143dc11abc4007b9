"""The regular expressions that read text."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

from permutree.languages import all_languages, scanner
from permutree.languages.registry import language_named

# Python's own, which have no types.
compiler, constants, parser = (import_module(f"re._{name}") for name in ("compiler", "constants", "parser"))


def possessive_groups(parsed: Any) -> Iterator[Any]:
    """What an expression repeats possessively though it is no single character."""
    for operator, operands in parsed:
        if operator is constants.POSSESSIVE_REPEAT and not compiler._simple(operands[2]):
            yield operands[2]
        given = operands if isinstance(operands, (list, tuple)) else [operands]
        for one in given:
            several = one if isinstance(one, list) else [one]
            for inner in several:
                if isinstance(inner, parser.SubPattern):
                    yield from possessive_groups(inner)


@pytest.mark.parametrize("language", all_languages())
def test_old_versions_of_python_read_text_alike(language: str) -> None:
    # Python 3.11.2, which Debian 12 has, repeats groups possessively as it must not: pieces were empty.
    assert [*possessive_groups(parser.parse("(?:ab){2}+"))]
    for has_addresses in (False, True):
        expression = scanner._pattern(language_named(language), has_addresses).pattern
        assert not [*possessive_groups(parser.parse(expression))]
