"""Trees as TikZ pictures for LaTeX."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from permutree.drawing.geometry import Branches, Fonts, Picture, draw_picture
from permutree.drawing.measures import is_right_to_left
from permutree.errors import TreeError
from permutree.sanitising import latex, visible
from permutree.trees.tree import Tree

__all__ = ["document", "heading", "picture"]

FONTS = Fonts(word=10, tag=7, label=9, function=7, gap=8, drop=8, branch=8, clear=2.8)
#: TeX knows no length of more than 16,384 points
LONGEST = 16_000
COLOURS = ("194,50,31", "31,95,191", "138,58,185", "31,122,61", "15,118,136", "143,98,0")

_PREAMBLE = r"""\documentclass{article}
% Made for pdflatex, lualatex and xelatex. For words in other scripts use one of the last two and choose a font that
% has the characters: \setmainfont{...}
\usepackage{iftex}
\ifPDFTeX
  \usepackage[utf8]{inputenc}
  \usepackage[T1]{fontenc}
  \usepackage{textcomp}
  \IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}
\else
  \usepackage{fontspec}
  \tracinglostchars=3 % a character that the font lacks is an error
\fi
\usepackage{tikz}
% Each tree stands on a page that fits it.
\ifdefined\pagewidth\let\pdfpagewidth\pagewidth\let\pdfpageheight\pageheight\fi
\newsavebox\tree
\newenvironment{treepage}{\begin{lrbox}{\tree}}{\end{lrbox}%
  \global\pdfpagewidth=\dimexpr\wd\tree+20pt\relax
  \global\pdfpageheight=\dimexpr\ht\tree+\dp\tree+20pt\relax
  \shipout\vbox{\kern-1in\kern10pt\hbox{\kern-1in\kern10pt\usebox\tree}}}
"""

_SUBSTITUTES = r"""% A character that pdflatex does not know is a box with its number in it.
\newcommand\known[2]{\ifcsname u8:\detokenize{#1}\endcsname\else
  \DeclareUnicodeCharacter{#2}{\resizebox{.62em}{1ex}{\fbox{\texttt{#2}}}}\fi}
"""

_RIGHT_TO_LEFT = r"""\providecommand\righttoleft[1]{\ifdefined\XeTeXversion{\TeXXeTstate=1 \beginR#1\endR}\else
  \ifdefined\textdirection{\textdirection1 #1}\else#1\fi\fi}"""


def document(trees: Iterable[Tree], *, functions: bool) -> Iterator[str]:
    """The parts of a document with these trees, each on a page of its own."""
    pages = [(tree.id, picture(tree, functions=functions)) for tree in trees]
    yield _PREAMBLE
    characters = set[str]().union(*(text for _, text in pages))
    if foreign := sorted(character for character in characters if ord(character) > 0x7F):
        yield _SUBSTITUTES + "\\ifPDFTeX\n"
        yield from (f"\\known{{{character}}}{{{ord(character):04X}}}\n" for character in foreign)
        yield "\\fi\n"
    yield "\\begin{document}\n"
    for number, (name, text) in enumerate(pages, 1):
        yield heading(number, name)
        yield f"\\begin{{treepage}}\n{text}\\end{{treepage}}\n"
    yield "\\end{document}\n"


def heading(number: int, name: str | None) -> str:
    """The comment above a picture: the number of the tree and its id, which stays in this line whatever is in it."""
    return f"% {number} {visible(name) if name else ''}".rstrip() + "\n"


def picture(tree: Tree, *, functions: bool) -> str:
    """A ``tikzpicture``; see :func:`permutree.drawing.draw_latex`."""
    drawing = draw_picture(tree, FONTS, functions)
    if max(drawing.width, drawing.height) > LONGEST:
        raise TreeError(
            f"TeX cannot hold a picture of {drawing.width / 28.45:.0f} × {drawing.height / 28.45:.0f} cm "
            f"({len(tree)} words); draw this tree as svg or html instead"
        )
    lines = [
        r"\begin{tikzpicture}[x=1pt,y=-1pt,every node/.style={anchor=base,inner sep=0pt,outer sep=0pt},",
        r"  word/.style={font=\normalsize\strut},tag/.style={font=\scriptsize\strut,text=black!65},",
        r"  label/.style={font=\small\strut},function/.style={font=\scriptsize\itshape\strut,text=black!65},",
        r"  branch/.style={line width=.5pt,draw=black!60},gap/.style={line width=1.1pt}]",
    ]
    for rank in range(min(len(drawing.layout.discontinuous), len(COLOURS))):
        lines.append(rf"\definecolor{{gap{rank}}}{{RGB}}{{{COLOURS[rank]}}}")
    if any(map(is_right_to_left, drawing.words)):
        lines.append(_RIGHT_TO_LEFT)
    lines += [_path(drawing, branches) for branches in drawing.branches()]
    lines += _nodes(drawing)
    lines += [r"\end{tikzpicture}", ""]
    return "\n".join(lines)


def _colour(drawing: Picture, node: int) -> str | None:
    rank = drawing.layout.discontinuous.get(node)
    return None if rank is None else f"gap{rank % len(COLOURS)}"


def _path(drawing: Picture, branches: Branches) -> str:
    colour = _colour(drawing, branches.constituent)
    style = "branch" if colour is None else f"branch,gap,draw={colour}"
    y = _number(branches.y)
    parts = [f"({_number(start)},{y})--({_number(stop)},{y})" for start, stop in branches.pieces if start < stop]
    for x, far in (branches.stem, *branches.legs):
        parts.append(f"({_number(x)},{y})--({_number(x)},{_number(far)})")
    return rf"\draw[{style},line cap=rect] {' '.join(parts)};"


def _nodes(drawing: Picture) -> list[str]:
    size = len(drawing.words)
    x, fonts = drawing.layout.x, drawing.fonts
    nodes = []
    for node in reversed(range(size, len(x))):
        colour = _colour(drawing, node)
        style = "label" if colour is None else rf"label,font=\small\bfseries\strut,text={colour}"
        nodes.append(_node(style, x[node], drawing.y(node), fonts.label, drawing.labels[node]))
    for node, function in drawing.functions.items():
        nodes.append(_node("function", x[node], drawing.function_y(node), fonts.function, function))
    for word in range(size):
        nodes.append(_node("tag", x[word], drawing.y(word), fonts.tag, drawing.labels[word]))
    for word, text in enumerate(drawing.words):
        nodes.append(_node("word", x[word], drawing.word_y, fonts.word, text))
    return nodes


def _node(style: str, x: float, middle: float, size: float, text: str) -> str:
    return rf"\node[{style}] at ({_number(x)},{_number(middle + 0.3 * size)}) {{{_escape(text)}}};"


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _escape(text: str) -> str:
    escaped = latex(text, exact=True)
    if is_right_to_left(text):
        return rf"\righttoleft{{{escaped}}}"
    return escaped
