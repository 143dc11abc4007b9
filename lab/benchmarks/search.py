"""How fast an index answers queries, against scans of trees in memory; its size, time to build, and memory.

    python lab/benchmarks/search.py TREEBANK_FOLDER [--copies 8] [--scanned 2000] [--repeat 5] [--work FOLDER]

The folder holds alpino, icepahc and craft in discbracket. All their trees are indexed once, and then so many copies of
them in one index, each under names of its own: eight copies are a million trees. Five queries are asked of both; for
comparison, the same question is asked of trees one by one, in the way of tools that walk over trees (a function in
Python on objects, as with disco-dop), and of NLTK's tgrep. That knows no gaps: its trees are the continuous
arrangements, and gaps are left out of its patterns, which makes them easier. Scans read some of the trees only, taken
evenly from all; their times are given for as many trees as the index has. All times are processor time on one core, the
best of some rounds; parsing the query is part of it, reading files is not part of a scan.
"""

from __future__ import annotations

import argparse
import platform
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from permutree.formats import read
from permutree.search.columns import Located
from permutree.search.corpus import Corpus
from permutree.search.index import IndexFile, write_index
from permutree.trees.nodes import Node
from permutree.trees.tree import Tree

TREEBANKS = ("alpino", "icepahc", "craft")
NP = ("NP", "np")
CLAUSE = ("IP-MAT", "S", "smain")
RELATIVE = ("CP-REL", "rel", "SBAR")
DETERMINER = ("DT", "lid", "D-N")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--copies", type=int, default=8)
    parser.add_argument("--scanned", type=int, default=2000, help="trees that scans read")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--work", type=Path, help="where the indexes are kept; without it they are deleted")
    options = parser.parse_args()
    print(f"Python {platform.python_version()} on {processor()}, one core\n")
    with tempfile.TemporaryDirectory() as temporary:
        work = options.work or Path(temporary)
        once = build(options.folder, 1, work / "once.ptidx")
        many = build(options.folder, options.copies, work / "many.ptidx")
        compare(options.folder, [once, many], options.scanned, options.repeat)
        print()
        for path in (once, many):
            memory(path)


class Question(NamedTuple):
    """A query, and the same question to a tree."""

    name: str
    query: str
    scan: Callable[[Tree], int]
    #: the pattern of tgrep, without gaps
    tgrep: str


def _either(labels: tuple[str, ...]) -> str:
    return "(" + "|".join(f'"{label}"' for label in labels) + ")"


def _pattern(labels: tuple[str, ...]) -> str:
    return "/^(" + "|".join(labels) + ")$/"


def _gapped(tree: Tree) -> Iterator[Node]:
    return (node for node in tree.constituents if node.label in NP and node.is_discontinuous)


def _above(node: Node) -> Iterator[Node]:
    while node.parent is not None:
        node = node.parent
        yield node


QUESTIONS = (
    Question(
        "NP with a gap",
        f"#n:[cat={_either(NP)}] & discontinuous(#n)",
        lambda tree: sum(1 for _ in _gapped(tree)),
        _pattern(NP),
    ),
    Question(
        "clause over NP with a gap",
        f"[cat={_either(CLAUSE)}] > #n:[cat={_either(NP)}] & discontinuous(#n)",
        lambda tree: sum(node.parent is not None and node.parent.label in CLAUSE for node in _gapped(tree)),
        f"{_pattern(NP)} > {_pattern(CLAUSE)}",
    ),
    Question(
        "extraposed relative clause",
        f"#n:[cat={_either(NP)}] > #r:[cat={_either(RELATIVE)}] & discontinuous(#n) & block(#n, -1) contains #r",
        lambda tree: sum(
            child.label in RELATIVE and child.indices[0] >= node.blocks[-1][0]
            for node in _gapped(tree)
            for child in node.children
        ),
        f"{_pattern(RELATIVE)} > {_pattern(NP)}",
    ),
    Question(
        "clause dominates NP with a gap",
        f"[cat={_either(CLAUSE)}] >* #n:[cat={_either(NP)}] & discontinuous(#n)",
        lambda tree: sum(above.label in CLAUSE for node in _gapped(tree) for above in _above(node)),
        f"{_pattern(NP)} >> {_pattern(CLAUSE)}",
    ),
    Question(
        "NP with a determiner (no gap)",
        f"#n:[cat={_either(NP)}] > #d:[pos={_either(DETERMINER)}]",
        lambda tree: sum(
            child.is_word and child.label in DETERMINER
            for node in tree.constituents
            if node.label in NP
            for child in node.children
        ),
        f"{_pattern(DETERMINER)} > {_pattern(NP)}",
    ),
)


def files_of(folder: Path) -> list[Path]:
    """All parts of the treebanks."""
    return [file for name in TREEBANKS for file in sorted((folder / name).glob("*.discbracket.xz"))]


def build(folder: Path, copies: int, path: Path) -> Path:
    """Index some copies of all trees and print what it took; an index that is there already is kept."""
    if path.is_file():
        index = IndexFile(path)
        print(f"{path.name}: {index.sentences:,} trees, {index.nodes:,} nodes, was there")
        return path

    def sentences() -> Iterator[Located]:
        for copy in range(1, copies + 1):
            for file in files_of(folder):
                for number, tree in enumerate(read(file), 1):
                    yield Located(tree, f"{copy}/{file.parent.name}/{file.name}", number)

    start = time.process_time()
    trees, nodes = write_index(sentences(), path)
    seconds = time.process_time() - start
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(
        f"{path.name}: {trees:,} trees, {nodes:,} nodes with words, {path.stat().st_size / 1e6:,.0f} MB, built in "
        f"{seconds:,.0f} s with reading ({trees / seconds:,.0f} trees/s), most memory so far {most:,.0f} MB",
        flush=True,
    )
    return path


def compare(folder: Path, paths: list[Path], scanned: int, repeat: int) -> None:
    """Print the times of all questions."""
    corpora = [Corpus.open(path) for path in paths]
    sizes = [corpus.size or 0 for corpus in corpora]
    every = max(sizes[0] // scanned, 1)
    trees = [tree for number, tree in enumerate(read(files_of(folder))) if not number % every]
    nltk_trees = [_nltk_tree(tree) for tree in trees]
    print(f"\nscans read {len(trees):,} trees; ms for all trees of the index, and how many times longer\n")
    header = f"{'':<32}" + "".join(f"{f'{size:,} trees':>18}{'matches':>11}" for size in sizes)
    print(header + f"{'walk':>12}{'ratio':>9}{'tgrep':>12}{'ratio':>9}")
    for question in QUESTIONS:
        line = f"{question.name:<32}"
        taken = []
        for corpus in corpora:
            seconds, found = best(partial(corpus.count, question.query), repeat)
            taken.append(seconds)
            line += f"{seconds * 1e3:>15.1f} ms{found:>11,}"
        share = sizes[-1] / len(trees)
        walk, walked = best(partial(_walk, question.scan, trees), 2)
        grep, _ = best(partial(_tgrep, question.tgrep, nltk_trees), 1)
        wanted = Corpus.of(trees).count(question.query)
        assert walked == wanted, (question.name, walked, wanted)
        for seconds in (walk, grep):
            line += f"{seconds * share * 1e3:>9,.0f} ms{seconds * share / taken[-1]:>8,.0f}×"
        print(line, flush=True)


def best(run: Callable[[], int], repeat: int) -> tuple[float, int]:
    """The least processor time of some rounds, and the result."""
    least, result = float("inf"), 0
    for _ in range(repeat):
        start = time.process_time()
        result = run()
        least = min(least, time.process_time() - start)
    return least, result


def _nltk_tree(tree: Tree) -> object:
    from nltk.tree import ParentedTree

    arranged = Tree.from_spans(
        [tree.words[word] for word in tree.order],
        [tree.tags[word] for word in tree.order],
        range(len(tree)),
        tree.labels,
        tree.starts,
        tree.ends,
    )

    def convert(node: Node) -> object:
        if node.is_word:
            return ParentedTree(node.label, [node.words[0]])
        return ParentedTree(node.label, [convert(child) for child in node.children])

    return convert(arranged.root)


def _walk(scan: Callable[[Tree], int], trees: list[Tree]) -> int:
    return sum(map(scan, trees))


def _tgrep(pattern: str, trees: list[object]) -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from nltk.tgrep import tgrep_positions

        return sum(len(found) for found in tgrep_positions(pattern, trees))


_MEMORY = """
import sys
from pathlib import Path
def rss():
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
    return {line.split(":")[0]: int(line.split()[1]) for line in lines[1:]}
from permutree.search.corpus import Corpus
corpus = Corpus.open(sys.argv[1])
corpus.count('[cat="none"]')
before = rss()
found = corpus.count(sys.argv[2])
after = rss()
grown = after["Anonymous"] - before["Anonymous"]
print(f"{before['Anonymous'] / 1e3:,.0f} MB of its own when open, {grown / 1e3:,.0f} MB more after a query, "
      f"{(after['Rss'] - after['Anonymous']) / 1e3:,.0f} MB mapped and shared")
"""


def memory(path: Path) -> None:
    """Print what a process holds that opens an index and asks it something."""
    if not Path("/proc/self/smaps_rollup").exists():
        return
    command = [sys.executable, "-c", _MEMORY, str(path), QUESTIONS[3].query]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    print(f"{path.name}, {path.stat().st_size / 1e6:,.0f} MB: {said}")


def processor() -> str:
    """The name of the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
        return next(line.split(": ", 1)[1] for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


if __name__ == "__main__":
    main()
