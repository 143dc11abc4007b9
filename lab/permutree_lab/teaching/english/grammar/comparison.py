"""Comparatives and results, whose second half may be extraposed."""

from __future__ import annotations

from permutree_lab.teaching.english import lexicon
from permutree_lab.teaching.english.grammar.extraposition import extrapose, short_predicate
from permutree_lab.teaching.english.grammar.productions import full, production
from permutree_lab.teaching.english.morphology import article, comparative, past, plural
from permutree_lab.teaching.english.phrases import Clause, Nominal, Writer
from permutree_lab.teaching.lessons import Lesson
from permutree_lab.teaching.parts import Part, part, word


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
        head, extra = part("NP", many, noun), writer.that_clause(writer.deep(1))
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
    if writer.chance(0.2):
        noun = writer.pick(["mess", "success", "shock", "problem", "surprise", "disaster", "mistake"])
        such = part("NP", word("PDT", "such"), word("DT", article(noun)), word("NN", noun))
        extra = writer.that_clause(writer.deep(1))
        whole = part("NP", such, extra)
        ((be,),) = writer.groups("be", subject, "past")
        predicate = part("VP", be, whole, writer.time(), last=[extra])
        return full(writer, part("S", subject.part, predicate), whole)
    if writer.chance(0.5):
        small, extra = part("ADJP", word("RB", "so"), word("JJ", adjective)), writer.that_clause(writer.deep(1))
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
    chosen = writer.random.randrange(4)
    if chosen == 3:
        whole = part("ADJP", word("RB", "too"), adjective, writer.infinitive(writer.deep(0)))
    elif chosen == 0:
        whole = part("ADJP", part("ADJP", word("RB", "so"), adjective), writer.that_clause(writer.deep(1)))
    elif chosen == 1:
        whole = part("ADJP", part("ADJP", *more(adjective.text)), than(writer))
    else:
        whole = part("ADJP", part("ADJP", word("RB", "as"), adjective), than(writer, "as"))
    return full(writer, part("S", subject.part, part("VP", be, whole)))
