"""The Icelandic Parsed Historical Corpus (IcePaHC) and its modern additions: how released files become trees."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path, PurePath

from permutree.errors import DataError, OnError, raise_error
from permutree.formats import psd
from permutree.formats.sources import Source, open_sources
from permutree.treebanks.recipes import Splits
from permutree.treebanks.transforms import add_root, close_gaps, transform
from permutree.trees.tree import Tree

__all__ = ["DEV", "PUNCTUATION", "TEST", "icepahc", "icepahc_modern"]

_log = logging.getLogger("permutree")

#: the tags of punctuation that does not count as a reason for a gap
PUNCTUATION = frozenset([",", ".", '"', "-"])

_EMPTY_BRACKET = re.compile(rb"\(([A-Z][\w=-]*)\s*\)")

#: the texts of the development set of IcePaHC
DEV = frozenset(
    [
        "1250.thetubrot.nar-sag",
        "1350.bandamennM.nar-sag",
        "1475.aevintyri.nar-rel",
        "1525.georgius.nar-rel",
        "1630.gerhard.rel-oth",
        "1720.vidalin.rel-ser",
        "1883.voggur.nar-fic",
        "1888.grimur.nar-fic",
        "1902.fossar.nar-fic",
        "2008.ofsi.nar-sag",
    ]
)
#: the texts of the test set; those in neither are for training
TEST = frozenset(
    [
        "1150.firstgrammar.sci-lin",
        "1210.jartein.rel-sag",
        "1350.marta.rel-sag",
        "1400.gunnar2.nar-sag",
        "1450.bandamenn.nar-sag",
        "1540.ntacts.rel-bib",
        "1628.olafuregils.bio-tra",
        "1745.klim.nar-fic",
        "1850.piltur.nar-fic",
        "1920.arin.rel-ser",
    ]
)


def icepahc(raw: Path, on_error: OnError = raise_error) -> Splits:
    """The trees of the corpus, text by text in the order of their names.

    Traces of the kinds ``*T*`` and ``*ICH*`` are resolved, the halves of split words joined, punctuation that alone
    makes a gap moved into it. An id is the name of the text in lower case and the number of the sentence in it;
    comments are not counted.
    """
    for text, source in _texts(raw, on_error):
        split = "dev" if text in DEV else "test" if text in TEST else "train"
        for tree in _trees(text, source, on_error):
            yield split, tree


def icepahc_modern(raw: Path, on_error: OnError = raise_error) -> Splits:
    """The trees of parliament and news of today, annotated as IcePaHC is; texts in the order of their names.

    Of ten texts, the first is for dev and the second for test; what these say is left out of train. Brackets that the
    annotators left empty are empty elements. Otherwise as in :func:`icepahc`.
    """
    splits: dict[str, list[Tree]] = {"dev": [], "test": [], "train": []}
    for place, (text, source) in enumerate(_texts(raw, on_error)):
        split = {0: "dev", 1: "test"}.get(place % 10, "train")
        filled = _EMPTY_BRACKET.sub(rb"(\1 0)", source.stream.read())
        source = Source(source.name, io.BufferedReader(io.BytesIO(filled)))
        splits[split] += _trees(text.removesuffix(".sanity"), source, _leave_out)
    held_out = {_text(tree) for split in ("dev", "test") for tree in splits[split]}
    splits["train"] = [tree for tree in splits["train"] if _text(tree) not in held_out]
    for split, trees in splits.items():
        for tree in trees:
            yield split, tree


def _leave_out(error: DataError) -> None:
    """Say what is left out: one tree of the release has words where labels belong."""
    _log.warning("%s: the tree is left out", error)


def _text(tree: Tree) -> str:
    return " ".join(tree.words).lower()


def _trees(text: str, source: Source, on_error: OnError) -> Iterator[Tree]:
    """The trees of a text, with their ids."""
    trees = psd.read(source, on_error, traces=("T", "ICH"), lemmas="yes", join=True)
    for number, tree in enumerate(trees, 1):
        yield _prepared(tree).annotated(id=f"{text.lower()},{number}")


def _texts(raw: Path, on_error: OnError) -> list[tuple[str, Source]]:
    """The texts in the order of their names; archives have an order of their own."""
    texts: dict[str, Source] = {}
    for source in open_sources(raw, on_error=on_error):
        name = PurePath(source.member or source.name)
        if name.suffix != ".psd":
            continue
        if name.stem in texts:
            on_error(DataError(f"the text {name.stem} was in another file before", source=source.name))
            continue
        # A source is gone with the next one, so its bytes are kept: 35 MB for the whole corpus.
        texts[name.stem] = Source(source.name, io.BufferedReader(io.BytesIO(source.stream.read())))
    if not texts:
        raise DataError("holds no file of this treebank, such as 1150.homiliubok.rel-ser.psd", source=str(raw))
    return sorted(texts.items())


def _prepared(tree: Tree) -> Tree:
    """The tree with a root and without gaps that are only punctuation."""
    return transform(tree, add_root, partial(close_gaps, tags=PUNCTUATION))
