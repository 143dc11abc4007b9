"""The paths of the server: FastAPI describes all, and answers those that need no worker."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response
from pydantic_core import to_json
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.staticfiles import StaticFiles

from permutree import __version__
from permutree.encoding import ENCODINGS
from permutree.errors import ConfigError
from permutree.formats.registry import WRITABLE
from permutree.languages import all_languages, explain, language_named
from permutree.serving import messages
from permutree.serving.answers import Answer, error_answer
from permutree.serving.corpora import described
from permutree.serving.front import Front
from permutree.serving.gate import App, Gate
from permutree.serving.metrics import Metrics
from permutree.serving.pool import Pool
from permutree.serving.settings import Settings

__all__ = ["PAGE", "make_app"]

#: paths that workers answer, and what they do there
WORK = {f"/v1/{kind}": kind for kind in ("parse", "convert", "draw", "encode", "decode", "evaluate", "search")}
#: the files of the page
PAGE = Path(__file__).parent / "page"

_FAULTS: dict[int | str, dict[str, Any]] = {
    status: {"model": messages.Error, "description": text}
    for status, text in {
        408: "It took longer than the server allows.",
        413: "It is more than the server allows.",
        422: "The request cannot be answered; the message says why.",
        503: "The server is busy; Retry-After says when to ask again.",
    }.items()
}


def make_app(settings: Settings) -> App:
    """The application, with workers that start and end with it."""
    pool = Pool(settings)
    metrics = Metrics(pool)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await pool.start()
        yield
        await pool.close()

    app = FastAPI(
        title="permutree",
        version=__version__,
        description="Discontinuous constituent trees for text: parsing, drawing, encoding, evaluation, search.",
        lifespan=lifespan,
        # Their pages come from elsewhere; this server works without a network.
        docs_url=None,
        redoc_url=None,
    )
    _describe_work(app)
    _add_facts(app, settings)
    _add_state(app, pool, metrics)
    app.add_exception_handler(HTTPException, _http_error)
    if PAGE.is_dir():
        app.mount("/", StaticFiles(directory=PAGE, html=True), "page")
    return Gate(app, settings, metrics, Front(settings, pool), WORK)


def respond_with(answer: Answer) -> Response:
    """An answer as a response."""
    headers = {"retry-after": "1"} if answer.status == 503 else None
    return Response(answer.content, answer.status, headers, answer.media_type)


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    response = respond_with(error_answer(error.status_code, str(error.detail)))
    response.headers.update(error.headers or {})
    return response


def _describe_work(app: FastAPI) -> None:
    """Describe the paths that workers answer; their requests go from the gate to the workers, and not through here."""

    def add(answer: type[Any] | None, example: Callable[..., Any], *kinds: str) -> None:
        others: dict[int | str, dict[str, Any]] = {200: {"content": {kind: {} for kind in kinds}}} if kinds else {}
        app.router.add_api_route(
            f"/v1/{example.__name__}",
            example,
            methods=["POST"],
            response_model=answer,
            response_class=Response if answer is None else JSONResponse,
            responses=_FAULTS | others,
        )

    def parse(request: messages.ParseRequest) -> None:
        """Parse text, or sentences of words; with `application/x-ndjson`, many of them, one a line."""

    def convert(request: messages.ConvertRequest) -> None:
        """Write a treebank in another format."""

    def draw(request: messages.DrawRequest) -> None:
        """Draw a tree."""

    def encode(request: messages.EncodeRequest) -> None:
        """Write trees as one label per word."""

    def decode(request: messages.DecodeRequest) -> None:
        """Make a tree of labels, any labels, and tell what was repaired."""

    def evaluate(request: messages.EvaluateRequest) -> None:
        """Score predicted trees against gold trees."""

    def search(request: messages.SearchRequest) -> None:
        """Search a corpus for what a query describes."""

    pictures = ("image/svg+xml", "image/png", "application/x-tex", "text/plain", "text/html")
    texts = ("text/plain", "application/xml", "application/x-ndjson")
    add(messages.Parsed, parse, *texts, *pictures[:3])
    add(messages.Parsed, convert, *texts)
    add(None, draw, *pictures)
    add(messages.Encoded, encode)
    add(messages.DecodedSentence, decode)
    add(messages.Evaluated, evaluate)
    add(messages.Found, search)


def _add_facts(app: FastAPI, settings: Settings) -> None:
    known = messages.Models(
        models=[messages.ModelEntry(name=model.name, language=model.language) for model in settings.models],
        languages={code: language_named(code).name for code in settings.languages},
        encodings=list(ENCODINGS),
        read=list(messages.READ),
        write=["json", *WRITABLE],
    )
    known_json = to_json(known)

    @app.get("/v1/models", response_model=messages.Models)
    async def models() -> Response:
        """List the models, languages, encodings and formats that requests may name."""
        return Response(known_json, media_type="application/json")

    limits = settings.limits
    searched = messages.Corpora(corpora=described(settings.corpora), matches=limits.matches, seconds=limits.search)
    searched_json = to_json(searched)

    @app.get("/v1/corpora", response_model=messages.Corpora)
    async def corpora() -> Response:
        """List the corpora that can be searched, with their labels."""
        return Response(searched_json, media_type="application/json")

    @app.get("/v1/explain", response_model=messages.Entries, responses={422: _FAULTS[422]})
    async def explain_labels(label: str | None = None, lang: str | None = None) -> Response:
        """Say what a label means, or all labels, in the treebanks of one language or of all."""
        try:
            if label is not None:
                entries = explain(label, lang)
            else:
                languages = all_languages().values() if lang is None else [language_named(lang)]
                entries = tuple(entry for one in languages for entry in one.entries())
        except ConfigError as error:
            return respond_with(error_answer(422, str(error)))
        return Response(to_json({"entries": [entry._asdict() for entry in entries]}), media_type="application/json")


def _add_state(app: FastAPI, pool: Pool, metrics: Metrics) -> None:
    @app.get("/healthz")
    async def healthz() -> dict[str, str]:
        """Say that the server is up."""
        return {"status": "ok"}

    @app.get("/readyz", responses={503: _FAULTS[503]})
    async def readyz() -> Response:
        """Say whether a worker is ready to take requests."""
        if pool.ready:
            return Response(to_json({"status": "ready", "workers": pool.ready}), media_type="application/json")
        return respond_with(error_answer(503, "no worker is ready yet"))

    @app.get("/metrics", include_in_schema=False)
    async def show_metrics() -> Response:
        return Response(metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
