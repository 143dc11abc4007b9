"""Modules import one way: no circle, lazy or eager, and no folder imports one after it in the flow of data."""

from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest


@pytest.fixture(scope="module")
def edges(graph: ModuleType) -> set[tuple[str, str]]:
    return {found.edge for found in graph.real(graph.find_imports(graph.PACKAGE))}


def write_package(folder: Path, **modules: str) -> Path:
    package = folder / "permutree"
    for name, text in modules.items():
        path = package / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return package


def test_no_module_imports_itself_by_way_of_others(graph: ModuleType, edges: set[tuple[str, str]]) -> None:
    assert graph.find_cycles(edges) == []


def test_no_folder_imports_one_after_it(graph: ModuleType, edges: set[tuple[str, str]]) -> None:
    folders = {(graph.folder_of(importer), graph.folder_of(imported)) for importer, imported in edges}
    assert graph.against_the_flow(folders) == []
    assert graph.find_cycles(edge for edge in folders if edge[0] != edge[1]) == []
    assert graph.outside_the_flow(folders) == []


def test_lazy_imports_count_and_those_for_the_type_checker_do_not(graph: ModuleType, tmp_path: Path) -> None:
    package = write_package(
        tmp_path,
        errors="",
        **{
            "trees/__init__": "",
            "trees/tree": "def show():\n    from permutree.drawing import draw\n",
            "drawing/__init__": "from permutree.trees import tree\nimport permutree.errors\n",
            "drawing/svg": "if TYPE_CHECKING:\n    from permutree.formats.sinks import write\n",
            "formats/sinks": "from permutree.drawing import svg\nPLUG_IN = 'permutree.trees.tree:show'\n",
        },
    )
    imports = graph.find_imports(package)
    assert imports == [
        ("permutree.drawing", "permutree.trees.tree", "eager"),
        ("permutree.drawing", "permutree.errors", "eager"),
        ("permutree.drawing.svg", "permutree.formats.sinks", "typing"),
        ("permutree.formats.sinks", "permutree.drawing.svg", "eager"),
        ("permutree.formats.sinks", "permutree.trees.tree", "named"),
        ("permutree.trees.tree", "permutree.drawing", "lazy"),
    ]
    assert graph.faults(imports) == [
        "cycle of modules: permutree.drawing, permutree.trees.tree",
        "cycle of folders: drawing, trees",
        "against the flow: trees imports drawing, in permutree.trees.tree",
    ]


def test_a_folder_needs_a_place_in_the_flow(graph: ModuleType, tmp_path: Path) -> None:
    package = write_package(tmp_path, errors="", **{"new/module": "import permutree.errors\n"})
    assert graph.faults(graph.find_imports(package)) == ["not in the flow: new; give it a place in FLOW"]
    assert "together           2      1  longest: permutree.new.module, 1 lines" in graph.table(package)


def test_the_picture_has_a_box_for_each_folder_and_a_line_for_each_import(graph: ModuleType) -> None:
    imports = [
        graph.Import("permutree.trees.tree", "permutree.errors", "eager"),
        graph.Import("permutree.formats.sinks", "permutree.trees.tree", "lazy"),
        graph.Import("permutree.trees.tree", "permutree.formats.sinks", "lazy"),
    ]
    picture = ElementTree.fromstring(graph.draw(imports))
    names = {"svg": "http://www.w3.org/2000/svg"}
    assert [text.text for text in picture.findall("svg:text", names)][:3] == ["errors", "trees", "formats"]
    lines = {
        path.findtext("svg:title", None, names): path.get("class")
        for path in picture.findall("svg:path[svg:title]", names)
    }
    assert lines == {
        "trees imports errors": "line",
        "formats imports trees": "line lazy",
        "trees imports formats": "line lazy wrong",
    }
