"""Labellers of a size that is trained in a second, on thirty trees most of which are discontinuous."""

import os
import signal
import threading
from pathlib import Path
from typing import Any

from permutree.training.config import Config
from permutree.training.overrides import configure

TREES = Path(__file__).with_name("training") / "trees.discbracket"

_TINY = {
    "data": {"train": [str(TREES)], "dev": [str(TREES)]},
    "model": {
        "encoder": {"hidden": 32, "layers": 1, "heads": 4, "feedforward": 64, "dropout": 0.0},
        "embeddings": {
            "word": 24,
            "min_count": 1,
            "unknown_alpha": 0.0,
            "character": 16,
            "character_embedding": 8,
            "tag": 8,
            "dropout": 0.0,
        },
    },
    "optimiser": {"rate": 0.04, "weight_decay": 0.0, "schedule": "constant", "warmup": 0.1},
    "training": {"epochs": 50, "evaluate": 100, "batch": 400, "average": 0.0, "checkpoint_epochs": 100},
}


def tiny_config(out: Path, encoder: str = "bilstm", /, **changes: Any) -> Config:
    """Settings that learn the thirty trees by heart: with a BiLSTM, a Transformer by its positions, or a folder."""
    config = configure(Config(), _TINY | {"out": str(out)})
    if encoder == "rotary":
        # One layer knows distances, two know places.
        config = configure(config, {"model": {"encoder": {"kind": "transformer", "layers": 2}}, "optimiser.rate": 0.02})
    elif encoder == "learned":
        config = configure(config, {"model": {"encoder": {"kind": "transformer", "positions": "learned"}}})
    elif encoder != "bilstm":
        optimiser = {"rate": 0.015, "schedule": "linear", "warmup": 0.2}
        config = configure(config, {"encoder": encoder, "optimiser": optimiser, "training.epochs": 36})
    return configure(config, changes)


#: encoders that drop nothing, and are wide enough to learn in a few steps
_SURE: dict[str, dict[str, Any]] = {
    "bert": {
        "hidden_size": 32,
        "intermediate_size": 64,
        "hidden_dropout_prob": 0.0,
        "attention_probs_dropout_prob": 0.0,
    },
    "distilbert": {"dim": 32, "hidden_dim": 64, "dropout": 0.0, "attention_dropout": 0.0},
}


def write_sure_encoder(folder: Path, family: str) -> None:
    """A small random encoder that drops nothing."""
    from tiny_encoders import write_encoder

    write_encoder(folder, family, **_SURE[family])


def train_until(folder: str, settings: dict[str, Any], moment: str) -> None:
    """Train in a process of its own, and kill it at some moment: ``step 3`` is the third step that it makes."""
    import torch
    from tqdm import tqdm

    from permutree.training import checkpoints, loop, validation

    torch.set_num_threads(1)
    # A lock between processes would outlive one that is killed.
    tqdm.set_lock(threading.RLock())
    what, _, count = moment.partition(" ")
    left = int(count or 1)

    def die_after(owner: Any, name: str) -> None:
        before = getattr(owner, name)

        def dying(*arguments: Any, **options: Any) -> Any:
            nonlocal left
            result = before(*arguments, **options)
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return result

        setattr(owner, name, dying)

    if what == "step":
        die_after(loop.Trainer, "_step")
    elif what == "checkpoint":
        # It is written, but not yet in its place.
        die_after(checkpoints, "save_file")
    elif what == "model":
        die_after(loop.Trainer, "_save_model")
    elif what == "calibration":
        die_after(loop.Trainer, "_calibrate")
    elif what == "evaluation":
        die_after(validation.Validator, "score")
    elif what == "log":
        die_after(loop, "draw_curve")
    loop.train(tiny_config(Path(folder), **settings))
