"""The page about the architecture says what is so: folders, files, figures and the picture of imports."""

import re
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, get_type_hints
from xml.etree import ElementTree

import pytest

from permutree.training.config import Config

CHECKOUT = Path(__file__).resolve().parents[2]
PAGE = CHECKOUT / "docs" / "architecture.md"
TEXT = PAGE.read_text("utf-8")


def section(title: str) -> str:
    return TEXT.partition(f"\n## {title}")[2].partition("\n## ")[0]


def figures_now() -> dict[str, str]:
    """The rows of the table of figures: what, and how it is now."""
    return dict(re.findall(r"^\| (.+?) \| .+ \| (.+?) \|$", section("Figures"), re.MULTILINE))


def count_keys(kind: Any) -> int:
    hints = get_type_hints(kind)
    kinds = [hints[setting.name] for setting in fields(kind)]
    return sum(count_keys(one) if is_dataclass(one) else 1 for one in kinds)


def test_the_page_is_short() -> None:
    assert len(TEXT.splitlines()) < 150


def test_folders_are_in_the_order_of_the_flow(graph: ModuleType) -> None:
    folders = re.findall(r"^\| `(\w+)` \|", section("Folders, in the order of the flow"), re.MULTILINE)
    assert folders == [folder for folder in graph.FLOW if folder not in ("permutree", "__main__")]


def test_files_and_links_are_there(graph: ModuleType) -> None:
    for name in re.findall(r"`(\w+/[\w/]+\.py)`", TEXT.replace("`cli/experiment.py`", "")):
        assert (graph.PACKAGE / name).is_file() or (CHECKOUT / name).is_file(), name
    for link in re.findall(r"\]\(([^)#:]+)\)", TEXT):
        assert (PAGE.parent / link).exists(), link


def test_figures_are_near_enough(graph: ModuleType) -> None:
    lines = graph.count_lines(graph.find_modules(graph.PACKAGE))
    said = {what: int(now.split()[0].replace(",", "")) for what, now in figures_now().items()}
    assert said["modules of the package"] == pytest.approx(len(lines), rel=0.05)
    assert said["lines of the package"] == pytest.approx(sum(lines.values()), rel=0.05)
    assert said["longest module"] == pytest.approx(max(lines.values()), rel=0.05)
    assert said["settings of a training: keys of its TOML file, beside `out`"] == count_keys(Config) - 1


def test_the_picture_shows_the_imports_there_are(graph: ModuleType) -> None:
    drawn = graph.draw(graph.find_imports(graph.PACKAGE))
    assert lines_of(graph.PICTURE.read_text("utf-8")) == lines_of(drawn)


def lines_of(picture: str) -> set[tuple[str | None, str | None]]:
    names = {"svg": "http://www.w3.org/2000/svg"}
    found = ElementTree.fromstring(picture).findall("svg:path[svg:title]", names)
    return {(path.findtext("svg:title", None, names), path.get("class")) for path in found}
