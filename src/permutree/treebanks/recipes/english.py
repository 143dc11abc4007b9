"""English treebanks with traces: how the raw files of MASC, CRAFT and the Wall Street Journal become trees and splits.

Each recipe yields trees with the split they belong to, documents in the order of their names, whatever the order in
which a directory or archive gives them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path, PurePath

from permutree.errors import DataError, OnError, raise_error
from permutree.formats import craft as craft_dialect
from permutree.formats import ptb, read
from permutree.formats.export import VIRTUAL_ROOT
from permutree.formats.sinks import is_collection
from permutree.formats.sources import Source, guess_charset, open_sources
from permutree.treebanks.recipes import Splits
from permutree.treebanks.transforms import (
    PENN_PUNCTUATION,
    add_root,
    close_gaps,
    map_labels,
    move_punctuation,
    transform,
)
from permutree.trees.builder import TreeBuilder
from permutree.trees.tree import Tree

__all__ = ["craft", "dptb", "masc"]


def masc(raw: Path, on_error: OnError = raise_error) -> Splits:
    """The trees of MASC: of each document the first eight tenths are train, the next dev, the last test.

    Codes and the slashes that end units of speech are no words, and trees of nothing else are not counted.
    """

    def note(error: DataError) -> None:
        if (PurePath(error.source or "").name, error.line) not in MASC_STRAY_BRACKETS:
            on_error(error)

    reader = partial(ptb.read_traces, on_error=note, without=("CODE", "SU"), root="ROOT")
    for document, trees in _documents(raw, r"(.+)\.mrg", "110CYL067.mrg", reader, on_error):
        size = len(trees)
        for number, tree in enumerate(trees, 1):
            split = "train" if number <= round(0.8 * size) else "dev" if number <= round(0.9 * size) else "test"
            yield split, tree.annotated(id=f"{document},{number}")


#: closing brackets too many, after whole trees: file and line
MASC_STRAY_BRACKETS = {("enron-thread-159550.mrg", 349), ("enron-thread-159550.mrg", 451)}


def craft(raw: Path, on_error: OnError = raise_error) -> Splits:
    """The trees of CRAFT in its official split by documents; white space inside words becomes ``_``."""
    reader = partial(craft_dialect.read, on_error=on_error, root="ROOT")
    for document, trees in _documents(raw, r"(.+)\.tree", "11532192.tree", reader, on_error):
        if document not in CRAFT_SPLIT:
            message = f"the official split of CRAFT does not name the document {document}"
            on_error(DataError(message, source=str(raw)))
            continue
        for number, tree in enumerate(trees, 1):
            yield CRAFT_SPLIT[document], _join_words(tree).annotated(id=f"{document},{number}")


def dptb(raw: Path, on_error: OnError = raise_error) -> Splits:
    """The discontinuous Penn treebank: WSJ sections 02–21 train, 22 dev, 23 test.

    From the export file of Evang and Kallmeyer, in which these are the trees 3,915–43,746, 43,747–45,446 and
    45,447–47,862; or from the merged files of the Penn Treebank, with our own resolution of traces.
    """
    if raw.is_dir() or is_collection(raw):
        yield from _wsj(raw, on_error)
        return
    for number, tree in enumerate(read(raw, "export", guess_charset(raw), on_error), 1):
        for split, last in (("", 3914), ("train", 43746), ("dev", 45446), ("test", 47862)):
            if number <= last:
                if split:
                    yield split, transform(tree, _rooted, move_punctuation)
                break


def _rooted(draft: TreeBuilder) -> None:
    """Call a virtual root ROOT, and put one on top where there is none."""
    map_labels(draft, {VIRTUAL_ROOT: "ROOT"})
    add_root(draft)


def _wsj(raw: Path, on_error: OnError = raise_error) -> Splits:
    """The Wall Street Journal part of the Penn Treebank: sections 02–21 are train, 22 dev, 23 test, others not used.

    Takes the directory of merged files (``wsj/00/wsj_0001.mrg`` and so on), or one above it.
    """
    reader = partial(ptb.read_traces, on_error=on_error, root="ROOT")
    used = r"(wsj_(?:0[2-9]|1[0-9]|2[0-3])[0-9]{2})\.mrg"
    for document, trees in _documents(raw, used, "wsj_0200.mrg", reader, on_error):
        for number, tree in enumerate(trees, 1):
            yield WSJ_SPLIT.get(document[4:6], "train"), tree.annotated(id=f"{document},{number}")


#: the sections that are not train
WSJ_SPLIT = {"22": "dev", "23": "test"}


def _documents(
    raw: Path, pattern: str, example: str, reader: Callable[[Source], Iterator[Tree]], on_error: OnError
) -> list[tuple[str, list[Tree]]]:
    """The trees of every document, sorted by its name: the part of the file name that the pattern takes."""
    documents: dict[str, list[Tree]] = {}
    for source in open_sources(raw, on_error=on_error):
        match = re.fullmatch(pattern, PurePath(source.member or source.name).name, re.IGNORECASE)
        if match is None:
            continue
        if match[1] in documents:
            on_error(DataError(f"the document {match[1]} was in another file before", source=source.name))
            continue
        documents[match[1]] = [_finish(tree) for tree in reader(source)]
    if not documents:
        raise DataError(f"holds no file of this treebank, such as {example}", source=str(raw))
    return sorted(documents.items())


def _finish(tree: Tree) -> Tree:
    """The tree without gaps that are only punctuation."""
    if tree.is_discontinuous:
        draft = TreeBuilder.from_tree(tree)
        close_gaps(draft, PENN_PUNCTUATION)
        tree = Tree.of(draft)
    return tree


def _join_words(tree: Tree) -> Tree:
    """The tree with words of one piece: white space inside them becomes ``_``."""
    if not any(re.search(r"\s", word) for word in tree.words):
        return tree
    draft = TreeBuilder.from_tree(tree)
    for leaf in draft.leaves:
        leaf.word = "_".join(leaf.word.split())
    return Tree.of(draft)


_TRAIN = """
    11532192 11597317 11897010 12079497 12546709 12585968 12925238 14609438 14611657 14723793 14737183 15005800
    15040800 15061865 15207008 15314655 15314659 15320950 15328533 15345036 15492776 15550985 15588329 15630473
    15676071 15760270 15819996 15836427 15876356 15917436 15921521 15938754 16098226 16103912 16109169 16110338
    16121255 16121256 16216087 16221973 16255782 16279840 16362077 16433929 16462940 16504143 16504174 16507151
    16539743 16579849 16628246 16670015 16700629 16870721 17002498 17020410 17022820 17069463 17078885 17083276
"""
_DEV = """
    17194222 17244351 17425782 17447844 17590087 17608565 17696610
"""
_TEST = """
    11319941 11604102 14624252 14675480 14691534 15018652 15070402 15238161 15328538 15560850 15615595 15619330
    15784609 15850489 15882093 16026622 16027110 16410827 16517939 16611361 16787536 16800892 16968134 17029558
    17201918 17206865 17465682 17503968 17565376 17677002
"""

#: the official split of CRAFT by document
CRAFT_SPLIT = {
    document: split
    for split, documents in (("train", _TRAIN), ("dev", _DEV), ("test", _TEST))
    for document in documents.split()
}
