"""Compare our figures with those of disco-dop, on damaged copies of treebanks.

    python lab/benchmarks/discodop.py FILE... --command 'discodop eval' [--seed 1] [--rate 0.05 0.3]

disco-dop is not needed otherwise, and is called as a program: every figure of its summary, of all sentences and of
those up to the cutoff, over all and over discontinuous constituents, must be printed the same by us. Its versions
differ in whether they cut functions off the labels of discbracket files; so it is given files without functions for the
comparison with ours removed, and the files as they are with --functions=leave for the comparison with ours kept.
"""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import permutree.evaluation
from damage import damage
from permutree import evaluate, read, write
from permutree.evaluation import Evaluation
from permutree.evaluation.parameters import strip_function
from permutree.trees.builder import TreeBuilder
from permutree.trees.tree import Tree

PARAM = Path(permutree.evaluation.__file__).with_name("proper.prm")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--command", default="discodop eval")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, nargs="+", default=[0.05, 0.3])
    options = parser.parse_args()
    faults = 0
    for file in options.files:
        gold = list(read(file))
        for rate in options.rate:
            predicted = list(damage(gold, options.seed, rate))
            for functions in ("remove", "leave"):
                faults += compare(gold, predicted, functions, options.command, f"{file} {rate} {functions}")
    sys.exit(faults > 0)


def compare(gold: list[Tree], predicted: list[Tree], functions: str, command: str, name: str) -> int:
    """Print whether all figures are the same; the number of those that are not."""
    evaluation = evaluate(gold, predicted, keep_functions=functions == "leave")
    if functions == "remove":
        gold, predicted = list(map(without_functions, gold)), list(map(without_functions, predicted))
    faults = figures = 0
    with tempfile.TemporaryDirectory() as folder:
        paths = [str(Path(folder) / f"{side}.discbracket") for side in ("gold", "predicted")]
        write(gold, paths[0])
        write(predicted, paths[1])
        for disc_only in (False, True):
            arguments = [*paths, str(PARAM), "--goldfmt=discbracket", "--parsesfmt=discbracket"]
            arguments += [f"--functions={functions}", *(["--disconly"] if disc_only else [])]
            process = subprocess.run(
                [*shlex.split(command), *arguments], capture_output=True, text=True, encoding="utf-8", check=True
            )
            for figure, theirs in summary(process.stdout):
                ours = columns(evaluation, figure, disc_only)[-len(theirs) :]
                figures += len(theirs)
                if ours != theirs:
                    faults += 1
                    print(f"  {figure}{' (disc.)' if disc_only else ''}: {ours}, not {theirs}")
    print(f"{name}: {figures} figures, {faults} different, F1 {evaluation.f1:.2f}")
    return faults or not figures


def without_functions(tree: Tree) -> Tree:
    draft = TreeBuilder.from_tree(tree)
    for node in draft.nodes():
        node.label = strip_function(node.label)
    for leaf in draft.leaves:
        leaf.tag = strip_function(leaf.tag)
    return Tree.of(draft)


def summary(output: str) -> Iterator[tuple[str, list[str]]]:
    """The lines of disco-dop's summary: a name, and a figure or two."""
    for line in output[output.index("_ Summary") :].split("\n")[1:]:
        match = re.fullmatch(r"([^:]+): +(.+)", line.strip())
        if match and match[1] != "function tags":
            yield match[1], match[2].split()


def columns(evaluation: Evaluation, figure: str, disc_only: bool) -> list[str]:
    """Our figure as printed: of the sentences up to the cutoff, and of all."""
    short = evaluation.lengths <= evaluation.parameters.cutoff
    found = [evaluation.scores(chosen, discontinuous=disc_only).figures()[figure] for chosen in (short, None)]
    return ["nan" if value is None else f"{value:.2f}" if isinstance(value, float) else str(value) for value in found]


if __name__ == "__main__":
    main()
