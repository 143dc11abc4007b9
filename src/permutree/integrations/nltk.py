"""NLTK: trees as NLTK's own, and any treebank as an NLTK corpus.

A tree of NLTK is continuous: a constituent is its children, side by side. There are four ways to say the rest.

``raise``
    a discontinuous tree is an error
``split``
    each block of a discontinuous constituent becomes a constituent, and a number tells which belong together:
    ``(S (VP*1 How) (VBZ does) (NP it) (VP*1 work))``
``traces``
    as in the Penn Treebank: displaced parts stay where they are heard, and an empty element with the same index stands
    where they belong, ``(-NONE- *ICH*-1)``
``indices``
    leaves are ``index=word``, as in discbracket; children may come in any order

Parentheses in words are written ``-LRB-`` and ``-RRB-``, so that what NLTK prints can be read back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Literal, get_args

from permutree.errors import ConfigError, TreeError
from permutree.formats import read
from permutree.formats.brackets import Bracket, escape, unescape
from permutree.formats.ptb import NONE, bracket_with_traces, join_functions, plant
from permutree.formats.traces import KINDS, resolve
from permutree.trees.builder import Leaf, Node, TreeBuilder
from permutree.trees.splitting import join_blocks, split_blocks
from permutree.trees.tree import Tree

try:
    import nltk
    from nltk.collections import AbstractLazySequence
except ModuleNotFoundError as error:
    raise ConfigError("trees for NLTK need NLTK: pip install 'permutree[nltk]'") from error

__all__ = ["WAYS", "TreebankReader", "Way", "from_nltk", "to_nltk"]

Way = Literal["raise", "split", "traces", "indices"]
WAYS: tuple[Way, ...] = get_args(Way)

#: names of files, or None for all
Fileids = str | Iterable[str] | None

_INDEXED = re.compile(r"([0-9]{1,9})=.+", re.DOTALL)


def to_nltk(tree: Tree, discontinuous: Way = "raise") -> nltk.Tree:
    """A tree as NLTK has them; ``discontinuous`` says how constituents with gaps are written.

    >>> tree = Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))")
    >>> print(to_nltk(tree, "split"))
    (S (VP*1 (WRB How)) (VBZ does) (PRP it) (VP*1 (VB work)))
    >>> print(to_nltk(tree, "indices"))
    (S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))
    """
    if discontinuous not in WAYS:
        raise ConfigError(f"no way {discontinuous!r} to write discontinuous trees; there are {', '.join(WAYS)}")
    if tree.is_discontinuous and discontinuous == "raise":
        raise TreeError(
            "a tree of NLTK cannot have gaps, and this one has; say how to write them: "
            "discontinuous='split', 'traces' or 'indices'"
        )
    if discontinuous == "traces":
        return _from_bracket(bracket_with_traces(tree))[0]
    if discontinuous == "indices":
        words = [f"{index}={escape(word)}" for index, word in enumerate(tree.words)]
        return _from_builder(TreeBuilder.from_tree(tree), words)
    return _from_builder(TreeBuilder.from_tree(split_blocks(tree)), [escape(word) for word in tree.words])


def from_nltk(tree: nltk.Tree, discontinuous: Way | None = None) -> Tree:
    """The tree of an NLTK tree, written in one of the ways that :func:`to_nltk` has.

    If no way is named, the tree tells: by empty elements, by leaves that are all numbered, by labels such as ``VP*1``.

    >>> import nltk
    >>> from_nltk(nltk.Tree.fromstring("(S (VP*1 (WRB How)) (VBZ does) (PRP it) (VP*1 (VB work)))"))
    Tree('(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))')
    """
    top = _to_bracket(tree)
    terminals = [bracket for bracket in top.subtrees() if bracket.word is not None]
    if discontinuous is None:
        discontinuous = _guess(terminals)
    if discontinuous == "traces":
        draft = resolve(*plant(top), KINDS)
        # Trees of NLTK have no place for functions but the label, so they stay there, whatever the way.
        join_functions(draft)
        return Tree.of(draft)
    if discontinuous == "indices":
        indexes = _indexes(terminals)
        if sorted(indexes) != list(range(len(terminals))):
            raise TreeError("leaves must be index=word, with every index from 0 once")
        words = [unescape((bracket.word or "").partition("=")[2]) for bracket in terminals]
        return Tree.of(_to_builder(top, terminals, words, indexes))
    builder = _to_builder(top, terminals, [unescape(bracket.word or "") for bracket in terminals])
    return Tree.of(join_blocks(builder) if discontinuous == "split" else builder)


def _guess(terminals: Sequence[Bracket]) -> Way:
    """The way in which a tree is written."""
    if any(bracket.label == NONE for bracket in terminals):
        return "traces"
    return "indices" if sorted(_indexes(terminals)) == list(range(len(terminals))) else "split"


def _indexes(terminals: Sequence[Bracket]) -> list[int]:
    """The numbers of the leaves that are ``index=word``."""
    found = (_INDEXED.fullmatch(bracket.word or "") for bracket in terminals)
    return [int(one[1]) for one in found if one]


def _from_builder(builder: TreeBuilder, words: Sequence[str]) -> nltk.Tree:
    """NLTK's nodes, made from the last to the first, so that deep trees need no recursion."""
    texts = dict(zip(builder.leaves, words, strict=True))
    made: dict[Node | Leaf, nltk.Tree] = {leaf: nltk.Tree(leaf.tag, [texts[leaf]]) for leaf in builder.leaves}
    for node in reversed(list(builder.nodes())):
        made[node] = nltk.Tree(node.label, [made[child] for child in node.children])
    return made[builder.root]


def _from_bracket(bracket: Bracket) -> nltk.Tree:
    made: dict[Bracket, nltk.Tree] = {}
    for item in reversed(list(bracket.subtrees())):
        children = [child if isinstance(child, str) else made[child] for child in item.children]
        made[item] = nltk.Tree(item.label, children)
    return made[bracket]


def _to_bracket(tree: nltk.Tree) -> Bracket:
    """NLTK's nodes as brackets; a TreeError for what is no tree of words with tags."""
    if not isinstance(tree, nltk.Tree):
        raise TreeError(f"a tree of NLTK is wanted, not {type(tree).__name__}")
    top = Bracket("")
    stack: list[tuple[Any, Bracket]] = [(tree, top)]
    while stack:
        node, parent = stack.pop()
        bracket = Bracket(str(node.label()))
        parent.children.append(bracket)
        if not len(node):
            raise TreeError(f"the constituent {bracket.label!r} is empty")
        if len(node) == 1 and not isinstance(node[0], nltk.Tree):
            bracket.children.append(str(node[0]))
            continue
        if loose := [child for child in node if not isinstance(child, nltk.Tree)]:
            raise TreeError(f"the word {str(loose[0])!r} has no tag: it must be the only child of a node")
        stack.extend((child, bracket) for child in reversed(node))
    found = top.children[0]
    assert isinstance(found, Bracket)
    return found


def _to_builder(
    top: Bracket, terminals: Sequence[Bracket], words: Sequence[str], indexes: Sequence[int] | None = None
) -> TreeBuilder:
    """A builder over words, which stand in the order of the brackets or at the indexes given."""
    leaves = [Leaf(word, bracket.label) for bracket, word in zip(terminals, words, strict=True)]
    made: dict[Bracket | str, Node | Leaf] = dict(zip(terminals, leaves, strict=True))
    for item in reversed(list(top.subtrees())):
        if item not in made:
            made[item] = Node(item.label, [made[child] for child in item.children])
    if indexes is not None:
        leaves = [leaf for _, leaf in sorted(zip(indexes, leaves, strict=True), key=lambda pair: pair[0])]
    return TreeBuilder(made[top], leaves)


class _Lazy(AbstractLazySequence):  # type: ignore[misc]
    """What a stream holds, read anew each time: it has a length and can be indexed, as NLTK's views."""

    def __init__(self, items: Callable[[], Iterator[Any]]) -> None:
        self._items = items

    def iterate_from(self, start: int) -> Iterator[Any]:
        """The items from one on."""
        return islice(self._items(), start, None)

    def __len__(self) -> int:
        return sum(1 for _ in self._items())


class TreebankReader:
    r"""A treebank in any format as a corpus for NLTK: ``words``, ``sents``, ``tagged_sents``, ``parsed_sents``, ….

    Results are views as NLTK has them, with a length and items by number. Files are streamed each time, so memory does
    not grow with them.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "small.discbracket").write_text("(S (NN 0=dogs) (VB 1=bark))\n")
    ...     corpus = TreebankReader(folder, r".*\.discbracket")
    ...     print(corpus.tagged_words(), corpus.fileids(), corpus.parsed_sents()[0])
    [('dogs', 'NN'), ('bark', 'VB')] ['small.discbracket'] (S (NN dogs) (VB bark))
    """

    def __init__(
        self,
        root: str | Path,
        fileids: str | Iterable[str] = ".*",
        *,
        discontinuous: Way = "split",
        format: str | None = None,  # noqa: A002 - the word that users expect
        **options: Any,
    ) -> None:
        """``fileids`` are names or a regular expression; the format is guessed unless it is given.

        Further options are those of :func:`permutree.read`.
        """
        self._root = Path(root)
        if isinstance(fileids, str):
            names = (path.relative_to(root).as_posix() for path in self._root.rglob("*") if path.is_file())
            self._names = sorted(filter(re.compile(fileids).fullmatch, names))
        else:
            self._names = list(fileids)
        if not self._names:
            raise ConfigError(f"no file in {root} matches the regular expression {fileids!r}")
        self._discontinuous: Way = discontinuous
        self._options = {"format": format, **options}

    def fileids(self) -> list[str]:
        """The names of the files."""
        return list(self._names)

    def _view(self, fileids: Fileids, of: Callable[[Tree], Iterable[Any]]) -> _Lazy:
        names = self._names if fileids is None else [fileids] if isinstance(fileids, str) else fileids
        paths = [self._root / name for name in names]
        return _Lazy(lambda: (item for tree in read(paths, **self._options) for item in of(tree)))

    def trees(self, fileids: Fileids = None) -> Sequence[Tree]:
        """The trees of permutree, with everything that they know."""
        return self._view(fileids, lambda tree: [tree])

    def parsed_sents(self, fileids: Fileids = None) -> Sequence[nltk.Tree]:
        """The trees of NLTK."""
        return self._view(fileids, lambda tree: [to_nltk(tree, self._discontinuous)])

    def sents(self, fileids: Fileids = None) -> Sequence[list[str]]:
        """Sentences as lists of words."""
        return self._view(fileids, lambda tree: [list(tree.words)])

    def tagged_sents(self, fileids: Fileids = None) -> Sequence[list[tuple[str, str]]]:
        """Sentences as lists of (word, tag)."""
        return self._view(fileids, lambda tree: [list(zip(tree.words, tree.tags, strict=True))])

    def words(self, fileids: Fileids = None) -> Sequence[str]:
        """All words."""
        return self._view(fileids, lambda tree: tree.words)

    def tagged_words(self, fileids: Fileids = None) -> Sequence[tuple[str, str]]:
        """All words with their tags."""
        return self._view(fileids, lambda tree: zip(tree.words, tree.tags, strict=True))
