"""New sentences out of the phrases of a treebank: trees to learn from, or sentences for teachers to parse.

    python lab/models/recombined.py OUT TREES... --treebanks FOLDER [--count 200000] [--gaps 0.3] [--seed 1]

In a sentence of the treebank, up to three phrases without gaps make way for phrases of other sentences that have the
same label and whose first and last words have the same tags, and with them case and number where the treebank marks
these. So the words around a gap, the order of phrases and the spelling stay those of the treebank, however old its
texts are.

The name of OUT says what it gets: words alone in a `.tokens.xz`, trees in a `.discbracket.xz`. The tree of a new
sentence is that of the old one with the trees of the phrases in it; teachers that parse the words may know better. A
share of at least --gaps is made from sentences with gaps, if there are any. No sentence is in the treebanks that are
given, in a dev or test set of --treebanks, or there twice.
"""

from __future__ import annotations

import argparse
import lzma
import random
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from permutree.formats import read
from permutree.formats.sinks import whole_file
from permutree.trees.tree import Constituent, Tree
from permutree_lab.teaching.lessons import normalise
from sentences import held_out

#: words of a sentence, and of a phrase that is put into one
SHORTEST, LONGEST, PHRASE = 5, 60, 15
#: so many phrases of a sentence make way, at most
MOST = 3


class Phrase(NamedTuple):
    """A constituent without gaps: the words of its tree from ``start`` until ``end``."""

    tree: Tree
    number: int
    start: int
    end: int

    @property
    def kind(self) -> tuple[str, str, str]:
        """What another phrase must have to stand in its place: the label, and the tags at both ends."""
        tags = self.tree.tags
        return self.tree.labels[self.number], tags[self.start], tags[self.end - 1]

    def constituents(self, offset: int) -> Iterator[Constituent]:
        """The constituent and all that are in it, as if its first word were that at the offset."""
        shift = offset - self.start
        for number, (label, words) in enumerate(self.tree):
            if number >= self.number and self.start <= words[0] and words[-1] < self.end:
                yield Constituent(label, tuple(word + shift for word in words))


def phrases(tree: Tree) -> Iterator[Phrase]:
    """The phrases that can make way. The first word of a sentence stays, as it may be written with a capital."""
    for number, (_, words) in enumerate(tree):
        start, end = words[0], words[-1] + 1
        if start > 0 and end - start == len(words) <= PHRASE and len(words) < len(tree.words) - 1:
            yield Phrase(tree, number, start, end)


def replaced(tree: Tree, changes: Mapping[Phrase, Phrase]) -> Tree:
    """The tree in which phrases have made way for others."""
    at = {old.start: (old, new) for old, new in changes.items()}
    words, tags, places = list[str](), list[str](), list[range]()
    while len(places) < len(tree.words):
        position = len(places)
        old, new = at.get(position, (None, None))
        source, start, end = (tree, position, position + 1) if new is None else (new.tree, new.start, new.end)
        places.append(range(len(words), len(words) + end - start))
        # All words of the old phrase are where its first one is.
        places += [range(0)] * (0 if old is None else old.end - old.start - 1)
        words += source.words[start:end]
        tags += source.tags[start:end]
    constituents = list[Constituent]()
    for number, (label, found) in enumerate(tree):
        inside = [one for one in changes if number >= one.number and one.start <= found[0] and found[-1] < one.end]
        if not inside:
            constituents.append(Constituent(label, tuple(word for place in found for word in places[place])))
        elif number == inside[0].number:
            constituents += changes[inside[0]].constituents(places[inside[0].start].start)
    return Tree.from_constituents(words, tags, constituents)


def recombined(tree: Tree, found: Mapping[tuple[str, str, str], Sequence[Phrase]], chance: random.Random) -> Tree:
    """A tree in which up to three phrases are other ones."""
    places = [phrase for phrase in phrases(tree) if len(found[phrase.kind]) > 1]
    chance.shuffle(places)
    wanted, chosen = chance.randint(1, MOST), list[Phrase]()
    for phrase in places:
        if len(chosen) < wanted and all(phrase.end <= other.start or phrase.start >= other.end for other in chosen):
            chosen.append(phrase)
    return replaced(tree, {phrase: chance.choice(found[phrase.kind]) for phrase in chosen})


def make(trees: Sequence[Tree], count: int, gaps: float, avoid: set[str], chance: random.Random) -> list[Tree]:
    """So many new trees, no sentence twice; fewer if the treebank has too few phrases."""
    found: dict[tuple[str, str, str], list[Phrase]] = defaultdict(list)
    for tree in trees:
        for phrase in phrases(tree):
            found[phrase.kind].append(phrase)
    usable = [tree for tree in trees if SHORTEST <= len(tree.words) <= LONGEST]
    with_gaps = [tree for tree in usable if tree.is_discontinuous] or usable
    seen = avoid | {normalise(" ".join(tree.words)) for tree in trees}
    made: list[Tree] = []
    # Some sentences have no phrase that can make way.
    for _ in range(3 * count if usable else 0):
        if len(made) == count:
            break
        tree = recombined(chance.choice(with_gaps if chance.random() < gaps else usable), found, chance)
        if len(tree.words) <= LONGEST and (text := normalise(" ".join(tree.words))) not in seen:
            seen.add(text)
            made.append(tree)
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("trees", type=Path, nargs="+")
    parser.add_argument("--treebanks", type=Path, required=True, help="folder with a folder for each treebank")
    parser.add_argument("--count", type=int, default=200_000)
    parser.add_argument("--gaps", type=float, default=0.3, help="the share made from sentences with gaps, at least")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    endings = "".join(options.out.suffixes[-2:])
    if endings not in {".tokens.xz", ".discbracket.xz"}:
        parser.error(f"{options.out}: the name must end in .tokens.xz, for words alone, or .discbracket.xz, for trees")
    trees = [tree for file in options.trees for tree in read(file)]
    made = make(trees, options.count, options.gaps, held_out(options.treebanks), random.Random(options.seed))
    lines = [tree.discbracket() if endings == ".discbracket.xz" else " ".join(tree.words) for tree in made]
    with whole_file(options.out) as temporary, lzma.open(temporary, "wt", encoding="utf-8", preset=1) as file:
        file.writelines(f"{line}\n" for line in lines)
    words, gaps = sum(len(tree.words) for tree in made), sum(tree.is_discontinuous for tree in made)
    print(f"{len(made):,} sentences, {words:,} words, {gaps:,} sentences with gaps", file=sys.stderr)


if __name__ == "__main__":
    main()
