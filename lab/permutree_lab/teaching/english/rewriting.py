"""English rewritings: gold trees of plain statements become rare constructions, or sentences that look like them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from permutree_lab.teaching.english import lexicon
from permutree_lab.teaching.english.grammar import quality, thinking, wh_adverb
from permutree_lab.teaching.english.morphology import participle, past
from permutree_lab.teaching.english.phrases import Clause, Nominal, Writer, capitalise, noun_phrase, preposition
from permutree_lab.teaching.english.shapes import Saying, finish, front, interrupt, marks, say, spots
from permutree_lab.teaching.english.statements import (
    Statement,
    bare_predicate,
    displace,
    is_continuous,
    is_moment,
    is_temporal,
    lower,
    statement_of,
)
from permutree_lab.teaching.lessons import Lesson, Rewriting
from permutree_lab.teaching.parts import Part, copy, extend, part, replace, replace_words, smallest_gap, word

__all__ = ["REWRITINGS"]

REWRITINGS: dict[str, Rewriting] = {}

#: what rewrites a statement; None if it does not hold what is needed
Rewriter = Callable[[Statement, Writer], Lesson | None]
#: what rewrites a noun phrase and its last part
NounRewriter = Callable[[Part, Part, Writer], Lesson | None]


def rewriting(kind: str, share: float = 1.0, *, gaps: bool = False) -> Callable[[Rewriter], Rewriter]:
    """Register what rewrites statements, of which a share is taken; with ``gaps``, also those that have some."""

    def register(make: Rewriter) -> Rewriter:
        def rewrite(root: Part, random: Random) -> Iterator[Lesson]:
            found = statement_of(root)
            writer = Writer(random)
            if found is None or not (gaps or is_continuous(root)) or not writer.chance(share):
                return
            made = make(found, writer)
            if made is not None:
                yield made

        REWRITINGS[kind] = rewrite
        return make

    return register


def _said(found: Statement) -> tuple[Saying, Part] | None:
    """Who says what, if the statement says so."""
    verb, *rest = found.predicate.children
    if verb.text not in _SAID or not rest or rest[-1].label != "SBAR" or found.between or found.before:
        return None
    clause = rest[-1].children[-1]
    if (
        any(child.is_word for child in rest)
        or clause.label != "S"
        or len(rest[-1].children) > 2
        or len(clause.words) < 3
    ):
        return None
    if (len(rest[-1].children) == 2 and rest[-1].children[0].text != "that") or clause.children[0].label == "VP":
        return None
    return Saying(lower(found.subject), verb, rest=tuple(rest[:-1])), clause


_SAID = frozenset(
    form for base in [*lexicon.SAYING_VERBS, "think", "believe", "hope"] for form in (base, base + "s", base + "ed")
) | {"said", "thought", "wrote"}


def _whole(found: Statement) -> Part:
    """The statement without its end and without a conjunction at its beginning."""
    whole = replace(found.sentence, found.end, None)
    assert whole is not None
    if whole.children[0].label == "CC":
        shorter = replace(whole, whole.children[0], None)
        assert shorter is not None
        whole = shorter
        if whole.children[0].label == ",":
            shorter = replace(whole, whole.children[0], None)
            assert shorter is not None
            whole = shorter
    return whole


@rewriting("own-quotation", gaps=True)
def own_quotation(found: Statement, writer: Writer) -> Lesson | None:
    """X said that S → S, X said."""
    told = _said(found)
    if told is None:
        return None
    saying, clause = told
    is_pronoun = saying.speaker.children[0].label == "PRP"
    if not is_pronoun and not saying.rest and writer.chance(0.5):
        saying = saying._replace(is_inverted=True)
    return front(clause, saying, marks(writer, 0.5) if saying.verb.label == "VBD" else None)


@rewriting("own-parenthetical", gaps=True)
def own_parenthetical(found: Statement, writer: Writer) -> Lesson | None:
    """X said that S → S₁, X said, S₂."""
    told = _said(found)
    if told is None:
        return None
    saying, clause = told
    sentence = extend(clause, word(".", "."))
    found_spots = spots(sentence)
    quotation = marks(writer, 0.4) if saying.verb.label == "VBD" else None
    return interrupt(sentence, writer.pick(found_spots), saying, quotation) if found_spots else None


@rewriting("fronted-quotation", 0.3, gaps=True)
def fronted_quotation(found: Statement, writer: Writer) -> Lesson | None:
    """S → “S,” said X."""
    quotation = marks(writer)
    if writer.chance(0.1):
        return front(_whole(found), thinking(writer), None)
    return front(_whole(found), say(writer, lexicon.SAYING_VERBS, is_quoted=quotation is not None), quotation)


@rewriting("parenthetical", 0.35, gaps=True)
def parenthetical(found: Statement, writer: Writer) -> Lesson | None:
    """S → S₁, X said, S₂."""
    places = spots(found.sentence)
    if not places:
        return None
    quotation = marks(writer, 0.4)
    saying = say(writer, lexicon.SAYING_VERBS, is_quoted=quotation is not None)
    if writer.chance(0.12):
        saying, quotation = thinking(writer), None
    return interrupt(found.sentence, writer.pick(places), saying, quotation)


@rewriting("reported-clause", 0.1)
def reported_clause(found: Statement, writer: Writer) -> Lesson | None:
    """S → X said that S: nothing is displaced."""
    saying = say(writer, lexicon.SAYING_VERBS, is_quoted=False)
    if saying.is_inverted:
        return None
    quotation = marks(writer, 0.3)
    whole = _whole(found)
    if quotation:
        whole = replace_words(whole, capitalise(whole))
        said = part("VP", saying.verb, *saying.rest, word(",", ","), quotation.open(), whole)
        return finish(part("S", saying.speaker, said, word(".", "."), quotation.close()))
    that = word("IN", "that") if writer.chance(0.7) else None
    said = part("VP", saying.verb, *saying.rest, part("SBAR", that, lower(whole)))
    return finish(part("S", saying.speaker, said, word(".", ".")))


@rewriting("comment", 0.07)
def comment(found: Statement, writer: Writer) -> Lesson | None:
    """S → S₁, you know, S₂, or S, according to X: no gap."""
    if writer.chance(0.5):
        whom = writer.name() if writer.chance(0.5) else writer.institution()
        inside = part("PP", word("VBG", "according"), part("PP", word("TO", "to"), whom))
    else:
        text = writer.pick(["you know", "I mean", "you see"]).split()
        inside = part("PRN", part("S", noun_phrase(f"PRP:{text[0]}"), part("VP", word("VBP", text[1]))))
    if writer.chance(0.5):
        after = [word(",", ","), inside, word(",", ",")]
        sentence = part("S", *found.before, found.subject, *after, *found.between, found.predicate, found.end)
    else:
        predicate = extend(found.predicate, word(",", ","), inside)
        sentence = part("S", *found.before, found.subject, *found.between, predicate, found.end)
    return finish(sentence)


# extraposition


_LINKS = frozenset(["about", "on", "for", "against", "from", "with", "between"])


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
    is_participle = last.label == "VP" and first.label in ("VBN", "VBG")
    return last if is_participle or (last.label == "PP" and first.text in _LINKS) else None


def noun_rewriting(kind: str, share: float) -> Callable[[NounRewriter], None]:
    """Register what writes a sentence about a noun phrase that ends with something to extrapose."""

    def register(make: NounRewriter) -> None:
        def rewrite(root: Part, random: Random) -> Iterator[Lesson]:
            writer = Writer(random)
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


@rewriting("extraposed-subject")
def extraposed_subject(found: Statement, writer: Writer) -> Lesson | None:
    """NP with a clause, VP → the clause after the VP, maybe after a time."""
    extra = _extra(found.subject)
    if extra is None or not found.is_passive_or_intransitive:
        return None
    predicate = found.predicate
    if found.verb.label == "VBD" and writer.chance(0.4) and not any(is_temporal(child) for child in predicate):
        inner = found.chain[-1]
        predicate = displace(predicate, inner, extend(inner, writer.time()))
    if writer.chance(0.15):
        predicate = extend(predicate, word(",", ","))
    children = [*found.before, found.subject, *found.between, predicate, found.end]
    return finish(part("S", *children, last=[extra, found.end]), found.subject)


@rewriting("extraposed-object")
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
        rest = [writer.where(), *rest]
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
    beside = writer.time() if writer.chance(0.7) else writer.where()
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


# questions


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
        while start > 0 and words[start - 1].label in ("NN", "JJ"):
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


@rewriting("question", 0.6)
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


@rewriting("question-long", 0.3)
def question_long(found: Statement, writer: Writer) -> Lesson | None:
    """S → What did you say that X did?"""
    opened = _open(found, writer)
    if opened is None:
        return None
    changed, moved = opened
    inner = part("S", changed.subject, *changed.between, changed.predicate, first=[moved])
    return _ask(inner, moved, writer, can_take_that=True)


@rewriting("question-long-subject", 0.12)
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


@rewriting("embedded-question", 0.15)
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


# fronting, it, commands and forms


@rewriting("topicalised", 0.4)
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


@rewriting("it-clause", 0.12)
def it_clause(found: Statement, writer: Writer) -> Lesson | None:
    """S → It is clear that S."""
    extra = part("SBAR", word("IN", "that"), lower(_whole(found)))
    return _expletive(extra, quality(writer, lexicon.CLAIM_ADJECTIVES), writer)


@rewriting("it-infinitive", 0.12)
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
    clause = part("SBAR", word("IN", "that"), lower(_whole(found)))
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
