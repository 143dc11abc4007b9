"""Is a model whole? Its files are there, have their checksums, and fit together."""

from __future__ import annotations

from pathlib import Path

from permutree.errors import DataError
from permutree.model.checksums import CONFIG
from permutree.model.folder import ALL_FILES, GRAPHS, WEIGHTS, Outline

__all__ = ["verify"]


def verify(folder: Path) -> int:
    """How many files of a model have their checksums, 0 if it lists none; a DataError if one differs or is missing."""
    outline = Outline.read(folder)
    known = outline.checksums.known
    for name in known:
        if name not in ALL_FILES:
            raise DataError("lists a file that no model has; export or train the model anew", source=str(folder / name))
        if name != CONFIG:
            if not (folder / name).is_file():
                raise DataError(
                    "missing; copy the whole folder again, or install the model anew", source=str(folder / name)
                )
            outline.checksums.check(name)
    if not any((folder / name).is_file() for name in (GRAPHS[1], WEIGHTS)):
        raise DataError(f"has neither {GRAPHS[1]} nor {WEIGHTS}: there is nothing to run", source=str(folder))
    return len(known)
