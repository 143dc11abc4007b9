"""Which module of the package imports which: the table, the faults and the picture in the documentation.

    python lab/import_graph.py [PICTURE]

Every ``import`` statement counts, those inside functions too, which are called lazy here. Statements under
``if TYPE_CHECKING`` are for the type checker alone and make no cycle. That a module also runs the ``__init__`` of its
own folder does not count. Plug-ins that are loaded by name, such as formats, are no imports; those named in full are
listed. Exits with 1 if modules or folders import each other in a circle, or a folder imports one after it in the flow.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Literal, NamedTuple

CHECKOUT = Path(__file__).resolve().parents[1]
PACKAGE = CHECKOUT / "src" / "permutree"
PICTURE = CHECKOUT / "docs" / "images" / "import-graph.svg"

#: the folders, and modules beside them, in the order in which data flows; a folder imports only those before it
FLOW = (
    "permutree",
    "errors",
    "sanitising",
    "settings",
    "progress",
    "trees",
    "drawing",
    "formats",
    "treebanks",
    "languages",
    "encoding",
    "model",
    "networks",
    "evaluation",
    "models",
    "parsing",
    "training",
    "corpora",
    "search",
    "serving",
    "integrations",
    "cli",
    "__main__",
)

Kind = Literal["eager", "lazy", "typing", "named"]
Edge = tuple[str, str]


class Import(NamedTuple):
    """One module, or folder, imports another: when it is loaded, lazily, for the type checker or by name."""

    importer: str
    imported: str
    kind: Kind

    @property
    def edge(self) -> Edge:
        """Who imports whom."""
        return self.importer, self.imported


def find_modules(package: Path) -> dict[str, Path]:
    """The modules of a package by their full names."""
    modules = {}
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package.parent).with_suffix("").parts
        modules[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return modules


def find_imports(package: Path) -> list[Import]:
    """What the modules of a package import of each other, each once in each way, in the order of modules."""
    modules = find_modules(package)
    found: dict[Import, None] = {}
    for module, path in modules.items():
        for imported, kind in _imports_of(ast.parse(path.read_text("utf-8")), modules, "eager"):
            if imported != module:
                found[Import(module, imported, kind)] = None
    return list(found)


def _imports_of(node: ast.AST, modules: Mapping[str, Path], kind: Kind) -> Iterator[tuple[str, Kind]]:
    """The modules that the statements below a node import."""
    if isinstance(node, ast.Import):
        yield from ((alias.name, kind) for alias in node.names if alias.name in modules)
    elif isinstance(node, ast.ImportFrom):
        if node.level:
            raise ValueError(f"a relative import in line {node.lineno}: write the full name of the module")
        for alias in node.names:
            # What is imported is a module of a folder, or a name in a module.
            name = f"{node.module}.{alias.name}"
            if name in modules or node.module in modules:
                yield (name if name in modules else str(node.module)), kind
    elif isinstance(node, ast.Constant):
        name = str(node.value).partition(":")[0]
        if "." in name and name in modules:
            yield name, "named"
    elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        for statement in node.body:
            yield from _imports_of(statement, modules, "typing")
        for statement in node.orelse:
            yield from _imports_of(statement, modules, kind)
    else:
        inside: Kind = "lazy" if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) else kind
        for child in ast.iter_child_nodes(node):
            yield from _imports_of(child, modules, inside)


def real(imports: Iterable[Import]) -> list[Import]:
    """The imports that happen when the package runs."""
    return [found for found in imports if found.kind in ("eager", "lazy")]


def folder_of(module: str) -> str:
    """The folder of a module, or the module itself if it stands beside the folders.

    >>> folder_of("permutree.trees.tree"), folder_of("permutree.errors"), folder_of("permutree")
    ('trees', 'errors', 'permutree')
    """
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else module


def between_folders(imports: Iterable[Import]) -> list[Import]:
    """Who imports whom among the folders; lazily only if no module does it eagerly."""
    found: dict[Edge, Kind] = {}
    for importer, imported, kind in imports:
        edge = folder_of(importer), folder_of(imported)
        if edge[0] != edge[1] and found.get(edge) != "eager":
            found[edge] = kind
    return [Import(*edge, kind) for edge, kind in found.items()]


def find_cycles(edges: Iterable[Edge]) -> list[tuple[str, ...]]:
    """The groups of nodes that reach each other, sorted: the strongly connected components of more than one node."""
    after: dict[str, set[str]] = {}
    for start, end in edges:
        after.setdefault(start, set()).add(end)
    reached = {node: _reach(node, after) for node in after}
    groups = {tuple(sorted(other for other in reached[node] if node in reached.get(other, ()))) for node in after}
    return sorted(group for group in groups if len(group) > 1)


def _reach(node: str, after: Mapping[str, set[str]]) -> set[str]:
    """The nodes on paths from a node; itself only if a path leads back."""
    reached: set[str] = set()
    stack = [node]
    while stack:
        for other in after.get(stack.pop(), set()) - reached:
            reached.add(other)
            stack.append(other)
    return reached


def against_the_flow(edges: Iterable[Edge]) -> list[Edge]:
    """The pairs of folders of which the first imports one that stands after it."""
    return sorted(edge for edge in edges if not set(edge) - set(FLOW) and _place(edge[1]) > _place(edge[0]))


def outside_the_flow(edges: Iterable[Edge]) -> list[str]:
    """The folders that have no place in the flow."""
    return sorted({folder for edge in edges for folder in edge} - set(FLOW))


def count_lines(modules: Mapping[str, Path]) -> dict[str, int]:
    """The lines of each module."""
    return {module: len(path.read_text("utf-8").splitlines()) for module, path in modules.items()}


def table(package: Path) -> str:
    """The folders in the order of the flow: modules, lines and what they import; then sums and faults."""
    lines = count_lines(find_modules(package))
    imports = find_imports(package)
    folders = between_folders(real(imports))
    modules_in = Counter(map(folder_of, lines))
    lines_in: Counter[str] = Counter()
    for module, count in lines.items():
        lines_in[folder_of(module)] += count
    rows = [f"{'folder':12} {'modules':>7} {'lines':>6}  imports (lazily)"]
    for folder in sorted(modules_in, key=_place):
        imported = sorted((found for found in folders if found.importer == folder), key=lambda found: _place(found[1]))
        names = ", ".join(f"({name})" if kind == "lazy" else name for _, name, kind in imported)
        rows.append(f"{folder:12} {modules_in[folder]:7} {lines_in[folder]:6}  {names}".rstrip())
    longest = max(lines, key=lines.__getitem__)
    rows.append(f"{'together':12} {len(lines):7} {sum(lines.values()):6}  longest: {longest}, {lines[longest]} lines")
    named = sorted({found.edge for found in imports if found.kind == "named" and found.importer != package.name})
    rows += [f"plug-in: {importer} names {imported}" for importer, imported in named]
    return "\n".join([*rows, *faults(imports)])


def faults(imports: Iterable[Import]) -> list[str]:
    """A line for each circle and each import against the flow."""
    imports = real(imports)
    edges = {found.edge for found in imports}
    folders = {found.edge for found in between_folders(imports)}
    rows = [f"cycle of modules: {', '.join(cycle)}" for cycle in find_cycles(edges)]
    rows += [f"cycle of folders: {', '.join(cycle)}" for cycle in find_cycles(folders)]
    rows += [f"not in the flow: {folder}; give it a place in FLOW" for folder in outside_the_flow(folders)]
    for importer, imported in against_the_flow(folders):
        at_fault = sorted(
            {edge[0] for edge in edges if (folder_of(edge[0]), folder_of(edge[1])) == (importer, imported)}
        )
        rows.append(f"against the flow: {importer} imports {imported}, in {', '.join(at_fault)}")
    return rows


def _place(folder: str) -> tuple[int, str]:
    """What to sort folders by: their place in the flow; others come last."""
    return (FLOW.index(folder) if folder in FLOW else len(FLOW), folder)


WIDTH, HEIGHT, STEP_X, STEP_Y, MARGIN = 92, 44, 62, 56, 16
_STYLE = """
  text { font: 13px system-ui, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2937; text-anchor: middle }
  .box { fill: #eef2ff; stroke: #4f46e5; stroke-width: 1.2 }
  .line { fill: none; stroke: #94a3b8; stroke-width: 1.2; marker-end: url(#tip) }
  .lazy { stroke-dasharray: 4 3 }
  .wrong { stroke: #dc2626 }
  .key { text-anchor: start; fill: #475569 }
"""
_TIP = """<defs><marker id="tip" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto">
  <path d="M0 0L8 4L0 8z" fill="#64748b"/></marker></defs>"""


def draw(imports: Iterable[Import]) -> str:
    """The folders as SVG, down a staircase in the order of the flow.

    From each box lines run to the left and then up, to the folders that it imports. Where a folder imports one after
    it, a red line runs to the right and down.
    """
    edges = [found for found in between_folders(real(imports)) if not {"permutree", "__main__"} & set(found.edge)]
    folders = sorted({folder for found in edges for folder in found.edge}, key=_place)
    width, height = (
        2 * MARGIN + size + step * (len(folders) - 1) for size, step in ((WIDTH, STEP_X), (HEIGHT, STEP_Y))
    )
    body = [_arrow(found, edges, folders) for found in edges]
    for place, folder in enumerate(folders):
        x, y = _corner(place)
        body.append(f'<rect class="box" x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="5"/>')
        body.append(f'<text x="{x + WIDTH // 2}" y="{y + HEIGHT // 2 + 5}">{escape(folder)}</text>')
    for line, (style, meaning) in enumerate((("line", "imports"), ("line lazy", "imports when a function needs it"))):
        x, y = width - 290, MARGIN + 12 + 22 * line
        body.append(
            f'<path class="{style}" d="M{x} {y}h34"/><text class="key" x="{x + 44}" y="{y + 4}">{meaning}</text>'
        )
    size = f'width="{width}" height="{height}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {size}>',
            f"<title>Which folder of the package imports which</title><style>{_STYLE}</style>",
            f'{_TIP}<rect {size} fill="#ffffff"/>',
            *body,
            "</svg>\n",
        ]
    )


def _corner(place: int) -> tuple[int, int]:
    return MARGIN + STEP_X * place, MARGIN + STEP_Y * place


def _arrow(found: Import, edges: list[Import], folders: list[str]) -> str:
    """The line from the side of the importing box to the imported one; each has its own place on both boxes."""
    start, end = folders.index(found.importer), folders.index(found.imported)
    out = sorted((edge.imported for edge in edges if edge.importer == found.importer), key=_place)
    into = sorted((edge.importer for edge in edges if edge.imported == found.imported), key=_place, reverse=True)
    (x, y), (to_x, to_y) = _corner(start), _corner(end)
    y += round(HEIGHT * (out.index(found.imported) + 1) / (len(out) + 1))
    to_x += round(WIDTH * (into.index(found.importer) + 1) / (len(into) + 1))
    is_wrong = end > start
    if is_wrong:
        x += WIDTH
    else:
        to_y += HEIGHT
    style = "line" + " lazy" * (found.kind == "lazy") + " wrong" * is_wrong
    title = f"<title>{escape(found.importer)} imports {escape(found.imported)}</title>"
    return f'<path class="{style}" d="M{x} {y}H{to_x}V{to_y}">{title}</path>'


def main() -> None:
    """Print the table and write the picture."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("picture", nargs="?", type=Path, default=PICTURE, help=f"by default {PICTURE.name} in docs")
    options = parser.parse_args()
    imports = find_imports(PACKAGE)
    options.picture.write_text(draw(imports), "utf-8")
    print(table(PACKAGE))
    sys.exit(bool(faults(imports)))


if __name__ == "__main__":
    main()
