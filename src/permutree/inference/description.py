"""What a model is, in plain data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from permutree.encoding.codec import COMPONENTS
from permutree.labeling.features import WordFeatures
from permutree.labeling.model import Model
from permutree.settings import as_dict

__all__ = ["describe"]


def describe(folder: str | Path) -> dict[str, Any]:
    """The settings, size, labels, training data and dev scores of the model in a folder."""
    folder = Path(folder)
    model = Model.load(folder)
    training = model.facts.get("training", {})
    data = training.get("data", {})
    vocabularies = {}
    if isinstance(model.features, WordFeatures):
        # Two places are those of padding and of what is unknown.
        names = ("words", "characters", "tags") if model.config.reads_tags else ("words", "characters")
        vocabularies = {name: len(getattr(model.features, name)) - 2 for name in names}
    else:
        vocabularies = {"sub-words": model.features.vocabulary_size}
    labels = {component: len(getattr(model.codec, component)) for component in COMPONENTS} if model.codec else {}
    if model.config.predicts_tags:
        labels["tags"] = len(model.tags)
    return {
        "folder": str(folder),
        "model": as_dict(model.config),
        "weights": model.parameters,
        "bytes": (folder / "model.safetensors").stat().st_size,
        "vocabularies": vocabularies,
        "labels": labels,
        "data": {name: list(data.get(name, ())) for name in ("train", "dev", "train_tags", "dev_tags")},
        "training": training,
        "facts": {name: value for name, value in model.facts.items() if name not in ("training", "dev")},
        "dev": model.facts.get("dev", {}),
    }
