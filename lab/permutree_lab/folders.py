"""Where the laboratory keeps things in a checkout: grids, results, constructions, and what is being made."""

from __future__ import annotations

from pathlib import Path

__all__ = ["CONSTRUCTIONS", "GRIDS", "LAB", "home_of"]

LAB = Path(__file__).resolve().parents[1]
GRIDS = LAB / "grids"
CONSTRUCTIONS = LAB / "constructions"


def home_of(grids: Path) -> Path:
    """The folder that holds results and work of a folder of grids: the grids' own, but for those of the laboratory."""
    return LAB if grids.resolve() == GRIDS else grids
