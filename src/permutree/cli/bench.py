"""``permutree bench``: how fast models parse on this machine."""

from __future__ import annotations

import click

from permutree.cli.terminal import say, show_json, show_rows
from permutree.errors import ConfigError
from permutree.models import folder as folder_of
from permutree.models import names


@click.command(
    epilog="""\b
Examples:
  permutree bench
  permutree bench en nl --json
  permutree bench nl --threads 1 --jobs 8
  permutree bench model --device cuda --jobs 8
  permutree bench model --input dev.discbracket --threads 1 --threads 4"""
)
@click.argument("models", nargs=-1, metavar="[MODEL...]")
@click.option(
    "--input",
    "path",
    metavar="FILE",
    help="Treebank, or text with a sentence a line (--from tokens); without it, random words that the model knows.",
)
@click.option("--from", "source_format", metavar="FORMAT", help="Format of the input.")
@click.option(
    "--threads", type=click.IntRange(1), multiple=True, help="On so many threads.  [default: 1, and one for each core]"
)
@click.option("--device", type=click.Choice(["cpu", "cuda"]), help="Only on the CPU, or only on a GPU.")
@click.option("-j", "--jobs", type=click.IntRange(1), default=1, help="And in N processes, as parse does.", metavar="N")
@click.option("--seconds", default=3.0, show_default=True, help="How long each measurement takes.")
@click.option("--json", "as_json", is_flag=True, help="Print the measurements as JSON.")
def command(
    models: tuple[str, ...],
    path: str | None,
    source_format: str | None,
    threads: tuple[int, ...],
    device: str | None,
    jobs: int,
    seconds: float,
    as_json: bool,
) -> None:
    """Measure how fast each MODEL parses, from words to discbracket; the bundled and installed ones if none is named.

    Sentences a second are those of many sentences at once, on one thread, on all cores and on a GPU if there is one.
    Latency is that of one sentence of about 20 words alone. The start is that of a new process until its first tree.
    """
    from permutree.parsing.benchmark import measure, places
    from permutree.parsing.inputs import Sentence, read_sentences
    from permutree.parsing.onnx_engine import cores

    models = models or tuple(names())
    if not models:
        raise ConfigError("no model is bundled with this installation; name the folder of one")
    sentences = None
    if path is not None:
        sentences = [
            Sentence(list(one.words), one.tags and list(one.tags)) for one in read_sentences(path, source_format)
        ]
    found = []
    for model in models:
        folder = folder_of(model)
        chosen = [
            place for place in places(threads or (1, cores())) if device in (None, "cuda" if place == "cuda" else "cpu")
        ]
        if not chosen:
            raise ConfigError(f"{model} cannot run on a GPU here: there is none that PyTorch can use, or no PyTorch")
        for place in chosen:
            for processes in dict.fromkeys((1, jobs)):
                where = place if processes == 1 else f"{processes} × {place}"
                say(f"measuring {model} on {where}")
                measured = measure(folder, place, sentences, seconds=seconds, processes=processes)
                found.append(measured.to_json() | {"model": str(model), "place": where})
    if as_json:
        show_json(found)
        return
    head = ("model", "on", "sentences/s", "words/s", "p50 ms", "p95 ms", "start s", "MB")
    rows = [
        (
            one["model"],
            f"{one['place']}, {one['engine']}",
            f"{one['sentences_per_second']:,.0f}",
            f"{one['words_per_second']:,.0f}",
            f"{one['latency_p50']:.2f}",
            f"{one['latency_p95']:.2f}",
            f"{one['start']:.2f}",
            f"{one['peak_memory']:,.0f}",
        )
        for one in found
    ]
    show_rows((head, *rows), left=2)
