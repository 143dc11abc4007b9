"""A cell, run: its training, the trees that the model predicts for the dev and test sets, and their scores.

All of it can be killed at any moment; the same call again goes on from there. What a cell needs and leaves is in the
work folder:

``tags/KEY/``
    the taggers of a treebank, and its files with their tags
``cells/KEY/``
    the model, how long it took so far, and in the end ``result.json``
``predictions/KEY/``
    the trees that the model predicts for dev and test
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from permutree import __version__
from permutree.errors import DataError
from permutree.evaluation import Evaluation, evaluate
from permutree.evaluation.reports import gaps, lengths
from permutree.formats import read, write
from permutree.formats.sinks import whole_file
from permutree.training.config import Config
from permutree.trees.tree import Tree
from permutree_lab.constructions import judge_all, read_constructions, records, tallies
from permutree_lab.folders import CONSTRUCTIONS, LAB
from permutree_lab.grid import Cell, Tagger
from permutree_lab.misses import count_misses
from permutree_lab.results import Result, locked
from permutree_lab.treebanks import Treebank, find_part, read_parts

__all__ = ["RUNNER", "Clock", "Places", "make_tags", "placed_config", "run_cell", "share_right", "summary"]

#: the variable that names the process which runs this one
RUNNER = "PERMUTREE_RUNNER"
#: what makes a result, from the root of the checkout
_SOURCES = ("src/permutree", "lab/permutree_lab")


@dataclass(frozen=True, slots=True)
class Places:
    """Where things are on this machine: treebanks, encoders and word vectors to start from, and what is being made."""

    treebanks: Path
    work: Path
    encoders: Path | None = None
    #: halves of the suite of constructions that models are scored on, if their treebank names a language of it
    halves: tuple[str, ...] = ("dev",)

    def cell(self, key: str) -> Path:
        """The folder of a cell."""
        return self.work / "cells" / key

    def tags(self, key: str) -> Path:
        """The folder of predicted tags."""
        return self.work / "tags" / key

    def prediction(self, key: str, split: str) -> Path:
        """The file of predicted trees."""
        return self.work / "predictions" / key / f"{split}.discbracket.xz"

    def predicted(self, key: str, split: str) -> list[Tree]:
        """The predicted trees."""
        path = self.prediction(key, split)
        if not path.exists():
            message = "the predicted trees are not here; they are compared where cells were run"
            raise DataError(message, source=str(path))
        return list(read(path))

    def resource(self, name: str) -> str:
        """The path of a pretrained encoder or word vectors; as it is named, if it is not in the folder of such."""
        if self.encoders is not None and (self.encoders / name).exists():
            return str(self.encoders / name)
        return name


def run_cell(cell: Cell, places: Places) -> Result:
    """The result of a cell, which is made unless it is there."""
    folder = places.cell(cell.key)
    done = folder / "result.json"
    with locked(folder / ".lock"):
        if not done.exists():
            row = _describe(cell) | (_count(cell, places) if cell.task == "count" else _train(cell, places))
            _write_json(done, row)
    result: Result = json.loads(done.read_text("utf-8"))
    return result


def make_tags(tagger: Tagger, places: Places) -> dict[str, float]:
    """Tags for the files of a treebank: jackknifed ones for its training set; how many are right, in per cent."""
    folder = places.tags(tagger.key)
    done = folder / "done.json"
    with locked(folder / ".lock"):
        if not done.exists():
            _write_json(done, _make_tags(tagger, places, folder))
    shares: dict[str, float] = json.loads(done.read_text("utf-8"))
    return shares


def _make_tags(tagger: Tagger, places: Places, folder: Path) -> dict[str, float]:
    from permutree.parsing.parser import Parser
    from permutree.training.jackknife import jackknife
    from permutree.training.loop import train

    files = _train_files(tagger.treebank, tagger.sentences, places)
    gold = list(read(files))
    shares = {}
    out = folder / "train.discbracket.xz"
    if not out.exists():
        write(jackknife(gold, tagger.config, tagger.folds, folder / "folds"), out)
    tagged = list(read(out))
    shares["train"] = share_right(gold, tagged)
    dev = [str(find_part(places.treebanks, part)) for part in tagger.treebank.parts("dev")]
    data = replace(tagger.config.data, train=tuple(files), dev=tuple(dev))
    model = train(replace(tagger.config, data=data, out=str(folder / "tagger"))).folder
    parser = Parser.load(model)
    for split in ("dev", "test"):
        gold = read_parts(places.treebanks, tagger.treebank.parts(split))
        tags = parser.tag([tree.words for tree in gold])
        tagged = [tree.with_tags(given) for tree, given in zip(gold, tags, strict=True)]
        write(tagged, folder / f"{split}.discbracket.xz")
        shares[split] = share_right(gold, tagged)
    return shares


def share_right(gold: Sequence[Tree], tagged: Sequence[Tree]) -> float:
    """How many tags are right, in per cent of all words."""
    right = sum(sum(map(str.__eq__, tree.tags, other.tags)) for tree, other in zip(gold, tagged, strict=True))
    return round(100 * right / sum(map(len, gold)), 4)


def _train_files(treebank: Treebank, sentences: int | None, places: Places) -> list[str]:
    """The files of a training set; if only some of its sentences are used, the file that these are written to."""
    files = [str(find_part(places.treebanks, part)) for part in treebank.parts("train")]
    if sentences is None:
        return files
    path = places.work / "data" / f"{treebank.name}-{sentences}.discbracket.xz"
    with locked(path.with_suffix(".lock")):
        if not path.exists():
            trees = list(read(files))
            # Evenly spaced, so that all parts and texts are there in the shares that they have.
            size = min(sentences, len(trees))
            write([trees[number * len(trees) // size] for number in range(size)], path)
    return [str(path)]


def placed_config(cell: Cell, places: Places) -> Config:
    """The settings of a cell with the files of this machine."""
    data = replace(
        cell.config.data,
        train=tuple(_train_files(cell.treebank, cell.sentences, places)),
        dev=tuple(str(find_part(places.treebanks, part)) for part in cell.treebank.parts("dev")),
        tagged=tuple(str(find_part(places.treebanks, part)) for part in cell.treebank.tagged_parts),
    )
    if cell.tagger is not None:
        folder = places.tags(cell.tagger.key)
        tags = {f"{split}_tags": (str(folder / f"{split}.discbracket.xz"),) for split in ("train", "dev")}
        data = replace(data, **tags)  # type: ignore[arg-type]
    model = cell.config.model
    if model.encoder.pretrained is not None:
        found = places.resource(model.encoder.pretrained)
        model = replace(model, encoder=replace(model.encoder, pretrained=found))
    if model.embeddings.vectors is not None:
        found = places.resource(model.embeddings.vectors)
        model = replace(model, embeddings=replace(model.embeddings, vectors=found))
    out = str(places.cell(cell.key) / "model")
    return replace(cell.config, data=data, model=model, out=out)


def _train(cell: Cell, places: Places) -> Result:
    from permutree.parsing.description import describe
    from permutree.parsing.parser import Parser
    from permutree.training.loop import train

    shares = make_tags(cell.tagger, places) if cell.tagger is not None else None
    clock = Clock(places.cell(cell.key) / "elapsed.json", cell.config.training.epochs)

    def on_epoch(row: dict[str, Any]) -> None:
        clock.note(row["epoch"])
        if (runner := os.environ.get(RUNNER)) and os.getppid() != int(runner):
            raise SystemExit("permutree: the process that ran this one was killed; run it again to go on")

    trained = train(placed_config(cell, places), on_epoch=on_epoch)
    described = describe(trained.folder)
    row: Result = {
        "parameters": described["weights"],
        "epoch": trained.best.get("epoch"),
        "epochs": len(trained.history),
        "train sentences": described["facts"].get("sentences"),
        "train sentences/s": round(_mean([entry["train sentences/s"] for entry in trained.history]), 1),
        "curve": [
            [entry["epoch"], _rounded(entry.get("f1"), 2), _rounded(entry.get("discontinuous f1"), 2)]
            for entry in trained.history
            if "score" in entry
        ],
        "device": described["facts"].get("device"),
    }
    if shares is not None:
        row["tagger"] = shares
    parser = Parser.load(trained.folder, precise=True)
    for split in ("dev", "test"):
        row[split] = _parse(cell, places, split, parser)
    # A sentence of the suite has no tags.
    if cell.treebank.suite is not None and not parser.needs_tags:
        row["suite"] = {half: _suite(cell, cell.treebank.suite, half, places, parser) for half in places.halves}
    row["seconds"] = round(clock.note(len(trained.history)), 1)
    return row


def _suite(cell: Cell, language: str, half: str, places: Places, parser: Any) -> dict[str, Any]:
    """What a model finds in a half of the suite of constructions; the trees are kept."""
    sentences = read_constructions(CONSTRUCTIONS / language / f"{half}.txt")
    trees = list(parser.pipe([one.words for one in sentences]))
    write(trees, places.prediction(cell.key, f"suite-{half}"))
    ((found,)) = records({"": tallies(judge_all(sentences, trees, cell.key))}, half)
    return {"recall": found["all"].pop("recall"), **found["all"], "kinds": found["kinds"]}


def _parse(cell: Cell, places: Places, split: str, parser: Any) -> dict[str, Any]:
    """The scores of the trees that a model predicts for a split; the trees are kept."""
    gold = read_parts(places.treebanks, cell.treebank.parts(split))
    given = gold
    if cell.tagger is not None:
        given = list(read(places.tags(cell.tagger.key) / f"{split}.discbracket.xz"))
    trees: list[Tree] = []
    repairs = 0
    for parsed in parser.batches(given):
        trees += parsed.trees()
        repairs += len(parsed.repairs)
    path = places.prediction(cell.key, split)
    path.parent.mkdir(parents=True, exist_ok=True)
    write(trees, path)
    has_tags = cell.config.model.tags not in ("gold", "none")
    # Of all words: the evaluation leaves punctuation out.
    evaluation = evaluate(gold, trees)
    scores = summary(evaluation, repairs, share_right(gold, trees) if has_tags else None)
    return scores | {"misses": count_misses(evaluation, gold, trees)}


def summary(evaluation: Evaluation, repairs: int, tag_accuracy: float | None = None) -> dict[str, Any]:
    """The scores of predicted trees; those of tags, if they were predicted, too."""
    whole, disc = evaluation.overall, evaluation.discontinuous

    def scores(part: Any) -> dict[str, Any]:
        return {
            "sentences": part.sentences,
            "brackets": [part.brackets.gold, part.brackets.predicted, part.brackets.matched],
            "precision": _rounded(part.precision),
            "recall": _rounded(part.recall),
            "f1": _rounded(part.f1),
            "exact match": _rounded(part.exact_match),
        }

    by_length = lengths(evaluation)
    places = [by_length.columns.index(name) for name in ("words", "sentences", "F1", "disc. F1")]
    return {
        **scores(whole),
        "tag accuracy": tag_accuracy,
        "repairs/sentence": _rounded(repairs / len(evaluation)),
        "discontinuous": scores(disc),
        # gold, predicted and matched brackets by the number of their gaps
        "gaps": {str(row[0]): list(row[2:5]) for row in gaps(evaluation).rows},
        # sentences, F1 and discontinuous F1 by length
        "lengths": {
            str(row[places[0]]): [_rounded(row[place]) for place in places[1:]]  # type: ignore[arg-type]
            for row in by_length.rows
        },
    }


def _count(cell: Cell, places: Places) -> Result:
    """How large a treebank is, and how many values its labels have."""
    from permutree.encoding.statistics import count_labels
    from permutree.treebanks.statistics import count

    treebank, start = cell.treebank, time.perf_counter()
    trees = {
        "train": read_parts(places.treebanks, [treebank.own_train]),
        "dev": read_parts(places.treebanks, treebank.parts("dev")),
        "test": read_parts(places.treebanks, treebank.parts("test")),
    }
    sizes = {}
    more = {part: read_parts(places.treebanks, [part]) for part in treebank.parts("train")[1:]}
    for name, part in (trees | more).items():
        counted = count(part)
        sizes[name] = {
            "sentences": counted.sentences,
            "words": counted.words,
            "discontinuous sentences": counted.discontinuous_sentences,
            "constituents": counted.constituents,
            "discontinuous constituents": counted.discontinuous_constituents,
        }
    labels = count_labels([*trees["train"], *trees["dev"]], trees["test"])
    return {"sizes": sizes, "labels": labels.as_dict(), "seconds": round(time.perf_counter() - start, 1)}


def _describe(cell: Cell) -> Result:
    """What a result is the result of, and where it was made."""
    row: Result = {"key": cell.key, "experiment": cell.experiment, "cell": dict(cell.coordinates)}
    if cell.task == "train":
        row["seed"] = cell.config.training.seed
    return row | cell.identity | {"commit": _commit(), "host": _host(), "versions": _versions(), "date": _now()}


def _commit() -> str | None:
    """The commit of the source, with a plus if files were changed since; PERMUTREE_COMMIT names it where git cannot."""
    if named := os.environ.get("PERMUTREE_COMMIT"):
        return named
    git = ["git", "-C", str(LAB.parent)]
    try:
        found = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True, check=True)
        changes = subprocess.run([*git, "status", "--porcelain", *_SOURCES], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return found.stdout.strip() + ("+" if changes.stdout.strip() else "")


def _host() -> str:
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"


def _versions() -> dict[str, str]:
    versions = {"permutree": __version__, "python": platform.python_version()}
    for package in ("numpy", "torch", "transformers"):
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            continue
    return versions


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


class Clock:
    """How long a cell has taken, over all calls that it was interrupted between."""

    def __init__(self, path: Path, epochs: int) -> None:
        self.path, self.epochs = path, epochs
        self.before = float(json.loads(path.read_text("utf-8"))["seconds"]) if path.exists() else 0.0
        self.start = time.monotonic()

    def note(self, epoch: int) -> float:
        """Write down the seconds so far."""
        seconds = self.before + time.monotonic() - self.start
        _write_json(self.path, {"seconds": seconds, "epoch": epoch, "epochs": self.epochs})
        return seconds


def _write_json(path: Path, value: Any) -> None:
    with whole_file(path) as temporary:
        temporary.write_text(json.dumps(value, ensure_ascii=False), "utf-8")


def _rounded(value: float | None, digits: int = 4) -> float | None:
    return value if value is None or isinstance(value, int) else round(value, digits)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
