"""The languages that there are lessons for. A language is a package beside this module, with a ``LANGUAGE`` in it."""

from __future__ import annotations

from importlib import import_module

from permutree.errors import ConfigError
from permutree_lab.teaching.lessons import Language

__all__ = ["LANGUAGES", "find_language"]

#: code → the package that has the language
LANGUAGES = {"en": "english", "de": "german", "nl": "dutch", "is": "icelandic"}


def find_language(code: str) -> Language:
    """The language with a code."""
    if code not in LANGUAGES:
        raise ConfigError(f"there are no lessons for {code!r}, only for {', '.join(sorted(LANGUAGES))}")
    found = import_module(f"permutree_lab.teaching.{LANGUAGES[code]}").LANGUAGE
    assert isinstance(found, Language)
    return found
