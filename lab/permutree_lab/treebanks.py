"""The treebanks of experiments: named without saying where they are, so that results are the same everywhere."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from permutree.errors import ConfigError, DataError
from permutree.formats import read
from permutree.formats.registry import guess_format
from permutree.parsing.inputs import text_format
from permutree.settings import read_toml, settings_from
from permutree.trees.tree import Tree

__all__ = ["SPLITS", "Treebank", "find_part", "load_treebanks", "read_parts", "treebank_named"]

SPLITS = ("train", "dev", "test")


@dataclass(frozen=True, slots=True)
class Treebank:
    """Which files a treebank is trained and scored on: ``alpino/train`` is the train file in the folder alpino.

    ``5 × alpino/train`` is the same file five times over.
    """

    name: str = ""
    train: tuple[str, ...] = ()
    dev: tuple[str, ...] = ()
    test: tuple[str, ...] = ()
    #: sentences with tags and without trees that are trained on as well
    tagged: tuple[str, ...] = ()
    #: the language of the suite of constructions that models are scored on as well
    suite: str | None = None
    #: the recipe that makes these files from the corpus as it is published, for treebanks that one must buy or sign for
    recipe: str | None = None

    def parts(self, split: str) -> tuple[str, ...]:
        """The files of a split; in the folder of the treebank unless said otherwise."""
        parts: tuple[str, ...] = getattr(self, split)
        return tuple(chain.from_iterable(map(_repeated, parts))) or (f"{self.name}/{split}",)

    @property
    def own_train(self) -> str:
        """The training set that belongs to the dev and test sets, without what is added from elsewhere."""
        return self.parts("train")[0]

    def data(self) -> dict[str, list[str]]:
        """The files of all splits by name."""
        parts = {split: list(self.parts(split)) for split in SPLITS}
        return parts | {"tagged": list(self.tagged_parts)} if self.tagged else parts

    @property
    def tagged_parts(self) -> tuple[str, ...]:
        """The files of sentences that are only tagged."""
        return tuple(chain.from_iterable(map(_repeated, self.tagged)))


def _repeated(part: str) -> list[str]:
    """A part as often as it says."""
    times, _, name = part.rpartition(" × ")
    if times and not times.isdecimal():
        raise ConfigError(f"expected a part such as 5 × alpino/train, not {part!r}")
    return [name] * int(times or 1)


def load_treebanks(path: Path) -> dict[str, Treebank]:
    """The treebanks that a TOML file describes; none, if there is no such file."""
    if not path.is_file():
        return {}
    found = {}
    for name, values in read_toml(path).items():
        if not isinstance(values, dict):
            raise ConfigError(f"{path}: {name} must be a table, of the files of a treebank")
        found[name] = replace(settings_from(Treebank, values, name), name=name)
    return found


def treebank_named(name: str, known: dict[str, Treebank]) -> Treebank:
    """The treebank of that name; one that nothing is said about has its files in a folder of that name."""
    return known.get(name) or Treebank(name)


def find_part(folder: Path, part: str) -> Path:
    """The file of a part of a treebank, in any format, compressed or not."""
    path = folder / part
    found = sorted(
        file for file in path.parent.glob(f"{path.name}.*") if guess_format(file.name) or text_format(file.name)
    )
    if len(found) == 1:
        return found[0]
    if found:
        named = ", ".join(file.name for file in found)
        raise DataError(f"{named}: which one is it? leave one of them there", source=str(path))
    raise DataError(
        f"there is no such file, in any format (as {path.name}.discbracket or {path.name}.discbracket.xz); "
        "name the folder that holds the treebanks with --treebanks",
        source=str(path),
    )


def read_parts(folder: Path, parts: Iterable[str]) -> list[Tree]:
    """The trees of parts of a treebank."""
    return list(read([find_part(folder, part) for part in parts]))
