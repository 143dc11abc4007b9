"""Streams of bytes below a source: files, decompressors and members of archives, all with limits.

No layer raises an error. What cannot be read is noted among the faults of the path, and the stream goes on after it
where it can, or ends: so whatever comes before and after a damaged place is read, and how much was not is said.
"""

from __future__ import annotations

import bz2
import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from permutree.errors import DataError

__all__ = [
    "BLOCK",
    "COMPRESSED",
    "MOST_LAYERS",
    "UNREADABLE",
    "Decompressed",
    "Ledger",
    "Member",
    "RawFile",
    "buffered",
    "said",
]

#: bytes that are read at once, and that a stream can be looked into
BLOCK = 1 << 16
#: how many times its size anything may unpack to; treebanks are compressed to a tenth or a fiftieth
MOST_RATIO = 250
#: bytes that may come out of anything, however small it is
FREE = 64 << 20
#: compressions and archives inside each other
MOST_LAYERS = 8

#: what reading damaged archives and compressed data may raise
UNREADABLE = (
    ArithmeticError,
    EOFError,
    LookupError,
    NotImplementedError,
    OSError,
    RuntimeError,
    ValueError,
    lzma.LZMAError,
    struct.error,
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
)


@dataclass(slots=True)
class Ledger:
    """What is known of one path while it is read: bytes in and out, and the faults that were found."""

    taken: int = 0
    given: int = 0
    faults: list[DataError] = field(default_factory=list)

    def note(self, name: str, message: str, *, is_read: bool = False) -> None:
        """Take note of a part that cannot be read, or that was read but may be wrong."""
        self.faults.append(DataError(message, source=name, skipped=0 if is_read else None))

    def is_bomb(self, given: int) -> bool:
        """Whether so many bytes are more than can be made of what was read in earnest."""
        return given > FREE and given > MOST_RATIO * max(self.taken, 1)


def buffered(stream: Any) -> io.BufferedReader:
    """A stream that can be looked into; anything that reads bytes will do below it."""
    return io.BufferedReader(stream, BLOCK)


class _Layer(io.RawIOBase):
    """A raw stream that ends where the one below cannot be read, and takes note of it."""

    def __init__(self, name: str, ledger: Ledger) -> None:
        self.name = name
        self.ledger = ledger
        self.is_over = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self.is_over:
            return 0
        data = self._read(len(buffer))
        self.is_over = not data
        buffer[: len(data)] = data
        return len(data)

    def _read(self, size: int) -> bytes:
        raise NotImplementedError

    def _refuse(self) -> bytes:
        """The end of a stream that unpacks to too much."""
        self.ledger.note(
            self.name,
            f"unpacks to more than {MOST_RATIO} times its size: not read further; if that is right, unpack it first "
            "and read what comes out",
        )
        return b""


class RawFile(_Layer):
    """A file, or standard input, that is counted."""

    def __init__(self, name: str, ledger: Ledger, raw: Any) -> None:
        super().__init__(name, ledger)
        self.raw = raw

    def _read(self, size: int) -> bytes:
        try:
            data: bytes = self.raw.read(size) or b""
        except OSError as error:
            self.ledger.note(self.name, f"cannot be read after {self.ledger.taken:,} bytes: {error.strerror}")
            return b""
        self.ledger.taken += len(data)
        return data

    def seekable(self) -> bool:
        """Whether the file is one that can be read in any order."""
        return bool(self.raw.seekable())

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go to a place in the file."""
        self.is_over = False
        return int(self.raw.seek(offset, whence))

    def tell(self) -> int:
        """The place in the file."""
        return int(self.raw.tell())


class Member(_Layer):
    """A member of an archive, or its beginning if the rest cannot be read."""

    def __init__(self, name: str, ledger: Ledger, raw: Any) -> None:
        super().__init__(name, ledger)
        self.raw = raw
        self.given = 0

    def _read(self, size: int) -> bytes:
        try:
            data: bytes = self.raw.read(min(size, BLOCK))
        except UNREADABLE as error:
            self.ledger.note(self.name, f"damaged or cut off, not read after {self.given:,} bytes: {said(error)}")
            return b""
        self.given += len(data)
        self.ledger.given += len(data)
        return self._refuse() if self.ledger.is_bomb(self.ledger.given) else data

    def close(self) -> None:
        """Close the member, too."""
        if not self.closed:
            self.raw.close()
        super().close()


def said(error: BaseException) -> str:
    """What an error says, or else what it is."""
    return str(error) or type(error).__name__


class _Engine(Protocol):
    """What undoes one stream of compressed data."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class _Gzip:
    """The decompressor of zlib with the manners of the others; hands out what comes before a fault, too."""

    def __init__(self) -> None:
        self.engine = zlib.decompressobj(31)
        self.rest = b""
        self.fault: zlib.error | None = None
        #: what came out before the fault and has not been handed out
        self.saved = b""

    @property
    def eof(self) -> bool:
        return self.engine.eof

    @property
    def needs_input(self) -> bool:
        return not self.rest and self.fault is None

    @property
    def unused_data(self) -> bytes:
        return self.engine.unused_data

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        if self.saved:
            result, self.saved = self.saved[:max_length], self.saved[max_length:]
            return result
        if self.fault is not None:
            raise self.fault
        data = self.rest + data
        before = self.engine.copy()
        try:
            result = self.engine.decompress(data, max_length)
        except zlib.error as error:
            self.fault = error
            self.saved = _until_fault(before, data)
            return self.decompress(b"", max_length)
        self.rest = self.engine.unconsumed_tail
        return result


def _until_fault(engine: Any, data: bytes) -> bytes:
    """What comes out before the byte that cannot be."""
    result = b""
    for place in range(len(data)):
        try:
            result += engine.decompress(data[place : place + 1])
        except zlib.error:
            break
    return result


#: the first bytes of compressed streams, what undoes them and how the compression is called
COMPRESSED: dict[bytes, tuple[Callable[[], _Engine], str]] = {
    b"\x1f\x8b\x08": (_Gzip, "gzip"),
    b"\xfd7zXZ\x00": (lzma.LZMADecompressor, "xz"),
    b"BZh": (bz2.BZ2Decompressor, "bzip2"),
}


class Decompressed(_Layer):
    """What comes out of compressed streams that follow each other; after a damaged one, the next is looked for."""

    #: bytes that go into the decompressor at once: what comes of them is lost at a fault
    PIECE = 4096

    def __init__(self, name: str, ledger: Ledger, below: io.BufferedReader, magic: bytes) -> None:
        super().__init__(name, ledger)
        self.below = below
        self.magic = magic
        self.start, self.kind = COMPRESSED[magic]
        self.engine = self.start()
        self.waiting = b""
        # What went into the decompressor last: at a fault, the next stream may begin in it.
        self.piece = b""
        self.given = 0
        # A fault, with the bytes passed over since, is told when it is known where reading goes on.
        self.fault: str | None = None
        self.passed = 0

    def _read(self, size: int) -> bytes:
        while True:
            try:
                data = self._step(min(size, BLOCK))
            except UNREADABLE as error:
                why = said(error).removeprefix("Error -3 while decompressing data: ")
                if self.fault is None and why.startswith(("incorrect data check", "incorrect length check")):
                    message = f"the check sum of the {self.kind} data is another: what was read of it may be wrong"
                    self.ledger.note(self.name, message, is_read=True)
                    data = b"" if self._find_next(self.piece + self.waiting) else None
                    self.passed = 0
                else:
                    self.fault = self.fault or f"damaged {self.kind} data ({why})"
                    data = b"" if self._find_next(self.piece + self.waiting) else None
            if data:
                if self.fault is not None:
                    # The line that was cut off and the first of the next stream are two.
                    data = b"\n" + data[: size - 1] if self._tell("; reading goes on after them") else data
                self.given += len(data)
                return self._refuse() if self.ledger.is_bomb(self.given) else data
            if data is None:
                self._tell("")
                return b""

    def _step(self, size: int) -> bytes | None:
        """Some bytes, none if more has to be read first, or None at the end."""
        if self.engine.eof:
            return b"" if self._next_stream() else None
        if self.engine.needs_input and not self.waiting:
            self.waiting = self.below.read1(self.PIECE)
            if not self.waiting:
                if self.fault is None:
                    self.fault = f"cut off: the {self.kind} data ends too soon, after {self.given:,} unpacked bytes"
                return None
        if not self.engine.needs_input:
            return self.engine.decompress(b"", size)
        self.piece, self.waiting = self.waiting[: self.PIECE], self.waiting[self.PIECE :]
        return self.engine.decompress(self.piece, size)

    def _next_stream(self) -> bool:
        """Go on with the stream that follows; zeros between streams are padding."""
        self.waiting = self.engine.unused_data + self.waiting
        while not (rest := self.waiting.lstrip(b"\0")):
            self.waiting = self.below.read1(self.PIECE)
            if not self.waiting:
                return False
        while len(rest) < len(self.magic) and (more := self.below.read1(self.PIECE)):
            rest += more
        self.waiting = rest
        if rest.startswith(self.magic):
            self.engine = self.start()
            return True
        self.fault = self.fault or f"what follows the {self.kind} data is no {self.kind} data"
        return self._find_next(rest)

    def _find_next(self, rest: bytes) -> bool:
        """Pass over bytes up to the next beginning of a stream."""
        # The beginning that has just been tried is not tried again.
        skip = 1 if rest.startswith(self.magic) else 0
        while True:
            place = rest.find(self.magic, skip)
            if place >= 0:
                self.passed += place
                self.waiting, self.piece = rest[place:], b""
                self.engine = self.start()
                return True
            keep = min(len(rest), len(self.magic) - 1)
            self.passed += len(rest) - keep
            rest, skip = rest[len(rest) - keep :], 0
            more = self.below.read1(BLOCK)
            if not more:
                self.passed += len(rest)
                self.waiting = self.piece = b""
                return False
            rest += more

    def _tell(self, after: str) -> bool:
        """Take note of a fault that was found, with what was not read for it; whether there was one."""
        if self.fault is None:
            return False
        amount = f": {self.passed:,} compressed bytes not read{after}" if self.passed else ""
        self.ledger.note(self.name, f"{self.fault}{amount}")
        self.fault, self.passed = None, 0
        return True

    def seekable(self) -> bool:
        """Whether it can be read again."""
        return self.below.seekable()

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go back to the beginning, to read all of it again; nothing else is possible."""
        if offset or whence:
            raise io.UnsupportedOperation("compressed data is read from its beginning only")
        self.below.seek(0)
        self.engine, self.waiting, self.piece, self.given, self.is_over = self.start(), b"", b"", 0, False
        return 0

    def tell(self) -> int:
        """How many bytes have come out."""
        return self.given
