"""Penn-historical brackets (``.psd``): the dialect of the parsed corpora of older English, Icelandic and their kin.

A sentence is a nameless bracket around a tree and its id::

    ( (IP-MAT (NP-1 (N-N Fögnuður-fögnuður)) (BEPI er-vera)
              (NP-SBJ (ADJ-N mikill-mikill) (NP *ICH*-1)))
      (ID 1150.HOMILIUBOK.REL-SER,.1))

- A terminal is ``(TAG word)`` or ``(TAG word-lemma)``. The lemma follows the last hyphen that is not the first
  character; ``word-`` is a word without a lemma. Some corpora have lemmas for punctuation alone: ``(. .-.)``.
- An empty element stands right in its phrase: ``0``, ``*``, ``*-1``, or a name between stars, as ``*con*``,
  ``*con*-D``, ``*2s*``, ``*speaker+hearer*``, ``*T*-1``. Traces are resolved (:mod:`permutree.formats.traces`), all
  other empty elements deleted with the nodes that they leave empty.
- ``CODE`` and its kin are comments with all that stands in them, be it words. Plain ones are kept as the comment of
  the sentence, without their places. What stands between trees in ``/* … */`` or ``/~* … *~/``, as CorpusSearch
  writes it, is skipped.
- A label is a category, functions and an index: ``NP-SBJ-1``. The first dash tag of ``IP`` and ``CP`` is part of the
  category (``IP-MAT``, ``CP-REL``). Tags have no functions: ``N-A`` is an accusative noun.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from sys import intern
from typing import TextIO

from permutree.errors import DataError, OnError, TreeError, raise_error
from permutree.formats.brackets import Bracket, escape, read_brackets, unescape
from permutree.formats.format import Format
from permutree.formats.lemmas import (
    COMMENTS,
    Lemmas,
    guess_lemmas,
    is_empty,
    is_punctuation,
    may_have_lemma,
    split_terminal,
    split_word,
)
from permutree.formats.sources import Source
from permutree.formats.traces import Empty, Label, displace, resolve, split_empty
from permutree.trees.builder import Leaf, Node, TreeBuilder
from permutree.trees.tree import Tree

__all__ = ["FORMAT", "read", "split_index", "split_label", "split_word", "write"]

#: categories that the first dash tag belongs to
SUBTYPED = frozenset(["CP", "IP"])
#: the root of a sentence that is more than one tree
ROOT = "ROOT"
#: how many brackets are looked at to tell whether words have lemmas
SAMPLE = 100

_log = logging.getLogger("permutree")


def read(
    source: Source,
    on_error: OnError = raise_error,
    *,
    traces: Collection[str] = ("T", "ICH"),
    functions: bool = True,
    lemmas: Lemmas = "auto",
    join: bool = False,
) -> Iterator[Tree]:
    """The trees of a Penn-historical file.

    Only the kinds of ``traces`` given are resolved. Without ``functions``, they stay in the label. ``lemmas`` says
    whether terminals are ``word-lemma``, or only those of ``punctuation``, which have no letter or digit. ``auto``
    takes it that they are if at least half of the words in the first 100 brackets have a hyphen inside; if not, that
    punctuation is if at least half of it has one; a warning tells where between a quarter and three quarters of the
    words have one. With ``join``, the halves of a word that was split for its grammar (``hest$`` and ``$inn``) are one
    word again if they stand side by side in one constituent, with the tag of the first and both lemmas
    (``hestur+hinn``); all halves lose their ``$``. Brackets of nothing but comments and empty elements are no
    sentences: they are left out, and a warning says how many there were. Those with nothing in them are errors.
    """
    brackets = read_brackets(source, on_error, has_comments=True, dialect=_check)
    if lemmas == "auto":
        sample = list(islice(brackets, SAMPLE))
        lemmas, doubt = guess_lemmas(bracket for _, bracket in sample)
        if doubt is not None:
            _log.warning("%s: %s; read as with --lemmas %s: say which is right", source.name, doubt, lemmas)
        brackets = chain(sample, brackets)
    wordless: list[int] = []
    for line, bracket in brackets:
        sentence = _Sentence(_id(bracket), lemmas, functions)
        try:
            sentence.plant(bracket)
            if not sentence.has_words and not bracket.is_damaged:
                wordless.append(line)
                continue
            yield sentence.tree(traces, join)
        except TreeError as error:
            on_error(DataError(str(error), source=source.name, line=line, sentence=sentence.id))
    if wordless:
        text = "%s: brackets without words (comments, empty elements) left out: %d, the first in line %d"
        _log.warning(text, source.name, len(wordless), wordless[0])


def _check(bracket: Bracket) -> None:
    """Raise a TreeError for a bracket that is neither a sentence nor a comment."""
    _Sentence(None, "no", True).plant(bracket)


def _id(bracket: Bracket) -> str | None:
    """The text of the last ID bracket."""
    ids = [part for part in bracket.subtrees() if part.label == "ID"]
    return " ".join(map(str, ids[-1].children)) or None if ids else None


def split_label(label: str) -> Label:
    """The category, the functions and the index of a label.

    >>> split_label("IP-MAT-SPE-1")
    Label(category='IP-MAT', function='SPE', index='1')
    >>> split_label("NP-SBJ=2"), split_label("CP-REL")
    (Label(category='NP', function='SBJ', index=None), Label(category='CP-REL', function=None, index=None))
    """
    label, index = split_index(label)
    category, *functions = label.split("-")
    if not category:
        return Label(label, None, index)
    if category in SUBTYPED and functions:
        category += "-" + functions.pop(0)
    return Label(intern(category), intern("-".join(functions)) if functions else None, index)


_INDEX = re.compile(r"(.+?)(?:=[^-]*)?(?:(?:-[0-9]+)*-([0-9]+))?(?:=.*)?").fullmatch


def split_index(label: str) -> tuple[str, str | None]:
    """A label without its numbers, and the one that traces refer to: the last. What gapping adds (=2) is not kept.

    >>> split_index("NP-SBJ-1"), split_index("NP-RSP-2-1"), split_index("CONJ=2"), split_index("N-A")
    (('NP-SBJ', '1'), ('NP-RSP', '1'), ('CONJ', None), ('N-A', None))
    """
    match = _INDEX(label)
    return (intern(match[1]), match[2]) if match else (label, None)


@dataclass(slots=True)
class _Sentence:
    """What is found in an outermost bracket."""

    id: str | None
    lemmas: Lemmas
    has_functions: bool
    has_words: bool = False
    comments: list[str] = field(default_factory=list)
    root: Node = field(default_factory=lambda: Node(ROOT))
    indexes: dict[Node | Leaf, str] = field(default_factory=dict)

    def plant(self, bracket: Bracket) -> None:
        """Make nodes and leaves of brackets; nodes that hold nothing but comments are left out."""
        if not bracket.children and bracket.label not in COMMENTS:
            raise TreeError(f"empty bracket ({bracket.label})")
        nodes = [self.root]
        stack: list[tuple[Bracket | str, Node]] = []
        stack.extend((item, self.root) for item in reversed([bracket] if bracket.label else bracket.children))
        while stack:
            item, parent = stack.pop()
            if isinstance(item, str):
                where = parent.label if parent is not self.root else "a nameless bracket"
                raise TreeError(f"the word {item!r} does not stand alone in its bracket, but under {where}")
            if item.label in COMMENTS:
                self._note(item)
                continue
            if not item.label:
                raise TreeError("a nameless bracket inside the sentence")
            if not item.children:
                raise TreeError(f"empty bracket ({item.label})")
            if item.word is not None and not is_empty(item.word):
                parent.children.append(self._leaf(item.label, item.word))
                continue
            node = self._node(item.label)
            parent.children.append(node)
            if item.word is not None:
                kind, index = split_empty(item.word)
                node.children.append(Empty("", "", kind=kind, index=index))
            else:
                nodes.append(node)
                stack.extend((child, node) for child in reversed(item.children))
        for node in reversed(nodes):
            node.children = [child for child in node.children if isinstance(child, Leaf) or child.children]

    def _note(self, bracket: Bracket) -> None:
        words = [child for child in bracket.children if isinstance(child, str)]
        if bracket.label != "ID" and words and len(words) == len(bracket.children):
            self.comments.append(unescape(" ".join(words)))

    def _node(self, text: str) -> Node:
        label = split_label(text)
        node = Node(label.category, [], label.function)
        if not self.has_functions:
            node.label, node.function = split_index(text)[0], None
        if label.index is not None:
            self.indexes[node] = label.index
        return node

    def _leaf(self, text: str, terminal: str) -> Leaf:
        self.has_words = True
        tag, index = split_index(text)
        word, lemma = split_word(terminal, may_have_lemma(terminal, self.lemmas))
        leaf = Leaf(intern(word), tag, lemma)
        if index is not None:
            self.indexes[leaf] = index
        return leaf

    def tree(self, traces: Collection[str], join: bool) -> Tree:
        """The tree, with its traces resolved; a TreeError if there are no words."""
        if not self.has_words:
            raise TreeError("no words")
        if join:
            _join_halves(self.root)
        is_one = len(self.root.children) == 1
        draft = resolve(self.root.children[0] if is_one else self.root, self.indexes, traces)
        # Words get functions from the places of their traces, but have none here.
        for leaf in draft.leaves:
            leaf.function = None
        draft.id = self.id
        draft.comment = " ".join(self.comments) or None
        return Tree.of(draft)


def _join_halves(root: Node) -> None:
    """Join the halves of split words that are neighbours, and free all others from their ``$``."""
    for node in root.subtrees():
        children: list[Node | Leaf] = []
        for child in node.children:
            last = children[-1] if children else None
            if isinstance(last, Leaf) and isinstance(child, Leaf) and last.word[-1:] == child.word[:1] == "$":
                last.word = last.word[:-1] + child.word[1:]
                last.lemma = "+".join(filter(None, (last.lemma, child.lemma))) or None
            else:
                children.append(child)
        node.children = children
    for leaf in root.leaves():
        leaf.word = leaf.word.strip("$") or leaf.word


def write(trees: Iterable[Tree], stream: TextIO, *, functions: bool = True, lemmas: Lemmas = "auto") -> None:
    """Write trees, each in a line of its own with a blank line after it; discontinuous ones with traces ``*ICH*``.

    With ``functions``, constituents that have one are written as LABEL-FUNCTION; without, functions are left out.
    ``lemmas`` says whether they are written; ``auto`` does it if the first tree has any, and only for punctuation if no
    other word of that tree has one, and sees to it that a reader who guesses finds the same words. What would not be
    read back as it is, such as a label of which a part would be taken for a function, is an error.
    """
    chosen, ends = lemmas, False
    if lemmas == "auto":
        sample = list(islice(trees := iter(trees), SAMPLE))
        chosen, ends = _choose_lemmas(sample, functions)
        trees = chain(sample, trees)
    for number, tree in enumerate(trees, 1):
        found = _lemmatised_words(tree)
        try:
            if lemmas == "auto" and chosen != "yes" and found not in (chosen, "no"):
                had = "none" if chosen == "no" else "them for punctuation only"
                raise TreeError(f"has lemmas, but the first tree had {had}; say whether to write them (--lemmas)")
            stream.write(f"{_bracket(tree, functions, chosen, ends)}\n\n")
        except TreeError as error:
            raise DataError(str(error), sentence=tree.id or number) from None


def _lemmatised_words(tree: Tree) -> Lemmas:
    """Which words of a tree have lemmas."""
    if tree.annotations.lemmas is None:
        return "no"
    pairs = zip(tree.words, tree.annotations.lemmas, strict=True)
    is_lemmatised = [lemma is not None for word, lemma in pairs if not is_punctuation(word)]
    return "punctuation" if is_lemmatised and not any(is_lemmatised) else "yes"


def _choose_lemmas(sample: list[Tree], functions: bool) -> tuple[Lemmas, bool]:
    """How to write lemmas, so that a reader who goes by the first brackets finds the same words.

    As the first tree has them; where words such as x-ray would be taken for words with lemmas, or these for words, all
    words are written as if they had lemmas, some or all of them with a hyphen at the end.
    """
    first = _lemmatised_words(sample[0]) if sample else "no"
    choices: list[tuple[Lemmas, bool]] = [(first, False), ("yes", False), ("yes", True)]
    for lemmas, ends in choices:
        try:
            brackets = [_bracket(tree, functions, lemmas, ends) for tree in sample]
        except TreeError:
            # It is told when the tree is written.
            return lemmas, ends
        guessed, _ = guess_lemmas(brackets)
        words = [part.word for bracket in brackets for part in bracket.subtrees() if part.word is not None]
        if all(split_terminal(word, guessed) == split_terminal(word, lemmas) for word in words):
            return lemmas, ends
    return choices[-1]


def _bracket(tree: Tree, functions: bool, lemmas: Lemmas, ends: bool) -> Bracket:
    """The bracket of a sentence; with ``ends``, words without a lemma have a hyphen at the end."""
    root, indexes = displace(TreeBuilder.from_tree(tree))
    top = Bracket("")
    if tree.annotations.comment:
        top.children.append(Bracket("CODE", [escape(" ".join(tree.annotations.comment.split()))]))
    stack = [(root, top)]
    while stack:
        node, parent = stack.pop()
        index = indexes.get(node)
        if isinstance(node, Leaf):
            if functions and node.function is not None:
                raise TreeError(
                    f"the word {node.word!r} has the function {node.function!r}, but only constituents can have one "
                    "here: leave functions out"
                )
            bracket = Bracket(_tag(node.tag), [_terminal(node, lemmas, ends)])
        elif isinstance(node.children[0], Empty):
            # A function here would be added to what comes in its place.
            trace = node.children[0]
            bracket = Bracket(split_label(_name(node.label)).category, [f"{trace.word}-{trace.index}"])
        else:
            bracket = Bracket(_label(node, functions))
            stack.extend((child, bracket) for child in reversed(node.children))
        if index is not None:
            bracket.label += f"-{index}"
        parent.children.append(bracket)
    if tree.id:
        if " ".join(tree.id.split()) != tree.id or "(" in tree.id or ")" in tree.id:
            raise TreeError("its id cannot be written: it has white space or parentheses in it")
        top.children.append(Bracket("ID", [tree.id]))
    return top


def _label(node: Node, functions: bool) -> str:
    """The label to write for a constituent; a TreeError if it would be read as another."""
    written = _name(node.label)
    if functions and node.function is not None:
        written += f"-{_name(node.function)}"
    if split_index(written) != (written, None):
        raise TreeError(f"the label {written!r} cannot be written: a part of it would be read as an index")
    found = split_label(written)
    if functions and (found.category, found.function) != (node.label, node.function):
        raise TreeError(
            f"the label {node.label!r} cannot be written beside functions: it would be read as {found.category!r} with "
            f"the function {found.function!r}; leave functions out, in writing and in reading"
        )
    return written


def _tag(tag: str) -> str:
    """The tag to write for a word; a TreeError if it would be read as another."""
    if split_index(_name(tag)) != (tag, None):
        raise TreeError(f"the tag {tag!r} cannot be written: a part of it would be read as an index")
    return tag


_UNWRITABLE = re.compile(r"[ \t\n\r\f\v()]").search


def _name(name: str) -> str:
    """A label, function or tag as it is written: as it is, if it can be."""
    if not name or _UNWRITABLE(name) or name.isspace() or name in COMMENTS:
        raise TreeError(f"Penn-historical brackets cannot hold the label or tag {name!r}; write jsonl instead")
    return name


def _terminal(leaf: Leaf, lemmas: Lemmas, ends: bool) -> str:
    """The text of a terminal; a TreeError if it would be read as another."""
    has_lemmas = may_have_lemma(leaf.word, lemmas)
    lemma = leaf.lemma or None if has_lemmas else None
    text = escape(leaf.word) if lemma is None else f"{escape(leaf.word)}-{escape(lemma)}"
    # A hyphen at the end keeps the reader from taking a part of the word for a lemma, or all of it for empty.
    choices = (text, f"{text}-") if has_lemmas and lemma is None else (text,)
    for written in choices[::-1] if ends else choices:
        found = split_word(written, may_have_lemma(written, lemmas))
        is_read = not is_empty(written) and found == (leaf.word, lemma)
        if leaf.word and is_read and not _UNWRITABLE(written) and not written.isspace():
            return written
    what = f"the word {leaf.word!r}" + (f" with the lemma {lemma!r}" if lemma else "")
    raise TreeError(f"Penn-historical brackets cannot hold {what}: it would be read as something else; write jsonl")


FORMAT = Format(
    name="psd",
    description="Penn-historical brackets with ids, codes and lemmas",
    suffixes=(".psd",),
    read=read,
    write=write,
    rank=60,
    sign=r"^\s*(?:/~?\*(?s:(?!\*~?/).)*\*~?/\s*)*"
    r"\((?s:.*)\((?:(?:ID|CODE|METADATA) |(?!-NONE-)[^()\s]+ \*(?:T|ICH|con|pro|exp)\*)",
    splits_labels=True,
)
