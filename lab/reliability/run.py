"""Runs everything behind docs/results/reliability.md, keeps the figures as JSON, and fills them into the page.

$ python lab/reliability/run.py                    # all, at full size: hours
$ python lab/reliability/run.py offline            # one of them
$ python lab/reliability/run.py --fill             # only fill the page with the figures that there are

Each part is a script of its own, which writes its figures to the file that is named in PARTS and ends with a status
other than 0 if a promise is broken. In the page, what stands between ``<!-- NAME -->`` and ``<!-- /NAME -->`` is
replaced by a table of the figures.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PAGE = ROOT / "docs" / "results" / "reliability.md"
RESULTS = ROOT / "lab" / "benchmarks" / "results"

Record = Any


@dataclass(frozen=True, slots=True)
class Part:
    """A script, where it writes its figures, and the table that they make."""

    script: str
    #: the option of the script that names the file
    option: str
    figures: Path
    table: Callable[[Record], Iterator[str]]


def rows(head: Sequence[str], body: Sequence[Sequence[object]]) -> Iterator[str]:
    """The lines of a table in Markdown."""
    yield f"| {' | '.join(head)} |"
    yield "|" + "---|" * len(head)
    for row in body:
        yield f"| {' | '.join(f'{cell:,}' if isinstance(cell, int) else str(cell) for cell in row)} |"


def offline(record: Mapping[str, Any]) -> Iterator[str]:
    """The table of traces."""
    names = ("seconds", "sockets", "connections", "files")
    head = ["command", "seconds", "sockets", "connections", "files besides the output"]
    yield from rows(head, [[f"`{name}`", *(found[column] for column in names)] for name, found in record.items()])


def fuzz(record: Mapping[str, Any]) -> Iterator[str]:
    """The table of damaged files, by format."""
    names = ("inputs", "foreign", "hangs", "unreported")
    body: list[list[object]] = [
        [name, *(found[column] for column in names)] for name, found in record["formats"].items()
    ]
    body.append(["all", *(sum(found[column] for found in record["formats"].values()) for column in names)])
    yield from rows(["format", "damaged files", "foreign exceptions", "hangs", "losses not reported"], body)
    yield ""
    yield f"`{record['command']}`; {record['machine']}; {record['seconds']:,} s."


def plain(record: Any) -> Iterator[str]:
    """The table of figures that are lists of records with the same names, or one under ``rows``."""
    found = record["rows"] if isinstance(record, dict) else record
    yield from rows(list(found[0]), [list(row.values()) for row in found])
    if isinstance(record, dict):
        said = [str(record[name]) for name in ("command", "machine") if name in record]
        if said:
            yield ""
            yield "; ".join(said) + "."


PARTS = {
    "offline": Part("offline.py", "--json", RESULTS / "offline.json", offline),
    "fuzz": Part("fuzz.py", "--output", RESULTS / "fuzz-readers.json", fuzz),
    "kills": Part("kills.py", "--json", RESULTS / "kills.json", plain),
    "memory": Part("memory.py", "--json", RESULTS / "memory.json", plain),
}


def filled(page: str, tables: Mapping[str, str]) -> str:
    """The page with tables in the places of these names; a place without figures stays as it is."""
    for name, table in tables.items():
        place = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
        if not place.search(page):
            raise ValueError(f"the page has no place for {name}")
        page = place.sub(lambda found, table=table: f"{found[1]}\n{table}\n\n{found[2]}", page)  # type: ignore[misc]
    return page


def main() -> int:
    """Run the scripts, and fill the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"Of {', '.join(PARTS)}; all if none is named.")
    parser.add_argument("--fill", action="store_true", help="Run nothing, only fill the page.")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}: there are {', '.join(PARTS)}")
    broken = []
    for name in [] if options.fill else options.parts or PARTS:
        part = PARTS[name]
        if not (HERE / part.script).exists():
            print(f"{name}: there is no {part.script}", file=sys.stderr)
            broken.append(name)
            continue
        if subprocess.run([sys.executable, HERE / part.script, part.option, part.figures], cwd=ROOT).returncode:
            broken.append(name)
    tables = {
        name: "\n".join(part.table(json.loads(part.figures.read_text("utf-8"))))
        for name, part in PARTS.items()
        if part.figures.exists()
    }
    PAGE.write_text(filled(PAGE.read_text("utf-8"), tables), "utf-8")
    print(f"{PAGE.relative_to(ROOT)}: filled with {', '.join(tables) or 'nothing'}")
    if broken:
        print(f"broken: {', '.join(broken)}", file=sys.stderr)
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
