"""Bars in tables."""

import pytest

from conftest import script


def test_only_code_in_tables_loses_backslashes() -> None:
    markdown = pytest.importorskip("markdown")
    extension = script("markdown_pipes.py").makeExtension()
    made = markdown.markdown("`a\\|b`\n\n| x |\n|---|\n| `c\\|d` and \\| |", extensions=["tables", extension])
    assert "<code>a\\|b</code>" in made
    assert "<td><code>c|d</code> and |</td>" in made
