r"""An extension of Python-Markdown: ``\|`` in the code of a table is a bar, on the site as on GitHub.

GitHub wants bars in tables escaped, in code as elsewhere; Python-Markdown shows the backslash in code. ``mkdocs.yml``
names this module.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element

from markdown import Extension, Markdown
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

__all__ = ["Bars", "BarsInTables", "makeExtension"]


class Bars(Treeprocessor):  # type: ignore[misc]
    """Takes the backslashes away."""

    def run(self, root: Element) -> None:
        """Look at the code in all cells."""
        for cell in root.iter():
            if cell.tag in ("td", "th"):
                for code in cell.iter("code"):
                    code.text = AtomicString((code.text or "").replace("\\|", "|"))


class BarsInTables(Extension):  # type: ignore[misc]
    """Adds :class:`Bars`, after what is in cells has become elements."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        """Add it."""
        md.treeprocessors.register(Bars(md), "bars", 15)


def makeExtension() -> BarsInTables:  # noqa: N802
    """What Python-Markdown looks for in a module."""
    return BarsInTables()
