"""Builds the wheel and the sdist twice, looks into them, and runs the README with the wheel on several Pythons.

$ python lab/wheel.py                                          # contents, metadata, size, the same bytes twice
$ python lab/wheel.py python3.11 python3.12 python3.13         # then the README in a clean environment of each
$ python lab/wheel.py python3.13 --train --keep dist           # with PyTorch, for `permutree train`; keep the files

For each Python, a new virtual environment gets the wheel and what it needs from an index of packages, and runs the
README's commands and Python as they stand, on small files under the names that it uses. The extra ``search`` is there,
``train`` only with ``--train``, as it is large; without it, `permutree train` must end in the message that says how to
install PyTorch. Prints what was found, and exits with 1 if anything failed. Needs uv.
"""

from __future__ import annotations

import argparse
import fnmatch
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from email.parser import HeaderParser
from importlib import import_module
from pathlib import Path
from typing import Any

from extras import ROOT, run

#: bytes that the wheel may have
LARGEST = 40 << 20
#: when files in the archives were changed, if nothing else says so: the first second of 2024
EPOCH = "1704067200"
#: what the wheel may hold, beside its metadata
WHEEL = (
    "permutree/*.py",
    "permutree/py.typed",
    "permutree/evaluation/*.prm",
    "permutree/languages/*.tsv",
    "permutree/models/*/LICENSE",
    "permutree/models/*/README.md",
    "permutree/models/*/*.json",
    "permutree/models/*/*.onnx",
    "permutree/search/*.lark",
    "permutree/search/*.tig",
    "permutree/serving/page/*",
    "permutree/training/presets/*.toml",
)
METADATA = ("METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/*", "sboms/permutree.cdx.json")
#: what the sdist may hold, beside the package itself
SDIST = (
    "src/permutree/*",
    "LICENSE",
    "README.md",
    "CHANGELOG.md",
    "CITATION.cff",
    "SECURITY.md",
    "PKG-INFO",
    "pyproject.toml",
    "hatch_build.py",
    ".gitignore",
)
NEVER = ("*/__pycache__/*", "*.pyc", "*.pyo", "*/.*", "*.orig", "*.rej", "*~", "*.pt", "*.pkl", "*.safetensors")
HINT = "https://download.pytorch.org/whl/cpu"
_NEEDED = ("License-Expression", "License-File", "Project-URL", "Classifier", "Requires-Python", "Summary", "Keywords")


def main() -> None:
    """Build, look, run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pythons", nargs="*", metavar="PYTHON", help="interpreters to run the README with")
    parser.add_argument("--train", action="store_true", help="install PyTorch, and run the README's training")
    parser.add_argument("--index", metavar="URL", help="a further index, such as that of PyTorch for CPUs")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="put the wheel and the sdist here")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        wheel, sdist, faults = build_twice(folder)
        faults += [f"{wheel.name}: {fault}" for fault in wheel_faults(wheel)]
        faults += [f"{sdist.name}: {fault}" for fault in sdist_faults(sdist)]
        for file in (wheel, sdist):
            digest = hashlib.sha256(file.read_bytes()).hexdigest()
            print(f"{file.name}  {file.stat().st_size / 1e6:.1f} MB  sha256 {digest}", flush=True)
        for fault in faults:
            print(f"FAILED: {fault}", flush=True)
        for python in options.pythons if not faults else ():
            faults += run_readme(python, wheel, folder / "environment", options.train, options.index)
        if options.keep and not faults:
            options.keep.mkdir(parents=True, exist_ok=True)
            for file in (wheel, sdist):
                shutil.copyfile(file, options.keep / file.name)
    sys.exit(bool(faults))


def build_twice(folder: Path) -> tuple[Path, Path, list[str]]:
    """The wheel and the sdist, and a fault if a second build from another copy of the tree gives other bytes."""
    found: list[tuple[Path, Path]] = []
    copy_tree(folder / "copy1")
    # With other times, and in another order on the disk.
    shutil.copytree(folder / "copy1", folder / "copy2", copy_function=shutil.copyfile)
    for number in (1, 2):
        copy, out = folder / f"copy{number}", folder / f"out{number}"
        build(copy, out)
        found.append((next(out.glob("*.whl")), next(out.glob("*.tar.gz"))))
        shutil.rmtree(copy)
    faults = [
        f"{first.name}: a second build has other bytes"
        for first, second in zip(*found, strict=True)
        if first.read_bytes() != second.read_bytes()
    ]
    return *found[0], faults


def copy_tree(target: Path) -> None:
    """The files of the checkout that git knows, or would know, with times of their own."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target / name)


def build(checkout: Path, out: Path) -> None:
    """Build both from a checkout, with the hatchling that is here."""
    environment = os.environ | {"SOURCE_DATE_EPOCH": os.environ.get("SOURCE_DATE_EPOCH", EPOCH)}
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(out), "-t", "wheel", "-t", "sdist"]
    done = subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"the wheel cannot be built: {done.stderr.strip()}")


def wheel_faults(wheel: Path) -> Iterator[str]:
    """What is wrong with a wheel."""
    if wheel.stat().st_size > LARGEST:
        yield f"has {wheel.stat().st_size:,} bytes, more than {LARGEST:,}"
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        folder = next(name for name in names if name.endswith(".dist-info/METADATA")).removesuffix("METADATA")
        metadata = HeaderParser().parsestr(archive.read(f"{folder}METADATA").decode())
    allowed = [*WHEEL, *(f"{folder}{name}" for name in METADATA)]
    yield from strangers(names, allowed)
    for name in ("permutree/py.typed", f"{folder}sboms/permutree.cdx.json", f"{folder}entry_points.txt"):
        if name not in names:
            yield f"has no {name}"
    for field in _NEEDED:
        if not metadata.get_all(field):
            yield f"its metadata have no {field}"
    for file in metadata.get_all("License-File") or ():
        if f"{folder}licenses/{file}" not in names:
            yield f"has no licence {file}, which its metadata name"
    models = {name.split("/")[2] for name in names if fnmatch.fnmatch(name, "permutree/models/*/config.json")}
    for model in sorted(models):
        if f"permutree/models/{model}/LICENSE" not in names:
            yield f"the model {model} has no licence"
    if not models:
        yield "has no model"


def sdist_faults(sdist: Path) -> Iterator[str]:
    """What is wrong with an sdist."""
    with tarfile.open(sdist) as archive:
        names = [member.name.partition("/")[2] for member in archive if member.isfile()]
    yield from strangers(names, SDIST)
    for name in ("pyproject.toml", "hatch_build.py", "LICENSE", "README.md", "src/permutree/py.typed"):
        if name not in names:
            yield f"has no {name}"


def strangers(names: list[str], allowed: tuple[str, ...] | list[str]) -> Iterator[str]:
    """A fault for each file that has no place in an archive."""
    for name in names:
        belongs = any(fnmatch.fnmatch(name, pattern) for pattern in allowed)
        if not belongs or (any(fnmatch.fnmatch(name, pattern) for pattern in NEVER) and name not in allowed):
            yield f"has {name}, which does not belong there"


def run_readme(python: str, wheel: Path, folder: Path, train: bool, index: str | None) -> list[str]:
    """Install the wheel in a clean environment, and run what the README says; the faults."""
    start = time.perf_counter()
    readme = _readme_tests()
    uv = [sys.executable, "-m", "uv"]
    fault = run([*uv, "venv", "--quiet", "--clear", "--python", python, str(folder)], ROOT)
    here = folder / ("Scripts" if sys.platform == "win32" else "bin")
    extras = "search,train" if train else "search"
    further = ["--extra-index-url", index, "--index-strategy", "unsafe-best-match"] if index else []
    install = [*uv, "pip", "install", "--quiet", *further, "--python", str(here / "python")]
    fault = fault or run([*install, f"permutree[{extras}] @ {wheel.as_uri()}"], ROOT)
    faults = [f"{python}: {fault}"] if fault else []
    count = 0
    for line, needs in readme_lines(readme.README, readme.commands) if not faults else ():
        count += 1
        faults += [f"{python}: {fault}" for fault in run_line(line, needs, here, folder, train, readme)]
    if not faults:
        code = "\n".join(readme.blocks(readme.README, "python"))
        fault = run([str(here / "python"), "-I", "-W", "error", "-c", code], folder)
        faults += [f"{python}: the README's Python: {fault}"] if fault else []
    state = "ok" if not faults else "FAILED"
    print(f"{python}: README, {count} commands and Python, {time.perf_counter() - start:.0f} s  {state}", flush=True)
    for fault in faults:
        print(f"FAILED: {fault}", flush=True)
    return faults


def _readme_tests() -> Any:
    """The tests of the README, which know its commands and the files that they use."""
    sys.path.insert(0, str(ROOT / "tests" / "docs"))
    return import_module("test_readme")


def readme_lines(text: str, commands: Callable[[str], list[str]]) -> Iterator[tuple[str, bool]]:
    """The commands of the README, and whether each needs PyTorch."""
    for line in commands(text):
        yield line, bool(re.search(r"permutree (?:train\b|export\b|.*--model model\b)", line))


def run_line(line: str, needs_train: bool, here: Path, folder: Path, train: bool, readme: Any) -> Iterator[str]:
    """The faults of one command of the README."""
    place = folder / "readme"
    if not place.exists():
        place.mkdir()
        readme.write_files(place)
        if train:
            wrapper = folder / "wrapper" / "permutree"
            wrapper.parent.mkdir()
            tiny = str(readme.TINY).replace("\n", " ")
            text = f'#!/bin/sh\nif [ "$1" = train ]; then set -- "$@" {tiny}; fi\nexec "{here}/permutree" "$@"\n'
            wrapper.write_text(text, "utf-8")
            wrapper.chmod(0o755)
    path = os.pathsep.join([str(folder / "wrapper"), str(here), "/usr/bin", "/bin"])
    environment = {"PATH": path, "HOME": str(place), "LANG": "C.UTF-8", "OMP_NUM_THREADS": "1"}
    command = ["bash", "-o", "pipefail", "-c", line]
    done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, encoding="utf-8")
    if not needs_train or train:
        if done.returncode:
            yield f"{line}: {done.stderr.strip().splitlines()[-1:]}"
    elif "permutree train" in line and HINT not in done.stderr:
        yield f"{line}: does not say how to install PyTorch: {done.stderr.strip()}"
    elif not done.returncode:
        yield f"{line}: succeeded without PyTorch"


if __name__ == "__main__":
    main()
