"""How the server and its workers talk: messages over pipes, each after its length."""

from __future__ import annotations

import pickle
from asyncio import IncompleteReadError, StreamReader
from typing import Any, BinaryIO

__all__ = ["frame", "read_frame", "receive_frame", "write_frame"]

_SIZE = 8


def frame(message: Any) -> bytes:
    """A message as bytes; both ends are ours, so that pickle is safe."""
    content = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return len(content).to_bytes(_SIZE, "little") + content


def write_frame(stream: BinaryIO, message: Any) -> None:
    """Send a message."""
    stream.write(frame(message))
    stream.flush()


def read_frame(stream: BinaryIO) -> Any:
    """The next message; None if the other end has gone."""
    head = stream.read(_SIZE)
    if len(head) < _SIZE:
        return None
    size = int.from_bytes(head, "little")
    content = stream.read(size)
    return pickle.loads(content) if len(content) == size else None


async def receive_frame(stream: StreamReader) -> Any:
    """The next message; None if the other end has gone."""
    try:
        head = await stream.readexactly(_SIZE)
        return pickle.loads(await stream.readexactly(int.from_bytes(head, "little")))
    except (IncompleteReadError, ConnectionError):
        return None
