"""``permutree serve``: parsing over HTTP, and the page where people see trees."""

from __future__ import annotations

import click

from permutree.cli.choosing import LanguageChoice
from permutree.errors import ConfigError

MEGABYTE = 1 << 20


@click.command(
    epilog="""\b
Examples:
  permutree serve
  permutree serve --lang en --lang de --port 9000 --preload
  permutree serve --model mine=models/mine --workers 4
  permutree serve --corpus alpino.ptidx --corpus mine=trees.export
  curl localhost:8000/v1/parse --json '{"text": "What did you think I said?"}'"""
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on; 0.0.0.0 is all.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="Port; 0: a free one.")
@click.option(
    "-l",
    "--lang",
    "languages",
    type=LanguageChoice(),
    multiple=True,
    help="Serve the model of this language; may be repeated. All that are bundled or installed, if neither this nor "
    "--model is given.",
)
@click.option(
    "-m",
    "--model",
    "folders",
    multiple=True,
    metavar="[NAME=]FOLDER",
    help="Serve a model of your own under a name; may be repeated. It comes before the bundled one of its language.",
)
@click.option(
    "--corpus",
    "corpora",
    multiple=True,
    metavar="[NAME=]FILE",
    help="Let an index (.ptidx) or a treebank, which is then indexed first, be searched under a name; may be repeated, "
    "with the same NAME to join files.",
)
@click.option("--workers", type=click.IntRange(1), metavar="N", help="Processes that parse.  [default: one a core]")
@click.option("--preload", is_flag=True, help="Load the models at the start, not when they are first used.")
@click.option("--limit-body", type=click.FloatRange(0, min_open=True), default=8, show_default=True, help="Megabytes.")
@click.option("--limit-sentences", type=click.IntRange(1), default=10_000, show_default=True, help="Of one request.")
@click.option("--limit-words", type=click.IntRange(1), default=1000, show_default=True, help="Of a sentence.")
@click.option("--limit-seconds", type=click.FloatRange(0.1), default=30, show_default=True, help="Until the answer.")
@click.option("--limit-queue", type=click.IntRange(1), default=512, show_default=True, help="Requests that may wait.")
@click.option("--limit-memory", type=click.IntRange(256), default=4096, show_default=True, help="Megabytes a worker.")
@click.option("--limit-matches", type=click.IntRange(1), default=1000, show_default=True, help="Of one search.")
@click.option("--limit-search", type=click.FloatRange(0.1), default=10, show_default=True, help="Seconds of a search.")
@click.option("--cors", multiple=True, metavar="ORIGIN", help="Let pages of this origin ask; none may otherwise.")
@click.option("--allow-host", "hosts", multiple=True, metavar="NAME", help="Answer to this name, as behind a proxy.")
@click.option("--log-requests", is_flag=True, help="Log a line for each request, without what it holds.")
@click.option("--log-text", is_flag=True, help="Log what users send, too.")
def command(
    host: str,
    port: int,
    languages: tuple[str, ...],
    folders: tuple[str, ...],
    corpora: tuple[str, ...],
    workers: int | None,
    preload: bool,
    limit_body: float,
    limit_sentences: int,
    limit_words: int,
    limit_seconds: float,
    limit_queue: int,
    limit_memory: int,
    limit_matches: int,
    limit_search: float,
    cors: tuple[str, ...],
    hosts: tuple[str, ...],
    log_requests: bool,
    log_text: bool,
) -> None:
    """Serve the parser over HTTP, with a page where people see trees, to this machine only unless --host says more.

    Requests never name a file of the server. What is over a limit is refused, and a worker process that dies is
    replaced. SIGTERM and Ctrl-C end the server after the requests that it has.
    """
    try:
        from permutree.serving.corpora import corpora_to_serve, indexed
        from permutree.serving.server import serve
    except ModuleNotFoundError as error:
        if error.name not in ("fastapi", "httptools", "prometheus_client", "pydantic", "starlette", "uvicorn"):
            raise
        raise ConfigError(f"serving needs the package {error.name}: pip install 'permutree[serve]'") from None
    from permutree.parsing.onnx_engine import cores
    from permutree.serving.settings import Limits, Settings, models_to_serve

    with indexed(corpora_to_serve(corpora)) as ready:
        serve(
            Settings(
                models=models_to_serve(languages, folders),
                corpora=ready,
                workers=workers or cores(),
                limits=Limits(
                    body=int(limit_body * MEGABYTE),
                    sentences=limit_sentences,
                    words=limit_words,
                    seconds=limit_seconds,
                    queue=limit_queue,
                    memory=limit_memory * MEGABYTE,
                    matches=limit_matches,
                    search=limit_search,
                ),
                preload=preload,
                host=host,
                port=port,
                cors=cors,
                allowed_hosts=hosts,
                log_requests=log_requests,
                log_text=log_text,
            )
        )
