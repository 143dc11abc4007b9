"""All that models are taught with, as files: treebanks, rewritten trees, trees of the grammars, tagged sentences.

A language says which treebanks teach it and which held-out sets and suites no sentence of its lessons may be in. The
files are laid out as grids want them: ``masc/train``, ``teaching/en.rewritten``.
"""

from __future__ import annotations

import lzma
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from permutree.errors import DataError
from permutree.formats import read, write
from permutree.formats.sinks import open_output
from permutree.parsing.inputs import read_sentences, write_tagged
from permutree.treebanks.recipes import prepare
from permutree.trees.tree import Tree
from permutree_lab.folders import CONSTRUCTIONS
from permutree_lab.teaching.lessons import Language, normalise
from permutree_lab.teaching.making import generate, read_texts, rewrite, spread
from permutree_lab.teaching.registry import find_language
from permutree_lab.treebanks import find_part

__all__ = ["SOURCES", "Sizes", "Source", "Written", "retag", "write_teaching"]

#: tags with two names
_RENAMED = {"PAV": "PROAV", "$(": "$["}
#: the first year of texts that are near to the Icelandic of today
_RECENT = 1830


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many trees to write, at most."""

    rewritten: int
    grammar: int
    #: of each treebank and of tagged sentences, only so many, evenly spaced; all, if None
    treebank: int | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """Where the lessons of a language come from."""

    #: treebanks that are copied with all of their splits
    treebanks: tuple[str, ...]
    #: the training sets that are rewritten
    rewritten: tuple[str, ...]
    #: sentences with tags and without trees
    tagged: tuple[str, ...] = ()
    #: kinds that models need more of than of others, if any; they have a file of their own
    more: tuple[str, ...] = ()
    sizes: Sizes = field(default_factory=lambda: Sizes(6000, 8000))


SOURCES = {
    "en": Source(
        ("masc", "craft"),
        ("masc/train", "craft/train"),
        ("en_ewt", "en_pud"),
        ("parenthetical", "own-parenthetical", "fronted-quotation", "extraposed-phrase", "extraposed-clause"),
        Sizes(rewritten=8000, grammar=10000),
    ),
    "de": Source(
        ("squoia_de",),
        ("squoia_de/train",),
        ("de_gsd",),
        (
            *("object-first", "wh-question", "which-question", "embedded-question", "attached-relative", "extraposed"),
            *("comparative", "so-that", "split-noun-phrase", "gapping", "gapped-place", "headline"),
        ),
        Sizes(rewritten=6000, grammar=8000),
    ),
    "nl": Source(
        ("alpino",),
        ("alpino/train", "alpino/extra-train"),
        ("nl_lassysmall",),
        sizes=Sizes(rewritten=8000, grammar=10000),
    ),
    "is": Source(
        ("icepahc", "icepahc_modern"),
        ("icepahc_modern/train", "icepahc/recent"),
        sizes=Sizes(rewritten=5000, grammar=4000),
    ),
}


@dataclass(slots=True)
class Written:
    """A file that was written, and what it holds."""

    path: str
    sentences: int
    words: int
    #: sentences that were left out, as they are in a held-out set or a suite
    left_out: int = 0
    #: sentences of a treebank's training set, which stays as it is, that are in a held-out set or a suite as well
    shared: int = 0
    kinds: dict[str, int] = field(default_factory=dict)


def write_teaching(
    code: str, treebanks: Path, out: Path, seed: int = 1, sizes: Sizes | None = None
) -> Iterator[Written]:
    """Write all files of a language into a folder, and check that no held-out sentence is among them."""
    source = SOURCES[code]
    sizes = sizes or source.sizes
    for name in source.treebanks:
        _copy_treebank(treebanks / name, out / name, sizes.treebank)
    held_out = [
        path
        for name in source.treebanks
        for path in sorted((out / name).glob("*.discbracket.xz"))
        if path.name.startswith(("dev.", "test."))
    ]
    suite = sorted((CONSTRUCTIONS / code).glob("*.txt"))
    avoid = read_texts([*held_out, *suite])
    for name in source.treebanks:
        for path in sorted((out / name).glob("*.discbracket.xz")):
            trees = list(read(path))
            shared = 0 if path in held_out else sum(normalise(" ".join(tree.words)) in avoid for tree in trees)
            yield Written(_name(path, out), len(trees), sum(map(len, trees)), shared=shared)
    language = find_language(code)
    plain = read([find_part(out, part) for part in source.rewritten])
    rewritten = list(rewrite(language, plain, seed, avoid=avoid))
    rewritten = spread(rewritten, sizes.rewritten, seed)
    yield _write_lessons(out, f"teaching/{code}.rewritten", rewritten, avoid)
    made = list(generate(language, sizes.grammar, seed, avoid=avoid))
    yield _write_lessons(out, f"teaching/{code}.grammar", made, avoid)
    if source.more:
        more = _more(language, source, out, seed + 1, sizes, avoid | _texts_of([*rewritten, *made]))
        yield _write_lessons(out, f"teaching/{code}.more", more, avoid)
    # For models that see gaps everywhere if every other sentence they learn from has one.
    yield _write_lessons(out, f"teaching/{code}.half", [*rewritten[::2], *made[::2]], avoid)
    if source.tagged:
        given = [treebanks / "tags-only" / f"{name}.tagged.xz" for name in source.tagged]
        kept, left_out, _ = retag(given, read(find_part(out, source.rewritten[0])), avoid)
        kept = _some(kept, sizes.treebank)
        path = out / "teaching" / f"{code}.tags-only.tagged.xz"
        with open_output(str(path)) as stream:
            write_tagged(kept, stream)
        yield Written(_name(path, out), len(kept), sum(len(tags) for _, tags in kept), left_out)


def _more(
    language: Language, source: Source, out: Path, seed: int, sizes: Sizes, avoid: set[str]
) -> list[tuple[str, Tree]]:
    """Other lessons of some kinds: half as many as there are rewritten ones, and as many by the grammar.

    Trees of the grammar are rewritten, too, so that there are gaps inside of what is said.
    """
    plain = read([find_part(out, part) for part in source.rewritten])
    own = (tree for _, tree in generate(language, sizes.grammar, seed, avoid=avoid) if tree.is_discontinuous)
    kinds = [kind for kind in source.more if kind in language.rewritings]
    rewritten = spread(rewrite(language, chain(plain, own), seed, kinds, avoid), sizes.rewritten // 2, seed)
    kinds = [kind for kind in source.more if kind in language.grammar]
    made = list(generate(language, sizes.rewritten // 2, seed, kinds, avoid | _texts_of(rewritten)))
    return [*rewritten, *made]


def _texts_of(made: Iterable[tuple[str, Tree]]) -> set[str]:
    return {normalise(" ".join(tree.words)) for _, tree in made}


def retag(
    paths: Sequence[Path], train: Iterable[Tree], avoid: set[str]
) -> tuple[list[tuple[tuple[str, ...], list[str]]], int, Counter[str]]:
    """Tagged sentences with the tags of a training set; how many were left out; tags that the set does not have."""
    known = {tag for tree in train for tag in tree.tags}
    renamed = {old: new for old, new in _RENAMED.items() if old not in known and new in known}
    kept: list[tuple[tuple[str, ...], list[str]]] = []
    left_out, unknown = 0, Counter[str]()
    for sentence in read_sentences([str(path) for path in paths], "tagged"):
        if normalise(" ".join(sentence.words)) in avoid:
            left_out += 1
            continue
        tags = [renamed.get(tag, tag) for tag in sentence.tags or ()]
        unknown.update(tag for tag in tags if tag not in known)
        kept.append((tuple(sentence.words), tags))
    return kept, left_out, unknown


def _some(items: list[tuple[tuple[str, ...], list[str]]], most: int | None) -> list[tuple[tuple[str, ...], list[str]]]:
    size = len(items) if most is None else min(most, len(items))
    return [items[number * len(items) // size] for number in range(size)]


def _copy_treebank(folder: Path, out: Path, most: int | None) -> None:
    """Copy the files of a treebank: the reference conversion, or what the recipe makes of the raw files."""
    out.mkdir(parents=True, exist_ok=True)
    if not (folder / "train.discbracket.xz").exists():
        prepare("icepahc-modern", folder / "raw.tar.xz", out)
        for made in sorted(out.glob("*.discbracket")):
            write(_evenly(list(read(made)), most), out / f"{made.name}.xz")
            made.unlink()
    else:
        for file in sorted(folder.glob("*.discbracket.xz")):
            if most is None:
                shutil.copyfile(file, out / file.name)
            else:
                write(_evenly(list(read(file)), most), out / file.name)
    ids = folder / "train.ids.xz"
    if folder.name == "icepahc" and ids.exists():
        _write_recent(folder, out, most)


def _write_recent(folder: Path, out: Path, most: int | None) -> None:
    """The trees of the training set whose text is of the nineteenth century or later, by the year in their ids."""
    with lzma.open(folder / "train.ids.xz", "rt", encoding="utf-8") as stream:
        years = [int(line[:4]) for line in stream]
    trees = read(folder / "train.discbracket.xz")
    recent = [tree for tree, year in zip(trees, years, strict=True) if year >= _RECENT]
    write(_evenly(recent, most), out / "recent.discbracket.xz")


def _evenly(trees: list[Tree], most: int | None) -> list[Tree]:
    size = len(trees) if most is None else min(most, len(trees))
    return [trees[number * len(trees) // size] for number in range(size)]


def _write_lessons(out: Path, part: str, made: list[tuple[str, Tree]], avoid: set[str]) -> Written:
    path = out / f"{part}.discbracket.xz"
    path.parent.mkdir(parents=True, exist_ok=True)
    write([tree for _, tree in made], path)
    texts = read_texts([path])
    if both := texts & avoid:
        raise DataError(f"{len(both)} sentences are in a held-out set or a suite: {min(both)}", source=str(path))
    counted = Counter(kind for kind, _ in made)
    words = sum(len(tree) for _, tree in made)
    return Written(_name(path, out), len(made), words, kinds=dict(counted))


def _name(path: Path, out: Path) -> str:
    return str(path.relative_to(out))
