"""Recipes: from the raw files of a known treebank to the train, dev and test files that people compare on."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path

from permutree.errors import ConfigError, DataError, OnError, raise_error
from permutree.formats.registry import format_named
from permutree.formats.sinks import open_output
from permutree.trees.tree import Tree

__all__ = ["RECIPES", "Recipe", "SplitCount", "prepare", "recipe_named"]

#: the trees of a treebank with the split that each belongs to; trees of a split come in order
Splits = Iterator[tuple[str, Tree]]


@dataclass(frozen=True, slots=True)
class Recipe:
    """A treebank: what it is, where its recipe is and how many trees each split must have."""

    name: str
    title: str
    raw: str
    module: str
    expected: Mapping[str, int]

    @property
    def splits(self) -> Callable[[Path, OnError], Splits]:
        """``splits(raw, on_error)``: the trees with their splits."""
        module = import_module(f"permutree.treebanks.recipes.{self.module}")
        function: Callable[[Path, OnError], Splits] = getattr(module, self.name.replace("-", "_"))
        return function


def _counts(train: int, dev: int, test: int, **extra: int) -> dict[str, int]:
    return {
        "train": train,
        "dev": dev,
        "test": test,
        **{name.replace("_", "-"): count for name, count in extra.items()},
    }


RECIPES = {
    recipe.name: recipe
    for recipe in (
        Recipe(
            "alpino",
            "Dutch newspaper text and test suites",
            "the Treebank folder of Alpino, a directory or archive of XML files",
            "dutch",
            _counts(5708, 714, 714, extra_train=15088),
        ),
        Recipe(
            "icepahc",
            "Icelandic from 1150 to 2008",
            "the finished .psd files, a directory or archive",
            "icelandic",
            _counts(54919, 9163, 8891),
        ),
        Recipe(
            "icepahc-modern",
            "Icelandic of today: parliament and news",
            "the .psd files of the additions of 2019, a directory or archive",
            "icelandic",
            _counts(3649, 499, 473),
        ),
        Recipe(
            "craft",
            "English biomedical articles",
            "the .tree files, a directory or archive",
            "english",
            _counts(18951, 2780, 9099),
        ),
        Recipe(
            "masc",
            "English of mixed genres",
            "the .mrg files of MASC's Penn annotation, a directory or archive",
            "english",
            _counts(4282, 536, 535),
        ),
        Recipe(
            "squoia-de",
            "German of the SQUOIA treebank",
            "the TIGER-XML files, a directory or archive",
            "german",
            _counts(3332, 418, 416),
        ),
        Recipe(
            "tiger",
            "German newspaper text, split as in SPMRL 2013",
            "the release's TIGER-XML or export file, or the SPMRL directory with gold train, dev and test files",
            "german",
            _counts(40472, 5000, 5000),
        ),
        Recipe(
            "negra",
            "German newspaper text",
            "the export file of the release",
            "german",
            _counts(18602, 1000, 1000),
        ),
        Recipe(
            "dptb",
            "English newspaper text: the discontinuous Penn treebank",
            "the export file of Evang and Kallmeyer's conversion, or the WSJ .mrg directory of PTB-3",
            "english",
            _counts(39832, 1700, 2416),
        ),
    )
}


def recipe_named(name: str) -> Recipe:
    """The recipe of that name; a failed look-up lists the names there are."""
    try:
        return RECIPES[name.lower().replace("_", "-")]
    except KeyError:
        near = get_close_matches(name, RECIPES, 1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise ValueError(f"no recipe {name!r}: {hint}there are {', '.join(RECIPES)}") from None


@dataclass(frozen=True, slots=True)
class SplitCount:
    """What was written for a split, beside what was expected."""

    split: str
    path: Path
    trees: int
    expected: int
    discontinuous: int


def prepare(
    name: str,
    raw: str | Path,
    out: str | Path,
    on_error: OnError = raise_error,
    *,
    ids: bool = False,
    format: str = "discbracket",  # noqa: A002 - the word that users expect
) -> list[SplitCount]:
    """Write the splits of a treebank, all of them or none.

    With ``ids``, a file beside each holds the sentence ids, one a line. A format such as jsonl keeps what the treebank
    says beside trees and tags.
    """
    recipe, out, chosen = recipe_named(name), Path(out), format_named(format)
    if chosen.write is None:
        raise ConfigError(f"a file of {format} holds one tree: choose another format for a treebank")
    trees: dict[str, list[Tree]] = {split: [] for split in recipe.expected}
    for split, tree in recipe.splits(Path(raw), on_error):
        trees[split].append(tree)
    if not any(trees.values()):
        raise DataError(f"no trees found; {recipe.name} is made from {recipe.raw}", source=str(raw))
    out.mkdir(parents=True, exist_ok=True)
    paths = {split: out / f"{split}{chosen.suffixes[0]}" for split in trees}
    with contextlib.ExitStack() as stack:
        for split, path in paths.items():
            chosen.write(trees[split], stack.enter_context(open_output(path)))
            if ids:
                file = stack.enter_context(open_output(out / f"{split}.ids"))
                file.writelines(f"{tree.id}\n" for tree in trees[split])
    return [
        SplitCount(split, paths[split], len(found), recipe.expected[split], sum(t.is_discontinuous for t in found))
        for split, found in trees.items()
    ]
