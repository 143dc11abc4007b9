"""Statements in gold trees: their subjects, verbs, objects and adjuncts, and what can be done with them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from permutree_lab.teaching.english import lexicon
from permutree_lab.teaching.english.morphology import base_of
from permutree_lab.teaching.parts import Part, part, replace, replace_words, word

__all__ = [
    "Statement",
    "bare_predicate",
    "displace",
    "is_continuous",
    "is_moment",
    "is_temporal",
    "lower",
    "sentence_of",
    "statement_of",
    "unended",
]

_BEFORE = frozenset(["PP", "ADVP", "SBAR", "NP", "S", ",", "CC"])
_LINKING = frozenset(["be", "become", "remain", "seem", "appear", "last", "cost"])
_AUXILIARIES = {"'re": "are", "'m": "am", "'ll": "will", "'ve": "have", "ca": "can", "wo": "will"}
_TIMES = re.compile(
    r"(yesterday|today|tomorrow|tonight|(?:second|minute|hour|day|week|month|year|time|night|morning|evening|afternoon"
    r"|summer|winter|spring|fall|century|decade)s?)"
)


class Statement(NamedTuple):
    """A sentence of the form *subject, predicate, full stop*, with what comes before and between."""

    sentence: Part
    before: tuple[Part, ...]
    subject: Part
    #: adverbs between the subject and the VP
    between: tuple[Part, ...]
    predicate: Part
    end: Part

    @property
    def clause(self) -> Part:
        """The subject and the predicate alone."""
        return part("S", self.subject, *self.between, self.predicate)

    @property
    def whole(self) -> Part:
        """The sentence without its end and without a conjunction at its beginning."""
        return unended(self.sentence)

    @property
    def verb(self) -> Part:
        """The finite verb."""
        return self.predicate.children[0]

    @property
    def chain(self) -> list[Part]:
        """The VPs of the verb group from the first auxiliary to the main verb."""
        found = [self.predicate]
        while found[-1].children[-1].label == "VP" and found[-1].children[0].is_word:
            found.append(found[-1].children[-1])
        return found

    @property
    def is_straight(self) -> bool:
        """Whether no gap is around the verb: what is discontinuous is inside the parts of the clause."""
        return all(one.is_straight for one in (self.sentence, *self.chain))

    @property
    def is_auxiliary(self) -> bool:
        """Whether the finite verb stands before the subject in questions."""
        return self.verb.label == "MD" or len(self.chain) > 1 or self.is_copula

    @property
    def is_copula(self) -> bool:
        """Whether the main verb is *be*."""
        return len(self.chain) == 1 and base_of(self.verb.text, self.verb.label) == "be"

    @property
    def object(self) -> Part | None:
        """The direct object: the NP after the main verb."""
        inner = self.chain[-1]
        children = [child for child in inner.children if child.label not in ("ADVP", "PRT")]
        if len(children) < 2 or not children[0].is_word or children[1].label != "NP" or is_temporal(children[1]):
            return None
        is_second = len(children) > 2 and children[2].label in ("NP", "S", "SBAR") and not is_temporal(children[2])
        is_linking = base_of(children[0].text, children[0].label) in _LINKING
        return None if is_linking or is_second or (children[0].label == "VBN" and self._is_passive) else children[1]

    @property
    def _is_passive(self) -> bool:
        chain = self.chain
        above = chain[-2].children[0] if len(chain) > 1 else None
        return above is not None and base_of(above.text, above.label) == "be"

    @property
    def is_passive_or_intransitive(self) -> bool:
        """Whether a part of the subject can be extraposed: nothing but adjuncts follows the verb."""
        inner = self.chain[-1].children
        rest = [child for child in inner[1:] if not is_temporal(child)]
        is_be = base_of(inner[0].text, inner[0].label) == "be"
        fits = all(child.label in ("PP", "ADVP", "PRT") for child in rest)
        return inner[0].is_word and fits and not is_be and len(self.predicate.words) <= 10

    def do_support(self) -> tuple[list[Part], Part] | None:
        """The words before the subject of a question, and the VP after it; None if the verb is not known."""
        verb, rest = self.verb, self.predicate.children[1:]
        if self.is_copula:
            return None
        if self.is_auxiliary:
            text = _AUXILIARIES.get(verb.text.lower(), verb.text.lower())
            if text.startswith("'") or any(child.label == "RB" for child in rest):
                return None
            after = [child for child in rest if child.label != "VP"]
            inner = self.chain[1]
            first = word(verb.label, text)
            # An adverb before the inner VP goes into it.
            return [first], part("VP", *after, *inner.children) if after else inner
        base = base_of(verb.text, verb.label)
        if base is None or any(child.label == "RB" for child in rest):
            return None
        does = {"VBD": "did", "VBZ": "does", "VBP": "do"}.get(verb.label)
        return ([word(verb.label, does)], part("VP", word("VB", base), *rest)) if does else None


def sentence_of(root: Part, longest: int = 40) -> Part | None:
    """The sentence of a tree, if it is a statement without brackets, quotation marks or dashes."""
    if len(root.children) != 1 or root.children[0].label != "S" or len(root.words) > longest:
        return None
    sentence = root.children[0]
    *children, end = sentence.children
    if end.label != "." or end.text not in (".", "!") or any(not re.match(r"[\w.,'$%&!-]+$", w) for w in root.texts):
        return None
    if any(one.label in ("PRN", "EDITED", "X", "FRAG", "INTJ", "-LRB-", ":", "``", "''") for one in root):
        return None
    return sentence if children and children[-1].label in ("VP", "S") and len(children) > 1 else None


def unended(sentence: Part) -> Part:
    """A sentence without its end and without a conjunction at its beginning."""
    children = sentence.children
    unwanted = [children[-1]]
    if children[0].label == "CC":
        unwanted += [child for child in children[:2] if child.label in ("CC", ",")]
    for one in unwanted:
        sentence = displace(sentence, one, None)
    return sentence


def statement_of(root: Part) -> Statement | None:
    """What a tree states, if it is one sentence with one subject and one predicate."""
    sentence = sentence_of(root)
    if sentence is None or sentence.children[-2].label != "VP":
        return None
    *children, end = sentence.children
    number = len(children) - 2
    while number >= 0 and children[number].label == "ADVP":
        number -= 1
    if number < 0 or children[number].label != "NP" or any(child.label not in _BEFORE for child in children[:number]):
        return None
    predicate = children[-1]
    verb = predicate.children[0]
    if verb.label not in ("VBD", "VBZ", "VBP", "MD") or any(child.label == "CC" for child in predicate.children):
        return None
    return Statement(
        sentence, tuple(children[:number]), children[number], tuple(children[number + 1 : -1]), predicate, end
    )


def is_temporal(one: Part) -> bool:
    """Whether a phrase is a time, as *last week*."""
    if one.label == "ADVP":
        return one.words[-1].text == "ago"
    last = one.words[-1].text
    return one.label in ("NP", "PP") and (
        bool(_TIMES.fullmatch(last.lower())) or last in lexicon.WEEKDAYS or last in lexicon.MONTHS or _is_year(one)
    )


def is_moment(one: Part) -> bool:
    """Whether a phrase is a time that something happened at, not one that it took."""
    first = one.words[0].text.lower()
    is_named = first in ("last", "this", "next", "every", "yesterday", "today", "tomorrow")
    return is_temporal(one) and (one.label == "ADVP" or is_named or (one.label == "PP" and first in ("in", "on")))


def _is_year(one: Part) -> bool:
    return one.label == "PP" and bool(re.fullmatch(r"(1[5-9]|20)\d\d", one.words[-1].text))


def is_continuous(one: Part) -> bool:
    """Whether nothing in the part is discontinuous."""
    return list(one.order) == [said for said in one if said.is_word]


def lower(one: Part) -> Part:
    """The part without the capital letter of the beginning of a sentence."""
    first = one.words[0]
    if first.label in ("NNP", "NNPS") or first.text == "I" or first.text[1:].lower() != first.text[1:]:
        return one
    return replace_words(one, {first: word(first.label, first.text.lower())})


def bare_predicate(found: Statement) -> Part | None:
    """The VP with a base form, as after *to* or in a command; None if the verb is not known."""
    if found.verb.label == "MD":
        inner = found.chain[1] if len(found.chain) > 1 else None
        return inner if inner and inner.children[0].label == "VB" else None
    if found.is_auxiliary:
        return None
    split = found.do_support()
    return split[1] if split else None


def displace(root: Part, old: Part, new: Part | None, first: Sequence[Part] = (), last: Sequence[Part] = ()) -> Part:
    """A continuous part with ``new`` in the place of ``old``; what is displaced is said first or last."""
    if not first and not last:
        changed = replace(root, old, new)
        assert changed is not None
        return changed
    if root is old:
        assert new is not None
        return new
    if not any(one is old for one in root):
        return root
    children = [
        displace(child, old, new, first, last) for child in root.children if child is not old or new is not None
    ]
    return part(root.label, *children, first=first, last=last)
