"""What a label means in any of the languages, and which labels are spelt much like it."""

from __future__ import annotations

from difflib import get_close_matches

from permutree.languages.glossary import Entry
from permutree.languages.registry import all_languages, language_named

__all__ = ["explain", "near_labels"]


def explain(label: str, language: str | None = None) -> tuple[Entry, ...]:
    """What a constituent, tag or function means: an entry for each language and kind that has it, none if none has.

    >>> [entry.text for entry in explain("smain")]
    ['main clause with the finite verb in second place']
    """
    languages = all_languages().values() if language is None else (language_named(language),)
    return tuple(entry for one in languages for entry in one.explain(label))


def near_labels(label: str, language: str | None = None) -> list[str]:
    """Labels spelt much like one that is not known, the nearest first; capitals make no difference."""
    languages = all_languages().values() if language is None else (language_named(language),)
    spelt: dict[str, list[str]] = {}
    for known in dict.fromkeys(known for one in languages for known in one.glossary.labels()):
        spelt.setdefault(known.lower(), []).append(known)
    return [known for near in get_close_matches(label.lower(), spelt, 4, 0.6) for known in spelt[near]]
