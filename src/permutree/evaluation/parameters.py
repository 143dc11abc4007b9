"""Parameter files in the style of EVALB: what is scored, and what counts as the same.

A file has one setting a line, ``KEYWORD value``; lines that start with ``#`` are comments. Two files are bundled and
go by their names: ``proper`` leaves out roots and punctuation, ``none`` leaves out nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from permutree.errors import DataError

__all__ = ["BUNDLED", "Parameters", "escape_word", "strip_function"]

BUNDLED = ("proper", "none")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """The settings of an evaluation; the field's keyword in parameter files stands beside it."""

    name: str = "none"
    #: LABELED: compare labels, or only which words make up the constituents
    labelled: bool = True
    #: DISC_ONLY: score discontinuous constituents only
    disc_only: bool = False
    #: CUTOFF_LEN: sentences up to this length have a column of their own in the summary
    cutoff: int = 40
    #: DEBUG: 1 asks for the table of sentences
    debug: int = 0
    #: MAX_ERROR: how many faults (other words, missing predictions) an error message lists
    max_error: int = 10
    #: DELETE_LABEL: constituents that are not scored; of a tag, words that are taken out of both trees
    delete_labels: frozenset[str] = frozenset()
    #: DELETE_WORD: words that are taken out of both trees
    delete_words: frozenset[str] = frozenset()
    #: DELETE_LABEL_FOR_LENGTH: tags of words that do not count for the length of a sentence
    delete_labels_for_length: frozenset[str] = frozenset()
    #: DELETE_ROOT_PRETERMS: take words that hang from the root of the gold tree out of both trees
    delete_root_words: bool = False
    #: EQ_LABEL: pairs of labels that count as the same; being the same carries over from pair to pair
    equal_labels: tuple[tuple[str, str], ...] = ()
    #: EQ_WORD: pairs of words that count as the same when the words of both trees are compared
    equal_words: tuple[tuple[str, str], ...] = ()
    #: keep what stands after ``-`` or ``=`` in labels and tags (not a keyword of parameter files)
    keep_functions: bool = False
    _same_label: dict[str, str] = field(init=False, repr=False, compare=False)
    _same_word: dict[str, str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_same_label", _classes(self.equal_labels))
        pairs = [(escape_word(first), escape_word(second)) for first, second in self.equal_words]
        object.__setattr__(self, "_same_word", _classes(pairs))

    @classmethod
    def load(cls, name: str | Path) -> Parameters:
        """The bundled parameters of this name, or those of the file at this path."""
        path = Path(name)
        if str(name) in BUNDLED:
            path = Path(__file__).with_name(f"{name}.prm")
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
            message = f"no parameters: {reason}; give the path of a file or one of {', '.join(BUNDLED)}"
            raise DataError(message, source=str(name)) from None
        return cls.parse(text, str(name))

    @classmethod
    def parse(cls, text: str, name: str = "parameters") -> Parameters:
        r"""The parameters in the text of a parameter file.

        >>> parameters = Parameters.parse("DELETE_LABEL ROOT\nEQ_LABEL ADVP PRT")
        >>> parameters.is_deleted("ROOT"), parameters.canonical("PRT"), parameters.canonical("NP-SBJ")
        (True, 'ADVP', 'NP')
        """
        settings: dict[str, Any] = {"name": name}
        for number, line in enumerate(text.split("\n"), 1):
            keyword, *values = line.split() or ["#"]
            if not keyword.startswith("#"):
                try:
                    _set(settings, keyword, values)
                except ValueError as error:
                    raise DataError(str(error), source=name, line=number) from None
        for attribute in _SETS.values():
            settings[attribute] = frozenset(settings.get(attribute, ()))
        for attribute in _PAIRS.values():
            settings[attribute] = tuple(settings.get(attribute, ()))
        return cls(**settings)

    def canonical(self, label: str) -> str:
        """The label as it is compared: without functions, one name for all that count as the same."""
        if not self.labelled:
            return ""
        label = self.plain(label)
        return self._same_label.get(label, label)

    def plain(self, label: str) -> str:
        """The label or tag without what stands after ``-`` or ``=``, unless that is to be kept."""
        return label if self.keep_functions else strip_function(label)

    def is_deleted(self, label: str) -> bool:
        """Whether constituents or words with this label or tag are left out."""
        return self.plain(label) in self.delete_labels

    def deletes_word(self, word: str) -> bool:
        """Whether this word is left out, whatever its tag."""
        return escape_word(word) in self.delete_words

    def canonical_word(self, word: str) -> str:
        """The word as it is compared with the word in the other tree."""
        word = escape_word(word)
        return self._same_word.get(word, word)


_FLAGS = {"LABELED": "labelled", "DISC_ONLY": "disc_only", "DELETE_ROOT_PRETERMS": "delete_root_words"}
_NUMBERS = {"CUTOFF_LEN": "cutoff", "DEBUG": "debug", "MAX_ERROR": "max_error"}
_SETS = {
    "DELETE_LABEL": "delete_labels",
    "DELETE_WORD": "delete_words",
    "DELETE_LABEL_FOR_LENGTH": "delete_labels_for_length",
}
_PAIRS = {"EQ_LABEL": "equal_labels", "EQ_WORD": "equal_words"}
#: measures that other evaluators compute on request
_ABSENT = ("LA", "TED", "DEP")
#: quotation marks that only one side has deleted: that cannot happen where the gold side decides for both
_NEEDLESS = ("QUOTE_LABEL",)


def _set(settings: dict[str, Any], keyword: str, values: list[str]) -> None:
    """Take one line of a parameter file into the settings; a ValueError says what is wrong with it."""
    wanted = 2 if keyword in _PAIRS else 1
    if len(values) > wanted and values[wanted].startswith("#"):
        del values[wanted:]
    if keyword not in {*_FLAGS, *_NUMBERS, *_SETS, *_PAIRS, *_ABSENT, *_NEEDLESS}:
        known = ", ".join([*_FLAGS, *_NUMBERS, *_SETS, *_PAIRS])
        raise ValueError(f"unknown keyword {keyword!r}; there are {known}")
    if len(values) != wanted:
        raise ValueError(f"{keyword} takes {wanted} value{'s' * (wanted > 1)}, not {len(values)}")
    if keyword in _SETS:
        settings.setdefault(_SETS[keyword], []).append(values[0])
    elif keyword in _PAIRS:
        settings.setdefault(_PAIRS[keyword], []).append((values[0], values[1]))
    elif keyword not in _NEEDLESS:
        if not values[0].isdecimal():
            raise ValueError(f"{keyword} takes a number, not {values[0]!r}")
        number = int(values[0])
        if keyword in _FLAGS:
            settings[_FLAGS[keyword]] = number != 0
        elif keyword in _NUMBERS:
            settings[_NUMBERS[keyword]] = number
        elif number:
            raise ValueError(f"{keyword} asks for a measure that is not computed here; set it to 0")


def _classes(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Every name in the pairs with one name for all that are the same as it: the one that came first.

    >>> _classes([("A", "B"), ("C", "D"), ("D", "B")])
    {'A': 'A', 'B': 'A', 'C': 'A', 'D': 'A'}
    """
    names: dict[str, str] = {}
    for first, second in pairs:
        kept, given_up = names.setdefault(first, first), names.setdefault(second, second)
        if list(names).index(given_up) < list(names).index(kept):
            kept, given_up = given_up, kept
        for name, representative in names.items():
            if representative == given_up:
                names[name] = kept
    return names


def strip_function(label: str) -> str:
    """A label or tag without function and index: cut at the first ``-``, then at the first ``=``.

    One that starts with the sign is no function: ``-LRB-`` and ``=`` stay whole.

    >>> [strip_function(label) for label in ["NP-SBJ-1", "NP=2", "-NONE-", "$,", "IP-MAT=1"]]
    ['NP', 'NP', '-NONE-', '$,', 'IP']
    """
    for sign in "-=":
        cut = label.find(sign)
        if cut > 0:
            label = label[:cut]
    return label


def escape_word(word: str) -> str:
    """The word as bracketed files write it, which is how parameter files name it: ``-LRB-`` for ``(``."""
    return word.replace("(", "-LRB-").replace(")", "-RRB-")
