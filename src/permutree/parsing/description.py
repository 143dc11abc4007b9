"""The description of a model as plain data, for ``permutree info``."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from permutree.errors import DataError
from permutree.model.features import WordFeatures
from permutree.model.folder import GRAPHS, WEIGHTS, Outline
from permutree.models import folder as folder_of
from permutree.settings import as_dict

__all__ = ["describe"]


def describe(model: str | Path) -> dict[str, Any]:
    """The settings, size, labels, training data and dev scores of a bundled model, or of the one in a folder."""
    folder = folder_of(model)
    outline = Outline.read(folder)
    training = outline.training
    data = training.get("data", {})
    vocabularies = {}
    if isinstance(outline.features, WordFeatures):
        # Two places are those of padding and of what is unknown.
        names = ("words", "characters", "tags") if outline.config.reads_tags else ("words", "characters")
        vocabularies = {name: len(getattr(outline.features, name)) - 2 for name in names}
    else:
        vocabularies = {"sub-words": outline.features.vocabulary_size}
    has_graphs = (folder / GRAPHS[1]).exists()
    weights = outline.facts.get("weights")
    if (folder / WEIGHTS).exists() or not has_graphs:
        weights = _count_weights(folder / WEIGHTS)
    # Weights of BiLSTMs and convolutions over words can be read back out of graphs.
    runs_in_torch = (folder / WEIGHTS).exists() or outline.config.encoder.kind in ("bilstm", "convolution")
    files = [folder / name for name in (WEIGHTS, *GRAPHS)]
    return {
        "folder": str(folder),
        "model": as_dict(outline.config) | {"encoding": outline.config.permutation.name},
        "weights": weights,
        "bytes": sum(file.stat().st_size for file in files if file.exists()),
        "engines": [*(["ONNX Runtime"] if has_graphs else []), *(["PyTorch"] if runs_in_torch else [])],
        "vocabularies": vocabularies,
        "labels": outline.sizes,
        "data": {name: list(data.get(name, ())) for name in ("train", "dev", "train_tags", "dev_tags", "tagged")},
        "training": training,
        "facts": {name: value for name, value in outline.facts.items() if name != "dev"},
        "dev": outline.facts.get("dev", {}),
    }


def _count_weights(path: Path) -> int:
    """The number of weights in a file, by what its head says of them."""
    try:
        with path.open("rb") as file:
            size = int.from_bytes(file.read(8), "little")
            head: Any = json.loads(file.read(size)) if 0 < size < path.stat().st_size else None
        tensors = [entry for name, entry in head.items() if name != "__metadata__"]
        if 8 + size + max(entry["data_offsets"][1] for entry in tensors) != path.stat().st_size:
            raise ValueError("the file has another size than it says")
        return sum(math.prod(entry["shape"]) for entry in tensors)
    except FileNotFoundError:
        raise DataError("the weights are missing", source=str(path)) from None
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise DataError(f"damaged weights: {error}", source=str(path)) from None
