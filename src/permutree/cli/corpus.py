"""``permutree corpus``: documents in, a folder of Parquet shards out, on this machine or on a cluster."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from permutree.cli.choosing import LanguageChoice
from permutree.cli.options import charset_option, device_option
from permutree.cli.terminal import say, show
from permutree.sanitising import json_text

if TYPE_CHECKING:
    from permutree.corpora.local import Engine
    from permutree.corpora.run import Report
    from permutree.corpora.shards import Done

#: the formats of documents, as in :data:`permutree.corpora.inputs.FORMATS`, which would take long to import
_FORMATS = ("text", "lines", "tokens", "jsonl", "conllu", "parquet")
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMG]?)i?B?", re.IGNORECASE).fullmatch


def _bytes(context: click.Context, option: click.Parameter, value: str) -> int:
    found = _SIZE(value.strip())
    size = int(float(found[1]) * 1024 ** " KMG".index(found[2].upper() or " ")) if found else 0
    if size < 1:
        raise click.BadParameter(f"{value!r} is no size; say 4MB, or 512KB")
    return size


@click.command(
    epilog="""\b
Examples:
  permutree corpus news.jsonl.gz parsed --lang de --jobs 8
  permutree corpus 'texts/**/*.txt' parsed --max-words 100
  permutree corpus dump.parquet parsed --text-column body --id-column url
  permutree corpus s3://bucket/dump/ s3://bucket/parsed/ --on ray://head:10001
  permutree corpus news.jsonl.gz parsed --lang de --verify
  duckdb -c "SELECT lang, count(*) FROM 'parsed/*.parquet' GROUP BY lang" """
)
@click.argument("inputs", nargs=-1, required=True, metavar="IN...")
@click.argument("out", metavar="OUT")
@click.option(
    "-l",
    "--lang",
    "languages",
    multiple=True,
    type=LanguageChoice(),
    help="Parse documents in this language only, or in these; others keep a row that says so. All languages if not "
    "given. The language of each document is that which it says, or else guessed.",
)
@click.option("--only-sure", is_flag=True, help="Do not parse documents whose language is unsure either.")
@click.option(
    "-m",
    "--model",
    metavar="NAME|FOLDER",
    help="The model for all documents; otherwise the bundled one of each language.",
)
@click.option("--tagger", metavar="FOLDER", help="Tag the sentences with this model first.")
@click.option("--max-words", type=click.IntRange(1), metavar="N", help="Do not parse sentences with more words.")
@click.option(
    "--from",
    "source_format",
    type=click.Choice(_FORMATS),
    help="Format of the input; by the names of the files if not given. text is raw text, a document a file; lines is "
    "raw text, a sentence a line; tokens is a sentence a line, blanks between words; jsonl is a document a line.",
)
@charset_option()
@click.option("--text-column", default="text", show_default=True, metavar="NAME", help="Column or key of the text.")
@click.option(
    "--id-column",
    metavar="NAME",
    help="Column or key of the id; doc_id or id if not given, else the place in the file.",
)
@click.option("--lang-column", default="lang", show_default=True, metavar="NAME", help="Column or key of the language.")
@click.option(
    "--shard-size",
    default="4MB",
    show_default=True,
    callback=_bytes,
    metavar="SIZE",
    help="Input that goes into a shard: what is lost at most for each worker, if the run is killed.",
)
@click.option(
    "--on",
    "place",
    default="local",
    show_default=True,
    metavar="ENGINE",
    help="What runs it: local, ray (a cluster that this machine is part of, or else a new one), ray://HOST:PORT.",
)
@click.option("-j", "--jobs", type=click.IntRange(1), metavar="N", help="Workers; 1 on this machine, on Ray all CPUs.")
@device_option
@click.option(
    "--gpus-per-worker", type=click.FloatRange(0), default=0.0, metavar="SHARE", help="GPU of a worker on Ray: 0.5."
)
@click.option("--verify", "is_check", is_flag=True, help="Parse nothing: check the inputs, and all of what is in OUT.")
@click.option("--price-per-hour", type=click.FloatRange(0), metavar="PRICE", help="Price of a worker, for the cost.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON.")
def command(
    inputs: tuple[str, ...],
    out: str,
    languages: tuple[str, ...],
    only_sure: bool,
    model: str | None,
    tagger: str | None,
    max_words: int | None,
    source_format: str | None,
    charset: str,
    text_column: str,
    id_column: str | None,
    lang_column: str,
    shard_size: int,
    place: str,
    jobs: int | None,
    device: str | None,
    gpus_per_worker: float,
    is_check: bool,
    price_per_hour: float | None,
    as_json: bool,
) -> None:
    """Parse a corpus into a folder of Parquet files.

    IN is a file, a folder or a pattern of text, JSON lines, CoNLL-U or Parquet, compressed or not, on this machine or
    in an object store (s3://, gs://). OUT is a new folder. Each row is a sentence: doc_id, sentence, words, tags,
    discbracket, the tree as arrays, confidence. What cannot be parsed keeps its row, with an error.

    If a run is interrupted, run the same command again: it goes on where it stopped. Rows do not depend on --jobs or
    on the engine. It needs permutree[arrow], and permutree[ray] on a cluster.
    """
    from permutree.corpora import Columns, Step, run, verify

    engine = _engine(place, jobs, gpus_per_worker)
    step = Step(
        languages=languages,
        model=_reachable(model),
        tagger=_reachable(tagger),
        only_sure=only_sure,
        max_words=max_words,
        device=device,
        columns=Columns(text_column, id_column, lang_column),
    )
    options: dict[str, Any] = {
        "step": step, "engine": engine, "format": source_format, "charset": charset, "shard_size": shard_size,
    }  # fmt: skip
    if is_check:
        report, wrong = verify(inputs, out, **options)
        _print(report, None, as_json, wrong)
        if wrong:
            sys.exit(1)
        return
    with _Progress() as progress:
        report = run(inputs, out, **options, on_start=progress.start, on_shard=progress.count)
    _print(report, price_per_hour, as_json)


def _engine(place: str, jobs: int | None, gpus: float) -> Engine:
    if place == "local":
        from permutree.corpora import LocalEngine

        if gpus:
            raise click.UsageError("--gpus-per-worker is for --on ray; here, --jobs processes share the GPUs.")
        return LocalEngine(jobs or 1)
    if place == "ray" or place.startswith("ray://"):
        from permutree.integrations.ray import RayEngine

        return RayEngine.connect(None if place == "ray" else place, workers=jobs, gpus=gpus)
    raise click.UsageError(f"no engine {place!r}: there are local, ray and ray://HOST:PORT.")


def _reachable(model: str | None) -> str | None:
    """A model as other processes find it: a bundled or installed one by its name, any other by its full path."""
    if model is None:
        return None
    from permutree.models import folder, names

    return model if model in names() else str(folder(model).resolve())


class _Progress:
    """A bar of shards on standard error, if that is a terminal, and what was there already."""

    def __enter__(self) -> _Progress:
        from tqdm import tqdm

        self.bar = tqdm(desc="parsing", unit=" shards", disable=None, leave=False)
        self.rows = 0
        return self

    def __exit__(self, *error: object) -> None:
        self.bar.close()

    def start(self, shards: int, there: int) -> None:
        """Say how much there is to do."""
        if there:
            say(f"{there:,} of {shards:,} shards are there; going on")
        self.bar.reset(total=shards)
        self.bar.update(there)

    def count(self, done: Done) -> None:
        """Count a shard."""
        self.rows += done.counts.rows
        elapsed = self.bar.format_dict["elapsed"]
        if elapsed:
            self.bar.set_postfix_str(f"{self.rows / elapsed:,.0f} sentences/s", refresh=False)
        self.bar.update(1)


def _print(report: Report, price: float | None, as_json: bool, wrong: Sequence[str] = ()) -> None:
    cost = None if price is None else report.cost(price)
    if as_json:
        record = asdict(report.counts) | {
            "shards": report.shards,
            "made": asdict(report.made) | {"shards": report.made_shards},
            "seconds": round(report.seconds, 3),
            "sentences_per_second": round(report.sentences_per_second, 1),
            "workers": report.workers,
            "cost": cost,
            "wrong": list(wrong),
        }
        show(json_text(record, None))
    for one in wrong:
        say(f"wrong: {one}")
    counts = report.counts
    said = f"{counts.rows:,} rows, {counts.words:,} words, {counts.errors:,} errors in {report.shards:,} shards"
    if report.made_shards:
        said += (
            f"; {report.made.rows:,} rows in {report.seconds:,.1f} s, {report.sentences_per_second:,.0f} sentences/s"
        )
        said += f" with {report.workers} worker{'' if report.workers == 1 else 's'}"
    if cost is not None:
        said += f"; cost {cost:,.2f}"
        if report.made.words:
            said += f", {1e6 * cost / report.made.words:,.4f} a million words"
    say(said)
