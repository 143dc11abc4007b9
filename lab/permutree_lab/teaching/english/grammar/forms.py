"""Commands, the second person, names, lists, headlines, and plain statements."""

from __future__ import annotations

from permutree_lab.teaching.english import lexicon
from permutree_lab.teaching.english.grammar.productions import GRAMMAR, full, production, statement, stop
from permutree_lab.teaching.english.morphology import participle, plural, present
from permutree_lab.teaching.english.phrases import Nominal, Writer, preposition, split_name
from permutree_lab.teaching.english.shapes import finish
from permutree_lab.teaching.lessons import Lesson
from permutree_lab.teaching.parts import Part, copy, extend, part, part_of, smallest_gap, tree_of, word


@production("when-clause")
def when_clause(writer: Writer) -> Lesson:
    """When she left, I was asleep."""
    clause = writer.when(0)
    while (gap := smallest_gap(clause, clause.words[0])) is None:
        clause = writer.when(0)
    done = writer.clause(writer.deep(1), tense="past")
    if writer.chance(0.5):
        return full(writer, extend(done.statement(), before=[clause, word(",", ",")]), gap)
    done.rest = [clause]
    return full(writer, done.statement(), gap)


@production("imperative", 2, gaps=False)
def imperative(writer: Writer) -> Lesson:
    """Read the book. Please do not read it. Let us read it."""
    predicate = writer.bare(writer.deep(2))
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


@production("passive", 2, gaps=False)
def passive(writer: Writer) -> Lesson:
    """The book was read by many students."""
    kind = writer.pick(list(lexicon.NOUNS))
    done = writer.passive(writer.noun(kind, 1), kind)
    if writer.chance(0.25):
        question = part("SQ", *done.groups[0], done.subject.part, done.predicate(done.groups[1:]))
        return finish(extend(question, word(".", "?")))
    return full(writer, done.statement())


@production("coordination", 2, gaps=False)
def coordination(writer: Writer) -> Lesson:
    """She came and left. Anna plays the piano, and Tom the violin."""
    link = word("CC", writer.pick(["and", "and", "but", "or"]))
    if writer.chance(0.3):
        wants = writer.pick(["thing", "text", "place"])
        first = writer.clause(0, frame="object", wants=wants, tense="past", adjuncts=0)
        second = part("S", writer.name(), writer.head(wants).part)
        comma = word(",", ",") if writer.chance(0.7) else None
        return full(writer, part("S", first.statement(), comma, word("CC", "and"), second))
    subject = writer.subject(1)
    tense = writer.pick(["past", "past", "present"])
    halves = [writer.clause(writer.deep(1), subject=subject, tense=tense).predicate() for _ in range(2)]
    if writer.chance(0.2):
        third = writer.clause(0, subject=subject, tense=tense).predicate()
        both = part("VP", third, word(",", ","), halves[0], word(",", ","), link, halves[1])
    else:
        both = part("VP", halves[0], link, halves[1])
    return full(writer, part("S", subject.part, both))


@production("second-person", 2, gaps=False)
def second_person(writer: Writer) -> Lesson:
    """You have read my book."""
    you = Nominal(part("NP", word("PRP", "you")), True, 2)
    if writer.chance(0.3):
        return finish(extend(writer.clause(writer.deep(2), subject=you, is_question=True).inverted(), word(".", "?")))
    return full(writer, writer.clause(writer.deep(2), subject=you).statement())


@production("names", 1, gaps=False)
def names(writer: Writer) -> Lesson:
    """Anna Smith, a lawyer in Boston, met Peter and Julia."""
    subject = Nominal(writer.name())
    if writer.chance(0.4):
        subject = Nominal(part("NP", subject.part, word(",", ","), writer.apposition(), word(",", ",")))
    done = writer.clause(writer.deep(1), subject=subject, frame="object", wants="person")
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
    done = writer.clause(writer.deep(1), frame="object", wants=kind)
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
    if writer.chance(0.2):
        kind = writer.pick(["person", "thing", "plan", "text"])
        number = word("CD", writer.pick(["two", "three", "five"])) if writer.chance(0.4) else None
        noun = writer.pick(lexicon.NOUNS[kind])
        subject = part("NP", number, word("NNS", plural(noun)) if number else word("NN", noun))
        predicate = part("VP", word("VBN", participle(writer.pick(lexicon.TRANSITIVES[kind]))), place)
    elif writer.chance(0.25):
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
    return full(writer, statement(writer, writer.deep(2)))
