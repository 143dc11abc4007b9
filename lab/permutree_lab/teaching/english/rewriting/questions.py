"""Statements become questions, short, embedded and across clauses."""

from __future__ import annotations

from permutree_lab.teaching.english import lexicon
from permutree_lab.teaching.english.grammar.questions import wh_adverb
from permutree_lab.teaching.english.phrases import Writer
from permutree_lab.teaching.english.rewriting.rewritings import rewriting
from permutree_lab.teaching.english.shapes import finish
from permutree_lab.teaching.english.statements import Statement, displace, is_temporal, lower
from permutree_lab.teaching.lessons import Lesson
from permutree_lab.teaching.parts import Part, copy, extend, part, smallest_gap, word

_QUANTITIES = frozenset(["several", "many", "few", "such", "other", "much"])


def _asked_for(thing: Part, writer: Writer, *, is_plural_verb: bool = False) -> Part:
    """A wh-phrase that asks for a noun phrase."""
    head = thing
    while not head.is_word and head.children[0].label == "NP":
        head = head.children[0]
    words = head.words
    is_person = words[0].text.lower() in ("him", "her", "them", "us", "me", "he", "she", "they", "we", "i")
    nouns = [one for one in words if one.label in ("NN", "NNS")]
    if nouns and nouns[-1] is words[-1] and (is_plural_verb or writer.chance(0.6)):
        start = len(words) - 1
        while start > 0 and words[start - 1].label in ("NN", "JJ") and words[start - 1].text not in _QUANTITIES:
            start -= 1
        which = word("WDT", writer.pick(["which", "what"]))
        if nouns[-1].label == "NNS" and writer.chance(0.2):
            many = part("WHADJP", word("WRB", "how"), word("JJ", "many"))
            return part("WHNP", many, copy(words[-1]))
        return part("WHNP", which, *(copy(one) for one in words[start:]))
    is_name = words[0].label == "NNP" and writer.chance(0.5)
    return part("WHNP", word("WP", "who" if is_person or is_name else "what"))


def _gap(found: Statement, writer: Writer) -> tuple[Part, Part, Part] | None:
    """A part of the main VP to ask for, what takes its place there, and the wh-phrase."""
    inner = found.chain[-1]
    choices: list[str] = ["adjunct"]
    thing = found.object
    if thing is not None:
        choices += ["object"] * 4
    phrases = [child for child in inner.children[1:] if _is_strandable(child)]
    if phrases:
        choices += ["stranded"] * 2
    chosen = writer.pick(choices)
    if chosen == "object" and thing is not None:
        moved = _asked_for(thing, writer)
        return thing, moved, moved
    if chosen == "stranded":
        moved = _asked_for(phrases[-1].children[1], writer)
        return phrases[-1], part("PP", phrases[-1].children[0], moved, first=[moved]), moved
    times = [child for child in inner.children[1:] if is_temporal(child)]
    if times:
        moved = part("WHADVP", word("WRB", "when"))
        return times[-1], moved, moved
    moved = wh_adverb(writer)
    verb = inner.children[0]
    return None if not verb.is_word else (verb, moved, moved)


def _is_strandable(one: Part) -> bool:
    return (
        one.label == "PP"
        and len(one.children) == 2
        and one.children[0].label in ("IN", "TO")
        and one.children[0].text in ("to", "with", "about", "for", "from", "on", "at", "in", "of", "into")
        and one.children[1].label == "NP"
        and not is_temporal(one)
    )


def _open(found: Statement, writer: Writer) -> tuple[Statement, Part] | None:
    """The statement with a wh-phrase in its VP, which is said first; and the wh-phrase."""
    hole = _gap(found, writer)
    if hole is None:
        return None
    old, new, moved = hole
    inner = found.chain[-1]
    # An adjunct that is asked for stands beside the verb; all else takes the place of what it asks for.
    if old is inner.children[0]:
        changed = part("VP", moved, *inner.children, first=[moved])
    else:
        changed = part("VP", *(new if child is old else child for child in inner.children), first=[moved])
    predicate = displace(found.predicate, inner, changed, first=[moved])
    return found._replace(predicate=predicate, subject=lower(found.subject)), moved


@rewriting("question", 0.6, gaps=True)
def question(found: Statement, writer: Writer) -> Lesson | None:
    """S → What did X do?"""
    if found.between:
        return None
    split = found.do_support()
    if split is None:
        return None
    first, rest = split
    # The VP after the subject is a statement of its own whose verb has no tense.
    inner = found._replace(predicate=rest)
    opened = _open(inner, writer)
    if opened is None:
        return None
    changed, moved = opened
    asked = part("SQ", *first, changed.subject, changed.predicate, first=[moved])
    whole = extend(part("SBARQ", asked), word(".", "?"))
    return finish(whole, smallest_gap(whole, moved))


@rewriting("question-long", 0.3, gaps=True)
def question_long(found: Statement, writer: Writer) -> Lesson | None:
    """S → What did you say that X did?"""
    opened = _open(found, writer)
    if opened is None:
        return None
    changed, moved = opened
    inner = part("S", changed.subject, *changed.between, changed.predicate, first=[moved])
    return _ask(inner, moved, writer, can_take_that=True)


@rewriting("question-long-subject", 0.12, gaps=True)
def question_long_subject(found: Statement, writer: Writer) -> Lesson | None:
    """S → Who did you say did it?"""
    moved = _subject_asked_for(found, writer)
    if moved is None:
        return None
    return _ask(part("S", moved, *found.between, found.predicate), moved, writer, can_take_that=False)


def _ask(inner: Part, moved: Part, writer: Writer, *, can_take_that: bool) -> Lesson:
    """A question through one or two clauses, of which the inner one is given."""
    for is_top in (False, True) if writer.chance(0.3) else (True,):
        that = word("IN", "that") if can_take_that and writer.chance(0.5) else None
        clause = part("SBAR", that, inner, first=[moved])
        subject = writer.subject(0)
        base = writer.pick(lexicon.CLAUSE_VERBS)
        if is_top:
            does, (verb,) = writer.with_do(base, subject, is_past=writer.chance(0.6))
            predicate = part("VP", verb, clause, first=[moved])
            inner = part("SQ", *does, subject.part, predicate, first=[moved])
        else:
            ((verb,),) = writer.groups(base, subject, writer.pick(["past", "present"]))
            inner = part("S", subject.part, part("VP", verb, clause, first=[moved]), first=[moved])
        can_take_that = True
    whole = extend(part("SBARQ", inner), word(".", "?"))
    return finish(whole, smallest_gap(whole, moved))


def _subject_asked_for(found: Statement, writer: Writer) -> Part | None:
    is_plural = found.verb.label == "VBP" or found.verb.text == "were"
    if found.subject.children[0].label in ("EX", "PRP") and (is_plural or found.subject.children[0].label == "EX"):
        return None
    if found.verb.text.startswith("'"):
        return None
    moved = _asked_for(lower(found.subject), writer, is_plural_verb=is_plural)
    return None if is_plural and moved.words[-1].label != "NNS" else moved


@rewriting("question-subject", 0.1)
def question_subject(found: Statement, writer: Writer) -> Lesson | None:
    """S → Who did it? There is no gap."""
    moved = _subject_asked_for(found, writer)
    if moved is None or found.between:
        return None
    return finish(part("SBARQ", part("SQ", moved, found.predicate), word(".", "?")))


@rewriting("question-yes-no", 0.1)
def question_yes_no(found: Statement, writer: Writer) -> Lesson | None:
    """S → Did X do it? There is no gap."""
    subject = lower(found.subject)
    if found.is_copula and found.verb.text.isalpha() and not found.between:
        verb, *rest = found.predicate.children
        first = word(verb.label, verb.text.lower())
        return finish(part("SQ", first, subject, *rest, word(".", "?")))
    split = found.do_support()
    if split is None:
        return None
    return finish(part("SQ", *split[0], subject, *found.between, split[1], word(".", "?")))


@rewriting("embedded-question", 0.15, gaps=True)
def embedded_question(found: Statement, writer: Writer) -> Lesson | None:
    """S → I know what X did."""
    opened = _open(found, writer)
    if opened is None:
        return None
    changed, moved = opened
    clause = part("SBAR", part("S", changed.subject, *changed.between, changed.predicate, first=[moved]))
    subject = writer.subject(0)
    base = writer.pick(["know", "ask", "wonder", "remember", "explain", "see", "forget", "understand", "learn"])
    ((verb,),) = writer.groups(base, subject, writer.pick(["past", "present"]))
    whole = part("S", subject.part, part("VP", verb, clause), word(".", "."))
    return finish(whole, smallest_gap(whole, moved))
