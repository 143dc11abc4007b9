"""Writes ``requirements/``: every package that `make` installs, in one version, with the checksums of its files.

$ make lock

The versions are those of ``constraints.txt``, and the newest ones for what it does not name. uv finds them for every
system and for Python 3.11 and newer; pip then takes no file with another checksum (`pip install --require-hashes`).

parse.txt   what parsing needs
build.txt   what installs permutree itself
docs.txt    what builds the documentation site
test.txt    what training, tests and linters need besides, but for PyTorch
torch.txt   PyTorch: the files of PyPI, and builds of the same version that are here (``--find-links`` of pip), such as
            the one for CPUs only
cuda.txt    what the PyTorch of PyPI needs besides, on Linux
lock.txt    uv, for this script
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "requirements"
#: what hatchling wants for an editable installation
BUILD = ("editables>=0.5",)
_NAME = re.compile(r"[A-Za-z0-9._-]+")
_CUDA = re.compile(r"(nvidia|cuda)-|triton$")
_HEAD = "# Made by `make lock`; pip install --require-hashes --no-deps --requirement this file\n"


def name_of(requirement: str) -> str:
    """The name of a package as PyPI spells it.

    >>> name_of("resvg_py>=0.4"), name_of("permutree[train]")
    ('resvg-py', 'permutree')
    """
    found = _NAME.match(requirement)
    assert found is not None
    return re.sub(r"[-_.]+", "-", found[0]).lower()


def declared(*extras: str) -> list[str]:
    """The requirements of permutree with these extras, and of the laboratory with those of tests."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    found = list(project["dependencies"])
    wanted = list(extras)
    for extra in wanted:
        for requirement in project["optional-dependencies"][extra]:
            if name_of(requirement) == "permutree":
                wanted += [name.strip() for name in requirement.partition("[")[2].partition("]")[0].split(",")]
            else:
                found.append(requirement)
    if "test" in extras:
        lab = tomllib.loads((ROOT / "lab" / "pyproject.toml").read_text("utf-8"))["project"]
        found += [requirement for requirement in lab["dependencies"] if name_of(requirement) != "permutree"]
    return list(dict.fromkeys(found))


def build_system() -> list[str]:
    """What the build needs."""
    return [*tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["build-system"]["requires"], *BUILD]


def locked(requirements: Iterable[str]) -> dict[str, str]:
    """The entries of all packages that the requirements need, by name: version, marker, checksums."""
    with tempfile.TemporaryDirectory() as folder:
        wanted = Path(folder) / "wanted.in"
        wanted.write_text("".join(f"{requirement}\n" for requirement in requirements), "utf-8")
        command = [sys.executable, "-m", "uv", "pip", "compile", str(wanted), "--universal", "--python-version", "3.11"]
        command += ["--generate-hashes", "--no-annotate", "--no-header", "--quiet"]
        command += ["--constraint", str(ROOT / "constraints.txt")]
        text = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    entries: dict[str, str] = {}
    for entry in re.split(r"\n(?=\S)", text.strip()):
        # A package may have one version for some systems and another for others.
        entries[name_of(entry)] = entries.get(name_of(entry), "") + entry + "\n"
    return entries


def links() -> list[str]:
    """The folders that pip looks into for packages, besides its index."""
    folders = os.environ.get("PIP_FIND_LINKS", "")
    if not folders:
        asked = subprocess.run(
            [sys.executable, "-m", "pip", "config", "get", "global.find-links"], capture_output=True, text=True
        )
        folders = asked.stdout
    return folders.split()


def builds_here(name: str, version: str) -> Iterator[str]:
    """The checksums of builds of a package in the folders that pip looks into."""
    for folder in links():
        for file in sorted(Path(folder).glob(f"{name}-{version}[+-]*.whl")):
            with file.open("rb") as stream:
                yield hashlib.file_digest(stream, "sha256").hexdigest()


def with_builds(entry: str) -> str:
    """An entry with the checksums of the builds that are here, and of those that an earlier run knew."""
    name, _, rest = entry.partition("==")
    version = re.split(r"[ \\]", rest, maxsplit=1)[0]
    known = set(re.findall(r"sha256:([0-9a-f]{64})", entry))
    older = FOLDER / "torch.txt"
    more = set(builds_here(name, version))
    if older.exists() and f"{name}=={version} " in older.read_text("utf-8"):
        more |= set(re.findall(r"sha256:([0-9a-f]{64})", older.read_text("utf-8")))
    return entry.rstrip("\n") + "".join(f" \\\n    --hash=sha256:{digest}" for digest in sorted(more - known)) + "\n"


def main() -> None:
    """Write all files."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    parse, build, uv = locked(declared()), locked(build_system()), locked(["uv"])
    everything = locked(declared("test"))
    cuda = {name: entry for name, entry in everything.items() if _CUDA.match(name)}
    torch = {"torch": with_builds(everything["torch"])}
    docs = {name: everything[name] for name in locked(declared("docs")) if name not in {*parse, *build}}
    test = {name: entry for name, entry in everything.items() if name not in {*cuda, *torch, *parse, *build, *docs}}
    FOLDER.mkdir(exist_ok=True)
    files = {"parse": parse, "build": build, "docs": docs, "test": test, "torch": torch, "cuda": cuda, "lock": uv}
    for name, entries in files.items():
        (FOLDER / f"{name}.txt").write_text(_HEAD + "".join(entries.values()), "utf-8")
        print(f"requirements/{name}.txt: {len(entries)} packages")


if __name__ == "__main__":
    main()
