"""The words of the English grammar, by class: what ``lexicon.toml`` lists."""

from __future__ import annotations

import tomllib
from pathlib import Path

__all__ = [
    "ADJECTIVES",
    "CITIES",
    "CLAIM_ADJECTIVES",
    "CLAIM_NOUNS",
    "CLAUSE_VERBS",
    "COMPANIES",
    "DOUBLED_VERBS",
    "FIRST_NAMES",
    "FREQUENCY_ADVERBS",
    "INTRANSITIVES",
    "IRREGULAR_NOUNS",
    "IRREGULAR_VERBS",
    "LAST_NAMES",
    "MANNER_ADVERBS",
    "MONTHS",
    "NOUNS",
    "ORGANISATIONS",
    "PARTICLE_VERBS",
    "PLAN_NOUNS",
    "PREPOSITIONAL_VERBS",
    "SAYING_VERBS",
    "SENTENCE_ADVERBS",
    "TASK_ADJECTIVES",
    "THINKING_VERBS",
    "TITLES",
    "TRANSITIVES",
    "VERBS",
    "WEEKDAYS",
]

_LISTS = tomllib.loads(Path(__file__).with_name("lexicon.toml").read_text(encoding="utf-8"))


def _entries(text: str) -> list[str]:
    """The entries of a list: words, or what bars separate."""
    return [entry.strip() for entry in text.split("|")] if "|" in text else text.split()


def _classes(name: str) -> dict[str, list[str]]:
    return {key: _entries(text) for key, text in _LISTS[name].items()}


NOUNS = _classes("nouns")
TRANSITIVES = _classes("transitives")
ADJECTIVES = _entries(_LISTS["adjectives"])
CITIES = _entries(_LISTS["cities"])
CLAIM_ADJECTIVES = _entries(_LISTS["claim_adjectives"])
CLAIM_NOUNS = _entries(_LISTS["claim_nouns"])
CLAUSE_VERBS = _entries(_LISTS["clause_verbs"])
DOUBLED_VERBS = _entries(_LISTS["doubled_verbs"])
COMPANIES = _entries(_LISTS["companies"])
FREQUENCY_ADVERBS = _entries(_LISTS["frequency_adverbs"])
FIRST_NAMES = _entries(_LISTS["first_names"])
INTRANSITIVES = _entries(_LISTS["intransitives"])
LAST_NAMES = _entries(_LISTS["last_names"])
MANNER_ADVERBS = _entries(_LISTS["manner_adverbs"])
MONTHS = _entries(_LISTS["months"])
ORGANISATIONS = _entries(_LISTS["organisations"])
PARTICLE_VERBS = _entries(_LISTS["particle_verbs"])
PLAN_NOUNS = _entries(_LISTS["plan_nouns"])
PREPOSITIONAL_VERBS = _entries(_LISTS["prepositional_verbs"])
SAYING_VERBS = _entries(_LISTS["saying_verbs"])
SENTENCE_ADVERBS = _entries(_LISTS["sentence_adverbs"])
TASK_ADJECTIVES = _entries(_LISTS["task_adjectives"])
THINKING_VERBS = _entries(_LISTS["thinking_verbs"])
TITLES = _entries(_LISTS["titles"])
VERBS = _entries(_LISTS["verbs"])
WEEKDAYS = _entries(_LISTS["weekdays"])
#: singular → plural
IRREGULAR_NOUNS = dict(entry.split() for entry in _entries(_LISTS["irregular_nouns"]))
#: base form → past tense, past participle
IRREGULAR_VERBS = {base: (past, done) for base, past, done in map(str.split, _entries(_LISTS["irregular_verbs"]))}
