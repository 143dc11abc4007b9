"""The bundled models, trained on a machine with one GPU that is lent by the minute, in stages that fit into calls.

    python lab/models/train_bundled.py silver  DATA --jobs 2               text, parsed by the bundled models of today
    python lab/models/train_bundled.py train   DATA teachers --minutes 6.5  teachers, side by side
    python lab/models/train_bundled.py parse   DATA --minutes 2.5           text, parsed by ensembles of teachers
    python lab/models/train_bundled.py train   DATA bundled --minutes 8     students, side by side
    python lab/models/train_bundled.py pack    DATA OUT                     the best student of each language
    python lab/models/train_bundled.py unpack  OUT MODELS                   the folders of models again, elsewhere

DATA is the folder of `prepare_training.py`, with treebanks, lessons, `sentences/` and `vectors/`. Stages write there:
`silver/` is what students and English teachers are trained on; a stage does not do again what is done. Trainings are
cells of the grids `teachers` and `bundled`, as many epochs of them as fit into the time (`permutree_lab/timed.py`); a
training that fails or is too slow leaves the others alone. `lab/models/README.md` has all commands with their times.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import shutil
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from permutree.model.folder import GRAPHS, WEIGHTS
from permutree_lab.cell import Places, placed_config
from permutree_lab.folders import GRIDS
from permutree_lab.grid import Cell, Experiment

#: what is not parsed by today's models for teachers: they miss most of the gaps that quotations make
QUOTED = frozenset("\"“”„‟«»‘’``''")
#: a stage is given so much longer than it was told to take before its processes are ended, in seconds
GRACE = 25.0
#: files of packed models, in bytes: what comes back from some machines is limited
PIECE = 15 * 2**20


def places_of(data: Path, work: Path) -> Places:
    """Where the cells find everything."""
    return Places(data.resolve(), work.resolve(), (data / "vectors").resolve())


def cells_of(grid: str, only: Sequence[str]) -> list[Cell]:
    """The cells of a grid that are wanted."""
    return Experiment.load(GRIDS / f"{grid}.toml").select(only)


def language_of(cell: Cell) -> str:
    """The language of a cell, by its treebank."""
    return cell.treebank.name.partition("-")[0]


def silver(data: Path, jobs: int) -> None:
    """Parse the sentences of all languages with the bundled models, but those with quotation marks."""
    for tokens in sorted((data / "sentences").glob("*.tokens.xz")):
        language = tokens.name.partition(".")[0]
        out = data / "silver" / f"{language}.discbracket.xz"
        if out.exists():
            continue
        out.parent.mkdir(exist_ok=True)
        plain = data / "silver" / f"{language}.plain.tokens"
        with lzma.open(tokens, "rt", encoding="utf-8") as file:
            plain.write_text("".join(line for line in file if QUOTED.isdisjoint(line.split())), "utf-8")
        start = time.time()
        run_parse(["--lang", language, "--jobs", str(jobs), "--device", "cpu"], plain, out)
        plain.unlink()
        print(f"{out}: {time.time() - start:,.0f} s", flush=True)


def run_parse(options: Sequence[str], tokens: Path, out: Path) -> None:
    """Parse a file of sentences."""
    subprocess.run(parse_command(options, tokens, out), check=True)


def parse_command(options: Sequence[str], tokens: Path, out: Path) -> list[str]:
    """The command that parses a file of sentences."""
    return [sys.executable, "-m", "permutree", "parse", *options, "--from", "tokens", str(tokens), "-o", str(out)]


def train(data: Path, work: Path, grid: str, minutes: float, only: Sequence[str], together: float) -> None:
    """Train the cells of a grid side by side, each in a process of its own with one CPU thread."""
    end = time.time() + 60 * minutes
    cells = cells_of(grid, only)
    gate = work / "gates" / f"{grid}-{int(end)}"
    processes: list[tuple[Cell, subprocess.Popen[bytes]]] = []
    for cell in cells:
        log = work / "logs" / f"{cell.key}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, __file__, "cell", str(data), grid, cell.key, "--work", str(work)]
        command += ["--end", str(end), "--gate", str(gate), "--count", str(len(cells)), "--together", str(together)]
        with log.open("ab") as stream:
            environment = os.environ | {"OMP_NUM_THREADS": "1"}
            processes.append((cell, subprocess.Popen(command, stdout=stream, stderr=stream, env=environment)))
    ended = wait([process for _, process in processes], end + GRACE)
    for cell, process in processes:
        folder = work / "cells" / cell.key
        said = process.returncode if ended else "ended late"
        result = folder / "timed.json"
        print(f"{cell}: {result.read_text('utf-8') if result.exists() else f'failed ({said})'}", flush=True)
        if not result.exists():
            print((work / "logs" / f"{cell.key}.log").read_text("utf-8", "replace")[-1500:], flush=True)


def wait(processes: Sequence[subprocess.Popen[bytes]], end: float) -> bool:
    """Wait for processes until a moment, and end those that are left; whether there were none."""
    while any(process.poll() is None for process in processes) and time.time() < end:
        time.sleep(0.2)
    left = [process for process in processes if process.poll() is None]
    for process in left:
        process.kill()
        process.wait()
    return not left


def train_cell(options: argparse.Namespace) -> None:
    """Train one cell until the end, and write down what came of it."""
    from permutree_lab.timed import Gate, train_until

    cell = next(cell for cell in cells_of(options.grid, ()) if cell.key == options.key)
    places = places_of(options.data, options.work)
    folder = places.cell(cell.key)
    if (folder / "model" / "done.json").exists():
        return
    # What an interrupted call left has another number of epochs.
    shutil.rmtree(folder / "model", ignore_errors=True)
    gate = Gate(options.gate, options.count, options.together)
    start = time.time()

    def note(row: dict[str, Any]) -> None:
        if "score" in row:
            write_result(folder, cell, row, start)

    result = train_until(placed_config(cell, places), options.end, gate=gate, on_epoch=note)
    write_result(folder, cell, json.loads((result.folder / "config.json").read_text("utf-8"))["facts"]["dev"], start)


def write_result(folder: Path, cell: Cell, row: dict[str, Any], start: float) -> None:
    """Note the last dev scores of a training, with what it has taken so far."""
    said = {name: value for name, value in row.items() if isinstance(value, int | float)}
    said |= {"cell": str(cell), "seconds": round(time.time() - start)}
    temporary = folder / ".timed.json"
    temporary.write_text(json.dumps(said), "utf-8")
    temporary.replace(folder / "timed.json")


def trained(data: Path, work: Path, grid: str, only: Sequence[str]) -> dict[str, list[tuple[float, Path]]]:
    """The models of a grid by language, the best on dev first."""
    found: dict[str, list[tuple[float, Path]]] = {}
    places = places_of(data, work)
    for cell in cells_of(grid, only):
        result = places.cell(cell.key) / "timed.json"
        model = places.cell(cell.key) / "model"
        if result.exists() and (model / WEIGHTS).exists():
            scores = json.loads(result.read_text("utf-8"))
            score = scores["f1"] + scores.get("discontinuous f1", 0.0) / 5
            found.setdefault(language_of(cell), []).append((score, model))
    return {language: sorted(models, reverse=True) for language, models in found.items()}


def parse(data: Path, work: Path, minutes: float, shards: int, only: Sequence[str]) -> None:
    """Parse all sentences with ensembles of teachers; what they have parsed takes the place of older trees."""
    end = time.time() + 60 * minutes
    running: list[tuple[str, list[Path], list[subprocess.Popen[bytes]]]] = []
    for language, models in trained(data, work, "teachers", only).items():
        tokens = data / "sentences" / f"{language}.tokens.xz"
        if not tokens.exists():
            continue
        options = ["--model", str(models[0][1])]
        for _, partner in models[1:]:
            options += ["--with", str(partner)]
        outs, processes = [], []
        for number, piece in enumerate(shares(tokens, work / "shards" / language, shards)):
            outs.append(piece.with_suffix(".discbracket.xz"))
            log = work / "logs" / f"parse-{language}-{number}.log"
            log.parent.mkdir(parents=True, exist_ok=True)
            with log.open("ab") as stream:
                command = parse_command(options, piece, outs[-1])
                environment = os.environ | {"OMP_NUM_THREADS": "1"}
                processes.append(subprocess.Popen(command, stdout=stream, stderr=stream, env=environment))
        running.append((language, outs, processes))
    wait([process for _, _, processes in running for process in processes], end + GRACE)
    for language, outs, processes in running:
        done = [out for out, process in zip(outs, processes, strict=True) if process.returncode == 0]
        print(f"{language}: {len(done)} of {len(outs)} parts parsed by teachers", flush=True)
        if done:
            # A file may be made of several compressed ones, one after the other.
            joined = data / "silver" / f"{language}.joined"
            joined.parent.mkdir(exist_ok=True)
            joined.write_bytes(b"".join(out.read_bytes() for out in done))
            joined.replace(data / "silver" / f"{language}.discbracket.xz")


def shares(tokens: Path, folder: Path, count: int) -> Iterator[Path]:
    """The lines of a file in so many files, which take turns."""
    folder.mkdir(parents=True, exist_ok=True)
    with lzma.open(tokens, "rt", encoding="utf-8") as file:
        lines = file.readlines()
    for number in range(count):
        piece = folder / f"{number}.tokens"
        piece.write_text("".join(lines[number::count]), "utf-8")
        yield piece


def pack(data: Path, work: Path, out: Path, grid: str, only: Sequence[str]) -> None:
    """Write the best model of each language to files of a size that travels, its weights in half precision."""
    import torch
    from safetensors.torch import load_file, save_file

    out.mkdir(parents=True, exist_ok=True)
    packed = work / "packed.tar"
    with tarfile.open(packed, "w") as archive:
        for language, models in trained(data, work, grid, only).items():
            folder = models[0][1]
            halved = work / f"{language}.safetensors"
            weights = {
                name: weight.half() if weight.dtype == torch.float32 else weight
                for name, weight in load_file(folder / WEIGHTS).items()
            }
            save_file(weights, halved)
            for file in sorted(folder.iterdir()):
                if file.is_file() and file.name not in (WEIGHTS, "checkpoint.safetensors", "curve.svg", *GRAPHS):
                    archive.add(file, f"{language}/{file.name}")
            archive.add(halved, f"{language}/{WEIGHTS}")
            print(f"{language}: {folder}, {halved.stat().st_size / 2**20:.1f} MiB", flush=True)
    with packed.open("rb") as source:
        number = 0
        while part := source.read(PIECE):
            number += 1
            (out / f"models.tar.{number:02}").write_bytes(part)
    print(f"{out}: {number} files, {packed.stat().st_size / 2**20:.1f} MiB", flush=True)


def unpack(out: Path, models: Path) -> None:
    """Write the folders of packed models."""
    models.mkdir(parents=True, exist_ok=True)
    whole = models / "models.tar"
    with whole.open("wb") as file:
        for part in sorted(out.glob("models.tar.*")):
            file.write(part.read_bytes())
    with tarfile.open(whole) as archive:
        archive.extractall(models, filter="data")
    whole.unlink()
    for folder in sorted(path for path in models.iterdir() if path.is_dir()):
        print(folder)


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    stages = parser.add_subparsers(dest="stage", required=True)

    def stage(name: str) -> argparse.ArgumentParser:
        added = stages.add_parser(name)
        added.add_argument("data", type=Path)
        added.add_argument("--work", type=Path, default=Path("lab/work"))
        added.add_argument("--only", action="append", default=[], metavar="AXIS=VALUE", help="only these cells")
        return added

    stage("silver").add_argument("--jobs", type=int, default=2)
    training = stage("train")
    training.add_argument("grid")
    training.add_argument("--minutes", type=float, required=True)
    training.add_argument("--together", type=float, default=90.0, help="seconds to wait for all to be ready")
    one = stage("cell")
    one.add_argument("grid")
    one.add_argument("key")
    one.add_argument("--end", type=float, required=True)
    one.add_argument("--gate", type=Path, required=True)
    one.add_argument("--count", type=int, required=True)
    one.add_argument("--together", type=float, required=True)
    parsing = stage("parse")
    parsing.add_argument("--minutes", type=float, required=True)
    parsing.add_argument("--shards", type=int, default=4)
    packing = stage("pack")
    packing.add_argument("out", type=Path)
    packing.add_argument("--grid", default="bundled")
    unpacking = stages.add_parser("unpack")
    unpacking.add_argument("out", type=Path)
    unpacking.add_argument("models", type=Path)
    return parser


def main() -> None:
    options = arguments().parse_args()
    match options.stage:
        case "silver":
            silver(options.data, options.jobs)
        case "train":
            train(options.data, options.work, options.grid, options.minutes, options.only, options.together)
        case "cell":
            train_cell(options)
        case "parse":
            parse(options.data, options.work, options.minutes, options.shards, options.only)
        case "pack":
            pack(options.data, options.work, options.out, options.grid, options.only)
        case "unpack":
            unpack(options.out, options.models)


if __name__ == "__main__":
    main()
