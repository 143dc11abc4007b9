"""Vectors of words out of a pretrained encoder or decoder: what it says of a word on average, over the places in text.

    python lab/models/context_vectors.py ENCODER OUT FILE... [--beside VECTORS] [--layer 6] [--size 200] [--at-least 3]
        [--most 200000] [--steps 32] [--device cuda]

ENCODER is a folder of Hugging Face Transformers. FILEs are treebanks, tagged sentences and tokenised text, read in this
order, MOST sentences at most. The vector of a word is the mean of its states behind a layer, over all sentences that
have it. Words that the encoder never saw in training are known by their sub-words and by the sentences around them. A
decoder reads with its causal mask here, as it learnt to.

VECTORS are a file of `word_vectors.py`; what they say of a word stands beside. All of that is rotated to the directions
in which words differ most, cut to SIZE numbers, and written as `word_vectors.py` does.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import chain, islice
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from permutree.errors import ConfigError
from permutree.model.batching import padded, shuffled_batches
from permutree.networks.embeddings import read_vectors
from permutree.networks.pretrained import PretrainedEncoder, load_pretrained
from permutree.networks.tensors import PieceInputs, as_tensors
from permutree.parsing.inputs import read_sentences
from word_vectors import Floats, rotated, write_vectors

#: sub-words of a batch
BATCH = 16_000


def word_states(encoder: PretrainedEncoder, inputs: PieceInputs, layer: int) -> Tensor:
    """The states of the words of a batch behind a layer [B, T, size]."""
    output = encoder.model(input_ids=inputs.pieces, attention_mask=inputs.visible.long(), output_hidden_states=True)
    states: Tensor = output.hidden_states[layer].flatten(0, 1)
    return states[inputs.places]


@torch.no_grad()
def mean_states(
    folder: str, sentences: Sequence[Sequence[str]], words: Sequence[str], layer: int, device: str
) -> Floats:
    """The mean of the states of each word over all sentences; all numbers vary as much."""
    features, encoder = load_pretrained(folder)
    if layer > (layers := encoder.model.config.num_hidden_layers):
        raise ConfigError(f"{folder} has {layers} layers: there is no layer {layer}")
    encoder.to(device).eval()
    numbers = {word: number for number, word in enumerate(words)}
    sums = torch.zeros(len(words) + 1, encoder.size, device=device)
    counts = torch.zeros(len(words) + 1, device=device)
    arrays = features.arrays(sentences)
    # Words that are too rare, and padding, are counted behind all others.
    values = np.array([numbers.get(word, len(words)) for word in chain.from_iterable(sentences)])
    offsets = np.cumsum([0, *map(len, sentences)])
    for batch in shuffled_batches(arrays.lengths, BATCH, np.random.default_rng(1)):
        inputs = as_tensors(arrays.batch(batch)).to(torch.device(device))
        assert isinstance(inputs, PieceInputs)
        places = torch.from_numpy(padded(values, offsets, batch, len(words))).flatten().to(device)
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            states = word_states(encoder, inputs, layer)
        sums.index_add_(0, places, states.flatten(0, 1).float())
        counts.index_add_(0, places, torch.ones_like(places, dtype=torch.float))
    means = (sums / counts.clamp(min=1)[:, None])[:-1]
    # In decoders, a few numbers are hundreds of times as large as all others.
    alike: Floats = ((means - means.mean(0)) / means.std(0).clamp(min=1e-6)).cpu().numpy()
    return alike


def known_vectors(file: str, words: Sequence[str]) -> Floats:
    """The vectors of words in a file; zeros for others."""
    known = read_vectors(file, {*words})
    none = np.zeros(len(next(iter(known.values()))), np.float32)
    return np.array([known.get(word, none) for word in words])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("encoder")
    parser.add_argument("out")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--beside", help="vectors that words have already")
    parser.add_argument("--layer", type=int, default=6, help="the layer whose states are taken")
    parser.add_argument("--size", type=int, default=200)
    parser.add_argument("--at-least", type=int, default=3, help="how often a word must be there")
    parser.add_argument("--most", type=int, default=200_000, help="how many sentences are read")
    parser.add_argument("--steps", type=int, default=32, help="numbers are multiples of 1 / STEPS")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options = parser.parse_args()
    sentences = [sentence.words for sentence in islice(read_sentences(options.files), options.most)]
    counts = Counter(chain.from_iterable(sentences)).most_common()
    words = [word for word, count in counts if count >= options.at_least and not any(map(str.isspace, word))]
    blocks = [mean_states(options.encoder, sentences, words, options.layer, options.device)]
    if options.beside:
        blocks.append(known_vectors(options.beside, words))
    vectors = rotated(blocks, options.size, options.steps)
    write_vectors(options.out, words, vectors)
    print(f"{len(sentences):,} sentences, {len(words):,} words, {vectors.shape[1]} numbers each", file=sys.stderr)


if __name__ == "__main__":
    main()
