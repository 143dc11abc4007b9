"""Rewritings of squoia_de: main clauses become questions, quotations, dependent clauses; phrases come first or last."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

from permutree_lab.teaching.composing import leaves, loosen, part
from permutree_lab.teaching.german.analysis import Main, analyse
from permutree_lab.teaching.german.clauses import Item, build, comma
from permutree_lab.teaching.german.lexicon import frames, names
from permutree_lab.teaching.german.morphology import AUXILIARIES, MODALS, NOMINATIVE, OBLIQUE, Person, Verb
from permutree_lab.teaching.german.reports import says_who, speaker_of
from permutree_lab.teaching.german.sentences import PUNCTUATION, QUOTES, finish, quoted
from permutree_lab.teaching.german.statements import copula_clause, reporting
from permutree_lab.teaching.lessons import Lesson, Rewriting
from permutree_lab.teaching.parts import Part, replace_words, word

__all__ = ["REWRITINGS"]


def _sentence(random: Random, clause: Part, words: list[Part], end: str = ".", gap: Part | None = None) -> Lesson:
    return finish(random, clause, said=words, end=end, gap=gap, respelt=False)


def _is_pronoun(one: Part) -> bool:
    return one.words[0].label in ("PPER", "PRF") or one.words[0].text.lower() == "man"


def _inverted(main: Main, first: list[Part], subject: list[Part]) -> list[Part]:
    """The words with something else before the finite verb and the subject after it."""
    rest = [one for one in main.rest if one not in first]
    light = rest[:1] if rest and rest[0].label == "PRF" and not _is_pronoun(main.subject) else []
    return [*main.opening, *first, main.finite, *light, *subject, *rest[len(light) :]]


def _is_clear(main: Main, one: Part) -> bool:
    """Whether nobody takes a phrase that comes first for the subject."""
    if one.label not in ("NP", "CNP") or one.texts[0].lower() in OBLIQUE:
        return True
    return main.subject.texts[0].lower() in NOMINATIVE


def fronted_complement(root: Part, random: Random) -> Iterator[Lesson]:
    """A phrase of the VP comes first: Den Bericht hat die Kammer gestern veröffentlicht."""
    main = analyse(root)
    if main is None or not main.subject_first or main.vp is None:
        return
    inside = [one for one in main.movable() if one in main.vp.children and _is_clear(main, one)]
    for one in random.sample(inside, min(2, len(inside))):
        words = _inverted(main, main.words_of(one), list(main.front_words))
        if _goes_apart(main.vp, words):
            yield _sentence(random, main.clause, words, gap=main.vp)


def fronted_flat(root: Part, random: Random) -> Iterator[Lesson]:
    """A phrase of the clause comes first, and no gap arises: Den Bericht veröffentlichte die Kammer gestern."""
    main = analyse(root)
    if main is None or not main.subject_first:
        return
    outside = [one for one in main.movable() if one in main.clause.children and _is_clear(main, one)]
    for one in random.sample(outside, min(2, len(outside))):
        yield _sentence(random, main.clause, _inverted(main, main.words_of(one), list(main.front_words)))


def fronted_verb(root: Part, random: Random) -> Iterator[Lesson]:
    """The last verb comes first: Veröffentlicht hat die Kammer den Bericht gestern."""
    main = analyse(root)
    if main is None or not main.subject_first or main.vp is None or random.random() < 0.6:
        return
    verbs = [one for one in main.vp.children if one.label in ("VVPP", "VVINF")]
    if len(verbs) != 1 or main.rest[-1] is not verbs[0] or any(one.label == "VP" for one in main.vp.children):
        return
    words = _inverted(main, verbs, list(main.front_words))
    if _goes_apart(main.vp, words):
        yield _sentence(random, main.clause, words, gap=main.vp)


def _goes_apart(one: Part, words: list[Part]) -> bool:
    """Whether the words of a part do not stand together in the order, punctuation aside."""
    said = [each for each in words if each.label not in PUNCTUATION]
    places = sorted(said.index(each) for each in leaves(one))
    return places[-1] - places[0] + 1 != len(places)


def polar_question(root: Part, random: Random) -> Iterator[Lesson]:
    """The finite verb comes first: Hat die Kammer den Bericht veröffentlicht?"""
    main = analyse(root)
    if main is None or random.random() < 0.3:
        return
    if not main.subject_first and (_is_pronoun(main.subject) or main.rest[0].label in ("PRF", "PPER")):
        return
    yield _sentence(random, main.clause, [*main.opening, main.finite, *main.front_words, *main.rest], "?")


def why_question(root: Part, random: Random) -> Iterator[Lesson]:
    """An adverb is asked for: Warum hat die Kammer den Bericht veröffentlicht?"""
    main = analyse(root)
    if main is None or not main.subject_first or random.random() < 0.5:
        return
    asked = part("AVP", word("PWAV", random.choice(["warum", "warum", "wann", "wieso", "wie", "weshalb"])))
    clause = Part(main.clause.label, (asked, *main.clause.children), main.clause.order)
    yield _sentence(random, clause, [*main.opening, *asked.words, main.finite, *main.front_words, *main.rest], "?")


_WHICH = {"der": "welcher", "die": "welche", "das": "welches", "den": "welchen", "dem": "welchem"}


def _asked(main: Main, one: Part) -> tuple[Part, Part] | None:
    """The clause with welch- in the place of an article, and the phrase that has it."""
    article = next((child for child in one.children if child.label == "ART"), None)
    if one.label != "NP" or article is None or article is not one.children[0] or article.text.lower() not in _WHICH:
        return None
    if any(child.label == "PN" for child in one.children):
        return None
    return article, word("PWAT", _WHICH[article.text.lower()])


def which_question(root: Part, random: Random) -> Iterator[Lesson]:
    """A noun phrase is asked for: Welchen Bericht hat die Kammer veröffentlicht? Welche Kammer hat …?"""
    main = analyse(root)
    if main is None or not main.subject_first:
        return
    for one in (main.subject, *main.movable()):
        found = _asked(main, one)
        if found is None or not (one is main.subject or _is_clear(main, one)):
            continue
        new = {found[0]: found[1]}
        clause = replace_words_loosely(main.clause, new)
        if one is main.subject:
            words = [*main.opening, *main.front_words, main.finite, *main.rest]
        else:
            words = _inverted(main, main.words_of(one), list(main.front_words))
        yield _sentence(random, clause, [new.get(each, each) for each in words], "?")


def replace_words_loosely(one: Part, new: dict[Part, Part]) -> Part:
    """The part with other words in the place of some; words that are said but hang elsewhere stay."""
    if one.is_word:
        return new.get(one, one)
    children = tuple(replace_words_loosely(child, new) for child in one.children)
    return Part(one.label, children, tuple(new.get(each, each) for each in one.order))


def _verb_last(main: Main, conjunction: Part) -> tuple[Part, list[Part]] | None:
    """The clause with its finite verb last, before what follows the verbs; None if that place is not sure."""
    if main.opening or (not main.subject_first and _is_pronoun(main.subject)):
        return None
    words = [*main.front_words, *main.rest]
    finite, particle = main.finite, next((one for one in main.clause.children if one.label == "PTKVZ"), None)
    verbs = [
        one
        for one in main.rest
        if one.label in ("VVPP", "VVINF", "VAPP", "VAINF", "VMINF", "PTKVZ") and _governed(main, one)
    ]
    if verbs:
        at = words.index(verbs[-1]) + 1
    else:
        at = _before_last_clause(main, words)
        if any(one.label in PUNCTUATION for one in words[len(main.front_words) : at]):
            return None
    children = [child for child in main.clause.children if child is not finite and child is not particle]
    new = word(finite.label, (particle.text if particle else "") + finite.text)
    words.insert(at, new)
    if particle is not None:
        words.remove(particle)
    return part("S", conjunction, *children, new, order=[conjunction, *words]), [conjunction, *words]


def _before_last_clause(main: Main, words: list[Part]) -> int:
    """Where the clause that ends the sentence starts, with its comma; the end of the sentence, if there is none."""
    starts = [len(words)]
    for node in main.clause:
        if node.label in ("S", "CS", "VP") and words[-1] in leaves(node) and node is not main.clause:
            start = min(words.index(one) for one in leaves(node))
            if start > 0 and words[start - 1].label == "$,":
                starts.append(start - 1)
    return min(starts)


def _governed(main: Main, verb: Part) -> bool:
    """Whether a verb belongs to the finite one: it hangs in the clause or in the VP of the clause."""
    if verb in main.clause.children:
        return True
    vp = main.vp
    while vp is not None:
        if verb in vp.children:
            return True
        vp = next((child for child in vp.children if child.label == "VP"), None)
    return False


def dass_clause(root: Part, random: Random) -> Iterator[Lesson]:
    """A dass-clause, or one with weil or obwohl: Er sagte, dass die Kammer den Bericht veröffentlicht hat."""
    main = analyse(root)
    if main is None or random.random() < 0.3:
        return
    conjunction = word("KOUS", random.choice(["dass", "dass", "dass", "weil", "obwohl", "wenn"]))
    made = _verb_last(main, conjunction)
    if made is None:
        return
    inner = Part(made[0].label, made[0].children, (comma(), *made[1], comma()))
    outer = reporting(random) if conjunction.text == "dass" else copula_clause(random)
    item = Item(inner, conjunction.text == "dass", 20, "clause", in_vp_first=False)
    if random.random() < 0.3:
        outer.items.append(item)
        whole = build(outer, "second", first=item)
    else:
        outer.after.append(item)
        whole = build(outer, "second")
    yield finish(random, whole, respelt=False)


def long_question(root: Part, random: Random) -> Iterator[Lesson]:
    """A noun phrase of a dass-clause is asked for: Welchen Bericht glauben Sie, dass die Kammer veröffentlicht hat?"""
    main = analyse(root)
    if main is None or not main.subject_first:
        return
    for one in (main.subject, *main.movable()):
        found = _asked(main, one)
        made = _verb_last(main, word("KOUS", "dass")) if found else None
        if found is None or made is None:
            continue
        new = {found[0]: found[1]}
        clause = replace_words_loosely(made[0], new)
        asked = [new.get(each, each) for each in main.words_of(one)]
        rest = [new.get(each, each) for each in made[1]]
        rest = [each for each in rest if each not in asked]
        who, verb = random.choice(
            [
                ("Sie", "glauben"),
                ("du", "glaubst"),
                ("Sie", "meinen"),
                ("ihr", "denkt"),
                ("du", "sagst"),
                ("er", "behauptet"),
            ]
        )
        says = [word("VVFIN", verb), part("NP", word("PPER", who))]
        while asked[-1].label in PUNCTUATION:
            asked.pop()
        if rest[1].label == "$,":
            del rest[1]
        words = [*asked, *says, comma(), *rest]
        yield _sentence(random, part("S", clause, *says, order=words), words, "?", gap=clause)
        return


def _boundaries(main: Main) -> list[int]:
    """Where the clause can be interrupted: after the first phrase, the finite verb, or a phrase of the clause."""
    words = [*main.opening, *main.front_words, main.finite, *main.rest]
    ends = {len(main.opening) + len(main.front_words)}
    if main.rest and main.rest[0].label not in ("PPER", "PRF"):
        ends.add(len(main.opening) + len(main.front_words) + 1)
    for one in (main.subject, *main.movable()):
        places = [words.index(each) for each in leaves(one)]
        ends.add(max(places) + 1)
    return sorted(end for end in ends if 0 < end < len(words) and words[end].label not in ("PPER", "PRF"))


def fronted_quotation(root: Part, random: Random) -> Iterator[Lesson]:
    """„Die Kammer hat den Bericht veröffentlicht“, sagte der Präsident."""
    main = analyse(root)
    if main is None or random.random() < 0.5:
        return
    words = [*main.opening, *main.front_words, main.finite, *main.rest]
    says = says_who(random)
    said = [*quoted(words, random.choice(QUOTES)), comma(), *says]
    yield _sentence(random, part("S", main.clause, *says), said)


def split_quotation(root: Part, random: Random) -> Iterator[Lesson]:
    """„Die Kammer“, sagte der Präsident, „hat den Bericht veröffentlicht.“ Or without marks: …, glaube ich, …"""
    main = analyse(root)
    cuts = _boundaries(main) if main is not None else []
    if main is None or not cuts or random.random() < 0.3:
        return
    words = [*main.opening, *main.front_words, main.finite, *main.rest]
    cut = random.choice(cuts)
    marks = random.choice(QUOTES)
    says = says_who(random)
    if not marks[0] and random.random() < 0.6:
        who, verb = random.choice(
            [("ich", "glaube"), ("ich", "meine"), ("ich", "fürchte"), ("wir", "hoffen"), ("er", "sagt")]
        )
        says = [word("VVFIN", verb), part("NP", word("PPER", who))]
    said = [*quoted(words[:cut], marks), comma(), *says, comma(), *quoted(words[cut:], marks)]
    yield _sentence(random, part("S", main.clause, *says), said, gap=main.clause)


def according_to(root: Part, random: Random) -> Iterator[Lesson]:
    """Die Kammer, so der Präsident, hat den Bericht veröffentlicht."""
    main = analyse(root)
    cuts = _boundaries(main) if main is not None else []
    if main is None or not cuts or random.random() < 0.7:
        return
    words = [*main.opening, *main.front_words, main.finite, *main.rest]
    so, speaker = word("ADV", "so"), speaker_of(random).part
    if speaker.words[0].label == "PPER":
        return
    marks = random.choice(QUOTES)
    top = part("S", part("AVP", main.clause, so), speaker)
    if random.random() < 0.4:
        yield _sentence(random, top, [*quoted(words, marks), comma(), so, speaker])
        return
    cut = random.choice(cuts)
    said = [*quoted(words[:cut], marks), comma(), so, speaker, comma(), *quoted(words[cut:], marks)]
    yield _sentence(random, top, said, gap=main.clause)


def introduced_quotation(root: Part, random: Random) -> Iterator[Lesson]:
    """Der Präsident sagte: „Die Kammer hat den Bericht veröffentlicht.“"""
    main = analyse(root)
    if main is None or random.random() < 0.8:
        return
    words = [*main.opening, *main.front_words, main.finite, *main.rest]
    verb, speaker, *more = says_who(random)
    colon = word("$.", ":")
    said = [speaker, verb, *more, colon, *quoted(words, random.choice(QUOTES[:5]))]
    yield _sentence(random, part("S", speaker, verb, *more, main.clause), said)


def _parents(root: Part) -> dict[Part, Part]:
    return {child: node for node in root for child in node.children}


def _trailing(node: Part) -> Part | None:
    """A relative clause, dass-clause, infinitive or prepositional phrase at the end of a noun phrase."""
    if node.label not in ("NP", "CNP") or len(node.children) < 2:
        return None
    last = node.children[-1]
    if last.label not in ("S", "CS", "VP", "PP") or not any(
        child.is_word and child.label in ("NN", "NE", "PIS") for child in node.children
    ):
        return None
    return last


def extraposed(root: Part, random: Random) -> Iterator[Lesson]:
    """What ends a noun phrase is said after the verbs: Die Kammer hat einen Bericht veröffentlicht, der …"""
    main = analyse(root)
    if main is None:
        return
    verbs = [
        one
        for one in main.rest
        if one.label in ("VVPP", "VVINF", "VAPP", "VAINF", "VMINF", "PTKVZ") and _governed(main, one)
    ]
    words = [*main.opening, *main.front_words, main.finite, *main.rest]
    if not verbs or main.rest[-1] is not verbs[-1]:
        return
    for node in main.clause:
        late = _trailing(node)
        if late is None:
            continue
        own, tail = leaves(node), leaves(late)
        places = sorted(words.index(each) for each in own)
        between = words[places[0] : places[-1] + 1]
        if any(each not in own and each.label not in PUNCTUATION for each in between):
            continue
        ends = words.index(main.finite) < places[0] and words[places[-1] + 1 : places[-1] + 2]
        if late.label == "PP" and (not ends or not any(each in verbs for each in words[places[-1] + 1 :][:1])):
            continue
        start, stop = min(words.index(one) for one in tail), places[-1] + 1
        before, after = words[:start], words[stop:]
        if late.label != "PP":
            before, after = _without_comma(before, -1), _without_comma(after, 0)
        mark = [] if late.label == "PP" else [comma()]
        order = [*before, *after, *mark, *words[start:stop]]
        if late.label == "PP" and (random.random() < 0.5 or late.words[0].label not in ("APPR", "APPRART")):
            continue
        if _goes_apart(node, order):
            yield _sentence(random, main.clause, order, gap=node)


def _without_comma(words: list[Part], at: int) -> list[Part]:
    """The words without the comma at one of their ends, if there is one."""
    return [one for one in words if one is not words[at] or one.label != "$,"]


def attached(root: Part, random: Random) -> Iterator[Lesson]:
    """What was said after the verbs is said beside its noun again: the opposite of extraposed."""
    main = analyse(root)
    if main is None:
        return
    words = [*main.opening, *main.front_words, main.finite, *main.rest]
    for node in main.clause:
        late = _trailing(node)
        if late is None or late.label == "PP" or not _goes_apart(node, words) or _goes_apart(late, words):
            continue
        tail = sorted(leaves(late), key=words.index)
        start, stop = words.index(tail[0]), words.index(tail[-1]) + 1
        if stop != len(words):
            continue
        said = words[start:stop]
        others = [each for each in leaves(node) if each not in tail]
        at = max(words.index(each) for each in others) + 1
        if any(words.index(each) > start for each in others):
            continue
        before = words[:at]
        middle = [
            each for number, each in enumerate(words[at:start], at) if not (number == start - 1 and each.label == "$,")
        ]
        yield _sentence(random, main.clause, [*before, comma(), *said, comma(), *middle])


def verb_second(root: Part, random: Random) -> Iterator[Lesson]:
    """A dependent clause of a sentence as a main clause: Die Kammer hat den Bericht veröffentlicht."""
    for node in root:
        if node.label != "S" or node.children[0].label != "KOUS" or len(node.children) < 4:
            continue
        clause = loosen(node, PUNCTUATION)
        finites = [child for child in clause.children if child.label in ("VAFIN", "VMFIN")]
        subject = clause.children[1]
        if len(finites) != 1 or subject.label not in ("NP", "CNP") or subject.words[0].label == "PRF":
            continue
        words = [one for one in node.words if one not in (clause.children[0], finites[0])]
        marks = [one for one in words if one.label in ("$[", "$.")]
        own = leaves(subject)
        if (
            marks
            or not own <= set(words)
            or [one for one in words if one in own] != words[: len(own)]
            or not 4 <= len(words) <= 30
        ):
            continue
        if sorted(root.words.index(one) for one in node.words)[-1] - root.words.index(node.words[0]) + 1 != len(
            node.words
        ):
            continue
        finite = finites[0]
        order = [*words[: len(own)], finite, *words[len(own) :]]
        yield _sentence(random, part("S", *clause.children[1:], order=order), order)


_PARTICLES = (
    *("zurück", "zusammen", "weiter", "fest", "statt", "teil", "vorbei", "bei", "mit", "nach"),
    *("auf", "aus", "ein", "vor", "ab", "an", "her", "hin", "los", "zu"),
)


@cache
def _known() -> dict[str, Verb]:
    return {frame.verb.whole: frame.verb for frame in frames()}


def imperative(root: Part, random: Random) -> Iterator[Lesson]:
    """An infinitive with zu becomes a request: Unterstützen Sie die Kammer! Stell den Bericht vor!"""
    for node in root:
        if node.label != "VP" or any(child.label in ("KOUI", "VP", "CVP", "S") for child in node.children):
            continue
        vp = loosen(node, PUNCTUATION)
        verbs = [child for child in vp.children if child.label in ("VZ", "VVIZU")]
        if len(verbs) != 1 or len(vp.children) < 2 or not _stands_together(root, node):
            continue
        split = _split_zu(verbs[0])
        if split is None:
            continue
        infinitive, particle = split
        rest = [one for one in vp.children if one.label not in ("VZ", "VVIZU")]
        said = [one for one in vp.words if any(one in leaves(child) for child in rest) or one.label == "$,"]
        verb = _known().get((particle.text if particle else "") + infinitive)
        person: Person = random.choice(["2s", "2p", "3p"]) if verb else "3p"
        form = verb.imperative(person) if verb else infinitive
        finite = word("VVFIN" if person == "3p" else "VVIMP", form)
        polite = part("NP", word("PPER", "Sie")) if person == "3p" else None
        new = {
            one: word("PRF", {"2s": "dich", "2p": "euch", "3p": "sich"}[person]) for one in said if one.text == "sich"
        }
        if any(one.label in ("$[", "$.", "KOKOM") for one in said):
            continue
        children = [replace_words_loosely(one, new) for one in rest]
        words = [
            finite,
            *([polite] if polite else []),
            *(new.get(one, one) for one in said),
            *([particle] if particle else []),
        ]
        clause = part("S", finite, polite, *children, particle)
        yield _sentence(random, clause, words, random.choice(["!", "!", "."]))


def _stands_together(root: Part, node: Part) -> bool:
    places = sorted(root.words.index(one) for one in leaves(node))
    return places[-1] - places[0] + 1 == len(places)


def _split_zu(verb: Part) -> tuple[str, Part | None] | None:
    if verb.label == "VZ":
        found = [child for child in verb.children if child.label == "VVINF"]
        return (found[0].text, None) if len(found) == 1 and len(verb.children) == 2 else None
    for particle in _PARTICLES:
        if verb.text.startswith(particle + "zu") and len(verb.text) > len(particle) + 5:
            return verb.text[len(particle) + 2 :], word("PTKVZ", particle)
    return None


def second_person(root: Part, random: Random) -> Iterator[Lesson]:
    """ich, er or wir becomes du, ihr or Sie: Du hast den Bericht veröffentlicht. Hast du …?"""
    main = analyse(root)
    if main is None or len(leaves(main.subject)) != 1 or main.subject.words[0].label not in ("PPER", "PIS", "PDS"):
        return
    if main.subject.words[0].text.lower() not in ("ich", "er", "sie", "wir", "man"):
        return
    name, person = random.choice([("du", "2s"), ("du", "2s"), ("ihr", "2p"), ("Sie", "3p")])
    form = _form(main.finite, person, main.clause)  # type: ignore[arg-type]
    if form is None:
        return
    reflexive = {"2s": "dich", "2p": "euch", "3p": "sich"}[person]
    clause_words = [*main.opening, *main.front_words, main.finite, *main.rest]
    new: dict[Part, Part] = {main.subject.words[0]: word("PPER", name), main.finite: word(main.finite.label, form)}
    objects = [one for one in main.clause if one.label in ("NP", "CNP") and one is not main.subject]
    if any(one.words[0].label == "PRF" for one in objects) and len(objects) > 1:
        # sich may be a dative
        return
    for one in clause_words:
        if one.label == "PRF" and one in leaves(main.clause):
            new[one] = word("PRF", reflexive)
        elif one.text.lower() in ("mich", "mir", "uns", "ihn", "ihm") or one.label == "PPOSAT":
            return
    clause = replace_words_loosely(main.clause, new)
    words = [new.get(one, one) for one in clause_words]
    if random.random() < 0.5 and not main.opening:
        finite = new[main.finite]
        asked = [finite, *(one for one in words if one is not finite)]
        if main.subject_first:
            yield _sentence(random, clause, asked, "?")
            return
    yield _sentence(random, clause, words)


def _form(finite: Part, person: Person, clause: Part) -> str | None:
    """The form of a finite verb for another person."""
    text = finite.text.lower()
    for table in (*AUXILIARIES.values(), *MODALS.values()):
        for forms in table.values():
            if text in forms.values():
                return forms[person]
    particle = next((child.text for child in clause.children if child.label == "PTKVZ"), "")
    for verb in _known().values():
        if verb.particle != particle:
            continue
        for make in (verb.present, verb.past):
            if text in (make("1s"), make("3s"), make("1p")):
                return make(person)
    return None


def other_names(root: Part, random: Random) -> Iterator[Lesson]:
    """Persons get German names: Hans Müller, Anna Schmidt."""
    new: dict[Part, Part] = {}
    for node in root:
        if node.label == "PN" and [child.label for child in node.children] == ["NE", "NE"]:
            given = random.choice(names()["male"] + names()["female"])
            for old, text in zip(node.children, (given, random.choice(names()["family"])), strict=True):
                new[old] = word("NE", text)
    if new:
        made = replace_words(root, new)
        tops = [loosen(child, PUNCTUATION) for child in made.children if child.label not in PUNCTUATION]
        yield finish(random, *tops, said=list(made.words), end="", respelt=False)


#: the rewritings by the kind that they make
REWRITINGS: dict[str, Rewriting] = {
    "fronted-complement": fronted_complement,
    "fronted-flat": fronted_flat,
    "fronted-verb": fronted_verb,
    "polar-question": polar_question,
    "why-question": why_question,
    "which-question": which_question,
    "long-question": long_question,
    "dass-clause": dass_clause,
    "verb-second": verb_second,
    "extraposed": extraposed,
    "attached": attached,
    "fronted-quotation": fronted_quotation,
    "split-quotation": split_quotation,
    "according-to": according_to,
    "introduced-quotation": introduced_quotation,
    "imperative": imperative,
    "second-person": second_person,
    "other-names": other_names,
}
