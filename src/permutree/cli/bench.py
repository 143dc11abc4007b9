"""``permutree bench``: how fast models parse on this machine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from permutree.cli.terminal import say, show_json, show_rows
from permutree.errors import ConfigError, DataError
from permutree.models import folder as folder_of
from permutree.models import names

if TYPE_CHECKING:
    from permutree.parsing.benchmark import Measurement


@click.command(
    epilog="""\b
Examples:
  permutree bench
  permutree bench en nl --json
  permutree bench nl --threads 1 --jobs 8
  permutree bench model --device cuda --jobs 8
  permutree bench model --input dev.discbracket --threads 1 --threads 4
  permutree bench nl --runs 5 --json > before.json
  permutree bench nl --runs 5 --against before.json
  permutree bench smaller --runs 5 --against nl"""
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
@click.option("--runs", type=click.IntRange(1), default=1, show_default=True, help="Medians of so many runs.")
@click.option(
    "--against",
    metavar="MODEL|FILE",
    help="Compare: with a second model, run in turn with the first, or with an earlier result of --json.",
)
@click.option("--seconds", default=3.0, show_default=True, help="How long each measurement takes.")
@click.option("--json", "as_json", is_flag=True, help="Print the measurements as JSON.")
def command(
    models: tuple[str, ...],
    path: str | None,
    source_format: str | None,
    threads: tuple[int, ...],
    device: str | None,
    jobs: int,
    runs: int,
    against: str | None,
    seconds: float,
    as_json: bool,
) -> None:
    """Measure how fast each MODEL parses, from words to discbracket; the bundled and installed ones if none is named.

    Sentences a second are those of many sentences at once, on one thread, on all cores and on a GPU if there is one.
    The column "files" is from a file of words to a file of trees, in one process. Latency is that of one sentence of
    about 20 words alone. The start is that of a new process until its first tree. Of several runs, medians are given,
    and the slowest and fastest in brackets. With --against, the last column says how many times as fast a model is.
    """
    from permutree.parsing.benchmark import measure, median_of, places
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
    earlier, other = _earlier(against)
    found: list[dict[str, Any]] = []
    for model in dict.fromkeys((*models, *other)):
        chosen = [
            place for place in places(threads or (1, cores())) if device in (None, "cuda" if place == "cuda" else "cpu")
        ]
        if not chosen:
            raise ConfigError(f"{model} cannot run on a GPU here: there is none that PyTorch can use, or no PyTorch")
        found += [
            {"model": str(model), "place": place, "processes": processes}
            for place in chosen
            for processes in dict.fromkeys((1, jobs))
        ]
    measured: list[list[Measurement]] = [[] for _ in found]
    # In turn, so that what else the machine does is spread over all.
    for run in range(runs):
        for one, several in zip(found, measured, strict=True):
            say(f"measuring {one['model']} on {_where(one)}" + (f", run {run + 1} of {runs}" if runs > 1 else ""))
            folder, processes = folder_of(one["model"]), one["processes"]
            several.append(measure(folder, one["place"], sentences, seconds=seconds, processes=processes))
    for number, (one, several) in enumerate(zip(found, measured, strict=True)):
        found[number] = median_of(several).to_json() | {"model": one["model"], "place": _where(one)}
    if against is not None:
        _compare(found, earlier, other)
    if as_json:
        show_json(found)
        return
    head: tuple[str, ...] = ("model", "on", "sentences/s", "words/s", "files", "p50 ms", "p95 ms", "start s", "MB")
    rows: list[tuple[str, ...]] = [
        (
            one["model"],
            f"{one['place']}, {one['engine']}",
            _speed(one),
            f"{one['words_per_second']:,.0f}",
            f"{one['files_per_second']:,.0f}" if one["files_per_second"] else "",
            f"{one['latency_p50']:.2f}",
            f"{one['latency_p95']:.2f}",
            f"{one['start']:.2f}",
            f"{one['peak_memory']:,.0f}",
        )
        for one in found
    ]
    if against is not None:
        head = (*head, f"× {against}")
        rows = [(*row, f"{one['ratio']:.2f}" if "ratio" in one else "") for row, one in zip(rows, found, strict=True)]
    show_rows((head, *rows), left=2)


def _where(one: dict[str, Any]) -> str:
    """Where a model is measured, as people read it."""
    return str(one["place"]) if one["processes"] == 1 else f"{one['processes']} × {one['place']}"


def _speed(one: dict[str, Any]) -> str:
    """Sentences a second, and the least and most of several runs."""
    speed = f"{one['sentences_per_second']:,.0f}"
    return speed if one["runs"] == 1 else f"{speed} ({one['slowest']:,.0f}–{one['fastest']:,.0f})"


def _earlier(against: str | None) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    """What to compare with: an earlier result, or a model to measure as well."""
    if against is None or not Path(against).is_file():
        return [], () if against is None else (against,)
    try:
        found = json.loads(Path(against).read_text("utf-8"))
        for one in found:
            float(one["sentences_per_second"])
            str(one["model"] + one["place"])
    except (ValueError, TypeError, KeyError) as error:
        raise DataError(f"is no result of `permutree bench --json`: {error!r}", source=against) from None
    return found, ()


def _compare(found: list[dict[str, Any]], earlier: list[dict[str, Any]], other: tuple[str, ...]) -> None:
    """Add how many times as fast each model is, by the place: as before, or as the other model."""
    before = {
        ("" if other else one["model"], one["place"]): one["sentences_per_second"]
        for one in (found if other else earlier)
        if not other or one["model"] in other
    }
    for one in found:
        speed = before.get(("" if other else one["model"], one["place"]))
        if speed:
            one["ratio"] = one["sentences_per_second"] / speed
