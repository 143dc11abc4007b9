"""Extraposition: clauses and phrases behind the VP, with and without *it*; and what stays in its place."""

from __future__ import annotations

from permutree_lab.teaching.english import lexicon
from permutree_lab.teaching.english.grammar.productions import full, production
from permutree_lab.teaching.english.morphology import article, participle, past, plural
from permutree_lab.teaching.english.phrases import Clause, Nominal, Writer, noun_phrase, preposition
from permutree_lab.teaching.english.shapes import finish
from permutree_lab.teaching.lessons import Lesson
from permutree_lab.teaching.parts import Part, extend, part, word

__all__ = ["extrapose", "quality", "short_predicate"]


def between(writer: Writer, tense: str = "past") -> list[Part]:
    """What may stand between a verb and what is extraposed: a place, and a time if the tense allows it."""
    some: list[Part] = []
    if writer.chance(0.25):
        some.append(writer.city())
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
    relative = writer.subject_relative(kind, head.is_plural, writer.deep(1))
    if writer.chance(0.4):
        relative = writer.object_relative(kind, writer.deep(1))
    whole = part("NP", head.part, relative)
    return extrapose(writer, whole, relative, short_predicate(writer, head, kind), is_comma=writer.chance(0.15))


@production("extraposed-clause", 3)
def extraposed_clause(writer: Writer) -> Lesson:
    """The claim was made that the plan had failed."""
    noun = writer.pick([*lexicon.CLAIM_NOUNS, "question"])
    bare = noun in ("news", "evidence", "speculation", "proof")
    determiner = word("DT", writer.pick(["the", article(noun), article(noun)])) if not bare else None
    clause = writer.that_clause(writer.deep(1))
    if noun == "question":
        clause = part("SBAR", word("IN", writer.pick(["whether", "if"])), writer.clause(writer.deep(1)).statement())
    head = word("NN", noun)
    if not bare and writer.chance(0.25):
        determiner, head = None, word("NNS", plural(noun))
    whole = part("NP", determiner, head, clause)
    subject = Nominal(whole, head.label == "NNS")
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
    extra = writer.infinitive(writer.deep(1))
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
    if writer.chance(0.15):
        people = writer.head("person", is_plural=True, is_definite=False)
        inside = writer.head("person", is_plural=True, is_definite=False).part
        including = part("PP", word("VBG", "including"), inside)
        both = part("NP", people.part, including)
        return extrapose(writer, both, including, short_predicate(writer, people, "person"), is_comma=True)
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
        extra = writer.that_clause(writer.deep(1))
        whole = part("NP", word("DT", writer.pick(["the", article(noun)])), word("NN", noun), extra)
        base = writer.pick(["make", "hear", "repeat", "publish", "reject", "spread", "deny"])
    else:
        extra = writer.object_relative(kind, 0) if chosen < 0.5 else writer.subject_relative(kind, head.is_plural, 0)
        whole = part("NP", head.part, extra)
        base = writer.pick(lexicon.TRANSITIVES[kind])
    beside = [writer.time() if writer.chance(0.7) else writer.city()]
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
    predicate = part("VP", verb, writer.head("person").part, writer.time(), writer.that_clause(writer.deep(1)))
    return full(writer, part("S", writer.subject(0).part, predicate))


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
    extra = writer.that_clause(writer.deep(1))
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


@production("it-question")
def it_question(writer: Writer) -> Lesson:
    """Is it true that the plan failed?"""
    extra = writer.that_clause(writer.deep(1)) if writer.chance(0.6) else writer.infinitive(writer.deep(1))
    adjectives = lexicon.CLAIM_ADJECTIVES if extra.label == "SBAR" else lexicon.TASK_ADJECTIVES
    whole = part("NP", part("NP", word("PRP", "it")), extra)
    be = word(*writer.pick([("VBZ", "is"), ("VBD", "was")]))
    end = word(".", "?")
    return finish(part("SQ", be, whole, quality(writer, adjectives), end, last=[extra, end]), whole)


@production("it-infinitive", 2)
def it_infinitive(writer: Writer) -> Lesson:
    """It is hard to read this book. It is hard for her to read it."""
    extra = writer.infinitive(writer.deep(1))
    if writer.chance(0.3):
        whom = writer.head("person").part
        extra = part("SBAR", word("IN", "for"), part("S", whom, *extra.children))
    if writer.chance(0.2):
        rest = [noun_phrase(f"NN:{writer.pick(['courage', 'time', 'money', 'patience'])}")]
        if writer.chance(0.5):
            count, unit = writer.pick(["two", "three", "six", "ten"]), writer.pick(["hours", "weeks", "years"])
            rest = [noun_phrase(f"CD:{count}", f"NNS:{unit}")]
        if writer.chance(0.4):
            rest.insert(0, writer.head("person").part)
        whole = part("NP", part("NP", word("PRP", "it")), extra)
        return expletive(writer, extra, rest, writer.groups("take", Nominal(whole), writer.pick(["past", "present"])))
    if writer.chance(0.15):
        whole = part("NP", part("NP", word("PRP", "it")), extra)
        small = part("S", whole, quality(writer, lexicon.TASK_ADJECTIVES), last=[extra])
        verb = word("VBD", writer.pick(["made", "found", "considered", "thought"]))
        return full(writer, part("S", writer.subject(0).part, part("VP", verb, small)), whole)
    return expletive(writer, extra, [quality(writer, lexicon.TASK_ADJECTIVES)])


@production("it-plain", 2, gaps=False)
def it_plain(writer: Writer) -> Lesson:
    """It seems that S; it was John who left; it broke: the clause does not stand for *it*."""
    it = part("NP", word("PRP", "it"))
    chosen = writer.random.randrange(4)
    if chosen == 0:
        verb = word(*writer.pick([("VBZ", "seems"), ("VBD", "seemed"), ("VBZ", "appears"), ("VBD", "appeared")]))
        return full(writer, part("S", it, part("VP", verb, writer.that_clause(writer.deep(1)))))
    if chosen == 1:
        be = word(*writer.pick([("VBZ", "is"), ("VBD", "was")]))
        clause = writer.clause(writer.deep(1), subject=Nominal(it)).statement(
            part("WHNP", word("WP", "who")), "subject"
        )
        return full(writer, part("S", it, part("VP", be, writer.name(), part("SBAR", clause))))
    if chosen == 2:
        be = word(*writer.pick([("VBZ", "is"), ("VBD", "was")]))
        thing = writer.noun("thing", 1).part
        return full(writer, part("S", it, part("VP", be, thing)))
    subject = writer.subject(0)
    ((be,),) = writer.groups("be", subject, writer.pick(["past", "present"]))
    extra = writer.that_clause(writer.deep(1)) if writer.chance(0.5) else writer.infinitive(writer.deep(1))
    text = writer.pick(
        ["sure", "afraid", "happy", "certain", "sorry"] if extra.label == "SBAR" else ["ready", "able", "eager"]
    )
    return full(writer, part("S", subject.part, part("VP", be, part("ADJP", word("JJ", text), extra))))
