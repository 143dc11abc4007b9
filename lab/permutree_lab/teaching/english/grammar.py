"""The English grammar: a production for each kind of sentence, with a gap or looking as if it had one."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from permutree_lab.teaching.english import lexicon
from permutree_lab.teaching.english.morphology import article, comparative, participle, past, plural, present
from permutree_lab.teaching.english.phrases import (
    Clause,
    Nominal,
    Writer,
    capitalise,
    noun_phrase,
    preposition,
    split_name,
)
from permutree_lab.teaching.english.shapes import Saying, finish, front, interrupt, marks, say, spots
from permutree_lab.teaching.lessons import Lesson, Production
from permutree_lab.teaching.parts import Part, copy, extend, part, part_of, replace_words, smallest_gap, tree_of, word

__all__ = ["GRAMMAR", "SHARES"]

GRAMMAR: dict[str, Production] = {}
#: how many sentences of a kind are written in a turn
SHARES: dict[str, int] = {}


def production(kind: str, share: int = 1, *, gaps: bool = True) -> Callable[[Callable[[Writer], Lesson]], Production]:
    """Register what writes a kind of sentence; without ``gaps``, nothing in it may be discontinuous."""

    def register(write: Callable[[Writer], Lesson]) -> Production:
        def produce(random: Random) -> Lesson:
            return write(Writer(random, gaps=gaps))

        GRAMMAR[kind], SHARES[kind] = produce, share
        return produce

    return register


def stop(writer: Writer) -> Part:
    """The end of a statement."""
    return word(".", "!" if writer.chance(0.04) else ".")


def full(writer: Writer, sentence: Part, gap: Part | None = None) -> Lesson:
    """A lesson from a statement that has no end yet."""
    return finish(extend(sentence, stop(writer)), gap)


def statement(writer: Writer, depth: int = 2) -> Part:
    """A statement without its end, maybe with something in front or a second half."""
    whole = writer.clause(depth).statement()
    chosen = writer.random.random()
    if chosen < 0.08:
        before = part("ADVP", word("RB", writer.pick(lexicon.SENTENCE_ADVERBS)))
        return extend(whole, before=[before, word(",", ",")])
    if chosen < 0.16:
        before = part("PP", preposition("in"), writer.place())
        return extend(whole, before=[before, word(",", ",")])
    if chosen < 0.28:
        link = word("CC", writer.pick(["and", "but"]))
        return part("S", whole, word(",", ","), link, writer.clause(depth - 1).statement())
    return whole


# what somebody says


@production("fronted-quotation", 4)
def fronted_quotation(writer: Writer) -> Lesson:
    """“S,” X said. S, said X."""
    quotation = marks(writer)
    saying = say(writer, lexicon.SAYING_VERBS, is_quoted=quotation is not None)
    if quotation and writer.chance(0.12):
        asked = extend(writer.clause(1, is_question=True).inverted(), word(".", "?"))
        if writer.chance(0.5):
            asked = ask(writer, "object")[0]
        return front(asked, saying._replace(verb=word("VBD", "asked"), rest=()), quotation)
    return front(statement(writer), saying, quotation)


@production("fronted-thought")
def fronted_thought(writer: Writer) -> Lesson:
    """S, I think."""
    return front(statement(writer, 1), thinking(writer), None)


def thinking(writer: Writer) -> Saying:
    """*I think*, *we hope*."""
    subject = part("NP", word("PRP", writer.pick(["I", "I", "I", "we", "they"])))
    return Saying(subject, word("VBP", writer.pick(lexicon.THINKING_VERBS[:7])))


@production("parenthetical", 4)
def parenthetical(writer: Writer) -> Lesson:
    """The plan, he said, failed. “The plan,” he said, “failed.”"""
    quotation = marks(writer, 0.4)
    saying = say(writer, lexicon.SAYING_VERBS, is_quoted=quotation is not None)
    if writer.chance(0.2):
        quotation, saying = None, thinking(writer)
    while True:
        sentence = extend(statement(writer, 2), stop(writer))
        if found := spots(sentence):
            return interrupt(sentence, writer.pick(found), saying, quotation)


@production("comment", gaps=False)
def comment(writer: Writer) -> Lesson:
    """The plan, you know, failed: a comment that takes no clause is continuous, and so is *according to X*."""
    if writer.chance(0.5):
        whom = writer.noun("person", 0).part if writer.chance(0.4) else writer.institution()
        if writer.chance(0.3):
            whom = writer.name()
        inside = part("PP", word("VBG", "according"), part("PP", word("TO", "to"), whom))
    else:
        text = writer.pick(["you:know", "I:mean", "you:see"]).split(":")
        inside = part("PRN", part("S", noun_phrase(f"PRP:{text[0]}"), part("VP", word("VBP", text[1]))))
    done = writer.clause(2)
    place = writer.random.randrange(3)
    if place == 0:
        return full(writer, extend(done.statement(), before=[inside, word(",", ",")]))
    if place == 1:
        sentence = part("S", done.subject.part, word(",", ","), inside, word(",", ","), done.predicate())
        return full(writer, sentence)
    return full(writer, part("S", done.subject.part, extend(done.predicate(), word(",", ","), inside)))


@production("reported-clause", 2, gaps=False)
def reported_clause(writer: Writer) -> Lesson:
    """X said that S: nothing is displaced."""
    saying = say(writer, lexicon.SAYING_VERBS, is_quoted=False)
    if saying.is_inverted:
        saying = saying._replace(speaker=writer.noun("person", 0).part, verb=word("VBD", "said"))
    quotation = marks(writer, 0.25)
    inner = statement(writer)
    if quotation:
        inner = replace_words(inner, capitalise(inner))
        thing = [word(",", ","), quotation.open(), inner]
        sentence = part("S", saying.speaker, part("VP", saying.verb, *saying.rest, *thing))
        return finish(extend(sentence, stop(writer), quotation.close()))
    that = word("IN", "that") if writer.chance(0.6) else None
    return full(writer, part("S", saying.speaker, part("VP", saying.verb, *saying.rest, part("SBAR", that, inner))))


# questions


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
        inner = writer.clause(1, subject=Nominal(moved, many)).statement()
    elif frame == "adjunct":
        moved = wh_adverb(writer)
        inner = writer.clause(1, adjuncts=0).statement(moved, "adjunct")
    else:
        done = writer.clause(1, frame=frame)
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


@production("question-subject", 2, gaps=False)
def question_subject(writer: Writer) -> Lesson:
    """Who said that? A question for the subject has no gap."""
    moved = wh_phrase(writer, writer.pick(["person", "organisation"]), is_subject=True)
    many = moved.children[-1].label == "NNS"
    done = writer.clause(1, subject=Nominal(moved, many))
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
    return finish(extend(writer.clause(2, is_question=True).inverted(), word(".", "?")))


@production("embedded-question", 2)
def embedded_question(writer: Writer) -> Lesson:
    """I know what you want."""
    clause, moved = ask(writer, writer.pick(["object", "object", "preposition", "adjunct"]), is_question=False)
    gap = smallest_gap(clause, moved)
    subject = writer.subject(0)
    base = writer.pick(["know", "ask", "wonder", "remember", "explain", "see", "forget", "understand", "learn"])
    return full(writer, Clause(subject, writer.groups(base, subject), rest=[clause]).statement(), gap)


# relative clauses


def about(writer: Writer, kind: str, modifier: Part, is_plural: bool = False) -> tuple[Part, Part]:
    """A statement about a noun with a modifier, as its subject or object; and the noun phrase."""
    head = writer.head(kind, is_plural=is_plural)
    whole = part("NP", head.part, modifier)
    if writer.chance(0.5):
        if kind in ("person", "organisation"):
            return writer.clause(1, subject=Nominal(whole, is_plural)).statement(), whole
        return writer.passive(Nominal(whole, is_plural), kind).statement(), whole
    done = writer.clause(1, frame="object", wants=kind)
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


# fronting


@production("topicalised", 2)
def topicalised(writer: Writer) -> Lesson:
    """This book, I like."""
    done = writer.clause(1, frame=writer.pick(["object", "object", "preposition"]), adjuncts=0.3)
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
    return full(writer, extend(writer.clause(2, tense="past", adjuncts=0.1).statement(), before=[before, comma]))


# extraposition


def between(writer: Writer, tense: str = "past") -> list[Part]:
    """What may stand between a verb and what is extraposed: a place, and a time if the tense allows it."""
    some: list[Part] = []
    if writer.chance(0.25):
        some.append(writer.where())
    if tense == "past" and writer.chance(0.5):
        some.append(writer.time())
    return some


def extrapose(writer: Writer, whole: Part, extra: Part, predicate: Part, *, is_comma: bool = False) -> Lesson:
    """A subject whose last part is said after the VP."""
    if is_comma:
        predicate = extend(predicate, word(",", ","))
    sentence = part("S", whole, predicate, last=[extra])
    return full(writer, sentence, whole)


def short_predicate(writer: Writer, subject: Nominal, kind: str) -> Part:
    """A VP that something can be extraposed over: it came in, it was sold last week."""
    tense = writer.pick(["past", "past", "past", "perfect"])
    if kind in ("person", "organisation") and writer.chance(0.7):
        base, particle = writer.pick(
            ["come:in", "show:up", "turn:up", "walk:in", "arrive:", "appear:", "call:", "die:", "resign:", "emerge:"]
        ).split(":")
        rest = [part("PRT", word("RP", particle))] if particle else []
        return Clause(subject, writer.groups(base, subject, tense), rest=rest + between(writer, tense)).predicate()
    if kind not in ("person", "organisation") and writer.chance(0.3):
        base = writer.pick(["appear", "emerge", "arrive", "exist", "disappear", "come:out", "turn:up"])
        base, _, particle = base.partition(":")
        rest = [part("PRT", word("RP", particle))] if particle else []
        return Clause(subject, writer.groups(base, subject, tense), rest=rest + between(writer, tense)).predicate()
    verb = word("VBN", participle(writer.pick(lexicon.TRANSITIVES[kind])))
    groups = [*writer.groups("be", subject, tense), [verb]]
    return Clause(subject, groups, rest=between(writer, tense)).predicate()


@production("extraposed-relative", 4)
def extraposed_relative(writer: Writer) -> Lesson:
    """A woman came in who nobody knew."""
    kind = writer.pick(["person", "person", "thing", "text", "plan", "organisation"])
    head = writer.head(kind, is_definite=writer.chance(0.2))
    relative = writer.subject_relative(kind, head.is_plural, 1)
    if writer.chance(0.4):
        relative = writer.object_relative(kind, 1)
    whole = part("NP", head.part, relative)
    return extrapose(writer, whole, relative, short_predicate(writer, head, kind), is_comma=writer.chance(0.15))


@production("extraposed-clause", 3)
def extraposed_clause(writer: Writer) -> Lesson:
    """The claim was made that the plan had failed."""
    noun = writer.pick(lexicon.CLAIM_NOUNS)
    bare = noun in ("news", "evidence", "speculation", "proof")
    determiner = word("DT", writer.pick(["the", article(noun), article(noun)])) if not bare else None
    clause = writer.that_clause(1)
    whole = part("NP", determiner, word("NN", noun), clause)
    subject = Nominal(whole)
    if writer.chance(0.6):
        verb = writer.pick(
            ["make", "raise", "reject", "deny", "spread", "confirm", "accept", "repeat", "publish", "leak"]
        )
        groups = [
            *writer.groups("be", subject, writer.pick(["past", "past", "perfect"])),
            [word("VBN", participle(verb))],
        ]
    else:
        verb = writer.pick(["emerge", "spread", "persist", "remain", "come", "arrive", "grow", "surface", "circulate"])
        groups = writer.groups(verb, subject, writer.pick(["past", "past", "perfect", "present"]))
    rest = between(writer) if groups[0][0].label == "VBD" else []
    return extrapose(writer, whole, clause, Clause(subject, groups, rest=rest).predicate())


@production("extraposed-infinitive", 2)
def extraposed_infinitive(writer: Writer) -> Lesson:
    """A decision was made yesterday to sell the bank."""
    noun = writer.pick(lexicon.PLAN_NOUNS)
    extra = writer.infinitive(1)
    whole = part("NP", word("DT", writer.pick(["the", article(noun)])), word("NN", noun), extra)
    verb = writer.pick(["make", "announce", "reject", "reach", "abandon", "approve", "propose", "take", "discuss"])
    groups = [*writer.groups("be", Nominal(whole), writer.pick(["past", "past", "perfect"]))]
    rest = between(writer) if groups[0][0].label == "VBD" else []
    done = Clause(Nominal(whole), [*groups, [word("VBN", participle(verb))]], rest=rest)
    return extrapose(writer, whole, extra, done.predicate())


@production("extraposed-phrase", 2)
def extraposed_phrase(writer: Writer) -> Lesson:
    """A review appeared last week of her new novel."""
    kind = writer.pick(["text", "text", "plan"])
    head = writer.head(kind, is_definite=writer.chance(0.2))
    links = ["about", "on"] if kind == "text" else ["about", "for", "against"]
    thing = writer.noun(writer.pick(["plan", "person", "organisation"]), 1).part
    extra = part("PP", preposition(writer.pick(links)), thing)
    whole = part("NP", head.part, extra)
    return extrapose(writer, whole, extra, short_predicate(writer, head, kind))


@production("extraposed-object", 3)
def extraposed_object(writer: Writer) -> Lesson:
    """I met a man yesterday who knew you. There is a man here who knows you."""
    kind = writer.pick(["person", "thing", "text", "plan"])
    head = writer.head(kind, is_definite=writer.chance(0.2))
    chosen = writer.random.random()
    if chosen < 0.25:
        noun = writer.pick(lexicon.CLAIM_NOUNS)
        extra = writer.that_clause(1)
        whole = part("NP", word("DT", writer.pick(["the", article(noun)])), word("NN", noun), extra)
        base = writer.pick(["make", "hear", "repeat", "publish", "reject", "spread", "deny"])
    else:
        extra = writer.object_relative(kind, 0) if chosen < 0.5 else writer.subject_relative(kind, head.is_plural, 0)
        whole = part("NP", head.part, extra)
        base = writer.pick(lexicon.TRANSITIVES[kind])
    beside = [writer.time()] if writer.chance(0.7) else [part("PP", preposition("in"), writer.place())]
    if writer.chance(0.15) and chosen >= 0.25:
        be = word("VBD", "were" if head.is_plural else "was")
        predicate = part("VP", be, whole, *beside, last=[extra])
        return full(writer, part("S", part("NP", word("EX", "there")), predicate), whole)
    subject = writer.subject(0)
    predicate = part("VP", word("VBD", past(base)), whole, *beside, last=[extra])
    return full(writer, part("S", subject.part, predicate), whole)


@production("in-place", 3, gaps=False)
def in_place(writer: Writer) -> Lesson:
    """A woman who knew you came in; a man came in a car that was red; she told me yesterday that it failed."""
    chosen = writer.random.randrange(4)
    if chosen == 0:
        kind = writer.pick(["person", "thing", "text", "plan"])
        head = writer.head(kind)
        whole = Nominal(part("NP", head.part, writer.subject_relative(kind, head.is_plural, 0)), head.is_plural)
        return full(writer, part("S", whole.part, short_predicate(writer, whole, kind)))
    if chosen == 1:
        noun = writer.pick([*lexicon.CLAIM_NOUNS, "fact", "idea"])
        whole = Nominal(part("NP", word("DT", "the"), word("NN", noun), writer.that_clause(0)))
        done = Clause(
            whole, writer.groups(writer.pick(["surprise", "upset", "worry", "please", "help"]), whole, "past")
        )
        done.object = writer.head("person").part
        return full(writer, done.statement())
    if chosen == 2:
        subject = writer.head("person")
        where = writer.head(writer.pick(["place", "thing"]), is_plural=False)
        modified = part("NP", where.part, writer.subject_relative("thing", False, 0))
        verb = word("VBD", writer.pick(["came", "arrived", "appeared", "sat", "waited", "disappeared"]))
        place = part("PP", preposition(writer.pick(["in", "near", "behind"])), modified)
        return full(writer, part("S", subject.part, part("VP", verb, place)))
    verb = word("VBD", writer.pick(["told", "informed", "warned", "assured", "convinced"]))
    predicate = part("VP", verb, writer.head("person").part, writer.time(), writer.that_clause(1))
    return full(writer, part("S", writer.subject(0).part, predicate))


# it


def quality(writer: Writer, adjectives: list[str]) -> Part:
    """*very hard*."""
    degree = word("RB", writer.pick(["very", "quite", "rather"])) if writer.chance(0.25) else None
    return part("ADJP", degree, word("JJ", writer.pick(adjectives)))


def expletive(writer: Writer, extra: Part, rest: list[Part], groups: list[list[Part]] | None = None) -> Lesson:
    """It is X that S: the clause belongs to *it*."""
    whole = part("NP", part("NP", word("PRP", "it")), extra)
    groups = groups or writer.groups(
        "be", Nominal(whole), writer.pick(["past", "present", "present", "modal", "perfect"])
    )
    return extrapose(writer, whole, extra, Clause(Nominal(whole), groups, rest=rest).predicate())


@production("it-clause", 3)
def it_clause(writer: Writer) -> Lesson:
    """It is clear that the plan failed. It was reported that the plan failed. She made it clear that it failed."""
    extra = writer.that_clause(1)
    chosen = writer.random.random()
    if chosen < 0.2:
        be = writer.groups("be", Nominal(extra), writer.pick(["past", "present", "perfect"]))
        verb = word(
            "VBN", participle(writer.pick(["report", "believe", "expect", "claim", "suggest", "know", "say", "assume"]))
        )
        return expletive(writer, extra, [], [*be, [verb]])
    if chosen < 0.35:
        whole = part("NP", part("NP", word("PRP", "it")), extra)
        small = part("S", whole, quality(writer, ["clear", "likely", "possible", "obvious", "certain"]), last=[extra])
        subject = writer.subject(0)
        finite = word("VBD", past(writer.pick(["make", "find", "consider", "think"])))
        return full(writer, part("S", subject.part, part("VP", finite, small)), whole)
    if chosen < 0.45:
        noun = writer.pick(["shame", "pity", "surprise", "mystery", "miracle", "mistake", "problem"])
        return expletive(writer, extra, [noun_phrase(f"DT:{article(noun)}", f"NN:{noun}")])
    if chosen < 0.55:
        groups = writer.groups(writer.pick(["surprise", "bother", "please", "worry", "strike"]), Nominal(extra))
        return expletive(writer, extra, [noun_phrase(f"PRP:{writer.pick(['me', 'him', 'her', 'us', 'them'])}")], groups)
    return expletive(writer, extra, [quality(writer, lexicon.CLAIM_ADJECTIVES)])


@production("it-infinitive", 2)
def it_infinitive(writer: Writer) -> Lesson:
    """It is hard to read this book. It is hard for her to read it."""
    extra = writer.infinitive(1)
    if writer.chance(0.3):
        whom = writer.head("person").part
        extra = part("SBAR", word("IN", "for"), part("S", whom, *extra.children))
    return expletive(writer, extra, [quality(writer, lexicon.TASK_ADJECTIVES)])


@production("it-plain", 2, gaps=False)
def it_plain(writer: Writer) -> Lesson:
    """It seems that S; it was John who left; it broke: the clause does not stand for *it*."""
    it = part("NP", word("PRP", "it"))
    chosen = writer.random.randrange(4)
    if chosen == 0:
        verb = word(*writer.pick([("VBZ", "seems"), ("VBD", "seemed"), ("VBZ", "appears"), ("VBD", "appeared")]))
        return full(writer, part("S", it, part("VP", verb, writer.that_clause(1))))
    if chosen == 1:
        be = word(*writer.pick([("VBZ", "is"), ("VBD", "was")]))
        clause = writer.clause(1, subject=Nominal(it)).statement(part("WHNP", word("WP", "who")), "subject")
        return full(writer, part("S", it, part("VP", be, writer.name(), part("SBAR", clause))))
    if chosen == 2:
        be = word(*writer.pick([("VBZ", "is"), ("VBD", "was")]))
        thing = writer.noun("thing", 1).part
        return full(writer, part("S", it, part("VP", be, thing)))
    subject = writer.subject(0)
    ((be,),) = writer.groups("be", subject, writer.pick(["past", "present"]))
    extra = writer.that_clause(1) if writer.chance(0.5) else writer.infinitive(1)
    text = writer.pick(
        ["sure", "afraid", "happy", "certain", "sorry"] if extra.label == "SBAR" else ["ready", "able", "eager"]
    )
    return full(writer, part("S", subject.part, part("VP", be, part("ADJP", word("JJ", text), extra))))


# comparison


def than(writer: Writer, link: str = "than") -> Part:
    """What something is compared with."""
    if writer.chance(0.4):
        return part("PP", word("IN", link), writer.head(writer.pick(["person", "organisation"])).part)
    subject = writer.subject(0)
    groups = writer.groups(
        writer.pick(["expect", "hope", "want", "need", "think"]), subject, writer.pick(["past", "perfect"])
    )
    return part("SBAR", word("IN", link), Clause(subject, groups).statement())


def more(adjective: str) -> list[Part]:
    """The words of a comparative."""
    form = comparative(adjective)
    return [word("JJR", form)] if form else [word("RBR", "more"), word("JJ", adjective)]


@production("comparison", 2)
def comparison(writer: Writer) -> Lesson:
    """More people came than we expected. He sold more cars last year than his brother. So many came that we left."""
    kind = writer.pick(["person", "thing", "text"])
    noun = word("NNS", plural(writer.pick(lexicon.NOUNS[kind])))
    chosen = writer.random.randrange(4)
    if chosen == 0:
        head, extra = part("NP", word("JJR", writer.pick(["more", "fewer"])), noun), than(writer)
    elif chosen == 1:
        many = part("ADJP", word("RB", "as"), word("JJ", "many"))
        head, extra = part("NP", many, noun), than(writer, "as")
    else:
        many = part("ADJP", word("RB", "so"), word("JJ", writer.pick(["many", "few"])))
        head, extra = part("NP", many, noun), writer.that_clause(1)
    whole = part("NP", head, extra)
    if writer.chance(0.5):
        return extrapose(writer, whole, extra, short_predicate(writer, Nominal(whole, True), kind))
    subject = writer.subject(0)
    verb = word("VBD", past(writer.pick(lexicon.TRANSITIVES[kind])))
    predicate = part("VP", verb, whole, writer.time(), last=[extra])
    return full(writer, part("S", subject.part, predicate), whole)


@production("comparison-degree")
def comparison_degree(writer: Writer) -> Lesson:
    """She was so tired last night that she left. Sales were higher in June than we had expected."""
    subject = writer.subject(0) if writer.chance(0.5) else writer.noun("plan", 0)
    adjective = writer.pick(lexicon.ADJECTIVES)
    if writer.chance(0.5):
        small, extra = part("ADJP", word("RB", "so"), word("JJ", adjective)), writer.that_clause(1)
    else:
        small, extra = part("ADJP", *more(adjective)), than(writer)
    whole = part("ADJP", small, extra)
    ((be,),) = writer.groups("be", subject, "past")
    predicate = part("VP", be, whole, writer.time(), last=[extra])
    return full(writer, part("S", subject.part, predicate), whole)


@production("comparison-plain", 2, gaps=False)
def comparison_plain(writer: Writer) -> Lesson:
    """She is taller than her brother. He was so tired that he left: nothing stands between."""
    subject = writer.subject(1)
    ((be,),) = writer.groups("be", subject, writer.pick(["past", "present"]))
    adjective = word("JJ", writer.pick(lexicon.ADJECTIVES))
    chosen = writer.random.randrange(3)
    if chosen == 0:
        whole = part("ADJP", part("ADJP", word("RB", "so"), adjective), writer.that_clause(1))
    elif chosen == 1:
        whole = part("ADJP", part("ADJP", *more(adjective.text)), than(writer))
    else:
        whole = part("ADJP", part("ADJP", word("RB", "as"), adjective), than(writer, "as"))
    return full(writer, part("S", subject.part, part("VP", be, whole)))


# clauses with when, commands, the second person, names, lists, headlines


@production("when-clause")
def when_clause(writer: Writer) -> Lesson:
    """When she left, I was asleep."""
    clause = writer.when(0)
    while (gap := smallest_gap(clause, clause.words[0])) is None:
        clause = writer.when(0)
    done = writer.clause(1, tense="past")
    if writer.chance(0.5):
        return full(writer, extend(done.statement(), before=[clause, word(",", ",")]), gap)
    done.rest = [clause]
    return full(writer, done.statement(), gap)


@production("imperative", 2, gaps=False)
def imperative(writer: Writer) -> Lesson:
    """Read the book. Please do not read it. Let us read it."""
    predicate = writer.bare(2)
    if writer.chance(0.25):
        predicate = part("VP", word("VB", "do"), word("RB", writer.pick(["n't", "not"])), predicate)
    elif writer.chance(0.1):
        us = part("NP", word("PRP", writer.pick(["'s", "us"])))
        predicate = part("VP", word("VB", "let"), part("S", us, predicate))
    please = part("INTJ", word("UH", "please")) if writer.chance(0.25) else None
    comma = word(",", ",") if writer.chance(0.5) else None
    if please and writer.chance(0.3):
        return finish(part("S", predicate, comma, please, stop(writer)))
    return finish(part("S", please, comma if please and writer.chance(0.2) else None, predicate, stop(writer)))


@production("second-person", 2, gaps=False)
def second_person(writer: Writer) -> Lesson:
    """You have read my book."""
    you = Nominal(part("NP", word("PRP", "you")), True, 2)
    return full(writer, writer.clause(2, subject=you).statement())


@production("names", 1, gaps=False)
def names(writer: Writer) -> Lesson:
    """Anna Smith, a lawyer in Boston, met Peter and Julia."""
    subject = Nominal(writer.name())
    if writer.chance(0.4):
        subject = Nominal(part("NP", subject.part, word(",", ","), writer.apposition(), word(",", ",")))
    done = writer.clause(1, subject=subject, frame="object", wants="person")
    done.object = writer.name()
    if writer.chance(0.4):
        done.object = part("NP", writer.name(), word("CC", "and"), writer.name())
    return full(writer, done.statement())


@production("list", 2, gaps=False)
def listing(writer: Writer) -> Lesson:
    """She bought a lamp, two chairs and a table."""
    kind = writer.pick(["person", "thing", "text", "place"])
    items = [writer.head(kind).part for _ in range(writer.random.randrange(4) + 2)]
    parts: list[Part | None] = []
    for item in items[:-1]:
        parts += [item, word(",", ",")]
    if writer.chance(0.6):
        parts.pop()
    whole = part("NP", *parts, word("CC", writer.pick(["and", "and", "or"])), items[-1])
    done = writer.clause(1, frame="object", wants=kind)
    done.object = whole
    sentence = done.statement()
    if writer.chance(0.2):
        number = part("LST", word("LS", str(writer.random.randrange(9) + 1)), word(".", "."))
        sentence = extend(sentence, before=[number])
    return full(writer, sentence)


@production("headline", 2, gaps=False)
def headline(writer: Writer) -> Lesson:
    """Bank Rejects Merger Plan"""
    subject = part("NP", word("NN", writer.pick(lexicon.NOUNS["organisation"])))
    if writer.chance(0.4):
        subject = writer.company()
    wants = writer.pick(["plan", "thing", "person", "text"])
    base = writer.pick(lexicon.TRANSITIVES[wants])
    noun = writer.pick(lexicon.NOUNS[wants])
    adjective = word("JJ", writer.pick(lexicon.ADJECTIVES)) if writer.chance(0.5) else None
    thing = part("NP", adjective, word("NNS", plural(noun)) if writer.chance(0.4) else word("NN", noun))
    place = part("PP", preposition("in"), part("NP", *split_name(writer.pick(lexicon.CITIES))))
    rest = [place] if writer.chance(0.4) else []
    if writer.chance(0.25):
        predicate = part("VP", word("TO", "to"), part("VP", word("VB", base), thing, *rest))
    else:
        predicate = part("VP", word("VBZ", present(base)), thing, *rest)
    done = part("S", subject, predicate)
    if writer.chance(0.6):
        done = copy(done, lambda old: word(old.label, old.text if old.label in ("IN", "TO") else _title(old.text)))
    return finish(done)


def _title(text: str) -> str:
    return text[0].upper() + text[1:]


@production("capitals", 2)
def capitals(writer: Writer) -> Lesson:
    """SENTENCES OF OTHER KINDS IN CAPITAL LETTERS"""
    kind = writer.pick([kind for kind in GRAMMAR if kind != "capitals"])
    tree, gap = GRAMMAR[kind](writer.random)
    loud = copy(part_of(tree), lambda old: word(old.label, old.text.upper()))
    return Lesson(tree_of(loud), gap)


@production("plain", 4, gaps=False)
def plain(writer: Writer) -> Lesson:
    """The lawyer read the report in Boston."""
    return full(writer, statement(writer, 2))
