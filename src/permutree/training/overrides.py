"""Settings changed by short names, as on the command line and in :func:`permutree.train`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from permutree.errors import ConfigError
from permutree.settings import as_dict, set_by_path, settings_from
from permutree.training.config import Config, load_config

__all__ = ["SHORT_NAMES", "configure"]

#: what is set so often that it has a short name; ``encoder`` is one more
SHORT_NAMES = {
    "train": "data.train",
    "dev": "data.dev",
    "train_tags": "data.train_tags",
    "dev_tags": "data.dev_tags",
    "tagged": "data.tagged",
    "encoding": "model.encoding",
    "tags": "model.tags",
    "start": "training.start",
    "seed": "training.seed",
    "epochs": "training.epochs",
}


def configure(config: Config | str | Path, changes: Mapping[str, Any], assignments: Iterable[str] = ()) -> Config:
    """Settings with some of them changed: by short names, dotted names or tables.

    ``encoder`` is bilstm, convolution, transformer, or the name or folder of a pretrained encoder.

    >>> config = configure("fast", {"encoder": "transformer", "training.batch": 500, "optimiser": {"rate": 0.01}})
    >>> config.model.encoder.kind, config.training.batch, config.optimiser.rate
    ('transformer', 500, 0.01)
    """
    values: dict[str, Any] = as_dict(config) if isinstance(config, Config) else {}
    for path, value in _flat(changes):
        *tables, name = path.split(".")
        table = values
        for step in tables:
            table = table.setdefault(step, {})
            if not isinstance(table, dict):
                raise ConfigError(f"{path}: {step} is not a table")
        table[name] = value
    if not isinstance(config, Config):
        return load_config(config, values, assignments)
    for assignment in assignments:
        set_by_path(values, assignment)
    return settings_from(Config, values)


def _flat(changes: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    """All settings by their dotted names."""
    for name, value in changes.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{path}{name}.")
        elif path or name != "encoder":
            yield SHORT_NAMES.get(name, name) if not path else f"{path}{name}", _plain(value)
        elif value in ("bilstm", "convolution", "transformer"):
            yield "model.encoder.kind", value
        else:
            yield "model.encoder.kind", "pretrained"
            yield "model.encoder.pretrained", _plain(value)


def _plain(value: Any) -> Any:
    """Paths as texts."""
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return os.fspath(value) if isinstance(value, os.PathLike) else value
