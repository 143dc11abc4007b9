"""The model card."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePath
from typing import Any

from permutree.networks.model import Model
from permutree.sanitising import markdown, visible

__all__ = ["counted", "model_card", "record"]


def model_card(model: Model, name: str) -> str:
    """What a model is, what it was trained on and how good it is, as Markdown."""
    config, facts = model.config, model.facts
    dev = facts.get("dev", {})
    data = model.training.get("data", {})
    what = "PoS tagger"
    if config.task == "parse":
        made = f"labeller `{config.labeller}`, encoding `{config.permutation.name}`"
        what = f"parser of discontinuous constituent trees ({made})"
    training = model.training.get("training", {})
    start, teachers = training.get("start"), training.get("teachers")
    rows = [
        *([("fine-tuned from", PurePath(start).name)] if start else []),
        *([("distilled from", ", ".join(PurePath(teacher).name for teacher in teachers))] if teachers else []),
        ("encoder", _encoder(model)),
        ("weights", f"{model.parameters:,}"),
        ("tags", config.tags if config.task == "parse" else "predicted"),
        ("trained on", f"{_files(data.get('train', ()))} ({facts.get('sentences', 0):,} sentences)"),
        ("selected on", _files(data.get("dev", ()))),
        ("licence", data.get("licence") or "not stated; mind the licences of the training data"),
        ("trained with", f"permutree {facts.get('permutree')}, torch {facts.get('torch')}, {facts.get('device')}"),
    ]
    rows += [
        (f"dev {key}", _figure(value)) for key, value in dev.items() if key not in ("score", "epoch", "sentences/s")
    ]
    table = "\n".join(f"| {markdown(key)} | {markdown(value)} |" for key, value in rows)
    use = f"Use it with `permutree {config.task} --model {visible(name).replace('`', '?')} FILE`."
    return f"# {markdown(name)}\n\nA permutree {what}.\n\n| | |\n|---|---|\n{table}\n\n{use}\n"


def record(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a training for those who get the model: where files were on this machine is left out."""
    kept: dict[str, Any] = json.loads(json.dumps(settings))
    data, model = kept["data"], kept["model"]
    data |= {name: [*map(_short, paths)] for name, paths in data.items() if isinstance(paths, list)}
    for table, name in (
        (model["embeddings"], "vectors"),
        (model["encoder"], "pretrained"),
        (kept["training"], "start"),
    ):
        # What is no path is the name of a bundled model, or of an encoder on a hub.
        if table.get(name) and (Path(table[name]).is_absolute() or Path(table[name]).exists()):
            table[name] = Path(table[name]).name
    kept["training"]["teachers"] = [Path(name).name for name in kept["training"]["teachers"]]
    return kept


def _short(path: str) -> str:
    """A file with its folder, but not where that is."""
    place = PurePath(path)
    return "/".join(place.relative_to(place.anchor).parts[-2:])


def _files(paths: Iterable[str]) -> str:
    """The names of files with their folders, but not where these are; a file that is read several times is one."""
    return counted(map(_short, paths)) or "?"


def counted(names: Iterable[str]) -> str:
    """Names in a line, each once, with how often it came."""
    return ", ".join(f"{count} × {name}" if count > 1 else name for name, count in Counter(names).items())


def _encoder(model: Model) -> str:
    encoder = model.config.encoder
    if encoder.kind == "pretrained":
        return f"{encoder.pretrained}, fine-tuned"
    return f"{encoder.kind}, {encoder.layers} layers of {encoder.hidden}"


def _figure(value: Any) -> str:
    return f"{value:.2f}" if isinstance(value, float) else str(value)
