"""A language: how the treebanks that the models learn from write its words, what it is known by, what labels mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from permutree.languages.glossary import Entry, Glossary

__all__ = ["Language"]


# Languages are compared by identity, so that what is made for one can be cached.
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Language:
    """What is known of one language: rules for words and sentences, clues, a glossary and the name of a model."""

    #: the code of ISO 639-1, which commands take, and the name in English
    code: str
    name: str
    #: the name of the bundled model, or of an installed one, if there is one
    model: str | None = None

    # Words.
    #: signs that hold a word together when they stand within it
    joiners: str
    #: other places that hold a word together, as a regular expression: between digits, or before certain endings
    within: str = ""
    #: what a word may begin with an apostrophe for, as a regular expression
    elided: str = ""
    #: words with signs that would be pieces of their own otherwise, as a regular expression
    whole: str = ""
    #: whether a hyphen at either end, of a word that shares a part with another, is part of the word
    keeps_hyphens: bool = True
    #: where a word is cut into several
    cut: Callable[[str], list[int]] | None = None
    #: signs → how the treebank writes them
    signs: dict[str, str] = field(default_factory=dict)

    # Sentences.
    #: abbreviations, without the full stop at the end
    abbreviations: frozenset[str] = frozenset()
    #: those of them that never end a sentence, such as titles
    leading: frozenset[str] = frozenset()
    #: those that are abbreviations only before a number
    before_numbers: frozenset[str] = frozenset()
    #: small words of names, which do not begin a sentence after an initial
    particles: frozenset[str] = frozenset()
    #: frequent words that are no names: after an abbreviation, they tell that a sentence begins
    function_words: frozenset[str] = frozenset()
    #: names of months, before which a number with a full stop is a day; None if ordinals have no full stop
    months: frozenset[str] | None = None
    #: whether a capital need not begin a sentence
    capitalises_nouns: bool = False
    #: signs beside . ? ! that end a sentence in the treebank
    breaks: str = ""
    #: verbs of saying: after one, a colon before a quotation of one sentence does not end the sentence
    speech: frozenset[str] = frozenset()

    # Clues by which a text is recognised, beside the function words.
    #: words of short texts that are no function words
    greetings: frozenset[str] = frozenset()
    #: parts of words, at a word's beginning ^ or end $ where it matters; others may come several times in a word
    spellings: frozenset[str] = frozenset()
    #: what speaks for it before anything is read: the language with the most is the guess if nothing tells
    prior: float = 0.0

    #: what the labels of its treebanks mean
    glossary: Glossary = field(default_factory=Glossary)

    def explain(self, label: str) -> tuple[Entry, ...]:
        """What a label means: an entry for each kind that it is used as, none if it is unknown."""
        return tuple(Entry(label, self.code, kind, text) for kind, text in self.glossary.meanings(label))

    def entries(self) -> tuple[Entry, ...]:
        """The whole glossary; labels that are put together of these have an explanation, too."""
        return tuple(entry for label in self.glossary.labels() for entry in self.explain(label))
