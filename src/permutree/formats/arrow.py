"""Trees as Arrow records: one schema for Parquet files, corpora, search and data frames.

A row is a sentence. Its tree is there twice: as ``discbracket``, for people and for other tools, and as arrays, for
queries. ``labels`` are the constituents in preorder, the root first; ``parents`` says which constituent each is in, -1
for the root; ``word_parents`` says which constituent each word hangs from, -1 for a lone word under none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from permutree.errors import ConfigError, DataError, OnError, TreeError, raise_error
from permutree.trees.annotations import NO_ANNOTATIONS, Annotations, SecondaryEdge
from permutree.trees.tree import Tree

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa

    from permutree.trees.batch import TreeBatch

__all__ = ["Forest", "arrow", "from_forest", "from_trees", "schema", "to_forest", "to_trees"]

#: the columns that a tree is made of, if there is no ``discbracket``
ARRAYS = ("words", "tags", "labels", "parents", "word_parents")


def arrow() -> Any:
    """The package pyarrow; a ConfigError that says how to install it, if it is not here."""
    try:
        import pyarrow
    except ModuleNotFoundError:
        raise ConfigError("Arrow and Parquet need the package pyarrow: pip install 'permutree[arrow]'") from None
    return pyarrow


@cache
def schema() -> pa.Schema:
    """The columns, in order. Every column can be null; ``sentence`` counts from 1 within the document."""
    pa = arrow()
    texts, numbers = pa.list_(pa.string()), pa.list_(pa.int32())
    edge = pa.struct([("child", pa.int32()), ("parent", pa.int32()), ("label", pa.string())])
    return pa.schema(
        {
            "doc_id": pa.string(),
            "sentence": pa.int32(),
            "id": pa.string(),
            "text": pa.string(),
            "lang": pa.string(),
            "words": texts,
            "starts": numbers,
            "ends": numbers,
            "tags": texts,
            "discbracket": pa.string(),
            "labels": texts,
            "parents": numbers,
            "word_parents": numbers,
            "functions": texts,
            "word_functions": texts,
            "lemmas": texts,
            "morphology": texts,
            "secondary": pa.list_(edge),
            "comment": pa.string(),
            "info": pa.map_(pa.string(), pa.string()),
            "confidence": pa.float32(),
            "confidences": pa.list_(pa.float32()),
            "error": pa.string(),
        }
    )


def from_trees(
    trees: Iterable[Tree], *, first: int = 1, doc_id: str | None = None, lang: str | None = None
) -> pa.RecordBatch:
    """The rows of some trees, numbered from ``first``, with all their annotations."""
    from permutree.trees.batch import TreeBatch

    trees = list(trees)
    return from_forest(
        TreeBatch.from_trees(trees),
        annotations=[tree.annotations for tree in trees],
        doc_id=[doc_id] * len(trees),
        sentence=range(first, first + len(trees)),
        lang=[lang] * len(trees),
    )


def from_forest(
    forest: TreeBatch,
    *,
    annotations: Sequence[Annotations] = (),
    confidence: npt.NDArray[np.float32] | None = None,
    **columns: Any,
) -> pa.RecordBatch:
    """The rows of a batch of trees; ``columns`` are others of the schema, with a value for each tree.

    ``confidence`` has a value for each constituent. That of a tree is the confidence in its least sure constituent.
    Where a word has a blank in it, ``discbracket``, which cannot hold it, is null.
    """
    import numpy as np

    pa = arrow()
    forest = forest.canonicalise()
    parents, word_parents = forest.parents()
    words = pa.array(forest.word_offsets)
    nodes = pa.array(forest.node_offsets)

    def lists(offsets: Any, values: Any) -> Any:
        return pa.ListArray.from_arrays(offsets, values)

    vocabulary = pa.array(list(forest.vocabulary), pa.string())
    found = {
        "words": lists(words, pa.array(list(chain.from_iterable(forest.words)), pa.string())),
        "tags": lists(words, pa.array(list(chain.from_iterable(forest.tags)), pa.string())),
        "discbracket": pa.array(_lines(forest), pa.string()),
        "labels": lists(nodes, vocabulary.take(pa.array(forest.labels))),
        "parents": lists(nodes, pa.array(parents)),
        "word_parents": lists(words, pa.array(word_parents)),
    }
    if confidence is not None:
        confidence = confidence.round(4).astype(np.float32)
        found["confidences"] = lists(nodes, pa.array(confidence))
        least = np.ones(len(forest), np.float32)
        np.minimum.at(least, np.repeat(np.arange(len(forest)), np.diff(forest.node_offsets)), confidence)
        found["confidence"] = pa.array(least)
    if annotations and any(one is not NO_ANNOTATIONS for one in annotations):
        found = _annotated(annotations, list(map(len, forest.words))) | found
    found |= {name: pa.array(values, schema().field(name).type) for name, values in columns.items()}
    return _complete(found, len(forest))


def _lines(forest: TreeBatch) -> list[str | None]:
    try:
        return list(forest.discbracket())
    except TreeError:
        return [_line(tree) for tree in forest.trees()]


def _line(tree: Tree) -> str | None:
    try:
        return tree.discbracket()
    except TreeError:
        return None


def _complete(found: Mapping[str, Any], size: int) -> pa.RecordBatch:
    """A batch with all columns, null where nothing was found."""
    pa = arrow()
    columns = [found[one.name] if one.name in found else pa.nulls(size, one.type) for one in schema()]
    return pa.RecordBatch.from_arrays(columns, schema=schema())


def _annotated(annotations: Sequence[Annotations], sizes: Sequence[int]) -> dict[str, Any]:
    """The columns of what is known beside the trees; those that are all null are left out."""
    halves: dict[str, Callable[[Annotations, int], Any]] = {
        "id": lambda one, size: one.id,
        "starts": lambda one, size: _ends_of(one, 0),
        "ends": lambda one, size: _ends_of(one, 1),
        "functions": lambda one, size: one.functions and one.functions[size:],
        "word_functions": lambda one, size: one.functions and one.functions[:size],
        "lemmas": lambda one, size: one.lemmas,
        "morphology": lambda one, size: one.morphology,
        "secondary": lambda one, size: [edge._asdict() for edge in one.secondary] or None,
        "comment": lambda one, size: one.comment,
        "info": lambda one, size: one.info or None,
        "confidences": lambda one, size: one.confidence,
        "confidence": lambda one, size: _least(one),
    }
    pa = arrow()
    found = {}
    for name, value_of in halves.items():
        values = [value_of(one, size) for one, size in zip(annotations, sizes, strict=True)]
        if any(value is not None for value in values):
            found[name] = pa.array(values, schema().field(name).type)
    return found


def _ends_of(annotations: Annotations, side: int) -> list[int | None] | None:
    if annotations.offsets is None:
        return None
    return [None if interval is None else interval[side] for interval in annotations.offsets]


def _least(annotations: Annotations) -> float | None:
    return min((value for value in annotations.confidence or () if value is not None), default=None)


class Forest(NamedTuple):
    """The trees of some records: the rows that they stand in, and what is wrong with the other rows."""

    trees: TreeBatch
    rows: npt.NDArray[np.int64]
    #: row → why there is no tree
    errors: dict[int, str]


def to_forest(batch: pa.RecordBatch) -> Forest:
    """The trees of records, from the arrays if there are any, else from ``discbracket``."""
    import numpy as np

    pa = arrow()
    names = batch.schema.names
    errors: dict[int, str] = {}
    if "error" in names:
        errors = {row: text for row, text in enumerate(batch["error"].to_pylist()) if text is not None}
    if not all(name in names for name in ARRAYS):
        return _from_lines(batch, errors)
    columns = [_typed(batch, name) for name in ARRAYS]
    for row in np.flatnonzero(np.logical_or.reduce([column.is_null().to_numpy(False) for column in columns])):
        errors.setdefault(int(row), "there is no tree")
    rows = np.array([row for row in range(len(batch)) if row not in errors], np.int64)
    columns = [column.take(pa.array(rows)) for column in columns]
    flat = [column.flatten() for column in columns]
    if any(values.null_count for values in flat):
        raise DataError(f"a null in one of the lists {', '.join(ARRAYS)}")
    word_offsets, tag_offsets, node_offsets, parent_offsets, word_parent_offsets = map(_offsets, columns)
    bad = _differ(word_offsets, tag_offsets) | _differ(word_offsets, word_parent_offsets)
    bad |= _differ(node_offsets, parent_offsets) | (np.diff(word_offsets) == 0)
    if not bad.any():
        parents, word_parents = (values.to_numpy(zero_copy_only=False) for values in flat[3:])
        bad = _misplaced(parents, word_parents, word_offsets, node_offsets)
    if bad.any():
        errors |= {int(row): "its arrays are not those of a tree" for row in rows[bad]}
        kept = to_forest(batch.take(pa.array(rows[~bad])))
        return Forest(kept.trees, rows[~bad][kept.rows], errors)
    return Forest(_assemble(flat, word_offsets, node_offsets), rows, errors)


def _typed(batch: pa.RecordBatch, name: str) -> Any:
    """A column with the type of the schema, whatever kind of list or string its file had."""
    pa = arrow()
    try:
        return batch[name].cast(schema().field(name).type)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise DataError(f"the column {name!r} is {batch[name].type}, not {schema().field(name).type}") from None


def _from_lines(batch: pa.RecordBatch, errors: dict[int, str]) -> Forest:
    import numpy as np

    from permutree.trees.batch import TreeBatch

    if "discbracket" not in batch.schema.names:
        raise DataError(f"has neither a column discbracket nor the columns {', '.join(ARRAYS)}")
    trees = {}
    for row, line in enumerate(_typed(batch, "discbracket").to_pylist()):
        if row not in errors:
            try:
                trees[row] = Tree.parse(line or "")
            except TreeError as error:
                errors[row] = str(error) if line else "there is no tree"
    return Forest(TreeBatch.from_trees(trees.values()), np.array([*trees], np.int64), errors)


def _offsets(column: Any) -> npt.NDArray[np.int32]:
    import numpy as np

    offsets: npt.NDArray[np.int32] = column.offsets.to_numpy()
    return (offsets - offsets[0]).astype(np.int32) if len(offsets) else np.zeros(1, np.int32)


def _differ(some: npt.NDArray[np.int32], others: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    import numpy as np

    found: npt.NDArray[np.bool_] = np.diff(some) != np.diff(others)
    return found


def _misplaced(
    parents: npt.NDArray[np.int32],
    word_parents: npt.NDArray[np.int32],
    word_offsets: npt.NDArray[np.int32],
    node_offsets: npt.NDArray[np.int32],
) -> npt.NDArray[np.bool_]:
    """Which sentences have arrays that are of no tree: a parent behind its child, a constituent without words."""
    import numpy as np

    words, nodes = np.diff(word_offsets), np.diff(node_offsets)
    sentences = np.arange(len(words))
    numbers = np.arange(len(parents)) - np.repeat(node_offsets[:-1], nodes)
    wrong = np.where(numbers == 0, parents != -1, (parents < 0) | (parents >= numbers))
    bad: npt.NDArray[np.bool_] = np.bincount(np.repeat(sentences, nodes), wrong, len(words)) > 0
    limits = np.repeat(nodes, words)
    lone = (limits == 0) & (word_parents == -1) & (np.repeat(words, words) == 1)
    wrong_words = ~lone & ((word_parents < 0) | (word_parents >= limits))
    bad |= np.bincount(np.repeat(sentences, words), wrong_words, len(words)) > 0
    if not bad.any() and len(parents):
        # A constituent has words if it has one itself, or one below it has.
        filled = np.zeros(len(parents), bool)
        above = (word_parents + np.repeat(node_offsets[:-1], words))[~lone]
        tops = np.where(numbers == 0, -1, parents + np.repeat(node_offsets[:-1], nodes))
        while len(above):
            above = np.unique(above)
            above = above[~filled[above]]
            filled[above] = True
            above = tops[above]
            above = above[above >= 0]
        bad |= np.bincount(np.repeat(sentences, nodes), ~filled, len(words)) > 0
    return bad


def _assemble(
    flat: Sequence[Any], word_offsets: npt.NDArray[np.int32], node_offsets: npt.NDArray[np.int32]
) -> TreeBatch:
    """The batch of checked arrays: words, tags, labels, parents and the parents of words."""
    from permutree.trees.batch import TreeBatch

    words, tags = (_cut(values.to_pylist(), word_offsets) for values in flat[:2])
    labels = flat[2].dictionary_encode()
    return TreeBatch.from_parents(
        words,
        tags,
        word_offsets,
        node_offsets,
        labels.indices.to_numpy(zero_copy_only=False),
        labels.dictionary.to_pylist(),
        parents=flat[3].to_numpy(zero_copy_only=False),
        word_parents=flat[4].to_numpy(zero_copy_only=False),
    )


def _cut(values: list[str], offsets: npt.NDArray[np.int32]) -> list[list[str]]:
    bounds = offsets.tolist()
    return [values[start:end] for start, end in pairwise(bounds)]


def to_trees(batch: pa.RecordBatch, on_error: OnError = raise_error, *, source: str | None = None) -> Iterator[Tree]:
    """The trees of records with their annotations, in order; rows without a tree are handed to ``on_error``."""
    try:
        found = to_forest(batch)
    except DataError as error:
        raise DataError(error.message, source=source) from None
    rows = batch.select([name for name in batch.schema.names if name in _NOTES]).to_pylist()
    trees = dict(zip(found.rows.tolist(), found.trees.trees(), strict=True))
    for row, notes in enumerate(rows or [{}] * len(batch)):
        if row in trees:
            tree = trees[row]
            annotations = _annotations(notes, len(tree.words), len(tree.labels))
            yield tree if annotations == NO_ANNOTATIONS else _with(tree, annotations)
        else:
            on_error(DataError(found.errors[row], source=source, sentence=_id(notes) or notes.get("sentence")))


#: the columns of annotations, and those that a sentence without an id is named by
_NOTES = (
    "doc_id", "sentence", "id", "starts", "ends", "functions", "word_functions", "lemmas", "morphology", "secondary",
    "comment", "info", "confidences",
)  # fmt: skip


def _with(tree: Tree, annotations: Annotations) -> Tree:
    return Tree._new(tree.words, tree.tags, tree.order, tree.labels, tree.starts, tree.ends, annotations)


def _id(notes: Mapping[str, Any]) -> str | None:
    """The id of a sentence: its own, or its document and number."""
    if notes.get("id") is not None:
        return str(notes["id"])
    return None if notes.get("doc_id") is None else f"{notes['doc_id']}:{notes.get('sentence')}"


def _annotations(notes: Mapping[str, Any], words: int, nodes: int) -> Annotations:
    starts, ends = _values(notes, "starts", words), _values(notes, "ends", words)
    functions, word_functions = _values(notes, "functions", nodes), _values(notes, "word_functions", words)
    return Annotations(
        id=_id(notes),
        lemmas=_values(notes, "lemmas", words),
        morphology=_values(notes, "morphology", words),
        functions=(*(word_functions or [None] * words), *(functions or [None] * nodes))
        if functions or word_functions
        else None,
        secondary=tuple(SecondaryEdge(**edge) for edge in notes.get("secondary") or ()),
        comment=notes.get("comment"),
        info=tuple(notes.get("info") or ()),
        offsets=tuple(None if None in pair else pair for pair in zip(starts, ends, strict=True))
        if starts and ends
        else None,
        confidence=_rounded(_values(notes, "confidences", nodes)),
    )


def _values(notes: Mapping[str, Any], name: str, size: int) -> tuple[Any, ...] | None:
    """The list in a column; None if there is none, or one that does not fit the tree."""
    values = notes.get(name)
    return tuple(values) if values is not None and len(values) == size else None


def _rounded(values: tuple[float | None, ...] | None) -> tuple[float | None, ...] | None:
    """Confidences with the four decimals that are stored."""
    return values and tuple(None if value is None else round(value, 4) for value in values)
