"""What workers do with requests to parse: the sentences of many requests go through the parser together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from permutree.errors import ConfigError, PermutreeError, TreeError
from permutree.formats.registry import format_named
from permutree.languages import all_languages, split
from permutree.languages.guessing import judge_language
from permutree.parsing.inputs import Sentence
from permutree.parsing.parser import Parser
from permutree.serving.answers import JSON
from permutree.serving.messages import ParseRequest
from permutree.serving.records import bad_sentence, labels_of, sentence
from permutree.serving.settings import Served, Settings
from permutree.serving.treebanks import TooMuch, check_tagset, counted, media_type, written
from permutree.trees.annotations import Annotations
from permutree.trees.tree import Tree

__all__ = ["Parsers", "Plan"]


@dataclass(slots=True)
class Plan:
    """A request that is ready to be parsed: its sentences, some of which may be errors already."""

    request: ParseRequest
    model: Served
    language: str | None
    #: sentences, or words and what is wrong with them
    sentences: list[Sentence | tuple[Sequence[str], str]]
    trees: list[Tree | tuple[Sequence[str], str]] = field(default_factory=list)

    def good(self) -> list[Sentence]:
        """The sentences that can be parsed."""
        return [one for one in self.sentences if isinstance(one, Sentence)]

    def take(self, trees: Iterator[Tree | tuple[Sequence[str], str]]) -> None:
        """Put the trees, which come in order, into their places."""
        self.trees = [next(trees) if isinstance(one, Sentence) else one for one in self.sentences]

    def answer(self) -> tuple[str, Any]:
        """The answer, in the format that was asked for."""
        request = self.request
        if request.format != "json":
            chosen = format_named(request.format)
            return media_type(chosen), written(self._all_trees(), chosen)
        for _ in counted(one for one in self.trees if isinstance(one, Tree)):
            pass
        record = {
            "sentences": [self._record(one) for one in self.trees],
            "language": self.language,
            "model": self.model.name,
        }
        return JSON, record if request.id is None else {"id": request.id} | record

    def _all_trees(self) -> Iterator[Tree]:
        for number, one in enumerate(self.trees, 1):
            if not isinstance(one, Tree):
                raise TreeError(f"sentence {number}: {one[1]}")
            yield one

    def _record(self, one: Tree | tuple[Sequence[str], str]) -> dict[str, Any]:
        if not isinstance(one, Tree):
            return bad_sentence(*one)
        record = sentence(one, confidence=self.request.confidence, offsets=self.request.offsets)
        if (labels := self.request.labels) is not None:
            record |= labels_of(one, labels.encodings, labels.levels, check_tagset(labels.tagset))
        return record


class Parsers:
    """The models of a worker, each loaded when it is first used."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._served = {model.name: model for model in settings.models}
        self._loaded: dict[str, Parser] = {}

    def load(self, model: Served) -> Parser:
        """The parser of a model."""
        if model.name not in self._loaded:
            self._loaded[model.name] = Parser.load(model.folder, "cpu", threads=1)
        return self._loaded[model.name]

    def plan(self, request: ParseRequest) -> Plan:
        """Find the model and the sentences of a request; an error if it cannot be answered at all."""
        if (request.text is None) == (request.tokens is None):
            raise ConfigError("give either text or tokens")
        if request.tags is not None and request.tokens is None:
            raise ConfigError("tags go with tokens, not with text")
        if request.format != "json":
            _ = format_named(request.format).writer
        model, language = self._choose(request)
        limits = self.settings.limits
        found: list[Sentence | tuple[Sequence[str], str]]
        if request.text is not None:
            if language is None:
                raise ConfigError(f"the model {model.name!r} does not say its language; name it with lang")
            found = [
                Sentence(words, annotations=Annotations(offsets=tuple(offsets)))
                for words, offsets in split(request.text, language)
            ]
        else:
            assert request.tokens is not None
            found = self._tokens(request.tokens, request.tags, model)
        if len(found) > limits.sentences:
            raise TooMuch(f"{len(found):,} sentences; the limit of this server is {limits.sentences:,}")
        long = [len(one.words) for one in found if isinstance(one, Sentence) and len(one.words) > limits.words]
        said = f"{{:,}} words; the limit of this server is {limits.words:,} a sentence"
        if long and len(long) == len(found):
            raise TooMuch(said.format(long[0]))
        if long:
            found = [
                (one.words, said.format(len(one.words)))
                if isinstance(one, Sentence) and len(one.words) > limits.words
                else one
                for one in found
            ]
        return Plan(request, model, language, found)

    def _choose(self, request: ParseRequest) -> tuple[Served, str | None]:
        """The model for a request, and the language that its text is in."""
        languages = self.settings.languages
        if request.lang is not None and request.lang not in all_languages():
            raise ConfigError(f"no language {request.lang!r}: there are {', '.join(languages)}")
        if request.model is not None:
            if request.model not in self._served:
                raise ConfigError(f"no model {request.model!r}: there are {', '.join(self._served)}")
            model = self._served[request.model]
            return model, request.lang or model.language
        if request.lang is not None:
            if request.lang not in languages:
                raise ConfigError(f"no model for {request.lang!r} is served, only for {', '.join(languages)}")
            return languages[request.lang], request.lang
        if len(self.settings.models) == 1:
            return self.settings.models[0], self.settings.models[0].language
        guess = judge_language(request.text if request.text is not None else _joined(request.tokens or []))
        model = languages.get(guess.language) or next(iter(languages.values()), self.settings.models[0])
        return model, model.language

    def _tokens(
        self, tokens: list[Any], tags: list[Any] | None, model: Served
    ) -> list[Sentence | tuple[Sequence[str], str]]:
        """Sentences of words, each checked by itself."""
        if tags is not None and len(tags) != len(tokens):
            raise ConfigError(f"{len(tokens)} sentences, but tags of {len(tags)}")
        needs_tags = self.load(model).needs_tags
        found: list[Sentence | tuple[Sequence[str], str]] = []
        for number, words in enumerate(tokens):
            given = tags[number] if tags is not None else None
            fault = _fault(words, given, needs_tags)
            shown = [word for word in words if isinstance(word, str)] if isinstance(words, list) else []
            found.append(Sentence(words, given) if fault is None else (shown, fault))
        return found

    def parse(self, plans: Sequence[Plan]) -> None:
        """Give plans their trees; the sentences of all that have the same model are parsed together."""
        for name in dict.fromkeys(plan.model.name for plan in plans):
            some = [plan for plan in plans if plan.model.name == name]
            parser = self.load(self._served[name])
            sentences = [one for plan in some for one in plan.good()]
            confidence = any(plan.request.confidence for plan in some)
            trees = iter(self._trees(parser, sentences, confidence))
            for plan in some:
                plan.take(trees)

    def _trees(
        self, parser: Parser, sentences: list[Sentence], confidence: bool
    ) -> list[Tree | tuple[Sequence[str], str]]:
        try:
            return list(parser.pipe(sentences, confidence=confidence))
        except (PermutreeError, RuntimeError, MemoryError) as error:
            if len(sentences) == 1:
                return [(sentences[0].words, str(error) or type(error).__name__)]
        # One of them is bad: it is found by parsing each half alone.
        half = len(sentences) // 2
        return self._trees(parser, sentences[:half], confidence) + self._trees(parser, sentences[half:], confidence)


def _joined(tokens: list[Any]) -> str:
    """The words of sentences as text, to tell the language by."""
    return " ".join(word for words in tokens if isinstance(words, list) for word in words if isinstance(word, str))


def _fault(words: Any, tags: Any, needs_tags: bool) -> str | None:
    """What is wrong with a sentence of words."""
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        return "a sentence is a list of words, which are strings"
    if not words:
        return "the sentence has no words"
    if "" in words:
        return f"word {words.index('') + 1} is empty"
    if tags is None:
        return "the model reads tags; give them with the tokens" if needs_tags else None
    if not isinstance(tags, list) or not all(isinstance(tag, str) and tag for tag in tags):
        return "tags are a list of strings that are not empty"
    return None if len(tags) == len(words) else f"{len(words)} words, but {len(tags)} tags"
