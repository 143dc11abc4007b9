"""How often a model sees that a sentence goes on behind a parenthetical: *The plan, he said, has failed.*

    python lab/benchmarks/parentheticals.py MODEL [--cost 5]

Sentences are made of frames, speakers and verbs. One is right if a clause or VP begins with its first words, ends with
its last ones, and has the parenthetical as its gap. With --cost, final punctuation may cost so much, whatever the model
has learnt (:mod:`permutree.encoding.final_punctuation`).
"""

from __future__ import annotations

import argparse
from collections import Counter
from itertools import product

from permutree import Parser, Tree

FRAMES = (
    "The plan , {} , has failed .",
    "Mr. Dinkins , {} , has yet to prove he can govern .",
    "Prices will rise , {} , unless demand falls .",
    "In the long run , {} , the effect on profit will be small .",
    "Sales fell 3 % last year , {} , as consumers cut spending .",
    "The new rules , {} , would hurt small investors .",
)
SPEAKERS = (
    "he",
    "she",
    "Mr. Smith",
    "the company",
    "analysts",
    "officials there",
    "John Smith , the chairman ,",
    "a spokeswoman for the bank",
)
MANY = ("analysts", "officials there")
VERBS = [
    "said",
    "says",
    "added",
    "adds",
    "noted",
    "notes",
    "argued",
    "argues",
    "explained",
    "believes",
    "contends",
    "claims",
    "warned",
    "predicted",
    "insisted",
    "recalled",
    "conceded",
    "acknowledged",
    "maintains",
    "suggests",
    "thinks",
    "estimates",
]


def sentence(frame: str, speaker: str, verb: str) -> list[str]:
    """The words of a sentence."""
    spoken = verb.removesuffix("s") if speaker in MANY else verb
    return frame.format(f"{speaker} {spoken}").split()


def goes_on(tree: Tree) -> bool:
    """Whether a constituent from the first words to the last ones has a gap."""
    return any(
        node.is_discontinuous
        and node.label in ("S", "SBAR", "SINV", "VP")
        and node.indices[0] <= 1
        and node.indices[-1] >= len(tree) - 3
        for node in tree.constituents
    )


def main() -> None:
    """Count, by frame."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("model")
    options.add_argument("--cost", type=float)
    given = options.parse_args()
    parser = Parser.load(given.model)
    codec = parser.model.codec
    assert codec is not None
    if given.cost is not None:
        codec.closing["."] = given.cost
    made = list(product(FRAMES, SPEAKERS, VERBS))
    trees = parser.pipe(sentence(*one) for one in made)
    found = Counter(frame for (frame, _, _), tree in zip(made, trees, strict=True) if goes_on(tree))
    for frame in FRAMES:
        print(f"{found[frame]:4} of {len(SPEAKERS) * len(VERBS)}  {frame}")
    print(f"{found.total():4} of {len(made)}")


if __name__ == "__main__":
    main()
