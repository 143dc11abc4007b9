"""``permutree evaluate``: how good predicted trees are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from permutree.cli.options import Command, SkipBad, add_options, charset_option, from_option, skip_bad_option
from permutree.cli.terminal import progress, show, show_json
from permutree.evaluation import BUNDLED, Evaluation, Evaluator, Parameters
from permutree.evaluation.pairs import Missing, Side
from permutree.evaluation.reports import REPORTS, comparison, significance
from permutree.evaluation.scores import Scores
from permutree.evaluation.significance import METHODS, Method, compare
from permutree.evaluation.tables import Table
from permutree.formats import read
from permutree.trees.batch import TreeBatch
from permutree.trees.tree import Tree

__all__ = ["command", "load_side", "scoring_options"]


def scoring_options(command: Command) -> Command:
    """Add ``--param``, ``--functions``, ``--missing``, ``--ignore-ids`` and how to read both sides."""
    return add_options(
        command,
        click.option(
            "--param",
            default="proper",
            show_default=True,
            metavar="NAME|FILE",
            help=f"What is scored: {' or '.join(BUNDLED)}, or a parameter file in the style of EVALB.",
        ),
        click.option(
            "--functions",
            type=click.Choice(["remove", "keep"]),
            default="remove",
            show_default=True,
            help="What stands after - in labels and tags: not compared, or kept.",
        ),
        click.option(
            "--missing",
            type=click.Choice(["error", "count"]),
            default="error",
            show_default=True,
            help="A gold tree without a prediction: an error, or scored as if the prediction were empty.",
        ),
        click.option(
            "--ignore-ids",
            is_flag=True,
            help="Pair sentences whose ids differ. Otherwise that is an error where both sides have ids.",
        ),
        from_option(help="Format of the predictions."),
        from_option("gold_format", "--gold-from", help="Format of GOLD."),
        charset_option(what="all files"),
        skip_bad_option,
    )


@click.command(
    epilog="""\b
Reports:
  summary         sentences, brackets, recall, precision, F1, exact match and tags; all and discontinuous
  categories      the score of each label
  gaps            the score of brackets with no gap, with one, …
  lengths         the figures by length of sentence
  confusions      labels taken for others
  attachments     right brackets below a wrong parent
  tags            the score of each tag
  tag-confusions  tags taken for others
  sentences       the figures of each sentence

\b
Examples:
  permutree evaluate dev.discbracket predicted.discbracket
  permutree evaluate dev.export predicted.discbracket --param none --json
  permutree evaluate dev.discbracket predicted.discbracket --report categories --report attachments
  permutree evaluate dev.discbracket predicted.discbracket --report sentences --csv > sentences.csv
  permutree evaluate dev.discbracket baseline.discbracket ours.discbracket
  permutree parse --model model dev.discbracket | permutree evaluate dev.discbracket -"""
)
@click.argument("gold")
@click.argument("predictions", nargs=-1, required=True, metavar="PRED...")
@scoring_options
@click.option("--disc-only", is_flag=True, help="Score discontinuous constituents only, in all reports.")
@click.option("--unlabelled", is_flag=True, help="Score which words make up constituents, not their labels.")
@click.option("--cutoff", type=click.IntRange(0), metavar="N", help="Words of the sentences in the column ≤ N.")
@click.option(
    "--report",
    "reports",
    type=click.Choice([*REPORTS, "all"]),
    multiple=True,
    metavar="NAME",
    help="What to show; may be repeated. The summary, or the comparison of several predictions, if not given.",
)
@click.option(
    "--test",
    "method",
    type=click.Choice(METHODS),
    default=METHODS[0],
    show_default=True,
    help="How to test whether predictions differ from the first by more than chance.",
)
@click.option("--samples", type=click.IntRange(1), default=10_000, show_default=True, help="Samples of the test.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the test.")
@click.option("--json", "style", flag_value="json", help="Print everything but the table of sentences as JSON.")
@click.option("--csv", "style", flag_value="csv", help="Print one report as comma-separated values.")
@click.option("--latex", "style", flag_value="latex", help="Print LaTeX tables.")
def command(
    gold: str,
    predictions: tuple[str, ...],
    param: str,
    functions: str,
    disc_only: bool,
    unlabelled: bool,
    cutoff: int | None,
    missing: Missing,
    reports: tuple[str, ...],
    method: Method,
    samples: int,
    seed: int,
    style: str | None,
    source_format: str | None,
    gold_format: str | None,
    charset: str,
    ignore_ids: bool,
    skip_bad: bool,
) -> None:
    """Compare predicted trees with the GOLD trees: brackets, discontinuous brackets, exact match and tags.

    The trees pair up by their place in the files, and must have the same words, and the same ids where both sides have
    ids; the files may be of any format, and one of them may be - for standard input. Several PRED are compared with
    each other, and the first one with each other one by a significance test.
    """
    if [gold, *predictions].count("-") > 1:
        raise click.UsageError("only one file can be standard input")
    if len(set(predictions)) < len(predictions):
        raise click.UsageError("the same prediction is given twice")
    parameters = Parameters.load(param)
    parameters = replace(
        parameters,
        keep_functions=functions == "keep",
        disc_only=disc_only or parameters.disc_only,
        labelled=parameters.labelled and not unlabelled,
        cutoff=parameters.cutoff if cutoff is None else cutoff,
    )
    if "all" in reports:
        reports = tuple(REPORTS)
    elif parameters.debug and not reports:
        reports = ("sentences", "summary")
    if style == "csv" and len(reports) > 1:
        raise click.UsageError("--csv prints one table: choose one --report")
    evaluations: dict[str, Evaluation] = {}
    with SkipBad(skip_bad) as on_error:
        gold_side, _ = load_side(gold, gold_format, charset, on_error)
        for prediction in predictions:
            evaluator = Evaluator(parameters, missing)
            side, _ = load_side(prediction, source_format, charset, on_error, ignore_ids=ignore_ids)
            evaluator.add(gold_side, side)
            evaluations[prediction] = evaluator.result()
    first, *others = predictions
    tests = {
        other: compare(evaluations[first], evaluations[other], method=method, samples=samples, seed=seed)
        for other in (others if not reports or style == "json" else [])
    }
    if style == "json":
        results = [_record(gold, name, evaluation, reports) for name, evaluation in evaluations.items()]
        record = results[0]
        if others:
            record = {"predictions": results, "significance": _test_record(tests, first, method, samples, seed)}
        show_json(record)
        return
    tables: list[Table] = []
    if others and not reports:
        tables.append(comparison(evaluations))
        if style != "csv":
            said = f"{method}, {samples:,} samples, seed {seed}"
            tables += [significance(test, first, other, said) for other, test in tests.items()]
    for name in reports or (() if others else ("summary",)):
        for prediction, evaluation in evaluations.items():
            table = REPORTS[name](evaluation)
            tables.append(replace(table, title=f"{table.title}: {prediction}") if others else table)
    if style == "csv" and len(tables) > 1:
        raise click.UsageError("--csv prints one table: give one prediction, or no --report")
    print_table = {"csv": Table.csv, "latex": Table.latex, None: Table.text}[style]
    show("\n".join(map(print_table, tables)))


def load_side(
    path: str, source_format: str | None, charset: str, on_error: SkipBad, *, ignore_ids: bool = False
) -> tuple[Side, list[Tree]]:
    """The trees of a file as one side of an evaluation, and as they are."""
    trees = list(progress(on_error.count(read(path, source_format, charset, on_error)), path))
    ids = [None if ignore_ids else tree.id for tree in trees]
    return Side(TreeBatch.from_trees(trees), ids, "standard input" if path == "-" else path), trees


def _record(gold: str, prediction: str, evaluation: Evaluation, reports: tuple[str, ...]) -> dict[str, Any]:
    """An evaluation for JSON: the figures under their printed names, and exact ones under short names."""
    parameters = evaluation.parameters
    whole, disc = evaluation.scores(), evaluation.discontinuous
    columns = {name: _rounded(scores) for name, scores in evaluation.summary_columns().items()}
    names = reports or [name for name in REPORTS if name != "sentences"]
    return {
        "gold": gold,
        "predicted": prediction,
        "param": parameters.name,
        "functions": "keep" if parameters.keep_functions else "remove",
        **evaluation.overall.record(),
        "discontinuous": disc.record(),
        "all": _rounded(whole),
        "disconly": _rounded(disc),
        "summary": columns,
        "reports": {name: REPORTS[name](evaluation).records() for name in names if name != "summary"},
    }


def _rounded(scores: Scores) -> dict[str, Any]:
    """The figures with the decimals that are printed."""
    return {name: round(value, 2) if isinstance(value, float) else value for name, value in scores.figures().items()}


def _test_record(tests: dict[str, Any], first: str, method: str, samples: int, seed: int) -> dict[str, Any]:
    return {
        "test": method,
        "samples": samples,
        "seed": seed,
        "first": first,
        "differences": {
            other: {
                found.measure: {"difference": found.difference, "p": found.p, "interval": found.interval}
                for found in differences
            }
            for other, differences in tests.items()
        },
    }
