"""From the numbers of words, characters and tags to vectors; and vectors of words trained elsewhere."""

from __future__ import annotations

import struct
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt
import torch
import torch.nn.functional as F  # noqa: N812 - as everybody calls it
from torch import Tensor, nn

from permutree.errors import DataError, raise_error
from permutree.formats.sources import Source, open_sources
from permutree.model.features import PAD, UNKNOWN
from permutree.networks.tensors import WordInputs

__all__ = ["CharacterCNN", "CharacterLSTM", "WordEmbedding", "read_vectors"]


class CharacterLSTM(nn.Module):
    """The last states of a BiLSTM over the characters of a word, as in the paper."""

    def __init__(self, characters: int, *, embedding: int, size: int) -> None:
        super().__init__()
        self.size = size
        self.embedding = nn.Embedding(characters, embedding, padding_idx=PAD)
        self.forwards = nn.LSTM(embedding, size // 2, batch_first=True)
        self.backwards = nn.LSTM(embedding, size - size // 2, batch_first=True)

    def forward(self, characters: Tensor) -> Tensor:
        """Characters [U, L] to vectors [U, size]."""
        from permutree.networks.bilstm import reverse

        lengths = (characters != PAD).sum(1).clamp(min=1)
        vectors = self.embedding(characters)
        ends = (lengths - 1)[:, None, None]
        there, _ = self.forwards(vectors)
        back, _ = self.backwards(reverse(vectors, lengths))
        there = there.gather(1, ends.expand(-1, 1, there.shape[2]))[:, 0]
        back = back.gather(1, ends.expand(-1, 1, back.shape[2]))[:, 0]
        return torch.cat([there, back], 1)


class CharacterCNN(nn.Module):
    """The strongest responses of filters of several widths to the characters of a word."""

    def __init__(self, characters: int, *, embedding: int, size: int, widths: Sequence[int] = (2, 3, 4, 5)) -> None:
        super().__init__()
        self.size = size
        self.embedding = nn.Embedding(characters, embedding, padding_idx=PAD)
        shares = [size // len(widths) + (number < size % len(widths)) for number in range(len(widths))]
        self.widest = max(widths)
        self.filters = nn.ModuleList(
            nn.Conv1d(embedding, share, width, padding=width - 1) for share, width in zip(shares, widths, strict=True)
        )

    def forward(self, characters: Tensor) -> Tensor:
        """Characters [U, L] to vectors [U, size]."""
        # Every word is followed by nothing for at least one window, so that its vector is the same in any batch.
        vectors = self.embedding(F.pad(characters, (0, self.widest), value=PAD)).transpose(1, 2)
        return torch.cat([torch.relu(convolve(vectors)).amax(2) for convolve in self.filters], 1)


class WordEmbedding(nn.Module):
    """A word as the vectors of its form, of its characters and of its tag, side by side.

    In training, a word is taken for an unknown one now and then, the rarer the more often: with probability
    α / (α + count). Fixed vectors, which are not trained, stand beside those of the form; words beyond the first
    ``trained`` ones have only these.
    """

    def __init__(
        self,
        counts: list[int],
        characters: int,
        tags: int,
        *,
        trained: int,
        word_size: int,
        fixed_size: int,
        character_size: int,
        character_embedding: int,
        character_kind: str,
        tag_size: int,
        unknown_alpha: float,
        dropout: float,
    ) -> None:
        super().__init__()
        self.words = nn.Embedding(trained, word_size, padding_idx=PAD)
        self.fixed: Tensor | None
        self.register_buffer("fixed", torch.zeros(len(counts), fixed_size) if fixed_size else None)
        nn.init.normal_(self.words.weight, std=word_size**-0.5)
        self.tags = nn.Embedding(tags, tag_size, padding_idx=PAD) if tag_size else None
        spell = {"lstm": CharacterLSTM, "cnn": CharacterCNN}[character_kind]
        self.characters = (
            spell(characters, embedding=character_embedding, size=character_size) if character_size else None
        )
        drop = unknown_alpha / (unknown_alpha + torch.tensor(counts, dtype=torch.float).clamp(min=1))
        drop[:2] = 0
        drop[trained:] = 1
        self.register_buffer("drop", drop, persistent=False)
        self.dropout = nn.Dropout(dropout)
        self.size = word_size + fixed_size + character_size + tag_size

    def forward(self, inputs: WordInputs) -> Tensor:
        """The vectors of a batch [B, T, size]."""
        vectors = [self.forms(inputs.words)]
        if self.characters is not None:
            vectors.append(self.characters(inputs.characters)[inputs.types])
        if self.tags is not None:
            vectors.append(self.tags(inputs.tags))
        joined: Tensor = self.dropout(torch.cat([vector.to(vectors[0].dtype) for vector in vectors], 2))
        return joined

    def forms(self, words: Tensor) -> Tensor:
        """The vectors of words by their forms [..., word_size + fixed_size]."""
        if self.training:
            drop: Tensor = self.drop  # type: ignore[assignment]
            known = torch.where(torch.rand(words.shape, device=words.device) < drop[words], UNKNOWN, words)
        else:
            known = torch.where(words < len(self.words.weight), words, UNKNOWN)
        vectors: Tensor = self.words(known)
        return vectors if self.fixed is None else torch.cat([vectors, F.embedding(words, self.fixed)], -1)

    @torch.no_grad()
    def load_vectors(self, words: Collection[str], vectors: dict[str, npt.NDArray[np.float32]]) -> int:
        """Take vectors trained elsewhere, for the words that have one: to stay as they are, or to start from.

        Says how many words have one.
        """
        table = self.words.weight if self.fixed is None else self.fixed
        found = 0
        for number, word in enumerate(words):
            vector = vectors.get(word)
            if vector is not None:
                table[number] = torch.from_numpy(vector)
                found += 1
        return found


def read_vectors(path: str | Path, wanted: Collection[str] | None = None) -> dict[str, npt.NDArray[np.float32]]:
    """Word vectors from a file of word2vec (text or binary), GloVe or fastText; only the wanted words, if given.

    Text has a word and its numbers on each line, with or without a first line of counts; it may be compressed. The
    ``.bin`` files of fastText hold whole models: use the ``.vec`` file beside them.
    """
    for source in open_sources(path):
        head = source.head()
        if head.startswith(_FASTTEXT_MODEL):
            raise DataError("a fastText model; use its .vec file, which has the word vectors", source=source.name)
        try:
            return _read_source(source, head, wanted)
        finally:
            # Where the file could not be read to its end, this is the mistake, and not what was read last.
            source.report(raise_error)
    raise DataError("holds no word vectors", source=str(path))


def _read_source(source: Source, head: bytes, wanted: Collection[str] | None) -> dict[str, npt.NDArray[np.float32]]:
    first, _, rest = head.partition(b"\n")
    counts = first.split()
    if len(counts) == 2 and all(count.isdigit() and len(count) < 10 for count in counts):
        source.stream.readline()
        if _is_binary(rest):
            return _read_binary(source.stream, int(counts[0]), int(counts[1]), wanted, source.name)
        return _read_text(source.stream, int(counts[1]), wanted, source.name, 2)
    return _read_text(source.stream, len(first.rstrip().split(b" ")) - 1, wanted, source.name, 1)


_FASTTEXT_MODEL = struct.pack("<i", 793712314)


def _is_binary(rest: bytes) -> bool:
    """Whether what follows the line of counts is binary: text has nothing but numbers after the first word."""
    line, end, _ = rest.partition(b"\n")
    fields = line.split()
    # The last number may be cut in two.
    numbers = fields[1:] if end else fields[1:-1]
    try:
        return not all(np.isfinite(float(number)) for number in numbers) or len(fields) < 2
    except ValueError:
        return True


def _read_text(
    stream: BinaryIO, size: int, wanted: Collection[str] | None, name: str, first: int
) -> dict[str, npt.NDArray[np.float32]]:
    vectors: dict[str, npt.NDArray[np.float32]] = {}
    for number, line in enumerate(stream, first):
        fields = line.rstrip().split(b" ")
        # There are words with spaces in them, so there may be more fields, but not fewer.
        word = b" ".join(fields[:-size]).decode("utf-8", "replace") if 0 < size < len(fields) else ""
        if word and wanted is not None and word not in wanted:
            continue
        try:
            if not word:
                raise ValueError
            vectors[word] = np.array(fields[-size:], np.float32)
        except ValueError:
            raise DataError(f"expected a word and {size or 'its'} numbers", source=name, line=number) from None
    return vectors


def _read_binary(
    stream: BinaryIO, count: int, size: int, wanted: Collection[str] | None, name: str
) -> dict[str, npt.NDArray[np.float32]]:
    vectors: dict[str, npt.NDArray[np.float32]] = {}
    for _ in range(count):
        letters = bytearray()
        while (letter := stream.read(1)) != b" ":
            if not letter:
                raise DataError("the file of word vectors is cut off", source=name)
            if letter != b"\n":
                letters += letter
        data = stream.read(4 * size)
        if len(data) < 4 * size:
            raise DataError("the file of word vectors is cut off", source=name)
        word = letters.decode("utf-8", "replace")
        if wanted is None or word in wanted:
            vectors[word] = np.array(struct.unpack(f"<{size}f", data), np.float32)
    return vectors
