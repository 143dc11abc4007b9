"""Pretrained encoders: BERT, DistilBERT and whatever else of their kind Hugging Face Transformers knows.

Decoders, such as Qwen or Llama, can be encoders, too: without the causal mask, all sub-words see each other, and
fine-tuning does the rest (Li et al. 2023, "Label supervised LLaMA finetuning").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from permutree.errors import ConfigError
from permutree.model.subwords import PieceFeatures
from permutree.networks.bilstm import BiLSTM
from permutree.networks.tensors import PieceInputs

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from transformers import PreTrainedModel

__all__ = ["PretrainedEncoder", "load_pieces", "load_pretrained", "loading"]

#: how many sub-words are read at once by encoders that do not say
DEFAULT_WINDOW = 512
#: the score of padding in the attention of a decoder
_NEVER = -1e4
#: what a configuration may say that would run code which is not part of the library
_FOREIGN = ("auto_map", "attn_implementation", "experts_implementation", "quantization_config")


class PretrainedEncoder(nn.Module):
    """A Transformer that reads sub-words, all of which see each other; the state of a word is that of its first.

    In a decoder it is that of its last, as in pretraining only that one had read the whole word.
    """

    def __init__(self, model: PreTrainedModel, *, dropout: float = 0.1) -> None:
        super().__init__()
        # Nobody asks for the state of a whole sentence, and parameters without gradients are in the way.
        if getattr(model, "pooler", None) is not None:
            model.pooler = None  # type: ignore[assignment]
        self.model = model
        self.dropout = nn.Dropout(dropout)
        size = getattr(model.config, "hidden_size", None)
        if not isinstance(size, int) or getattr(model.config, "is_encoder_decoder", False):
            kind = getattr(model.config, "model_type", type(model).__name__)
            raise ConfigError(f"{kind!r} is no encoder of text; use one such as BERT, RoBERTa or MPNet")
        self.size = size
        self.is_decoder = any(getattr(module, "is_causal", False) for module in model.modules())
        if self.is_decoder:
            # PyTorch's fused attention gave NaN with such a mask, in half precision on a GPU.
            model.set_attn_implementation("eager")
        self.on_top: BiLSTM | None = None

    def put_on_top(self, *, hidden: int, layers: int, dropout: float) -> None:
        """Have a BiLSTM read the states of words."""
        self.on_top = BiLSTM(self.size, hidden=hidden, layers=layers, dropout=dropout)
        self.size = self.on_top.size

    @classmethod
    def from_pretrained(cls, name: str, *, dropout: float = 0.1) -> PretrainedEncoder:
        """The encoder of this name or in this folder, its weights in single precision however they are kept."""
        with loading(name) as options:
            from transformers import AutoModel

            # Weights of other shapes are let pass only to be refused by name below.
            model, report = AutoModel.from_pretrained(
                **options,
                use_safetensors=True,
                dtype=torch.float32,
                output_loading_info=True,
                ignore_mismatched_sizes=True,
            )
        encoder = cls(model, dropout=dropout)
        unfit = {*report["missing_keys"], *(parameter for parameter, *_ in report["mismatched_keys"])}
        if faults := [parameter for parameter, _ in model.named_parameters() if parameter in unfit]:
            raise ConfigError(
                f"the weights of the pretrained encoder {name!r} are not those of its configuration: "
                f"{', '.join(faults[:3])}{f' and {len(faults) - 3} more are' if len(faults) > 3 else ''} "
                "missing or of another shape"
            )
        return encoder

    @classmethod
    def from_config(cls, config: Mapping[str, Any], *, dropout: float = 0.1) -> PretrainedEncoder:
        """An encoder that ``config_json`` described, with weights that are yet to be loaded."""
        from transformers import AutoConfig, AutoModel
        from transformers.initialization import no_init_weights

        settings = {key: value for key, value in config.items() if key.lstrip("_") not in _FOREIGN}
        kind = settings.pop("model_type", None)
        try:
            with _quiet(), no_init_weights():
                architecture = AutoConfig.for_model(kind, **settings)
                model = AutoModel.from_config(architecture, dtype=torch.float32)  # type: ignore[no-untyped-call]
        except (ValueError, TypeError, KeyError) as error:
            raise ConfigError(f"no encoder can be made of this configuration: {_first_line(error)}") from error
        return cls(model, dropout=dropout)

    def config_json(self) -> dict[str, Any]:
        """The architecture as plain data."""
        config: dict[str, Any] = self.model.config.to_dict()
        return {key: value for key, value in config.items() if key.lstrip("_") not in (*_FOREIGN, "name_or_path")}

    @property
    def window(self) -> int:
        """How many sub-words it can read at once, special ones included."""
        for name, module in self.model.named_modules():
            if name.endswith("position_embeddings") and isinstance(module, nn.Embedding):
                # Where padding has a position of its own, the others come after it: 2 to 513 in RoBERTa.
                unused = 0 if module.padding_idx is None else module.padding_idx + 1
                return module.num_embeddings - unused
        longest = getattr(self.model.config, "max_position_embeddings", None)
        return longest if isinstance(longest, int) and longest > 0 else DEFAULT_WINDOW

    @property
    def vocabulary_size(self) -> int:
        """How many sub-words it knows."""
        embedding: Any = self.model.get_input_embeddings()
        rows: int = embedding.weight.shape[0]
        return rows

    def forward(self, inputs: PieceInputs) -> Tensor:
        """The states of the words of a batch [B, T, size]."""
        if not inputs.pieces.shape[0]:
            return torch.zeros(*inputs.places.shape, self.size, device=inputs.places.device)
        if self.is_decoder:
            # What is added to the scores of each pair of sub-words takes the place of the causal mask.
            hidden = torch.zeros_like(inputs.visible, dtype=torch.float32).masked_fill(~inputs.visible, _NEVER)
            hidden = hidden[:, None, None, :].expand(-1, -1, inputs.pieces.shape[1], -1).contiguous()
            output = self.model(input_ids=inputs.pieces, attention_mask=hidden, use_cache=False)
        else:
            output = self.model(input_ids=inputs.pieces, attention_mask=inputs.visible.long())
        states: Tensor = output.last_hidden_state.flatten(0, 1).index_select(0, inputs.places.flatten())
        states = states.view(*inputs.places.shape, -1)
        # A BiLSTM has dropout of its own.
        read: Tensor = self.dropout(states) if self.on_top is None else self.on_top(states, inputs.lengths, inputs.mask)
        return read


def load_pretrained(name: str, *, dropout: float = 0.1) -> tuple[PieceFeatures, PretrainedEncoder]:
    """A pretrained encoder, by its name or folder, and the sub-words that it reads."""
    encoder = PretrainedEncoder.from_pretrained(name, dropout=dropout)
    features = load_pieces(name, window=encoder.window, last=encoder.is_decoder)
    if features.vocabulary_size > encoder.vocabulary_size:
        raise ConfigError(
            f"the tokenizer of {name!r} has {features.vocabulary_size} sub-words, "
            f"its encoder only {encoder.vocabulary_size}: they do not belong together"
        )
    return features, encoder


def load_pieces(name: str, *, window: int, last: bool = False) -> PieceFeatures:
    """The sub-words of a pretrained encoder, by its name or folder, for windows of some size.

    A word is looked up at its first sub-word, or at its ``last``.
    """
    with loading(name) as options:
        from transformers import AutoTokenizer

        loaded = AutoTokenizer.from_pretrained(**options)
        tokenizer: Tokenizer | None = getattr(loaded, "backend_tokenizer", None)
    if tokenizer is None:
        raise ConfigError(f"the pretrained encoder {name!r} has no tokenizer.json, and none can be made for it")
    # Tokenizers of bytes know all words, and have a number only for what is no word.
    numbers = (loaded.unk_token_id, loaded.mask_token_id, loaded.pad_token_id, loaded.eos_token_id)
    unknown = next((one for one in numbers if one is not None), None)
    if unknown is None:
        raise ConfigError(f"the tokenizer of {name!r} has no number for unknown words")
    # Without its files, Transformers makes a tokenizer that knows nothing else.
    if {*tokenizer.get_vocab().values()} <= {*loaded.all_special_ids}:
        raise ConfigError(f"the pretrained encoder {name!r} comes without a vocabulary; add its tokenizer.json")
    tokenizer.no_truncation()
    tokenizer.no_padding()
    # Special sub-words stand before and after those of a word: which, a sample tells.
    sample = tokenizer.encode("a", add_special_tokens=True)
    ordinary = [place for place, is_special in enumerate(sample.special_tokens_mask) if not is_special]
    return PieceFeatures(
        tokenizer.to_str(),
        window=window,
        prefix=sample.ids[: ordinary[0]],
        suffix=sample.ids[ordinary[-1] + 1 :],
        pad=0 if loaded.pad_token_id is None else loaded.pad_token_id,
        unknown=unknown,
        special=loaded.all_special_ids,
        last=last,
    )


@contextmanager
def loading(name: str) -> Iterator[dict[str, Any]]:
    """What to ask Transformers with for something of this name or in this folder; its errors become ours.

    A folder is never looked for on the hub, and code that comes with a model is never run.
    """
    path = Path(name).expanduser()
    is_folder = path.is_dir()
    if not is_folder and (path.is_absolute() or name.startswith((".", "~")) or name.count("/") > 1):
        raise ConfigError(f"there is no folder {name} with a pretrained encoder; {_WAY_OUT}")
    try:
        with _quiet():
            yield {
                "pretrained_model_name_or_path": str(path) if is_folder else name,
                "local_files_only": is_folder,
                "trust_remote_code": False,
            }
    except ConfigError:
        raise
    except Exception as error:  # of many kinds: no such name, no network, no safetensors, unknown architecture
        raise ConfigError(
            f"the pretrained encoder {name!r} cannot be loaded: {_first_line(error)}; {_WAY_OUT}"
        ) from error


_WAY_OUT = (
    "give the folder of one that was downloaded (config.json, model.safetensors, tokenizer.json), "
    "or fetch it first: hf download NAME --local-dir FOLDER"
)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Transformers from reporting on weights that we do not need."""
    from transformers.utils import logging

    verbosity, has_bar = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if has_bar:
            logging.enable_progress_bar()  # type: ignore[no-untyped-call]


def _first_line(error: Exception) -> str:
    """The gist of an error of Transformers, some of which fill a screen."""
    return (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")
