"""The engine and both query languages against an evaluator that tries all nodes for all variables."""

import random
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permutree.search.corpus import Corpus
from permutree.search.engine import SearchStopped
from permutree.trees.tree import Tree
from slow_search import All, Any, Fact, No, Place, Slow, Some, matches
from strategies import trees

WORDS = ["ab", "aab", "b", "ba", "x"]
TAGS = ["A", "B", "C"]
LABELS = ["A", "S", "VP", "NP"]
small_trees = trees(
    max_words=6, words=st.sampled_from(WORDS), tags=st.sampled_from(TAGS), labels=st.sampled_from(LABELS)
)
VARIABLES = ["a", "b", "c"]
Pair = Callable[[Place, Place], bool]
Single = Callable[[Place], bool]


# --- TIGERSearch ------------------------------------------------------------------------------------------------------


def description(draw: st.DrawFn, depth: int = 2) -> tuple[str, Single]:
    """What stands in a node, and its meaning."""
    kind = draw(
        st.sampled_from(["cat", "pos", "word", "type", "not", "and", "or"] if depth else ["cat", "pos", "word"])
    )
    if kind == "cat":
        label = draw(st.sampled_from([*LABELS, "none"]))
        if draw(st.booleans()):
            return f'cat="{label}"', lambda place: not place.is_word and place.label == label
        return f'cat!="{label}"', lambda place: not place.is_word and place.label != label
    if kind == "pos":
        tags = draw(st.lists(st.sampled_from(TAGS), min_size=1, max_size=2))
        text = "|".join(f'"{tag}"' for tag in tags)
        return f"pos=({text})", lambda place: place.is_word and place.label in tags
    if kind == "word":
        pattern = draw(st.sampled_from(["a.*", ".*b", "x|b", "(a|b)+"]))
        is_same = draw(st.booleans())
        return (
            f"word{'' if is_same else '!'}=/{pattern}/",
            lambda place: place.is_word and bool(re.fullmatch(pattern, place.word or "")) == is_same,
        )
    if kind == "type":
        wanted = draw(st.booleans())
        return "T" if wanted else "NT", lambda place: place.is_word == wanted
    one, first = description(draw, depth - 1)
    if kind == "not":
        return f"!({one})", lambda place: not first(place)
    other, second = description(draw, depth - 1)
    if kind == "and":
        return f"({one}) & ({other})", lambda place: first(place) and second(place)
    return f"({one}) | ({other})", lambda place: first(place) or second(place)


def _levels(low: int, high: int | None) -> Pair:
    def holds(one: Place, other: Place) -> bool:
        distance = one.distance_to(other)
        return distance is not None and low <= distance and (high is None or distance <= high)

    return holds


def _words(low: int, high: int | None) -> Pair:
    return lambda one, other: low <= other.left - one.left and (high is None or other.left - one.left <= high)


def _crosses(one: Place, other: Place) -> bool:
    return not one.words & other.words and any(
        w < x < y < z for w in one.words for x in other.words for y in one.words for z in other.words
    ) | any(w < x < y < z for w in other.words for x in one.words for y in other.words for z in one.words)


def _rank(place: Place) -> int:
    assert place.parent is not None
    return place.parent.children.index(place)


def _siblings(one: Place, other: Place) -> bool:
    return one is not other and one.parent is not None and one.parent is other.parent


RELATIONS: dict[str, Pair] = {
    ">": _levels(1, 1),
    ">*": _levels(1, None),
    ">2": _levels(2, 2),
    ">1,2": _levels(1, 2),
    ">@l": lambda one, other: other.is_word and other.left == one.left,
    ">@r": lambda one, other: other.is_word and other.left == one.right,
    ".": _words(1, 1),
    ".*": _words(1, None),
    ".2": _words(2, 2),
    ".2,3": _words(2, 3),
    "$": _siblings,
    "$.*": lambda one, other: _siblings(one, other) and one.left < other.left,
    "$.": lambda one, other: _siblings(one, other) and _rank(other) - _rank(one) == 1,
}
PAIRS: dict[str, Pair] = {
    "crosses({}, {})": _crosses,
    "fills({}, {})": lambda one, other: any(one.words == gap for gap in other.gaps()),
    "precedes({}, {})": lambda one, other: one.right < other.left,
    "adjacent({}, {})": lambda one, other: one.right + 1 == other.left,
    "gap({}) contains {}": lambda one, other: other.words <= one.in_gaps(),
    "gap({}, 1) contains {}": lambda one, other: len(one.gaps()) >= 1 and other.words <= one.gaps()[0],
    "gap({}, -1) contains {}": lambda one, other: len(one.gaps()) >= 1 and other.words <= one.gaps()[-1],
    "block({}, 1) contains {}": lambda one, other: (
        other.words <= one.blocks()[0] and one is not other and one.distance_to(other) is not None
    ),
    "block({}, -2) contains {}": lambda one, other: (
        len(one.blocks()) >= 2
        and other.words <= one.blocks()[-2]
        and one is not other
        and one.distance_to(other) is not None
    ),
    "{} = {}": lambda one, other: one is other,
    "{} != {}": lambda one, other: one is not other,
    "length({}) > length({})": lambda one, other: len(one.words) > len(other.words),
    "arity({}) <= gaps({}) + 1": lambda one, other: len(one.children) <= len(other.gaps()) + 1,
}
SINGLES: dict[str, Single] = {
    "root({})": lambda one: one.parent is None,
    "continuous({})": lambda one: len(one.blocks()) == 1,
    "discontinuous({})": lambda one: len(one.blocks()) > 1,
    "arity({}, 2)": lambda one: len(one.children) == 2,
    "arity({}, 1, 3)": lambda one: 1 <= len(one.children) <= 3,
    "tokenarity({}, 2, 4)": lambda one: 2 <= len(one.words) <= 4,
    "blocks({}) = 2": lambda one: len(one.blocks()) == 2,
    "gaps({}) >= 1": lambda one: len(one.gaps()) >= 1,
    "depth({}) != 2": lambda one: len(one.ancestors()) != 1,
}


@st.composite
def literals(draw: st.DrawFn, names: list[str]) -> Slow:
    kind = draw(st.sampled_from(["node", "relation", "relation", "negated relation", "pair", "single"]))
    one, other = draw(st.sampled_from(names)), draw(st.sampled_from(names))
    if kind == "node":
        text, holds = description(draw)
        return Fact(f"#{one}:[{text}]", (one,), holds)
    if kind == "pair":
        form = draw(st.sampled_from(sorted(PAIRS)))
        return Fact(form.format(f"#{one}", f"#{other}"), (one, other), PAIRS[form])
    if kind == "single":
        form = draw(st.sampled_from(sorted(SINGLES)))
        return Fact(form.format(f"#{one}"), (one,), SINGLES[form])
    sign = draw(st.sampled_from(sorted(RELATIONS)))
    relation = RELATIONS[sign]
    if kind == "relation":
        return Fact(f"#{one} {sign} #{other}", (one, other), relation)
    return Fact(f"#{one} !{sign} #{other}", (one, other), lambda first, second: not relation(first, second))


@st.composite
def tiger_queries(draw: st.DrawFn, names: list[str] = VARIABLES[:2], depth: int = 2) -> Slow:
    kinds = ["literal", "and", "and", "or", "not", "exists"] if depth else ["literal"]
    kind = draw(st.sampled_from(kinds))
    if kind == "literal":
        return draw(literals(names))
    if kind in ("and", "or"):
        parts = draw(st.lists(tiger_queries(names, depth - 1), min_size=2, max_size=3))
        sign = " & " if kind == "and" else " | "
        text = sign.join(f"({part.text})" for part in parts)
        return All(text, parts) if kind == "and" else Any(text, parts)
    local = f"{VARIABLES[2]}{depth}"
    part = draw(tiger_queries([*names, local], depth - 1))
    if kind == "not":
        return No(f"not ({part.text})", part)
    return Some(f"exists #{local}: ({part.text})", (local,), part)


def found(corpus: Corpus, text: str, syntax: str = "tiger") -> list[frozenset[object]]:
    return [
        frozenset((name, node.number, name in match.leaves) for name, node in match.nodes.items())
        for match in corpus.search(text, syntax=syntax)
    ]


@given(st.lists(small_trees, min_size=1, max_size=2), tiger_queries())
def test_tigersearch_finds_what_trying_all_nodes_finds(some: list[Tree], query: Slow) -> None:
    # Every alternative needs a node to show.
    query = All(f"#a & ({query.text})", [Fact("#a", ("a",), lambda place: True), query])
    shown = sorted(query.free())
    corpus = Corpus.of(some)
    for number, tree in enumerate(some, 1):
        wanted = matches(query, tree, shown)
        got = [
            frozenset((name, node.number, False) for name, node in match.nodes.items())
            for match in corpus.search(query.text)
            if match.sentence == number
        ]
        assert len(got) == len(set(got))
        assert set(got) == wanted, query.text
    assert corpus.count(query.text) == sum(len(matches(query, tree, shown)) for tree in some)


@given(small_trees, st.sampled_from(["word", "pos", "cat"]), st.booleans(), st.sampled_from(sorted(RELATIONS)))
def test_values_can_be_compared(tree: Tree, feature: str, is_same: bool, sign: str) -> None:
    def value(place: Place) -> str | None:
        return {"word": place.word, "pos": place.label if place.is_word else None}.get(
            feature, None if place.is_word else place.label
        )

    def holds(one: Place, other: Place) -> bool:
        values = value(one), value(other)
        return None not in values and (values[0] == values[1]) == is_same and RELATIONS[sign](one, other)

    text = f"#a:[{feature}=#v] {sign} #b:[{feature}{'' if is_same else '!'}=#v]"
    assert set(found(Corpus.of([tree]), text)) == matches(Fact(text, ("a", "b"), holds), tree, ["a", "b"])


# --- Tregex -----------------------------------------------------------------------------------------------------------


def _is_below(one: Place, other: Place) -> bool:
    return one is not other and one.distance_to(other) is not None


def _is_sister(one: Place, other: Place, step: int | None = None) -> bool:
    if not _siblings(one, other) or one.is_leaf or other.is_leaf:
        return False
    distance = _rank(other) - _rank(one)
    return step is None or (distance == step if abs(step) == 1 else distance * step > 0)


def _child(number: int) -> Pair:
    def holds(one: Place, other: Place) -> bool:
        place = number - 1 if number > 0 else len(one.children) + number
        return other.parent is one and one.children.index(other) == place

    return holds


DOWN: dict[str, Pair] = {
    "<": lambda one, other: other.parent is one,
    "<<": _is_below,
    "<<<": lambda one, other: other.is_leaf and _is_below(one, other),
    "<,": _child(1),
    "<-": _child(-1),
    "<2": _child(2),
    "<-2": _child(-2),
    "<:": lambda one, other: other.parent is one and len(one.children) == 1,
    "<<,": lambda one, other: _is_below(one, other) and one.left == other.left,
    "<<-": lambda one, other: _is_below(one, other) and one.right == other.right,
    "<<:": lambda one, other: _is_below(one, other) and one.words == other.words,
    "<+(NP)": lambda one, other: (
        _is_below(one, other)
        and all(node.label == "NP" for node in other.ancestors() if _is_below(one, node) and _is_below(node, other))
    ),
}


def _turned(down: Pair) -> Pair:
    return lambda one, other: down(other, one)


SIDEWAYS: dict[str, Pair] = {
    "$": _is_sister,
    "$++": lambda one, other: _is_sister(one, other, 2),
    "$--": lambda one, other: _is_sister(one, other, -2),
    "$+": lambda one, other: _is_sister(one, other, 1),
    "$-": lambda one, other: _is_sister(one, other, -1),
    "..": lambda one, other: one.right < other.left,
    ".": lambda one, other: one.right + 1 == other.left,
    ",,": lambda one, other: other.right < one.left,
    ",": lambda one, other: other.right + 1 == one.left,
}
TREGEX = {
    **DOWN,
    **{sign.replace("<", ">"): _turned(down) for sign, down in DOWN.items()},
    **SIDEWAYS,
}
DESCRIPTIONS: dict[str, Callable[[str], bool]] = {
    "NP": lambda label: label == "NP",
    "A": lambda label: label == "A",
    "x": lambda label: label == "x",
    "NP|VP": lambda label: label in ("NP", "VP"),
    "/^a/": lambda label: label.startswith("a"),
    "/p/i": lambda label: "p" in label.lower(),
    "__": lambda label: True,
    "!S": lambda label: label != "S",
}


@st.composite
def tregex_patterns(draw: st.DrawFn, name: str = "n", depth: int = 2) -> Slow:
    """A node and its relations; nodes are called n, n1, n2, n11, … here."""
    form = draw(st.sampled_from(sorted(DESCRIPTIONS)))
    fits = DESCRIPTIONS[form]
    parts: list[Slow] = [Fact("", (name,), lambda place: fits(place.label))]
    is_shown = draw(st.booleans())
    text = form + (f"={name}" if is_shown or name == "n" else "")
    for number in range(1, draw(st.integers(0, 2)) + 1 if depth else 1):
        child = draw(tregex_patterns(f"{name}{number}", depth - 1))
        sign = draw(st.sampled_from(sorted(TREGEX)))
        related = All("", [Fact("", (name, f"{name}{number}"), TREGEX[sign]), child])
        kind = draw(st.sampled_from(["", "", "!", "|"]))
        if kind == "!":
            parts.append(No("", related))
            text += f" !{sign} ({child.text})"
        elif kind == "|":
            other = draw(st.sampled_from(sorted(TREGEX)))
            tried = All("", [Fact("", (name, f"{name}{number}x"), TREGEX[other])])
            parts.append(Any("", [related, tried]))
            text += f" [{sign} ({child.text}) | {other} __]"
        else:
            parts.append(related)
            text += f" {sign} ({child.text})"
    return All(text, parts)


@given(small_trees, tregex_patterns())
def test_tregex_finds_what_trying_all_nodes_finds(tree: Tree, pattern: Slow) -> None:
    shown = [name for name in sorted(pattern.free()) if f"={name} " in f"{pattern.text.replace(')', ' )')} "]
    assert set(found(Corpus.of([tree]), pattern.text, "tregex")) == matches(pattern, tree, shown, with_leaves=True), (
        pattern.text
    )


# --- limits -----------------------------------------------------------------------------------------------------------

MANY = [Tree.parse("(S (A 0=a) (B 1=b) (C 2=c) (A 3=a) (B 4=b))")] * 3000


def test_a_limit_ends_the_search_early() -> None:
    corpus = Corpus.of(MANY)
    searched: list[int] = []
    assert len(list(corpus.search('[pos="A"]', limit=7, on_sentences=searched.append))) == 7
    assert sum(searched) < 3000


def test_a_search_stops_when_its_time_is_up() -> None:
    with pytest.raises(SearchStopped, match="took longer"):
        Corpus.of(MANY).count("[] & [] & [] & [] & []", timeout=0.2)


def test_a_search_stops_when_it_is_cancelled() -> None:
    asked = iter([False, False, True])
    with pytest.raises(SearchStopped, match="cancelled"):
        Corpus.of(MANY).count("[] . [] & [] . []", cancelled=lambda: next(asked, True))


def test_many_solutions_come_in_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("permutree.search.corpus.MOST_ROWS", 1000)
    monkeypatch.setattr("permutree.search.engine.PAIRS", 500)
    monkeypatch.setattr("permutree.search.engine.ROWS", 70)
    corpus = Corpus.of(MANY[:300])
    sentences = [match.sentence for match in corpus.search("#a:[T] .* #b")]
    assert sentences == sorted(sentences)
    assert len(sentences) == 300 * 10
    assert corpus.count("exists #b: (#a:[T] .* #b)") == 300 * 4


def test_segments_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(1)
    some = [rng.choice([MANY[0], Tree.parse("(S (NP (A 0=a) (B 2=b)) (C 1=c))")]) for _ in range(50)]
    query = '#n:[cat="NP"] > #w'
    whole = [match.as_dict() for match in Corpus.of(some).search(query)]
    monkeypatch.setattr("permutree.search.index.in_segments.__defaults__", (20, 3))
    assert [match.as_dict() for match in Corpus.of(some).search(query)] == whole
