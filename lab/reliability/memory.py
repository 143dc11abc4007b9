"""The most memory that a command takes: to parse one sentence of many words, and to read hostile archives; on Linux.

    python lab/reliability/memory.py [--json FILE] [--lang en]

Sentences have 100 to 100,000 words. Archives unpack to gigabytes, or hold a line of one gigabyte; they are refused,
which may not cost more memory than a file that is read. Ends with status 1 if any command takes a gigabyte.
"""

from __future__ import annotations

import argparse
import bz2
import gzip
import io
import json
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

LENGTHS = (100, 500, 1_000, 5_000, 20_000, 100_000)
SENTENCE = "the dog that we saw yesterday wanted to eat what nobody had cooked , and she asked him who came"
WORDS = SENTENCE.split()
#: megabytes that no command may take
LIMIT = 1024
MEGABYTE = b"(S (NN 0=dog) (VB 1=barks))\n" * (2**20 // 28)


def most_memory(arguments: list[str]) -> tuple[float, float]:
    """The most memory of a command, in megabytes, and the seconds that it takes."""
    start = time.monotonic()
    process = subprocess.Popen([sys.executable, "-m", "permutree", *arguments], stderr=subprocess.DEVNULL)
    _, _, used = os.wait4(process.pid, 0)
    return used.ru_maxrss / 1024, time.monotonic() - start


def write_megabytes(stream: Any, count: int, part: bytes = MEGABYTE) -> None:
    """So many megabytes of trees, or of something else."""
    for _ in range(count):
        stream.write(part)


def gzip_bomb(path: Path) -> None:
    with gzip.open(path, "wb", compresslevel=9) as stream:
        write_megabytes(stream, 2048)


def bzip2_bomb(path: Path) -> None:
    with bz2.open(path, "wb") as stream:
        write_megabytes(stream, 512, b" " * 2**20)


def zip_bomb(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("x.discbracket", "w") as stream:
        write_megabytes(stream, 2047)


def sparse_tar(path: Path) -> None:
    huge = path.with_suffix(".sparse")
    with huge.open("wb") as stream:
        stream.truncate(8 << 30)
    subprocess.run(["tar", "--sparse", "-cf", path, "-C", path.parent, huge.name], check=True)
    huge.unlink()


def many_members(path: Path) -> None:
    with tarfile.open(path, "w:gz") as archive:
        for number in range(20_000):
            found = tarfile.TarInfo(f"{number}.discbracket")
            found.size = 28
            archive.addfile(found, io.BytesIO(MEGABYTE[:28]))


def long_line(path: Path) -> None:
    with path.open("wb") as stream:
        write_megabytes(stream, 1024, b"x" * 2**20)


ARCHIVES: dict[str, tuple[str, Callable[[Path], None]]] = {
    "gzip, 2 GB unpacked": ("x.discbracket.gz", gzip_bomb),
    "bzip2, 512 MB of blanks": ("x.discbracket.bz2", bzip2_bomb),
    "zip, 2 GB unpacked": ("x.zip", zip_bomb),
    "tar with a hole of 8 GB": ("x.tar", sparse_tar),
    "tar.gz of 20,000 files": ("x.tar.gz", many_members),
    "one line of 1 GB": ("x.discbracket", long_line),
}


def measure(lang: str) -> list[dict[str, Any]]:
    """A row for each sentence and archive."""
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)

        def add(what: str, arguments: list[str]) -> None:
            megabytes, seconds = most_memory(arguments)
            rows.append({"input": what, "most memory, MB": round(megabytes), "seconds": round(seconds, 1)})
            print(*rows[-1].values(), sep="\t", flush=True)

        for length in LENGTHS:
            text = folder / "sentence.tokens"
            text.write_text(" ".join(WORDS[place % len(WORDS)] for place in range(length)) + "\n", "utf-8")
            add(f"a sentence of {length:,} words", ["parse", "--lang", lang, str(text), "-o", str(folder / "x.export")])
        for what, (name, make) in ARCHIVES.items():
            place = folder / "archive"
            place.mkdir()
            make(place / name)
            add(what, ["convert", "--skip-bad", str(place / name), str(folder / "y.discbracket")])
            shutil.rmtree(place)
    return rows


def main() -> int:
    """Measure, and keep the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--lang", default="en")
    options = parser.parse_args()
    rows = measure(options.lang)
    if options.json:
        machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
        found = {"rows": rows, "command": "`python lab/reliability/memory.py`", "machine": machine}
        options.json.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    return int(any(row["most memory, MB"] >= LIMIT for row in rows))


if __name__ == "__main__":
    sys.exit(main())
