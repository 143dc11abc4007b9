"""The models that come with permutree, each in a folder here that has its name."""

from __future__ import annotations

import logging
import os
from importlib import import_module
from pathlib import Path

from permutree.errors import ConfigError
from permutree.languages.registry import all_languages, language_named

__all__ = ["folder", "name_for", "names"]

_log = logging.getLogger("permutree")
_HERE = Path(__file__).parent
#: what fetches models of the Hub: a plug-in, as it comes after models in the flow
_HUB = "permutree.integrations.hub:fetch"


def names() -> list[str]:
    """The names of the bundled models."""
    return sorted(config.parent.name for config in _HERE.glob("*/config.json"))


def name_for(language: str) -> str:
    """The name of the bundled model that parses a language."""
    known = language_named(language)
    if known.model is None:
        others = ", ".join(code for code, one in all_languages().items() if one.model is not None)
        raise ConfigError(
            f"no model for {known.name} is bundled, only for {others}; use one of your own with --model FOLDER, as "
            "`permutree train` writes it"
        )
    return known.model


def folder(name: str | Path) -> Path:
    """The folder of a model: of a bundled one by its name, of one of the Hub by ``hf:…``, of any other by its path.

    A bundled model comes before a folder of the same name, so that a name means the same wherever one is; such a
    folder is named with its path, as in ``./en``.
    """
    if isinstance(name, str) and name.startswith("hf:"):
        module, _, function = _HUB.partition(":")
        fetched: Path = getattr(import_module(module), function)(name)
        return fetched
    path = Path(name)
    known = names()
    if isinstance(name, str) and name in known:
        if path.is_dir():
            _log.warning("%s is the bundled model; for the folder of that name say .%s%s", name, os.sep, name)
        return _HERE / name
    if isinstance(name, Path) or path.exists() or len(path.parts) != 1:
        return path
    there_are = f"the bundled ones are {', '.join(known)}" if known else "none is bundled with this installation"
    raise ConfigError(
        f"no model {str(name)!r}: {there_are}, and there is no folder of that name; name one of them, or the folder of "
        "a model that `permutree train` wrote"
    )
