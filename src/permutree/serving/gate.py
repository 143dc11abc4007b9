"""What every request passes: who may ask, how much at once, and the headers that every answer has."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from functools import lru_cache
from time import perf_counter
from urllib.parse import urlsplit

from permutree.serving.answers import Answer, error_answer, place_of
from permutree.serving.front import Front, Message, Receive, Send, send_answer
from permutree.serving.metrics import Metrics
from permutree.serving.settings import Settings

__all__ = ["Gate"]

_log = logging.getLogger("permutree")

App = Callable[[Message, Receive, Send], Awaitable[None]]

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
#: scripts and styles are files of the page; pictures may be made in the browser
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
#: a picture or page that is an answer runs nothing, and has its styles within
_PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"
_HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]
_PAGE_HEADERS = [*_HEADERS, (b"content-security-policy", _POLICY.encode()), (b"cache-control", b"no-cache")]
_ANSWER_HEADERS = [
    *_HEADERS,
    (b"content-security-policy", _PICTURE_POLICY.encode()),
    (b"cache-control", b"no-store"),
]
_SAME_ORIGIN = (b"cross-origin-resource-policy", b"same-origin")


class Gate:
    """Wraps an application; refuses hosts and origins that have no business here."""

    def __init__(self, app: App, settings: Settings, metrics: Metrics, front: Front, work: Mapping[str, str]) -> None:
        self.app = app
        self.front = front
        self.work = work
        self.metrics = metrics
        self.log_requests = settings.log_requests
        self.origins = frozenset(settings.cors)
        self.hosts: frozenset[str] | None = None
        if settings.allowed_hosts or settings.host in LOOPBACK:
            # A page elsewhere can make its own name lead to this machine; the name is then still its own.
            self.hosts = LOOPBACK | {settings.host} | set(settings.allowed_hosts)
        rest = [_SAME_ORIGIN] if not self.origins else []
        self._page_headers = [*_PAGE_HEADERS, *rest]
        self._answer_headers = [*_ANSWER_HEADERS, *rest]

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it here."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = perf_counter()
        path: str = scope["path"]
        extra = self._answer_headers if path.startswith("/v1/") else self._page_headers
        kind = self.work.get(path) if scope["method"] == "POST" else None
        status = 0
        host = origin = b""
        for name, value in scope["headers"]:
            if name == b"host":
                host = value
            elif name == b"origin":
                origin = value
        if origin and origin.decode("latin-1") in self.origins:
            extra = [*extra, (b"access-control-allow-origin", origin), (b"vary", b"Origin")]

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), *extra]
            await send(message)

        refusal = self._refusal(path, host.decode("latin-1"), origin.decode("latin-1"))
        try:
            if refusal is not None:
                await send_answer(send_with_headers, refusal)
            elif kind is not None:
                await self.front.answer(kind, scope, receive, send_with_headers)
            elif origin and scope["method"] == "OPTIONS":
                await send_with_headers({"type": "http.response.start", "status": 204, "headers": _PREFLIGHT})
                await send_with_headers({"type": "http.response.body"})
            else:
                await self.app(scope, receive, send_with_headers)
        except TimeoutError:
            # The reader has stopped; the server closes the connection.
            _log.warning("%s: the client does not read its answer", kind)
        except Exception as error:
            _log.error("unexpected %s: %s", type(error).__name__, place_of(error))
            if status:
                raise
            await send_answer(send_with_headers, error_answer(503, "the server has failed; its log says where"))
        finally:
            # What is counted and logged is the path of the endpoint, not what was asked for.
            route = path if kind is not None else getattr(scope.get("route"), "path", "other")
            self.metrics.count(route, scope["method"], status, perf_counter() - began)
            if self.log_requests:
                self.metrics.log(route, scope["method"], status, perf_counter() - began)

    def _refusal(self, path: str, host: str, origin: str) -> Answer | None:
        """Why a request is refused; None if it is not."""
        if "\0" in path:
            # No file has such a name, and not every version of the library that looks for files knows it.
            return error_answer(404, "there is no such page")
        if self.hosts is not None and _hostname(host) not in self.hosts:
            return error_answer(421, "this server does not go by that name; say --allow-host NAME when you start it")
        if origin and origin not in self.origins and _authority(origin) != host:
            return error_answer(403, "pages of other origins may not ask; say --cors ORIGIN when you start the server")
        return None


_PREFLIGHT = [
    (b"access-control-allow-methods", b"GET, POST"),
    (b"access-control-allow-headers", b"content-type"),
    (b"access-control-max-age", b"600"),
]


def _authority(origin: str) -> str | None:
    """The host and port of an origin.

    >>> _authority("http://localhost:8000"), _authority("http://["), _authority("null")
    ('localhost:8000', None, '')
    """
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


@lru_cache(maxsize=256)
def _hostname(host: str) -> str:
    """A host without its port.

    >>> _hostname("localhost:8000"), _hostname("[::1]:80"), _hostname("[")
    ('localhost', '::1', '')
    """
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""
