"""The Icelandic Parsed Historical Corpus (IcePaHC): how its released files become trees and splits."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path, PurePath

from permutree.tree import Tree
from permutree.treebanks import psd
from permutree.treebanks.errors import OnError, raise_error
from permutree.treebanks.sources import Source, open_sources
from permutree.treebanks.transforms import add_root, close_gaps, transform

__all__ = ["DEV", "PUNCTUATION", "TEST", "icepahc"]

#: the tags of punctuation that does not count as a reason for a gap
PUNCTUATION = frozenset([",", ".", '"', "-"])

#: the texts of the development set
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


def icepahc(path: str | Path, on_error: OnError = raise_error) -> Iterator[tuple[str, Tree]]:
    """The trees of the corpus with the split that each belongs to, text by text in the order of their names.

    The path is the archive or directory with the ``.psd`` files. Traces of the kinds ``*T*`` and ``*ICH*`` are
    resolved, the halves of split words joined, punctuation that alone makes a gap moved into it, and functions left
    away. An id is the name of the text in lower case and the number of the sentence in it; comments are not counted.
    """
    texts: dict[str, Source] = {}
    for source in open_sources(path):
        name = PurePath(source.member or source.name)
        if name.suffix == ".psd":
            # An archive has its own order, and each source is gone with the next.
            texts[name.stem] = Source(source.name, io.BufferedReader(io.BytesIO(source.stream.read())))
    for text in sorted(texts):
        split = "dev" if text in DEV else "test" if text in TEST else "train"
        trees = psd.read(texts.pop(text), on_error, traces=("T", "ICH"), lemmas="yes", join=True)
        for number, tree in enumerate(trees, 1):
            yield split, _prepared(tree).annotated(id=f"{text.lower()},{number}", functions=None)


def _prepared(tree: Tree) -> Tree:
    if tree.is_discontinuous:
        return transform(tree, add_root, lambda draft: close_gaps(draft, PUNCTUATION))
    return transform(tree, add_root)
