"""``permutree labels``: how many values the labels have."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from permutree.cli.options import SkipBad, charset_option, skip_bad_option
from permutree.cli.terminal import progress, show, show_json, show_rows
from permutree.encoding.statistics import ROWS, LabelStatistics, count_labels
from permutree.encoding.tagsets import TAGSETS, tagset_named
from permutree.errors import DataError, OnError
from permutree.formats import read
from permutree.formats.registry import guess_format
from permutree.sanitising import latex
from permutree.trees.tree import Tree

_NAMES = {
    "levels": "n (levels)",
    "shared": "x (shared)",
    "unary": "u (unary)",
    **{row: f"p as {row}" for row in ROWS[3:]},
}
_LATEX_NAMES = {
    "levels": "$n_i$",
    "shared": "$x_i$",
    "unary": "$u_i$",
    **{row: f"$p_i$ as {row}" for row in ROWS[3:]},
}


@click.command(
    epilog="""\b
A TREEBANK is a folder with files named train, dev and test, in any format (train.discbracket.xz, dev.export, …),
or a single file, of which all values are counted. Or name the files of one treebank with --train, --dev and --test.

\b
Examples:
  permutree labels alpino/ tiger/ negra/
  permutree labels dev.discbracket --json
  permutree labels --train tiger_train.xml --dev tiger_dev.xml --test tiger_test.xml --tagset stts --latex"""
)
@click.argument("treebanks", nargs=-1, metavar="[TREEBANK...]")
@click.option("--train", multiple=True, metavar="FILE", help="Training set (repeatable).")
@click.option("--dev", multiple=True, metavar="FILE", help="Development set (repeatable).")
@click.option("--test", multiple=True, metavar="FILE", help="Test set (repeatable).")
@click.option(
    "--tagset",
    metavar="NAME|FILE",
    help=f"Coarse tags for pointer-simplified: {', '.join(TAGSETS)}, or a file with lines such as NN,NNS = NN. "
    "If not given, guessed from the tags of each treebank.",
)
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@click.option("--latex", "as_latex", is_flag=True, help="Print two LaTeX tables.")
@charset_option()
@skip_bad_option
def command(
    treebanks: tuple[str, ...],
    train: tuple[str, ...],
    dev: tuple[str, ...],
    test: tuple[str, ...],
    tagset: str | None,
    as_json: bool,
    as_latex: bool,
    charset: str,
    skip_bad: bool,
) -> None:
    """Count the values of each component of the labels: in training and development sets, and new in test sets."""
    if bool(treebanks) == bool(train or dev or test):
        raise click.UsageError("name treebanks, or the files of one with --train, --dev and --test.")
    if as_json and as_latex:
        raise click.UsageError("--json and --latex exclude each other.")
    parts = {name: _find(name) for name in treebanks} or {"treebank": ([*train, *dev], list(test))}
    chosen = tagset_named(tagset) if tagset else None
    columns: dict[str, LabelStatistics] = {}
    with SkipBad(skip_bad) as on_error:
        for name, (known, new) in parts.items():
            seen, unseen = (on_error.count(_read(files, charset, on_error)) for files in (known, new))
            columns[_short(name, parts)] = count_labels(seen, unseen, chosen)
    if as_json:
        show_json({name: column.as_dict() for name, column in columns.items()})
    elif as_latex:
        show("\n".join([*_latex_values(columns), "", *_latex_unseen(columns)]))
    else:
        _show_values(columns)
        show("")
        _show_unseen(columns)


def _find(name: str) -> tuple[list[str], list[str]]:
    """The files of a treebank: those whose values count as known, and those in which new ones are looked for."""
    path = Path(name)
    if name == "-" or not path.is_dir():
        return [name], []
    found: dict[str, list[str]] = {"train": [], "dev": [], "test": []}
    for file in sorted(path.iterdir()):
        split = file.name.partition(".")[0]
        if split in found and guess_format(file.name):
            found[split].append(str(file))
    if not found["train"]:
        message = "holds no training set, a file such as train.discbracket; name the files with --train, --dev, --test"
        raise DataError(message, source=name)
    return [*found["train"], *found["dev"]], found["test"]


def _read(files: list[str], charset: str, on_error: OnError) -> Iterator[Tree]:
    for file in files:
        yield from progress(read(file, None, charset, on_error), file)


def _short(name: str, names: dict[str, tuple[list[str], list[str]]]) -> str:
    """The last part of a path, unless two have the same."""
    last = Path(name).name or name
    return name if [Path(other).name for other in names].count(last) > 1 else last


def _show_values(columns: dict[str, LabelStatistics]) -> None:
    rows = [["values, train and dev", *columns]]
    rows += [[_NAMES[row], *(f"{column.values[row]:,}" for column in columns.values())] for row in ROWS]
    rows += [["sentences", *(f"{column.sentences:,}" for column in columns.values())]]
    rows += [["coarse tags", *(column.tagset for column in columns.values())]]
    show_rows(rows)


def _show_unseen(columns: dict[str, LabelStatistics]) -> None:
    with_test = {name: column for name, column in columns.items() if column.unseen}
    if not with_test:
        show("no test set: nothing to say about new values")
        return
    rows = [["new in test", *with_test]]
    rows += [[_NAMES[row], *(_cell(column, row) for column in with_test.values())] for row in ROWS]
    show_rows(rows)
    show("(values: occurrences, share of all labels)")


def _cell(column: LabelStatistics, row: str) -> str:
    unseen = column.unseen[row]
    return f"{unseen.unique}: {unseen.total}, {unseen.percent:.2g} %" if unseen.unique else "0"


def _latex_values(columns: dict[str, LabelStatistics]) -> Iterator[str]:
    yield r"\begin{tabular}{l" + "r" * len(columns) + "}"
    yield r"\hline"
    yield " & ".join(["Label component", *map(latex, columns)]) + r" \\"
    yield r"\hline"
    for row in ROWS:
        yield " & ".join([_LATEX_NAMES[row], *(str(column.values[row]) for column in columns.values())]) + r" \\"
        if row == "unary":
            yield r"\hline"
    yield r"\hline"
    yield r"\end{tabular}"


def _latex_unseen(columns: dict[str, LabelStatistics]) -> Iterator[str]:
    yield r"\begin{tabular}{llrrr}"
    yield r"\hline"
    yield r"Component & Treebank & Unique & Total & \% \\"
    yield r"\hline"
    for row in ROWS:
        for name, column in columns.items():
            if column.unseen:
                unseen = column.unseen[row]
                cells = [
                    _LATEX_NAMES[row],
                    latex(name),
                    str(unseen.unique),
                    str(unseen.total),
                    f"{unseen.percent:.2g}",
                ]
                yield " & ".join(cells) + r" \\"
    yield r"\hline"
    yield r"\end{tabular}"
