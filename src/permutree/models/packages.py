"""Models that were installed as packages, ``permutree-model-NAME``: where they are, and what they say of themselves.

Such a package holds a model folder and metadata, and nothing that runs. Its entry point in the group
``permutree.models`` says how the model is called and which folder it is; it is read, never loaded. Only packages whose
name begins with ``permutree-model-`` are looked at, so that a start does not read the metadata of all that is
installed.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

__all__ = [
    "GROUP",
    "PREFIX",
    "InstalledLanguage",
    "Package",
    "installed",
    "installed_languages",
    "is_name",
    "language_of",
    "parses_text",
    "settings_of",
]

#: the entry points by which a package says which model it has
GROUP = "permutree.models"
#: what the names of packages begin with
PREFIX = "permutree-model-"

_START = PREFIX.replace("-", "_")
_FOLDER = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*", re.ASCII).fullmatch
#: bytes of a config.json that are read to learn a language; one that is larger is no model's
_MOST_SETTINGS = 64 << 20
#: characters of the name of a language
_MOST_NAME = 60

is_name = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*").fullmatch


@dataclass(frozen=True, slots=True)
class Package:
    """A model that was installed as a package."""

    #: what the model is called
    name: str
    #: what the package is called, and its version
    distribution: str
    version: str
    folder: Path


class InstalledLanguage(NamedTuple):
    """A language that an installed model parses."""

    code: str
    name: str
    model: str


def installed() -> dict[str, Package]:
    """The installed models by their names; where two packages give a model the same name, the first on the path."""
    found: dict[str, Package] = {}
    seen: set[str] = set()
    for folder in sys.path:
        for metadata in _metadata_folders(folder):
            for package in _packages(metadata):
                if package.distribution not in seen:
                    found.setdefault(package.name, package)
        seen |= {package.distribution for package in found.values()}
    return dict(sorted(found.items()))


def _metadata_folders(folder: str) -> list[Path]:
    """The metadata of packages of models in a folder where Python looks for packages."""
    try:
        with os.scandir(folder or os.curdir) as entries:
            names = [entry.name for entry in entries if entry.name.lower().startswith(_START)]
    except OSError:
        return []
    return [Path(folder, name) for name in sorted(names) if name.endswith(".dist-info")]


def _packages(metadata: Path) -> Iterator[Package]:
    """The models of a package; what cannot be read has none."""
    from importlib.metadata import PathDistribution

    try:
        distribution = PathDistribution(metadata)
        name, version = distribution.metadata["Name"], distribution.metadata["Version"]
        points = list(distribution.entry_points.select(group=GROUP))
    except (AttributeError, KeyError, OSError, UnicodeError, ValueError):
        return
    if not name or not version:
        return
    for point in points:
        if is_name(point.name) and _FOLDER(point.value):
            folder = metadata.parent.joinpath(*point.value.split("."))
            yield Package(point.name, re.sub(r"[-_.]+", "-", name).lower(), version, folder.absolute())


def settings_of(folder: Path) -> dict[str, Any]:
    """What ``config.json`` of a model says; nothing if it cannot be read."""
    try:
        with (folder / "config.json").open("rb") as file:
            settings = json.loads(file.read(_MOST_SETTINGS))
    except (OSError, ValueError, RecursionError):
        return {}
    return settings if isinstance(settings, dict) else {}


def language_of(folder: Path) -> str | None:
    """The code of the language that a model was made for, if it says so."""
    facts = settings_of(folder).get("facts")
    code = facts.get("language") if isinstance(facts, dict) else None
    return code if isinstance(code, str) and is_name(code) else None


def parses_text(folder: Path) -> bool:
    """Whether a model makes trees of raw text: a tagger does not, nor one that reads tags."""
    model = settings_of(folder).get("model")
    if not isinstance(model, dict):
        return False
    return model.get("task", "parse") == "parse" and model.get("tags") not in ("gold", "predicted")


def installed_languages() -> list[InstalledLanguage]:
    """The languages that installed models parse raw text of, each once: first by the model that has its name."""
    found: dict[str, InstalledLanguage] = {}
    for package in sorted(installed().values(), key=lambda one: (one.name.count("-"), one.name)):
        code = language_of(package.folder)
        if code is not None and parses_text(package.folder):
            name = settings_of(package.folder)["facts"].get("language name")
            is_plain = isinstance(name, str) and name.isprintable() and 0 < len(name) <= _MOST_NAME
            found.setdefault(code, InstalledLanguage(code, name if is_plain else code, package.name))
    return list(found.values())
