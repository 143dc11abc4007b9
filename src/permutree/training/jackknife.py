"""Tags for training that are like those of unseen text: each part of a treebank, tagged by a tagger of the rest.

A parser that learns from gold tags trusts tags too much; one that learns from the tags that a tagger gives to its own
training set does so too, as the tagger knows that set by heart.
"""

from __future__ import annotations

import gzip
import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from permutree.errors import ConfigError, DataError
from permutree.formats.sinks import open_output
from permutree.parsing.parser import Parser
from permutree.training.config import Config
from permutree.training.loop import train
from permutree.trees.tree import Tree

__all__ = ["jackknife"]

_log = logging.getLogger("permutree")
#: one in so many sentences of the rest is not trained on, but tells when the tagger is best
_DEV = 10


def jackknife(trees: Sequence[Tree], config: Config, folds: int, folder: str | Path) -> list[Tree]:
    """The trees with predicted tags, in the same order.

    Trees go to the folds in turn. The tagger of a fold is trained on the others, a tenth of which selects it. Taggers
    are kept in folders of their own; the same call again goes on where the one before was interrupted.
    """
    if config.model.task != "tag":
        raise ConfigError("jackknifing takes the settings of a tagger: model.task = 'tag'")
    if folds < 2:
        raise ConfigError(f"there must be at least 2 folds, not {folds}")
    rest = len(trees) - -(-len(trees) // folds)
    if len(trees) < folds or rest < 2:
        raise ConfigError(f"{len(trees)} trees are too few for {folds} folds")
    tagged: list[Tree] = list(trees)
    right = 0
    for fold in range(folds):
        tagger = _train_tagger(trees, config, fold, folds, Path(folder) / f"fold-{fold + 1}-of-{folds}")
        for number, tags in zip(
            range(fold, len(trees), folds), tagger.tag([tree.words for tree in trees[fold::folds]]), strict=True
        ):
            tagged[number] = trees[number].with_tags(tags)
            right += sum(map(str.__eq__, tags, trees[number].tags))
    words = sum(map(len, trees))
    _log.info("%.2f %% of the tags are right", 100 * right / words)
    return tagged


def _train_tagger(trees: Sequence[Tree], config: Config, fold: int, folds: int, folder: Path) -> Parser:
    """The tagger for one fold."""
    rest = [tree for number, tree in enumerate(trees) if number % folds != fold]
    # With few trees, a tenth would be none.
    step = min(_DEV, len(rest))
    folder.mkdir(parents=True, exist_ok=True)
    train_path, dev_path = folder / "train.discbracket.gz", folder / "dev.discbracket.gz"
    _write(train_path, [tree for number, tree in enumerate(rest) if number % step != step - 1])
    _write(dev_path, rest[step - 1 :: step])
    data = replace(config.data, train=(str(train_path),), dev=(str(dev_path),), train_tags=(), dev_tags=())
    result = train(replace(config, data=data, out=str(folder)))
    return Parser.load(result.folder)


def _write(path: Path, trees: Sequence[Tree]) -> None:
    """Write trees to a file, or make sure that they are there already."""
    lines = [f"{tree.discbracket()}\n" for tree in trees]
    if not path.exists():
        with open_output(path) as stream:
            stream.writelines(lines)
    elif gzip.decompress(path.read_bytes()).decode() != "".join(lines):
        raise DataError("has other trees; choose another folder, or delete this one", source=str(path))
