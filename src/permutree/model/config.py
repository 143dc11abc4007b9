"""What a labeller is made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from permutree.errors import ConfigError

__all__ = ["EmbeddingConfig", "EncoderConfig", "ModelConfig"]


@dataclass(frozen=True, slots=True)
class EmbeddingConfig:
    """Vectors of words, characters and tags, for encoders that are trained from scratch."""

    word: int = 128
    #: words that occur less often are unknown
    min_count: int = 2
    #: a word is taken for unknown with probability α / (α + count)
    unknown_alpha: float = 0.25
    #: a file of word vectors to start from: word2vec, GloVe or fastText
    vectors: str | None = None
    #: numbers of a vector of that file, if these are not to be trained, but to stand beside the word's own vector: then
    #: words that the treebank does not have are known by them
    fixed: int = 0
    characters: Literal["cnn", "lstm"] = "cnn"
    character: int = 128
    character_embedding: int = 32
    tag: int = 32
    dropout: float = 0.33

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
    """The encoder: a BiLSTM or Transformer over embeddings, or a pretrained Hugging Face encoder."""

    kind: Literal["bilstm", "transformer", "pretrained"] = "bilstm"
    #: units of a BiLSTM per direction, or the width of a Transformer
    hidden: int = 400
    layers: int = 2
    dropout: float = 0.33
    #: a BiLSTM drops the same features at every word of a sentence
    shared_dropout: bool = True
    heads: int = 8
    feedforward: int = 1600
    positions: Literal["rotary", "learned"] = "rotary"
    #: name or folder of a pretrained encoder
    pretrained: str | None = None
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
        if self.kind == "transformer" and self.hidden % self.heads:
            raise ConfigError(f"hidden ({self.hidden}) must be a multiple of heads ({self.heads})")
        if not 0 <= self.dropout < 1:
            raise ConfigError(f"dropout must be at least 0 and less than 1, not {self.dropout}")


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """A labeller: encoder, embeddings, and what it reads and predicts.

    ``tags`` says where the tags that it reads come from: from the treebank (gold), from a tagger (predicted), from
    itself while it parses (own: it reads none and predicts them along with the labels), or from nowhere (none).
    """

    #: trees, tags, or words that are hidden, from which an encoder learns a language before it learns to parse
    task: Literal["parse", "tag", "mask"] = "parse"
    encoding: str = "pointer"
    tagset: str | None = None
    #: how levels are written: relative to the word before in the arrangement, as they are, or mixed
    levels: Literal["relative", "absolute", "mixed"] = "relative"
    #: labels that describe no tree are repaired by the rules of the encoding, or by the probabilities of all labels:
    #: then each constituent gets the label that its words agree on best
    repair: Literal["rules", "scores"] = "rules"
    #: levels are predicted as they are, too, and the best levels by both are chosen for the whole sentence
    depth: bool = False
    #: the first and the last word of a constituent have a say in its label, beside the words that share it
    edges: bool = False
    tags: Literal["gold", "predicted", "own", "none"] = "gold"
    #: words that are always the last of an arrangement where they are the last of a sentence, such as full stops, are
    #: so in what is predicted, too
    closing: bool = False
    #: units of the attention that chooses predecessors
    attention: int = 256
    #: units, per direction, of a BiLSTM that reads the words again in the order of the arrangement; 0 for none
    second_reading: int = 0
    #: units of attention that then finds, for each word, both ends of the constituent that it shares with the next one;
    #: with repair = "scores", these say which constituents there are
    ends: int = 0
    encoder: EncoderConfig = field(default_factory=EncoderConfig)
    embeddings: EmbeddingConfig = field(default_factory=EmbeddingConfig)

    def __post_init__(self) -> None:
        """Refuse what cannot work."""
        from permutree.encoding import ENCODINGS

        if self.encoding not in ENCODINGS:
            raise ConfigError(f"encoding must be one of {', '.join(ENCODINGS)}, not {self.encoding!r}")
        if self.task == "parse" and self.tags == "none" and self.encoding.startswith("pointer"):
            raise ConfigError(
                f"the encoding {self.encoding!r} points to tags: with tags = 'none' there are none; "
                "use tags = 'own', or another encoding"
            )
        if self.task == "mask" and self.encoder.kind == "pretrained":
            raise ConfigError("a pretrained encoder has learnt from hidden words already; use it to parse")
        if self.depth and (self.task != "parse" or self.repair != "scores"):
            raise ConfigError("depth is about the probabilities of levels: it needs repair = 'scores'")
        if self.edges and (self.task != "parse" or self.repair != "scores"):
            raise ConfigError("edges is about the probabilities of labels: it needs repair = 'scores'")
        if self.closing and (self.task != "parse" or self.encoding != "predecessor"):
            raise ConfigError("closing needs the encoding 'predecessor', of which it changes one")
        if self.second_reading < 0:
            raise ConfigError(f"second_reading must be at least 0, not {self.second_reading}")
        if self.second_reading and (self.task != "parse" or self.encoding != "predecessor"):
            raise ConfigError("second_reading needs the encoding 'predecessor', whose arrangement it reads in")
        if self.attention < 1:
            raise ConfigError(f"attention must be at least 1, not {self.attention}")
        if self.ends < 0:
            raise ConfigError(f"ends must be at least 0, not {self.ends}")
        if self.ends and not self.second_reading:
            raise ConfigError("ends are found after a second reading: set second_reading")

    @property
    def reads_tags(self) -> bool:
        """Whether the labeller sees the tags of words."""
        return self.task == "parse" and self.tags in ("gold", "predicted")

    @property
    def predicts_tags(self) -> bool:
        """Whether it has a head for tags."""
        return self.task == "tag" or (self.task == "parse" and self.tags == "own")

    @property
    def scored(self) -> tuple[str, ...]:
        """The heads whose log-probabilities repairs need: a predecessor is never impossible, ends need no levels."""
        if self.repair == "rules" or self.task != "parse":
            return ()
        scored: tuple[str, ...] = ("shared",) if self.ends else ("levels", "shared")
        if self.depth and not self.ends:
            scored += ("depth",)
        if self.edges:
            scored += ("first", "last")
        return scored if self.encoding == "predecessor" else (*scored, "permutation")
