"""Between the wire and the workers: bodies are taken in within limits, answers are sent as fast as they are read."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from permutree.serving.answers import JSON, Answer, error_answer
from permutree.serving.pool import Full, Pool
from permutree.serving.settings import Settings

__all__ = ["NDJSON", "Front", "respond_with"]

NDJSON = "application/x-ndjson"
_log = logging.getLogger("permutree")

#: bytes that are sent at once, so that a slow reader is noticed
PIECE = 1 << 18
#: documents of a stream that are under way at once
UNDER_WAY = 64
#: seconds after which a stream looks again whether there is a place in the queue
LOOK = 0.01


def respond_with(answer: Answer) -> Response:
    """An answer as a response."""
    response = Response(answer.content, answer.status, media_type=answer.media_type)
    if answer.status == 503:
        response.headers["retry-after"] = "1"
    return response


_BUSY = error_answer(503, "the server has more to do than it can; ask again later")


class Front:
    """Takes in requests, has them answered, and sends the answers; counts what it holds of both."""

    def __init__(self, settings: Settings, pool: Pool) -> None:
        self.limits = settings.limits
        self.log_text = settings.log_text
        self.pool = pool
        #: bytes of bodies and answers
        self.held = 0

    async def respond(self, kind: str, request: Request) -> Response:
        """The response to a request to the workers."""
        if kind == "parse" and request.headers.get("content-type", "").startswith(NDJSON):
            return _Streamed(self, request)
        length = request.headers.get("content-length", "")
        expected = int(length) if length.isdecimal() and len(length) < 16 else 0
        if expected > self.limits.body:
            return respond_with(self._too_large())
        if self.pool.is_full or self.held + expected > self.limits.held:
            return respond_with(_BUSY)
        body = await self._body(request)
        if isinstance(body, Answer):
            return respond_with(body)
        if self.log_text:
            _log.info("%s: %s", kind, body.decode("utf-8", "replace"))
        self.held += len(body)
        try:
            answer = await self.pool.submit(kind, body)
        except Full:
            answer = _BUSY
        finally:
            self.held -= len(body)
        return respond_with(answer) if len(answer.content) <= PIECE else _Large(self, answer)

    def _too_large(self) -> Answer:
        return error_answer(413, f"more than {self.limits.body:,} bytes, the limit of this server")

    async def _body(self, request: Request) -> bytes | Answer:
        """The body of a request, or why it is not taken."""
        parts: list[bytes] = []
        size = 0
        try:
            async with asyncio.timeout(self.limits.seconds):
                async for part in request.stream():
                    size += len(part)
                    self.held += len(part)
                    if size > self.limits.body:
                        return self._too_large()
                    if self.held > self.limits.held:
                        return _BUSY
                    parts.append(part)
        except TimeoutError:
            return self.pool.too_late()
        except ClientDisconnect:
            return error_answer(400, "the connection was closed before the request was complete")
        finally:
            self.held -= size
        return b"".join(parts)

    async def documents(self, request: Request) -> AsyncIterator[bytes | Answer]:
        """The documents of a stream, one a line; an error for one that is too large, which goes on after it."""
        length = request.headers.get("content-length", "")
        if length.isdecimal() and len(length) < 16 and int(length) <= self.limits.body:
            # Some clients send all before they read anything: what fits is taken in first.
            body = await self._body(request)
            for line in [body] if isinstance(body, Answer) else body.split(b"\n"):
                yield line
            return
        rest = b""
        is_skipping = False
        parts = request.stream()
        while True:
            try:
                async with asyncio.timeout(self.limits.seconds):
                    part = await anext(parts, None)
            except TimeoutError:
                yield self.pool.too_late()
                return
            if part is None:
                break
            *lines, rest = (rest + part).split(b"\n")
            for line in lines:
                if not is_skipping:
                    yield line
                is_skipping = False
            if len(rest) > self.limits.body:
                if not is_skipping:
                    yield self._too_large()
                is_skipping, rest = True, b""
        if rest and not is_skipping:
            yield rest


class _Large(Response):
    """An answer that is sent in pieces, and counted as long as it is here; a reader that stops is left."""

    def __init__(self, front: Front, answer: Answer) -> None:
        super().__init__(b"", answer.status, media_type=answer.media_type)
        self.headers["content-length"] = str(len(answer.content))
        self.front, self.content = front, memoryview(answer.content)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        front, size = self.front, len(self.content)
        front.held += size
        try:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            for start in range(0, size, PIECE):
                async with asyncio.timeout(front.limits.seconds):
                    piece = self.content[start : start + PIECE]
                    await send({"type": "http.response.body", "body": bytes(piece), "more_body": start + PIECE < size})
        finally:
            front.held -= size


class _Streamed(Response):
    """The answers to a stream of documents, in order, each on a line as soon as it is there."""

    def __init__(self, front: Front, request: Request) -> None:
        super().__init__(b"", 200, media_type=NDJSON)
        del self.headers["content-length"]
        self.front, self.request = front, request

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read, have parsed and send at the same time."""
        front = self.front
        found: asyncio.Queue[asyncio.Future[Answer] | Answer | None] = asyncio.Queue(UNDER_WAY)
        reading = asyncio.create_task(self._read(found))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            while (next_one := await found.get()) is not None:
                answer = next_one if isinstance(next_one, Answer) else await next_one
                async with asyncio.timeout(front.limits.seconds):
                    await send({"type": "http.response.body", "body": _line(answer), "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            reading.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await reading

    async def _read(self, found: asyncio.Queue[asyncio.Future[Answer] | Answer | None]) -> None:
        """Put each document into the queue of the workers, as places get free."""
        front = self.front
        with contextlib.suppress(ClientDisconnect):
            async for document in front.documents(self.request):
                if isinstance(document, Answer):
                    await found.put(document)
                elif document.strip():
                    # A stream waits for its turn, and leaves half of the queue to others.
                    while 2 * front.pool.queued >= front.limits.queue:
                        await asyncio.sleep(LOOK)
                    await found.put(front.pool.submit("parse", document, waits=True))
        await found.put(None)


def _line(answer: Answer) -> bytes:
    """An answer as a line; errors say their status."""
    if answer.media_type != JSON:
        return _line(error_answer(422, "documents of a stream are answered in JSON only"))
    if answer.status == 200:
        return answer.content + b"\n"
    return answer.content[:-1] + b',"status":%d}\n' % answer.status
