"""What somebody says: quotations before, around and after the verb of saying, asides, aldus and volgens.

In alpino, a quotation and who said it are two parts of a discourse unit (du). An interrupted quotation has a gap.
"""

from __future__ import annotations

from random import Random

from permutree_lab.teaching.composing import part
from permutree_lab.teaching.dutch.clauses import FIRST, LAST, Clause, Item, build
from permutree_lab.teaching.dutch.dependents import subordinate
from permutree_lab.teaching.dutch.morphology import Verb
from permutree_lab.teaching.dutch.phrases import Nominal, named, noun_phrase, pronoun, time
from permutree_lab.teaching.dutch.sentences import QUOTES, finish, mark, quoted
from permutree_lab.teaching.dutch.statements import any_clause, any_statement, copula_clause, say_first
from permutree_lab.teaching.lessons import Lesson
from permutree_lab.teaching.parts import Part, word

__all__ = [
    "according_to",
    "fronted_quotation",
    "indirect_speech",
    "introduced_quotation",
    "opener",
    "parenthetical",
    "says_who",
    "split_quotation",
]

_SAYING = (
    Verb("zeggen", "", "zeg", "zei", "zeiden", "gezegd", "h"),
    Verb("zeggen", "", "zeg", "zei", "zeiden", "gezegd", "h"),
    Verb("zeggen", "", "zeg", "zei", "zeiden", "gezegd", "h"),
    Verb("verklaren", "", "verklaar", "verklaarde", "verklaarden", "verklaard", "h"),
    Verb("melden", "", "meld", "meldde", "meldden", "gemeld", "h"),
    Verb("vertellen", "", "vertel", "vertelde", "vertelden", "verteld", "h"),
    Verb("roepen", "", "roep", "riep", "riepen", "geroepen", "h"),
    Verb("schrijven", "", "schrijf", "schreef", "schreven", "geschreven", "h"),
    Verb("vinden", "", "vind", "vond", "vonden", "gevonden", "h"),
    Verb("antwoorden", "", "antwoord", "antwoordde", "antwoordden", "geantwoord", "h"),
    Verb("leggen", "uit", "leg", "legde", "legden", "gelegd", "h"),
)
_THINKING = (
    Verb("denken", "", "denk", "dacht", "dachten", "gedacht", "h"),
    Verb("geloven", "", "geloof", "geloofde", "geloofden", "geloofd", "h"),
    Verb("vermoeden", "", "vermoed", "vermoedde", "vermoedden", "vermoed", "h"),
    Verb("vrezen", "", "vrees", "vreesde", "vreesden", "gevreesd", "h"),
)


def _speaker(random: Random) -> Nominal:
    chance = random.random()
    if chance < 0.3:
        return pronoun(random.choice(["hij", "ze", "hij", "zij", "ik"]))
    if chance < 0.65:
        return named(random, random.choice(["full", "title", "title-full", "first", "mrs"]))
    return noun_phrase(random, random.choice("ppo"), det=random.choice(["de", "de", "een", "zijn"]), plural=False)


def _source(random: Random) -> Part:
    """Who is quoted by aldus: no pronoun."""
    while (found := _speaker(random)).is_pronoun:
        pass
    return found.part


def says_who(random: Random, *, thinking: bool = False) -> Part:
    """Who says it, verb first: zei de minister gisteren, denk ik; sometimes with zo before it."""
    verb = random.choice(_THINKING if thinking else _SAYING)
    doer = pronoun("ik") if thinking and random.random() < 0.6 else _speaker(random)
    tense = "present" if thinking and doer.person == "1s" else random.choice(["present", "past"])
    finite = word("ww", verb.finite(doer.person, "present" if tense == "present" else "past"))
    when = time(random) if tense == "past" and random.random() < 0.15 else None
    particle = word("vz", verb.particle) if verb.particle else None
    if not thinking and not particle and random.random() < 0.12:
        return part("smain", word("bw", "zo"), finite, doer.part, when)
    return part("sv1", finite, doer.part, when, particle)


def _said(random: Random) -> Part:
    chance = random.random()
    if chance < 0.1:
        return build(any_clause(random, light=True), "first")
    return any_statement(random, light=chance < 0.6)


def fronted_quotation(random: Random) -> Lesson:
    """We hebben alles verloren, zegt een moeder, with quotation marks or without."""
    marks = random.choice(QUOTES)
    content, who = _said(random), says_who(random)
    inside = [*content.words, mark(",")] if marks[0] and random.random() < 0.2 else list(content.words)
    end = [mark("?")] if content.label == "sv1" else []
    said = quoted([*inside, *end] if end else inside, marks)
    order = [*said, *([] if (inside[-1].text == "," and marks[0]) or end else [mark(",")]), who]
    return finish(part("du", content, who, order=order), said=[one for each in order for one in each.words])


def _break(random: Random, content: Part) -> int | None:
    """Where a clause can be interrupted: after its first constituent, or after its finite verb."""
    if content.label != "smain":
        return None
    finite = next(child for child in content.children if child.label == "ww")
    at = content.words.index(finite)
    light = at == 1 and content.words[0].label == "vnw"
    place = at if not light and random.random() < 0.65 else at + 1
    return place if 0 < place < len(content.words) - 1 else None


def _interrupted(random: Random, marks: tuple[str, str], who: Part, *, commas: bool = True) -> Lesson:
    while True:
        content = any_statement(random)
        at = _break(random, content)
        if at is not None:
            break
    first, second = list(content.words[:at]), list(content.words[at:])
    if first[-1].label == "let":
        first = first[:-1]
    comma = [mark(",")] if commas else []
    end = "." if random.random() < 0.9 or marks[0] else "!"
    if marks[0]:
        said = [*quoted(first, marks), *comma, *who.words, *([mark(",")] if commas else [])]
        last = [mark(marks[0]), *second]
        said += last
        closing = [mark("."), mark(marks[1])] if random.random() < 0.5 else [mark(marks[1]), mark(".")]
        return finish(part("du", content, who), said=[*said, *closing], end="", gap=content)
    said = [*first, *comma, *who.words, *([mark(",")] if commas else []), *second]
    return finish(part("du", content, who), said=said, end=end, gap=content)


def split_quotation(random: Random) -> Lesson:
    """“Deze tuin”, zei ze, “was de trots van mijn vader.” The quotation has a gap."""
    return _interrupted(random, random.choice([one for one in QUOTES if one[0]]), says_who(random))


def parenthetical(random: Random) -> Lesson:
    """De nieuwe wet, zei de minister, helpt de kleine boeren; De school heeft geloof ik een nieuw dak."""
    chance = random.random()
    if chance < 0.2:
        source = part("pp", word("bw", "aldus"), _source(random))
        return _interrupted(random, ("", ""), source)
    who = says_who(random, thinking=chance > 0.55)
    light = who.label == "sv1" and len(who.words) == 2 and who.words[1].text == "ik"
    return _interrupted(random, ("", ""), who, commas=not light or random.random() < 0.5)


def according_to(random: Random) -> Lesson:
    """De prijzen stijgen, aldus de bank; Volgens de bank stijgen de prijzen."""
    if random.random() < 0.5:
        content = any_statement(random)
        source = part("pp", word("bw", "aldus"), _source(random))
        marks = random.choice(QUOTES)
        order = [*quoted(list(content.words), marks), mark(","), source]
        return finish(part("du", content, source), said=[one for each in order for one in each.words])
    clause = any_clause(random, light=True)
    inner = noun_phrase(random, random.choice("po"), det="de", light=True).part
    clause.items = [item for item in clause.items if item.kind != "time"]
    clause.items.append(Item.whole(part("pp", word("vz", "volgens"), inner), FIRST, "source"))
    return finish(build(clause, "second"))


def introduced_quotation(random: Random) -> Lesson:
    """Hij zei: “Dit is onzin.”"""
    doer = _speaker(random)
    verb = random.choice(_SAYING[:6])
    outer = build(
        Clause(Item.whole(doer.part, FIRST, "subject"), verb, doer.person, random.choice(["present", "past"]), [], []),
        "second",
    )
    content = any_statement(random)
    marks = random.choice(QUOTES)
    ending = [mark("."), mark(marks[1])] if marks[0] and random.random() < 0.6 else [mark(marks[1]), mark(".")]
    opening = [mark(marks[0])] if marks[0] else []
    said = [*outer.words, mark(":"), *opening, *content.words, *(ending if marks[0] else [mark(".")])]
    return finish(part("du", outer, content), said=said, end="")


def indirect_speech(random: Random) -> Lesson:
    """De burgemeester zei dat de toestand ernstig is: no gap."""
    doer = _speaker(random)
    verb = random.choice(_SAYING[:5])
    clause = Clause(
        Item.whole(doer.part, FIRST, "subject"), verb, doer.person, random.choice(["present", "past"]), [], []
    )
    if random.random() < 0.25:
        clause.items.append(Item.whole(time(random), 3, "time"))
    inner = copula_clause(random) if random.random() < 0.4 else any_clause(random, shapes=("plain",), light=True)
    clause.items.append(Item.whole(subordinate(random, "dat", inner), LAST, "cp"))
    return finish(build(clause, "second"))


def opener(random: Random) -> Lesson:
    """En daarom blijft hij; Maar dat is waar; Nee, dat weet ik: words before the clause make a discourse unit."""
    content = (
        build(say_first(any_clause(random, light=True)), "second") if random.random() < 0.5 else any_statement(random)
    )
    start = random.choice(["vg en", "vg maar", "vg want", "tsw nee", "tsw ja"])
    first = word(*start.split())
    comma = [mark(",")] if first.label == "tsw" else []
    return finish(part("du", first, content), said=[first, *comma, *content.words])
