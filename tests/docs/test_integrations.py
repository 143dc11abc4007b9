"""The Python of the pages about other libraries runs as it stands there, in one go for each page."""

import re
from pathlib import Path

import pytest

from permutree import write
from permutree.formats import read
from tiny_models import TREES

DOCS = Path(__file__).resolve().parents[2] / "docs" / "guides"
PAGES = ("spacy", "nltk", "pandas", "notebooks", "features")


@pytest.mark.parametrize("page", PAGES)
def test_the_page_runs(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(list(read(TREES)), "some.discbracket")
    text = (DOCS / f"{page}.md").read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, f"{page}.md", "exec"), names)
