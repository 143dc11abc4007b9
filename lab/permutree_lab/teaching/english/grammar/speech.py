"""What somebody says: fronted, interrupted, and in its place."""

from __future__ import annotations

from permutree_lab.teaching.english import lexicon
from permutree_lab.teaching.english.grammar.productions import full, production, statement, stop
from permutree_lab.teaching.english.grammar.questions import ask
from permutree_lab.teaching.english.phrases import Writer, capitalise, noun_phrase, preposition
from permutree_lab.teaching.english.shapes import Saying, Spot, finish, front, interrupt, marks, pick_spot, say, spots
from permutree_lab.teaching.lessons import Lesson
from permutree_lab.teaching.parts import Part, extend, part, replace_words, word

__all__ = ["thinking"]


@production("fronted-quotation", 4)
def fronted_quotation(writer: Writer) -> Lesson:
    """“S,” X said. S, said X."""
    quotation = marks(writer)
    saying = say(writer, lexicon.SAYING_VERBS, is_quoted=quotation is not None)
    if quotation and writer.chance(0.12):
        asked = extend(writer.clause(writer.deep(1), is_question=True).inverted(), word(".", "?"))
        if writer.chance(0.5):
            asked = ask(writer, "object")[0]
        return front(asked, saying._replace(verb=word("VBD", "asked"), rest=()), quotation)
    return front(statement(writer, writer.deep(2)), saying, quotation)


@production("fronted-thought")
def fronted_thought(writer: Writer) -> Lesson:
    """S, I think."""
    return front(statement(writer, writer.deep(1)), thinking(writer), None)


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
    if writer.chance(0.35):
        # In the long run, he said, the plan will fail.
        sentence = extend(statement(writer, writer.deep(2)), stop(writer), before=[opening(writer), word(",", ",")])
        return interrupt(sentence, Spot(sentence, 2), saying, quotation)
    while True:
        sentence = extend(statement(writer, writer.deep(2)), stop(writer))
        if found := spots(sentence):
            return interrupt(sentence, pick_spot(writer, found), saying, quotation)


def opening(writer: Writer) -> Part:
    """What may stand before a clause: *in the long run*, *last week*, *however*, *if demand falls*."""
    kind = writer.random.choices(["phrase", "time", "adverb", "clause"], [4, 2, 2, 2])[0]
    if kind == "time":
        return writer.time()
    if kind == "adverb":
        return part("ADVP", word("RB", writer.pick(lexicon.SENTENCE_ADVERBS)))
    if kind == "clause":
        conjunction = writer.pick(["if", "because", "although", "since", "while", "unless", "once"])
        return part("SBAR", word("IN", conjunction), statement(writer, writer.deep(1)))
    before = writer.pick(["in", "for", "after", "before", "despite", "under", "at", "without", "with", "since"])
    return part("PP", preposition(before), writer.noun(writer.pick(["thing", "organisation", "text"]), 1).part)


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
    done = writer.clause(writer.deep(2))
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
    inner = statement(writer, writer.deep(1))
    if quotation:
        inner = replace_words(inner, capitalise(inner))
        thing = [word(",", ","), quotation.open(), inner]
        sentence = part("S", saying.speaker, part("VP", saying.verb, *saying.rest, *thing))
        return finish(extend(sentence, stop(writer), quotation.close()))
    that = word("IN", "that") if writer.chance(0.6) else None
    return full(writer, part("S", saying.speaker, part("VP", saying.verb, *saying.rest, part("SBAR", that, inner))))
