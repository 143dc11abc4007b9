"""The manifest of a corpus: what it is made of, by which model and with which settings, and where the cuts are.

It is written before the first shard. Whoever runs the same command again goes on; whoever changes the model, the
settings or the input is told what differs, as one folder is never filled from two.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from permutree import __version__
from permutree.corpora.inputs import Input
from permutree.corpora.plan import Piece, Shard, shards_of
from permutree.corpora.step import Step
from permutree.corpora.storage import Place
from permutree.errors import ConfigError, DataError
from permutree.models import folder

__all__ = ["FOLDER", "Manifest", "model_checksum", "shard_name"]

#: the folder of what is not rows; readers of Parquet folders pass over names with an underscore
FOLDER = "_permutree"
_FILE = "manifest.json"
#: the version of this layout
LAYOUT = 1


def shard_name(number: int) -> str:
    """The name of the file of a shard."""
    return f"part-{number:06d}.parquet"


def model_checksum(name: str) -> str:
    """A checksum of all files of a model that parsing reads."""
    found = blake2b(digest_size=16)
    place = Path(folder(name))
    files = sorted(path for path in place.glob("*") if path.suffix in (".json", ".onnx", ".safetensors"))
    for path in files:
        if path.name != "training.json":
            found.update(f"{path.name}\0{path.stat().st_size}\0".encode())
            found.update(path.read_bytes())
    return found.hexdigest()


@dataclass(frozen=True)
class Manifest:
    """What a folder of shards is made of."""

    settings: Mapping[str, Any]
    inputs: Sequence[Input]
    pieces: Sequence[Piece]

    @staticmethod
    def settings_of(step: Step, *, shard_size: int, format: str | None, charset: str) -> dict[str, Any]:  # noqa: A002
        """The settings that the rows depend on."""
        names = [*step.models(), *([step.tagger] if step.tagger else [])]
        return {
            "version": __version__,
            "models": {name: model_checksum(name) for name in names},
            "languages": list(step.languages),
            "only_sure": step.only_sure,
            "max_words": step.max_words,
            "device": (step.device or "cpu").partition(":")[0],
            "columns": asdict(step.columns),
            "format": format,
            "charset": charset,
            "shard_size": shard_size,
        }

    @property
    def digest(self) -> str:
        """What tells this run from all others: settings, and the content of the inputs."""
        pieces = [[*piece] for piece in self.pieces]
        plain = json.dumps([LAYOUT, self.settings, [one.name for one in self.inputs], pieces], sort_keys=True)
        return blake2b(plain.encode(), digest_size=16).hexdigest()

    def shards(self) -> list[Shard]:
        """The shards, in order."""
        return shards_of(self.pieces, self.settings["shard_size"])

    def write(self, out: Place) -> None:
        """Write it into the folder of shards."""
        record = {
            "layout": LAYOUT,
            "settings": self.settings,
            "inputs": [asdict(one) for one in self.inputs],
            "pieces": [[*piece] for piece in self.pieces],
        }
        (out / FOLDER / _FILE).write(json.dumps(record, ensure_ascii=False, indent=1).encode())

    @classmethod
    def read(cls, out: Place) -> Manifest | None:
        """The manifest of a folder; None if it has none."""
        place = out / FOLDER / _FILE
        if not place.info().is_file:
            return None
        try:
            record = json.loads(place.read())
            if record["layout"] != LAYOUT:
                raise DataError(f"layout {record['layout']} is not that of this permutree, {LAYOUT}", source=place.path)
            inputs = [Input(**one) for one in record["inputs"]]
            return cls(record["settings"], inputs, [Piece(*piece) for piece in record["pieces"]])
        except (ValueError, TypeError, KeyError) as error:
            if isinstance(error, DataError):
                raise
            raise DataError(f"damaged: {error!r}; begin again in a new folder", source=place.path) from None

    def check_settings(self, wanted: Mapping[str, Any], where: str) -> None:
        """A ConfigError that says what differs, if rows made with these settings would not fit."""
        for key, before in self.settings.items():
            now = wanted.get(key)
            if now != before:
                what = {"models": "another model"}.get(key, f"{key} = {_said(before)}")
                raise ConfigError(
                    f"{where} was begun with {what} ({_difference(key, before, now)}); run it again as it was begun, "
                    "or name a new folder"
                )

    def check_inputs(self, found: Sequence[Input], scan: Callable[[Iterable[int]], list[list[Piece]]]) -> None:
        """A DataError if the inputs are not those that the folder was begun with.

        Files that have a new time are looked through again, as their content may still be the same.
        """
        before = {one.name: one for one in self.inputs}
        now = {one.name: one for one in found}
        for name in [*before, *now]:
            if name not in now or name not in before:
                what = "is new" if name in now else "is gone"
                raise DataError(f"{what} since the corpus was begun; name a new folder", source=name)
        if [*before] != [*now]:
            raise DataError("the inputs are in another order than when the corpus was begun; name a new folder")
        doubtful = [
            number
            for number, (old, new) in enumerate(zip(self.inputs, found, strict=True))
            if (old.size, old.changed) != (new.size, new.changed)
        ]
        pieces: dict[int, list[Piece]] = {number: [] for number in doubtful}
        for piece in self.pieces:
            if piece.input in pieces:
                pieces[piece.input].append(piece)
        for number, again in zip(doubtful, scan(doubtful) if doubtful else (), strict=True):
            if again != pieces[number]:
                raise DataError(
                    "has changed since the corpus was begun; name a new folder, or put the file back",
                    source=found[number].name,
                )


def _said(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _difference(key: str, before: Any, now: Any) -> str:
    if key == "models":
        gone, new = sorted(set(before) - set(now)), sorted(set(now) - set(before))
        if gone or new:
            return f"{', '.join(sorted(before))}; now it is {', '.join(sorted(now))}"
        changed = [name for name in before if before[name] != now[name]]
        return f"the files of {', '.join(changed)} have changed"
    return f"now it is {_said(now)}"
