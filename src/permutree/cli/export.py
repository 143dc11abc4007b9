"""``permutree export``: a trained model for where there is no PyTorch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from permutree.cli.terminal import progress, say, show_json, show_rows
from permutree.formats import read
from permutree.formats.targets import check_folder
from permutree.models import folder as folder_of


@click.command(
    epilog="""\b
Examples:
  permutree export model --onnx
  permutree export model --onnx --quantize -o small
  permutree export model --onnx --quantize -o small --check dev.discbracket"""
)
@click.argument("model", metavar="MODEL")
@click.option("--onnx", is_flag=True, required=True, help="Write graphs for ONNX Runtime.")
@click.option("--quantize", is_flag=True, help="int8 quantisation: a quarter of the size, more than twice as fast.")
@click.option("-o", "--output", metavar="FOLDER", help="Folder to write; if not given, the graphs go into MODEL.")
@click.option(
    "--check", metavar="TREEBANK", help="Parse this treebank with the model and with its graphs, and compare."
)
@click.option("--json", "as_json", is_flag=True, help="Print the comparison as JSON.")
def command(model: str, onnx: bool, quantize: bool, output: str | None, check: str | None, as_json: bool) -> None:
    """Export the model in the folder MODEL to ONNX: the fastest form on a CPU, which needs no PyTorch.

    The exported model also runs on a GPU if its encoder reads words by a BiLSTM or convolutions. With --check, the
    command prints the share of sentences that get the same tree, and the F1 of both.
    """
    source = folder_of(model)
    target = Path(output) if output is not None else source
    check_folder(target)
    trees = list(progress(read(check), "reading")) if check else []
    from permutree.networks.export import export
    from permutree.networks.model import Model
    from permutree.parsing.comparison import compare

    loaded = Model.load(source)
    export(loaded, target, quantise=quantize, source=source)
    size = sum(file.stat().st_size for file in target.glob("*.onnx"))
    say(f"{target}: graphs of {size / 1e6:.1f} MB")
    if trees:
        _print(compare(loaded, target, trees), as_json)


def _print(found: dict[str, Any], as_json: bool) -> None:
    if as_json:
        show_json(found)
        return
    show_rows(
        [(name, f"{value:,.2f}" if isinstance(value, float) else f"{value:,}") for name, value in found.items()], left=2
    )
