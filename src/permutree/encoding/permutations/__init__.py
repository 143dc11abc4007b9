"""The encodings of the permutation τ, one module each, found by themselves.

A module here that defines a :class:`Permutation` with a name adds an encoding: to ``permutree encode --encoding``, to
training and to everything else. The six of the paper come first, in its order.
"""

from __future__ import annotations

from importlib import import_module
from inspect import isclass
from pkgutil import iter_modules

from permutree.encoding.permutations.base import Change, Permutation, Ranked, Symbol, parse_number
from permutree.errors import TreeError

__all__ = [
    "ENCODINGS",
    "PAPER_ENCODINGS",
    "Change",
    "Permutation",
    "Ranked",
    "Symbol",
    "parse_number",
    "permutation_named",
]


def _find() -> dict[str, type[Permutation]]:
    """The encodings of all modules here, by name."""
    found = {}
    for info in iter_modules(__path__):
        module = import_module(f"{__name__}.{info.name}")
        for value in vars(module).values():
            if isclass(value) and issubclass(value, Permutation) and value.__module__ == module.__name__ and value.name:
                found[value.name] = value
    return dict(sorted(found.items(), key=lambda item: (item[1].paper is None, item[1].paper or 0, item[0])))


_PERMUTATIONS = _find()
ENCODINGS = tuple(_PERMUTATIONS)
#: the encodings of the paper, in its order
PAPER_ENCODINGS = tuple(name for name, kind in _PERMUTATIONS.items() if kind.paper is not None)


def permutation_named(name: str) -> type[Permutation]:
    """The encoding of this name; a failed look-up lists those there are."""
    if name in _PERMUTATIONS:
        return _PERMUTATIONS[name]
    from difflib import get_close_matches

    near = get_close_matches(name, ENCODINGS, 1)
    hint = f"did you mean {near[0]}? " if near else ""
    raise TreeError(f"no encoding {name!r}: {hint}there are {', '.join(ENCODINGS)}")
