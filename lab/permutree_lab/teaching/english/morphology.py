"""English forms: verbs, plurals, articles, and the way from a form of a verb back to its base."""

from __future__ import annotations

import re
from functools import cache

from permutree_lab.teaching.english import lexicon

__all__ = ["article", "base_of", "comparative", "gerund", "participle", "past", "plural", "present"]

_VOWELS = "aeiou"
_DOUBLED = frozenset(lexicon.DOUBLED_VERBS)
_FORMS = lexicon.IRREGULAR_VERBS


def present(base: str) -> str:
    """The third person singular.

    >>> [present(base) for base in ("say", "carry", "push", "have", "be", "go")]
    ['says', 'carries', 'pushes', 'has', 'is', 'goes']
    """
    irregular = {"have": "has", "be": "is"}
    return irregular.get(base) or _with_s(base)


def _with_s(base: str) -> str:
    if base.endswith("y") and base[-2] not in _VOWELS:
        return base[:-1] + "ies"
    return base + ("es" if base.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")


def past(base: str) -> str:
    """The past tense.

    >>> [past(base) for base in ("say", "carry", "plan", "announce", "play")]
    ['said', 'carried', 'planned', 'announced', 'played']
    """
    return _FORMS[base][0] if base in _FORMS else _with_ed(base)


def participle(base: str) -> str:
    """The past participle."""
    return _FORMS[base][1] if base in _FORMS else _with_ed(base)


def _with_ed(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in _VOWELS:
        return base[:-1] + "ied"
    return base + (base[-1] if base in _DOUBLED else "") + "ed"


def gerund(base: str) -> str:
    """The form in -ing.

    >>> [gerund(base) for base in ("say", "make", "run", "lie", "see")]
    ['saying', 'making', 'running', 'lying', 'seeing']
    """
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith(("ee", "ye", "oe")) and base != "be":
        return base[:-1] + "ing"
    return base + (base[-1] if base in _DOUBLED else "") + "ing"


def plural(noun: str) -> str:
    """The plural of a noun.

    >>> [plural(noun) for noun in ("company", "child", "bus", "boy")]
    ['companies', 'children', 'buses', 'boys']
    """
    return lexicon.IRREGULAR_NOUNS.get(noun) or _with_s(noun)


def comparative(adjective: str) -> str | None:
    """The comparative of a short adjective; None for one that takes *more*.

    >>> [comparative(adjective) for adjective in ("old", "big", "happy", "safe", "good", "famous")]
    ['older', 'bigger', 'happier', 'safer', 'better', None]
    """
    irregular = {"good": "better", "bad": "worse"}
    if adjective in irregular:
        return irregular[adjective]
    if adjective.endswith("y") and len(adjective) <= 6:
        return adjective[:-1] + "ier"
    syllables = re.findall(r"[aeiou]+", adjective.removesuffix("e"))
    if len(syllables) != 1:
        return None
    if re.search(r"[^aeiou][aeiou][dgnt]$", adjective):
        return adjective + adjective[-1] + "er"
    return adjective.removesuffix("e") + "er"


def article(following: str) -> str:
    """The indefinite article before a word.

    >>> [article(following) for following in ("idea", "house", "hour", "union", "old")]
    ['an', 'a', 'an', 'a', 'an']
    """
    low = following.lower()
    if low.startswith(("hour", "honest", "heir")):
        return "an"
    if low.startswith(("uni", "use", "usu", "euro", "one", "u.s", "ut")):
        return "a"
    return "an" if low[0] in _VOWELS else "a"


@cache
def _bases() -> dict[tuple[str, str], str]:
    """(form, tag) → base form, for all verbs of the lexicon."""
    classes = [*lexicon.TRANSITIVES.values(), lexicon.INTRANSITIVES, lexicon.SAYING_VERBS, lexicon.THINKING_VERBS]
    pairs = [*lexicon.PARTICLE_VERBS, *lexicon.PREPOSITIONAL_VERBS]
    bases = [*_FORMS, *lexicon.VERBS, *(base for some in classes for base in some), *(p.split("-")[0] for p in pairs)]
    found = {("am", "VBP"): "be", ("are", "VBP"): "be", ("were", "VBD"): "be", ("has", "VBZ"): "have"}
    for base in bases:
        forms = {"VBZ": present(base), "VBD": past(base), "VBN": participle(base), "VBG": gerund(base), "VBP": base}
        for tag, form in forms.items():
            found.setdefault((form, tag), base)
    return found


def base_of(form: str, tag: str) -> str | None:
    """The base form of a verb, or None if it is not known.

    >>> base_of("said", "VBD"), base_of("carries", "VBZ"), base_of("xyzzied", "VBD")
    ('say', 'carry', None)
    """
    return form.lower() if tag == "VB" else _bases().get((form.lower(), tag))
