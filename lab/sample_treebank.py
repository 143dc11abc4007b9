"""Writes the small German treebank of the tutorial: six patterns with few words, annotated as in TIGER.

$ python lab/sample_treebank.py docs/start/sample.xml

No sentence is from a treebank; all of it may be used freely.
"""

from __future__ import annotations

import argparse
import random
import re
from pathlib import Path

from permutree import Tree, write

COUNT = 120
SUBJECTS = ("der/ART Hund/NN", "die/ART Frau/NN", "das/ART Kind/NN", "ein/ART Lehrer/NN", "Maria/NE", "Peter/NE")
OBJECTS = ("den/ART Hund/NN", "die/ART Frau/NN", "das/ART Buch/NN", "einen/ART Lehrer/NN", "Maria/NE", "Peter/NE")
NOUNS = ("einen/ART Mann/NN ,/$, der/PRELS", "ein/ART Kind/NN ,/$, das/PRELS", "eine/ART Frau/NN ,/$, die/PRELS")
PARTICIPLES = ("gesehen/VVPP", "gehört/VVPP", "gefunden/VVPP", "gesucht/VVPP")
FINITE = ("sieht/VVFIN", "hört/VVFIN", "findet/VVFIN", "sucht/VVFIN")
ADVERBS = ("gestern/ADV", "oft/ADV", "heute/ADV", "nie/ADV")
RELATIVES = ("lacht/VVFIN", "singt/VVFIN", "wartet/VVFIN")
HAS, END = "hat/VAFIN", "./$."

#: words in the order of the sentence, and the tree over the numbers of its pieces; *: a piece of several words is an NP
PATTERNS = (
    ("subject finite object end", "(VROOT (S *0 1 *2) 3)"),
    ("subject has object participle end", "(VROOT (S *0 1 (VP *2 3)) 4)"),
    ("object has subject participle end", "(VROOT (S (VP *0 3) 1 *2) 4)"),
    ("adverb has subject object participle end", "(VROOT (S (VP 0 *3 4) 1 *2) 5)"),
    ("what has subject participle question", "(VROOT (S (VP 0 3) 1 *2) 4)"),
    ("subject has noun participle relative end", "(VROOT (S *0 1 (VP (NP 2 (S 2b 4)) 3)) 5)"),
)


def pieces(names: str, choose: random.Random) -> dict[str, str]:
    """The words of each piece of a pattern, by its number."""
    stock = {
        "subject": SUBJECTS,
        "object": OBJECTS,
        "noun": NOUNS,
        "participle": PARTICIPLES,
        "finite": FINITE,
        "adverb": ADVERBS,
        "relative": RELATIVES,
        "has": (HAS,),
        "what": ("was/PWS",),
        "end": (END,),
        "question": ("?/$.",),
    }
    return {str(number): choose.choice(stock[name]) for number, name in enumerate(names.split())}


def make_tree(pattern: tuple[str, str], choose: random.Random) -> Tree:
    """A tree of a pattern."""
    names, shape = pattern
    found = pieces(names, choose)
    order = list(found)
    if "noun" in names.split():
        # The comma and the pronoun of the relative clause stand right before its verb.
        noun = str(names.split().index("noun"))
        article, head, comma, pronoun = found[noun].split()
        found[noun], found[f"{noun}b"] = f"{article} {head}", f"{comma} {pronoun}"
        order.insert(order.index(str(names.split().index("relative"))), f"{noun}b")
    first: dict[str, int] = {}
    count = 0
    for piece in order:
        first[piece] = count
        count += len(found[piece].split())

    def put(match: re.Match[str]) -> str:
        star, piece = match.groups()
        tokens = [word.rsplit("/", 1) for word in found[piece].split()]
        words = " ".join(
            f"({tag} {number}={word if number else word[0].upper() + word[1:]})"
            for number, (word, tag) in enumerate(tokens, first[piece])
        )
        return f"(NP {words})" if star and len(tokens) > 1 and not piece.endswith("b") else words

    return Tree.parse(re.sub(r"(\*?)(\d+b?)", put, shape))


def make_trees(count: int = COUNT, seed: int = 1) -> list[Tree]:
    """As many different trees."""
    choose = random.Random(seed)
    trees: dict[tuple[str, ...], Tree] = {}
    while len(trees) < count:
        tree = make_tree(PATTERNS[len(trees) % len(PATTERNS)], choose)
        trees.setdefault(tree.words, tree)
    return list(trees.values())


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    write(make_trees(), parser.parse_args().out, "tigerxml")


if __name__ == "__main__":
    main()
