"""``permutree train``: parsers and taggers from treebanks."""

from __future__ import annotations

import logging
import os
import sys
from typing import Any

import click

from permutree.cli.terminal import say, show, show_json, show_rows
from permutree.encoding import ENCODINGS
from permutree.formats.targets import check_folder
from permutree.training.config import Config, config_names, describe_config
from permutree.training.overrides import configure


@click.command(
    epilog="""\b
Examples:
  permutree train --list
  permutree train fast --train train.discbracket --dev dev.discbracket --out model
  permutree train best --train train.export --train extra.export --dev dev.export --out model
  permutree train best-pretrained --encoder ./xlm-roberta-base --train train.dbr --dev dev.dbr --out model
  permutree train paper-bilstm --encoding lehmer --train train.dbr --dev dev.dbr --out model
  permutree train paper-bert --encoder ./bert-base-german-cased --train train.dbr --dev dev.dbr --out model
  permutree train small --start en --train mine.dbr --dev dev.dbr --set optimiser.rate=3e-4 --epochs 5 --out model
  permutree train tagger --train train.dbr --dev dev.dbr --out tagger
  permutree train my.toml --seed 2 --set training.batch=5000 --set optimiser.rate=1e-3
  accelerate launch --num_processes 4 -m permutree train my.toml"""
)
@click.argument("config", required=False)
@click.option("--list", "show_list", is_flag=True, help="List the presets.")
@click.option("--train", multiple=True, metavar="FILE", help="Treebank to train on; may be repeated.")
@click.option("--dev", multiple=True, metavar="FILE", help="Treebank to choose the best weights by; may be repeated.")
@click.option(
    "--train-tags",
    multiple=True,
    metavar="FILE",
    help="The sentences of --train with predicted tags (see `permutree tag --jackknife`).",
)
@click.option("--dev-tags", multiple=True, metavar="FILE", help="The sentences of --dev with predicted tags.")
@click.option(
    "--tagged",
    multiple=True,
    metavar="FILE",
    help="More sentences with tags and without trees, a word, a tab and its tag a line; may be repeated.",
)
@click.option(
    "--start",
    metavar="MODEL",
    help="Fine-tune this model, such as en, or a folder: start from its weights, and keep its words and labels.",
)
@click.option("--encoding", type=click.Choice(ENCODINGS), help="Encoding of the permutation.")
@click.option(
    "--encoder",
    metavar="NAME|FOLDER",
    help="bilstm, convolution, transformer, or the name or folder of a pretrained encoder.",
)
@click.option(
    "--tags",
    type=click.Choice(["gold", "predicted", "joint", "none"]),
    help="Where tags come from: the treebank, a tagger, the parser itself, which predicts them jointly, or nowhere.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    help="Seed of random numbers; on a CPU, a seed gives the same model each time, with the same number of threads, "
    "processor and version of PyTorch.",
)
@click.option("--epochs", type=click.IntRange(1), help="Most epochs to train for.")
@click.option("-o", "--out", metavar="FOLDER", help="Folder for the model, its log, learning curve and checkpoint.")
@click.option(
    "--set", "assignments", multiple=True, metavar="NAME=VALUE", help="Any other setting, such as training.batch=5000."
)
@click.option("--json", "as_json", is_flag=True, help="Print the dev scores as JSON.")
def command(config: str | None, show_list: bool, assignments: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Train a parser or a tagger with the settings CONFIG: a preset that --list shows, or a TOML file.

    Each epoch prints a line on standard error; the dev scores of the best epoch are printed at the end. If training is
    interrupted, run the same command again: it resumes.
    """
    if show_list:
        show_rows([(name, describe_config(name)) for name in config_names()], left=2)
        return
    if config is None:
        raise click.UsageError(f"name a TOML file or one of {', '.join(config_names())}.")
    changes = {name: value for name, value in options.items() if value not in (None, ())}
    settings = configure(config, changes, assignments)
    settings.check_is_no_ablation()
    _check(settings)
    # One of several processes speaks for all.
    is_first = not int(os.environ.get("RANK", "0"))
    logging.getLogger("permutree").setLevel(logging.INFO if is_first else logging.ERROR)
    import torch
    from accelerate import PartialState

    from permutree.training.loop import train

    if "LOCAL_RANK" in os.environ and not torch.cuda.is_available():
        # Without it, processes that torchrun started on machines without a GPU know nothing of each other.
        os.environ.setdefault("ACCELERATE_USE_CPU", "true")
    epochs: list[int] = []

    def on_epoch(row: dict[str, Any]) -> None:
        epochs.append(row["epoch"])
        _tell(row)

    result = train(settings, on_epoch=on_epoch)
    state = PartialState()
    if state.is_main_process:
        if as_json:
            show_json({"model": str(result.folder), "dev": result.best})
        else:
            for name, value in result.best.items():
                if name in _SCORES:
                    show(f"{_SCORES[name]:<18}{_figure(name, value):>10}")
        said = f"model in {result.folder}, best after epoch {result.best.get('epoch')}"
        if not epochs:
            said = f"the model is there already, nothing was trained; {said}"
        say(said)
    if state.num_processes > 1:
        # Threads that exchanged gradients outlive their group, and abort a process whose interpreter ends before them.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


def _check(config: Config) -> None:
    """Say what is missing before anything heavy is loaded."""
    missing = [
        f"--{name}"
        for name, value in (("train", config.data.train), ("dev", config.data.dev), ("out", config.out))
        if not value
    ]
    if missing:
        raise click.UsageError(f"{_listed(missing)} must be given, here or in the TOML file.")
    assert config.out is not None
    check_folder(config.out)


def _listed(names: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


#: what is printed of the figures of an epoch, and under which name
_SCORES = {
    "f1": "F1",
    "discontinuous f1": "discontinuous F1",
    "exact match": "exact match",
    "tag accuracy": "tag accuracy",
    "repairs/sentence": "repairs/sentence",
}


def _tell(row: dict[str, Any]) -> None:
    """One line about an epoch."""
    cells = [f"epoch {row['epoch']:>3}", f"loss {row['loss']:.4f}"]
    cells += [
        f"{name} {_figure(key, row[key])}" for key, name in _SCORES.items() if key in row and key != "exact match"
    ]
    cells.append(f"{row['train sentences/s']:,.0f} sentences/s")
    say("  ".join(cells), sender="")


def _figure(name: str, value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if name == "repairs/sentence" else f"{value:.2f}"
