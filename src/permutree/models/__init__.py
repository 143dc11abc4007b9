"""Models by name: those that come with permutree, each in a folder here that has its name, and installed packages."""

from __future__ import annotations

import logging
import os
from importlib import import_module
from pathlib import Path

from permutree.errors import ConfigError
from permutree.languages.registry import all_languages, language_named
from permutree.models.packages import PREFIX, installed

__all__ = ["bundled", "folder", "name_for", "names"]

_log = logging.getLogger("permutree")
_HERE = Path(__file__).parent
#: what fetches models of the Hub: a plug-in, as it comes after models in the flow
_HUB = "permutree.integrations.hub:fetch"


def bundled() -> list[str]:
    """The names of the models that come with permutree."""
    return sorted(config.parent.name for config in _HERE.glob("*/config.json"))


def names() -> list[str]:
    """The names of all models that need no path: the bundled ones, then those that were installed as packages."""
    known = bundled()
    return known + [name for name in installed() if name not in known]


def name_for(language: str) -> str:
    """The name of the model that parses a language: the bundled one, or an installed one if none is bundled."""
    known = language_named(language)
    if known.model is None:
        others = ", ".join(code for code, one in all_languages().items() if one.model is not None)
        raise ConfigError(
            f"there is no model for {known.name}, only for {others}; use one of your own with --model FOLDER, as "
            "`permutree train` writes it, or see and install others with `permutree models`"
        )
    return known.model


def folder(name: str | Path) -> Path:
    """The folder of a model: by the name of a bundled or installed one, by ``hf:…`` of the Hub, or by its path.

    A bundled or installed model comes before a folder of the same name, so that a name means the same wherever one is;
    such a folder is named with its path, as in ``./en``.
    """
    if isinstance(name, str) and name.startswith("hf:"):
        module, _, function = _HUB.partition(":")
        fetched: Path = getattr(import_module(module), function)(name)
        return fetched
    path = Path(name)
    if isinstance(name, Path) or len(path.parts) != 1 or name != path.name:
        return path
    known, packages = bundled(), installed()
    if name in known or name in packages:
        what = "bundled" if name in known else "installed"
        if path.is_dir():
            _log.warning("%s is the %s model; for the folder of that name say .%s%s", name, what, os.sep, name)
        return _HERE / name if name in known else packages[name].folder
    if path.exists():
        return path
    there_are = f"the bundled ones are {', '.join(known)}" if known else "none is bundled with this installation"
    there_are += f", the installed ones {', '.join(packages)}" if packages else ""
    raise ConfigError(
        f"no model {name!r}: {there_are}, and there is no folder of that name; `permutree models list` shows models, "
        f"`permutree models install {name}` installs the package {PREFIX}{name} if there is one, and a model that "
        "`permutree train` wrote is named by its folder"
    )
