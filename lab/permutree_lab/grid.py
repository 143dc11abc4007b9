"""Grids: an experiment as a TOML file, and its cells.

Every axis has named values, and every value changes some settings. A cell takes one value of each axis. What a cell is
goes by its settings and by the names of its data, not by where things are or what the experiment is called: two
experiments that share a cell share its result.

An experiment is archived if it needs settings that permutree no longer has. Its file says so, and at which commit it
can be run. It keeps its axes, tables, plots and claims, and its results are found by their places on the axes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from functools import cached_property
from itertools import product
from pathlib import Path, PurePath
from typing import Any, Literal, TypeVar

from permutree.errors import ConfigError
from permutree.settings import as_dict, read_toml, settings_from
from permutree.training.config import Config
from permutree.training.overrides import SHORT_NAMES, configure
from permutree_lab.treebanks import Treebank, load_treebanks, treebank_named

__all__ = [
    "Axes",
    "Cell",
    "ClaimSpec",
    "Experiment",
    "Place",
    "PlotSpec",
    "Selection",
    "TableSpec",
    "Tagger",
    "place_of",
    "sparse_settings",
]

#: axis → value → what it changes
Axes = dict[str, dict[str, dict[str, Any]]]

#: an experiment, and values on its axes
Place = tuple[str, frozenset[tuple[str, str]]]

#: what a value of an axis may change beside settings
_BESIDE = ("base", "treebank", "sentences", "tagger")
_HEAD = ("title", "archived", "task", "base", "settings", "tagger")
_KEYS = (*_HEAD, "axes", "when", "without", "tables", "plots", "claims")
#: settings that make no difference to the model: where things are, and what is written besides
_PLACES = ("out", "data.train", "data.dev", "data.train_tags", "data.dev_tags", "data.tagged", "data.licence")
_IDLE = ("training.minutes", "training.checkpoint", "training.checkpoint_epochs", "training.tensorboard")
#: settings that are paths, of which only the name counts
_FILES = ("model.encoder.pretrained", "model.embeddings.vectors")


@dataclass(frozen=True, slots=True)
class TableSpec:
    """A table: what is in its rows and columns, and which figures; or one of the other kinds."""

    name: str
    title: str = ""
    kind: Literal["figures", "labels", "unseen", "sizes", "settings", "claims", "published"] = "figures"
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    #: the table of published figures that stand beside ours, and which of them
    published: str | None = None
    published_where: tuple[str, ...] = ()
    #: the best of the rows that share a value of this axis, or of "all" rows, is printed in bold
    best: str | None = None
    #: what is said below it
    note: str = ""


@dataclass(frozen=True, slots=True)
class PlotSpec:
    """A plot: lines, one for each value of some axes, or dots."""

    name: str
    kind: Literal["curves", "lengths", "gaps", "sizes", "speed"]
    title: str = ""
    lines: tuple[str, ...] = ()
    figure: str = "dev f1"
    where: tuple[str, ...] = ()
    #: for dots by speed: the figure to the right
    speed: str = "cpu sentences/s"


@dataclass(frozen=True, slots=True)
class ClaimSpec:
    """Something said in words about two kinds of cells, to be tested: that the second is better than the first."""

    says: str
    first: tuple[str, ...]
    second: tuple[str, ...]
    where: tuple[str, ...] = ()
    split: Literal["dev", "test"] = "dev"


@dataclass(frozen=True, slots=True)
class Selection:
    """Some values of some axes, written as in ``encoder=BiLSTM`` or ``encoding=lehmer,pointer``."""

    chosen: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @classmethod
    def parse(cls, texts: Iterable[str], axes: Axes) -> Selection:
        """A selection among these axes; case does not count."""
        chosen: dict[str, frozenset[str]] = {}
        for text in texts:
            axis, equals, values = (part.strip() for part in text.partition("="))
            if not equals:
                raise ConfigError(f"expected axis=value, not {text!r}; axes are {', '.join(axes)}")
            if axis not in axes:
                raise ConfigError(f"no axis {axis!r}; there are {', '.join(axes)}")
            known = {value.lower(): value for value in axes[axis]}
            wanted = [value.strip() for value in values.split(",")]
            for value in wanted:
                if value.lower() not in known:
                    raise ConfigError(f"axis {axis} has no value {value!r}; there are {', '.join(axes[axis])}")
            chosen[axis] = chosen.get(axis, frozenset()) | {known[value.lower()] for value in wanted}
        return cls(chosen)

    @classmethod
    def of_any(cls, texts: Iterable[str]) -> Selection:
        """A selection among axes that nothing is known about."""
        parts = (text.partition("=") for text in texts)
        return cls({axis.strip(): frozenset(map(str.strip, values.split(","))) for axis, _, values in parts})

    def has(self, coordinates: Mapping[str, str]) -> bool:
        """Whether a cell is chosen; an axis that it does not have does not count."""
        return all(coordinates.get(axis, None) in (None, *values) for axis, values in self.chosen.items())


@dataclass(frozen=True, slots=True)
class Tagger:
    """How the tags are made that cells with predicted tags read."""

    config: Config
    folds: int
    treebank: Treebank
    sentences: int | None

    @property
    def identity(self) -> dict[str, Any]:
        """All that makes a difference to the tags."""
        return {
            "tagger": sparse_settings(self.config),
            "folds": self.folds,
            "data": self.treebank.data(),
            **_size(self.sentences),
        }

    @property
    def key(self) -> str:
        """The name of its folder."""
        return _hash(self.identity)


@dataclass(frozen=True)
class Cell:
    """One training with its scores, or one treebank that is counted."""

    experiment: str
    task: Literal["train", "count"]
    coordinates: Mapping[str, str]
    treebank: Treebank
    #: none, if the experiment is archived
    settings: Config | None
    #: how many sentences of the training set are used; all, if it is not said
    sentences: int | None = None
    tagger: Tagger | None = None

    @property
    def config(self) -> Config:
        """The settings of a cell that can be run."""
        if self.settings is None:
            raise ConfigError(f"experiment {self.experiment} is archived: this version of permutree cannot run it")
        return self.settings

    @property
    def place(self) -> Place:
        """Where it is on the axes of its experiment."""
        return place_of(self.experiment, self.coordinates)

    @property
    def identity(self) -> dict[str, Any]:
        """All that makes a difference to the result."""
        if self.task == "count":
            data = {
                "train": [self.treebank.own_train],
                **{name: self.treebank.data()[name] for name in ("dev", "test")},
            }
            return {"count": data, "more": list(self.treebank.parts("train")[1:])}
        identity = {
            "settings": sparse_settings(self.config),
            "data": self.treebank.data(),
            **_size(self.sentences),
        }
        if self.tagger is not None:
            identity["tagger"] = {"settings": sparse_settings(self.tagger.config), "folds": self.tagger.folds}
        return identity

    @cached_property
    def key(self) -> str:
        """The name of its result, the same as long as nothing changes that makes a difference."""
        return _hash(self.identity)

    def __str__(self) -> str:
        return ", ".join(
            f"seed {value}" if axis == "seed" else value for axis, value in self.coordinates.items() if value != "-"
        )


@dataclass(frozen=True)
class Experiment:
    """A grid: axes, the cells on them, and the tables and plots that are made of their results."""

    name: str
    title: str
    folder: Path
    task: Literal["train", "count"]
    axes: Axes
    cells: Sequence[Cell]
    tables: Sequence[TableSpec]
    plots: Sequence[PlotSpec]
    claims: Sequence[ClaimSpec]
    #: the commit at which it can be run, if this version of permutree cannot
    archived: str | None = None

    @classmethod
    def load(cls, path: Path) -> Experiment:
        """The experiment of a TOML file; an error names the file."""
        try:
            return cls._load(path)
        except ConfigError as error:
            said = str(error)
            raise ConfigError(said if said.startswith(str(path)) else f"{path}: {said}") from None

    @classmethod
    def _load(cls, path: Path) -> Experiment:
        values = read_toml(path)
        for name in values:
            if name not in _KEYS:
                raise ConfigError(f"no setting {name!r} of an experiment; there are {', '.join(_KEYS)}")
        task = values.get("task", "train")
        if task not in ("train", "count"):
            raise ConfigError(f"task must be train or count, not {task!r}")
        axes = _axes(values.get("axes", {}))
        if task == "train":
            axes["seed"] = axes.pop("seed") if "seed" in axes else _listed("seed", [1])
        grid = _Grid(path, task, values, axes)
        cells = list(grid.cells())
        return cls(
            path.stem,
            values.get("title", path.stem),
            path.parent,
            task,
            axes,
            cells,
            _specs(TableSpec, values, "tables"),
            _specs(PlotSpec, values, "plots"),
            _specs(ClaimSpec, values, "claims"),
            values.get("archived"),
        )

    def check_runnable(self) -> None:
        """Refuse to run an archived experiment."""
        if self.archived is not None:
            said = f"experiment {self.name} is archived: it needs settings that permutree no longer has"
            raise ConfigError(f"{said}; run it at the {self.archived}")

    def select(self, texts: Iterable[str]) -> list[Cell]:
        """The cells that a selection chooses."""
        selection = Selection.parse(texts, self.axes)
        return [cell for cell in self.cells if selection.has(cell.coordinates)]

    def taggers(self, cells: Iterable[Cell]) -> dict[str, Tagger]:
        """The taggers that cells depend on, by key."""
        return {cell.tagger.key: cell.tagger for cell in cells if cell.tagger is not None}


def place_of(experiment: str, coordinates: Mapping[str, str]) -> Place:
    """A place on the axes of an experiment, in whatever order these come."""
    return experiment, frozenset(coordinates.items())


def sparse_settings(config: Config) -> dict[str, Any]:
    """The settings that are not as they are if nobody sets them, by dotted name.

    A setting that a later version adds leaves the settings of today's cells, and so their keys, as they are.
    """
    usual = dict(_flat(as_dict(Config())))
    found = {}
    for name, value in _flat(as_dict(config)):
        if name not in (*_PLACES, *_IDLE) and value != usual[name]:
            found[name] = PurePath(value).name if name in _FILES else value
    return found


class _Grid:
    """The cells of a TOML file."""

    def __init__(self, path: Path, task: Literal["train", "count"], values: Mapping[str, Any], axes: Axes) -> None:
        self.path, self.task, self.axes = path, task, axes
        self.is_archived = "archived" in values
        self.treebanks = load_treebanks(path.parent / "treebanks.toml")
        self.first = {name: values[name] for name in ("base", "tagger") if name in values} | values.get("settings", {})
        self.when = [
            (Selection.parse(_cells_of(rule, "when"), axes), {name: rule[name] for name in rule if name != "cells"})
            for rule in values.get("when", ())
        ]
        self.without = [Selection.parse(_cells_of(rule, "without"), axes) for rule in values.get("without", ())]

    def cells(self) -> Iterator[Cell]:
        """All cells, in the order of the axes; all of one seed, then all of the next."""
        order = sorted(self.axes, key=lambda axis: axis != "seed")
        for names in product(*(self.axes[axis] for axis in order)):
            found = dict(zip(order, names, strict=True))
            coordinates = {axis: found[axis] for axis in self.axes}
            if not any(rule.has(coordinates) for rule in self.without):
                yield self._cell(coordinates)

    def _cell(self, coordinates: dict[str, str]) -> Cell:
        changes = [self.first]
        changes += [self.axes[axis][value] for axis, value in coordinates.items()]
        changes += [change for rule, change in self.when if rule.has(coordinates)]
        beside: dict[str, Any] = {}
        settings: dict[str, Any] = {}
        tagger: dict[str, Any] = {}
        for change in changes:
            for name, value in change.items():
                if name == "tagger":
                    tagger |= dict(_flat(value))
                elif name in _BESIDE:
                    beside[name] = value
                else:
                    for path, setting in _flat({name: value}):
                        # What comes later counts, in whatever way it was spelled before.
                        path = SHORT_NAMES.get(path, path)
                        settings.pop(path, None)
                        settings[path] = setting
        if "treebank" not in beside:
            raise ConfigError("name the treebanks: an axis treebank, or treebank = … at a value of another axis")
        treebank = treebank_named(beside["treebank"], self.treebanks)
        sentences = beside.get("sentences")
        if self.is_archived:
            return Cell(self.path.stem, self.task, coordinates, treebank, None, sentences)
        try:
            config = self._configure(beside.get("base"), settings)
            reads = config.model.tags == "predicted" and config.model.task == "parse"
            made = self._tagger(tagger, treebank, sentences) if reads else None
        except ConfigError as error:
            where = ", ".join(f"{axis}={value}" for axis, value in coordinates.items())
            raise ConfigError(f"{error} (at {where})") from None
        return Cell(self.path.stem, self.task, coordinates, treebank, config, sentences, made)

    def _tagger(self, changes: dict[str, Any], treebank: Treebank, sentences: int | None) -> Tagger:
        changes = dict(changes)
        folds = changes.pop("folds", 5)
        base = changes.pop("base", "tagger")
        return Tagger(self._configure(base, changes), folds, treebank, sentences)

    def _configure(self, base: str | None, changes: Mapping[str, Any]) -> Config:
        if base is None:
            return configure(Config(), changes)
        file = self.path.parent / base
        return configure(file if file.is_file() else base, changes)


Spec = TypeVar("Spec", TableSpec, PlotSpec, ClaimSpec)


def _specs(kind: type[Spec], values: Mapping[str, Any], what: str) -> list[Spec]:
    """The tables, plots or claims of an experiment."""
    needed = [entry.name for entry in fields(kind) if entry.default is MISSING]
    found = []
    for table in values.get(what, ()):
        if missing := [name for name in needed if name not in table]:
            raise ConfigError(f"[[{what}]] must say {' and '.join(missing)}")
        found.append(settings_from(kind, table, what))
    return found


def _cells_of(rule: Mapping[str, Any], what: str) -> Sequence[str]:
    if not isinstance(rule, Mapping) or not isinstance(rule.get("cells"), list):
        raise ConfigError(f"[[{what}]] must say which cells it is about: cells = ['encoder=BiLSTM', …]")
    return list(rule["cells"])


def _axes(values: Mapping[str, Any]) -> Axes:
    axes: Axes = {}
    for axis, given in values.items():
        if isinstance(given, list):
            axes[axis] = _listed(axis, given)
        elif isinstance(given, dict) and all(isinstance(change, dict) for change in given.values()):
            axes[axis] = {str(name): change for name, change in given.items()}
        else:
            raise ConfigError(f"axis {axis} must be a list of values, or a table of what each value changes")
        if not axes[axis]:
            raise ConfigError(f"axis {axis} has no values")
        if named := [value for value in axes[axis] if "," in value]:
            raise ConfigError(f"axis {axis}: commas separate values, so none can be called {named[0]!r}")
    if not axes:
        raise ConfigError("an experiment needs axes, in the table [axes]")
    return axes


def _listed(axis: str, values: Sequence[Any]) -> dict[str, dict[str, Any]]:
    """The values of an axis that is called like what it changes."""
    if axis not in (*SHORT_NAMES, *_BESIDE, "encoder") and "." not in axis:
        known = ", ".join((*SHORT_NAMES, "encoder", "treebank"))
        raise ConfigError(f"say what the values of axis {axis} change, in a table; a list will do for {known}")
    return {str(value): {axis: value} for value in values}


def _flat(values: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{path}{name}.")
        else:
            yield f"{path}{name}", list(value) if isinstance(value, tuple) else value


def _size(sentences: int | None) -> dict[str, int]:
    return {} if sentences is None else {"sentences": sentences}


def _hash(identity: Mapping[str, Any]) -> str:
    text = json.dumps(identity, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:12]
