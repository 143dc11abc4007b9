"""Sentences: clauses with punctuation, as trees. Punctuation is attached as in alpino."""

from __future__ import annotations

from permutree.treebanks.transforms import move_punctuation, transform
from permutree.trees.tree import Tree
from permutree_lab.teaching.composing import part, promised
from permutree_lab.teaching.lessons import Lesson
from permutree_lab.teaching.parts import Part, tree_of, word

__all__ = ["PUNCTUATION", "QUOTES", "capital", "finish", "mark", "quoted"]

PUNCTUATION = frozenset(["let"])
#: quotation marks, opening and closing; the straight ones are the treebank's own
QUOTES = (('"', '"'), ('"', '"'), ("“", "”"), ("'", "'"), ("‘", "’"), ("„", "”"), ("", ""))
_CLOSING = frozenset(".?!:;…")


def mark(text: str) -> Part:
    """A punctuation mark."""
    return word("let", text)


def quoted(said: list[Part], marks: tuple[str, str]) -> list[Part]:
    """Words between quotation marks, if there are any."""
    return [mark(marks[0]), *said, mark(marks[1])] if marks[0] else said


def capital(text: str) -> str:
    """The word with a capital; ij is one letter: IJsland.

    >>> capital("het"), capital("ijs")
    ('Het', 'IJs')
    """
    size = 2 if text.startswith("ij") else 1
    return text[:size].upper() + text[size:]


def finish(
    *parts: Part, said: list[Part] | None = None, end: str = ".", gap: Part | None = None, upper: bool = False
) -> Lesson:
    """The lesson of a sentence: parts under the root, a capital at the start, marks where they belong.

    ``said`` are the words in order, if they are not those of the parts. ``gap`` is the part that is promised to be
    discontinuous; without it, the first constituent that has a gap is promised, if there is one. ``upper`` writes all
    in capitals.
    """
    words = said if said is not None else [one for each in parts for one in each.words]
    words = _without_idle_commas([*words, *([mark(end)] if end else [])])
    root = part("ROOT", *parts, *(one for one in words if one.label in PUNCTUATION), order=words)
    tree = tree_of(root)
    tree = Tree.from_spans(_spelt(tree, upper), tree.tags, tree.order, tree.labels, tree.starts, tree.ends)
    tree = transform(tree, move_punctuation)
    return Lesson(tree, promised(tree, root, gap, PUNCTUATION))


def _without_idle_commas(words: list[Part]) -> list[Part]:
    """The words without commas at the start, beside another mark that ends something, or twice."""
    kept: list[Part] = []
    for number, one in enumerate(words):
        after = words[number + 1].text if number + 1 < len(words) else "."
        if one.label == "let" and one.text == ",":
            before = kept[-1].text if kept else ","
            if before in _CLOSING or before in ",(" or after in _CLOSING or (after == "," and kept):
                continue
        kept.append(one)
    return kept


def _spelt(tree: Tree, upper: bool) -> list[str]:
    """The words with a capital at the start of the sentence and of a quotation after a colon."""
    texts = list(tree.words)
    if upper:
        return [text.upper() for text in texts]
    start = True
    for number, tag in enumerate(tree.tags):
        if tag in PUNCTUATION:
            start = start or texts[number] == ":"
        elif start:
            texts[number] = capital(texts[number])
            start = False
    return texts
