"""Many trees on one page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from permutree.drawing import svg
from permutree.sanitising import markup, visible
from permutree.trees.tree import Tree

__all__ = ["page", "page_of"]

_PAGE_STYLE = """
:root{color-scheme:light dark}
body{margin:2rem;background:#ffffff;color:#1f2328;
font:1rem/1.5 "Helvetica Neue",Helvetica,Arial,"Liberation Sans","Noto Sans",sans-serif}
h1{font-size:1.4rem}
figure{margin:0 0 2rem;padding-top:1rem;border-top:1px solid #d1d9e0}
figcaption a{color:inherit;font-weight:bold;text-decoration:none}
figcaption .id{opacity:.75;margin:0 .5em}
.drawing{overflow-x:auto}
.drawing svg{display:block}
@media (prefers-color-scheme:dark){body{background:#0d1117;color:#e6edf3}figure{border-color:#3d444d}}
@media print{.drawing{overflow:visible}.drawing svg{max-width:100%;height:auto}figure{break-inside:avoid}}
"""


def page(
    trees: Iterable[tuple[int, Tree]], *, title: str, functions: bool, language: str | None = None
) -> Iterator[str]:
    """The parts of a page with these trees, each after its number; labels are explained if the language is known."""
    return page_of(_figures(trees, functions, language), title=title, language=language or "")


def page_of(figures: Iterable[str], *, title: str, style: str = "", language: str = "en") -> Iterator[str]:
    """The parts of a page with these figures, which may need some style of their own.

    In HTML, an empty language is an unknown one.
    """
    heading = markup(title)
    yield (
        f'<!DOCTYPE html>\n<html lang="{language and markup(language)}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{heading}</title>\n<style>{_PAGE_STYLE}{style}{svg.STYLE}\n</style>\n</head>\n"
        f"<body>\n<h1>{heading}</h1>\n"
    )
    yield from figures
    yield "</body>\n</html>\n"


def _figures(trees: Iterable[tuple[int, Tree]], functions: bool, language: str | None) -> Iterator[str]:
    for number, tree in trees:
        sentence = markup(" ".join(map(visible, tree.words)))
        name = f'<span class="id">{markup(tree.id)}</span>' if tree.id else " "
        yield (
            f'<figure id="tree-{number}">\n<figcaption><a href="#tree-{number}">{number}</a>{name}'
            f'<bdi>{sentence}</bdi></figcaption>\n<div class="drawing" tabindex="0">\n'
        )
        yield svg.element(tree, functions=functions, background=False, style=None, language=language)
        yield "</div>\n</figure>\n"
