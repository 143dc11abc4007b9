"""Model folders of the first layout, read as those of today.

Their ``config.json`` holds a switch for each part of what is now the labeller ``reread``, the settings of training
among them. Parts that are gone did not change what a model predicts, or not for the better: absolute levels beside
relative ones (``depth``) are not read any more.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from permutree.errors import DataError

__all__ = ["from_version_1"]


def from_version_1(settings: Mapping[str, Any], source: str) -> dict[str, Any]:
    """The settings of a folder of version 1 in today's words."""
    model = settings.get("model")
    if not isinstance(model, Mapping):
        raise DataError("its config.json does not say what the model is", source=source)
    if model.get("task") == "mask":
        raise DataError("an encoder for masked words, which this permutree has no use for", source=source)
    today = dict(model)
    if model.get("tags") == "own":
        today["tags"] = "joint"
    if hidden := model.get("second_reading", 0):
        today["labeller"] = "reread"
        today["reread"] = {"hidden": hidden, "ends": model.get("ends", 0)}
        is_there = {"edges": model.get("edges", False), "final-punctuation": model.get("closing", False)}
        today["ablate"] = [part for part, is_used in is_there.items() if not is_used]
    facts = dict(settings.get("facts", {}))
    return {**settings, "model": today, "facts": facts, "training": facts.pop("training", {})}
