"""Main clauses of squoia_de taken apart: what is before the finite verb, the subject, the VP, what follows.

The trees have no function labels, so subjects are found by form and place, and a clause that leaves a doubt is left
alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from permutree_lab.teaching.composing import leaves, loosen
from permutree_lab.teaching.german.morphology import OBLIQUE
from permutree_lab.teaching.german.sentences import PUNCTUATION
from permutree_lab.teaching.parts import Part, replace_words, word

__all__ = ["Main", "analyse", "is_finite", "lowered"]

_PHRASES = frozenset(["NP", "PP", "AVP", "AP", "CNP", "PN", "CPP", "CAP"])
#: no nominatives where a clause is looked at from outside; des and einer may be genitives
_NOT_NOMINATIVE = OBLIQUE | {"des", "eines", "dieses", "dieser", "sich"}
_NOMINATIVE = frozenset(["ich", "du", "er", "wir", "man", "niemand", "jemand", "jeder"])
#: tags of words that are written with a capital anywhere
_CAPITAL_TAGS = frozenset(["NN", "NE", "FM", "XY", "TRUNC"])


def is_finite(one: Part) -> bool:
    """Whether the part is a finite verb."""
    return one.label in ("VVFIN", "VAFIN", "VMFIN")


def lowered(one: Part, first: Part) -> Part:
    """The part with the first word of its sentence in small letters, unless the word is always a capital."""
    names = {below for node in one if node.label in ("PN", "CH") for below in leaves(node)}
    if first.label in _CAPITAL_TAGS or first in names or (first.text.isupper() and len(first.text) > 1):
        return one
    return replace_words(one, {first: word(first.label, first.text[:1].lower() + first.text[1:])})


@dataclass(frozen=True, slots=True)
class Main:
    """A verb-second main clause."""

    clause: Part
    #: conjunctions before everything else
    opening: tuple[Part, ...]
    #: the phrase before the finite verb, and its words with commas
    front: Part
    front_words: tuple[Part, ...]
    finite: Part
    #: what follows the finite verb, without the sentence-final mark
    rest: tuple[Part, ...]
    subject: Part
    vp: Part | None

    @property
    def subject_first(self) -> bool:
        """Whether the subject is before the finite verb."""
        return self.front is self.subject

    def words_of(self, one: Part) -> list[Part]:
        """The words of a part in the order in which they are said, with the commas inside and right after it."""
        wanted = leaves(one)
        said = [*self.front_words, *self.rest]
        found: list[Part] = []
        for number, each in enumerate(said):
            inside = (
                each.label in PUNCTUATION and bool(found) and found[-1] in wanted and bool(wanted & set(said[number:]))
            )
            if each in wanted or inside:
                found.append(each)
        return found

    def movable(self) -> list[Part]:
        """Phrases after the finite verb that can come first: continuous, no reflexives, no particles."""
        owners = [self.clause, *([self.vp] if self.vp is not None else [])]
        return [
            child
            for owner in owners
            for child in owner.children
            if child.label in _PHRASES
            and child is not self.front
            and child is not self.subject
            and self._can_move(child)
        ]

    def _can_move(self, one: Part) -> bool:
        words = self.words_of(one)
        tags = {each.label for each in leaves(one)}
        light = {"PRF", "PTKNEG", "KOKOM"} & tags or " ".join(each.text for each in words) in _STAYING
        places = [self.rest.index(each) for each in words if each in self.rest]
        together = bool(places) and places[-1] - places[0] + 1 == len(places) == len(words)
        return not light and together and self._comma_free(words)

    @staticmethod
    def _comma_free(words: list[Part]) -> bool:
        return all(each.label not in PUNCTUATION for each in words)


#: adverbs and pronouns that do not come first
_STAYING = frozenset(
    (
        *("auch", "aber", "noch", "schon", "nur", "sehr", "es", "wohl", "doch", "ja", "eben", "mehr", "so"),
        *("denn", "selbst", "jedoch", "mal", "gar", "bereits"),
    )
)


def analyse(root: Part) -> Main | None:
    """The main clause of a sentence: one verb-second clause with a subject that is sure, and no quotation; or None."""
    tops = [child for child in root.children if child.label not in PUNCTUATION]
    if len(tops) != 1 or tops[0].label != "S" or not 5 <= len(root.words) <= 40:
        return None
    marks = [one for one in root.words if one.label in ("$[", "$.")]
    if len(marks) != 1 or root.words[-1] is not marks[0] or marks[0].text != ".":
        return None
    clause = lowered(loosen(tops[0], PUNCTUATION), root.words[0])
    old = dict(zip(tops[0].words, clause.words, strict=True))
    words = [old.get(one, one) for one in root.words[:-1]]
    finites = [child for child in clause.children if is_finite(child)]
    if len(finites) != 1:
        return None
    opening = tuple(child for child in clause.children if child.label == "KON" and child in words[:2])
    at = words.index(finites[0])
    before = [one for one in words[:at] if one not in opening]
    front = _front(clause, before)
    if front is None:
        return None
    vps = [child for child in clause.children if child.label == "VP" and _has_verb(child)]
    subject = _subject(clause, bool(vps))
    if subject is None or any(child.label == "CVP" for child in clause.children):
        return None
    return Main(
        clause,
        opening,
        front,
        tuple(before),
        finites[0],
        tuple(words[at + 1 :]),
        subject,
        vps[0] if len(vps) == 1 else None,
    )


def _front(clause: Part, before: list[Part]) -> Part | None:
    wanted = {one for one in before if one.label not in PUNCTUATION}
    for owner in clause:
        if owner is clause or owner.label == "VP":
            for child in owner.children:
                if wanted and leaves(child) == wanted and child.label in _PHRASES:
                    return child
    return None


def _has_verb(vp: Part) -> bool:
    return any(child.label in ("VVPP", "VVINF", "VAPP", "VAINF", "VMINF") for child in vp.children)


def _subject(clause: Part, has_vp: bool) -> Part | None:
    """The subject: with a VP, the only noun phrase beside it; without, the only one that can be a nominative."""
    phrases = [child for child in clause.children if child.label in ("NP", "CNP")]
    sure = [one for one in phrases if one.words[0].text.lower() in _NOMINATIVE]
    if len(sure) == 1:
        return sure[0]
    possible = [one for one in phrases if _may_be_nominative(one)]
    if len(possible) != 1 or (has_vp and len(phrases) != 1):
        return None
    return possible[0]


def _may_be_nominative(one: Part) -> bool:
    first = next((below for below in one if below.is_word and below.label != "ADV"), one.words[0])
    if first.label == "CARD" or first.label == "PRF":
        return False
    return first.text.lower() not in _NOT_NOMINATIVE
