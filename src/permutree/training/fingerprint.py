"""What a training has read: the SHA-256 of each file, so that it is not resumed on other data."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from permutree.errors import DataError
from permutree.models import folder as folder_of
from permutree.training.config import Config

__all__ = ["check_data", "fingerprint"]


def fingerprint(config: Config) -> dict[str, str]:
    """The SHA-256 of all files that a training reads, by name; of a folder, that of all files in it."""
    data = config.data
    names = [*data.train, *data.dev, *data.train_tags, *data.dev_tags, *data.tagged]
    if config.model.embeddings.vectors is not None:
        names.append(config.model.embeddings.vectors)
    found = {name: _digest(Path(name)) for name in dict.fromkeys(names) if Path(name).exists()}
    models = [*config.training.teachers, *([config.training.start] if config.training.start is not None else [])]
    found |= {name: _digest(folder_of(name)) for name in models}
    return found


def check_data(path: Path, before: Mapping[str, str] | None, now: Mapping[str, str]) -> None:
    """An error that names the files which are not as they were when a file was made; earlier versions do not say."""
    if before is None:
        return
    changed = sorted(name for name in before.keys() | now.keys() if before.get(name) != now.get(name))
    if changed:
        raise DataError(
            f"was made with other data ({', '.join(changed)}): put that back, choose another folder, or delete this "
            "file to start anew",
            source=str(path),
        )


def _digest(path: Path) -> str:
    whole = hashlib.sha256()
    for file in sorted(one for one in path.rglob("*") if one.is_file()) if path.is_dir() else [path]:
        with file.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256")
        if not path.is_dir():
            return digest.hexdigest()
        whole.update(f"{file.relative_to(path).as_posix()}\0".encode() + digest.digest())
    return whole.hexdigest()
