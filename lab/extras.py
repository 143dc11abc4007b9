"""Tries every light extra in an environment of its own, which has nothing but that extra.

$ python lab/extras.py python3.11 python3.12 python3.13
$ python lab/extras.py python3.13 --extra spacy --extra pandas

The wheel is built once. For each Python and each extra, a new virtual environment gets the wheel with that extra, and
runs the first example of the page in ``docs/guides/``, or the lines that are given here where a page begins with
commands. For each Python, ``pip install --dry-run 'permutree[all]'`` then tells whether all extras together resolve;
nothing is installed. Prints a table, and exits with 1 if anything failed. Needs uv, and an index of packages.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
#: extra → the page whose first example is run
PAGES = {"nltk": "nltk", "notebook": "notebooks", "pandas": "pandas", "spacy": "spacy"}

_TREE = """
from permutree import Tree, read, write

tree = Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))")
"""
#: extra → what is run where no page begins with Python
LINES = {
    "arrow": _TREE + 'write([tree], "trees.parquet")\nassert list(read("trees.parquet")) == [tree]\n',
    "datasets": _TREE
    + """
from permutree.integrations.datasets import load_treebank

write([tree], "trees.discbracket")
assert load_treebank("trees.discbracket")[0]["words"] == list(tree.words)
assert next(iter(load_treebank("trees.discbracket", streaming=True)))["tags"] == list(tree.tags)
""",
    "hub": """
import os

os.environ["HF_HUB_OFFLINE"] = "1"
from permutree import ConfigError, Parser

try:
    Parser.load("hf:nobody/nothing")
except ConfigError as error:
    assert "not in the cache" in str(error), error
else:
    raise SystemExit("a model that is nowhere was loaded")
""",
    "networkx": _TREE + "import networkx\n\nassert networkx.is_arborescence(tree.to_networkx())\n",
    "png": _TREE + 'from permutree.drawing import draw_png\n\nassert draw_png(tree).startswith(b"\\x89PNG")\n',
    "pretrained": """
from tokenizers import Tokenizer, models

from permutree.model.subwords import PieceFeatures

tokenizer = Tokenizer(models.WordPiece({"[UNK]": 0, "[PAD]": 1, "it": 2, "work": 3, "##s": 4}, unk_token="[UNK]"))
features = PieceFeatures(tokenizer.to_str(), window=8, prefix=[], suffix=[], pad=1, unknown=0, special=[0, 1])
assert features.arrays([["it", "works"]], None).pieces.tolist() == [2, 3, 4]
""",
    "search": _TREE
    + """
from permutree import Corpus

corpus = Corpus.of([tree])
assert [match.nodes["n"].text for match in corpus.search('#n:[cat="VP"] & discontinuous(#n)')] == ["How … work"]
assert corpus.count("S < VP", syntax="tregex") == 1
""",
    "serve": """
import re
import signal
import subprocess
import sys

from permutree import Client

command = [sys.executable, "-m", "permutree", "serve", "--lang", "en", "--port", "0", "--workers", "1"]
server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
try:
    said = []
    for line in server.stderr:
        said.append(line)
        if found := re.search("http://[0-9.]+:[0-9]+", line):
            break
    else:
        raise SystemExit("".join(said))
    assert Client(found[0], language="en").parse("What do you want?")[0].is_discontinuous
finally:
    server.send_signal(signal.SIGTERM)
    server.stderr.read()
    assert server.wait(60) == 0, server.returncode
""",
}
EXTRAS = tuple(sorted([*PAGES, *LINES]))


class Row(NamedTuple):
    """What came of one extra under one Python."""

    python: str
    extra: str
    packages: str
    seconds: float
    fault: str = ""


def main() -> None:
    """Build the wheel, try the extras, print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pythons", nargs="+", metavar="PYTHON", help="interpreters to try, by name or path")
    parser.add_argument("--extra", action="append", choices=EXTRAS, help="only these; if not given, all light ones")
    parser.add_argument("--no-all", action="store_true", help="do not resolve permutree[all]")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        wheel = build(folder)
        rows = []
        for python in options.pythons:
            for extra in options.extra or EXTRAS:
                rows.append(try_extra(python, extra, wheel, folder / "environment"))
                show(rows[-1])
            if not options.no_all:
                rows.append(resolve(python, wheel, folder / "environment"))
                show(rows[-1])
    sys.exit(any(row.fault for row in rows))


def build(folder: Path) -> Path:
    """The wheel of this checkout."""
    command = [sys.executable, "-m", "uv", "build", "--wheel", "--quiet", "--out-dir", str(folder), str(ROOT)]
    if fault := run(command, ROOT):
        raise SystemExit(f"the wheel cannot be built: {fault}")
    return next(folder.glob("*.whl"))


def try_extra(python: str, extra: str, wheel: Path, folder: Path) -> Row:
    """Install the wheel with one extra, and run its example."""
    start = time.perf_counter()
    here = _environment(python, folder)
    fault = _install(here, [f"permutree[{extra}] @ {wheel.as_uri()}"])
    fault = fault or run([str(here), "-c", example(extra)], folder)
    fault = fault or run([str(here), "-c", "import importlib.util as u; assert u.find_spec('torch') is None"], folder)
    return Row(_version(here), extra, _packages(here), time.perf_counter() - start, fault)


def resolve(python: str, wheel: Path, folder: Path) -> Row:
    """Whether pip finds versions of all extras that fit together."""
    start = time.perf_counter()
    here = _environment(python, folder)
    # An old pip downloads whole wheels to learn what they need.
    fault = _install(here, ["pip>=25"])
    command = [str(here), "-m", "pip", "install", "--dry-run", f"permutree[all] @ {wheel.as_uri()}"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    fault = fault or (_last_line(done.stderr) if done.returncode else "")
    found = re.search(r"Would install (.*)", done.stdout)
    count = str(len(found[1].split())) if found else "?"
    return Row(_version(here), "all (dry run)", count, time.perf_counter() - start, fault)


def example(extra: str) -> str:
    """The Python that is run for an extra."""
    if extra in LINES:
        return LINES[extra]
    text = (ROOT / "docs" / "guides" / f"{PAGES[extra]}.md").read_text("utf-8")
    found = re.search(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    if found is None:
        raise SystemExit(f"docs/guides/{PAGES[extra]}.md has no example")
    return found[1]


def run(command: list[str], folder: Path) -> str:
    """Nothing if a command succeeds; otherwise the last line of what it says."""
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    return _last_line(done.stderr) or f"exit {done.returncode}" if done.returncode else ""


def show(row: Row) -> None:
    """Print a line of the table."""
    state = f"FAILED: {row.fault}" if row.fault else "ok"
    print(f"{row.python:8} {row.extra:14} {row.packages:>4} packages {row.seconds:6.0f} s  {state}", flush=True)


def _environment(python: str, folder: Path) -> Path:
    """The Python of a new, empty environment."""
    fault = run([sys.executable, "-m", "uv", "venv", "--quiet", "--clear", "--python", python, str(folder)], ROOT)
    if fault:
        raise SystemExit(f"{python}: {fault}")
    return folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"


def _install(python: Path, requirements: list[str]) -> str:
    return run([sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", str(python), *requirements], ROOT)


def _packages(python: Path) -> str:
    command = [sys.executable, "-m", "uv", "pip", "list", "--quiet", "--format", "freeze", "--python", str(python)]
    return str(len(subprocess.run(command, capture_output=True, text=True, cwd=ROOT).stdout.split()))


def _version(python: Path) -> str:
    command = [str(python), "-c", "import platform; print(platform.python_version())"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1] if lines else ""


if __name__ == "__main__":
    main()
