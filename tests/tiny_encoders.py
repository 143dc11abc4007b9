"""Small random encoders of well-known architectures, in folders as Hugging Face tools write them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
from transformers import AutoConfig, AutoModel

from permutree.model.subwords import PieceFeatures

#: what makes a tokenizer with its special sub-words, its class, and settings of the network
Family = tuple[Callable[[], tuple[Tokenizer, dict[str, str]]], str, dict[str, Any]]
#: how many sub-words all of them read at once
WINDOW = 64

SENTENCES = [
    "The dogs were not fed by anyone , which nobody had noticed until yesterday .",
    "Unbelievably , she undid what he had been doing all morning .",
    "Der Hund , den niemand gefüttert hatte , schlief unter dem Küchentisch .",
    "A hearing is scheduled on the issue today , ( said the spokeswoman ) .",
]


def write_encoder(folder: Path, family: str, seed: int = 1, **changes: Any) -> None:
    """Write a small random encoder of this family, and a tokenizer of its kind trained on a few sentences."""
    make_tokenizer, tokenizer_class, config = (FAMILIES | DECODERS)[family]
    tokenizer, special = make_tokenizer()
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(
        json.dumps({"tokenizer_class": tokenizer_class, "model_max_length": WINDOW, **special}), "utf-8"
    )
    torch.manual_seed(seed)
    numbers = {f"{name}_id": tokenizer.token_to_id(special[name]) for name in special if name != "unk_token"}
    settings = {"vocab_size": tokenizer.get_vocab_size(), "initializer_range": 0.2, **numbers, **config, **changes}
    model = AutoModel.from_config(AutoConfig.for_model(family, **settings))  # type: ignore[no-untyped-call]
    save_file(model.state_dict(), folder / "model.safetensors", {"format": "pt"})
    model.config.save_pretrained(folder)


def with_unused(features: PieceFeatures, count: int) -> PieceFeatures:
    """Features in whose vocabulary so many entries, from the fifth on, are unused."""
    data = features.to_json()
    tokenizer = json.loads(data["tokenizer"])
    pieces = list(tokenizer["model"]["vocab"])
    pieces[4 : 4 + count] = [f"[unused{number}]" for number in range(count)]
    tokenizer["model"]["vocab"] = {piece: number for number, piece in enumerate(pieces)}
    return PieceFeatures.from_json({**data, "tokenizer": json.dumps(tokenizer)})


def split_bytes() -> tuple[Tokenizer, dict[str, str]]:
    """Sub-words as Qwen has them: words are split before they become bytes, and all are known."""
    tokenizer = Tokenizer(models.BPE())
    split = pre_tokenizers.Split(Regex(r"'t|[^\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+|\s+"), "isolated")
    to_bytes = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([split, to_bytes])
    alphabet, start = pre_tokenizers.ByteLevel.alphabet(), "<|endoftext|>"
    trainer = trainers.BpeTrainer(
        vocab_size=300, special_tokens=[start], initial_alphabet=alphabet, show_progress=False
    )
    _train(tokenizer, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(single=f"{start} $A", special_tokens=[(start, 0)])
    return tokenizer, {"eos_token": start, "pad_token": start}


def _train(tokenizer: Tokenizer, trainer: Any) -> None:
    tokenizer.train_from_iterator(SENTENCES, trainer)


def word_pieces(start: str, end: str, pad: str, mask: str) -> tuple[Tokenizer, dict[str, str]]:
    """Sub-words as BERT has them."""
    special = [start, pad, end, "[UNK]", mask]
    # Characters, and beginnings of words: a trained vocabulary is another every time.
    words = sorted({word for sentence in SENTENCES for word in sentence.lower().split()})
    letters = sorted({letter for word in words for letter in word})
    beginnings = sorted({word[:3] for word in words} - {*letters})
    pieces = [*special, *letters, *(f"##{letter}" for letter in letters), *beginnings]
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.add_special_tokens(special)
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{start} $A {end}", special_tokens=[(one, tokenizer.token_to_id(one)) for one in (start, end)]
    )
    names = {"cls_token": start, "sep_token": end, "pad_token": pad, "mask_token": mask, "unk_token": "[UNK]"}
    return tokenizer, names


def byte_pairs() -> tuple[Tokenizer, dict[str, str]]:
    """Sub-words as RoBERTa has them: of bytes, with the space before a word as part of it."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=340, special_tokens=special, initial_alphabet=alphabet, show_progress=False
    )
    _train(tokenizer, trainer)
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
    names = {"cls_token": "<s>", "sep_token": "</s>", "pad_token": "<pad>", "mask_token": "<mask>"}
    return tokenizer, {**names, "bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>"}


def unigrams() -> tuple[Tokenizer, dict[str, str]]:
    """Sub-words as XLM-R has them: of SentencePiece's unigram model."""
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    trainer = trainers.UnigramTrainer(vocab_size=120, special_tokens=special, unk_token="<unk>", show_progress=False)
    _train(tokenizer, trainer)
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    names = {"cls_token": "<s>", "sep_token": "</s>", "pad_token": "<pad>", "mask_token": "<mask>"}
    return tokenizer, {**names, "bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>"}


def _bert_pieces() -> tuple[Tokenizer, dict[str, str]]:
    return word_pieces("[CLS]", "[SEP]", "[PAD]", "[MASK]")


def _mpnet_pieces() -> tuple[Tokenizer, dict[str, str]]:
    return word_pieces("<s>", "</s>", "<pad>", "<mask>")


_SIZES = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
_DISTIL_SIZES = {"dim": 16, "n_layers": 2, "n_heads": 2, "hidden_dim": 32}
# Attention to the nearest words only, so that windows make no difference far from their ends.
_LOCAL = {"layer_types": ["sliding_attention"] * 2, "local_attention": 8}

FAMILIES: dict[str, Family] = {
    "bert": (_bert_pieces, "BertTokenizer", {**_SIZES, "max_position_embeddings": WINDOW}),
    "distilbert": (_bert_pieces, "DistilBertTokenizer", {**_DISTIL_SIZES, "max_position_embeddings": WINDOW}),
    "roberta": (byte_pairs, "RobertaTokenizer", {**_SIZES, "max_position_embeddings": WINDOW + 2}),
    "mpnet": (_mpnet_pieces, "MPNetTokenizer", {**_SIZES, "max_position_embeddings": WINDOW + 2}),
    "xlm-roberta": (unigrams, "XLMRobertaTokenizer", {**_SIZES, "max_position_embeddings": WINDOW + 2}),
    "modernbert": (byte_pairs, "PreTrainedTokenizerFast", {**_SIZES, **_LOCAL, "max_position_embeddings": WINDOW}),
}
#: their words see only what comes before them, until they are read as encoders
DECODERS: dict[str, Family] = {
    "qwen2": (
        split_bytes,
        "PreTrainedTokenizerFast",
        {**_SIZES, "num_key_value_heads": 1, "max_position_embeddings": WINDOW},
    ),
}
