"""Icelandic phrases as IcePaHC annotates them: every noun phrase is a constituent, tags carry the case."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from permutree_lab.teaching.composing import part
from permutree_lab.teaching.icelandic.lexicon import ADJECTIVES, CASES, Case, Noun, names, nouns
from permutree_lab.teaching.parts import Part, word

__all__ = ["Nominal", "adverbial", "named", "noun_phrase", "pronoun", "subject", "which"]


@dataclass(frozen=True, slots=True)
class Nominal:
    """A noun phrase and its person: 0 for ég, 1 for þú, 2 for the third; all in the singular."""

    part: Part
    person: int = 2


_PRONOUNS = ("ég", "þú", "hann", "hún")


def pronoun(text: str) -> Nominal:
    """A personal pronoun as a subject."""
    return Nominal(part("NP", word("PRO-N", text)), min(_PRONOUNS.index(text), 2))


def named(random: Random, case: Case = "N") -> Part:
    """A person by name: Anna, Jón Sigurðsson."""
    first, last = random.choice(names())
    at = CASES.index(case)
    words = [word(f"NPR-{case}", first[at])]
    if random.random() < 0.5:
        words.append(word(f"NPR-{case}", last[at]))
    return part("NP", *words)


def _adjective(random: Random, noun: Noun, case: Case) -> Part:
    fitting = [one for one in ADJECTIVES if noun.kind in "pz" or one[0] != "ungi"]
    strong, other, oblique = random.choice(fitting)
    text = other
    if noun.gender == "m" and case == "N":
        text = strong
    elif noun.gender == "f" and case != "N":
        text = oblique
    return word(f"ADJ-{case}", text)


_THIS = {
    "m": ("þessi", "þennan", "þessum", "þessa"),
    "f": ("þessi", "þessa", "þessari", "þessarar"),
    "n": ("þetta", "þetta", "þessu", "þessa"),
}


def noun_phrase(random: Random, case: Case, classes: str, *, after: Part | None = None, kind: str = "") -> Part:
    """A noun phrase: maðurinn, gamli maðurinn, þennan mann, mann; ``kind`` is definite, this or bare."""
    noun = random.choice(nouns()[random.choice(classes)])
    kind = kind or random.choice(["definite", "definite", "definite", "this", "bare"])
    if kind == "this":
        first = word(f"D-{case}", _THIS[noun.gender][CASES.index(case)])
        described = _adjective(random, noun, case) if random.random() < 0.3 else None
        return part("NP", first, described, word(f"N-{case}", noun.form(case, False)), after)
    is_definite = kind == "definite"
    described = _adjective(random, noun, case) if is_definite and random.random() < 0.4 else None
    return part("NP", described, word(f"N-{case}", noun.form(case, is_definite)), after)


def subject(random: Random, *, light: bool = False) -> Nominal:
    """A subject: a pronoun, a name, a noun phrase."""
    chance = random.random()
    if chance < 0.35:
        return pronoun(random.choice(_PRONOUNS))
    if chance < 0.55:
        return Nominal(named(random))
    return Nominal(noun_phrase(random, "N", "p", kind="definite" if light else random.choice(["definite", "this"])))


def which(random: Random, case: Case, classes: str) -> Part:
    """What is asked for: hvaða bók, hvern, hvað."""
    if random.random() < 0.6:
        noun = random.choice(nouns()[random.choice(classes)])
        return part("WNP", word(f"WD-{case}", "hvaða"), word(f"N-{case}", noun.form(case, False)))
    forms = ("hver", "hvern", "hverjum", "hvers") if classes[0] == "p" else ("hvað", "hvað", "hverju", "hvers")
    return part("WNP", word(f"WPRO-{case}", forms[CASES.index(case)]))


def adverbial(random: Random, past: bool = False) -> Part:
    """When or where: í dag, í fyrradag, í kirkjunni, oft."""
    chance = random.random()
    if chance < 0.15 and past:
        return part("PP", word("P", "í"), part("ADVP", word("ADV", "gær")))
    if chance < 0.35:
        text = random.choice(["fyrradag", "vetur", "sumar"] if past else ["dag", "kvöld", "sumar"])
        return part("PP", word("P", "í"), part("NP", word("N-A", text)))
    if chance < 0.7:
        return part("PP", word("P", "í"), noun_phrase(random, "D", "l", kind="definite"))
    return part("ADVP", word("ADV", random.choice(["þar", "hér", "þá"] if past else ["núna", "hér", "oft"])))
