"""What a labeller is made of.

Settings that only training reads, such as dropout, are marked: a model folder does not hold them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from permutree.encoding.permutations import ENCODINGS, Permutation, permutation_named
from permutree.errors import ConfigError

__all__ = ["ABLATIONS", "EmbeddingConfig", "EncoderConfig", "ModelConfig", "RereadConfig", "is_for_training"]

Value = TypeVar("Value")

_TRAINING = "for training"
#: the encoding of each labeller, unless another is set
DEFAULT_ENCODINGS = {"paper": "pointer", "reread": "predecessor"}
#: parts of the labeller ``reread`` that ablation experiments leave out
ABLATIONS = ("edges", "final-punctuation", "levels", "calibration")


def _for_training(default: Value) -> Value:
    """A setting that a trained model does not need any more."""
    value: Value = field(default=default, metadata={_TRAINING: True})
    return value


def is_for_training(setting: Any) -> bool:
    """Whether only training reads the setting that this field of a dataclass stands for."""
    return bool(setting.metadata.get(_TRAINING))


@dataclass(frozen=True, slots=True)
class EmbeddingConfig:
    """Vectors of words, characters and tags, for encoders that are trained from scratch."""

    word: int = 128
    #: words that occur less often in the training set are unknown
    min_count: int = _for_training(2)
    #: a word is taken for unknown with probability α / (α + count)
    unknown_alpha: float = _for_training(0.25)
    #: a file of word vectors to start from: word2vec, GloVe or fastText
    vectors: str | None = _for_training(None)
    #: numbers of a vector of that file, if these are not to be trained, but to stand beside the word's own vector: then
    #: words that the treebank does not have are known by them
    fixed: int = 0
    characters: Literal["cnn", "lstm"] = "cnn"
    character: int = 128
    character_embedding: int = 32
    tag: int = 32
    dropout: float = _for_training(0.33)

    def __post_init__(self) -> None:
        """Refuse what cannot be built."""
        for name in ("word", "min_count", "character_embedding"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} must be at least 1, not {getattr(self, name)}")
        if self.character != 0 and self.character < 4:
            raise ConfigError(f"character must be 0, for none, or at least 4, not {self.character}")
        for name in ("tag", "fixed"):
            if getattr(self, name) < 0:
                raise ConfigError(f"{name} must be at least 0, not {getattr(self, name)}")
        if self.unknown_alpha < 0:
            raise ConfigError(f"unknown_alpha must be at least 0, not {self.unknown_alpha}")
        if not 0 <= self.dropout < 1:
            raise ConfigError(f"dropout must be at least 0 and less than 1, not {self.dropout}")


@dataclass(frozen=True, slots=True)
class EncoderConfig:
    """The encoder: a BiLSTM, convolutions or a Transformer over embeddings, or a pretrained Hugging Face encoder."""

    kind: Literal["bilstm", "convolution", "transformer", "pretrained"] = "bilstm"
    #: units of a BiLSTM per direction, or the width of convolutions or a Transformer
    hidden: int = 400
    layers: int = 2
    dropout: float = _for_training(0.33)
    #: BiLSTMs and convolutions drop the same features at every word of a sentence
    shared_dropout: bool = _for_training(True)
    heads: int = 8
    feedforward: int = 1600
    positions: Literal["rotary", "learned"] = "rotary"
    #: name or folder of a pretrained encoder
    pretrained: str | None = None
    #: mark words that have capital letters, if its tokenizer lowercases them
    case: bool = False
    #: layers of a BiLSTM over its states, of ``hidden`` units per direction
    on_top: int = 0

    def __post_init__(self) -> None:
        """Refuse what cannot be built."""
        for name in ("hidden", "layers", "heads", "feedforward"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} must be at least 1, not {getattr(self, name)}")
        if self.kind == "pretrained" and not self.pretrained:
            raise ConfigError("a pretrained encoder needs its name or folder in 'pretrained'")
        if self.on_top < 0:
            raise ConfigError(f"on_top must be at least 0, for no BiLSTM, not {self.on_top}")
        if self.on_top and self.kind != "pretrained":
            raise ConfigError("on_top is a BiLSTM over the states of a pretrained encoder; others have layers")
        if self.kind == "convolution" and self.hidden < 2:
            raise ConfigError(f"hidden must be at least 2 for convolutions, not {self.hidden}")
        if self.kind == "transformer" and self.hidden % self.heads:
            raise ConfigError(f"hidden ({self.hidden}) must be a multiple of heads ({self.heads})")
        if not 0 <= self.dropout < 1:
            raise ConfigError(f"dropout must be at least 0 and less than 1, not {self.dropout}")


@dataclass(frozen=True, slots=True)
class RereadConfig:
    """Sizes of the labeller ``reread``, which reads the words again in the order of the predicted arrangement."""

    #: units of the second BiLSTM, per direction
    hidden: int = 400
    #: units of the attention that finds both ends of constituents; 0 for none, as in ablations
    ends: int = 128
    #: units of the layer that scores all spans; 0 for none: then constituents are known by their ends
    spans: int = 0
    #: how what both ends of a span contribute is put together
    span_kind: Literal["sum", "product"] = "sum"
    #: what spans learn: each by itself, the probability of the tree, or a margin to the best other tree
    span_loss: Literal["local", "crf", "margin"] = "crf"
    #: the probability that a constituent is taken from; calibration sets it
    threshold: float = 0.3

    def __post_init__(self) -> None:
        """Refuse what cannot be built."""
        if self.hidden < 1:
            raise ConfigError(f"hidden must be at least 1, not {self.hidden}")
        if not 0 <= self.threshold < 1:
            raise ConfigError(f"threshold must be at least 0 and less than 1, not {self.threshold}")
        for name in ("ends", "spans"):
            if getattr(self, name) < 0:
                raise ConfigError(f"{name} must be at least 0, not {getattr(self, name)}")


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """A labeller: encoder, embeddings, and what it reads and predicts.

    ``labeller`` is the method. ``paper`` is the paper's: one encoder, and a softmax for each component of the labels.
    ``reread`` is the method of the bundled models: attention chooses each word's predecessor, the words are read
    again in that arrangement, attention finds both ends of constituents there, and the words inside and at the edges of
    a constituent vote on its label.

    ``tags`` says where tags come from: from the treebank (gold), from a tagger (predicted), from the labeller, which
    then reads none and predicts them jointly with the labels (joint), or from nowhere (none).
    """

    task: Literal["parse", "tag"] = "parse"
    labeller: Literal["paper", "reread"] = "paper"
    #: how the permutation is written; if it is not said, pointer for ``paper``, predecessor for ``reread``
    encoding: str | None = None
    tagset: str | None = _for_training(None)
    #: labels that describe no tree are repaired by the rules of the encoding, or by the scores of all labels
    repair: Literal["rules", "scores"] = "rules"
    tags: Literal["gold", "predicted", "joint", "none"] = "joint"
    #: units of the attention that chooses predecessors, for encodings with such a head
    attention: int = 256
    #: parts of ``reread`` that are left out, for ablation experiments
    ablate: tuple[str, ...] = ()
    reread: RereadConfig = field(default_factory=RereadConfig)
    encoder: EncoderConfig = field(default_factory=EncoderConfig)
    embeddings: EmbeddingConfig = field(default_factory=EmbeddingConfig)

    def __post_init__(self) -> None:
        """Refuse what cannot work."""
        if self.encoding not in (None, *ENCODINGS):
            raise ConfigError(f"encoding must be one of {', '.join(ENCODINGS)}, not {self.encoding!r}")
        permutation = self.permutation
        if self.task == "parse" and self.tags == "none" and permutation.needs_tags:
            raise ConfigError(
                f"the encoding {permutation.name!r} points to tags: with tags = 'none' there are none; "
                "use tags = 'joint', or another encoding"
            )
        if self.rereads and permutation.head != "attention":
            fitting = [name for name in ENCODINGS if permutation_named(name).head == "attention"]
            raise ConfigError(
                f"the labeller 'reread' chooses arrangements by attention, and the encoding {permutation.name!r} has "
                f"none; use the encoding {' or '.join(fitting)}, or labeller = 'paper'"
            )
        if self.attention < 1:
            raise ConfigError(f"attention must be at least 1, not {self.attention}")
        unknown = [part for part in self.ablate if part not in ABLATIONS]
        if unknown:
            raise ConfigError(f"ablate can leave out {', '.join(ABLATIONS)}, not {', '.join(unknown)}")

    @property
    def permutation(self) -> type[Permutation]:
        """The encoding."""
        return permutation_named(self.encoding or DEFAULT_ENCODINGS[self.labeller])

    @property
    def rereads(self) -> bool:
        """Whether the words are read a second time."""
        return self.labeller == "reread" and self.task == "parse"

    @property
    def finds_ends(self) -> bool:
        """Whether attention finds the ends of constituents."""
        return self.rereads and self.reread.ends > 0

    @property
    def scores_spans(self) -> bool:
        """Whether spans are scored, and a chart finds the best tree of them."""
        return self.rereads and self.reread.spans > 0

    @property
    def finds_constituents(self) -> bool:
        """Whether constituents are found by their ends or by scores of spans, and not by levels."""
        return self.finds_ends or self.scores_spans

    @property
    def attends(self) -> bool:
        """Whether attention chooses the permutation."""
        return self.task == "parse" and self.permutation.head == "attention"

    @property
    def reads_tags(self) -> bool:
        """Whether the labeller sees the tags of words."""
        return self.task == "parse" and self.tags in ("gold", "predicted")

    @property
    def predicts_tags(self) -> bool:
        """Whether it has a head for tags."""
        return self.task == "tag" or self.tags == "joint"

    def has(self, part: str) -> bool:
        """Whether a part of ``reread`` is there."""
        return self.rereads and part not in self.ablate
