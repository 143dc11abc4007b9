"""Damaged files for all readers, and what must hold when they are read.

A file is made of sentences that are known, in every format that is read. It is then damaged: inside some of its
sentences, anywhere, in its compressed bytes, or in another charset. Whatever is done to it, reading raises nothing but
our own errors and ends soon. And nothing is lost in silence: sentences that were not touched come out as they were, or
as many are reported; where compressed bytes were damaged, all trees come out, or something is reported.
"""

import bz2
import codecs
import gzip
import io
import lzma
import random
import signal
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from types import FrameType
from typing import Any, NamedTuple, NoReturn

from fuzzing import random_tree
from permutree.encoding import Codec
from permutree.encoding.labelfile import read_labels, write_labels
from permutree.errors import DataError, PermutreeError
from permutree.formats import read_all
from permutree.formats.registry import FORMATS, READABLE
from permutree.formats.sources import Source, open_bytes
from permutree.parsing.inputs import TEXT_FORMATS, write_tagged
from permutree.trees.builder import Node, TreeBuilder
from permutree.trees.tree import Tree

#: sentences of a file
SIZE = 6
#: seconds of CPU time that reading a damaged file may take; it is a few kilobytes
LIMIT = 10.0
LABELS, TOKENS, TAGGED, TEXT, LINES = "labels", "tokens", "tagged", "text", "lines"
KINDS = ("inside", "anywhere", "compressed", "charset", "soup")


class Hang(Exception):
    """Reading takes too long."""


class Material(NamedTuple):
    """A file: what comes before its sentences, these as they are written, what comes after, and what they are."""

    format: str
    before: bytes
    chunks: list[bytes]
    after: bytes
    expected: list[Any]

    @property
    def data(self) -> bytes:
        return self.before + b"".join(self.chunks) + self.after


@dataclass
class Outcome:
    """What came of a file."""

    trees: list[Any] = field(default_factory=list)
    errors: list[DataError] = field(default_factory=list)
    foreign: str | None = None

    @property
    def skipped(self) -> int:
        return sum(error.skipped or 0 for error in self.errors)

    @property
    def parts(self) -> int:
        return sum(error.skipped is None for error in self.errors)


class Finding(NamedTuple):
    """The result of one attack: which format and kind it was, what went wrong, and some counts."""

    format: str
    kind: str
    failure: str | None
    trees: int
    skipped: int
    parts: int
    #: sentences that were not touched and did not come out, but were reported
    collateral: int
    data: bytes


def sentences(rng: random.Random, *, is_continuous: bool) -> list[Tree]:
    """Trees of few words, which no two of them share."""
    found: list[Tree] = []
    while len(found) < SIZE:
        tree = random_tree(rng, 6)
        draft = TreeBuilder.from_tree(tree)
        for leaf in draft.leaves:
            leaf.word = rng.choice(["w", "é", "漢", "x-", "1.", "a=", "&"]) + f"{len(found)}.{leaf.word}"
            leaf.tag = rng.choice(["NN", "VB", "DT", "$,"])
        for node in draft.nodes():
            node.label = rng.choice(["S", "VP", "NP", "PP"])
        draft.root = Node("ROOT", draft.root.children if isinstance(draft.root, Node) else [draft.root])
        tree = Tree.of(draft)
        if not is_continuous or not tree.is_discontinuous:
            found.append(tree)
    return found


def _cut(text: str, starts: str, end: str) -> tuple[str, list[str], str]:
    """The text before the first sentence, the sentences and the rest."""
    first = text.index(starts)
    last = text.rindex(end) + len(end)
    pieces = text[first:last].split(end)[:-1]
    return text[:first], [piece + end for piece in pieces], text[last:]


def _pretty(line: str) -> str:
    """A tree over several lines, the inner ones indented."""
    return line.replace(") (", ")\n    (")


def _layouts() -> Iterator[tuple[str, str]]:
    """Formats, each with the ways in which its sentences are laid out."""
    for name, entry in READABLE.items():
        if entry.is_binary:
            continue
        yield name, "plain"
        if name in ("ptb", "ptb-traces", "craft", "psd"):
            yield name, "pretty"
    for name in (LABELS, TOKENS, TAGGED, TEXT, LINES):
        yield name, "plain"


LAYOUTS = list(_layouts())


@cache
def material(number: int, format: str, layout: str) -> Material:  # noqa: A002 - the word that users expect
    """One of the files in a format."""
    rng = random.Random(f"{number} {format}")
    entry = READABLE.get(format)
    trees = sentences(rng, is_continuous=entry is not None and not entry.is_discontinuous)
    text = io.StringIO()
    if entry is not None:
        entry.writer(trees, text)
    elif format == LABELS:
        codec = Codec("pointer")
        write_labels(trees, codec.texts(codec.encode(trees)), text, "pointer")
    elif format == TAGGED:
        write_tagged(((tree.words, tree.tags) for tree in trees), text)
    else:
        text.writelines(" ".join(tree.words) + (" .\n\n" if format == TEXT else "\n") for tree in trees)
    written = text.getvalue()
    if format.startswith("export"):
        parts = _export_parts(written)
    elif format == "tigerxml":
        parts = _cut(written, "<s ", "</s>\n")
    elif format == "alpino":
        parts = _cut(written, "<alpino_ds", "</alpino_ds>\n")
    elif format in ("psd", "conllu", "conll", LABELS, TAGGED, TEXT):
        parts = "", [f"{piece}\n\n" for piece in written.split("\n\n")[:-1]], ""
    else:
        parts = "", written.splitlines(keepends=True), ""
    before, chunks, after = parts
    if layout == "pretty":
        chunks = [_pretty(chunk) for chunk in chunks]
    made = Material(format, before.encode(), [chunk.encode() for chunk in chunks], after.encode(), [])
    outcome = read_bytes(format, made.data)
    assert outcome.foreign is None, outcome.foreign
    assert not outcome.errors, outcome.errors
    if format not in (TEXT, LINES):
        assert len(outcome.trees) == len(chunks) == SIZE, (format, len(outcome.trees), len(chunks))
    return made._replace(expected=outcome.trees)


def _export_parts(written: str) -> tuple[str, list[str], str]:
    before, *rest = written.split("#BOS ")
    return before, [f"#BOS {piece}" for piece in rest], ""


def read_bytes(
    format: str,  # noqa: A002
    data: bytes,
    charset: str = "utf-8",
    *,
    is_guessed: bool = False,
    name: str = "file",
) -> Outcome:
    """Read a file as `permutree` does with ``--skip-bad``."""
    outcome = Outcome()
    note = outcome.errors.append
    try:
        if format in READABLE:
            chosen = None if is_guessed else FORMATS[format]
            outcome.trees.extend(read_all(open_bytes(data, name, charset, note), chosen, note))
        else:
            for source in open_bytes(data, name, charset, note):
                try:
                    outcome.trees.extend(_sentences(format, source, note))
                except DataError as error:
                    note(error)
    except PermutreeError as error:
        outcome.errors.append(error if isinstance(error, DataError) else DataError(str(error)))
    except Hang:
        outcome.foreign = "hang"
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        outcome.foreign = f"{type(error).__name__}: {error}"
    return outcome


def _sentences(format: str, source: Source, note: Callable[[DataError], None]) -> Iterator[Any]:  # noqa: A002
    if format == LABELS:
        for sentence in read_labels(source, "pointer", on_error=note):
            yield (*sentence.words, *chain.from_iterable(sentence.labels))
        return
    for part in TEXT_FORMATS[format](source, note, lambda text: "en"):
        found = part.read(note) if hasattr(part, "read") else [part]
        yield from (tuple(one.words) for one in found)


SPECIAL = [
    b"(", b")", b"((", b"))", b"( ", b"<", b">", b"&", b'"', b"'", b"=", b"\n", b"\r", b"\n\n", b"\t", b" ", b"\0",
    b"#BOS 3\n", b"#EOS 3\n", b"\n#EOS\n", b"#500", b"%%", b"#FORMAT 3\n", b"#BOT WORDTAG\n", b"</s>", b"<s ", b"<!--",
    b"]]>", b"<![CDATA[", b"&amp", b"&#0;", b"&#x110000;", b"<?", b"</graph>", b"<alpino_ds>", b"</node>", b"/*", b"*/",
    b"/~*", b"*~/", b"9" * 5000, b"-1", b"1e999", b"null", b"{}", b"[", b"]", b"\\u0000", b"\\ud800", b"\xef\xbb\xbf",
    b"\xff", b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x80\xa8", b"\x0b", b"\x1a", b"-NONE-",
    b"*T*-1", b"(CODE x)", b"(ID 1)", b"-LRB-", b"INV", b"\\", b"0=", b" 0=", b"1=", b"\x85", b"\xc2\x85", b"\xc2\xa0",
]  # fmt: skip


def mutate(rng: random.Random, data: bytes) -> bytes:
    """The data with one change."""
    place = rng.randrange(len(data) + 1)
    end = min(len(data), place + rng.choice((1, 1, 1, 2, 5, 20)))
    match rng.randrange(8):
        case 0:
            return data[:place] + bytes([rng.randrange(256)]) + data[place + 1 :]
        case 1:
            return data[:place] + data[end:]
        case 2:
            return data[:place] + rng.choice(SPECIAL) + data[place:]
        case 3:
            return data[:place] + rng.choice(SPECIAL) + data[end:]
        case 4:
            return data[:place] + data[place:end] * rng.choice((2, 3)) + data[end:]
        case 5:
            return data[:place] + rng.randbytes(rng.choice((1, 2, 8))) + data[place:]
        case 6:
            other = rng.randrange(len(data) + 1)
            return data[:place] + data[other : other + 10] + data[place:]
        case _:
            if not data:
                return b"\xff"
            place %= len(data)
            return data[:place] + bytes([data[place] ^ (1 << rng.randrange(8))]) + data[place + 1 :]


def attack(seed: int, number: int) -> Finding:
    """Damage a file and read it; the same numbers give the same file."""
    rng = random.Random(f"{seed} {number}")
    format, layout = LAYOUTS[number % len(LAYOUTS)]  # noqa: A001
    kind = rng.choices(KINDS, (5, 2, 2, 1, 1))[0]
    made = material(rng.randrange(20), format, layout)
    name = f"{format}/{layout}" if layout != "plain" else format
    damage = {
        "inside": _inside, "anywhere": _anywhere, "compressed": _compressed, "charset": _charset, "soup": _soup,
    }[kind]  # fmt: skip
    with Limited():
        outcome, failure, collateral, data = damage(rng, made)
    if outcome.foreign is not None:
        failure = f"foreign: {outcome.foreign}"
    return Finding(name, kind, failure, len(outcome.trees), outcome.skipped, outcome.parts, collateral, data)


Result = tuple[Outcome, str | None, int, bytes]


def _inside(rng: random.Random, made: Material) -> Result:
    """Damage inside sentences, but for the ends of their last lines: no other sentence may be lost."""
    touched = rng.sample(range(SIZE), rng.choice((1, 1, 2, 3)))
    if rng.random() < 0.2:
        touched = [touched[0], (touched[0] + 1) % SIZE]
    chunks = list(made.chunks)
    for number in touched:
        content = chunks[number].rstrip(b"\n")
        end = chunks[number][len(content) :]
        for _ in range(rng.choice((1, 1, 2, 4))):
            content = mutate(rng, content)
        chunks[number] = content + end
    data = made.before + b"".join(chunks) + made.after
    outcome = read_bytes(made.format, data)
    if made.format in (TEXT, LINES):
        return outcome, None, 0, data
    wanted = [sentence for number, sentence in enumerate(made.expected) if number not in touched]
    lost = _lost(wanted, outcome.trees)
    failure = None
    if lost and not outcome.parts and outcome.skipped < lost:
        failure = f"unreported: {lost} untouched sentences lost, {outcome.skipped} reported"
    elif not outcome.parts and len(outcome.trees) + outcome.skipped < SIZE - len(touched):
        failure = f"unreported: {len(outcome.trees)} trees and {outcome.skipped} reported of {SIZE} sentences"
    elif not outcome.parts and len(outcome.trees) + outcome.skipped < SIZE - _vanished(made, chunks, touched):
        failure = f"unreported: {len(outcome.trees)} trees and {outcome.skipped} reported of {SIZE}"
    return outcome, failure, lost, data


#: what makes something else of a sentence than a sentence: a comment, a table, a note
_UNMAKING = {
    "export": (b"%%", b"#BOT"),
    "export3": (b"%%", b"#BOT"),
    "tigerxml": (b"<!--", b"<![CDATA["),
    "alpino": (b"<!--", b"<![CDATA["),
    "psd": (b"/*", b"/~*", b"*", b" 0", b"CODE", b"ID"),
}


def _vanished(made: Material, chunks: list[bytes], touched: list[int]) -> int:
    """How many sentences need not be told of: blank ones, comments, and neighbours that may have become one."""
    if any((number + 1) in touched for number in touched):
        return len(touched)
    unmaking = _UNMAKING.get(made.format, ())
    # Signs stand after white space of any kind.
    left = {number: b" ".join(chunks[number].split()) for number in touched}
    if 0 in left and not made.before:
        left[0] = left[0].removeprefix(codecs.BOM_UTF8)
    return sum(_is_blank(text) or any(sign in text for sign in unmaking) for text in left.values())


def _is_blank(chunk: bytes) -> bool:
    """Whether nothing is left but white space of any kind."""
    return not chunk.decode("utf-8", "replace").strip()


def _lost(wanted: list[Any], found: list[Any]) -> int:
    """How many of the sentences are not among those found, in this order."""
    lost = place = 0
    for sentence in wanted:
        try:
            place = found.index(sentence, place) + 1
        except ValueError:
            lost += 1
    return lost


def _anywhere(rng: random.Random, made: Material) -> Result:
    data = made.data
    for _ in range(rng.choice((1, 2, 4, 10))):
        data = mutate(rng, data)
    return read_bytes(made.format, data, is_guessed=rng.random() < 0.3), None, 0, data


def _charset(rng: random.Random, made: Material) -> Result:
    charset = rng.choice(
        ["utf-16", "utf-16-le", "utf-32", "latin-1", "cp037", "utf-7", "shift_jis", "gb18030", "utf-8-sig"]
    )
    text = made.data.decode()
    if rng.random() < 0.3:
        text = text.replace("\n", rng.choice(["\r", "\r\n"]))
    data = text.encode(charset, "replace")
    is_whole = rng.random() < 0.3
    if not is_whole:
        for _ in range(rng.choice((1, 3))):
            data = mutate(rng, data)
    if made.format in ("tigerxml", "alpino") and rng.random() < 0.5:
        declared = rng.choice(["big5", "shift_jis", "utf-9", "rot13", "euc-kr", "utf-16", charset])
        data = made.data.replace(b'encoding="utf-8"', f'encoding="{declared}"'.encode())
        return read_bytes(made.format, data), None, 0, data
    outcome = read_bytes(made.format, data, charset)
    failure = None
    if (
        is_whole
        and charset in ("utf-16", "utf-32", "utf-8-sig", "gb18030", "utf-7")
        and made.format not in (TEXT, LINES)
    ) and outcome.trees != made.expected:
        failure = f"unreported: {charset} is not read"
    return outcome, failure, 0, data


def _soup(rng: random.Random, made: Material) -> Result:
    """Pieces of files and special strings in any order."""
    pieces = [rng.choice(SPECIAL) for _ in range(rng.randrange(1, 40))]
    for _ in range(rng.randrange(20)):
        start = rng.randrange(len(made.data))
        pieces.insert(rng.randrange(len(pieces) + 1), made.data[start : start + rng.randrange(1, 60)])
    data = b"".join(pieces)
    return read_bytes(made.format, data, is_guessed=rng.random() < 0.3), None, 0, data


#: material, which stays as long as this does, in each compression
_packed: dict[tuple[int, Any], bytes] = {}


def _compressed(rng: random.Random, made: Material) -> Result:
    """Damaged compression: everything comes out, or something is reported."""
    pack = rng.choice(PACKERS)
    key = (id(made), pack)
    if key not in _packed:
        _packed[key] = pack(made)
    data = whole = _packed[key]
    if rng.random() < 0.1:
        outcome = read_bytes(made.format, data)
        is_same = outcome.trees == made.expected and not outcome.errors
        return outcome, None if is_same else f"unreported: {pack.__name__} is not read", 0, data
    match rng.randrange(4):
        case 0:
            data = data[: rng.randrange(len(data))]
        case 1:
            start = rng.randrange(len(data))
            data = data[:start] + data[start + rng.randrange(1, 40) :]
        case _:
            for _ in range(rng.choice((1, 1, 3))):
                place = rng.randrange(len(data))
                data = data[:place] + bytes([data[place] ^ (1 << rng.randrange(8))]) + data[place + 1 :]
    outcome = read_bytes(made.format, data)
    is_silent = outcome.trees != made.expected and not outcome.errors
    if is_silent and made.format not in (TEXT, LINES) and _is_told(pack, whole, data):
        return outcome, f"unreported: damaged {pack.__name__}, {len(outcome.trees)} trees, no report", 0, data
    return outcome, None, 0, data


def _is_told(pack: Callable[[Material], bytes], whole: bytes, data: bytes) -> bool:
    """Whether damage must show.

    What is stored as it is can be changed as any text can. Of several streams, some are a whole file, too. Bytes that
    are too few for a sign of their compression are text.
    """
    if len(data) <= 2 or pack in (_tar, _stored):
        return False
    return not whole.startswith(data) or pack in (_gzip, _twice, _zip, _tar_xz)


def _gzip(made: Material) -> bytes:
    return gzip.compress(made.data, mtime=0)


def _twice(made: Material) -> bytes:
    return gzip.compress(gzip.compress(made.data, mtime=0), mtime=0)


def _streams(compress: Callable[[bytes], bytes]) -> Callable[[Material], bytes]:
    def pack(made: Material) -> bytes:
        half = len(made.before) + sum(map(len, made.chunks[: SIZE // 2]))
        return compress(made.data[:half]) + compress(made.data[half:])

    pack.__name__ = f"two {compress.__module__} streams"
    return pack


def _zip(made: Material, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, data in _members(made):
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return stream.getvalue()


def _stored(made: Material) -> bytes:
    return _zip(made, zipfile.ZIP_STORED)


def _zip_bzip2(made: Material) -> bytes:
    return _zip(made, zipfile.ZIP_BZIP2)


def _tar(made: Material) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, data in _members(made):
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return stream.getvalue()


def _tar_xz(made: Material) -> bytes:
    return lzma.compress(_tar(made))


def _members(made: Material) -> Iterator[tuple[str, bytes]]:
    """Two files; the first half of the sentences in one, the second in the other."""
    suffix = {**{name: entry.suffixes[0] for name, entry in READABLE.items()}, LABELS: ".labels"}.get(made.format, ".x")
    if made.format in (TEXT, LINES):
        yield f"1{suffix}", made.data
        return
    half = SIZE // 2
    yield f"1{suffix}", made.before + b"".join(made.chunks[:half]) + made.after
    yield f"b/2{suffix}", made.before + b"".join(made.chunks[half:]) + made.after


PACKERS = (
    _gzip, _twice, _streams(gzip.compress), _streams(lzma.compress), _streams(bz2.compress), _zip, _stored, _zip_bzip2,
    _tar, _tar_xz,
)  # fmt: skip


class Limited:
    """Ends reading that takes too long."""

    def __enter__(self) -> None:
        signal.signal(signal.SIGPROF, self._end)
        signal.setitimer(signal.ITIMER_PROF, LIMIT)

    def __exit__(self, *error: object) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)

    @staticmethod
    def _end(number: int, frame: FrameType | None) -> NoReturn:
        raise Hang
