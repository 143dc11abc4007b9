"""``permutree report``: what to paste into an issue about a wrong tree."""

from __future__ import annotations

import platform
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from permutree import __version__
from permutree.cli.choosing import language_option
from permutree.cli.terminal import say, show
from permutree.drawing import draw_text
from permutree.encoding import Repairs
from permutree.errors import ConfigError, DataError
from permutree.formats import read
from permutree.languages import all_languages, split
from permutree.languages.guessing import judge_language
from permutree.models import folder, name_for, names
from permutree.sanitising import json_text, markdown, visible
from permutree.trees.tree import Tree

#: columns that a drawing may take in an issue; wider trees are outlines
_WIDTH = 110
_GAP = " … "


@click.command(
    epilog="""\b
Examples:
  permutree report "What do you want to eat?"
  permutree report "Das habe ich nicht gesagt." --lang de
  permutree report "He slept." --expected '(ROOT (S (NP (PRP 0=He)) (VP (VBD 1=slept)) (. 2=.)))'
  permutree report "He slept ." --words --expected gold.export"""
)
@click.argument("sentence", metavar="SENTENCE")
@language_option
@click.option("-m", "--model", metavar="NAME|FOLDER", help="The model that is to parse it.")
@click.option(
    "--expected",
    metavar="TREE|FILE",
    help="The right tree, in discbracket, or a file in any format that has it.",
)
@click.option("--words", "is_words", is_flag=True, help="SENTENCE is words with blanks between them, not raw text.")
def command(sentence: str, language: str | None, model: str | None, expected: str | None, is_words: bool) -> None:
    """Print what to paste into an issue about a wrong tree of SENTENCE.

    That is: versions, model, machine, words, tags, the tree drawn and in discbracket, the confidence in constituents
    and repairs, as Markdown. With --expected, the difference from the right tree. Nothing is sent, and no path or name
    of yours is in it.
    """
    right = None if expected is None else _expected(expected)
    how = "given" if language or model else "guessed"
    from permutree.parsing.parser import Parser

    if model is None:
        guess = judge_language(sentence)
        language = language or guess.language
        how += "" if how == "given" or guess.is_sure else ", unsure"
        model = name_for(language)
    parser = Parser.load(model)
    if parser.model.codec is None or parser.needs_tags:
        raise ConfigError(f"{model} does not parse text without tags; name another model")
    language = language or parser.language or judge_language(sentence).language
    sentences = [sentence.split()] if is_words else [found.words for found in split(sentence, language)]
    if not any(sentences):
        raise click.UsageError("the sentence is empty.")
    if right is not None and len(sentences) > 1:
        raise click.UsageError(
            f"--expected is for one sentence, and these are {len(sentences)}; if they are one, use --words."
        )
    parts = [
        *_head(sentence, language, how, model, parser.folder),
        *(part for words in sentences for part in _parse(parser.batches([words], confidence=True), right)),
    ]
    show("\n".join(parts))
    say("paste this into an issue, and say what is wrong with the tree")


def _expected(given: str) -> Tree:
    """The right tree: as given, or the only one of a file."""
    if given.lstrip().startswith("("):
        return Tree.parse(given.strip())
    trees = list(read(given))
    if len(trees) != 1:
        raise DataError(f"has {len(trees):,} trees; --expected wants a file with one, or a tree", source=given)
    return trees[0]


def _head(sentence: str, language: str, how: str, model: str, place: Path | None) -> Iterator[str]:
    """The sentence, and what parsed it where."""
    import numpy
    import onnxruntime

    from permutree.corpora.manifest import model_checksum

    yield "### Sentence\n"
    yield _fenced(sentence)
    if visible(sentence) != sentence:
        yield "\nIt has signs that are not shown as they are; in JSON:\n"
        yield _fenced(json_text(sentence, only_ascii=True))
    # Where a folder is says who somebody is.
    shown = model if model in names() or model.startswith("hf:") else folder(model).resolve().name
    checksum = model_checksum(str(place or folder(model)))
    runtime = f"Python {platform.python_version()}, NumPy {numpy.__version__}, ONNX Runtime {onnxruntime.__version__}"
    yield "\n### Parsed by\n"
    yield f"- permutree {__version__}, {runtime}"
    yield f"- {markdown(f'{platform.system()} {platform.machine()}')}"
    yield f"- model {markdown(shown)}, checksum {checksum}"
    known = all_languages().get(language)
    yield f"- language {markdown(known.name if known else language)} ({how})"


def _parse(batches: Iterator[object], right: Tree | None) -> Iterator[str]:
    """What came of a sentence."""
    from permutree.parsing.parsed import Parsed

    for batch in batches:
        assert isinstance(batch, Parsed)
        for tree in batch.trees():
            yield from _tree(tree, batch.repairs)
            if batch.cuts:
                yield "\nThe sentence was too long: it was cut, and the trees of its pieces joined."
            if right is not None:
                yield from _difference(tree, right)


def _tree(tree: Tree, repairs: Repairs) -> Iterator[str]:
    """Words, tags, the tree, and how sure the parser is of it."""
    yield "\n### Tree\n"
    yield _fenced(draw_text(tree, width=_WIDTH))
    yield "\nIn discbracket:\n"
    yield _fenced(tree.discbracket())
    tags = " ".join(f"{word}/{tag}" for word, tag in zip(tree.words, tree.tags, strict=True))
    yield f"\n{len(tree.words)} words, with tags:\n"
    yield _fenced(tags)
    confidence = tree.annotations.confidence
    if confidence:
        yield "\nConfidence, the least sure constituents first:\n"
        known = [(sure, part) for sure, part in zip(confidence, tree, strict=True) if sure is not None]
        least = sorted(known, key=lambda pair: pair[0])[:5]
        yield _fenced("\n".join(f"{sure:.2f}  {_shown(tree, part.label, part.words)}" for sure, part in least))
    yield ""
    if repairs:
        yield f"{len(repairs)} repairs of labels:\n"
        lines = [f"{tree.words[one.word]}: {one.kind}, {one.was} read as {one.became}" for one in repairs]
        yield _fenced("\n".join(lines))
    else:
        yield "No label was repaired."


def _difference(tree: Tree, right: Tree) -> Iterator[str]:
    """How the tree differs from the one that was expected."""
    yield "\n### Expected\n"
    yield _fenced(draw_text(right, width=_WIDTH))
    yield "\nIn discbracket:\n"
    yield _fenced(right.discbracket())
    yield ""
    if tuple(tree.words) != tuple(right.words):
        yield "The words differ, so trees cannot be compared (`--words` takes words as they are):\n"
        yield _fenced(f"found     {' '.join(tree.words)}\nexpected  {' '.join(right.words)}")
        return
    ours, theirs = (Counter((part.label, tuple(part.words)) for part in one) for one in (tree, right))
    lines = [f"expected  {_shown(tree, *part)}" for part in (theirs - ours).elements()]
    lines += [f"found     {_shown(tree, *part)}" for part in (ours - theirs).elements()]
    lines += [
        f"tag       {word}: expected {tag}, found {found}"
        for word, tag, found in zip(tree.words, right.tags, tree.tags, strict=True)
        if tag != found
    ]
    yield "Difference:\n" if lines else "No difference."
    if lines:
        yield _fenced("\n".join(lines))


def _shown(tree: Tree, label: str, words: Sequence[int]) -> str:
    """A constituent with its words, gaps as dots."""
    blocks: list[list[str]] = []
    before = -2
    for word in words:
        if word != before + 1:
            blocks.append([])
        blocks[-1].append(tree.words[word])
        before = word
    return f"{label}: {_GAP.join(map(' '.join, blocks))}"


def _fenced(text: str) -> str:
    """Text that Markdown shows as it is: behind a fence longer than any in it."""
    shown = "\n".join(line and visible(line) for line in text.split("\n"))
    longest = max((len(run) for run in re.findall("`+", shown)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{shown}\n{fence}"
