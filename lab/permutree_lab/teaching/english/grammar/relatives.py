"""Relative clauses, and what stands in front of a clause."""

from __future__ import annotations

from permutree_lab.teaching.english import lexicon
from permutree_lab.teaching.english.grammar.productions import full, production, stop
from permutree_lab.teaching.english.phrases import Clause, Nominal, Writer, noun_phrase, preposition
from permutree_lab.teaching.english.shapes import finish
from permutree_lab.teaching.lessons import Lesson
from permutree_lab.teaching.parts import Part, extend, part, smallest_gap, word


def about(writer: Writer, kind: str, modifier: Part, is_plural: bool = False) -> tuple[Part, Part]:
    """A statement about a noun with a modifier, as its subject or object; and the noun phrase."""
    head = writer.head(kind, is_plural=is_plural)
    whole = part("NP", head.part, modifier)
    if writer.chance(0.5):
        if kind in ("person", "organisation"):
            return writer.clause(writer.deep(1), subject=Nominal(whole, is_plural)).statement(), whole
        return writer.passive(Nominal(whole, is_plural), kind).statement(), whole
    done = writer.clause(writer.deep(1), frame="object", wants=kind)
    done.object = whole
    return done.statement(), whole


@production("relative-object", 2)
def relative_object(writer: Writer) -> Lesson:
    """The book that she wrote sold well."""
    kind = writer.pick(list(lexicon.NOUNS))
    clause = writer.object_relative(kind)
    sentence, _ = about(writer, kind, clause)
    return full(writer, sentence, smallest_gap(clause, clause.words[0]))


@production("relative-stranded", 2)
def relative_stranded(writer: Writer) -> Lesson:
    """The man who I talked to left."""
    kind = writer.pick(["person", "thing", "plan", "organisation"])
    done = writer.clause(0, frame="preposition", wants=kind)
    pronoun = (
        word("WP", writer.pick(["who", "whom"])) if kind == "person" else word("WDT", writer.pick(["that", "which"]))
    )
    moved = part("WHNP", pronoun)
    clause = part("SBAR", done.statement(moved, "object"))
    sentence, _ = about(writer, kind, clause)
    return full(writer, sentence, smallest_gap(clause, moved))


@production("relative-pied", 1)
def relative_pied(writer: Writer) -> Lesson:
    """The man to whom I talked left."""
    kind = writer.pick(["person", "place", "plan", "text"])
    pronoun = word("WP", "whom") if kind == "person" else word("WDT", "which")
    link = preposition(writer.pick(["with", "for", "from", "to"] if kind == "person" else ["in", "about", "at", "on"]))
    moved = part("WHPP", link, part("WHNP", pronoun))
    clause = part("SBAR", writer.clause(0, adjuncts=0).statement(moved, "adjunct"))
    sentence, _ = about(writer, kind, clause)
    return full(writer, sentence, smallest_gap(clause, moved))


@production("relative-plain", 2, gaps=False)
def relative_plain(writer: Writer) -> Lesson:
    """The man who left, the man I saw: the subject, or no pronoun at all, leaves no gap."""
    kind = writer.pick(list(lexicon.NOUNS))
    if writer.chance(0.5):
        is_plural = writer.chance(0.3)
        return full(writer, about(writer, kind, writer.subject_relative(kind, is_plural), is_plural)[0])
    done = writer.clause(0, frame=writer.pick(["object", "preposition"]), wants=kind, adjuncts=0.2)
    rest = [part("PP", done.preposition)] if done.preposition else []
    bare = Clause(done.subject, done.groups, rest=[*rest, *done.rest])
    return full(writer, about(writer, kind, part("SBAR", bare.statement()))[0])


@production("topicalised", 2)
def topicalised(writer: Writer) -> Lesson:
    """This book, I like."""
    done = writer.clause(writer.deep(1), frame=writer.pick(["object", "object", "preposition"]), adjuncts=0.3)
    thing = writer.head(done.wants, is_definite=True).part
    if writer.chance(0.2):
        thing = noun_phrase(f"DT:{writer.pick(['this', 'that', 'these'])}")
    predicate = done.predicate(None, thing, "object")
    comma = word(",", ",") if writer.chance(0.6) else None
    sentence = part("S", predicate, comma, done.subject.part, first=[thing, comma, done.subject.part])
    return full(writer, sentence, smallest_gap(sentence, thing))


@production("fronted-adjunct", 2, gaps=False)
def fronted_adjunct(writer: Writer) -> Lesson:
    """This morning, I read the book: what is no object is not moved. On the table lay a key: no words between."""
    if writer.chance(0.25):
        place = part("PP", preposition(writer.pick(["in", "near", "behind", "on"])), writer.place())
        verb = word("VBD", writer.pick(["stood", "sat", "lay", "came", "was"]))
        who = writer.noun(writer.pick(["person", "thing"]), 1, is_plural=False, is_definite=False)
        return finish(part("SINV", part("VP", place, verb), who.part, stop(writer)))
    comma = word(",", ",") if writer.chance(0.7) else None
    before = writer.time() if writer.chance(0.6) else part("PP", preposition("in"), writer.place())
    return full(
        writer, extend(writer.clause(writer.deep(2), tense="past", adjuncts=0.1).statement(), before=[before, comma])
    )
