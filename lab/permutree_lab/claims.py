"""Claims: whether what is said in words about two kinds of cells holds by more than chance.

The trees that the models of all seeds predicted are compared, seed with seed, in a paired test over the sentences: a
sentence brings along its predictions by all seeds, summed, and these are exchanged together. So three seeds do not
count as three times as many sentences.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from permutree.evaluation import Evaluation, evaluate
from permutree.evaluation.significance import compare
from permutree.formats.sinks import whole_file
from permutree_lab.cell import Places
from permutree_lab.grid import Cell, ClaimSpec, Experiment, Selection, TableSpec
from permutree_lab.results import Results
from permutree_lab.tables import Table
from permutree_lab.treebanks import read_parts

__all__ = ["check_claims", "claims_file", "claims_table"]

#: at most so often may chance alone make such a difference, for it to count
_LEVEL = 0.05
_MEASURES = {"F1": "f1", "disc. F1": "disc f1"}


def claims_file(experiment: Experiment, results: Results) -> Path:
    """Where what came of the tests of an experiment is kept."""
    return results.folder / "claims" / f"{experiment.name}.json"


def check_claims(experiment: Experiment, results: Results, places: Places) -> list[dict[str, Any]]:
    """Test all claims wherever both sides have results, and keep what came of it."""
    rows = [row for claim in experiment.claims for row in _test(claim, experiment, results, places)]
    path = claims_file(experiment, results)
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as temporary:
        temporary.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return rows


def _test(claim: ClaimSpec, experiment: Experiment, results: Results, places: Places) -> Iterator[dict[str, Any]]:
    for where, pairs in _pairs(claim, experiment, results).items():
        treebank = pairs[0][0].treebank
        gold = read_parts(places.treebanks, treebank.parts(claim.split))
        sides: list[list[Evaluation]] = [[], []]
        for pair in pairs:
            for side, cell in zip(sides, pair, strict=True):
                side.append(evaluate(gold, places.predicted(results.key(cell), claim.split)))
        found = {difference.measure: difference for difference in compare(sides[0], sides[1])}
        row = {"says": claim.says, "split": claim.split, "where": dict(where), "seeds": len(pairs)}
        for measure, name in _MEASURES.items():
            if measure in found:
                row[name] = {"difference": round(found[measure].difference, 4), "p": round(found[measure].p, 5)}
        yield row


def _pairs(
    claim: ClaimSpec, experiment: Experiment, results: Results
) -> dict[tuple[tuple[str, str], ...], list[tuple[Cell, Cell]]]:
    """The cells to compare, seed with seed, by what both sides share."""
    first, second, around = (
        Selection.parse(texts, experiment.axes) for texts in (claim.first, claim.second, claim.where)
    )
    asked = {*first.chosen, *second.chosen}
    cells = [cell for cell in experiment.cells if around.has(cell.coordinates)]
    done = [cell for cell in cells if results.of(cell) is not None]
    others = {_rest(cell.coordinates, asked): cell for cell in done if second.has(cell.coordinates)}
    # In the order of the grid, whatever seeds there are of each.
    pairs: dict[tuple[tuple[str, str], ...], list[tuple[Cell, Cell]]] = {
        _rest(cell.coordinates, {*asked, "seed"}): [] for cell in cells
    }
    for cell in done:
        other = others.get(_rest(cell.coordinates, asked))
        if first.has(cell.coordinates) and other is not None:
            pairs[_rest(cell.coordinates, {*asked, "seed"})].append((cell, other))
    return {where: found for where, found in pairs.items() if found}


def _rest(coordinates: Mapping[str, str], asked: set[str]) -> tuple[tuple[str, str], ...]:
    return tuple((axis, value) for axis, value in coordinates.items() if axis not in asked)


def claims_table(experiment: Experiment, spec: TableSpec, results: Results) -> Table:
    """What came of the tests of claims."""
    path = claims_file(experiment, results)
    tests = json.loads(path.read_text("utf-8")) if path.is_file() else []
    rows = []
    for test in tests:
        cells = [test["says"], ", ".join(test["where"].values()), str(test["seeds"])]
        for name in _MEASURES.values():
            found = test.get(name)
            cells += [f"{found['difference']:+.1f}", _chance(found["p"])] if found else ["–", "–"]
        rows.append([*cells, _verdict(test)])
    columns = ["claim", "where", "seeds", "F1", "p", "disc. F1", "p", "holds"]
    names = ["claim", "where", "seeds", "F1", "F1 p", "disc. F1", "disc. F1 p", "holds"]
    return Table(spec.title or "Claims", columns, rows, spec.note, names)


def _chance(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _verdict(test: Mapping[str, Any]) -> str:
    """In which measures the claim holds."""
    holds: list[str] = []
    fails: list[str] = []
    for measure, name in _MEASURES.items():
        if (found := test.get(name)) and found["p"] <= _LEVEL:
            (holds if found["difference"] > 0 else fails).append(measure)
    said = [f"yes ({', '.join(holds)})"] if holds else []
    said += [f"the opposite ({', '.join(fails)})"] if fails else []
    return "; ".join(said) or "not shown"
