"""Main clauses of alpino taken apart: what is before the finite verb, the subject, the verbs below, what follows.

The trees have no function labels. But complements hang in the phrase of the lowest verb, so that in a clause with two
verbs or more, the only noun phrase beside the finite verb is the subject. Other clauses are left alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from permutree_lab.teaching.composing import leaves, loosen
from permutree_lab.teaching.dutch.sentences import PUNCTUATION
from permutree_lab.teaching.parts import Part, replace_words, word

__all__ = ["Main", "analyse", "statement"]

_NOMINAL = frozenset(["np", "n", "vnw", "mwu", "conj", "spec"])
_MARKS = frozenset("\"'“”„‘’`():;-?!")
#: pronouns that are never subjects
_NO_SUBJECTS = frozenset(["er", "daar", "hier", "zich", "hem", "hen", "mij", "me", "ons"])


@dataclass(frozen=True, slots=True)
class Main:
    """A main clause with a finite verb and at least one verb below it; commas are said but hang nowhere."""

    clause: Part
    #: the words before the finite verb
    front: tuple[Part, ...]
    finite: Part
    #: the words after it
    rest: tuple[Part, ...]
    subject: Part
    #: the phrases of the verbs below the finite one, outermost first, and their verbs
    chain: tuple[Part, ...]
    verbs: tuple[Part, ...]

    @property
    def inner(self) -> Part:
        """The phrase of the lowest verb."""
        return self.chain[-1]

    @property
    def subject_first(self) -> bool:
        """Whether the subject, and nothing else, is before the finite verb."""
        return {one for one in self.front if one.label not in PUNCTUATION} == leaves(self.subject)

    def side_by_side(self, one: Part) -> tuple[Part, ...] | None:
        """The words of a part, if they follow each other after the finite verb with no comma in between."""
        wanted = leaves(one)
        places = [number for number, each in enumerate(self.rest) if each in wanted]
        if len(places) != len(wanted) or places[-1] - places[0] + 1 != len(places):
            return None
        return self.rest[places[0] : places[-1] + 1]

    def cluster(self) -> tuple[int, int] | None:
        """Where the verbs below the finite one stand in the words after it, if they stand side by side."""
        places = sorted(self.rest.index(one) for one in self.verbs if one in self.rest)
        if len(places) != len(self.verbs) or places[-1] - places[0] + 1 != len(places):
            return None
        return places[0], places[-1] + 1


def lowered(one: Part, first: Part) -> Part:
    """The part with the first word of its sentence in small letters, unless it is a name."""
    if first.label == "spec" or (first.text.isupper() and len(first.text) > 1):
        return one
    if first.label == "n" and not any(node.label == "np" and first in node.children for node in one):
        return one
    small = first.text[:1].lower() + first.text[1:]
    return replace_words(one, {first: word(first.label, small)})


def statement(root: Part) -> tuple[Part, tuple[Part, ...]] | None:
    """The only clause of a sentence that ends with a full stop and has no other mark than commas, and its words."""
    tops = [child for child in root.children if child.label not in PUNCTUATION]
    if len(tops) != 1 or tops[0].label != "smain" or not 5 <= len(root.words) <= 34:
        return None
    if root.words[-1].text != "." or any(one.text in _MARKS for one in root.words):
        return None
    if any(one.text == "." for one in root.words[:-1]):
        return None
    clause = lowered(loosen(tops[0], PUNCTUATION), root.words[0])
    same = dict(zip(tops[0].words, clause.words, strict=True))
    return clause, tuple(same.get(one, one) for one in root.words[:-1])


def analyse(root: Part) -> Main | None:
    """The main clause of a sentence, if it has a chain of verbs and a subject that is sure; or None."""
    found = statement(root)
    if found is None:
        return None
    clause, words = found
    finites = [child for child in clause.children if child.label == "ww"]
    phrases = [child for child in clause.children if child.label in ("ppart", "inf")]
    subjects = [child for child in clause.children if child.label in _NOMINAL]
    if len(finites) != 1 or len(phrases) != 1 or len(subjects) != 1:
        return None
    subject = subjects[0]
    if subject.texts[0].lower() in _NO_SUBJECTS or subject.label == "conj":
        return None
    chain, verbs = _chain(phrases[0])
    if not chain or words[-1].label in PUNCTUATION:
        return None
    at = words.index(finites[0])
    if at == 0:
        return None
    return Main(clause, words[:at], finites[0], words[at + 1 :], subject, chain, verbs)


def _chain(top: Part) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """The phrases of the verbs from the top one down, and their verbs; nothing if one has not exactly one verb."""
    chain, verbs = [], []
    node: Part | None = top
    while node is not None:
        own = [child for child in node.children if child.label == "ww"]
        if len(own) != 1:
            return (), ()
        chain.append(node)
        verbs.append(own[0])
        below = [child for child in node.children if child.label in ("ppart", "inf")]
        if len(below) > 1:
            return (), ()
        node = below[0] if below else None
    return tuple(chain), tuple(verbs)
