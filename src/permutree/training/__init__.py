"""Training: from treebanks and settings to a model folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from permutree.errors import model_packages

if TYPE_CHECKING:
    from permutree.training.config import Config
    from permutree.training.loop import Result

__all__ = ["train"]


def train(
    config: Config | str | Path, *, on_epoch: Callable[[dict[str, Any]], None] | None = None, **changes: Any
) -> Result:
    """Train a labeller with the settings of a file, or of a name that comes with permutree, some of them changed.

    Changes go by the names of the options of ``permutree train`` (``train``, ``dev``, ``encoding``, …, ``out``) or by
    tables (``training={"batch": 500}``). The same call again goes on where the one before was interrupted.
    """
    from permutree.training.overrides import configure

    with model_packages():
        from permutree.training import loop
    settings = configure(config, changes)
    settings.check_is_no_ablation()
    return loop.train(settings, on_epoch=on_epoch)
