"""Requests and answers, as OpenAPI describes them and as requests are checked."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from permutree.encoding import ENCODINGS, TAGSETS
from permutree.formats.registry import READABLE, WRITABLE
from permutree.search.languages import LANGUAGES

__all__ = [
    "READ",
    "Constituent",
    "ConvertRequest",
    "Corpora",
    "CorpusEntry",
    "DecodeRequest",
    "DecodedSentence",
    "DrawRequest",
    "EncodeRequest",
    "Encoded",
    "EncodedSentence",
    "Entries",
    "Entry",
    "Error",
    "EvaluateRequest",
    "Evaluated",
    "Found",
    "LabelOptions",
    "ModelEntry",
    "Models",
    "ParseRequest",
    "Parsed",
    "Repair",
    "SearchRequest",
    "Sentence",
]


#: formats of treebanks that can stand in a request, which is text
READ = {name: entry for name, entry in READABLE.items() if not entry.is_binary}


def _one_of(names: Any, description: str) -> WithJsonSchema:
    """A name that is looked up later, so that a wrong one is answered with the list of names there are."""
    return WithJsonSchema({"type": "string", "enum": list(names), "description": description})


Lang = Annotated[str, Field(description="Code of a language, such as `en`; guessed if not given.")]
ReadFormat = Annotated[str, _one_of(READ, "Format of the treebank; guessed if not given.")]
WriteFormat = Annotated[str, _one_of(["json", *WRITABLE], "Format of the answer.")]
Encoding = Annotated[str, _one_of(ENCODINGS, "How the permutation is written.")]
TagsetName = Annotated[str, _one_of(TAGSETS, "Coarse tags of pointer-simplified; guessed if not given.")]
Levels = Literal["relative", "absolute", "mixed"]
#: sentences are checked one by one, so that a bad one is an error in its own place
Lists = Annotated[list[Any], WithJsonSchema({"type": "array", "items": {"type": "array", "items": {"type": "string"}}})]
LabelRow = Annotated[
    list[str],
    Field(min_length=4, max_length=4, description="levels (n), shared (x), unary (u) and permutation (p)"),
]


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, populate_by_name=True)


class _Answer(BaseModel):
    model_config = ConfigDict(extra="allow")


class LabelOptions(_Request):
    """Which labels the answer is to show."""

    encodings: list[Encoding] = Field(default_factory=lambda: list(ENCODINGS), min_length=1)
    levels: Levels = "relative"
    tagset: TagsetName | None = None


class ParseRequest(_Request):
    """Raw text, or sentences of words."""

    text: str | None = Field(None, description="Raw text; it is split into sentences and words.")
    tokens: Lists | None = Field(None, description="Sentences that are split already: lists of words.")
    tags: Lists | None = Field(None, description="Tags of the tokens, for models that read tags.")
    lang: Lang | None = None
    model: str | None = Field(None, description="Name of a model of `/v1/models`, in place of the language's own.")
    format: WriteFormat = "json"
    confidence: bool = Field(True, description="Say how sure the parser is of each constituent.")
    offsets: bool = Field(True, description="Say where in the text each word stands.")
    labels: LabelOptions | None = Field(None, description="Show the labels of each word in these encodings.")
    id: str | int | None = Field(None, description="Comes back with the answer, as in streams of documents.")


class _TreebankRequest(_Request):
    treebank: str = Field(description="Trees, in any format of treebanks.")
    source: ReadFormat | None = Field(None, alias="from")


class ConvertRequest(_TreebankRequest):
    """A treebank, and the format that it is wanted in."""

    target: WriteFormat = Field(alias="to")
    skip_bad: bool = Field(False, description="Leave out bad sentences; in JSON, they are errors in their place.")


class DrawRequest(_TreebankRequest):
    """A tree to be drawn, or several in formats that hold several."""

    target: Annotated[str, _one_of(["svg", "png", "latex", "text", "ascii", "html"], "Format of the picture.")] = Field(
        "svg", alias="to"
    )
    sentence: int | None = Field(None, ge=1, description="Draw only the tree with this number, from 1.")
    functions: bool = Field(False, description="Write function labels on the branches.")
    transparent: bool = Field(False, description="Draw SVG and PNG without a background.")
    fragment: bool = Field(False, description="Write LaTeX pictures alone, without the document around them.")
    width: int | None = Field(None, ge=1, le=100_000, description="Columns of a drawing in text.")


class EncodeRequest(_TreebankRequest):
    """Trees whose labels are wanted."""

    encodings: list[Encoding] = Field(default_factory=lambda: list(ENCODINGS), min_length=1)
    levels: Levels = "relative"
    tagset: TagsetName | None = None


class DecodeRequest(_Request):
    """Words, tags and any labels whatever."""

    words: list[str] = Field(min_length=1)
    tags: list[str] = Field(min_length=1)
    labels: list[LabelRow] = Field(min_length=1)
    encoding: Encoding = "pointer"
    levels: Levels = "relative"
    tagset: TagsetName | None = None
    root: str = Field("ROOT", min_length=1, description="Label of a root that no word labels.")


class EvaluateRequest(_Request):
    """Two treebanks with the same sentences."""

    gold: str
    predicted: str
    gold_format: ReadFormat | None = None
    predicted_format: ReadFormat | None = None
    param: Literal["proper", "none"] = Field("proper", description="What is counted, as in `permutree evaluate`.")
    missing: Literal["error", "count"] = "error"
    keep_functions: bool = False
    differences: bool = Field(False, description="List what each sentence misses and has wrong.")


class SearchRequest(_Request):
    """A query to a corpus."""

    corpus: str = Field(description="Name of a corpus of `/v1/corpora`.")
    query: str = Field(min_length=1, max_length=10_000)
    syntax: Annotated[str, _one_of(LANGUAGES, "Language of the query.")] = "tiger"
    limit: int | None = Field(
        None, ge=0, description="Matches to show at most; 100, or what the server allows, if not given. 0 only counts."
    )
    count_by: list[str] | None = Field(
        None, min_length=1, max_length=8, description="Count matches by these facts: `#n.cat`, `#m.word`, `file`, …"
    )
    unique: list[str] | None = Field(
        None, min_length=1, max_length=64, description="Variables that make a match; the same nodes then come once."
    )


class Constituent(_Answer):
    """A constituent; those of a sentence stand in pre-order, parents before children."""

    label: str
    words: list[int] = Field(description="Indexes of its words, from 0, ascending; a gap is a step of more than 1.")
    parent: int | None = Field(description="Index of its parent among the constituents; null for the root.")
    confidence: float | None = Field(None, description="From 0 to 1, if the tree comes from a parser.")
    function: str | None = None


class Sentence(_Answer):
    """A sentence with its tree, or with an error in its place."""

    words: list[str]
    tags: list[str] | None = None
    discbracket: str | None = Field(None, description="The tree in a line; null if a word has a blank in it.")
    constituents: list[Constituent] | None = None
    offsets: list[tuple[int, int] | None] | None = None
    confidence: float | None = Field(None, description="That of the least sure constituent.")
    error: str | None = None
    labels: dict[str, list[LabelRow]] | None = None
    order: list[int] | None = Field(None, description="The continuous arrangement: position to word.")
    tau: list[int] | None = Field(None, description="Word to position in the arrangement.")


class Parsed(_Answer):
    """The sentences in order."""

    sentences: list[Sentence]
    language: str | None = None
    model: str | None = None
    id: str | int | None = None


class EncodedSentence(Sentence):
    """A sentence with its labels."""


class Encoded(_Answer):
    """The sentences in order."""

    sentences: list[EncodedSentence]


class Repair(_Answer):
    """A label that was read as another one."""

    kind: str
    word: int
    was: str
    became: str


class DecodedSentence(Sentence):
    """The tree of the labels, and what had to be repaired to get it."""

    repairs: list[Repair]


class Evaluated(_Answer):
    """Figures in per cent, as `permutree evaluate --json` has them."""

    sentences: int
    precision: float | None
    recall: float | None
    f1: float | None
    exact_match: float | None
    pos_accuracy: float | None


class FoundNode(_Answer):
    """A node that a variable stands for."""

    label: str
    words: list[int]
    node: int = Field(description="Its number in the tree: words from 0, then constituents in pre-order.")


class FoundMatch(_Answer):
    """A match, with its sentence."""

    file: str
    sentence: int
    id: str | None = None
    words: list[str]
    nodes: dict[str, FoundNode]
    discbracket: str | None = Field(description="The tree; if a word has a blank in it, tags and constituents follow.")


class Count(_Answer):
    """How many matches have such values."""

    values: list[str | int | None]
    count: int


class Counts(_Answer):
    """Matches by facts, the most frequent values first."""

    by: list[str]
    rows: list[Count]
    values: int = Field(description="How many different values there are; rows may be fewer.")


class Hint(_Answer):
    """A label or word of the query that the corpus has not."""

    error: str
    position: int | None
    hint: str | None


class Found(_Answer):
    """What a search found."""

    corpus: str
    variables: list[str]
    total: int | None = Field(description="Of all matches; null if counting them would have taken too long.")
    matches: list[FoundMatch]
    more: bool = Field(description="Whether there are matches that are not in the answer.")
    counts: Counts | None = None
    hints: list[Hint]


class CorpusEntry(_Answer):
    """A corpus that can be searched, and the labels that there are in it."""

    name: str
    sentences: int
    cat: list[str]
    pos: list[str]
    function: list[str]
    facts: list[str] = Field(description="What is known of its sentences, beside their numbers.")


class Corpora(_Answer):
    """The corpora, and the limits of searches in them."""

    corpora: list[CorpusEntry]
    matches: int
    seconds: float


class ModelEntry(_Answer):
    """A model that the server offers."""

    name: str
    language: str | None


class Models(_Answer):
    """What the server offers: models, and the names that requests may use."""

    models: list[ModelEntry]
    languages: dict[str, str]
    encodings: list[str]
    read: list[str]
    write: list[str]


class Entry(_Answer):
    """What a label means."""

    label: str
    language: str
    kind: str
    text: str


class Entries(_Answer):
    """What labels mean."""

    entries: list[Entry]


class Error(_Answer):
    """What is wrong, and what to do; of a query also where."""

    error: str
    position: int | None = Field(None, description="The character of a query that cannot be understood, from 0.")
    hint: str | None = None
