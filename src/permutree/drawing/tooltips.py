"""What labels mean, shown by browsers where the pointer rests on a label.

The glossaries are those of the languages, which come after drawings in the flow of data: they are plugged in.
"""

from __future__ import annotations

from functools import lru_cache

from permutree.errors import ConfigError
from permutree.sanitising import markup
from permutree.trees.displays import plugged_in

__all__ = ["tooltip"]


def tooltip(label: str, kind: str, language: str | None) -> str:
    """A ``<title>`` for a label of this kind: constituent, tag or function; nothing if no glossary has it.

    >>> tooltip("smain", "constituent", "nl")
    '<title>smain: main clause with the finite verb in second place</title>'
    """
    return _tooltip(label, kind, language) if language else ""


@lru_cache(4096)
def _tooltip(label: str, kind: str, language: str) -> str:
    try:
        entries = plugged_in("explain")(label, language)
    except ConfigError:
        # A model may be of any language; there are glossaries of some.
        return ""
    # Some treebanks put the tag of a word on the constituent of its parts, and phrases on words.
    kinds = (kind,) if kind == "function" else (kind, "constituent", "tag")
    found = next((one for one in kinds if any(entry.kind == one for entry in entries)), kind)
    texts = [entry.text for entry in entries if entry.kind == found]
    return f"<title>{markup(f'{label}: ' + ', or '.join(texts))}</title>" if texts else ""
