"""The files of the page: all local, all preloaded, and examples that the bundled models parse right."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import permutree
from permutree.languages import all_languages
from permutree.parsing.parser import Parser

PAGE = Path(permutree.__file__).parent / "serving" / "page"
EXAMPLES: list[dict[str, Any]] = json.loads((PAGE / "examples.json").read_text("utf-8"))


def test_there_are_examples_for_each_language_with_a_model() -> None:
    assert [one["lang"] for one in EXAMPLES] == [code for code, one in all_languages().items() if one.model]
    assert all(len(one["sentences"]) >= 3 for one in EXAMPLES)


@pytest.mark.parametrize("language", EXAMPLES, ids=lambda one: one["lang"])
def test_bundled_models_get_the_examples_right(language: dict[str, Any]) -> None:
    parser = Parser.load(language["lang"])
    for example in language["sentences"]:
        (tree,) = parser.parse(example["text"])
        assert tree.discbracket() == example["tree"]
        assert any(constituent.gap_degree for constituent in tree), example["text"]


def test_all_modules_are_preloaded() -> None:
    index = (PAGE / "index.html").read_text("utf-8")
    named = re.findall(r'(?:href|src)="js/(\S+?)"', index)
    assert sorted(named) == sorted(path.name for path in (PAGE / "js").iterdir())


def test_nothing_comes_from_elsewhere_or_inline() -> None:
    for path in PAGE.rglob("*"):
        if path.is_dir():
            continue
        text = path.read_text("utf-8")
        urls = set(re.findall(r"https?://[^\s\"'`)]+", text)) - {"http://www.w3.org/2000/svg"}
        assert urls == set(), path
        assert "innerHTML" not in text, path
        assert not re.search(r"\son\w+=|<style|style=|@import|url\(", text) or path.suffix == ".js", path


def test_modules_stay_small() -> None:
    assert all(len(path.read_text("utf-8").splitlines()) < 400 for path in (PAGE / "js").iterdir())
