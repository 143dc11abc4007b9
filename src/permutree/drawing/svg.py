"""Trees as SVG pictures."""

from __future__ import annotations

from collections.abc import Mapping

from permutree.drawing.geometry import Branches, Fonts, Picture, draw_picture
from permutree.drawing.measures import is_right_to_left
from permutree.drawing.tooltips import tooltip
from permutree.errors import TreeError
from permutree.sanitising import markup
from permutree.trees.tree import Tree

__all__ = ["MARK_STYLE", "STYLE", "draw", "element"]

FONTS = Fonts(word=16, tag=12, label=14, function=11, gap=14, drop=13, branch=13, clear=4.5)
MARGIN = 14
RADIUS = 5
#: for discontinuous constituents in turn: on a light and on a dark page
COLOURS = (
    ("#c2321f", "#ff9a8a"),
    ("#1f5fbf", "#82b8ff"),
    ("#8a3ab9", "#d9a8ff"),
    ("#1f7a3d", "#7fdc98"),
    ("#0f7688", "#62d4e3"),
    ("#8f6200", "#e8b95a"),
)
#: for marked nodes: on a light and on a dark page
MARKS = {"wrong": ("#c2321f", "#ff9a8a"), "missing": ("#8f6200", "#e8b95a"), "found": ("#1f7a3d", "#7fdc98")}


def _coloured(colours: Mapping[str, tuple[str, str]], shade: int) -> str:
    return "".join(
        f".permutree path.{name}{{stroke:{shades[shade]}}}.permutree text.{name}{{fill:{shades[shade]}}}"
        for name, shades in colours.items()
    )


_RANKED = {f"d{rank}": shades for rank, shades in enumerate(COLOURS)}


STYLE = (
    '.permutree text{font-family:"Helvetica Neue",Helvetica,Arial,"Liberation Sans","Noto Sans",sans-serif;'
    f"text-anchor:middle;direction:ltr;unicode-bidi:isolate;white-space:pre;font-size:{FONTS.label}px;fill:#1f2328}}"
    f".permutree .word{{font-size:{FONTS.word}px}}.permutree .rtl{{direction:rtl}}"
    f".permutree .tag{{font-size:{FONTS.tag}px;fill:#59636e}}"
    f".permutree .function{{font-size:{FONTS.function}px;font-style:italic;fill:#59636e}}"
    ".permutree path{fill:none;stroke:#6e7781;stroke-width:1.3}"
    ".permutree path.gap{stroke-width:2.4}.permutree text.gap{font-weight:bold}"
    ".permutree .page{fill:#ffffff}"
    f"{_coloured(_RANKED, 0)}"
    "@media (prefers-color-scheme:dark){"
    ".permutree text{fill:#e6edf3}.permutree .tag,.permutree .function{fill:#9aa4af}"
    ".permutree path{stroke:#8b949e}.permutree .page{fill:#0d1117}"
    f"{_coloured(_RANKED, 1)}}}"
)
#: what pictures with marks need besides
MARK_STYLE = (
    ".permutree text.wrong,.permutree text.found{font-weight:bold}.permutree text.missing{text-decoration:underline}"
    f"{_coloured(MARKS, 0)}@media (prefers-color-scheme:dark){{{_coloured(MARKS, 1)}}}"
)


def draw(
    tree: Tree, *, functions: bool, background: bool, marks: Mapping[int, str] | None, language: str | None
) -> str:
    """See :func:`permutree.drawing.draw_svg`."""
    style = STYLE if marks is None else STYLE + MARK_STYLE
    return element(tree, functions=functions, background=background, style=style, marks=marks, language=language)


def element(
    tree: Tree,
    *,
    functions: bool,
    background: bool,
    style: str | None,
    marks: Mapping[int, str] | None = None,
    language: str | None = None,
) -> str:
    """An ``<svg>`` element; without a style of its own for a page that has it."""
    picture = draw_picture(tree, FONTS, functions)
    width, height = _number(picture.width + 2 * MARGIN), _number(picture.height + 2 * MARGIN)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="permutree" role="img" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}">',
        f"<title>{markup(' '.join(tree.words))}</title>",
    ]
    if brackets := _brackets(tree):
        parts.append(f"<desc>{markup(brackets)}</desc>")
    if style:
        parts.append(f"<style>{style}</style>")
    if background:
        parts.append(f'<rect class="page" width="{width}" height="{height}" rx="6"/>')
    parts.append(f'<g transform="translate({MARGIN} {MARGIN})">')
    parts += [
        f'<path{_classes(picture, branches.constituent, marks)} d="{_path(branches)}"/>'
        for branches in picture.branches()
    ]
    parts += _texts(picture, marks, language)
    parts += ["</g>", "</svg>", ""]
    return "\n".join(parts)


def _brackets(tree: Tree) -> str | None:
    """The tree in brackets, for those who cannot see the picture and for scripts; None if it cannot be written so."""
    try:
        return tree.discbracket()
    except TreeError:
        return None


def _texts(picture: Picture, marks: Mapping[int, str] | None, language: str | None) -> list[str]:
    size = len(picture.words)
    x, fonts = picture.layout.x, picture.fonts
    texts = []
    for node in reversed(range(size, len(x))):
        classes = _classes(picture, node, marks)
        label = picture.labels[node]
        tip = tooltip(label, "constituent", language)
        texts.append(_label(x[node], picture.y(node), fonts.label, label, classes, tip))
    for node, function in picture.functions.items():
        tip = tooltip(function, "function", language)
        texts.append(_label(x[node], picture.function_y(node), fonts.function, function, ' class="function"', tip))
    for word in range(size):
        classes = f' class="tag {marks[word]}"' if marks and word in marks else ' class="tag"'
        tag = picture.labels[word]
        texts.append(_label(x[word], picture.y(word), fonts.tag, tag, classes, tooltip(tag, "tag", language)))
    for word, text in enumerate(picture.words):
        classes = ' class="word rtl"' if is_right_to_left(text) else ' class="word"'
        texts.append(_label(x[word], picture.word_y, fonts.word, text, classes))
    return texts


def _label(x: float, middle: float, size: float, text: str, classes: str, tip: str = "") -> str:
    # Not every renderer centres text vertically, so the baseline is set by hand.
    return f'<text{classes} x="{_number(x)}" y="{_number(middle + 0.35 * size)}">{tip}{markup(text)}</text>'


def _classes(picture: Picture, node: int, marks: Mapping[int, str] | None) -> str:
    rank = picture.layout.discontinuous.get(node)
    names = [] if rank is None else ["gap"]
    if marks is not None:
        names += [marks[node]] if node in marks else []
    elif rank is not None:
        names.append(f"d{rank % len(COLOURS)}")
    return f' class="{" ".join(names)}"' if names else ""


def _path(branches: Branches) -> str:
    """The lines of a constituent; a corner where only one line goes up or down is round."""
    y = branches.y
    begin, end = branches.pieces[0][0], branches.pieces[-1][1]
    uprights = [branches.stem, *branches.legs]
    parts = []
    corners = {}
    if begin < end:
        radius = min(RADIUS, min(stop - start for start, stop in branches.pieces) / 2)
        for side, inwards in ((begin, radius), (end, -radius)):
            here = [far for x, far in uprights if x == side]
            if len(here) == 1:
                corners[side] = side + inwards
                turn = y + (radius if here[0] > y else -radius)
                parts.append(f"M{_number(side)} {_number(here[0])}V{_number(turn)}")
                parts.append(f"Q{_number(side)} {_number(y)} {_number(side + inwards)} {_number(y)}")
        for start, stop in branches.pieces:
            start, stop = corners.get(start, start), corners.get(stop, stop)
            parts.append(f"M{_number(start)} {_number(y)}H{_number(stop)}")
    for x, far in uprights:
        if x not in corners:
            parts.append(f"M{_number(x)} {_number(y)}V{_number(far)}")
    return "".join(parts)


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
