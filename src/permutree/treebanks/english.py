"""English treebanks with traces: how the raw files of MASC, CRAFT and the Wall Street Journal become trees and splits.

Each recipe yields trees with the split they belong to, documents in the order of their names, whatever the order in
which a directory or archive gives them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path, PurePath

from permutree.draft import Draft, Leaf, Node
from permutree.tree import Tree, blocks_of
from permutree.treebanks import craft as craft_dialect
from permutree.treebanks import ptb
from permutree.treebanks.errors import OnError, TreebankError, raise_error
from permutree.treebanks.sources import Source, open_sources
from permutree.treebanks.transforms import prune

__all__ = ["PUNCTUATION", "close_gaps", "craft", "masc", "wsj"]

#: the tags of punctuation that does not count as a reason for a gap; hyphens (HYPH) are parts of words
PUNCTUATION = frozenset([",", ".", ":", "``", "''", "-LRB-", "-RRB-", "-LSB-", "-RSB-", "-LCB-", "-RCB-", "NFP"])


def masc(path: str | Path, on_error: OnError = raise_error) -> Iterator[tuple[str, Tree]]:
    """The trees of MASC: of each document the first eight tenths are train, the next dev, the last test.

    Codes and the slashes that end units of speech are no words, and trees of nothing else are not counted.
    """

    def note(error: TreebankError) -> None:
        if (PurePath(error.source or "").name, error.line) not in MASC_STRAY_BRACKETS:
            on_error(error)

    read = partial(ptb.read_traces, on_error=note, without=("CODE", "SU"), root="ROOT")
    for document, trees in _documents(path, r"(.+)\.mrg", "110CYL067.mrg", read, on_error):
        size = len(trees)
        for number, tree in enumerate(trees, 1):
            split = "train" if number <= round(0.8 * size) else "dev" if number <= round(0.9 * size) else "test"
            yield split, tree.annotated(id=f"{document},{number}")


#: closing brackets too many, after whole trees: file and line
MASC_STRAY_BRACKETS = {("enron-thread-159550.mrg", 349), ("enron-thread-159550.mrg", 451)}


def craft(path: str | Path, on_error: OnError = raise_error) -> Iterator[tuple[str, Tree]]:
    """The trees of CRAFT in its official split by documents; white space inside words becomes ``_``."""
    read = partial(craft_dialect.read, on_error=on_error, root="ROOT")
    for document, trees in _documents(path, r"(.+)\.tree", "11532192.tree", read, on_error):
        if document not in CRAFT_SPLIT:
            message = f"the official split of CRAFT does not name the document {document}"
            on_error(TreebankError(message, source=str(path)))
            continue
        for number, tree in enumerate(trees, 1):
            yield CRAFT_SPLIT[document], _join_words(tree).annotated(id=f"{document},{number}")


def wsj(path: str | Path, on_error: OnError = raise_error) -> Iterator[tuple[str, Tree]]:
    """The Wall Street Journal part of the Penn Treebank: sections 02–21 are train, 22 dev, 23 test, others not used.

    Takes the directory of merged files (``wsj/00/wsj_0001.mrg`` and so on), or one above it.
    """
    read = partial(ptb.read_traces, on_error=on_error, root="ROOT")
    used = r"(wsj_(?:0[2-9]|1[0-9]|2[0-3])[0-9]{2})\.mrg"
    for document, trees in _documents(path, used, "wsj_0200.mrg", read, on_error):
        for number, tree in enumerate(trees, 1):
            yield WSJ_SPLIT.get(document[4:6], "train"), tree.annotated(id=f"{document},{number}")


#: the sections that are not train
WSJ_SPLIT = {"22": "dev", "23": "test"}


def _documents(
    path: str | Path, pattern: str, example: str, read: Callable[[Source], Iterator[Tree]], on_error: OnError
) -> list[tuple[str, list[Tree]]]:
    """The trees of every document, sorted by its name: the part of the file name that the pattern takes."""
    documents: dict[str, list[Tree]] = {}
    for source in open_sources(path):
        match = re.fullmatch(pattern, PurePath(source.member or source.name).name, re.IGNORECASE)
        if match is None:
            continue
        if match[1] in documents:
            on_error(TreebankError(f"the document {match[1]} was in another file before", source=source.name))
            continue
        documents[match[1]] = [_finish(tree) for tree in read(source)]
    if not documents:
        raise TreebankError(f"holds no file of this treebank, such as {example}", source=str(path))
    return sorted(documents.items())


def _finish(tree: Tree) -> Tree:
    """The tree without functions and without gaps that are only punctuation."""
    if tree.is_discontinuous:
        draft = Draft.from_tree(tree)
        close_gaps(draft)
        tree = draft.freeze()
    return tree.annotated(functions=None)


def _join_words(tree: Tree) -> Tree:
    """The tree with words of one piece: white space inside them becomes ``_``."""
    if not any(re.search(r"\s", word) for word in tree.words):
        return tree
    draft = Draft.from_tree(tree)
    for leaf in draft.leaves:
        leaf.word = "_".join(leaf.word.split())
    return draft.freeze()


def close_gaps(draft: Draft, tags: Collection[str] = PUNCTUATION) -> None:
    """Move punctuation that alone makes a gap into the constituent that has the gap, the lowest one first."""
    parents = draft.parents()
    while (found := _punctuation_gap(draft, tags)) is not None:
        node, gap = found
        for leaf in gap:
            parents[leaf].children.remove(leaf)
            node.children.append(leaf)
            parents[leaf] = node
        prune(draft)


def _punctuation_gap(draft: Draft, tags: Collection[str]) -> tuple[Node, list[Leaf]] | None:
    """A constituent and the punctuation that fills a gap of it, if there is such a gap; children before parents."""
    words: dict[Node | Leaf, list[int]] = {leaf: [number] for number, leaf in enumerate(draft.leaves)}
    for node in reversed(list(draft.nodes())):
        words[node] = sorted(word for child in node.children for word in words[child])
        blocks = blocks_of(words[node])
        for (_, end), (start, _) in pairwise(blocks):
            gap = draft.leaves[end:start]
            if all(leaf.tag in tags for leaf in gap):
                return node, gap
    return None


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
