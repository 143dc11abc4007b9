"""Gold and predicted trees beside each other in HTML, with marks where they differ."""

from __future__ import annotations

from collections.abc import Sequence

from permutree.drawing import svg
from permutree.evaluation.differences import Difference
from permutree.evaluation.scores import Evaluation
from permutree.sanitising import markup, visible
from permutree.trees.tree import Tree

__all__ = ["LEGEND", "STYLE", "figure", "heading", "marks_of"]

_PAIR_STYLE = """
.pair{display:flex;flex-wrap:wrap;gap:1rem 2rem;align-items:flex-end}
.pair>div{max-width:100%;min-width:0}
.pair h2{font-size:.9rem;font-weight:normal;opacity:.75;margin:.5rem 0 0}
"""
#: what figures need on a page beside the style of trees
STYLE = _PAIR_STYLE + svg.MARK_STYLE


LEGEND = (
    "<p>{}. Constituents of the gold tree that the prediction lacks are underlined and yellow, "
    "wrong ones of the prediction bold and red.</p>\n"
)


def figure(evaluation: Evaluation, difference: Difference, gold: Tree, predicted: Tree | None) -> str:
    """Both drawings beside each other under a heading and the sentence."""
    number = difference.sentence + 1
    pictures = [("gold", gold, marks_of(gold, difference.wrong_tags, difference.missing, "missing"))]
    if predicted is not None:
        pictures.append(("predicted", predicted, marks_of(predicted, difference.wrong_tags, difference.wrong, "wrong")))
    parts = [
        f'<figure id="tree-{number}">\n<figcaption><a href="#tree-{number}">'
        f"{markup(heading(evaluation, difference))}</a>"
        f'<br><bdi>{markup(" ".join(map(visible, gold.words)))}</bdi></figcaption>\n<div class="pair">\n'
    ]
    for name, tree, marks in pictures:
        picture = svg.element(tree, functions=False, background=False, style=None, marks=marks)
        parts.append(f'<div><h2>{name}</h2>\n<div class="drawing" tabindex="0">\n{picture}</div></div>\n')
    if predicted is None:
        parts.append("<div><h2>predicted: nothing</h2></div>\n")
    return "".join([*parts, "</div>\n</figure>\n"])


def heading(evaluation: Evaluation, difference: Difference) -> str:
    """What a pair of drawings is headed by: number, id and score."""
    name = evaluation.sentence_names[difference.sentence]
    number = str(difference.sentence + 1)
    score = "–" if difference.score.f1 is None else f"{difference.score.f1:.2f}"
    counts = f"{len(difference.missing)} missing, {len(difference.wrong)} wrong"
    if difference.wrong_tags:
        counts += f", {len(difference.wrong_tags)} wrong tag{'s' * (len(difference.wrong_tags) > 1)}"
    return f"#{number}{'' if name == number else f' {visible(name)}'}  F1 {score}  ({counts})"


def marks_of(tree: Tree, words: Sequence[int], constituents: Sequence[int], mark: str) -> dict[int, str]:
    """The marks of nodes, which are numbered: words first, then constituents."""
    return dict.fromkeys([*words, *(len(tree) + constituent for constituent in constituents)], mark)
