"""The bundled models, trained on a machine with one GPU that is lent by the minute, in stages that fit into calls.

    python lab/models/train_bundled.py train   DATA teachers --minutes 6    teachers, side by side
    python lab/models/train_bundled.py parse   DATA --minutes 2.5           text, parsed by ensembles of teachers
    python lab/models/train_bundled.py parse   DATA --minutes 2 --by again  the same, by teachers that learnt from it
    python lab/models/train_bundled.py parse   DATA --minutes 2 --text en-biology,is-recombined   other text
    python lab/models/train_bundled.py silver  DATA --jobs 16               text, parsed by the bundled models of today
    python lab/models/train_bundled.py train   DATA bundled --minutes 8     students, side by side
    python lab/models/train_bundled.py link    DATA teachers-pretrained en-teacher    lab/work/start/en-teacher-1 …
    python lab/models/train_bundled.py pack    DATA OUT                     the best student of each language
    python lab/models/train_bundled.py unpack  OUT MODELS                   the folders of models again, elsewhere

DATA is the folder of `prepare_training.py`, with treebanks, lessons and `sentences/`. Stages write there: `silver/` is
what students are trained on; a stage does not do again what is done. Trainings are cells of the grids `teachers`,
`teachers-pretrained`, `teachers-again`, `teachers-pretrained-again`, `teachers-decoder`, `bundled`, `bundled-further`
and `large`, whose learning rate falls with the clock (`permutree_lab/timed.py`); a training that fails or is too slow
leaves the others alone. `lab/models/README.md` has all commands with their times.
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
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from checksums import write_checksums
from permutree.errors import ConfigError
from permutree.model.folder import GRAPHS, WEIGHTS
from permutree_lab.cell import Clock, Places, placed_config
from permutree_lab.folders import GRIDS
from permutree_lab.grid import Cell, Experiment
from permutree_lab.timed import train_until

#: what is not parsed by today's models: they miss most of the gaps that quotations make
QUOTED = frozenset("\"“”„‟«»‘’``''")
#: a stage is given so much longer than it was told to take before its processes are ended, in seconds
GRACE = 25.0
#: files of packed models, in bytes: what comes back from some machines is limited
PIECE = 15 * 2**20


#: the grids of teachers that parse text: the first ones, those that have learnt from what these parsed, and those over
#: a pretrained decoder
TEACHERS = {
    "first": ("teachers", "teachers-pretrained"),
    "again": ("teachers-again", "teachers-pretrained-again"),
    "decoder": ("teachers-decoder",),
}


@dataclass(frozen=True, slots=True)
class Stage:
    """What all stages know: where data, what is being made, vectors and grids are, and which cells are wanted."""

    data: Path
    work: Path
    vectors: Path
    grids: Path
    only: Sequence[str]

    @property
    def places(self) -> Places:
        """Where the cells find everything."""
        return Places(self.data.resolve(), self.work.resolve(), self.vectors.resolve())

    def cells(self, grid: str) -> list[Cell]:
        """The cells of a grid that are wanted."""
        return Experiment.load(self.grids / f"{grid}.toml").select(self.only)

    def cells_of(self, grids: Sequence[str]) -> list[Cell]:
        """The cells of several grids that are wanted; not all of them need to have such cells."""
        found, errors = [], []
        for grid in grids:
            try:
                found += self.cells(grid)
            except ConfigError as error:
                errors.append(error)
        if len(errors) == len(grids):
            raise errors[0]
        return found

    def log(self, name: str) -> Path:
        """The file for what a process says."""
        path = self.work / "logs" / f"{name}.log"
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def silver(self, language: str) -> Path:
        """The file of parsed text."""
        path = self.data / "silver" / f"{language}.discbracket.xz"
        path.parent.mkdir(exist_ok=True)
        return path

    def trained(self, *grids: str) -> dict[str, list[tuple[float, Path]]]:
        """The models of grids by language: the best on dev, then those that can be an ensemble with it."""
        found: dict[str, list[tuple[float, Path, str | None]]] = {}
        for cell in self.cells_of(grids):
            result = self.places.cell(cell.key) / "timed.json"
            model = self.places.cell(cell.key) / "model"
            if result.exists() and (model / WEIGHTS).exists():
                scores = json.loads(result.read_text("utf-8"))
                score = (scores.get("f1") or 0.0) + (scores.get("discontinuous f1") or 0.0) / 5
                found.setdefault(language_of(cell), []).append((score, model, cell.coordinates.get("constituents")))
        chosen = {}
        for language, models in found.items():
            _, _, kind = max(models)
            chosen[language] = sorted(((score, model) for score, model, other in models if other == kind), reverse=True)
        return chosen


def start(command: Sequence[str], log: Path) -> subprocess.Popen[bytes]:
    """Start a process with one CPU thread."""
    with log.open("ab") as stream:
        environment = os.environ | {"OMP_NUM_THREADS": "1"}
        return subprocess.Popen(command, stdout=stream, stderr=stream, env=environment)


def language_of(cell: Cell) -> str:
    """The language of a cell, by its treebank."""
    return cell.treebank.name.partition("-")[0]


def silver(stage: Stage, jobs: int, languages: Sequence[str]) -> None:
    """Parse sentences with the bundled models, but those with quotation marks."""
    for language in languages:
        out = stage.silver(language)
        if out.exists():
            continue
        plain = out.with_name(f"{language}.plain.tokens")
        with lzma.open(stage.data / "sentences" / f"{language}.tokens.xz", "rt", encoding="utf-8") as file:
            plain.write_text("".join(line for line in file if QUOTED.isdisjoint(line.split())), "utf-8")
        begun = time.time()
        options = ["--lang", language, "--jobs", str(jobs), "--device", "cpu"]
        subprocess.run(parse_command(options, plain, out), check=True)
        plain.unlink()
        print(f"{out}: {time.time() - begun:,.0f} s", flush=True)


def parse_command(options: Sequence[str], tokens: Path, out: Path) -> list[str]:
    """The command that parses a file of sentences."""
    return [sys.executable, "-m", "permutree", "parse", *options, "--from", "tokens", str(tokens), "-o", str(out)]


def train(stage: Stage, grid: str, minutes: float, grace: float) -> None:
    """Train the cells of a grid side by side, each in a process of its own."""
    end = time.time() + 60 * minutes
    cells = stage.cells(grid)
    given = ["--end", str(end), "--work", str(stage.work), "--experiments", str(stage.grids)]
    given += ["--vectors", str(stage.vectors)]
    processes = []
    for cell in cells:
        command = [sys.executable, __file__, "cell", str(stage.data), grid, cell.key, *given]
        processes.append(start(command, stage.log(cell.key)))
    wait(processes, end + grace)
    for cell, process in zip(cells, processes, strict=True):
        result = stage.places.cell(cell.key) / "timed.json"
        print(f"{cell}: {result.read_text('utf-8') if result.exists() else 'failed'}", flush=True)
        if process.returncode:
            print(stage.log(cell.key).read_text("utf-8", "replace")[-1500:], flush=True)


def wait(processes: Sequence[subprocess.Popen[bytes]], end: float) -> bool:
    """Wait for processes until a moment, and end those that are left; whether there were none."""
    while any(process.poll() is None for process in processes) and time.time() < end:
        time.sleep(0.2)
    left = [process for process in processes if process.poll() is None]
    for process in left:
        process.kill()
        process.wait()
    return not left


def train_cell(stage: Stage, grid: str, key: str, end: float) -> None:
    """Train one cell until the end, and write down what came of it."""
    cell = next(cell for cell in stage.cells(grid) if cell.key == key)
    folder = stage.places.cell(key)
    if (folder / "model" / "done.json").exists():
        return
    # What an interrupted call left had another end.
    shutil.rmtree(folder / "model", ignore_errors=True)
    begun = time.time()
    best = -1.0
    folder.mkdir(parents=True, exist_ok=True)
    clock = Clock(folder / "elapsed.json", cell.config.training.epochs)

    def note(row: dict[str, Any]) -> None:
        clock.note(row["epoch"])
        # The model that is there is that of the best epoch so far.
        nonlocal best
        if row.get("score", best) > best:
            best = row["score"]
            write_result(folder, cell, row, begun)

    result = train_until(placed_config(cell, stage.places), end, on_epoch=note)
    best = json.loads((result.folder / "config.json").read_text("utf-8"))["facts"]["dev"]
    write_result(folder, cell, best | {"epochs": len(result.history)}, begun)


def write_result(folder: Path, cell: Cell, row: dict[str, Any], begun: float) -> None:
    """Note the dev scores of a training, with what it has taken so far."""
    said: dict[str, Any] = {"cell": str(cell), "seconds": round(time.time() - begun)}
    said |= {name: value for name, value in row.items() if isinstance(value, int | float)}
    temporary = folder / ".timed.json"
    temporary.write_text(json.dumps(said), "utf-8")
    temporary.replace(folder / "timed.json")


def parse(stage: Stage, minutes: float, shards: int, by: str, texts: Sequence[str] = ()) -> None:
    """Parse sentences with ensembles of teachers; what they have parsed takes the place of older trees.

    A text has a file in ``sentences``. Its name is the code of its language, or begins with it and a hyphen. Other
    teachers than the ``first`` write files of their own.
    """
    end = time.time() + 60 * minutes
    running: list[tuple[str, Path, subprocess.Popen[bytes]]] = []
    teachers = stage.trained(*TEACHERS[by])
    # Before any process is started.
    for text in texts:
        if text.partition("-")[0] not in teachers:
            raise SystemExit(f"{text}: there are no teachers of this language")
        if not (stage.data / "sentences" / f"{text}.tokens.xz").exists():
            raise SystemExit(f"{text}: there is no {stage.data / 'sentences' / text}.tokens.xz")
    for language, models in teachers.items():
        options = ["--model", str(models[0][1]), *chain.from_iterable(("--with", str(one)) for _, one in models[1:])]
        for text in [one for one in texts if one.partition("-")[0] == language] if texts else [language]:
            tokens = stage.data / "sentences" / f"{text}.tokens.xz"
            for number, piece in enumerate(shares(tokens, stage.work / "shards" / text, shards)):
                out = piece.with_suffix(".discbracket.xz")
                command = parse_command(options, piece, out)
                running.append((text, out, start(command, stage.log(f"parse-{text}-{number}"))))
    wait([process for _, _, process in running], end + GRACE)
    for text in {text: None for text, _, _ in running}:
        done = [out for other, out, process in running if other == text and process.returncode == 0]
        print(f"{text}: {len(done)} of {shards} parts parsed by teachers", flush=True)
        if done:
            # A file may be made of several compressed ones, one after the other.
            whole = stage.silver(text if by == "first" else f"{text}-{by}")
            joined = whole.with_suffix(".joined")
            joined.write_bytes(b"".join(out.read_bytes() for out in done))
            joined.replace(whole)
        if len(done) < shards:
            print(stage.log(f"parse-{text}-0").read_text("utf-8", "replace")[-1500:], flush=True)


def link(stage: Stage, grid: str, name: str) -> None:
    """Name the models of a grid by their seeds in the folder of models that others start from or learn from."""
    folder = stage.work / "start"
    folder.mkdir(parents=True, exist_ok=True)
    named: dict[Path, Cell] = {}
    for cell in stage.cells(grid):
        target = folder / f"{name}-{cell.config.training.seed}"
        if target in named:
            raise SystemExit(f"{target}: {named[target]} and {cell} have the same seed; choose with --only")
        model = stage.places.cell(cell.key) / "model"
        if not (model / WEIGHTS).exists():
            raise SystemExit(f"{cell}: there is no trained model in {model}")
        named[target] = cell
    for target, cell in named.items():
        target.unlink(missing_ok=True)
        target.symlink_to(stage.places.cell(cell.key) / "model", target_is_directory=True)
        print(f"{target}: {cell}", flush=True)


def shares(tokens: Path, folder: Path, count: int) -> Iterator[Path]:
    """The lines of a file in so many files, which take turns."""
    folder.mkdir(parents=True, exist_ok=True)
    with lzma.open(tokens, "rt", encoding="utf-8") as file:
        lines = file.readlines()
    for number in range(count):
        piece = folder / f"{number}.tokens"
        piece.write_text("".join(lines[number::count]), "utf-8")
        yield piece


def pack(stage: Stage, out: Path, grid: str, has_all: bool) -> None:
    """Write the best model of each language to files of a size that travels, its weights in half precision.

    With ``has_all``, others are beside it, by language and rank: nl, nl-2 …
    """
    import torch
    from safetensors.torch import load_file, save_file

    out.mkdir(parents=True, exist_ok=True)
    packed = stage.work / "packed.tar"
    with tarfile.open(packed, "w") as archive:
        ranked = {language: models if has_all else models[:1] for language, models in stage.trained(grid).items()}
        found = [(language, rank, *one) for language, models in ranked.items() for rank, one in enumerate(models, 1)]
        for language, rank, score, model in found:
            name = language if rank == 1 else f"{language}-{rank}"
            folder = stage.work / "packed" / name
            left_out = shutil.ignore_patterns("checkpoint.*", "curve.svg", ".*", *GRAPHS)
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(model, folder, ignore=left_out)
            weights = load_file(folder / WEIGHTS)
            halved = {name: one.half() if one.dtype == torch.float32 else one for name, one in weights.items()}
            save_file(halved, folder / WEIGHTS)
            write_checksums(folder)
            archive.add(folder, name)
            mib = (folder / WEIGHTS).stat().st_size / 2**20
            print(f"{name}: {model}, score {score:.2f}, {mib:.1f} MiB", flush=True)
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
        # Python before 3.11.4 has no filters.
        options: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
        archive.extractall(models, **options)
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
        added.add_argument("--vectors", type=Path, default=Path("lab/work/vectors"), help="folder with word vectors")
        added.add_argument("--experiments", type=Path, default=GRIDS, help="folder with the grids")
        added.add_argument("--only", action="append", default=[], metavar="AXIS=VALUE", help="only these cells")
        return added

    first = stage("silver")
    first.add_argument("--jobs", type=int, default=2)
    first.add_argument("--languages", default="en,de,nl", help="codes, separated by commas")
    training = stage("train")
    training.add_argument("grid")
    training.add_argument("--minutes", type=float, required=True)
    training.add_argument("--grace", type=float, default=GRACE, help="seconds after which late ones are ended")
    one = stage("cell")
    one.add_argument("grid")
    one.add_argument("key")
    one.add_argument("--end", type=float, required=True)
    parsing = stage("parse")
    parsing.add_argument("--minutes", type=float, required=True)
    parsing.add_argument("--shards", type=int, default=4)
    parsing.add_argument("--by", choices=TEACHERS, default="first", help="the teachers that parse")
    parsing.add_argument(
        "--text", default="", help="names of files in sentences/, separated by commas; else all languages"
    )
    linking = stage("link")
    linking.add_argument("grid")
    linking.add_argument("name")
    packing = stage("pack")
    packing.add_argument("out", type=Path)
    packing.add_argument("--grid", default="bundled")
    packing.add_argument("--all", action="store_true", help="not only the best of each language")
    unpacking = stages.add_parser("unpack")
    unpacking.add_argument("out", type=Path)
    unpacking.add_argument("models", type=Path)
    return parser


def main() -> None:
    given = arguments().parse_args()
    if given.stage == "unpack":
        unpack(given.out, given.models)
        return
    stage = Stage(given.data, given.work, given.vectors, given.experiments, given.only)
    match given.stage:
        case "silver":
            silver(stage, given.jobs, given.languages.split(","))
        case "train":
            train(stage, given.grid, given.minutes, given.grace)
        case "cell":
            train_cell(stage, given.grid, given.key, given.end)
        case "parse":
            parse(stage, given.minutes, given.shards, given.by, [one for one in given.text.split(",") if one])
        case "link":
            link(stage, given.grid, given.name)
        case "pack":
            pack(stage, given.out, given.grid, given.all)


if __name__ == "__main__":
    main()
