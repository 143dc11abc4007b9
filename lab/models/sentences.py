"""The sentences of open text that large models parse for small ones to learn from.

    python lab/models/sentences.py TEXT OUT [--treebanks FOLDER] [--most N] [--definitions N] [--languages en] [--apart]

TEXT is the folder that `open_text.py` wrote. OUT gets nl.tokens.xz, de.tokens.xz and en.tokens.xz: sentences of 3 to 60
words, each once, in random order, N of them at most. Of the Bibles, which are long and old, and of a dictionary of
computing, where much is no sentence, some thousand are taken, and nothing that has brackets or signs of programs. Of
definitions in biology and medicine, which repeat themselves, a hundred may begin with the same three words. They have
brackets, as such text does, and so do research articles; both are all among the N. Half of these sentences have
hyphens and slashes as words of their own, as the treebank CRAFT has them. No sentence is in the suite of constructions,
and with --treebanks none is in a dev or test set of that folder. --definitions limits how many definitions of a package
are taken. With --apart, what is of biology is in en-biology.tokens.xz and all else in en-other.tokens.xz.
"""

from __future__ import annotations

import argparse
import lzma
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from permutree.formats.sinks import whole_file
from permutree.languages import split
from permutree_lab.folders import CONSTRUCTIONS
from permutree_lab.teaching.lessons import normalise
from permutree_lab.teaching.making import read_texts

LANGUAGES = ("nl", "de", "en")
MOST = {"bijbel": 6000, "dict-foldoc": 10_000}
SHORTEST, LONGEST = 3, 60
SIGNS = frozenset("(){}[]<>|\\=")
#: text of biology and medicine: definitions that are much alike, and articles
DEFINITIONS = ("cellxgene", "genescape")
BIOLOGY = (*DEFINITIONS, "allofplos")
#: signs that it may have
BIOLOGICAL_SIGNS = frozenset("()[]<>=")
#: so many of its sentences may begin with the same three words
ALIKE = 100
#: CRAFT cuts words at these signs, but not behind a prefix
JOINED = re.compile(r"(?<=\w)[-/–](?=\w)")
PREFIXED = re.compile(r"(?:anti|auto|co|cross|inter|mid|multi|non|over|post|pre|pro|re|semi|sub)-", re.IGNORECASE)


class Line(NamedTuple):
    """A line of text, perhaps of biology."""

    text: str
    is_biology: bool

    @property
    def signs(self) -> frozenset[str]:
        """The signs that keep its sentences out."""
        return SIGNS - BIOLOGICAL_SIGNS if self.is_biology else SIGNS


def texts(folder: Path, language: str, chance: random.Random, definitions: int | None = None) -> list[Line]:
    """The lines of a language, not all of the packages that have too many."""
    limits = MOST if definitions is None else MOST | dict.fromkeys(DEFINITIONS, definitions)
    with lzma.open(folder / f"{language}.txt.xz", "rt", encoding="utf-8") as file:
        lines = file.read().splitlines()
    kept: list[Line] = []
    start = 0
    for row in (folder / "sources.tsv").read_text("utf-8").splitlines()[1:]:
        package, where, count = row.split("\t")[:3]
        if where == language:
            part = lines[start : start + int(count)]
            start += int(count)
            if is_biology := package.startswith(BIOLOGY):
                part = unlike(part)
            most = next((most for name, most in limits.items() if package.startswith(name)), len(part))
            kept += [Line(text, is_biology) for text in (chance.sample(part, most) if most < len(part) else part)]
    return kept


def unlike(lines: Sequence[str]) -> list[str]:
    """The lines without those whose first three words others before have too often."""
    begun: Counter[str] = Counter()
    kept = []
    for line in lines:
        first = " ".join(line.split()[:3])
        begun[first] += 1
        if begun[first] <= ALIKE:
            kept.append(line)
    return kept


def sentences(lines: Sequence[Line], language: str) -> Iterator[Line]:
    """Their sentences, blanks between words; every other one of biology is cut as CRAFT cuts it."""
    seen: set[str] = set()
    for line in lines:
        for words, _ in split(line.text, language):
            sentence = " ".join(words)
            if SHORTEST <= len(words) <= LONGEST and sentence not in seen and line.signs.isdisjoint(sentence):
                seen.add(sentence)
                yield Line(finely_cut(words) if line.is_biology and len(seen) % 2 else sentence, line.is_biology)


def finely_cut(words: Sequence[str]) -> str:
    """A sentence with hyphens and slashes within words as words of their own, as CRAFT has them.

    >>> finely_cut("a lens-specific pre-mRNA and/or protein".split())
    'a lens - specific pre-mRNA and / or protein'
    """
    return " ".join(word if PREFIXED.match(word) else JOINED.sub(r" \g<0> ", word) for word in words)


def at_most(found: Sequence[Line], most: int | None, chance: random.Random) -> list[Line]:
    """So many of the sentences in random order, and all of biology among them if there is room."""
    mixed = chance.sample(found, len(found))
    chosen = sorted(mixed, key=lambda line: not line.is_biology)[:most]
    return chance.sample(chosen, len(chosen))


def held_out(treebanks: Path | None) -> set[str]:
    """The texts of the suite of constructions, and of dev and test sets."""
    files = sorted(CONSTRUCTIONS.glob("*/*.txt"))
    if treebanks is not None:
        files += [file for split in ("dev", "test") for file in sorted(treebanks.glob(f"*/{split}.discbracket*"))]
    return read_texts(files)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("text", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--treebanks", type=Path, help="folder with a folder for each treebank")
    parser.add_argument("--most", type=int, help="sentences of a language")
    parser.add_argument("--definitions", type=int, help="definitions of each package of these; all without it")
    parser.add_argument("--apart", action="store_true", help="text of biology, and other text, in files of their own")
    parser.add_argument("--languages", default=",".join(LANGUAGES), help="codes, separated by commas")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    avoid = held_out(options.treebanks)
    for language in options.languages.split(","):
        chance = random.Random(1)
        made = list(sentences(texts(options.text, language, chance, options.definitions), language))
        known = [line for line in made if normalise(line.text) not in avoid]
        print(f"{language}: {len(made) - len(known)} are held out", flush=True)
        found = at_most(known, options.most, chance)
        files = {language: found}
        if options.apart:
            files = {f"{language}-biology": [line for line in found if line.is_biology]}
            files[f"{language}-other"] = [line for line in found if not line.is_biology]
        for name, chosen in files.items():
            path = options.out / f"{name}.tokens.xz"
            with whole_file(path) as temporary, lzma.open(temporary, "wt", encoding="utf-8") as file:
                file.writelines(f"{line.text}\n" for line in chosen)
            words = sum(line.text.count(" ") + 1 for line in chosen)
            print(f"{name}: {len(chosen):,} sentences, {words:,} words")


if __name__ == "__main__":
    main()
