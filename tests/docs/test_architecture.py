"""The page about the architecture says what is so: folders, files and the picture of imports."""

import re
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

CHECKOUT = Path(__file__).resolve().parents[2]
PAGE = CHECKOUT / "docs" / "contribute" / "architecture.md"
TEXT = PAGE.read_text("utf-8")


def section(title: str) -> str:
    return TEXT.partition(f"\n## {title}")[2].partition("\n## ")[0]


def test_the_page_is_short() -> None:
    assert len(TEXT.splitlines()) < 150


def test_folders_are_in_the_order_of_the_flow(graph: ModuleType) -> None:
    folders = re.findall(r"^\| `(\w+)` \|", section("Folders, in the order of the flow"), re.MULTILINE)
    assert folders == [folder for folder in graph.FLOW if folder not in ("permutree", "__main__")]


def test_files_are_there(graph: ModuleType) -> None:
    for name in re.findall(r"`(\w+/[\w/]+\.py)`", TEXT.replace("`cli/experiment.py`", "")):
        assert (graph.PACKAGE / name).is_file() or (CHECKOUT / name).is_file(), name


def test_the_picture_shows_the_imports_there_are(graph: ModuleType) -> None:
    drawn = graph.draw(graph.find_imports(graph.PACKAGE))
    assert lines_of(graph.PICTURE.read_text("utf-8")) == lines_of(drawn)


def lines_of(picture: str) -> set[tuple[str | None, str | None]]:
    names = {"svg": "http://www.w3.org/2000/svg"}
    found = ElementTree.fromstring(picture).findall("svg:path[svg:title]", names)
    return {(path.findtext("svg:title", None, names), path.get("class")) for path in found}
