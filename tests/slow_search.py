"""What queries mean, said once more in the plainest way: try all nodes for all variables.

Trees are walked as objects, queries are built from small functions beside the text that says the same. Nothing of
the search package is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from permutree.trees.nodes import Word
from permutree.trees.tree import Tree

Solution = Mapping[str, "Place"]


@dataclass(eq=False)
class Place:
    """A node: a constituent, a word, or, where tags and words are nodes of their own, the leaf below a tag."""

    number: int
    label: str
    words: frozenset[int]
    word: str | None = None
    is_leaf: bool = False
    parent: Place | None = None
    children: list[Place] = field(default_factory=list)

    @property
    def is_word(self) -> bool:
        return self.word is not None

    @property
    def left(self) -> int:
        return min(self.words)

    @property
    def right(self) -> int:
        return max(self.words)

    def ancestors(self) -> list[Place]:
        found = []
        above = self.parent
        while above is not None:
            found.append(above)
            above = above.parent
        return found

    def distance_to(self, lower: Place) -> int | None:
        """How many levels lower is below; None if it is not."""
        above = [lower, *lower.ancestors()]
        return next((level for level, node in enumerate(above) if node is self), None)

    def blocks(self) -> list[set[int]]:
        found: list[set[int]] = []
        for word in sorted(self.words):
            if found and word - 1 in found[-1]:
                found[-1].add(word)
            else:
                found.append({word})
        return found

    def gaps(self) -> list[set[int]]:
        blocks = self.blocks()
        return [set(range(max(one) + 1, min(other))) for one, other in pairwise(blocks)]

    def in_gaps(self) -> set[int]:
        return set().union(*self.gaps())


def places_of(tree: Tree, with_leaves: bool = False) -> list[Place]:
    """All nodes of a tree."""
    from permutree.trees.nodes import nodes_of

    nodes = nodes_of(tree)
    places = [
        Place(number, node.label, frozenset(node.indices), node.text if isinstance(node, Word) else None)
        for number, node in enumerate(nodes)
    ]
    where = {id(node): place for node, place in zip(nodes, places, strict=True)}
    for node, place in zip(nodes, places, strict=True):
        place.parent = None if node.parent is None else where[id(node.parent)]
        place.children = [where[id(child)] for child in node.children]
    if with_leaves:
        for place in places[: len(tree)]:
            assert place.word is not None
            leaf = Place(place.number, place.word, place.words, place.word, is_leaf=True, parent=place)
            place.children = [leaf]
            places.append(leaf)
    return places


# --- formulas ---------------------------------------------------------------------------------------------------------


@dataclass
class Slow:
    """A part of a query: its text, and what it means."""

    text: str

    def variables(self) -> set[str]:
        """Those that occur, without those that are bound inside."""
        return set()

    def free(self) -> set[str]:
        """Those that occur outside of negations."""
        return self.variables()

    def solve(self, places: Sequence[Place], known: Solution, scope: set[str]) -> Iterator[dict[str, Place]]:
        """All extensions of what is known to the variables of this part."""
        raise NotImplementedError


@dataclass
class Fact(Slow):
    """Something that holds of the nodes of some variables, or does not."""

    names: tuple[str, ...]
    holds: Callable[..., bool]

    def variables(self) -> set[str]:
        return set(self.names)

    def solve(self, places: Sequence[Place], known: Solution, scope: set[str]) -> Iterator[dict[str, Place]]:
        for solution in assignments(places, known, self.names):
            if self.holds(*(solution[name] for name in self.names)):
                yield solution


def assignments(places: Sequence[Place], known: Solution, names: Sequence[str]) -> Iterator[dict[str, Place]]:
    """All ways to give nodes to variables that have none yet."""
    missing = [name for name in dict.fromkeys(names) if name not in known]
    if not missing:
        yield dict(known)
        return
    for place in places:
        yield from assignments(places, {**known, missing[0]: place}, names)


@dataclass
class All(Slow):
    parts: list[Slow]

    def variables(self) -> set[str]:
        return set().union(*(part.variables() for part in self.parts))

    def free(self) -> set[str]:
        return set().union(*(part.free() for part in self.parts))

    def solve(self, places: Sequence[Place], known: Solution, scope: set[str]) -> Iterator[dict[str, Place]]:
        solutions = [dict(known)]
        for part in self.parts:
            solutions = [found for solution in solutions for found in part.solve(places, solution, scope)]
        yield from solutions


@dataclass
class Any(Slow):
    parts: list[Slow]

    def variables(self) -> set[str]:
        return set().union(*(part.variables() for part in self.parts))

    def free(self) -> set[str]:
        return set().union(*(part.free() for part in self.parts))

    def solve(self, places: Sequence[Place], known: Solution, scope: set[str]) -> Iterator[dict[str, Place]]:
        for part in self.parts:
            yield from part.solve(places, known, scope)


@dataclass
class No(Slow):
    part: Slow

    def variables(self) -> set[str]:
        return self.part.variables()

    def free(self) -> set[str]:
        return set()

    def solve(self, places: Sequence[Place], known: Solution, scope: set[str]) -> Iterator[dict[str, Place]]:
        shared = sorted(self.part.variables() & scope)
        for solution in assignments(places, known, shared):
            inside = {name: place for name, place in solution.items() if name in scope}
            if not any(True for _ in self.part.solve(places, inside, scope | self.part.free())):
                yield solution


@dataclass
class Some(Slow):
    names: tuple[str, ...]
    part: Slow

    def variables(self) -> set[str]:
        return self.part.variables() - set(self.names)

    def free(self) -> set[str]:
        return self.part.free() - set(self.names)

    def solve(self, places: Sequence[Place], known: Solution, scope: set[str]) -> Iterator[dict[str, Place]]:
        outside = {name: place for name, place in known.items() if name not in self.names}
        hidden = {name: place for name, place in known.items() if name in self.names}
        for solution in self.part.solve(places, outside, scope | set(self.names)):
            yield {**{name: place for name, place in solution.items() if name not in self.names}, **hidden}


def matches(query: Slow, tree: Tree, shown: Sequence[str], with_leaves: bool = False) -> set[frozenset[object]]:
    """The distinct matches: variables with the numbers of their nodes, and whether these are leaves."""
    places = places_of(tree, with_leaves)
    scope = query.free()
    return {
        frozenset(
            (name, place.number, place.is_leaf) for name, place in solution.items() if name in shown and name in scope
        )
        for solution in query.solve(places, {}, scope)
    }
