"""Docstrings as Markdown."""

import pytest

from conftest import script


def test_examples_are_fenced_and_roles_are_code() -> None:
    pytest.importorskip("griffe")
    given = "See :class:`~permutree.Tree`.\n\n>>> 1 + 1\n2\n\n    >>> 2\n    2\n\nDone."
    expected = "See `permutree.Tree`.\n\n```pycon\n>>> 1 + 1\n2\n```\n\n```pycon\n>>> 2\n2\n```\n\nDone."
    assert script("griffe_docstrings.py").to_markdown(given) == expected
