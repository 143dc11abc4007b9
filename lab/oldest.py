"""Makes a virtual environment with the lowest versions that ``pyproject.toml`` allows.

$ make test-oldest
$ make test-oldest WITH=torch==2.13.0

What the requirements need in turn is as new as it can be beside them. PyTorch is a build for CPUs, from its own index:
the one of PyPI brings gigabytes for GPUs. Where that index is out of reach, name a version of which a build is in a
folder that pip looks into (its setting ``find-links``, or ``PIP_FIND_LINKS``). Other packages can be named alike, to
try a version.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from lock import ROOT, build_system, declared, links, name_of


def build_here(requirement: str, folders: Sequence[str]) -> str:
    """A requirement with the version that a build in one of the folders has: ``torch==2.13.0`` is one for CPUs.

    Without that, the same version of the index would be taken for the lower one.
    """
    name, exact, version = requirement.partition("==")
    builds = (file for folder in folders for file in sorted(Path(folder).glob(f"{name}-{version}+*.whl")))
    found = next(builds, None)
    return f"{name}=={found.name.split('-')[1]}" if exact and found is not None else requirement


def main() -> None:
    """Make the environment, and install permutree and the laboratory in it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("versions", nargs="*", metavar="NAME==VERSION", help="instead of the lowest version")
    options = parser.parse_args()
    folders = links()
    named = [build_here(requirement, folders) for requirement in options.versions]
    uv = [sys.executable, "-m", "uv"]
    python = ["--python", str(options.folder / "bin" / "python")]
    subprocess.run([*uv, "venv", "--clear", "--seed", "--python", sys.executable, str(options.folder)], check=True)
    install = [*uv, "pip", "install", *python]
    settings = ["--compile-bytecode", "--resolution", "lowest-direct"]
    settings += [part for folder in folders for part in ("--find-links", folder)]
    if "torch" not in map(name_of, named):
        settings += ["--torch-backend", "cpu"]
    subprocess.run([*install, *settings, *declared("test"), *build_system(), *named], check=True)
    ours = ["--editable", str(ROOT), "--editable", str(ROOT / "lab")]
    subprocess.run([*install, "--no-deps", "--no-build-isolation", *ours], check=True)


if __name__ == "__main__":
    main()
