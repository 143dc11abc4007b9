"""Questions: for an object, an adjunct, across clauses; and those that leave no gap."""

from __future__ import annotations

from permutree_lab.teaching.english import lexicon
from permutree_lab.teaching.english.grammar.productions import full, production
from permutree_lab.teaching.english.morphology import past, plural
from permutree_lab.teaching.english.phrases import Clause, Nominal, Writer
from permutree_lab.teaching.english.shapes import finish
from permutree_lab.teaching.lessons import Lesson
from permutree_lab.teaching.parts import Part, extend, part, smallest_gap, word

__all__ = ["ask", "wh_adverb"]


def wh_phrase(writer: Writer, kind: str, *, is_subject: bool = False) -> Part:
    """What is asked for, of a class of nouns."""
    chosen = writer.random.random()
    who = "who" if is_subject else "whom"
    if chosen < 0.35:
        return part("WHNP", word("WP", writer.pick(["who", "who", who]) if kind == "person" else "what"))
    noun = writer.pick(lexicon.NOUNS[kind])
    is_plural = writer.chance(0.3)
    named = word("NNS" if is_plural else "NN", plural(noun) if is_plural else noun)
    if chosen < 0.75:
        adjective = word("JJ", writer.pick(lexicon.ADJECTIVES)) if writer.chance(0.15) else None
        return part("WHNP", word("WDT", writer.pick(["which", "what"])), adjective, named)
    if chosen < 0.79:
        these = part("NP", word("DT", "these"), word("CD", writer.pick(["two", "three"])), word("NNS", plural(noun)))
        return part("WHNP", part("WHNP", word("WDT", "which")), part("PP", word("IN", "of"), these))
    if chosen < 0.85:
        return part("WHNP", part("WHADJP", word("WRB", "how"), word("JJ", "many")), word("NNS", plural(noun)))
    if chosen < 0.93:
        return part("WHNP", word("WP$", "whose"), named)
    kind_of = part("WHNP", word("WDT", "what"), word("NN", "kind"))
    return part("WHNP", kind_of, part("PP", word("IN", "of"), part("NP", word("NN", noun))))


def wh_adverb(writer: Writer) -> Part:
    """When, where, why or how."""
    text = writer.pick(["when", "where", "why", "how", "how long", "how often"]).split()
    return part("WHADVP", word("WRB", text[0]), *(word("RB", more) for more in text[1:]))


def ask(writer: Writer, frame: str, depth: int = 1, *, is_question: bool = True) -> tuple[Part, Part]:
    """A question after an object, the object of a preposition, or an adjunct; and what is asked for."""
    if frame == "adjunct":
        done = writer.clause(depth, is_question=is_question, adjuncts=0)
        moved = wh_adverb(writer)
    else:
        done = writer.clause(depth, frame=frame, is_question=is_question)
        moved = wh_phrase(writer, done.wants)
    role = "adjunct" if frame == "adjunct" else "object"
    if not is_question:
        return part("SBAR", done.statement(moved, role)), moved
    return extend(part("SBARQ", done.inverted(moved, role)), word(".", "?")), moved


def asked(writer: Writer, frame: str) -> Lesson:
    """A short question of a kind."""
    question, moved = ask(writer, frame)
    gap = smallest_gap(question, moved)
    if writer.chance(0.08):
        start = part("INTJ", word("UH", writer.pick(["well", "so", "now"])))
        question = extend(question, before=[start, word(",", ",")])
    return finish(question, gap)


@production("question-object", 2)
def question_object(writer: Writer) -> Lesson:
    """Which book did you read?"""
    return asked(writer, "object")


@production("question-stranded", 2)
def question_stranded(writer: Writer) -> Lesson:
    """Who did you talk to?"""
    return asked(writer, "preposition")


@production("question-adjunct")
def question_adjunct(writer: Writer) -> Lesson:
    """When did you leave?"""
    return asked(writer, "adjunct")


@production("question-long", 4)
def question_long(writer: Writer) -> Lesson:
    """Which book did you say that Mary thinks I should read?"""
    frame = writer.pick(["object", "object", "preposition", "adjunct", "subject"])
    if frame == "subject":
        kind = writer.pick(["person", "organisation"])
        moved = wh_phrase(writer, kind, is_subject=True)
        many = moved.children[-1].label == "NNS"
        inner = writer.clause(writer.deep(1), subject=Nominal(moved, many)).statement()
    elif frame == "adjunct":
        moved = wh_adverb(writer)
        inner = writer.clause(writer.deep(1), adjuncts=0).statement(moved, "adjunct")
    else:
        done = writer.clause(writer.deep(1), frame=frame)
        moved = wh_phrase(writer, done.wants)
        inner = done.statement(moved, "object")
    levels = writer.random.choices([1, 2, 3], [6, 3, 1])[0]
    for level in reversed(range(levels)):
        # After a question for the subject, "that" cannot stand.
        that = None if (frame == "subject" and level == levels - 1) or writer.chance(0.5) else word("IN", "that")
        clause = part("SBAR", that, inner, first=[moved])
        subject = writer.subject(0)
        base = writer.pick(lexicon.CLAUSE_VERBS)
        if level == 0:
            groups = writer.with_do(base, subject, is_past=writer.chance(0.6))
            if writer.chance(0.3):
                groups = [*writer.groups(base, subject, writer.pick(["modal", "perfect"]))]
                groups[0] = groups[0][:1]
            asking = Clause(subject, groups, rest=[clause])
            predicate = asking.predicate(groups[1:], moved, "")
            inner = part("SQ", *groups[0], subject.part, predicate, first=[moved])
        else:
            tense = writer.pick(["past", "present", "modal"])
            predicate = Clause(subject, writer.groups(base, subject, tense), rest=[clause]).predicate(None, moved, "")
            inner = part("S", subject.part, predicate, first=[moved])
    question = extend(part("SBARQ", inner), word(".", "?"))
    return finish(question, smallest_gap(question, moved))


@production("question-infinitive", 2)
def question_infinitive(writer: Writer) -> Lesson:
    """What do you want to buy? What would you like me to cook?"""
    frame = writer.pick(["object", "object", "preposition"])
    done = writer.clause(writer.deep(0), frame=frame, tense="base")
    moved = wh_phrase(writer, done.wants)
    inner = part("VP", word("TO", "to"), done.predicate(None, moved, "object"), first=[moved])
    bases = ["want", "plan", "hope", "try", "need", "decide", "promise", "expect", "refuse", "agree"]
    whom = None
    if writer.chance(0.35):
        bases = ["want", "expect", "ask", "tell", "advise", "allow", "need"]
        whom = part("NP", word("PRP", writer.pick(["me", "us", "him", "her", "them"])))
    clause = part("S", whom, inner, first=[moved])
    subject = writer.subject(0)
    groups = writer.question_groups(writer.pick(bases), subject)
    asking = Clause(subject, groups, rest=[clause])
    asked_for = part("SQ", *groups[0], subject.part, asking.predicate(groups[1:], moved), first=[moved])
    question = extend(part("SBARQ", asked_for), word(".", "?"))
    return finish(question, smallest_gap(question, moved))


@production("question-subject", 2, gaps=False)
def question_subject(writer: Writer) -> Lesson:
    """Who said that? A question for the subject has no gap."""
    moved = wh_phrase(writer, writer.pick(["person", "organisation"]), is_subject=True)
    many = moved.children[-1].label == "NNS"
    done = writer.clause(writer.deep(1), subject=Nominal(moved, many))
    return finish(extend(part("SBARQ", done.inverted(moved, "subject")), word(".", "?")))


@production("question-be", gaps=False)
def question_be(writer: Writer) -> Lesson:
    """What is the problem? Where were you? With *be* alone, there is no VP and no gap."""
    kind = writer.pick(["person", "thing", "plan", "place"])
    subject = writer.subject(0) if kind == "person" else writer.noun(kind, 1, is_definite=True)
    ((be,),) = writer.groups("be", subject, writer.pick(["past", "present"]))
    chosen = writer.random.randrange(3)
    if chosen == 0:
        moved = part("WHADVP", word("WRB", writer.pick(["when", "how"] if kind == "plan" else ["where", "how"])))
    elif chosen == 1:
        moved = part("WHADJP", word("WRB", "how"), word("JJ", writer.pick(lexicon.ADJECTIVES)))
    else:
        moved = part("WHNP", word("WP", "who" if kind == "person" else "what"))
    return finish(part("SBARQ", part("SQ", moved, be, subject.part), word(".", "?")))


@production("question-yes-no", 2, gaps=False)
def question_yes_no(writer: Writer) -> Lesson:
    """Did you read the book?"""
    if writer.chance(0.25):
        subject = writer.subject(0)
        ((be,),) = writer.groups("be", subject, writer.pick(["past", "present"]))
        quality = part("ADJP", word("JJ", writer.pick(lexicon.ADJECTIVES)))
        return finish(part("SQ", be, subject.part, quality, word(".", "?")))
    done = writer.clause(writer.deep(2), is_question=True)
    if writer.chance(0.12) and done.groups[0][0].label in ("VBD", "VBZ"):
        done.groups[0].append(word("RB", "n't"))
    return finish(extend(done.inverted(), word(".", "?")))


@production("embedded-question", 2)
def embedded_question(writer: Writer) -> Lesson:
    """I know what you want."""
    clause, moved = ask(writer, writer.pick(["object", "object", "preposition", "adjunct"]), is_question=False)
    gap = smallest_gap(clause, moved)
    if writer.chance(0.15):
        verb = word("VBD", past(writer.pick(["surprise", "please", "worry", "upset", "help", "annoy"])))
        predicate = part("VP", verb, writer.head("person").part)
        return full(writer, part("S", clause, predicate), gap)
    subject = writer.subject(0)
    base = writer.pick(["know", "ask", "wonder", "remember", "explain", "see", "forget", "understand", "learn"])
    return full(writer, Clause(subject, writer.groups(base, subject), rest=[clause]).statement(), gap)
