"""Trees, differences and repairs in notebooks, or as HTML anywhere else.

``display`` is what displaCy is for spaCy: in a notebook it shows pictures, elsewhere it returns the HTML. Sentences can
be folded; of a long list only the first are open.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from permutree.drawing import svg
from permutree.encoding import DecodedTree, Repair, Repairs
from permutree.errors import ConfigError, TreeError
from permutree.evaluation import Evaluation, Evaluator, Parameters
from permutree.evaluation.differences import find_differences
from permutree.evaluation.pairs import Side
from permutree.evaluation.pictures import LEGEND, STYLE, figure
from permutree.evaluation.tables import Table
from permutree.progress import in_notebook
from permutree.sanitising import markup, visible
from permutree.trees.batch import TreeBatch
from permutree.trees.tree import Tree
from permutree.trees.treelist import Trees

__all__ = ["display", "display_differences", "shown_as_html", "to_html"]

#: sentences of a list that are open at first
OPEN = 3
#: sentences of a list, or repairs, that a notebook shows of its own accord
SHOWN = 50

_STYLE = """
.permutree-trees details{border-top:1px solid #8888;padding:.3em 0}
.permutree-trees summary{cursor:pointer}
.permutree-trees .drawing{overflow-x:auto}
.permutree-trees td,.permutree-trees th{text-align:left;padding:.1em .8em .1em 0}
"""


def display(what: Any, *, jupyter: bool | None = None, language: str | None = None) -> str | None:
    """Show trees: one, several, those of a spaCy Doc, a batch of arrays, the repairs of decoding, or an evaluation.

    In a notebook they are shown and nothing is returned; anywhere else their HTML is returned. ``jupyter`` says which
    of the two, if it is not to be found out. Labels are explained where the pointer rests on them if the code of the
    language is given, or known: trees of a text and Docs know theirs.

    >>> html = display(Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))"))
    >>> html.count("<details"), "How does it work" in html
    (1, True)
    """
    return _shown(to_html(what, language=language), jupyter)


def display_differences(
    gold: Iterable[Tree],
    predicted: Iterable[Tree],
    *,
    param: str = "proper",
    limit: int = 20,
    jupyter: bool | None = None,
) -> str | None:
    """Show gold and predicted trees side by side where they differ, those with most errors first."""
    gold, predicted = list(gold), list(predicted)
    evaluator = Evaluator(Parameters.load(param), "error")
    evaluator.add(_side(gold, "the gold trees"), _side(predicted, "the predicted trees"))
    evaluation = evaluator.result()
    found = find_differences(evaluation)
    said = f"{len(found):,} of {len(evaluation):,} sentences differ"
    said += f"; the first {limit} are shown" * (len(found) > limit)
    figures = (figure(evaluation, one, gold[one.sentence], predicted[one.prediction]) for one in found[:limit])
    return _shown(_page([LEGEND.format(said), *figures], STYLE), jupyter)


def _side(trees: list[Tree], name: str) -> Side:
    return Side(TreeBatch.from_trees(trees), [tree.id for tree in trees], name)


def shown_as_html(what: Any) -> str:
    """The HTML that a notebook shows of its own accord: the first sentences or repairs of many."""
    if not isinstance(what, Trees | Repairs) or len(what) <= SHOWN:
        return to_html(what)
    more = f"<p>{len(what) - SHOWN:,} more; permutree.display shows all.</p>\n"
    return f"<div>{to_html(what[:SHOWN])}{more}</div>\n"


def to_html(what: Any, *, language: str | None = None) -> str:
    """The HTML of what :func:`display` shows."""
    if isinstance(what, DecodedTree):
        return _page([*_trees([what.tree], language), *_repairs(what.repairs)])
    if isinstance(what, Repairs):
        return _page(_repairs(list(what)))
    if isinstance(what, Evaluation | Table):
        return _page([what._repr_html_()])
    if isinstance(what, Tree):
        return _page(_trees([what], language))
    if isinstance(what, TreeBatch):
        return _page(_trees(what.trees(), language))
    if hasattr(what, "user_data") and hasattr(what, "sents"):
        from permutree.integrations.spacy_attributes import trees_of

        what = trees_of(what)
    try:
        trees = list(what)
    except TypeError:
        trees = [what]
    if wrong := [tree for tree in trees if not isinstance(tree, Tree)]:
        raise TreeError(f"trees, a Doc of spaCy, repairs or an evaluation can be shown, not {type(wrong[0]).__name__}")
    return _page(_trees(trees, language or (what.language if isinstance(what, Trees) else None)))


def _page(parts: Iterable[str], style: str = "") -> str:
    return f'<div class="permutree-trees"><style>{_STYLE}{style}{svg.STYLE}</style>\n{"".join(parts)}</div>\n'


def _trees(trees: Iterable[Tree], language: str | None) -> Iterator[str]:
    for number, tree in enumerate(trees, 1):
        name = f"{number}" if tree.id is None else f"{number} {markup(tree.id)}"
        words = markup(" ".join(map(visible, tree.words)))
        gap = " · discontinuous" if tree.is_discontinuous else ""
        functions = tree.annotations.functions is not None
        picture = svg.element(tree, functions=functions, background=False, style=None, language=language)
        state = ' open=""' if number <= OPEN else ""
        yield (
            f"<details{state}><summary>{name} <bdi>{words}</bdi>{gap}</summary>\n"
            f'<div class="drawing">{picture}</div></details>\n'
        )


def _repairs(repairs: Sequence[Repair]) -> Iterator[str]:
    names = "".join(f"<th>{name}</th>" for name in ("sentence", "word", "why", "was", "became"))
    yield f"<p>{len(repairs):,} repair{'s' * (len(repairs) != 1)}</p>\n<table><tr>{names}</tr>\n"
    for repair in repairs:
        cells = (str(repair.sentence + 1), str(repair.word), str(repair.kind), repair.was, repair.became)
        yield f"<tr>{''.join(f'<td>{markup(cell)}</td>' for cell in cells)}</tr>\n"
    yield "</table>\n"


def _shown(html: str, jupyter: bool | None) -> str | None:
    """Show HTML in a notebook, or return it."""
    if not (in_notebook() if jupyter is None else jupyter):
        return html
    try:
        from IPython import display as notebook
    except ModuleNotFoundError:
        raise ConfigError("to show trees in a notebook needs IPython: pip install 'permutree[notebook]'") from None
    notebook.display(notebook.HTML(html))  # type: ignore[no-untyped-call]
    return None
