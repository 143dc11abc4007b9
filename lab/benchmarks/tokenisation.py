"""How well raw text is split into the sentences and words of treebanks, and its language guessed.

    python lab/benchmarks/tokenisation.py TREEBANK_FOLDER [--part dev] [--errors 40] [--only masc]

The folder holds alpino, craft, icepahc, masc and squoia_de, each with dev.discbracket.xz. There is no raw text in them,
so it is made from their words: these are put together as they would be printed (see ``printed``), one sentence after
the other with a blank between, or an empty line where the first has no sign at its end, as headings have none. In
icepahc, where a sentence is a clause and many have no sign at their end, it is always a blank. Scores are F1 of words,
which must begin and end at the same characters, and F1 of the ends of sentences that no empty line marks. Seconds are
those of the processor.
"""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from permutree.formats import read
from permutree.languages import all_languages, guess_language, split
from permutree.languages.tables import table

TREEBANKS = {"masc": "en", "craft": "en", "alpino": "nl", "squoia_de": "de", "icepahc": "is"}

#: spellings of the annotators → what was printed
SPELLINGS = {"-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
DASH = re.compile(r"</?dash/?>")
#: words that were not printed: markup, and empty elements
UNPRINTED = re.compile(r"<li>|\*(?:con|pro|exp|arb|PRO)\*.*|0")
CLITIC = re.compile(r"(?:n['’]t|['’](?:s|m|d|re|ve|ll))", re.IGNORECASE)

Span = tuple[int, int]


class Printed(NamedTuple):
    """Raw text, the words in it, and the places at which sentences end without an empty line."""

    text: str
    words: list[Span]
    ends: set[int]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--part", default="dev")
    parser.add_argument("--only", choices=TREEBANKS, help="this treebank alone")
    parser.add_argument("--errors", type=int, default=0, metavar="N", help="show the N most frequent errors, too")
    options = parser.parse_args()
    names = [options.only] if options.only else list(TREEBANKS)
    files = {name: options.folder / name / f"{options.part}.discbracket.xz" for name in names}
    print(f"{'':<12}{'language':>9}{'sentences':>11}{'words':>9}{'word F1':>9}{'sentence F1':>13}{'characters/s':>14}")
    for name, file in files.items():
        report(name, file, options.errors)
    print(f"\n{'':<12}{'guessed right':>14}{'up to 5 words':>15}{'at least 20 words':>19}")
    for name, file in files.items():
        report_guesses(name, file)


def sentences_of(file: Path, name: str) -> Iterator[tuple[list[str], list[str]]]:
    """Words as they were printed, and their tags."""
    for tree in read(file):
        kept = [
            (DASH.sub("-", SPELLINGS.get(word, word)), tag)
            for word, tag in zip(tree.words, tree.tags, strict=True)
            if not (UNPRINTED.fullmatch(word) and (word != "0" or name == "icepahc"))
        ]
        if kept:
            yield [word for word, _ in kept], [tag for _, tag in kept]


def printed(sentences: Iterator[tuple[list[str], list[str]]], name: str) -> Printed:
    """Words put together as they would be printed.

    Closing signs stand at the word before, opening ones at the word after; quotation marks that look alike open and
    close in turn. English contractions, hyphens (which have a tag of their own), slashes, primes and the colons of
    ratios stand at the words on both sides. An abbreviation at the end of a sentence has one full stop.
    """
    language = TREEBANKS[name]
    parts: list[str] = []
    words: list[Span] = []
    ends: set[int] = set()
    size = 0
    for sentence, tags in sentences:
        if words:
            parts.append(" ")
            size += 1
        is_open = False
        before = ""
        glued = True
        for number, (word, tag) in enumerate(zip(sentence, tags, strict=True)):
            after = sentence[number + 1] if number + 1 < len(sentence) else ""
            if word == "." and before.endswith("."):
                continue
            to_left, to_right = sides(word, tag, before, after, language)
            if word in ('"', "'") and not (word == "'" and before[-1:] == "s" and not is_open):
                # It opens, unless something is open, or nothing but it is left.
                is_open = not is_open and bool(after)
                to_left, to_right = not is_open, is_open
            if number and not (glued or to_left):
                parts.append(" ")
                size += 1
            parts.append(word)
            words.append((size, size + len(word)))
            size += len(word)
            before, glued = word, to_right
        if name == "icepahc" or not sentence[-1][-1].isalnum():
            ends.add(size)
        else:
            parts.append("\n\n")
            size += 2
    ends.discard(size)
    return Printed("".join(parts), words, ends)


CLOSING = table(", . ; : ? ! ) ] } % ... .... … ” ’ ′ ″ '' ® ™ °")
OPENING = table("( [ { “ „ ‘ ` `` $ £ € # ~")


def sides(word: str, tag: str, before: str, after: str, language: str) -> tuple[bool, bool]:
    """Whether a word stands at the one before it, and at the one after it."""
    if language == "en":
        if CLITIC.fullmatch(word) or (before + word).lower() in ("cannot", "gonna", "wanna", "gotta"):
            return True, False
        if word in "-/–" and (tag == "HYPH" or word == "/"):
            return True, True
        if word in "+-−" and "/" in (before, after):
            return True, after == "/"
        if word == ":" and before.isdigit() and after[:1].isdigit():
            return True, True
        if word == "'" and before in ("3", "5"):
            return True, after == "-"
        if word == "°C":
            return False, False
    if language == "de":
        if word in "»«":
            # Swiss on the outside, German on the inside: before a word it opens.
            return (True, False) if word == "«" else (False, True)
        if word == "/":
            return True, True
    return word in CLOSING, word in OPENING


def report(name: str, file: Path, errors: int) -> None:
    raw = printed(sentences_of(file, name), name)
    start = time.process_time()
    found = split(raw.text, TREEBANKS[name])
    seconds = time.process_time() - start
    words = [span for sentence in found for span in sentence.offsets]
    ends = {sentence.offsets[-1][1] for sentence in found}
    unmarked = {end for end in ends if raw.text[end : end + 2] != "\n\n" and end < len(raw.text.rstrip())}
    print(
        f"{name:<12}{TREEBANKS[name]:>9}{len(raw.ends) + raw.text.count(chr(10) * 2):>11,}{len(raw.words):>9,}"
        f"{f1(set(raw.words), set(words)):>9.2%}{f1(raw.ends, unmarked):>13.2%}{len(raw.text) / seconds:>14,.0f}"
    )
    if errors:
        show_words(raw, words, errors)
        show_ends(raw, unmarked, errors)


def f1(gold: set[object] | set[int] | set[Span], found: set[object] | set[int] | set[Span]) -> float:
    return 2 * len(gold & found) / (len(gold) + len(found))


def show_words(raw: Printed, words: Sequence[Span], most: int) -> None:
    """The most frequent stretches of text that are other words than they should be."""
    gold_places = {start for start, _ in raw.words} & {start for start, _ in words}
    places = [*sorted(gold_places), len(raw.text)]
    counts: Counter[tuple[str, str]] = Counter()
    spans = [sorted(set(raw.words)), sorted(set(words))]
    heads = [0, 0]
    for place in places[1:]:
        said = []
        for side, these in enumerate(spans):
            first = heads[side]
            while heads[side] < len(these) and these[heads[side]][0] < place:
                heads[side] += 1
            said.append(" ".join(raw.text[slice(*span)] for span in these[first : heads[side]]))
        if said[0] != said[1]:
            counts[said[0], said[1]] += 1
    print(f"  {sum(counts.values()):,} stretches with other words:")
    for (gold, found), count in counts.most_common(most):
        print(f"  {count:>6}  {gold[:90]}  →  {found[:90]}")


def show_ends(raw: Printed, ends: set[int], most: int) -> None:
    for what, places in (("missed", raw.ends - ends), ("wrong", ends - raw.ends)):
        print(f"  {len(places):,} {what} ends:")
        some = sorted(places)
        for end in some[:: max(1, len(some) // most)]:
            context = raw.text[max(0, end - 50) : end] + " ‖ " + raw.text[end : end + 40]
            print("    " + context.replace("\n", "⏎"))


def report_guesses(name: str, file: Path) -> None:
    language = TREEBANKS[name]
    right: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    for words, _ in sentences_of(file, name):
        if not any(word.isalpha() for word in words):
            continue
        is_right = guess_language(" ".join(words)) == language
        for kind in ("all", "short" if len(words) <= 5 else "", "long" if len(words) >= 20 else ""):
            right[kind] += is_right
            counts[kind] += 1
    shares = [right[kind] / max(1, counts[kind]) for kind in ("all", "short", "long")]
    print(f"{name:<12}{shares[0]:>14.2%}{shares[1]:>15.2%}{shares[2]:>19.2%}")


assert set(TREEBANKS.values()) == set(all_languages())

if __name__ == "__main__":
    main()
