"""Rewritings of alpino: main clauses become questions, quotations, dependent clauses; phrases come first or last."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

from permutree_lab.teaching.composing import leaves, part
from permutree_lab.teaching.dutch.analysis import Main, analyse, statement
from permutree_lab.teaching.dutch.clauses import particle_word
from permutree_lab.teaching.dutch.lexicon import frames
from permutree_lab.teaching.dutch.morphology import AUXILIARIES, Verb
from permutree_lab.teaching.dutch.phrases import named, noun_phrase
from permutree_lab.teaching.dutch.reports import says_who
from permutree_lab.teaching.dutch.sentences import PUNCTUATION, QUOTES, finish, mark, quoted
from permutree_lab.teaching.lessons import Lesson, Rewriting
from permutree_lab.teaching.parts import Part, word

__all__ = ["REWRITINGS"]

#: what may come first, and adverbs and pronouns that do not
_MOVABLE = frozenset(["np", "pp", "bw", "adj", "ap", "n", "mwu", "vnw", "cp"])
_STAYING = frozenset(
    (
        *("niet", "al", "nog", "wel", "maar", "ook", "er", "zich", "het", "zelf", "eens", "even", "meer", "zo", "weer"),
        *("hem", "haar", "ons", "me", "je", "te", "zelfs", "echter", "dan", "toch", "zeer", "pas", "slechts", "reeds"),
    )
)


def _exchanged(one: Part, new: dict[Part, Part]) -> Part:
    """The part with other words in the place of some; words that are said but hang elsewhere stay."""
    if one.is_word:
        return new.get(one, one)
    children = tuple(_exchanged(child, new) for child in one.children)
    return Part(one.label, children, tuple(new.get(each, each) for each in one.order))


def _without(one: Part, gone: Part) -> Part:
    """The part without a constituent or word below it."""
    if one.is_word or not any(each is gone for each in one):
        return one
    children = tuple(_without(child, gone) for child in one.children if child is not gone)
    out = leaves(gone)
    return Part(one.label, children, tuple(each for each in one.order if each not in out))


def _relabelled(one: Part, label: str) -> Part:
    return Part(label, one.children, one.order)


def _goes_apart(one: Part, said: list[Part]) -> bool:
    """Whether the words of a part do not stand together in the order, punctuation aside."""
    order = [each for each in said if each.label not in PUNCTUATION]
    places = sorted(order.index(each) for each in leaves(one))
    return places[-1] - places[0] + 1 != len(places)


def _inverted(main: Main, first: list[Part]) -> list[Part]:
    """The words with a phrase before the finite verb and the subject, which was there, after it."""
    subject = [one for one in main.front if one.label not in PUNCTUATION]
    return [*first, main.finite, *subject, *(one for one in main.rest if one not in first)]


def _movable(main: Main) -> list[list[Part]]:
    found: list[list[Part]] = []
    for child in main.inner.children:
        words = main.side_by_side(child)
        if child.label not in _MOVABLE or words is None or (len(words) == 1 and words[0].text.lower() in _STAYING):
            continue
        found.append(list(words))
    return found


def _plain_subject(main: Main) -> bool:
    return main.subject_first and not any(one.label in PUNCTUATION for one in main.front)


def fronted(root: Part, random: Random) -> Iterator[Lesson]:
    """A phrase of the lowest verb comes first: Het rapport heeft de commissie gisteren besproken."""
    main = analyse(root)
    if main is None or not _plain_subject(main):
        return
    movable = _movable(main)
    for words in random.sample(movable, min(2, len(movable))):
        said = _inverted(main, words)
        if said[0].label != "vg" and _goes_apart(main.inner, said):
            yield finish(main.clause, said=said, gap=main.inner)


def subject_first(root: Part, random: Random) -> Iterator[Lesson]:
    """The subject comes first instead of something else: De commissie heeft gisteren het rapport besproken."""
    main = analyse(root)
    if main is None or main.subject_first or any(one.label in PUNCTUATION for one in main.front):
        return
    subject = main.side_by_side(main.subject)
    if subject is None or main.rest[: len(subject)] != subject:
        return
    said = [*subject, main.finite, *main.front, *main.rest[len(subject) :]]
    if main.front[0].text != "er" and not _goes_apart(main.inner, said):
        yield finish(main.clause, said=said)


def polar_question(root: Part, random: Random) -> Iterator[Lesson]:
    """The finite verb comes first: Heeft de commissie gisteren het rapport besproken?"""
    main = analyse(root)
    if main is None or not _plain_subject(main) or random.random() < 0.5:
        return
    yield finish(_relabelled(main.clause, "sv1"), said=[main.finite, *main.front, *main.rest], end="?")


def subject_question(root: Part, random: Random) -> Iterator[Lesson]:
    """The subject is asked for: Wie heeft gisteren het rapport besproken?"""
    main = analyse(root)
    if main is None or not _plain_subject(main) or main.finite.text not in _SINGULAR or random.random() < 0.6:
        return
    passive = main.finite.text in ("is", "was", "werd", "wordt")
    asked = word("vnw", "wat" if passive else "wie")
    rest = _relabelled(_without(main.clause, main.subject), "sv1")
    yield finish(part("whq", asked, rest), said=[asked, main.finite, *main.rest], end="?")


def object_question(root: Part, random: Random) -> Iterator[Lesson]:
    """An object is asked for: Welk rapport heeft de commissie besproken? It hangs above the clause, without a gap."""
    main = analyse(root)
    if main is None or not _plain_subject(main):
        return
    for child in main.inner.children:
        words = main.side_by_side(child)
        article = child.children[0] if child.children else None
        if child.label != "np" or words is None or article is None or article.text not in ("de", "het"):
            continue
        shape = [each.label for each in child.children[1:]]
        if shape.count("n") != 1 or {"mwu", "spec", "np", "tw"} & set(shape):
            continue
        asked_for = {article: word("vnw", "welke" if article.text == "de" else "welk")}
        asked = _exchanged(child, asked_for)
        rest = _relabelled(_without(main.clause, child), "sv1")
        said = [asked_for.get(one, one) for one in words]
        said += [main.finite, *main.front, *(one for one in main.rest if one not in words)]
        yield finish(part("whq", asked, rest), said=said, end="?")
        return


_SECOND = {"heeft": "hebt", "is": "bent", "zal": "zult", "kan": "kunt", "wil": "wilt"}
_SAME = frozenset(
    ["had", "was", "werd", "zou", "kon", "moest", "mocht", "wilde", "moet", "mag", "wordt", "ging", "gaat"]
)
_THINGS = frozenset(["het", "dat", "dit", "alles", "niets"])
_SINGULAR = frozenset(_SECOND) | _SAME


def second_person(root: Part, random: Random) -> Iterator[Lesson]:
    """The subject is the one who is spoken to: U hebt gisteren het rapport besproken."""
    main = analyse(root)
    if main is None or not _plain_subject(main) or main.finite.text not in _SINGULAR or random.random() < 0.5:
        return
    if any(one.text in ("zich", "zijn", "haar") for one in main.rest) or main.subject.texts[0] in _THINGS:
        return
    who = word("vnw", random.choice(["je", "jij", "u"]))
    finite = word("ww", _SECOND.get(main.finite.text, main.finite.text))
    clause = part(
        "smain",
        who,
        *(finite if one is main.finite else one for one in main.clause.children if one is not main.subject),
    )
    yield finish(clause, said=[who, finite, *main.rest])


def dat_clause(root: Part, random: Random) -> Iterator[Lesson]:
    """A clause with dat, its verbs last: De krant meldt dat de commissie het rapport heeft besproken."""
    main = analyse(root)
    if main is None or random.random() < 0.4:
        return
    cluster = main.cluster()
    first = main.side_by_side(main.subject)
    if cluster is None:
        return
    if _plain_subject(main):
        words = [*main.front, *main.rest]
        shift = len(main.front)
    elif (
        first is not None
        and main.rest[: len(first)] == first
        and not any(one.label in PUNCTUATION for one in main.front)
    ):
        words = [*first, *main.front, *main.rest[len(first) :]]
        shift = len(main.front)
    else:
        return
    if any(one.label in PUNCTUATION for one in words[: shift + cluster[0]]):
        return
    lowest_first = main.chain[-1].label == "ppart" and len(main.verbs) == 1 and random.random() < 0.5
    at = shift + (cluster[1] if lowest_first else cluster[0])
    said = [*words[:at], main.finite, *words[at:]]
    conjunction = word("vg", random.choice(["dat", "dat", "dat", "omdat", "hoewel", "terwijl"]))
    ssub = Part("ssub", main.clause.children, tuple(said))
    made = part("cp", conjunction, ssub)
    if conjunction.text == "dat":
        doer = random.choice([named(random, "full"), noun_phrase(random, "o", det="de", plural=False, light=True)])
        verb = word("ww", random.choice(["zegt", "meldt", "verklaarde", "zei", "gelooft", "vindt", "weet", "hoopt"]))
        outer = part("smain", doer.part, verb, made)
        yield finish(outer, said=[*outer.words[: len(doer.part.words) + 1], conjunction, *said])
    else:
        opening = part("smain", word("vnw", "dat"), word("ww", "gebeurde"), made)
        yield finish(opening, said=[*opening.words[:2], conjunction, *said])


def _tops(clause: Part, words: tuple[Part, ...]) -> list[int]:
    """Places where a clause may be interrupted: between its phrases, after the first and before the last words."""
    finite = next((child for child in clause.children if child.label == "ww"), None)
    if finite is None or finite not in words:
        return []
    places = []
    for at in range(words.index(finite), len(words) - 1):
        if at == 0 or words[at].label in PUNCTUATION or words[at - 1].label in PUNCTUATION:
            continue
        if _between(clause, words[at - 1], words[at]):
            places.append(at)
    return places


def _between(clause: Part, left: Part, right: Part) -> bool:
    """Whether two neighbours meet in the clause or in a phrase of its verbs, and not inside another phrase."""
    node = clause
    while True:
        child = next((one for one in node.children if {left, right} <= leaves(one)), None)
        if child is None:
            break
        node = child
    if node.label not in ("smain", "ppart", "inf"):
        return False
    above = [one for one in clause if one is not clause and any(each is node for each in one) and one is not node]
    return all(one.label in ("ppart", "inf") for one in above) and right.label != "ww"


def fronted_quotation(root: Part, random: Random) -> Iterator[Lesson]:
    """The clause is what somebody said: “De commissie heeft het rapport besproken”, zei de voorzitter."""
    found = statement(root)
    if found is None or random.random() < 0.6:
        return
    clause, words = found
    who = says_who(random)
    marks = random.choice(QUOTES)
    said = [*quoted(list(words), marks), mark(","), *who.words]
    yield finish(part("du", clause, who), said=said)


def interrupted(root: Part, random: Random) -> Iterator[Lesson]:
    """The clause goes around who said it: De commissie, zei de voorzitter, heeft het rapport besproken."""
    found = statement(root)
    if found is None or random.random() < 0.4:
        return
    clause, words = found
    places = _tops(clause, words)
    if not places:
        return
    at = random.choice(places[:3] + places)
    marks = random.choice(QUOTES) if random.random() < 0.6 else ("", "")
    chance = random.random()
    if chance < 0.2:
        source = random.choice([named(random, "title-full"), noun_phrase(random, "po", det="de", plural=False)])
        who = part("pp", word("bw", "aldus"), source.part)
    else:
        who = says_who(random, thinking=not marks[0] and chance > 0.75)
    first, second = list(words[:at]), list(words[at:])
    said = [*quoted(first, marks), mark(","), *who.words, mark(","), *([mark(marks[0])] if marks[0] else []), *second]
    ending = [mark("."), *([mark(marks[1])] if marks[0] else [])]
    yield finish(part("du", clause, who), said=[*said, *ending], end="", gap=clause)


_LATE = frozenset(["rel", "cp", "oti", "ti", "pp"])


def extraposed(root: Part, random: Random) -> Iterator[Lesson]:
    """What ends a noun phrase comes after the verbs: De commissie heeft een rapport besproken dat niemand kende."""
    yield from _moved(root, random, out=True)


def attached(root: Part, random: Random) -> Iterator[Lesson]:
    """What was said after the verbs comes back to its noun: … heeft een rapport dat niemand kende besproken."""
    yield from _moved(root, random, out=False)


def _noun_phrases(main: Main) -> Iterator[Part]:
    """Noun phrases with something at the end that may come last, also below a preposition."""
    for owner in (*main.inner.children, main.subject):
        for one in (owner, *(owner.children[-1:] if owner.label == "pp" else ())):
            if one.label == "np" and one.children[-1].label in _LATE:
                yield one


def _moved(root: Part, random: Random, *, out: bool) -> Iterator[Lesson]:
    main = analyse(root)
    cluster = main.cluster() if main is not None else None
    if main is None or cluster is None:
        return
    rest = list(main.rest)
    for phrase in _noun_phrases(main):
        last = phrase.children[-1]
        own = leaves(last)
        places = [number for number, each in enumerate(rest) if each in own]
        head = [number for number, each in enumerate(rest) if each in leaves(phrase) - own]
        if not places or not head or len(places) != len(own) or (last.label == "pp" and len(own) < 3):
            continue
        moved = rest[places[0] : places[-1] + 1]
        before = places[0] - 1 if rest[places[0] - 1].label in PUNCTUATION else places[0]
        after = places[-1] + 1
        closed = after < len(rest) and rest[after].label in PUNCTUATION
        if out and after + closed == cluster[0] and cluster[1] == len(rest):
            kept = [*rest[:before], *rest[after + closed :]]
            said = [*main.front, main.finite, *kept, *([mark(",")] if before < places[0] else []), *moved]
            if _goes_apart(phrase, said):
                yield finish(main.clause, said=said, gap=phrase)
        elif (
            not out
            and last.label in ("rel", "pp")
            and places[0] >= cluster[1]
            and after == len(rest)
            and len(moved) <= 9
        ):
            at = head[-1] + 1
            said = [*main.front, main.finite, *rest[:at], *moved, *rest[at:before]]
            if at <= cluster[0] and not _goes_apart(phrase, said):
                yield finish(main.clause, said=said)


@cache
def _verbs() -> dict[str, Verb]:
    """Verbs by their infinitive."""
    return {frame.verb.whole_infinitive: frame.verb for frame in frames()} | dict(AUXILIARIES.items())


def imperative(root: Part, random: Random) -> Iterator[Lesson]:
    """The lowest infinitive becomes a request: … wil het rapport morgen bespreken → Bespreek het rapport morgen!"""
    main = analyse(root)
    if main is None or main.inner.label != "inf" or not main.subject_first:
        return
    infinitive = main.verbs[-1]
    verb = _verbs().get(infinitive.text)
    if verb is None or infinitive.text in AUXILIARIES or (main.rest[-1] is not infinitive and main.cluster() is None):
        return
    if any(one.text in ("zich", "er", "hij", "zij", "ze", "zijn", "hun") for one in main.rest):
        return
    own = leaves(main.inner) - {infinitive}
    said_items = [one for one in main.rest if one in own or one.label in PUNCTUATION]
    if not said_items or said_items[-1].label in PUNCTUATION or said_items[0].label in PUNCTUATION:
        return
    finite = word("ww", verb.first)
    particle = particle_word(verb.particle) if verb.particle else None
    late = [one for one in said_items if main.rest.index(one) > main.rest.index(infinitive)]
    early = [one for one in said_items if one not in late]
    children = [child for child in main.inner.children if child is not infinitive]
    said = [finite, *early, *([particle] if particle else []), *late]
    made = part("sv1", finite, *children, particle, order=said)
    yield finish(made, said=said, end=random.choice([".", "!"]))


def all_caps(root: Part, random: Random) -> Iterator[Lesson]:
    """The sentence in capitals."""
    found = statement(root)
    if found is not None and random.random() < 0.04:
        yield finish(found[0], said=list(found[1]), upper=True)


#: the rewritings by kind
REWRITINGS: dict[str, Rewriting] = {
    "fronted": fronted,
    "subject-first": subject_first,
    "polar-question": polar_question,
    "subject-question": subject_question,
    "object-question": object_question,
    "second-person": second_person,
    "dat-clause": dat_clause,
    "fronted-quotation": fronted_quotation,
    "interrupted": interrupted,
    "extraposed": extraposed,
    "attached": attached,
    "imperative": imperative,
    "all-caps": all_caps,
}
