"""The last part of a noun phrase goes behind the VP, or stays where it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from permutree_lab.teaching.english.morphology import participle, past
from permutree_lab.teaching.english.phrases import Clause, Nominal, Writer, noun_phrase
from permutree_lab.teaching.english.rewriting.rewritings import REWRITINGS, NounRewriter, rewriting
from permutree_lab.teaching.english.shapes import finish
from permutree_lab.teaching.english.statements import Statement, displace, is_continuous, is_temporal, lower
from permutree_lab.teaching.lessons import Lesson
from permutree_lab.teaching.parts import Part, extend, part, word

#: prepositions of phrases that belong to a noun; others may just as well belong to the verb
_LINKS = frozenset(["about", "for", "against", "between", "concerning", "regarding"])


def _extra(one: Part) -> Part | None:
    """The last part of a noun phrase, if it can be extraposed: a relative clause, a that-clause, or a PP."""
    if len(one.children) < 2 or one.label != "NP":
        return None
    *rest, last = one.children
    if any(child.label in ("CC", ",", ":", "POS") for child in rest) or len(last.words) < 2:
        return None
    first = last.words[0]
    if last.label in ("SBAR", "S"):
        # A relative clause without a pronoun stays where it is.
        return last if first.label in ("WDT", "WP", "WP$", "WRB", "TO") or first.text in ("that", "for") else None
    if rest[-1].words[-1].label not in ("NN", "NNS"):
        return None
    is_participle = last.label == "VP" and first.label == "VBN"
    return last if is_participle or (last.label == "PP" and first.text in _LINKS) else None


def noun_rewriting(kind: str, share: float) -> Callable[[NounRewriter], None]:
    """Register what writes a sentence about a noun phrase that ends with something to extrapose."""

    def register(make: NounRewriter) -> None:
        def rewrite(root: Part, random: Random) -> Iterator[Lesson]:
            writer = Writer(random, gaps=False)
            for one in root:
                extra = _extra(one)
                if extra is None or not _is_plain(one):
                    continue
                # Clauses are extraposed more often than phrases.
                if writer.chance(share if extra.label in ("SBAR", "S") else share / 3):
                    small = lower(one) if one.words[0] is root.words[0] else one
                    made = make(small, extra, writer)
                    if made is not None:
                        yield made

        REWRITINGS[kind] = rewrite

    return register


def _is_plain(one: Part) -> bool:
    """Whether a noun phrase has a noun, is not too long and holds nothing that belongs to the sentence around it."""
    head = one.children[0].words[-1] if one.children[0].label == "NP" else one.children[-2]
    fits = head.label in ("NN", "NNS") and 4 <= len(one.words) <= 30
    return fits and not any(said.label in ("``", "''", ":", "-LRB-", "-RRB-") for said in one.words)


@rewriting("extraposed-subject", gaps=True)
def extraposed_subject(found: Statement, writer: Writer) -> Lesson | None:
    """NP with a clause, VP → the clause after the VP, maybe after a time."""
    extra = _extra(found.subject)
    if extra is None or not found.is_passive_or_intransitive:
        return None
    if extra.label == "PP" and found.chain[-1].children[0].label != "VBN":
        return None
    predicate = found.predicate
    if found.verb.label == "VBD" and writer.chance(0.4) and not any(is_temporal(child) for child in predicate):
        inner = found.chain[-1]
        predicate = displace(predicate, inner, extend(inner, writer.time()))
    if writer.chance(0.15):
        predicate = extend(predicate, word(",", ","))
    children = [*found.before, found.subject, *found.between, predicate, found.end]
    return finish(part("S", *children, last=[extra, found.end]), found.subject)


@rewriting("extraposed-object", gaps=True)
def extraposed_object(found: Statement, writer: Writer) -> Lesson | None:
    """verb, NP with a clause, adjunct → the clause after the adjunct; a time is added where there is none."""
    thing = found.object
    extra = _extra(thing) if thing else None
    inner = found.chain[-1]
    if thing is None or extra is None or extra.label == "PP":
        return None
    after = inner.children[inner.children.index(thing) + 1 :]
    if any(child.label not in ("PP", "NP", "ADVP") for child in after) or sum(len(child.words) for child in after) > 8:
        return None
    if not after and (found.verb.label != "VBD" or writer.chance(0.3)):
        return None
    added = [] if after else [writer.time()]
    changed = part("VP", *inner.children, *added, last=[extra])
    return finish(displace(found.sentence, inner, changed), thing)


@rewriting("in-place")
def in_place(found: Statement, writer: Writer) -> Lesson | None:
    """The sentence that could have been extraposed, with a time at its end and nothing displaced."""
    if found.verb.label != "VBD" or any(is_temporal(child) for child in found.predicate):
        return None
    extra = _extra(found.subject) if found.is_passive_or_intransitive else None
    if extra is None:
        return None
    inner = found.chain[-1]
    return finish(displace(found.sentence, inner, extend(inner, writer.time())))


def _is_plural(one: Part) -> bool:
    head = one.children[0].words[-1] if one.children[0].label == "NP" else one.children[-2]
    return head.label == "NNS"


_PASSIVES = [
    "announce",
    "make",
    "find",
    "discuss",
    "publish",
    "report",
    "describe",
    "mention",
    "propose",
    "see",
    "receive",
    "present",
    "consider",
]
_ARRIVALS = ["appear", "emerge", "exist", "come:up", "turn:up", "follow", "arrive", "remain", "disappear", "come:out"]


def _short(whole: Nominal, writer: Writer) -> Part:
    """A VP that something can be extraposed over."""
    tense = writer.pick(["past", "past", "past", "perfect", "modal"])
    rest = [writer.time()] if tense == "past" and writer.chance(0.45) else []
    if writer.chance(0.2):
        rest = [writer.city(), *rest]
    if writer.chance(0.6):
        verb = [word("VBN", participle(writer.pick(_PASSIVES)))]
        return Clause(whole, [*writer.groups("be", whole, tense), verb], rest=rest).predicate()
    base, _, text = writer.pick(_ARRIVALS).partition(":")
    particle = part("PRT", word("RP", text)) if text else None
    return Clause(whole, writer.groups(base, whole, tense), particle, rest=rest).predicate()


@noun_rewriting("extraposed-noun", 0.4)
def extraposed_noun(whole: Part, extra: Part, writer: Writer) -> Lesson:
    """NP with a clause or phrase → NP was found yesterday + clause."""
    predicate = _short(Nominal(whole, _is_plural(whole)), writer)
    end = word(".", ".")
    return finish(part("S", whole, predicate, end, last=[extra, end]), whole)


@noun_rewriting("extraposed-after-verb", 0.25)
def extraposed_after_verb(whole: Part, extra: Part, writer: Writer) -> Lesson:
    """NP with a clause or phrase → she saw NP yesterday + clause."""
    verb = word("VBD", past(writer.pick([*_PASSIVES, "notice", "bring", "show", "read"])))
    beside = writer.time() if writer.chance(0.7) else writer.city()
    predicate = part("VP", verb, whole, beside, last=[extra])
    if writer.chance(0.15):
        predicate = part("VP", word("VBD", "were" if _is_plural(whole) else "was"), whole, beside, last=[extra])
        return finish(part("S", noun_phrase("EX:there"), predicate, word(".", ".")), whole)
    return finish(part("S", writer.subject(0).part, predicate, word(".", ".")), whole)


@noun_rewriting("noun-in-place", 0.15)
def noun_in_place(whole: Part, extra: Part, writer: Writer) -> Lesson | None:
    """NP with a clause or phrase → NP + clause was found yesterday: no gap."""
    if not is_continuous(whole):
        return None
    if writer.chance(0.5):
        return finish(part("S", whole, _short(Nominal(whole, _is_plural(whole)), writer), word(".", ".")))
    verb = word("VBD", past(writer.pick(_PASSIVES)))
    return finish(part("S", writer.subject(0).part, part("VP", verb, whole), word(".", ".")))
