"""TIGER, NEGRA and SQUOIA: the TIGER scheme, in which punctuation and some phrases hang from a virtual root."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path, PurePath

from permutree.errors import DataError, OnError, raise_error
from permutree.formats import read
from permutree.formats.export import VIRTUAL_ROOT
from permutree.formats.natural import natural_key
from permutree.formats.registry import guess_format
from permutree.formats.sources import guess_charset, open_sources
from permutree.formats.tigerxml import read as read_tigerxml
from permutree.treebanks.recipes import Splits
from permutree.treebanks.transforms import add_root, move_punctuation, transform
from permutree.trees.tree import Tree

__all__ = ["negra", "squoia_de", "tiger"]


def tiger(raw: Path, on_error: OnError = raise_error) -> Splits:
    """The first 40,472 sentences train, 5,000 dev, the rest test; or the SPMRL files as they are."""
    if raw.is_dir():
        yield from _spmrl(raw, on_error)
        return
    for number, tree in enumerate(read(raw, charset=guess_charset(raw), on_error=on_error)):
        split = "train" if number < 40472 else "dev" if number < 45472 else "test"
        yield split, _prepared(tree)


_SPMRL = re.compile(r"(train|dev|test)\..*(?:xml|export)(?:\.(?:gz|xz|bz2))?", re.IGNORECASE)


def _spmrl(raw: Path, on_error: OnError) -> Splits:
    """The gold files of the shared task: train.German.gold.xml and so on, somewhere below the directory."""
    files: dict[str, Path] = {}
    for path in sorted(raw.rglob("*")):
        match = _SPMRL.fullmatch(path.name)
        if match and path.is_file() and "pred" not in str(path.relative_to(raw)).lower():
            files.setdefault(match[1].lower(), path)
    if not files:
        single = [path for path in sorted(raw.iterdir()) if guess_format(path.name) or path.suffix == ".xml"]
        if len(single) != 1:
            message = (
                "holds neither the SPMRL gold files (train|dev|test….xml) nor a single release file; give the file"
            )
            raise DataError(message, source=str(raw))
        yield from tiger(single[0], on_error)
        return
    for split in ("train", "dev", "test"):
        if split not in files:
            raise DataError(f"holds no {split} file in TIGER-XML or export", source=str(raw))
        for tree in read(files[split], charset=guess_charset(files[split]), on_error=on_error):
            yield split, _prepared(tree)


def negra(raw: Path, on_error: OnError = raise_error) -> Splits:
    """The first 18,602 sentences train, the next 1,000 test, the last 1,000 dev."""
    for number, tree in enumerate(read(raw, charset=guess_charset(raw), on_error=on_error)):
        split = "train" if number < 18602 else "test" if number < 19602 else "dev"
        yield split, _prepared(tree)


def squoia_de(raw: Path, on_error: OnError = raise_error) -> Splits:
    """Of each text, the first 80 % train, the next 10 % dev, the rest test."""
    texts = {PurePath(member).stem: trees for member, trees in _texts(raw, on_error)}
    for split, start, end in (("train", 0.0, 0.8), ("dev", 0.8, 0.9), ("test", 0.9, 1.0)):
        for text in sorted(texts, key=natural_key):
            trees = texts[text]
            for tree in trees[round(start * len(trees)) : round(end * len(trees))]:
                yield split, _prepared(tree.annotated(id=f"{text}/{tree.id}"))


def _texts(raw: Path, on_error: OnError) -> Iterator[tuple[str, list[Tree]]]:
    for source in open_sources(raw, on_error=on_error):
        name = source.member or source.name
        if name.endswith(".xml"):
            yield name, list(read_tigerxml(source, on_error))


def _prepared(tree: Tree) -> Tree:
    """Everything under VROOT, and punctuation moved in from there."""
    return transform(tree, partial(add_root, label=VIRTUAL_ROOT), move_punctuation)
