"""What workers do with trees: convert, draw, encode, decode, evaluate. Nothing here opens a file."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from typing import Any

from permutree.encoding import TAGSETS, decode
from permutree.errors import ConfigError, DataError, OnError, TreeError, raise_error
from permutree.evaluation import Parameters, evaluate
from permutree.evaluation.differences import find_differences
from permutree.evaluation.scores import Evaluation
from permutree.formats.format import Format
from permutree.formats.registry import format_named, guess_format
from permutree.formats.sources import Source
from permutree.serving.answers import JSON
from permutree.serving.messages import READ, ConvertRequest, DecodeRequest, DrawRequest, EncodeRequest, EvaluateRequest
from permutree.serving.records import bad_sentence, labels_of, sentence
from permutree.serving.settings import Limits
from permutree.trees.tree import Tree

__all__ = [
    "TooMuch",
    "check_tagset",
    "convert",
    "counted",
    "decode_labels",
    "draw",
    "encode_treebank",
    "evaluate_treebanks",
    "media_type",
    "written",
]

_MEDIA = {
    "svg": "image/svg+xml",
    "png": "image/png",
    "latex": "application/x-tex",
    "html": "text/html; charset=utf-8",
    "tigerxml": "application/xml",
    "alpino": "application/xml",
    "jsonl": "application/x-ndjson",
    "parquet": "application/vnd.apache.parquet",
}


#: word indexes of all constituents in an answer of JSON: a few dozen megabytes
ENTRIES = 4_000_000


class TooMuch(DataError):
    """More than the limits of the server allow."""


def media_type(chosen: Format) -> str:
    """What an answer in a format is called."""
    return _MEDIA.get(chosen.name, "text/plain; charset=utf-8")


def counted(trees: Iterable[Tree]) -> Iterator[Tree]:
    """Trees for JSON, which lists the words of each constituent: in a deep tree, that is the square of its words."""
    entries = 0
    for tree in trees:
        entries += sum(tree.ends) - sum(tree.starts)
        if entries > ENTRIES:
            raise TooMuch("the constituents have too many words for an answer in JSON; send less at once")
        yield tree


def trees_of(
    text: str, format_name: str | None, limits: Limits, name: str = "the treebank", on_error: OnError = raise_error
) -> Iterator[Tree]:
    """The trees of a treebank that is here as text."""
    source = Source.of_text(text, name)
    chosen = format_named(format_name) if format_name else guess_format("", source.head())
    if chosen is None or chosen.is_binary:
        what = "is empty" if not text.strip() else "format not recognised" if chosen is None else "is no text"
        raise DataError(f"{what}; the formats that can be read are {', '.join(READ)}", source=name)
    for number, tree in enumerate(chosen.reader(source, on_error), 1):
        if number > limits.sentences:
            raise TooMuch(f"more than {limits.sentences:,} sentences, the limit of this server", source=name)
        yield tree


def written(trees: Iterable[Tree], chosen: Format, **options: Any) -> bytes:
    """Trees in a format."""
    options = {name: value for name, value in options.items() if name in chosen.write_options}
    if chosen.write is not None:
        content = io.BytesIO()
        stream = io.TextIOWrapper(content, "utf-8", newline="\n", write_through=True)
        chosen.write(trees, stream, **options)
        stream.detach()
        return content.getvalue()
    files = chosen.writer(trees, **options)
    first = next(files, None)
    if first is None:
        raise DataError(f"there is no tree to write as {chosen.name}")
    if next(files, None) is not None:
        raise ConfigError(f"{chosen.name} holds one tree, and there are several: ask for one")
    picture: str | bytes = first[1]
    return picture.encode() if isinstance(picture, str) else picture


def convert(request: ConvertRequest, limits: Limits) -> tuple[str, Any]:
    """A treebank in another format; in JSON, with bad sentences in their place."""
    errors: list[DataError] = []
    if request.target == "json":
        records: list[dict[str, Any]] = []

        def take_note(error: DataError) -> None:
            records.append(bad_sentence([], str(error)))

        for tree in counted(trees_of(request.treebank, request.source, limits, on_error=take_note)):
            records.append(sentence(tree))
        return JSON, {"sentences": records}
    chosen = format_named(request.target)
    on_error: OnError = errors.append if request.skip_bad else raise_error
    trees = trees_of(request.treebank, request.source, limits, on_error=on_error)
    return media_type(chosen), written(trees, chosen)


def draw(request: DrawRequest, limits: Limits) -> tuple[str, Any]:
    """A picture of a tree, or of several."""
    chosen = format_named(request.target)
    if chosen.read is not None:
        raise ConfigError(f"{chosen.name} is no picture; /v1/convert writes it")
    trees = trees_of(request.treebank, request.source, limits)
    if request.sentence is not None:
        trees = _only(trees, request.sentence)
    return media_type(chosen), written(
        trees,
        chosen,
        functions=request.functions,
        transparent=request.transparent,
        fragment=request.fragment,
        width=request.width,
    )


def _only(trees: Iterator[Tree], wanted: int) -> Iterator[Tree]:
    number = 0
    for number, tree in enumerate(trees, 1):
        if number == wanted:
            yield tree
            return
    raise DataError(f"there is no sentence {wanted}, only {number:,}")


def check_tagset(name: str | None) -> str | None:
    """The name of a tagset; never the path of a file."""
    if name is not None and name not in TAGSETS:
        raise ConfigError(f"no tagset {name!r}: there are {', '.join(TAGSETS)}")
    return name


def encode_treebank(request: EncodeRequest, limits: Limits) -> tuple[str, Any]:
    """The labels of trees."""
    tagset = check_tagset(request.tagset)
    return JSON, {
        "sentences": [
            sentence(tree) | labels_of(tree, request.encodings, request.levels, tagset)
            for tree in counted(trees_of(request.treebank, request.source, limits))
        ]
    }


def decode_labels(request: DecodeRequest, limits: Limits) -> tuple[str, Any]:
    """The tree of labels."""
    words, tags, labels = request.words, request.tags, request.labels
    if not len(words) == len(tags) == len(labels):
        raise TreeError(f"{len(words)} words, {len(tags)} tags and {len(labels)} labels; there is one of each per word")
    if "" in words or "" in tags:
        raise TreeError("a word or a tag is empty")
    tree, repairs = decode(
        words,
        tags,
        labels,
        request.encoding,
        level_scale=request.levels,
        tagset=check_tagset(request.tagset),
        root=request.root,
    )
    (tree,) = counted([tree])
    record = sentence(tree) | labels_of(tree, [request.encoding], request.levels, request.tagset)
    record["repairs"] = [
        {"kind": kind, "word": word, "was": was, "became": became} for kind, _, word, was, became in repairs
    ]
    return JSON, record


def evaluate_treebanks(request: EvaluateRequest, limits: Limits) -> tuple[str, Any]:
    """The scores of predicted trees, and where they are wrong if that is asked."""
    gold = list(trees_of(request.gold, request.gold_format, limits, "the gold trees"))
    predicted = list(trees_of(request.predicted, request.predicted_format, limits, "the predicted trees"))
    evaluation = evaluate(
        gold,
        predicted,
        Parameters.load(request.param),
        missing=request.missing,
        keep_functions=request.keep_functions,
    )
    record: dict[str, Any] = {
        "param": evaluation.parameters.name,
        **evaluation.overall.record(),
        "discontinuous": evaluation.discontinuous.record(),
    }
    if request.differences:
        record["differences"] = _differences(evaluation)
    return JSON, record


def _differences(evaluation: Evaluation) -> list[dict[str, Any]]:
    return [
        {
            "sentence": found.sentence + 1,
            "prediction": found.prediction + 1 if found.prediction >= 0 else None,
            "f1": found.score.f1,
            "missing": found.missing,
            "wrong": found.wrong,
            "wrong_tags": found.wrong_tags,
        }
        for found in find_differences(evaluation, "place", tags=True)
    ]
