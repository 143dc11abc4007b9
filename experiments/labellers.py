"""Train the labellers that the documentation reports, side by side on one GPU, and draw the table.

    python experiments/labellers.py run TREEBANK_FOLDER WORK_FOLDER [--only alpino-bilstm-gold …] [--width 10]
    python experiments/labellers.py table

The folder holds alpino, craft, masc and squoia_de with their train, dev and extra-train files. Runs that are done are
not repeated, and interrupted ones go on. Predicted tags come from jackknifed taggers, which are trained first.
Pretrained encoders are folders of their own: see benchmarks/pypi_encoders.py and --encoders. Results are appended to
results/labellers.jsonl.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

RESULTS = Path(__file__).parent / "results" / "labellers.jsonl"
TRAIN = {
    "alpino": ("alpino/train", "alpino/extra-train"),
    "masc": ("masc/train", "craft/train"),
    "squoia_de": ("squoia_de/train",),
}
FOLDS = 5


@dataclass(frozen=True, slots=True)
class Run:
    """One training: shipped settings with some changed."""

    name: str
    treebank: str
    config: str
    settings: tuple[str, ...] = ()

    @property
    def reads_predicted_tags(self) -> bool:
        """Whether a tagger must have run before."""
        return "model.tags=predicted" in self.settings


def runs(encoders: Path | None) -> list[Run]:
    """All trainings of the table."""
    bilstm: dict[str, tuple[str, ...]] = {
        "alpino": ("training.batch=1500", "training.epochs=40"),
        "masc": ("training.batch=2500", "training.epochs=30"),
        "squoia_de": ("training.batch=800", "training.epochs=60"),
    }
    transformer: dict[str, tuple[str, ...]] = {
        "alpino": ("training.batch=2000", "training.epochs=45", "training.precision=bf16"),
        "masc": ("training.batch=3000", "training.epochs=30", "training.precision=bf16"),
        "squoia_de": ("training.batch=1000", "training.epochs=60", "training.precision=bf16"),
    }
    # Those that were trained first went on for longer.
    longer = {
        "alpino-bilstm-gold": "training.epochs=50",
        "alpino-bilstm-own": "training.epochs=50",
        "squoia_de-bilstm-gold": "training.epochs=70",
        "squoia_de-bilstm-own": "training.epochs=70",
        "alpino-transformer-gold": "training.epochs=60",
        "masc-transformer-gold": "training.epochs=35",
    }
    found = []
    for treebank in TRAIN:
        for kind, config, settings in (("bilstm", "best", bilstm), ("transformer", "best-transformer", transformer)):
            for tags in ("gold", "predicted", "own"):
                name = f"{treebank}-{kind}-{tags}"
                more = (longer[name],) if name in longer else ()
                found.append(Run(name, treebank, config, (f"model.tags={tags}", *settings[treebank], *more)))
    for encoding in ("pointer-simplified", "inverse-lehmer", "relative", "lehmer", "absolute"):
        found.append(Run(f"alpino-{encoding}", "alpino", "best", (f"model.encoding={encoding}", *bilstm["alpino"])))
    if encoders is not None:
        for name, rate, epochs in (("minilm", 1e-4, 16), ("mpnet", 5e-5, 10)):
            path = f"model.encoder.pretrained={encoders / name}"
            changes = (path, f"optimiser.encoder_rate={rate}", f"training.epochs={epochs}", "model.tags=own")
            found.append(Run(f"masc-{name}-own", "masc", "best-pretrained", changes))
    return found


def run_all(options: argparse.Namespace) -> None:
    """Run what is not done yet, some at a time."""
    work: Path = options.work
    work.mkdir(parents=True, exist_ok=True)
    chosen = [run for run in runs(options.encoders) if not options.only or run.name in options.only]
    done = {row["name"] for row in results()}
    chosen = [run for run in chosen if run.name not in done]
    for treebank in sorted({run.treebank for run in chosen if run.reads_predicted_tags}):
        jackknife(treebank, options.folder, work)
    running: dict[str, tuple[subprocess.Popen[bytes], float]] = {}
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    while chosen or running:
        while chosen and len(running) < options.width:
            run = chosen.pop(0)
            process = subprocess.Popen(command(run, options.folder, work), env=environment)
            running[run.name] = process, time.time()
        for name, (process, start) in list(running.items()):
            if process.poll() is not None:
                del running[name]
                if process.returncode == 0:
                    record(name, work / name, time.time() - start)
                else:
                    print(f"{name} failed", file=sys.stderr)
        time.sleep(1)


def command(run: Run, folder: Path, work: Path) -> list[str]:
    """The command line of a training."""
    parts = [sys.executable, "-m", "permutree", "train", run.config, "--out", str(work / run.name)]
    for file in TRAIN[run.treebank]:
        parts += ["--train", str(folder / f"{file}.discbracket.xz")]
    parts += ["--dev", str(folder / run.treebank / "dev.discbracket.xz")]
    if run.reads_predicted_tags:
        parts += ["--train-tags", str(work / f"{run.treebank}-train-tags.discbracket")]
        parts += ["--dev-tags", str(work / f"{run.treebank}-dev-tags.discbracket")]
    for setting in run.settings:
        parts += ["--set", setting]
    return parts


def jackknife(treebank: str, folder: Path, work: Path) -> None:
    """Tags for the training set by taggers that did not see them, and for the dev set by one that saw all of it."""
    python = [sys.executable, "-m", "permutree"]
    files = [str(folder / f"{file}.discbracket.xz") for file in TRAIN[treebank]]
    dev = str(folder / treebank / "dev.discbracket.xz")
    batch = f"training.batch={800 if treebank == 'squoia_de' else 2000}"
    tagged = work / f"{treebank}-train-tags.discbracket"
    if not tagged.exists():
        knife = ["--jackknife", str(FOLDS), "--work", str(work / f"{treebank}-folds")]
        knife += ["--config", "tagger", "--set", "training.epochs=10", "--set", batch]
        subprocess.run([*python, "tag", *files, *knife, "-o", str(tagged)], check=True)
    tagger = str(work / f"{treebank}-tagger")
    trains = [part for file in files for part in ("--train", file)]
    settings = ["--epochs", "10", "--set", batch, "--out", tagger]
    subprocess.run([*python, "train", "tagger", *trains, "--dev", dev, *settings], check=True)
    out = str(work / f"{treebank}-dev-tags.discbracket")
    subprocess.run([*python, "tag", dev, "--model", tagger, "-o", out], check=True)


def record(name: str, folder: Path, seconds: float) -> None:
    """Note the best dev scores of a run."""
    history = [json.loads(line) for line in (folder / "log.jsonl").read_text("utf-8").splitlines()]
    best = max((row for row in history if "score" in row), key=lambda row: row["score"])
    device = json.loads((folder / "config.json").read_text("utf-8"))["facts"]["device"]
    row = {
        "name": name,
        "f1": round(best["f1"], 2),
        "disc": round(best["discontinuous f1"] or 0.0, 2),
        "tag": best.get("tag accuracy") and round(best["tag accuracy"], 2),
        "epoch": best["epoch"],
        "epochs": len(history),
        "seconds": round(seconds),
        "train_sps": round(sum(row["train sentences/s"] for row in history) / len(history)),
        "seed": 1,
        "device": device,
    }
    RESULTS.parent.mkdir(exist_ok=True)
    with RESULTS.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")


def results() -> list[dict[str, object]]:
    """What was measured so far."""
    if not RESULTS.exists():
        return []
    return [json.loads(line) for line in RESULTS.read_text("utf-8").splitlines()]


def table() -> None:
    """The results as Markdown."""
    rows = {str(row["name"]): row for row in results()}

    def cell(name: str) -> str:
        return f"{rows[name]['f1']} / {rows[name]['disc']}" if name in rows else "–"

    print("| dev F1 / discontinuous F1 | gold tags | predicted tags | own tags |\n|---|---|---|---|")
    for treebank in TRAIN:
        for kind in ("bilstm", "transformer"):
            cells = " | ".join(cell(f"{treebank}-{kind}-{tags}") for tags in ("gold", "predicted", "own"))
            print(f"| {treebank}, {kind} | {cells} |")
    for encoder in ("minilm", "mpnet"):
        print(f"| masc, {encoder} | | | {cell(f'masc-{encoder}-own')} |")
    print("\n| alpino, BiLSTM, gold tags | dev F1 / discontinuous F1 |\n|---|---|")
    print(f"| pointer | {cell('alpino-bilstm-gold')} |")
    for encoding in ("pointer-simplified", "inverse-lehmer", "relative", "lehmer", "absolute"):
        print(f"| {encoding} | {cell(f'alpino-{encoding}')} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    commands = parser.add_subparsers(dest="command", required=True)
    running = commands.add_parser("run")
    running.add_argument("folder", type=Path)
    running.add_argument("work", type=Path)
    running.add_argument("--only", nargs="*")
    running.add_argument("--width", type=int, default=10)
    running.add_argument("--encoders", type=Path, help="folder with the folders minilm and mpnet")
    commands.add_parser("table")
    options = parser.parse_args()
    if options.command == "run":
        run_all(options)
    else:
        table()


if __name__ == "__main__":
    main()
