"""pandas: trees as data frames, a row for each word, constituent or sentence, and back.

The frame of sentences is the schema of :mod:`permutree.formats.arrow`, which Parquet files and corpora have, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from permutree.errors import ConfigError, DataError, TreeError
from permutree.formats.arrow import arrow, from_trees, schema, to_trees
from permutree.trees.builder import Leaf, Node, TreeBuilder
from permutree.trees.nodes import blocks_of
from permutree.trees.tree import Tree

try:
    import pandas
except ModuleNotFoundError as error:
    raise ConfigError("data frames need pandas: pip install 'permutree[pandas]'") from error

__all__ = ["frame_to_trees", "trees_to_frame"]

Kind = Literal["words", "constituents", "sentences"]

WORDS = {
    "sentence": "int64",
    "id": "object",
    "index": "int64",
    "word": "object",
    "tag": "object",
    "lemma": "object",
    "morphology": "object",
    "function": "object",
    "parent": "int64",
    "start": "Int64",
    "end": "Int64",
}
CONSTITUENTS = {
    "sentence": "int64",
    "id": "object",
    "constituent": "int64",
    "label": "object",
    "parent": "int64",
    "words": "object",
    "text": "object",
    "size": "int64",
    "gap_degree": "int64",
    "function": "object",
    "confidence": "float64",
}


def trees_to_frame(trees: Iterable[Tree], of: Kind = "sentences") -> pandas.DataFrame:
    """A frame with a row for each sentence, word or constituent of trees.

    ``words``
        ``sentence`` (from 1), ``id``, ``index`` (from 0), ``word``, ``tag``, ``lemma``, ``morphology``, ``function``,
        ``parent`` (the constituent that the word hangs from, -1 for none), ``start`` and ``end`` (characters)
    ``constituents``
        ``sentence``, ``id``, ``constituent`` (from 0, in preorder), ``label``, ``parent`` (-1 for the root), ``words``
        (indexes), ``text`` (with … for gaps), ``size``, ``gap_degree``, ``function``, ``confidence``
    ``sentences``
        the columns of :func:`permutree.formats.arrow.schema`

    >>> tree = Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))")
    >>> trees_to_frame([tree], of="constituents")[["label", "words", "text", "gap_degree"]]
      label         words              text  gap_degree
    0     S  [0, 1, 2, 3]  How does it work           0
    1    VP        [0, 3]        How … work           1
    """
    if of == "sentences":
        return from_trees(trees).to_pandas()  # type: ignore[no-any-return]
    if of == "words":
        return _frame(_words(trees), WORDS)
    if of == "constituents":
        return _frame(_constituents(trees), CONSTITUENTS)
    raise ConfigError(f"no frame of {of!r}; there are words, constituents, sentences")


def _frame(rows: Iterable[tuple[Any, ...]], columns: dict[str, str]) -> pandas.DataFrame:
    return pandas.DataFrame(list(rows), columns=list(columns)).astype(columns)


def _words(trees: Iterable[Tree]) -> Iterator[tuple[Any, ...]]:
    for sentence, tree in enumerate(trees, 1):
        notes, nothing = tree.annotations, (None,) * len(tree)
        columns = (
            tree.words,
            tree.tags,
            notes.lemmas or nothing,
            notes.morphology or nothing,
            (notes.functions or nothing)[: len(tree)],
            tree.word_parents,
            notes.offsets or nothing,
        )
        for index, (*values, offsets) in enumerate(zip(*columns, strict=True)):
            yield sentence, tree.id, index, *values, *(offsets or (None, None))


def _constituents(trees: Iterable[Tree]) -> Iterator[tuple[Any, ...]]:
    for sentence, tree in enumerate(trees, 1):
        notes, nothing = tree.annotations, (None,) * len(tree.labels)
        functions = nothing if notes.functions is None else notes.functions[len(tree) :]
        columns = (tree, tree.parents, functions, notes.confidence or nothing)
        for number, ((label, words), parent, function, confidence) in enumerate(zip(*columns, strict=True)):
            blocks = blocks_of(words)
            text = " … ".join(" ".join(tree.words[start:end]) for start, end in blocks)
            facts = (label, parent, list(words), text, len(words), len(blocks) - 1, function, confidence)
            yield sentence, tree.id, number, *facts


def frame_to_trees(frame: pandas.DataFrame, constituents: pandas.DataFrame | None = None) -> list[Tree]:
    """The trees of a frame of sentences, or of a frame of words and one of constituents.

    Rows may be in any order, and columns may be missing that are not needed: of sentences, ``discbracket`` is enough;
    of words, ``sentence``, ``index``, ``word``, ``tag`` and ``parent``; of constituents, ``sentence``,
    ``constituent``, ``label`` and ``parent``.
    """
    if constituents is None:
        if "word" in frame.columns:
            raise ConfigError("a frame of words says nothing of constituents: give their frame, too")
        return _from_sentences(frame)
    _check(frame, ("sentence", "index", "word", "tag", "parent"), "words")
    _check(constituents, ("sentence", "constituent", "label", "parent"), "constituents")
    nodes = dict(iter(constituents.sort_values(["sentence", "constituent"]).groupby("sentence")))
    words = dict(iter(frame.sort_values(["sentence", "index"]).groupby("sentence")))
    if lonely := [sentence for sentence in nodes if sentence not in words]:
        raise DataError("there are constituents, but no words", sentence=str(lonely[0]))
    return [_tree(sentence, rows, nodes.get(sentence)) for sentence, rows in words.items()]


def _from_sentences(frame: pandas.DataFrame) -> list[Tree]:
    pa = arrow()
    known = [name for name in frame.columns if name in schema().names]
    if not {"discbracket", "word_parents"} & set(known):
        raise DataError(
            "a frame of sentences has a column discbracket; this one has " + ", ".join(map(str, frame.columns))
        )
    fields = pa.schema([schema().field(name) for name in known])
    try:
        table = pa.Table.from_pandas(frame[known], fields, preserve_index=False)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise DataError(f"the frame does not fit the schema: {error}") from None
    return [tree for batch in table.combine_chunks().to_batches() for tree in to_trees(batch)]


def _check(frame: pandas.DataFrame, columns: Iterable[str], what: str) -> None:
    if missing := [name for name in columns if name not in frame.columns]:
        raise DataError(f"the frame of {what} has no column {missing[0]!r}")


def _tree(sentence: Any, words: pandas.DataFrame, constituents: pandas.DataFrame | None) -> Tree:
    """The tree of the rows of one sentence."""
    leaves = [
        Leaf(
            row["word"], row["tag"], _text(row, "lemma"), _text(row, "morphology"), _text(row, "function"), _place(row)
        )
        for row in words.to_dict("records")
    ]
    rows = [] if constituents is None else constituents.to_dict("records")
    nodes = [Node(row["label"], [], _text(row, "function"), _number(row, "confidence")) for row in rows]
    numbers = {row["constituent"]: node for row, node in zip(rows, nodes, strict=True)}
    try:
        below: list[Node | Leaf] = [*nodes, *leaves]
        roots: list[Node | Leaf] = []
        for child, parent in zip(below, [*(row["parent"] for row in rows), *words["parent"]], strict=True):
            (roots if parent < 0 else numbers[parent].children).append(child)
        if len(roots) != 1:
            raise TreeError(f"{len(roots)} nodes have no parent; a tree has one root")
        builder = TreeBuilder(roots[0], leaves)
        builder.id = _text(words.iloc[0].to_dict(), "id")
        return Tree.of(builder)
    except KeyError as error:
        raise DataError(f"there is no constituent {error}, which is named as a parent", sentence=sentence) from None
    except TreeError as error:
        raise DataError(str(error), sentence=sentence) from None


def _text(row: dict[Any, Any], name: str) -> str | None:
    value = row.get(name)
    return value if isinstance(value, str) else None


def _number(row: dict[Any, Any], name: str) -> float | None:
    value = row.get(name)
    return None if value is None or pandas.isna(value) else float(value)


def _place(row: dict[Any, Any]) -> tuple[int, int] | None:
    start, end = _number(row, "start"), _number(row, "end")
    return None if start is None or end is None else (int(start), int(end))
