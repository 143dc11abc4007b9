"""X said that S, or S alone, becomes a fronted quotation, a parenthetical, or something alike without a gap."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from permutree_lab.teaching.english import lexicon
from permutree_lab.teaching.english.grammar.speech import thinking
from permutree_lab.teaching.english.phrases import Writer, capitalise, noun_phrase
from permutree_lab.teaching.english.rewriting.rewritings import REWRITINGS, rewriting
from permutree_lab.teaching.english.shapes import Saying, finish, front, interrupt, marks, pick_spot, say, spots
from permutree_lab.teaching.english.statements import Statement, lower, sentence_of, unended
from permutree_lab.teaching.lessons import Lesson
from permutree_lab.teaching.parts import Part, extend, part, replace_words, word

#: what rewrites a sentence with its full stop
SentenceRewriter = Callable[[Part, Writer], Lesson | None]


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
    return interrupt(sentence, pick_spot(writer, found_spots), saying, quotation) if found_spots else None


def sentence_rewriting(kind: str, share: float) -> Callable[[SentenceRewriter], None]:
    """Register what rewrites whole sentences, also those of several clauses."""

    def register(make: SentenceRewriter) -> None:
        def rewrite(root: Part, random: Random) -> Iterator[Lesson]:
            sentence, writer = sentence_of(root), Writer(random)
            if sentence is not None and writer.chance(share):
                made = make(sentence, writer)
                if made is not None:
                    yield made

        REWRITINGS[kind] = rewrite

    return register


@sentence_rewriting("fronted-quotation", 0.3)
def fronted_quotation(sentence: Part, writer: Writer) -> Lesson | None:
    """S → “S,” said X."""
    quotation = marks(writer)
    if writer.chance(0.1):
        return front(unended(sentence), thinking(writer), None)
    return front(unended(sentence), say(writer, lexicon.SAYING_VERBS, is_quoted=quotation is not None), quotation)


@sentence_rewriting("parenthetical", 0.35)
def parenthetical(sentence: Part, writer: Writer) -> Lesson | None:
    """S → S₁, X said, S₂."""
    places = spots(sentence)
    if not places:
        return None
    quotation = marks(writer, 0.4)
    saying = say(writer, lexicon.SAYING_VERBS, is_quoted=quotation is not None)
    if writer.chance(0.12):
        saying, quotation = thinking(writer), None
    return interrupt(sentence, pick_spot(writer, places), saying, quotation)


@rewriting("reported-clause", 0.1)
def reported_clause(found: Statement, writer: Writer) -> Lesson | None:
    """S → X said that S: nothing is displaced."""
    saying = say(writer, lexicon.SAYING_VERBS, is_quoted=False)
    if saying.is_inverted:
        return None
    quotation = marks(writer, 0.3)
    whole = found.whole
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
