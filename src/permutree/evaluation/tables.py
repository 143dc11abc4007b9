"""Tables of figures, printed for readers, as CSV, as LaTeX, as HTML or as records for JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from permutree.drawing.measures import columns
from permutree.sanitising import csv_cell, latex, markup, visible

__all__ = ["Cell", "Table"]

#: a text, a count, a percentage (two decimals) or nothing, where there is nothing to compute a figure from
Cell = str | int | float | None

_RIGHT = ' style="text-align:right"'


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of figures under a title."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]

    def text(self) -> str:
        """The table in aligned columns, texts to the left, figures to the right."""
        texts = [list(self.columns), *([_text(cell) for cell in row] for row in self.rows)]
        cells = [[text and visible(text) for text in row] for row in texts]
        widths = [max(columns(row[column]) for row in cells) for column in range(len(self.columns))]
        is_text = self._is_text()
        lines = [visible(self.title)]
        for row in cells:
            blanks = [" " * (width - columns(cell)) for cell, width in zip(row, widths, strict=True)]
            padded = [
                cell + blank if left else blank + cell for cell, blank, left in zip(row, blanks, is_text, strict=True)
            ]
            lines.append("  ".join(padded).rstrip())
        return "\n".join(lines) + "\n"

    def csv(self) -> str:
        """The table as comma-separated values, with a row of names; figures are not rounded.

        Spreadsheets take a text that begins like a formula for one: such a text has an apostrophe before it.
        """
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(map(_csv, self.columns))
        writer.writerows(map(_csv, row) for row in self.rows)
        return stream.getvalue()

    def latex(self) -> str:
        """The table as a LaTeX tabular, for a document that uses the booktabs package."""
        alignment = "".join("l" if is_text else "r" for is_text in self._is_text())
        lines = [f"% {visible(self.title)}", rf"\begin{{tabular}}{{{alignment}}}", r"\toprule"]
        lines += [_latex_row(self.columns), r"\midrule"]
        lines += [_latex_row([_text(cell, none="--") for cell in row]) for row in self.rows]
        return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])

    def html(self) -> str:
        """The table as an HTML table, for a page that has a style of its own."""
        is_text = self._is_text()
        lines = ["<table>", f"<caption>{markup(visible(self.title))}</caption>"]
        for tag, row in (("th", self.columns), *(("td", row) for row in self.rows)):
            cells = (
                f"<{tag}{'' if left else _RIGHT}>{markup(visible(_text(cell)))}</{tag}>"
                for cell, left in zip(row, is_text, strict=True)
            )
            lines.append(f"<tr>{''.join(cells)}</tr>")
        return "\n".join([*lines, "</table>", ""])

    def _repr_html_(self) -> str:
        return self.html()

    def records(self) -> list[dict[str, Cell]]:
        """A dictionary for each row; percentages have the two decimals that are printed."""
        return [
            {name: round(cell, 2) if isinstance(cell, float) else cell for name, cell in self._named(row)}
            for row in self.rows
        ]

    def _named(self, row: Sequence[Cell]) -> Iterator[tuple[str, Cell]]:
        return zip(self.columns, row, strict=True)

    def _is_text(self) -> list[bool]:
        """Whether each column holds texts."""
        return [any(isinstance(row[column], str) for row in self.rows) for column in range(len(self.columns))]


def _text(cell: Cell, none: str = "–") -> str:
    if cell is None:
        return none
    return f"{cell:.2f}" if isinstance(cell, float) else str(cell)


def _csv(cell: Cell) -> Cell:
    return csv_cell(cell) if isinstance(cell, str) else "" if cell is None else cell


def _latex_row(cells: Sequence[str]) -> str:
    return " & ".join(latex(cell).replace("≤", r"$\leq$").replace("–", "--") for cell in cells) + r" \\"
