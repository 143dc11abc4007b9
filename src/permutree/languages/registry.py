"""The languages there are: each module of this folder that has a ``LANGUAGE`` is one."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from permutree.errors import ConfigError
from permutree.languages.language import Language

__all__ = ["all_languages", "language_named"]


@cache
def all_languages() -> dict[str, Language]:
    """Codes and languages: first the one that is guessed if nothing tells, then in the order of their names."""
    modules = [
        import_module(f"{__package__}.{found.name}") for found in iter_modules(import_module(__package__).__path__)
    ]
    known = [module.LANGUAGE for module in modules if isinstance(getattr(module, "LANGUAGE", None), Language)]
    return {language.code: language for language in sorted(known, key=lambda one: (-one.prior, one.name))}


def language_named(code: str) -> Language:
    """The language with a code; a failed look-up lists those there are."""
    known = all_languages()
    if code not in known:
        raise ConfigError(f"no language {code!r}: there are {', '.join(known)}")
    return known[code]
