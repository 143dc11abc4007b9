"""Between the wire and the workers: bodies are taken in within limits, answers are sent as fast as they are read.

This is plain ASGI: frameworks take longer over a request than all of this does, and here every request passes.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from typing import Any

from permutree.serving.answers import BUSY, JSON, Answer, error_answer
from permutree.serving.pool import Full, Pool
from permutree.serving.settings import Settings

__all__ = ["NDJSON", "Front", "Message", "Receive", "Send", "send_answer"]

NDJSON = "application/x-ndjson"
_log = logging.getLogger("permutree")

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

#: bytes that are sent at once, so that a slow reader is noticed
PIECE = 1 << 18
#: documents of a stream that are under way at once
UNDER_WAY = 64
#: seconds after which a stream looks again whether there is a place in the queue
LOOK = 0.01

_LATER = (b"retry-after", b"1")
_BUSY = error_answer(503, BUSY)
_LEFT = error_answer(400, "the connection was closed before the answer")


class _Gone(Exception):
    """The client has closed the connection."""


async def send_answer(send: Send, answer: Answer) -> None:
    """Send an answer at once."""
    await send(_start(answer.status, answer.media_type, len(answer.content)))
    await send({"type": "http.response.body", "body": answer.content})


def _start(status: int, media_type: str, length: int | None) -> Message:
    headers = [(b"content-type", media_type.encode())]
    if length is not None:
        headers.append((b"content-length", b"%d" % length))
    if status == 503:
        headers.append(_LATER)
    return {"type": "http.response.start", "status": status, "headers": headers}


class Front:
    """Takes in requests, has them answered, and sends the answers; counts what it holds of both."""

    def __init__(self, settings: Settings, pool: Pool) -> None:
        self.limits = settings.limits
        self.log_text = settings.log_text
        self.pool = pool
        #: bytes of bodies and answers
        self.held = 0

    async def answer(self, kind: str, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request to the workers."""
        length = content_type = b""
        for name, value in scope["headers"]:
            if name == b"content-length":
                length = value
            elif name == b"content-type":
                content_type = value
        expected = int(length) if length.isdigit() and len(length) < 16 else None
        if kind == "parse" and content_type.startswith(NDJSON.encode()):
            await self._stream(receive, send, expected)
            return
        answer = await self._answer(kind, receive, expected)
        if len(answer.content) <= PIECE:
            await send_answer(send, answer)
        else:
            await self._send_in_pieces(send, answer)

    async def _answer(self, kind: str, receive: Receive, expected: int | None) -> Answer:
        if expected is not None and expected > self.limits.body:
            return self._too_large()
        if self.pool.is_full or self.held + (expected or 0) > self.limits.held:
            return _BUSY
        body = await self._body(receive)
        if isinstance(body, Answer):
            return body
        if self.log_text:
            _log.info("%s: %s", kind, body.decode("utf-8", "replace"))
        self.held += len(body)
        try:
            answer = self.pool.submit(kind, body)
            return await (self._unless_gone(answer, receive) if kind == "search" else answer)
        except Full:
            return _BUSY
        finally:
            self.held -= len(body)

    async def _unless_gone(self, answer: asyncio.Future[Answer], receive: Receive) -> Answer:
        """An answer; if the client closes the connection before, what it asked for is stopped."""
        leaving = asyncio.ensure_future(_gone(receive))
        try:
            await asyncio.wait((answer, leaving), return_when=asyncio.FIRST_COMPLETED)
            if answer.done():
                return answer.result()
            self.pool.cancel(answer)
            return _LEFT
        finally:
            leaving.cancel()

    def _too_large(self) -> Answer:
        return error_answer(413, f"more than {self.limits.body:,} bytes, the limit of this server")

    async def _body(self, receive: Receive) -> bytes | Answer:
        """The body of a request, or why it is not taken."""
        parts: list[bytes] = []
        size = 0
        try:
            async with asyncio.timeout(self.limits.seconds):
                async for part in _parts(receive):
                    size += len(part)
                    self.held += len(part)
                    if size > self.limits.body:
                        return self._too_large()
                    if self.held > self.limits.held:
                        return _BUSY
                    parts.append(part)
        except TimeoutError:
            return self.pool.too_late()
        except _Gone:
            return _LEFT
        finally:
            self.held -= size
        return parts[0] if len(parts) == 1 else b"".join(parts)

    async def _send_in_pieces(self, send: Send, answer: Answer) -> None:
        """Send an answer that is counted as long as it is here; a reader that stops is left."""
        size = len(answer.content)
        content = memoryview(answer.content)
        self.held += size
        try:
            await send(_start(answer.status, answer.media_type, size))
            for start in range(0, size, PIECE):
                async with asyncio.timeout(self.limits.seconds):
                    piece = bytes(content[start : start + PIECE])
                    await send({"type": "http.response.body", "body": piece, "more_body": start + PIECE < size})
        finally:
            self.held -= size

    async def _stream(self, receive: Receive, send: Send, expected: int | None) -> None:
        """Answer a stream of documents in order, each on a line as soon as it is there, while others still come."""
        found: asyncio.Queue[asyncio.Future[Answer] | Answer | None] = asyncio.Queue(UNDER_WAY)
        reading = asyncio.create_task(self._read(self._documents(receive, expected), found))
        try:
            await send(_start(200, NDJSON, None))
            while (next_one := await found.get()) is not None:
                answer = next_one if isinstance(next_one, Answer) else await next_one
                async with asyncio.timeout(self.limits.seconds):
                    await send({"type": "http.response.body", "body": _line(answer), "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            reading.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await reading

    async def _read(
        self,
        documents: AsyncIterator[bytes | Answer],
        found: asyncio.Queue[asyncio.Future[Answer] | Answer | None],
    ) -> None:
        """Put each document into the queue of the workers, as places get free."""
        with contextlib.suppress(_Gone):
            async for document in documents:
                if isinstance(document, Answer):
                    await found.put(document)
                elif document.strip():
                    # A stream waits for its turn, and leaves half of the queue to others.
                    while 2 * self.pool.queued >= self.limits.queue:
                        await asyncio.sleep(LOOK)
                    await found.put(self.pool.submit("parse", document, waits=True))
        await found.put(None)

    async def _documents(self, receive: Receive, expected: int | None) -> AsyncIterator[bytes | Answer]:
        """The documents of a stream, one a line; an error for one that is too large, which goes on after it."""
        if expected is not None and expected <= self.limits.body:
            # Some clients send all before they read anything: what fits is taken in first.
            body = await self._body(receive)
            for line in [body] if isinstance(body, Answer) else body.split(b"\n"):
                yield line
            return
        rest = b""
        is_skipping = False
        parts = _parts(receive)
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


async def _gone(receive: Receive) -> None:
    """Return when the client has closed the connection."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _parts(receive: Receive) -> AsyncIterator[bytes]:
    """The parts of a body as they come."""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _Gone
        yield message.get("body", b"")
        if not message.get("more_body", False):
            return


def _line(answer: Answer) -> bytes:
    """An answer as a line; errors say their status."""
    if answer.media_type != JSON:
        return _line(error_answer(422, "documents of a stream are answered in JSON only"))
    if answer.status == 200:
        return answer.content + b"\n"
    return answer.content[:-1] + b', "status": %d}\n' % answer.status
