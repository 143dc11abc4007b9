"""Sentences: clauses with punctuation, as trees. Punctuation is attached as in squoia_de."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from permutree.treebanks.transforms import move_punctuation, transform
from permutree.trees.tree import Tree
from permutree_lab.teaching.composing import part, promised
from permutree_lab.teaching.lessons import Lesson
from permutree_lab.teaching.parts import Part, tree_of, word

__all__ = ["PUNCTUATION", "QUOTES", "finish", "mark", "quoted"]

PUNCTUATION = frozenset(["$,", "$.", "$["])
#: quotation marks, opening and closing; the straight ones are the treebank's own
QUOTES = (('"', '"'), ('"', '"'), ("„", "“"), ("»", "«"), ("«", "»"), ("", ""))


def mark(text: str) -> Part:
    """A punctuation mark."""
    return word("$," if text == "," else "$." if text in ".?!:;…" else "$[", text)


def quoted(said: Part | list[Part], marks: tuple[str, str]) -> list[Part]:
    """Words between quotation marks, if there are any."""
    words = list(said.words) if isinstance(said, Part) else said
    return [mark(marks[0]), *words, mark(marks[1])] if marks[0] else words


def finish(
    random: Random,
    *parts: Part,
    said: list[Part] | None = None,
    end: str = ".",
    gap: Part | None = None,
    respelt: bool = True,
) -> Lesson:
    """The lesson of a sentence: parts under the root, commas where they are needed, a capital at the start.

    ``said`` are the words in order, if they are not those of the parts. ``gap`` is the part that is promised to be
    discontinuous; without it, the first constituent that has a gap is promised, if there is one. ``respelt``
    sentences are sometimes spelt in the Swiss way or as before 1996.
    """
    words = said if said is not None else [one for each in parts for one in each.words]
    words = _commas([one for each in words for one in each.words] + ([mark(end)] if end else []))
    root = part("VROOT", *parts, *(one for one in words if one.label in PUNCTUATION), order=words)
    spelt = _spelling(random) if respelt else str
    tree = tree_of(root)
    tree = _with_words(tree, [spelt(text) for text in _capitals(tree)])
    tree = transform(tree, move_punctuation)
    return Lesson(tree, promised(tree, root, gap, PUNCTUATION))


def _commas(words: list[Part]) -> list[Part]:
    """The words without commas that stand at an edge or beside another mark."""
    kept: list[Part] = []
    for number, one in enumerate(words):
        if one.label == "$,":
            before = kept[-1].label if kept else "$."
            after = words[number + 1] if number + 1 < len(words) else None
            inside = _opens(kept)
            opens = inside and before == "$["
            closes = inside and after is not None and after.label == "$["
            if before in ("$,", "$.") or opens or closes or after is None or after.label == "$.":
                continue
            if any(later.label != "$," for later in words[number + 1 :]) and _next(words, number).label == "$.":
                continue
        kept.append(one)
    return kept


def _next(words: list[Part], number: int) -> Part:
    return next(one for one in words[number + 1 :] if one.label not in ("$,", "$["))


def _opens(kept: list[Part]) -> bool:
    """Whether a quotation was opened and not yet closed."""
    return sum(one.label == "$[" for one in kept) % 2 == 1


def _capitals(tree: Tree) -> list[str]:
    """The words with a capital at the start of the sentence and of a quotation after a colon."""
    texts = list(tree.words)
    start = True
    for number, tag in enumerate(tree.tags):
        if tag == "$." and texts[number] == ":" and number + 1 < len(texts) and tree.tags[number + 1] == "$[":
            start = True
        elif start and tag not in PUNCTUATION:
            texts[number] = texts[number][:1].upper() + texts[number][1:]
            start = False
    return texts


def _spelling(random: Random) -> Callable[[str], str]:
    """One of three ways to spell: today's, the Swiss one, which has no ß, and that of before 1996."""
    chance = random.random()
    old = {
        "dass": "daß",
        "muss": "muß",
        "Dass": "Daß",
        "Muss": "Muß",
        "musst": "mußt",
        "musste": "mußte",
        "mussten": "mußten",
    }
    if chance < 0.15:
        return lambda text: text.replace("ß", "ss")
    if chance < 0.3:
        return lambda text: old.get(text, text)
    return lambda text: text


def _with_words(tree: Tree, words: list[str]) -> Tree:
    return Tree.from_spans(words, tree.tags, tree.order, tree.labels, tree.starts, tree.ends)
