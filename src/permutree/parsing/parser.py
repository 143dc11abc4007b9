"""The parser: sentences or raw text in, trees out."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from permutree.encoding import Codec, Labels, Repairs
from permutree.encoding.labels import COMPONENTS, Decoded, Scores
from permutree.errors import INSTALL_TRAIN, ConfigError, DataError, TreeError
from permutree.model.folder import GRAPHS, Outline
from permutree.parsing.blocks import Block
from permutree.parsing.chunks import Given, Words, checked, chunks_of, no_tags, sentences_in
from permutree.parsing.confidence import SCORED, constituent_confidence
from permutree.parsing.cutting import LONGEST, groups_of, piece_lengths
from permutree.parsing.engines import ORDER, Costs, Engine, Values
from permutree.parsing.inputs import Sentence
from permutree.parsing.joining import join_pieces
from permutree.parsing.parsed import Counts, Parsed, Written
from permutree.parsing.structured import decode_spans
from permutree.trees.annotations import Annotations
from permutree.trees.batch import Bools
from permutree.trees.numbered import Numbered, numbered, offsets_of
from permutree.trees.tree import Tree
from permutree.trees.treelist import Trees

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    import torch

    from permutree.model.features import WordFeatures
    from permutree.model.subwords import PieceFeatures
    from permutree.parsing.ensemble import JointFeatures
    from permutree.parsing.features import Features

__all__ = ["Counts", "Parsed", "Parser"]

Made = TypeVar("Made")


class Parser:
    """Parses raw text, or sentences of words, with a model: :meth:`load` makes one, :meth:`parse` takes a text.

    >>> parser = Parser.load("en")
    >>> [tree.words for tree in parser.parse("She left. Why?")]
    [('She', 'left', '.'), ('Why', '?')]
    >>> parser.parse_tokens(["What", "did", "she", "say", "?"]).is_discontinuous
    True

    With a tagger, which is another model that predicts tags, sentences are tagged before they are parsed, whatever tags
    they come with. ``use_scores`` repairs labels that describe no tree by the scores of all labels, instead of by the
    rules of the encoding; if nothing is said, it is as the model was trained. Models of the labeller ``reread`` need
    neither.
    """

    def __init__(
        self,
        model: Outline,
        engine: Engine,
        features: WordFeatures | PieceFeatures | JointFeatures | None = None,
        *,
        tagger: Parser | None = None,
        use_scores: bool | None = None,
    ) -> None:
        self.model = model
        self.engine = engine
        #: what the engine sees of words
        self.features = features or model.features
        self.tagger = tagger
        self.use_scores = model.config.repair == "scores" if use_scores is None else use_scores
        #: what it was loaded with, if it was
        self._loaded_with: dict[str, Any] | None = None
        if tagger is not None and not tagger.predicts_tags:
            raise ConfigError("the tagger predicts no tags; use one that was trained with task = 'tag'")
        if tagger is not None and model.config.predicts_tags:
            raise ConfigError("this model predicts tags itself; use it without a tagger")

    @classmethod
    def load(
        cls,
        model: str | Path,
        device: torch.device | str | None = None,
        *,
        tagger: str | Path | None = None,
        partners: Sequence[str | Path] = (),
        use_scores: bool | None = None,
        threads: int | None = None,
        precise: bool = False,
        compiled: bool = False,
    ) -> Parser:
        """The parser in a model folder, or a bundled or installed one by its name.

        A model with graphs for ONNX Runtime runs on the CPU, on as many threads as there are cores or as are given,
        unless another device is named. Any other is run by PyTorch: on a GPU, if there is one and nothing else is said,
        in half precision unless ``precise``; ``compiled`` makes it faster after a start of minutes. A model that has
        graphs only, as the bundled ones, runs there with the weights of its graphs. ``partners`` are models of the same
        language, labeller and encoding: PyTorch runs all as an ensemble, which has the labels of the first.
        """
        options = (device, threads, precise, compiled)
        other = cls(*_load([tagger], *options)) if tagger is not None else None
        parser = cls(*_load([model, *partners], *options), tagger=other, use_scores=use_scores)
        parser._loaded_with = {
            "model": _place(model),
            "device": device,
            "tagger": None if tagger is None else _place(tagger),
            "partners": [_place(partner) for partner in partners],
            "threads": threads,
            "precise": precise,
            "compiled": compiled,
        }
        return parser

    def __reduce__(self) -> tuple[object, ...]:
        """How it goes to another process, which loads the model again from its folder."""
        if self._loaded_with is None:
            raise TypeError("this parser was not loaded from a folder: save the model, and use Parser.load")
        return _reload, ({**self._loaded_with, "use_scores": self.use_scores},)

    @property
    def folder(self) -> Path | None:
        """The folder of the model, if it was loaded from one."""
        from permutree.models import folder

        return None if self._loaded_with is None else folder(self._loaded_with["model"])

    @property
    def predicts_tags(self) -> bool:
        """Whether it can tag."""
        return self.model.config.predicts_tags

    @property
    def needs_tags(self) -> bool:
        """Whether sentences must come with tags."""
        return self.model.config.reads_tags and self.tagger is None

    @property
    def replaces_tags(self) -> bool:
        """Whether words alone are read of sentences: it predicts tags, or has a tagger that does."""
        return self.tagger is not None or (self.predicts_tags and not self.model.config.reads_tags)

    @property
    def language(self) -> str | None:
        """The language that the model was made for, if that is known."""
        language = self.model.facts.get("language")
        return language if isinstance(language, str) else None

    def parse(self, text: str, language: str | None = None) -> Trees:
        """The trees of a raw text, one for each sentence, with the places of words in it and confidences."""
        return next(self.parse_texts([text], language))

    def parse_texts(self, texts: Iterable[str], language: str | None = None) -> Iterator[Trees]:
        """The trees of each text of a stream."""
        from permutree.languages import split

        if isinstance(texts, str):
            raise TreeError("a list of texts is wanted; one text is parsed by parse")
        language = language or self.language
        if language is None:
            raise ConfigError("the model does not say its language; name it, such as language='en'")
        counts: list[int] = []

        def sentences() -> Iterator[Sentence]:
            for text in texts:
                if not isinstance(text, str):
                    raise TreeError("a text is wanted; words are parsed by parse_tokens and pipe")
                found = split(text, language)
                counts.append(len(found))
                for words, offsets in found:
                    yield Sentence(words, annotations=Annotations(offsets=tuple(offsets)))

        # Texts without sentences still have their turn, so they are counted as they are read.
        done = 0
        trees = Trees(language=language)
        for tree in self.pipe(sentences(), confidence=True):
            while len(trees) == counts[done]:
                yield trees
                trees = Trees(language=language)
                done += 1
            trees.append(tree)
        for count in counts[done:]:
            yield trees if count else Trees(language=language)

    def parse_tokens(self, words: Sequence[str], tags: Sequence[str] | None = None) -> Tree:
        """The tree of one sentence. Many are parsed faster by :meth:`pipe`."""
        return next(self.pipe([Sentence(words, tags)], confidence=True))

    def pipe(self, sentences: Iterable[Given], *, chunk: int | None = None, confidence: bool = False) -> Iterator[Tree]:
        """The trees of a stream of sentences, in order: lists of words, with tags and more in a Sentence or a Tree.

        Of a tree, words and tags are read. Up to ``chunk`` sentences are read before the first tree comes; if nothing
        is said, as many as suit the engine, and on a GPU as many again.
        """
        for parsed in self.batches(sentences, chunk=chunk, confidence=confidence):
            yield from parsed.trees()

    def batches(
        self, sentences: Iterable[Given | Block], *, chunk: int | None = None, confidence: bool = False
    ) -> Iterator[Parsed]:
        """The trees of a stream of sentences as arrays, which is faster than :meth:`pipe`."""
        return self._stream(sentences, lambda parsed: parsed, chunk, confidence)

    def texts(self, sentences: Iterable[Given | Block], *, chunk: int | None = None) -> Iterator[Written]:
        """The trees of a stream of sentences as lines of discbracket, with counts of what is in them: the fastest way.

        On a GPU, lines are written while the next sentences are read and handed over.
        """
        return self._stream(sentences, Written.of, chunk, confidence=False)

    def _stream(
        self, sentences: Iterable[Given | Block], make: Callable[[Parsed], Made], chunk: int | None, confidence: bool
    ) -> Iterator[Made]:
        """What is made of the trees of chunks, in order.

        An engine that works meanwhile gets the next sentences before the trees of the last ones are made, which is left
        to a thread: it mostly works on arrays, and so beside this one.
        """
        first = 1
        overlaps = self.engine.overlaps and chunk is None
        if chunk is not None:
            sentences = sentences_in(sentences)
        waiting: deque[Callable[[], Made]] = deque()
        with _thread() if overlaps else nullcontext() as pool:
            for batch in chunks_of(sentences, chunk or self.engine.chunk, self._most_words(confidence)):
                words = batch.words
                if self.needs_tags and (untagged := batch.untagged) is not None:
                    raise TreeError(f"sentence {first + untagged} has no tags; {_NEEDS_TAGS}")
                # A model that reads no tags hands on those that there are.
                parse = self._begin(words, batch.tags(), first, confidence=confidence)
                work = partial(_made, make, parse, batch.annotations())
                waiting.append(work if pool is None else pool.submit(work).result)
                first += len(words)
                if len(waiting) > overlaps:
                    yield waiting.popleft()()
            while waiting:
                yield waiting.popleft()()

    def parse_batch(self, words: Words, tags: Words | None = None) -> Parsed:
        """The trees of sentences, all at once; their tags are replaced if the model or a tagger predicts them."""
        if self.needs_tags and tags is None:
            raise TreeError(_NEEDS_TAGS)
        return self._parse(words, no_tags(words) if tags is None else tags)

    def _parse(self, words: Words, tags: Words) -> Parsed:
        """Parse sentences."""
        return self._begin(words, tags)()

    def _begin(self, words: Words, tags: Words, first: int = 1, *, confidence: bool = False) -> Callable[[], Parsed]:
        """Begin to parse sentences, which messages count from ``first``; what is given back makes their trees."""
        codec = self.model.codec
        if codec is None:
            raise TreeError("this model is a tagger; parse with a model that was trained to parse")
        words = checked(words, tags, first)
        if np.diff(words.offsets).max(initial=0) <= LONGEST:
            return self._begin_whole(words, tags, confidence=confidence)
        lengths = [piece_lengths(sentence) for sentence in words]
        words, tags = _cut(words, lengths), _cut(tags, lengths)
        groups = groups_of([*map(len, words)], self._most_words(confidence))
        return lambda: join_pieces(
            [self._begin_whole(words[group], tags[group], confidence=confidence)() for group in groups], lengths, codec
        )

    def _begin_whole(self, words: Words, tags: Words, *, confidence: bool) -> Callable[[], Parsed]:
        """Begin to parse sentences that are not too long."""
        model, words = self.model, Numbered.of(words)
        if self.tagger is not None:
            tags = self.tagger.tag(words)
        arrays = self.features.arrays(words, tags if model.config.reads_tags else None)
        labels = self._labels_of_constituents()
        scored, sure = self.scored, SCORED if confidence else ()
        if confidence and not self._engine_chooses(confidence):
            scored, labels, sure = self.scored | {*SCORED}, None, ()
        wait = self.engine.launch(arrays, scored, self.closed_sentences(words), labels, sure)

        def parsed() -> Parsed:
            found = wait()
            decoded = self.decode(found, words, tags)
            sure = constituent_confidence(decoded.forest, found) if confidence and len(words) else None
            return Parsed(*decoded, confidence=sure)

        return parsed

    def _labels_of_constituents(self) -> Bools | None:
        """Which shared labels constituents may have, if it is left to decoding to choose among them by scores."""
        config, codec = self.model.config, self.model.codec
        if codec is None or not config.finds_ends or config.scores_spans:
            return None
        is_label: Bools = codec.shared_chains.parsed()[0][:-1] > 0
        return is_label if is_label.any() else None

    def closed_sentences(self, words: Words) -> Costs | None:
        """What it may cost, for each sentence, that its last word is the last of the arrangement.

        None if the model knows no words of which that is so.
        """
        closing = self.model.codec.closing if self.model.codec is not None else {}
        if not closing:
            return None
        values, numbers = numbered(words)
        offsets = offsets_of(words)
        lasts = numbers[offsets[1:] - 1]
        # Few of the words stand last.
        is_last, most = np.zeros(len(values), bool), np.zeros(len(values), np.float32)
        is_last[lasts] = True
        for number in np.flatnonzero(is_last).tolist():
            most[number] = closing.get(values[number], 0.0)
        found: Costs = np.where(np.diff(offsets) > 1, most[lasts], np.float32(0))
        return found

    def _engine_chooses(self, confidence: bool) -> bool:
        """Whether constituents can be left to the engine, so that it hands over no scores of all labels."""
        can = self.engine.chooses and (self.engine.says_how_sure or not confidence)
        return can and self._labels_of_constituents() is not None

    def _most_words(self, confidence: bool) -> int:
        """How many words are parsed together: their scores should not take more room than the engine has for them."""
        if self._engine_chooses(confidence):
            return self.engine.chunk_words
        sizes = self.model.sizes
        values = sum(sizes.get(name, 0) for name in (self.scored | {*SCORED} if confidence else self.scored))
        return min(self.engine.chunk_words, self.engine.room // max(1, values))

    @property
    def scored(self) -> set[str]:
        """The heads whose scores decoding needs."""
        if self.model.config.scores_spans:
            return set()
        if self.model.config.finds_ends:
            return {"shared", "first", "last"}
        if not self.use_scores:
            return set()
        # A predecessor is never impossible.
        return {"levels", "shared"} if self.model.config.attends else {"levels", "shared", "permutation"}

    def decode(self, found: Values, words: Words, tags: Words) -> Decoded:
        """The trees of what an engine has predicted, with the tags that it predicted, if it did."""
        codec = self.model.codec
        assert codec is not None
        if ORDER in found and not self.model.config.finds_constituents:
            found = _at_words(found, words)
        best = found | {
            name: table.argmax(1).astype(np.int32)
            for name, table in found.items()
            if name in (*COMPONENTS, "tags") and table.ndim == 2
        }
        if self.predicts_tags:
            tags = self._tags(best, words)
        if not words:
            return codec.decode(_labels(words, best), words, tags)
        if self.model.config.finds_constituents:
            return Decoded(
                decode_spans(codec, found | {"unary": best["unary"]}, words, tags), Repairs.none(codec.spelling)
            )
        scores = Scores(**{name: table for name, table in found.items() if name in COMPONENTS and table.ndim == 2})
        return codec.decode(_labels(words, best), words, tags, scores if self.use_scores else None)

    def labels(
        self,
        sentences: Words,
        encoding: str = "pointer",
        *,
        codec: Codec | None = None,
        probabilities: bool = False,
        states: bool = False,
    ) -> Features:
        """The labels of sentences in an encoding, as numbers and as text: features for other models.

        ``codec`` is that of an earlier call, for the same numbers. ``probabilities`` adds those of tags, shared labels
        and unary chains, as far as the model predicts them; one that scores spans has none of shared labels. ``states``
        adds the states of the network, of an ensemble those of its first model, which needs PyTorch.
        """
        from permutree.parsing.features import features_of

        return features_of(self, sentences, encoding, codec=codec, probabilities=probabilities, states=states)

    def tag(self, words: Words) -> list[list[str]]:
        """The tags of sentences."""
        if not self.model.config.predicts_tags:
            raise TreeError("this model predicts no tags; tag with a tagger, or a parser with jointly predicted tags")
        checked(words, words)
        lengths = [piece_lengths(sentence) for sentence in words]
        found = self.engine.predict(self.features.arrays(_cut(words, lengths), None))
        # Pieces stand in the order of their sentences, so that tags of all words do, too.
        return [list(tags) for tags in self._tags(found, words)]

    def tag_all(self, sentences: Iterable[Given], *, chunk: int | None = None) -> Iterator[Tree | Sentence]:
        """A stream of sentences with predicted tags, in order: trees stay trees."""
        for batch in chunks_of(sentences_in(sentences), chunk or self.engine.chunk, self.engine.chunk_words):
            for one, tags in zip(batch.sentences, self.tag(batch.words), strict=True):
                yield one.with_tags(tags) if isinstance(one, Tree) else replace(one, tags=tags)

    def _tags(self, values: Values, words: Words) -> Words:
        """The names of predicted tags, by sentence."""
        if not len(words):
            return []
        return Numbered(self.model.tags, values["tags"], offsets_of(words))


def _load(
    models: Sequence[str | Path], device: torch.device | str | None, threads: int | None, precise: bool, compiled: bool
) -> tuple[Outline, Engine, JointFeatures | None]:
    """A model, or an ensemble of several, and what runs it; also what an ensemble sees of words."""
    from permutree.models import folder as folder_of

    folders = [folder_of(model) for model in models]
    folder = folders[0]
    has_graphs = (folder / GRAPHS[1]).exists()
    if str(device or "cpu") == "cpu" and has_graphs and len(folders) == 1:
        from permutree.parsing.onnx_engine import OnnxEngine

        outline = Outline.read(folder)
        return outline, OnnxEngine(folder, outline, threads=threads), None
    try:
        from permutree.networks.model import Model
        from permutree.parsing.ensemble import Ensemble
        from permutree.parsing.torch_engine import TorchEngine, find_device
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        Outline.read(folder)
        if not has_graphs:
            raise DataError(
                f"has no {GRAPHS[1]}, which is what runs without PyTorch: make one where PyTorch is, with `permutree "
                f"export MODEL --onnx`, or {INSTALL_TRAIN}",
                source=str(folder),
            ) from None
        what = "a GPU needs" if len(folders) == 1 else "an ensemble needs"
        raise ConfigError(f"{what} PyTorch: pip install 'permutree[train]'") from None
    place = find_device(device)
    loaded = [Model.load(one, place) for one in folders]
    if len(loaded) == 1:
        return loaded[0].outline, TorchEngine(loaded[0].labeller, place, precise=precise, compiled=compiled), None
    together = Ensemble.of(loaded, models)
    engine = TorchEngine(
        together.labellers, place, translations=together.translations, precise=precise, compiled=compiled
    )
    return together.outline, engine, together.features


def _place(model: str | Path) -> str | Path:
    """A model as another process finds it: a bundled or installed one by its name, any other by its full path."""
    from permutree.models import folder, names

    return model if isinstance(model, str) and model in names() else folder(model).resolve()


def _reload(options: dict[str, Any]) -> Parser:
    """A parser in the process that it was sent to."""
    return Parser.load(**options)


def _thread() -> ThreadPoolExecutor:
    """A thread to give work to."""
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(1)


def _made(make: Callable[[Parsed], Made], parse: Callable[[], Parsed], annotations: Sequence[Annotations]) -> Made:
    """What is made of what was parsed, with what the input said beside."""
    return make(parse()._replace(annotations=annotations))


_NEEDS_TAGS = "this model reads tags: give them, or a tagger"


def _cut(texts: Words, lengths: Sequence[Sequence[int]]) -> Words:
    """Sentences in pieces, each of them a sentence."""
    pieces: list[Sequence[str]] = []
    for sentence, sizes in zip(texts, lengths, strict=True):
        if len(sizes) == 1:
            pieces.append(sentence)
            continue
        bounds = pairwise(accumulate(sizes, initial=0))
        pieces.extend(sentence[first:last] for first, last in bounds)
    return pieces


def _at_words(values: Values, words: Words) -> Values:
    """What a second reading says by position in the arrangement, at words."""
    offsets = offsets_of(words)
    places = np.repeat(offsets[:-1], np.diff(offsets)) + values[ORDER]
    moved = {}
    for name in ("levels", "shared", "unary"):
        moved[name] = np.empty_like(values[name])
        moved[name][places] = values[name]
    return values | moved


def _labels(words: Words, values: Values) -> Labels:
    offsets = offsets_of(words).astype(np.int32)
    return Labels(offsets, *(values.get(component, np.zeros(0, np.int32)) for component in COMPONENTS))
