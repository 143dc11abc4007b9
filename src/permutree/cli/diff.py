"""``permutree diff``: gold and predicted trees side by side where they differ."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

import click

from permutree.cli.evaluate import load_side, scoring_options
from permutree.cli.options import SkipBad, output_option, to_option
from permutree.cli.terminal import colour_option, has_colour, is_terminal, room, say
from permutree.drawing import draw_text
from permutree.drawing.html import page_of
from permutree.drawing.measures import columns
from permutree.evaluation import Evaluation, Evaluator, Parameters
from permutree.evaluation.differences import ORDERS, Difference, Order, find_differences
from permutree.evaluation.pairs import Missing
from permutree.evaluation.pictures import LEGEND, STYLE, figure, heading, marks_of
from permutree.formats.format import Format
from permutree.formats.html import FORMAT as HTML
from permutree.formats.registry import guess_target
from permutree.formats.sinks import open_output
from permutree.formats.targets import check_output
from permutree.formats.text import ASCII, DRAWING
from permutree.trees.tree import Tree

_BETWEEN = "  │  "
#: columns that two drawings beside each other may take where there is no terminal to measure
_ROOM = 160


@click.command(
    epilog="""\b
Examples:
  permutree diff dev.discbracket predicted.discbracket
  permutree diff dev.discbracket predicted.discbracket --disc-only --limit 5 | less -SR
  permutree diff dev.export predicted.discbracket -o differences.html
  permutree diff dev.discbracket predicted.discbracket -n 17"""
)
@click.argument("gold")
@click.argument("predicted")
@output_option()
@to_option("What to write; guessed from the name of OUT: a page for .html, or else drawings.", (DRAWING, ASCII, HTML))
@scoring_options
@click.option("--disc-only", is_flag=True, help="Only differences in discontinuous constituents.")
@click.option("--tags", is_flag=True, help="Show sentences in which only tags are wrong, too.")
@click.option(
    "--sort",
    "order",
    type=click.Choice(ORDERS),
    default=ORDERS[0],
    show_default=True,
    help="Which come first: those with most errors, with the lowest F1, or as in the files.",
)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Only the first N; 10 in a terminal, else all.")
@click.option("-n", "--sentence", "numbers", type=click.IntRange(1), multiple=True, help="Only this one, from 1.")
@click.option("--width", type=click.IntRange(0), metavar="COLUMNS", help="Room for text; 0 for no limit.")
@colour_option
def command(
    gold: str,
    predicted: str,
    output: str,
    target_format: Format | None,
    param: str,
    functions: str,
    disc_only: bool,
    tags: bool,
    order: Order,
    limit: int | None,
    numbers: tuple[int, ...],
    missing: Missing,
    width: int | None,
    colour: str,
    source_format: str | None,
    gold_format: str | None,
    charset: str,
    ignore_ids: bool,
    skip_bad: bool,
) -> None:
    """Draw GOLD and PREDICTED trees side by side where they differ, worst first.

    Constituents that were missed are marked in the gold tree, wrong ones in the predicted tree: with a star and in
    colour. Drawings that have no room beside each other stand below each other.
    """
    if gold == predicted == "-":
        raise click.UsageError("only one file can be standard input")
    target = target_format or (HTML if guess_target(output) is HTML else DRAWING)
    check_output(output)
    parameters = Parameters.load(param)
    parameters = replace(parameters, keep_functions=functions == "keep", disc_only=disc_only or parameters.disc_only)
    with SkipBad(skip_bad) as on_error:
        gold_side, gold_trees = load_side(gold, gold_format, charset, on_error)
        side, predicted_trees = load_side(predicted, source_format, charset, on_error, ignore_ids=ignore_ids)
    evaluator = Evaluator(parameters, missing)
    evaluator.add(gold_side, side)
    evaluation = evaluator.result()
    found = find_differences(evaluation, order, tags=tags)
    said = f"{len(found):,} of {len(evaluation):,} sentences differ"
    if numbers:
        found = [difference for difference in found if difference.sentence + 1 in numbers]
    shown = found[: limit or (10 if is_terminal(output) and not numbers else None)]
    if len(shown) < len(found):
        said += f"; the first {len(shown):,} are shown, --limit shows more"
    say(said)
    pairs = [
        (difference, gold_trees[difference.sentence], _prediction(predicted_trees, difference.prediction))
        for difference in shown
    ]
    if target is HTML:
        title = f"{Path(predicted).name} against {Path(gold).name}"
        figures = chain([LEGEND.format(said)], (figure(evaluation, *pair) for pair in pairs))
        texts: Iterator[str] = page_of(figures, title=title, style=STYLE)
    else:
        width_left, is_coloured = room(output, width), has_colour(output, colour)
        texts = (_text(evaluation, *pair, target is ASCII, width_left, is_coloured) for pair in pairs)
    with open_output(output) as stream:
        for text in texts:
            stream.write(text)


def _prediction(trees: Sequence[Tree], number: int) -> Tree | None:
    return trees[number] if number >= 0 else None


def _text(
    evaluation: Evaluation,
    difference: Difference,
    gold: Tree,
    predicted: Tree | None,
    is_ascii: bool,
    room: int | None,
    is_coloured: bool,
) -> str:
    """The heading, then both drawings, with a blank line after them."""

    def lines(tree: Tree, marks: Mapping[int, str]) -> list[str]:
        return draw_text(tree, ascii=is_ascii, width=room, colour=is_coloured, marks=marks).split("\n")

    left = ["gold", *lines(gold, marks_of(gold, difference.wrong_tags, difference.missing, "missing"))]
    right = ["predicted: nothing"]
    if predicted is not None:
        marks = marks_of(predicted, difference.wrong_tags, difference.wrong, "wrong")
        right = ["predicted", *lines(predicted, marks)]
    between = _BETWEEN.replace("│", "|") if is_ascii else _BETWEEN
    width = max(map(_width, left))
    if width + len(between) + max(map(_width, right)) > (room or _ROOM):
        rows = [*left, "", *right]
    else:
        # The words stand in the last line of both.
        height = max(len(left), len(right))
        left[1:1] = [""] * (height - len(left))
        right[1:1] = [""] * (height - len(right))
        rows = [
            f"{first}{' ' * (width - _width(first))}{between}{second}".rstrip()
            for first, second in zip(left, right, strict=True)
        ]
    return "\n".join([heading(evaluation, difference), *rows, "", ""])


def _width(line: str) -> int:
    """The columns that a line takes on the screen, escape codes apart."""
    return columns(re.sub(r"\033\[[0-9;]*m", "", line))
