"""Checks what a release needs, and builds its files; nothing is uploaded.

$ make release                           # checks, linters, types, all tests, documentation, wheel and sdist in dist/
$ make release REHEARSE=1                # the same for a version that is still in development
$ python lab/release.py --rehearse       # the checks of this script alone, in seconds
$ python lab/release.py --build dist python3.11 python3.12 python3.13

Checked are: the version, which stands in ``src/permutree/__init__.py`` and agrees with CITATION.cff, the laboratory
and the change log; files that a project has; CITATION.cff; licences; files in git and in its history that are too
large; that nothing is uncommitted; that the Pythons that are named run. ``--build`` then builds wheel and sdist twice,
looks into them, and runs the README with the wheel on each of these Pythons (see ``wheel.py``). A rehearsal takes a
development version and changes that are not committed. Prints each check, and exits with 1 if one failed.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
#: bytes that a file in git may have, and one that is part of a bundled model
LARGEST = 1 << 20
LARGEST_OF_MODELS = 8 << 20
MODELS = "src/permutree/models/"
FILES = (
    "CHANGELOG.md",
    "CITATION.cff",
    "CONTRIBUTING.md",
    "LICENSE",
    "README.md",
    "SECURITY.md",
    ".github/ISSUE_TEMPLATE/config.yml",
    ".github/ISSUE_TEMPLATE/wrong-tree.yml",
)
_VERSION = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)
_RELEASE = re.compile(r"\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?").fullmatch
_DEVELOPED = re.compile(r"\d+\.\d+\.\d+\.dev\d+").fullmatch
_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
_RELEASED = re.compile(r"(\S+) \((\d{4}-\d\d-\d\d)\)").fullmatch


def main() -> None:
    """Check, and build if somebody wants that."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pythons", nargs="*", metavar="PYTHON", help="interpreters to run the README with")
    parser.add_argument("--rehearse", action="store_true", help="take a development version and uncommitted changes")
    parser.add_argument("--build", type=Path, metavar="FOLDER", help="build the wheel and the sdist, and put them here")
    options = parser.parse_args()
    failed = False
    checks: dict[str, Callable[[], Iterator[str]]] = {
        "version": lambda: version_faults(ROOT, options.rehearse),
        "change log": lambda: changelog_faults(ROOT, options.rehearse),
        "files": lambda: missing_files(ROOT),
        "citation": lambda: citation_faults((ROOT / "CITATION.cff").read_text("utf-8")),
        "licences": lambda: licence_faults(ROOT),
        "large files": lambda: large_files(ROOT),
        "git": lambda: uncommitted(ROOT) if not options.rehearse else iter(()),
        "Pythons": lambda: python_faults(options.pythons),
    }
    for name, check in checks.items():
        faults = list(check())
        failed |= bool(faults)
        print(f"{name}: {'ok' if not faults else 'FAILED'}", *(f"  {fault}" for fault in faults), sep="\n", flush=True)
    if options.build and not failed:
        script = str(Path(__file__).with_name("wheel.py"))
        command = [sys.executable, script, *options.pythons, "--keep", str(options.build)]
        failed = subprocess.run(command).returncode != 0
        if not failed:
            print(f"the files are in {options.build}/; docs/contribute/releasing.md says how they are published")
    sys.exit(failed)


def version_of(root: Path) -> str:
    """The version, from the one place where it stands."""
    found = _VERSION.search((root / "src" / "permutree" / "__init__.py").read_text("utf-8"))
    if found is None:
        raise SystemExit("src/permutree/__init__.py has no __version__")
    return found[1]


def version_faults(root: Path, rehearse: bool) -> Iterator[str]:
    """Whether the version is one to release, and the same everywhere."""
    version = version_of(root)
    if not _RELEASE(version) and not (rehearse and _DEVELOPED(version)):
        yield f"{version} is no version to release; say 1.2.3 or 1.2.3rc1 in src/permutree/__init__.py"
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    if "version" in project["project"] or project["tool"]["hatch"]["version"]["path"] != "src/permutree/__init__.py":
        yield "pyproject.toml does not take the version from src/permutree/__init__.py"
    lab = tomllib.loads((root / "lab" / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    if lab != version:
        yield f"lab/pyproject.toml says {lab}, not {version}"
    cited = re.search(r"^version: (\S+)$", (root / "CITATION.cff").read_text("utf-8"), re.MULTILINE)
    if cited is None or cited[1] != version:
        yield f"CITATION.cff says {cited[1] if cited else 'no version'}, not {version}"


def changelog_faults(root: Path, rehearse: bool) -> Iterator[str]:
    """Whether the first section of the change log is that of the version, with a date, and says something."""
    text = (root / "CHANGELOG.md").read_text("utf-8")
    heading = _HEADING.search(text)
    version = version_of(root)
    if heading is None:
        yield "CHANGELOG.md has no section"
        return
    if not text[heading.end() :].partition("\n## ")[0].strip():
        yield f"the section {heading[1]!r} of CHANGELOG.md is empty"
    if rehearse and heading[1] == "Unreleased":
        return
    released = _RELEASED(heading[1])
    if released is None or released[1] != version:
        yield f"the first section of CHANGELOG.md is {heading[1]!r}; it should be '{version} (YYYY-MM-DD)'"
        return
    try:
        date.fromisoformat(released[2])
    except ValueError:
        yield f"the first section of CHANGELOG.md has no date that there is: {released[2]}"


def missing_files(root: Path) -> Iterator[str]:
    """Files that a project should have."""
    for name in FILES:
        if not (root / name).is_file() or not (root / name).read_text("utf-8").strip():
            yield f"there is no {name}"


#: the fields of CITATION.cff that the format (1.2.0) asks for or that are used here, and what they are
_CITED: dict[str, type | tuple[type, ...]] = {
    "abstract": str,
    "authors": list,
    "cff-version": str,
    "date-released": (str, date),
    "doi": str,
    "keywords": list,
    "license": (str, list),
    "message": str,
    "preferred-citation": dict,
    "repository-code": str,
    "title": str,
    "type": str,
    "url": str,
    "version": str,
}
_REFERENCE = {
    "authors": list,
    "collection-title": str,
    "conference": dict,
    "doi": str,
    "end": int,
    "publisher": dict,
    "start": int,
    "title": str,
    "type": str,
    "url": str,
    "year": int,
}


def citation_faults(text: str) -> Iterator[str]:
    """What is wrong with a CITATION.cff: fields that are missing, unknown or of another kind."""
    import yaml

    try:
        found = yaml.safe_load(text)
    except yaml.YAMLError as error:
        yield f"CITATION.cff is no YAML: {error}"
        return
    if not isinstance(found, dict):
        yield "CITATION.cff is no table"
        return
    yield from _field_faults(found, _CITED, ("authors", "cff-version", "message", "title"), "")
    if found.get("cff-version") != "1.2.0":
        yield "CITATION.cff: cff-version is not 1.2.0"
    if found.get("type", "software") not in ("software", "dataset"):
        yield "CITATION.cff: type is neither software nor dataset"
    cited = found.get("preferred-citation")
    if isinstance(cited, dict):
        yield from _field_faults(cited, _REFERENCE, ("authors", "title", "type"), "preferred-citation: ")


def _field_faults(found: dict[str, Any], known: dict[str, Any], needed: tuple[str, ...], where: str) -> Iterator[str]:
    for name in needed:
        if name not in found:
            yield f"CITATION.cff: {where}{name} is missing"
    for name, value in found.items():
        if name not in known:
            yield f"CITATION.cff: {where}{name} is not known"
        elif not isinstance(value, known[name]):
            yield f"CITATION.cff: {where}{name} has no value of its kind: {value!r}"
    for author in found.get("authors") or ():
        if not isinstance(author, dict) or not ({"name", "family-names"} & set(author)):
            yield f"CITATION.cff: {where}an author has no name: {author!r}"


def licence_faults(root: Path) -> Iterator[str]:
    """Whether each bundled model carries its licence, and the package names all of them."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    named = set(re.split(r" AND ", project["license"]))
    found = {"MIT"}
    for config in sorted((root / MODELS).glob("*/config.json")):
        path = config.with_name("LICENSE")
        head = path.read_text("utf-8").partition("\n")[0] if path.is_file() else ""
        if not head.startswith("SPDX-License-Identifier: "):
            yield f"{path.relative_to(root)} does not begin with its SPDX identifier"
        found |= set(head.removeprefix("SPDX-License-Identifier: ").split(" AND ")) - {""}
    if named != found:
        yield f"pyproject.toml names the licences {sorted(named)}, and those of code and models are {sorted(found)}"


def large_files(root: Path) -> Iterator[str]:
    """Files that are too large, in what is committed now or ever was."""
    listed = _git(root, "rev-list", "--objects", "HEAD")
    sizes = subprocess.run(
        ["git", "cat-file", "--batch-check=%(objecttype) %(objectsize) %(rest)"],
        cwd=root,
        input=listed,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    seen: set[str] = set()
    for line in sizes.splitlines():
        kind, size, *name = line.split(" ", 2)
        path = name[0] if name else ""
        limit = LARGEST_OF_MODELS if path.startswith(MODELS) else LARGEST
        if kind == "blob" and int(size) > limit and path not in seen:
            seen.add(path)
            yield f"{path} has, or had, {int(size):,} bytes in git; the most is {limit:,}"


def uncommitted(root: Path) -> Iterator[str]:
    """Files that are not as they were committed."""
    for line in _git(root, "status", "--porcelain").splitlines():
        yield f"not committed: {line[3:]}"


def python_faults(pythons: list[str]) -> Iterator[str]:
    """Interpreters that do not run here, such as names that a version manager has but leads nowhere."""
    for python in pythons:
        try:
            found = subprocess.run([python, "-c", "pass"], capture_output=True).returncode == 0
        except OSError:
            found = False
        if not found:
            yield f"{python} does not run; name those that do: make release PYTHONS='python3.11 /path/to/python3.12'"


def _git(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    main()
