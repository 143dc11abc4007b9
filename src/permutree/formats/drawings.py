"""One function for every kind of drawing, for Python; :mod:`permutree.drawing` has a function for each."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePath
from typing import Any, Literal, get_args, overload

from permutree import drawing
from permutree.errors import ConfigError
from permutree.formats.sinks import write_file
from permutree.trees.tree import Tree

__all__ = ["KINDS", "Kind", "draw"]

Kind = Literal["text", "svg", "png", "html", "latex"]
KINDS: tuple[Kind, ...] = get_args(Kind)

_SUFFIXES: dict[str, Kind] = {
    ".txt": "text",
    ".svg": "svg",
    ".png": "png",
    ".html": "html",
    ".htm": "html",
    ".tex": "latex",
}


@overload
def draw(trees: Tree | Iterable[Tree], to: Literal["png"], path: str | Path | None = None, **options: Any) -> bytes: ...
@overload
def draw(
    trees: Tree | Iterable[Tree],
    to: Literal["text", "svg", "html", "latex"] = "text",
    path: None = None,
    **options: Any,
) -> str: ...
@overload
def draw(
    trees: Tree | Iterable[Tree], to: Kind | None = None, path: str | Path | None = None, **options: Any
) -> str | bytes: ...
def draw(
    trees: Tree | Iterable[Tree], to: Kind | None = None, path: str | Path | None = None, **options: Any
) -> str | bytes:
    """Draw a tree, or several, and return the drawing: a text, or the bytes of a PNG. A path is written to as well.

    Without ``to``, the name of the file says the kind; without both, it is text for the terminal. SVG and PNG hold one
    tree: :func:`permutree.write` makes a file of each of many. LaTeX of several trees is a document, of one a picture.
    Options are those of the functions of :mod:`permutree.drawing`, such as ``functions=True``, ``language="nl"`` for
    SVG and HTML, ``ascii=True`` for text, ``zoom=4`` for PNG.

    >>> tree = Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))")
    >>> print(draw(tree, ascii=True))
          S
     +----+-----+
     VP   |     |
     +====|=====|====+
    WRB  VBZ   PRP   VB
    How  does   it  work
    """
    kind = to or _kind_of(path)
    if kind not in KINDS:
        raise ConfigError(f"no drawing {kind!r}: there are {', '.join(KINDS)}")
    made = _draw(trees, kind, options)
    if path is not None:
        write_file(path, made + "\n" if isinstance(made, str) and not made.endswith("\n") else made)
    return made


def _kind_of(path: str | Path | None) -> Kind:
    if path is None:
        return "text"
    suffix = PurePath(path).suffix.lower()
    if suffix not in _SUFFIXES:
        raise ConfigError(f"{path}: the name does not say what to draw; say to='svg', or {', '.join(KINDS)}")
    return _SUFFIXES[suffix]


def _draw(trees: Tree | Iterable[Tree], kind: Kind, options: dict[str, Any]) -> str | bytes:
    chosen = [trees] if isinstance(trees, Tree) else list(trees)
    if kind == "html":
        return drawing.draw_html(chosen, **options)
    if kind == "text":
        return "\n\n".join(drawing.draw_text(tree, **options) for tree in chosen)
    if kind == "latex" and len(chosen) != 1:
        return drawing.draw_latex_document(chosen, **options)
    if len(chosen) != 1:
        raise ConfigError(
            f"{kind} holds one tree, and these are {len(chosen)}: use permutree.write(trees, 'folder/', '{kind}'), or "
            "to='html'"
        )
    if kind == "latex":
        return drawing.draw_latex(chosen[0], **options)
    return drawing.draw_svg(chosen[0], **options) if kind == "svg" else drawing.draw_png(chosen[0], **options)
