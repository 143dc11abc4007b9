"""``permutree info``: what a model is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from permutree.cli.terminal import show_json, show_rows
from permutree.errors import DataError


@click.command(
    epilog="""\b
Examples:
  permutree info en
  permutree info model
  permutree info model --json"""
)
@click.argument("model", metavar="MODEL")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON, all settings of training included.")
def command(model: str, as_json: bool) -> None:
    """Show what the model or the folder MODEL is: settings, size, labels, training data and scores."""
    from permutree.parsing.description import describe

    described = describe(model)
    if as_json:
        show_json(described)
        return
    try:
        rows = list(_rows(described))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise DataError(f"what it says of itself is damaged: {error!r}", source=model) from error
    show_rows(rows, left=2)


def _rows(described: dict[str, Any]) -> Iterator[tuple[str, str]]:
    model, encoder = described["model"], described["model"]["encoder"]
    yield "folder", described["folder"]
    yield "task", model["task"]
    if model["task"] == "parse":
        yield "labeller", model["labeller"]
        yield "encoding", model["encoding"]
        yield "tags", model["tags"]
    if encoder["kind"] == "pretrained":
        yield "encoder", f"{encoder['pretrained']}, fine-tuned"
    else:
        layers = "1 layer" if encoder["layers"] == 1 else f"{encoder['layers']} layers"
        yield "encoder", f"{encoder['kind']}, {layers} of {encoder['hidden']}"
    if described["weights"] is not None:
        yield "weights", f"{described['weights']:,}"
    yield "runs with", " and ".join(described["engines"])
    yield "size", f"{described['bytes'] / 1e6:,.1f} MB"
    for name, count in described["vocabularies"].items():
        yield f"different {name}", f"{count:,}"
    for name, count in described["labels"].items():
        yield f"values of {name}", f"{count:,}"
    for name, files in described["data"].items():
        if files:
            yield name.replace("_", " "), ", ".join(files)
    facts = described["facts"]
    for name in ("language", "licence", "data"):
        if name in facts:
            yield name, str(facts[name])
    if "sentences" in facts:
        yield "trained on", f"{facts['sentences']:,} sentences"
    for name in ("permutree", "torch", "device"):
        if name in facts:
            yield f"trained with {name}" if name != "device" else "trained on device", str(facts[name])
    for name, value in described["dev"].items():
        if name != "score":
            yield f"dev {name}", f"{value:,.2f}" if isinstance(value, float) else str(value)
    for treebank, splits in facts.get("scores", {}).items():
        for split, scores in splits.items():
            for name, value in scores.items():
                yield f"{treebank} {split} {name}", f"{value:,.2f}"
