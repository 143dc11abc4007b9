"""Results brought up to date with the settings of today's permutree.

A row of results has the settings of its cell and a key that is made from them. When settings get other names or other
defaults, the same cell has another key. Here rows are found by their places on the axes of their experiments, and get
the keys and settings that the grids have today. The models were trained before, so this is right only as long as the
new settings mean what the old ones did.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from permutree.errors import ConfigError
from permutree.formats.sinks import whole_file
from permutree_lab.grid import Cell, Experiment, Place, place_of
from permutree_lab.results import Result, read_rows

__all__ = ["Renaming", "rekey"]

#: the identity of a cell as it is in rows, where "tagger" is how many of the tags are right
_IDENTITY = ("settings", "data", "sentences", "count", "more")


@dataclass(frozen=True, slots=True)
class Renaming:
    """A value of an axis that has another name from now on, written as in ``tags:own=joint``."""

    axis: str
    old: str
    new: str

    @classmethod
    def parse(cls, text: str) -> Renaming:
        """The renaming that a text describes.

        >>> Renaming.parse("tags:own=joint")
        Renaming(axis='tags', old='own', new='joint')
        """
        axis, colon, values = text.partition(":")
        old, equals, new = values.partition("=")
        if not (colon and equals and axis and old and new):
            raise ConfigError(f"expected axis:old=new, such as tags:own=joint, not {text!r}")
        return cls(axis, old, new)

    def apply(self, coordinates: Mapping[str, str]) -> dict[str, str]:
        """The place under its new name."""
        return {
            axis: self.new if (axis, value) == (self.axis, self.old) else value for axis, value in coordinates.items()
        }


def rekey(experiments: Iterable[Experiment], folder: Path, renamings: Iterable[Renaming] = ()) -> dict[Path, int]:
    """Bring the rows of all files in a folder of results up to date; how many were changed, by file.

    Rows of archived experiments keep their keys and settings, but not the names of values that are renamed.
    """
    renamings = list(renamings)
    cells = {cell.place: cell for one in experiments if one.archived is None for cell in one.cells}
    changed: dict[Path, int] = {}
    for path in sorted(folder.rglob("*.jsonl")):
        rows = read_rows(path)
        new = [_renewed(_renamed(row, "cell", renamings), path.stem, cells) for row in rows]
        _write(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in new), rows, new, changed)
    for path in sorted(folder.glob("claims/*.json")):
        rows = json.loads(path.read_text("utf-8"))
        new = [_renamed(row, "where", renamings) for row in rows]
        _write(path, json.dumps(new, indent=1, ensure_ascii=False) + "\n", rows, new, changed)
    return changed


def _renamed(row: Result, name: str, renamings: Iterable[Renaming]) -> Result:
    """A row whose place, in a field of that name, has the new names."""
    for renaming in renamings:
        if name in row:
            row = row | {name: renaming.apply(row[name])}
    return row


def _renewed(row: Result, stem: str, cells: Mapping[Place, Cell]) -> Result:
    """A row with the key and the settings that its cell has today."""
    cell = cells.get(place_of(row.get("experiment", stem), row.get("cell", {})))
    if cell is None:
        return row
    if "experiment" not in row:
        # A speed, in a file that is named like its experiment, has no settings.
        return row | {"key": cell.key}
    identity = {name: value for name, value in cell.identity.items() if name in _IDENTITY}
    kept = {name: value for name, value in row.items() if name not in _IDENTITY or name in identity}
    return kept | {"key": cell.key} | identity


def _write(path: Path, text: str, old: list[Result], new: list[Result], changed: dict[Path, int]) -> None:
    """Write a file anew if a row has changed."""
    count = sum(before != after for before, after in zip(old, new, strict=True))
    if count:
        changed[path] = count
        with whole_file(path) as temporary:
            temporary.write_text(text, "utf-8")
