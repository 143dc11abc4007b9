"""Icelandic clauses: flat, the finite verb second or first, complements after the verbs."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from permutree.trees.tree import Tree
from permutree_lab.teaching.composing import part
from permutree_lab.teaching.icelandic.lexicon import Verb, verbs
from permutree_lab.teaching.icelandic.phrases import Nominal, adverbial, noun_phrase, subject
from permutree_lab.teaching.lessons import Lesson, lesson
from permutree_lab.teaching.parts import Part, word

__all__ = ["STATES", "Clause", "finish", "make", "mark"]

#: present of ég, þú and the third person
_HAVE = ("hef", "hefur", "hefur")
_INTEND = ("ætla", "ætlar", "ætlar")
_TRY = ("reyni", "reynir", "reynir")
_BE = ("er", "ert", "er")
_WILL = ("mun", "munt", "mun")


#: verbs of states, which nobody tries to be in
STATES = frozenset(["þekkja", "elska", "sakna", "gleyma", "sjá"])


@dataclass(slots=True)
class Clause:
    """The pieces of a clause: they hang in it side by side, but for what hangs in an infinitive with að."""

    doer: Nominal
    finite: Part
    #: what follows the finite verb and the subject in the clause: auxiliaries' verbs, complements, adverbials
    rest: list[Part]
    #: the object or prepositional phrase, and the infinitive that it hangs in, if it hangs in one
    target: Part
    infinitive: Part | None
    verb: Verb

    @property
    def low(self) -> list[Part]:
        """What hangs in the infinitive, as it is said."""
        return list(self.infinitive.children) if self.infinitive is not None else []


def mark(text: str) -> Part:
    """A punctuation mark."""
    return word({",": ",", "„": '"', "“": '"', '"': '"'}.get(text, "."), text)


def finish(root: Part, gap: Part | None = None) -> Lesson:
    """The lesson of a sentence, with a capital at its start.

    Without ``gap``, the first constituent that has a gap is promised, if there is one.
    """
    made = lesson(part("ROOT", root), gap)
    tree = made.tree
    found = made.gap or next((one for one in tree if one.is_discontinuous), None)
    texts = list(tree.words)
    start = next(number for number, tag in enumerate(tree.tags) if tag not in (".", ",", '"'))
    texts[start] = texts[start][:1].upper() + texts[start][1:]
    return Lesson(Tree.from_spans(texts, tree.tags, tree.order, tree.labels, tree.starts, tree.ends), found)


def _complement(random: Random, verb: Verb, target: Part | None) -> Part:
    inner = target or noun_phrase(random, verb.case, verb.objects)
    return part("PP", word("P", verb.preposition), inner) if verb.preposition else inner


def make(
    random: Random,
    shape: str = "",
    *,
    verb: Verb | None = None,
    doer: Nominal | None = None,
    target: Part | None = None,
    adverbs: bool = True,
) -> Clause:
    """A clause of a shape: plain, past, perfect, would (subjunctive of have), intend, try, progressive, will."""
    verb = verb or random.choice(verbs())
    doer = doer or subject(random)
    shape = shape or random.choice(["plain", "past", "perfect", "intend", "try", "progressive", "will"])
    if shape == "past" and doer.person == 1:
        shape = "plain"
    if shape in ("intend", "try", "progressive") and verb.infinitive in STATES:
        verb = random.choice([one for one in verbs() if one.infinitive not in STATES])
    complement = _complement(random, verb, target)
    late = [adverbial(random, shape == "past")] if adverbs and random.random() < 0.4 else []
    if shape in ("perfect", "hafi"):
        wished = "hafir" if doer.person == 1 else "hafi"
        finite = word("HVPI", _HAVE[doer.person]) if shape == "perfect" else word("HVPS", wished)
        return Clause(doer, finite, [word("VBN", verb.supine), complement, *late], complement, None, verb)
    if shape == "will":
        rest = [word("VB", verb.infinitive), complement, *late]
        return Clause(doer, word("MDPI", _WILL[doer.person]), rest, complement, None, verb)
    if shape in ("intend", "try", "progressive"):
        forms = {"intend": _INTEND, "try": _TRY, "progressive": _BE}[shape]
        tag = "BEPI" if shape == "progressive" else "VBPI"
        low = part("IP-INF", word("TO", "að"), word("VB", verb.infinitive), complement, *late)
        return Clause(doer, word(tag, forms[doer.person]), [low], complement, low, verb)
    finite = word("VBDI", verb.past) if shape == "past" else word("VBPI", verb.present[doer.person])
    return Clause(doer, finite, [complement, *late], complement, None, verb)
