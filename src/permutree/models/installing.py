"""Downloads, installs and removes model packages with pip: without dependencies, and without building anything."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from permutree.errors import ConfigError
from permutree.languages.registry import all_languages
from permutree.models.packages import PREFIX
from permutree.models.wheels import is_version

__all__ = ["download", "install", "remove", "requirement_of"]

_QUIET = ("--disable-pip-version-check", "--no-input", "--quiet")
_NAME = re.compile(r"(?:permutree[-_]model[-_])?([a-z][a-z0-9]*(?:[-_][a-z0-9]+)*)(?:==(.+))?").fullmatch


def requirement_of(text: str) -> str | None:
    """The package that a name means, for pip; None if it is no name.

    >>> requirement_of("sv"), requirement_of("permutree-model-de-law==1.2"), requirement_of("a b")
    ('permutree-model-sv', 'permutree-model-de-law==1.2', None)
    """
    found = _NAME(text)
    if found is None or (found[2] is not None and not is_version(found[2])):
        return None
    name = PREFIX + found[1].replace("_", "-")
    return name if found[2] is None else f"{name}=={found[2]}"


def download(requirement: str, folder: Path) -> Path:
    """The wheel of a package, from where pip looks for packages; nothing is built, so nothing is run."""
    _pip("download", "--no-deps", "--only-binary", ":all:", "--dest", str(folder), requirement)
    wheels = list(folder.glob("*.whl"))
    if len(wheels) != 1:
        raise ConfigError(f"pip found no wheel of {requirement}")
    return wheels[0]


def install(wheel: Path) -> None:
    """Install a wheel, in place of any version that is there."""
    _pip("install", "--no-deps", "--no-index", "--force-reinstall", str(wheel))
    _forget()


def remove(distribution: str) -> None:
    """Remove a package."""
    _pip("uninstall", "--yes", distribution)
    _forget()


def _pip(command: str, *arguments: str) -> None:
    """Run pip; a ConfigError with what it says if it fails."""
    if find_spec("pip") is None:
        way_out = " ".join(["uv pip", command, *arguments[-1:]])
        raise ConfigError(f"this Python has no pip: run `{way_out}`, or `{sys.executable} -m ensurepip` and try again")
    done = subprocess.run(
        [sys.executable, "-m", "pip", command, *_QUIET, *arguments], capture_output=True, text=True, errors="replace"
    )
    if done.returncode:
        said = [line.removeprefix("ERROR: ") for line in done.stderr.splitlines() if line.strip()]
        raise ConfigError(f"pip {command} failed: {' '.join(said[-3:]) or f'exit status {done.returncode}'}")


def _forget() -> None:
    """Look at what is installed anew."""
    importlib.invalidate_caches()
    all_languages.cache_clear()
