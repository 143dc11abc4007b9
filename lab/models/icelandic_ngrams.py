"""Vectors of Icelandic words by the words that stand beside them, from the counts of Icegrams.

Icegrams is a package of Miðeind ehf. (MIT) that counts the sequences of three words in part of the Icelandic Gigaword
Corpus. Its file is read here by what is known of its layout; nothing of the package is run.
"""

from __future__ import annotations

import ast
import gzip
import struct
import sys
import zipfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch

#: the last version with its data inside
ICEGRAMS = "icegrams==1.1.3"
#: how many words are contexts, at each place beside a word, and how many numbers are made of them
CONTEXTS = 4_000
DIRECTIONS = 200
#: counts of contexts are raised to this, so that rare ones seem less telling
SMOOTHING = 0.75

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]


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
