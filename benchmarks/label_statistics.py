"""Write docs/label-statistics.md: the label statistics of the open treebanks beside those of the paper.

    python benchmarks/label_statistics.py FOLDER [-o docs/label-statistics.md]

The folder holds one folder per treebank with train, dev and test files in discbracket; by default ``shared/treebanks``
beside the checkout.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path

from permutree import read
from permutree.encoding.statistics import ROWS, LabelStatistics, Unseen, count_labels

CHECKOUT = Path(__file__).resolve().parents[1]
NAMES = {"levels": "n (levels)", "shared": "x (shared)", "unary": "u (unary)"}

#: The paper's tables: values in training and development sets, in the order of ROWS …
PAPER_VALUES = {
    "TIGER": [22, 93, 15, 129, 105, 39, 68, 122, 81],
    "NEGRA": [19, 56, 4, 110, 90, 34, 57, 99, 65],
    "DPTB": [34, 137, 56, 98, 87, 27, 61, 110, 83],
}
#: … their sentences and coarse tags …
PAPER_SENTENCES = ["45,472", "19,602", "41,532"]
PAPER_TAGSETS = ["stts", "stts", "ptb"]
#: … and new values of the test set: none for n, not told for x and u, then unique, total and percent.
NONE = "–"
PAPER_UNSEEN = {
    "TIGER": [NONE, "", "", "6 / 6 (0.0065)", "1 / 8 (0.0087)", NONE, *["1 / 1 (0.0011)"] * 3],
    "NEGRA": [NONE, "", "", NONE, *["1 / 1 (0.0059)"] * 2, NONE, "3 / 4 (0.02)", "1 / 1 (0.0059)"],
    "DPTB": [NONE, "", "", *[NONE] * 6],
}


def statistics(folder: Path) -> LabelStatistics:
    """The figures of one treebank."""
    files = {split: sorted(folder.glob(f"{split}.discbracket*")) for split in ("train", "dev", "test")}
    return count_labels(read([*files["train"], *files["dev"]]), read(files["test"]))


def name_of(row: str) -> str:
    return NAMES.get(row, f"p as {row}")


def page(treebanks: dict[str, LabelStatistics]) -> Iterator[str]:
    """The lines of the page."""
    yield INTRODUCTION
    yield from table(["component", *PAPER_VALUES, *treebanks], value_rows(treebanks))
    yield BETWEEN
    yield from table(["component", *PAPER_UNSEEN, *treebanks], unseen_rows(treebanks))
    yield "\nThe paper has no figures for x and u."


INTRODUCTION = """\
# Label statistics

How many values each component of the labels has, and how many values of the test set occur in neither the training nor
the development set: the paper's two tables for its three treebanks, and the same for five open ones. The command
`permutree labels FOLDER…` prints such tables for any treebank; this page was written by
`benchmarks/label_statistics.py`.

## Values in training and development sets
"""
BETWEEN = """
TIGER, NEGRA and DPTB are as the paper gives them (gold tags). Our counts include the value `_` of n, x and u, which the
last word of an arrangement and words without a unary chain have; the paper does not say whether its counts do. The
coarse tags are those of pointer-simplified. Alpino's tags are coarse already, so that there it is the same as pointer;
its extra-train file is not counted.

## New values in test sets

Unique values / occurrences (and their share of all labels of the test set, in percent); – is none.
"""


def value_rows(treebanks: dict[str, LabelStatistics]) -> Iterator[list[str]]:
    banks = treebanks.values()
    for index, row in enumerate(ROWS):
        paper = [str(values[index]) for values in PAPER_VALUES.values()]
        yield [name_of(row), *paper, *(f"{bank.values[row]:,}" for bank in banks)]
    yield ["sentences", *PAPER_SENTENCES, *(f"{bank.sentences:,}" for bank in banks)]
    yield ["coarse tags", *PAPER_TAGSETS, *(bank.tagset for bank in banks)]


def unseen_rows(treebanks: dict[str, LabelStatistics]) -> Iterator[list[str]]:
    for index, row in enumerate(ROWS):
        paper = [cells[index] for cells in PAPER_UNSEEN.values()]
        yield [name_of(row), *paper, *(cell(bank.unseen[row]) for bank in treebanks.values())]


def cell(unseen: Unseen) -> str:
    return f"{unseen.unique} / {unseen.total:,} ({unseen.percent:.2g})" if unseen.unique else NONE


def table(head: list[str], rows: Iterable[list[str]]) -> Iterator[str]:
    yield "| " + " | ".join(head) + " |"
    yield "|---" + "|---:" * (len(head) - 1) + "|"
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def main() -> None:
    """Count and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=CHECKOUT.parent / "shared" / "treebanks")
    parser.add_argument("-o", "--output", type=Path, default=CHECKOUT / "docs" / "label-statistics.md")
    options = parser.parse_args()
    folders = sorted(path for path in options.folder.iterdir() if path.is_dir())
    treebanks = {folder.name: statistics(folder) for folder in folders}
    options.output.write_text("\n".join(page(treebanks)) + "\n", "utf-8")


if __name__ == "__main__":
    main()
