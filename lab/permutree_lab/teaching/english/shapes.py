"""Shapes of English constructions: what becomes of clauses and speakers, for rewritings and the grammar alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from permutree_lab.teaching.english.phrases import Nominal, Writer, capitalise
from permutree_lab.teaching.lessons import Lesson, lesson
from permutree_lab.teaching.parts import Part, extend, part, replace_words, word

__all__ = ["Marks", "Saying", "Spot", "finish", "front", "interrupt", "marks", "pick_spot", "say", "spots"]

_MARKS = [("``", "''"), ('"', '"'), ("“", "”"), ("‘", "’")]


class Marks(NamedTuple):
    """Quotation marks: the opening and the closing one."""

    opening: str
    closing: str

    def open(self) -> Part:
        """A new opening mark."""
        return word("``", self.opening)

    def close(self) -> Part:
        """A new closing mark."""
        return word("''", self.closing)


class Saying(NamedTuple):
    """Who says something: *said Mr. Smith*, *he told reporters Monday*."""

    speaker: Part
    verb: Part
    is_inverted: bool = False
    #: what the VP has besides: a person who is told, an adverb, a time
    rest: tuple[Part, ...] = ()


def marks(writer: Writer, share: float = 0.6) -> Marks | None:
    """Quotation marks of some kind, or none."""
    if not writer.chance(share):
        return None
    return Marks(*writer.random.choices(_MARKS, [5, 3, 2, 1])[0])


def finish(sentence: Part, gap: Part | None = None, *, is_capital: bool = True) -> Lesson:
    """A lesson from a sentence and the part of it that has the gap."""
    new = capitalise(sentence) if is_capital else {}
    changed = part("ROOT", replace_words(sentence, new))
    return lesson(changed, None if gap is None else replace_words(gap, new))


def say(writer: Writer, verbs: Sequence[str], *, is_quoted: bool) -> Saying:
    """Somebody who says it, in the present or the past; pronouns do not stand after the verb."""
    speaker = writer.speaker()
    is_pronoun = speaker.part.children[0].label == "PRP"
    is_inverted = not is_pronoun and writer.chance(0.5)
    if not is_inverted:
        speaker = _closed(speaker)
    if is_quoted and not is_inverted and writer.chance(0.12):
        whom = part("NP", word("PRP", writer.pick(["me", "us", "him", "her", "them"])))
        if writer.chance(0.5):
            whom = part(
                "NP", word("NNS", writer.pick(["reporters", "investors", "lawmakers", "analysts", "employees"]))
            )
        return Saying(speaker.part, word("VBD", "told"), rest=(whom,))
    base = "say" if writer.chance(0.5) else writer.pick(verbs)
    tense = "past" if writer.chance(0.7) else "present"
    ((verb,),) = writer.groups(base, speaker, tense)
    rest: tuple[Part, ...] = ()
    if not is_inverted and tense == "past" and writer.chance(0.2):
        rest = (writer.time(),) if writer.chance(0.6) else (part("PP", word("IN", "in"), writer.head("text").part),)
    return Saying(speaker.part, verb, is_inverted, rest)


def _closed(speaker: Nominal) -> Nominal:
    """An apposition with a comma after it, as before the verb."""
    children = speaker.part.children
    if len(children) == 3 and children[1].label == ",":
        return speaker._replace(part=part("NP", *children, word(",", ",")))
    return speaker


def front(clause: Part, saying: Saying, quotation: Marks | None, end: str = ".") -> Lesson:
    """A fronted quotation: *“S,” X said.* or *“S,” said X.*

    The clause belongs to the VP of the verb, so that this VP is discontinuous. A clause without quotation marks is an
    SBAR, as after *said*; one that ends with a mark of its own takes no comma, and must be quoted.
    """
    has_end = clause.children[-1].label == "."
    comma = None if has_end else word(",", ",")
    opening, closing = (quotation.open(), quotation.close()) if quotation else (None, None)
    thing = clause if quotation or clause.label != "S" else part("SBAR", clause)
    said = part("VP", thing, saying.verb, *saying.rest)
    stop = word(".", end)
    if saying.is_inverted:
        # said X: the verb comes first, what else the VP has comes last
        label, around = "SINV", [saying.verb, saying.speaker, *saying.rest]
    else:
        label, around = "S", [saying.speaker, saying.verb, *saying.rest]
    order = [opening, thing, comma, closing, *around, stop]
    sentence = part(label, opening, said, comma, closing, saying.speaker, stop, first=order)
    return finish(sentence, said)


class Spot(NamedTuple):
    """A place for a parenthetical: before a child of a part."""

    host: Part
    child: int


_BE = frozenset(["am", "is", "are", "was", "were", "be", "been", "'s", "'re", "'m"])


def spots(sentence: Part) -> list[Spot]:
    """The places of a sentence where *he said* can stand: between parts of clauses and verb phrases.

    Nothing stands between a verb and its object, before a particle or beside other punctuation.
    """
    found: list[Spot] = []
    hosts = [sentence]
    while hosts:
        host = hosts.pop()
        if not host.is_straight:
            continue
        hosts += [child for child in host.children if child.label == "VP" or (child.label == "S" and host.label == "S")]
        for number in range(1, len(host.children)):
            before, after = host.children[number - 1], host.children[number]
            if _is_spot(before, after, host.children[:number]):
                found.append(Spot(host, number))
    return found


def pick_spot(writer: Writer, found: Sequence[Spot]) -> Spot:
    """One of the places; most parentheticals stand between the parts of a clause, not inside its VP."""
    outside = [spot for spot in found if spot.host.label != "VP"]
    return writer.pick(outside if outside and writer.chance(0.6) else found)


def _is_spot(before: Part, after: Part, all_before: tuple[Part, ...]) -> bool:
    if after.label in (".", ",", ":", "''", "``", "PRT", "POS", "RB", "-LRB-", "-RRB-", "PRN") or after.is_word:
        return after.label == "CC" and before.label in (",", "S", "VP")
    if after.words[0].text.startswith("'") or (before.label == "ADVP" and after.label == "VP"):
        return False
    if before.label == ",":
        # after a fronted phrase or a conjunct, whose comma serves
        return len(all_before) > 1 and not all_before[-2].is_word
    if before.is_word:
        is_verb = before.text.lower() in _BE or before.label == "MD" or after.label in ("PP", "SBAR")
        return before.label in ("VBZ", "VBD", "VBP", "VBN", "MD") and is_verb
    return not (before.label == "NP" and before.words[0].label in ("PRP", "EX") and len(before.words) == 1)


def _insert(sentence: Part, spot: Spot, new: list[Part]) -> Part:
    """The sentence with words in a spot."""
    host = spot.host
    following = min(sentence.order.index(one) for one in host.children[spot.child].words)
    if host is not sentence:
        children = [_insert(child, spot, new) if host in [*child] else child for child in sentence.children]
    else:
        children = [*host.children[: spot.child], *new, *host.children[spot.child :]]
    return Part(sentence.label, tuple(children), (*sentence.order[:following], *new, *sentence.order[following:]))


def interrupt(sentence: Part, spot: Spot, saying: Saying, quotation: Marks | None) -> Lesson:
    """A parenthetical *he said* inside what is said: the sentence around it is the complement of the verb.

    As trace resolution has it, the parenthetical is on top and the sentence below its VP, with all punctuation.
    """
    before = spot.host.children[: spot.child]
    comma = None if before[-1].label == "," else word(",", ",")
    last = [comma, quotation.close() if quotation else None]
    next_comma = word(",", ",")
    middle = [*last, next_comma, quotation.open() if quotation else None]
    whole = _insert(sentence, spot, [one for one in middle if one is not None])
    if quotation:
        whole = extend(whole, quotation.close(), before=[quotation.open()])
    thing = whole if quotation else part("SBAR", whole)
    said = part("VP", thing, saying.verb, *saying.rest)
    around = [saying.speaker, saying.verb, *saying.rest]
    if saying.is_inverted:
        around = [saying.verb, saying.speaker, *saying.rest]
    cut = whole.order.index(next_comma)
    order = [*whole.order[:cut], *(one for each in around for one in each.words), *whole.order[cut:]]
    told = part("SINV" if saying.is_inverted else "S", said, saying.speaker, order=order)
    return finish(part("PRN", told, order=order), whole)
