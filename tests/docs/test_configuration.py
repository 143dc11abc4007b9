"""The table of settings in docs/guides/training.md is that of the settings there are."""

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from permutree.training.config import Config, config_names

PAGE = Path(__file__).parents[2] / "docs" / "guides" / "training.md"


def settings_of(config: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """All settings by dotted name, with their defaults."""
    for field in fields(config):
        value = getattr(config, field.name)
        if is_dataclass(value):
            yield from settings_of(value, f"{path}{field.name}.")
        else:
            yield f"{path}{field.name}", value


def in_words(value: Any) -> str:
    """A default as the page writes it."""
    if value in (None, "", ()):
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return f"`{value}`" if isinstance(value, str) else str(value)


def documented() -> dict[str, str]:
    """The settings of the page, each with its default."""
    page = PAGE.read_text("utf-8")
    table = page.partition("<!-- settings -->")[2].partition("<!-- end of settings -->")[0]
    found: dict[str, str] = {}
    for line in table.splitlines():
        if line.startswith("| `"):
            _, names, defaults, _, _ = line.split("|")
            keys = re.findall(r"`([\w.]+)`", names)
            values = defaults.strip().split(", ") if defaults.strip() else [""] * len(keys)
            for key, value in zip(keys, values, strict=True):
                assert key not in found
                found[key] = value
    return found


def test_the_page_lists_all_settings_with_their_defaults() -> None:
    assert documented() == {name: in_words(value) for name, value in settings_of(Config())}


@pytest.mark.parametrize("name", config_names())
def test_the_page_lists_all_presets(name: str) -> None:
    presets = PAGE.read_text("utf-8").partition("## Presets")[2].partition("\n## ")[0]
    assert f"`{name}`" in presets
