"""Objects are fronted, clauses follow *it*; commands, the second person, headlines, capitals, names."""

from __future__ import annotations

from permutree_lab.teaching.english import lexicon
from permutree_lab.teaching.english.grammar.extraposition import quality
from permutree_lab.teaching.english.phrases import Nominal, Writer, noun_phrase, preposition
from permutree_lab.teaching.english.rewriting.rewritings import rewriting
from permutree_lab.teaching.english.shapes import finish
from permutree_lab.teaching.english.statements import Statement, bare_predicate, displace, is_moment, is_temporal, lower
from permutree_lab.teaching.lessons import Lesson
from permutree_lab.teaching.parts import Part, copy, extend, part, replace, smallest_gap, word


@rewriting("topicalised", 0.4, gaps=True)
def topicalised(found: Statement, writer: Writer) -> Lesson | None:
    """S with an object → the object in front."""
    thing = found.object
    if thing is None or len(thing.words) > 12:
        return None
    first = thing.words[0]
    is_definite = first.text.lower() in ("the", "this", "that", "these", "those") or first.label in (
        "PRP$",
        "NNP",
        "NNPS",
    )
    if not is_definite:
        return None
    predicate = displace(
        found.predicate, found.chain[-1], part("VP", *found.chain[-1].children, first=[thing]), [thing]
    )
    comma = word(",", ",") if len(thing.words) > 4 or writer.chance(0.5) else None
    subject = lower(found.subject)
    sentence = part("S", comma, subject, *found.between, predicate, found.end, first=[thing])
    return finish(sentence, smallest_gap(sentence, thing))


@rewriting("fronted-adjunct", 0.5)
def fronted_adjunct(found: Statement, writer: Writer) -> Lesson | None:
    """S with a time → the time in front, where it is no part of the VP: no gap."""
    inner = found.chain[-1]
    times = [child for child in inner.children[1:] if is_moment(child)]
    if not times or found.before:
        return None
    predicate = replace(found.predicate, times[-1], None)
    assert predicate is not None
    comma = word(",", ",") if writer.chance(0.7) else None
    return finish(part("S", times[-1], comma, lower(found.subject), *found.between, predicate, found.end))


@rewriting("it-clause", 0.12, gaps=True)
def it_clause(found: Statement, writer: Writer) -> Lesson | None:
    """S → It is clear that S."""
    extra = part("SBAR", word("IN", "that"), lower(found.whole))
    return _expletive(extra, quality(writer, lexicon.CLAIM_ADJECTIVES), writer)


@rewriting("it-infinitive", 0.12, gaps=True)
def it_infinitive(found: Statement, writer: Writer) -> Lesson | None:
    """S → It is hard to do it."""
    bare = bare_predicate(found)
    if bare is None:
        return None
    extra = part("S", part("VP", word("TO", "to"), bare))
    return _expletive(extra, quality(writer, lexicon.TASK_ADJECTIVES), writer)


def _expletive(extra: Part, rest: Part, writer: Writer) -> Lesson:
    whole = part("NP", part("NP", word("PRP", "it")), extra)
    groups = writer.groups("be", Nominal(whole), writer.pick(["past", "present", "modal"]))
    predicate = part("VP", *groups[-1], rest)
    for group in reversed(groups[:-1]):
        predicate = part("VP", *group, predicate)
    end = word(".", ".")
    return finish(part("S", whole, predicate, end, last=[extra, end]), whole)


@rewriting("sure-clause", 0.06)
def sure_clause(found: Statement, writer: Writer) -> Lesson | None:
    """S → He was sure that S; it seems that S: no gap."""
    clause = part("SBAR", word("IN", "that"), lower(found.whole))
    if writer.chance(0.5):
        verb = word(*writer.pick([("VBZ", "seems"), ("VBD", "seemed"), ("VBZ", "appears"), ("VBD", "appeared")]))
        return finish(part("S", noun_phrase("PRP:it"), part("VP", verb, clause), word(".", ".")))
    subject = writer.subject(0)
    ((be,),) = writer.groups("be", subject, writer.pick(["past", "present"]))
    sure = part("ADJP", word("JJ", writer.pick(["sure", "afraid", "happy", "certain", "sorry"])), clause)
    return finish(part("S", subject.part, part("VP", be, sure), word(".", ".")))


@rewriting("imperative", 0.15)
def imperative(found: Statement, writer: Writer) -> Lesson | None:
    """S → Do it!"""
    bare = bare_predicate(found)
    if bare is None or any(is_temporal(child) for child in bare.children):
        return None
    if writer.chance(0.2):
        bare = part("VP", word("VB", "do"), word("RB", writer.pick(["n't", "not"])), bare)
    please = part("INTJ", word("UH", "please")) if writer.chance(0.25) else None
    return finish(part("S", please, bare, word(".", writer.pick([".", ".", ".", "!"]))))


@rewriting("second-person", 0.1)
def second_person(found: Statement, writer: Writer) -> Lesson | None:
    """S → You do it."""
    if found.subject.children[0].label in ("PRP", "EX"):
        return None
    forms = {"is": "are", "was": "were", "has": "have", "does": "do"}
    verb = found.verb
    new = verb
    if verb.text in forms:
        new = word("VBD" if verb.text == "was" else "VBP", forms[verb.text])
    elif verb.label == "VBZ":
        split = found.do_support()
        if split is None or found.is_auxiliary:
            return None
        new = word("VBP", split[1].children[0].text)
    you = part("NP", word("PRP", "you"))
    predicate = part("VP", new, *found.predicate.children[1:])
    return finish(part("S", *map(lower, found.before), you, *found.between, predicate, found.end))


@rewriting("headline", 0.5)
def headline(found: Statement, writer: Writer) -> Lesson | None:
    """S → a headline: no articles, no full stop."""
    is_short = len(found.sentence.words) <= 16 and not found.before
    if not is_short or found.verb.label not in ("VBZ", "VBP") or found.subject.words[-1].label[:2] != "NN":
        return None
    whole: Part | None = part("S", found.subject, *found.between, found.predicate)
    for one in found.sentence:
        if one.label == "DT" and one.text.lower() in ("the", "a", "an") and whole is not None:
            whole = replace(whole, one, None)
    if whole is None or len(whole.words) < 3:
        return None
    if writer.chance(0.6):
        small = ("IN", "TO", "CC")
        whole = copy(whole, lambda old: word(old.label, old.text if old.label in small else old.text.capitalize()))
    return finish(whole)


@rewriting("capitals", 0.06)
def capitals(found: Statement, writer: Writer) -> Lesson | None:
    """S → S IN CAPITAL LETTERS"""
    return finish(copy(found.sentence, lambda old: word(old.label, old.text.upper())))


@rewriting("names", 0.4)
def names(found: Statement, writer: Writer) -> Lesson | None:
    """S with a name → S with another name."""
    for one in found.subject:
        if one.label == "NP" and all(child.label == "NNP" for child in one.children) and len(one.children) < 4:
            return finish(displace(found.sentence, one, writer.name()))
    return None


@rewriting("place-first", 0.1)
def place_first(found: Statement, writer: Writer) -> Lesson | None:
    """S → In Boston, S: no gap."""
    where = part("PP", preposition("in"), writer.place())
    return finish(extend(lower(found.clause), found.end, before=[where, word(",", ",")]))
