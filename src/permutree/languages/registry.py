"""The languages there are: each module of this folder that has a ``LANGUAGE`` is one, and those of installed models."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from permutree.errors import ConfigError
from permutree.languages.language import Language
from permutree.languages.tables import FRACTION

__all__ = ["all_languages", "language_named"]

#: what knows the languages of installed models: a plug-in, as models come after languages in the flow
_INSTALLED = "permutree.models.packages:installed_languages"


@cache
def all_languages() -> dict[str, Language]:
    """Codes and languages: first the one that is guessed if nothing tells, then in the order of their names.

    The language of an installed model is one of them. If no module here has rules for it, general ones split its text.
    """
    modules = [
        import_module(f"{__package__}.{found.name}") for found in iter_modules(import_module(__package__).__path__)
    ]
    found = [module.LANGUAGE for module in modules if isinstance(getattr(module, "LANGUAGE", None), Language)]
    known = {language.code: language for language in found}
    module, _, function = _INSTALLED.partition(":")
    for code, name, model in getattr(import_module(module), function)():
        language = known.get(code) or Language(code=code, name=name, joiners=".&-", whole=FRACTION)
        known[code] = language if language.model is not None else replace(language, model=model)
    return dict(sorted(known.items(), key=lambda one: (-one[1].prior, one[1].name)))


def language_named(code: str) -> Language:
    """The language with a code; a failed look-up lists those there are."""
    known = all_languages()
    if code not in known:
        raise ConfigError(
            f"no language {code!r}: there are {', '.join(known)}; an installed model of another language adds that one "
            "(`permutree models --help`)"
        )
    return known[code]
