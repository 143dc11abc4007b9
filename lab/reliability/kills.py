"""Kill `permutree parse` and `permutree train` at random moments, and look at what is left; on Linux.

    python lab/reliability/kills.py [--parse 70] [--train 30] [--seed 1] [--json FILE]

Signals are KILL, TERM and HUP. Parsing, in one process or two, must leave no output file, the one that was there
before, or the whole one; no process must outlive it; after TERM and HUP there must be no temporary file. Training is
killed several times, resumed each time, and must come to the same weights, vocabularies and figures as one that was
left alone. Sentences and trees are made on the spot. The exit status is 1 if anything of this does not hold.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP)
#: kills of one training
AT_ONCE = 5
#: seconds in which processes must be gone
PATIENCE = 20.0
OLD = "(S (UH 0=old))\n"
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1"}
NOUNS, VERBS = "dog cat house tree man book idea car".split(), "sees likes builds reads drops".split()  # noqa: SIM905


class Kills:
    """Kills processes, and counts what went wrong."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.random = folder, random.Random(seed)
        self.signals: Counter[str] = Counter()
        self.found: Counter[str] = Counter()
        self.problems: list[str] = []

    def run(self, command: list[str], seconds: float | None = None) -> int | None:
        """Run a command, and kill it after so many seconds; the signal, if it came in time."""
        process = subprocess.Popen(
            [sys.executable, "-m", "permutree", *command],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=ENVIRONMENT,
            start_new_session=True,
        )
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            chosen = self.random.choice(SIGNALS)
            process.send_signal(chosen)
            process.wait()
            self.signals[chosen.name] += 1
            self._wait_for_all(process.pid, command[0])
            return chosen
        if process.returncode:
            self.problem(f"{command[0]} ended with {process.returncode} though it was not killed")
        return None

    def _wait_for_all(self, session: int, what: str) -> None:
        """See that all processes of a command end with it."""
        until = time.monotonic() + PATIENCE
        while processes := in_session(session):
            if time.monotonic() > until:
                self.problem(f"{what}: {len(processes)} processes outlived it")
                for process in processes:
                    os.kill(process, signal.SIGKILL)
                return
            time.sleep(0.05)

    def problem(self, text: str) -> None:
        """Take note of what must not be."""
        self.problems.append(text)
        print(f"PROBLEM: {text}", flush=True)

    def report(self) -> dict[str, Any]:
        """The figures."""
        return {
            "kills": self.signals.total(),
            "signals": dict(sorted(self.signals.items())),
            "found": dict(sorted(self.found.items())),
            "problems": self.problems,
        }


def in_session(session: int) -> list[int]:
    """The processes of a session that still run."""
    found = []
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = place.read_text("utf-8", "replace").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(int(place.parent.name))
    return found


def kill_parsing(kills: Kills, count: int) -> None:
    """Kill so many times while it parses."""
    folder = kills.folder
    text = folder / "in.tokens"
    text.write_text("".join(f"{sentence(kills.random)[0]}\n" for _ in range(1500)), "utf-8")
    command = ["parse", "--lang", "en", str(text), "-o"]
    start = time.monotonic()
    kills.run([*command, str(folder / "whole.discbracket")])
    usual = time.monotonic() - start
    whole = (folder / "whole.discbracket").read_text("utf-8")
    while kills.signals.total() < count:
        place = Path(tempfile.mkdtemp(dir=folder))
        output = place / "out.discbracket"
        if has_old := kills.random.random() < 0.5:
            output.write_text(OLD, "utf-8")
        jobs = ["--jobs", kills.random.choice(["1", "2"])]
        sent = kills.run([*command, str(output), *jobs], kills.random.uniform(0.05, 1.2) * usual)
        left = [path for path in place.iterdir() if path != output]
        if not output.exists():
            kills.found["no file"] += 1
            if has_old:
                kills.problem("the file of before is gone")
        else:
            what = {whole: "the whole file", OLD: "the file of before"}.get(output.read_text("utf-8"))
            kills.found[what or "half a file"] += 1
            if what is None or (what == "the file of before" and not has_old):
                kills.problem(f"{output} is half-written")
        if left and sent == signal.SIGKILL:
            kills.found["temporary file after KILL"] += 1
        elif left:
            kills.problem(f"temporary files are left after {signal.Signals(sent).name if sent else 'the end'}: {left}")


def kill_training(kills: Kills, count: int) -> None:
    """Kill so many times while it trains."""
    folder = kills.folder
    for name, size in (("train", 120), ("dev", 30)):
        trees = "".join(f"{sentence(kills.random)[1]}\n" for _ in range(size))
        (folder / f"{name}.discbracket").write_text(trees, "utf-8")
    settings = (
        "training.batch=150 training.checkpoint=2 training.average=0.9 model.encoder.hidden=32 model.encoder.layers=1 "
        "model.reread.hidden=16 model.reread.ends=8 model.attention=16 model.embeddings.word=16"
    )
    command = ["train", "fast", "--train", str(folder / "train.discbracket"), "--dev", str(folder / "dev.discbracket")]
    command += ["--epochs", "5", *(part for one in settings.split() for part in ("--set", one)), "--out"]
    start = time.monotonic()
    kills.run([*command, str(folder / "whole")])
    usual = time.monotonic() - start
    whole = contents(folder / "whole")
    while kills.signals.total() < count:
        place = Path(tempfile.mkdtemp(dir=folder)) / "model"
        for _ in range(AT_ONCE):
            before = set(place.glob(".*")) if place.exists() else set()
            sent = kills.run([*command, str(place)], kills.random.uniform(0.3, 1.0) * usual)
            left = sorted(set(place.glob(".*")) - before) if place.exists() else []
            if left and sent == signal.SIGKILL:
                kills.found["temporary file after KILL"] += 1
            elif left:
                kills.problem(f"temporary files are left after {sent}: {left}")
        kills.run([*command, str(place)])
        is_same = contents(place) == whole
        kills.found["the same model" if is_same else "another model"] += 1
        if not is_same:
            kills.problem(f"{place} differs from a training that was left alone")


def contents(folder: Path) -> dict[str, Any]:
    """All that is in a model folder, but for how long it took."""
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    log = [json.loads(line) for line in files["log.jsonl"].splitlines()]
    figures = [{name: value for name, value in row.items() if not name.endswith("/s")} for row in log]
    exact = ("model.safetensors", "words.json", "tags.json")
    return {"files": sorted(files), "log": figures, **{name: files[name] for name in exact}}


def sentence(chooser: random.Random) -> tuple[str, str]:
    """A sentence and its tree, which has a gap if the verb has a particle."""
    first, last = chooser.choice(NOUNS), chooser.choice(NOUNS)
    verb = chooser.choice(VERBS)
    if chooser.random() < 0.5:
        noun = f"(NP (DT 3=the) (NN 4={last}))"
        tree = f"(S (NP (DT 0=the) (NN 1={first})) (VP (V 2={verb}) {noun}) (. 5=.))"
        return f"the {first} {verb} the {last} .", tree
    noun = f"(NP (DT 3=the) (NN 4={last}))"
    tree = f"(S (NP (DT 0=the) (NN 1={first})) (VP (VC (V 2={verb}) (RP 5=up)) {noun}) (. 6=.))"
    return f"the {first} {verb} the {last} up .", tree


def rows_of(report: dict[str, Any]) -> list[dict[str, Any]]:
    """What was killed, how, and what was found, for a table."""
    rows = []
    for name in ("parse", "train"):
        if name in report:
            found = {
                what: ", ".join(f"{key} {value}" for key, value in report[name][what].items())
                for what in ("signals", "found")
            }
            rows.append(
                {"command": name, "kills": report[name]["kills"], **found, "problems": len(report[name]["problems"])}
            )
    return rows


def main() -> None:
    """Kill, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parse", type=int, default=70)
    parser.add_argument("--train", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, help="file for the figures")
    options = parser.parse_args()
    report: dict[str, Any] = {
        "command": "`python lab/reliability/kills.py`",
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        "seed": options.seed,
    }
    for name, work in (("parse", kill_parsing), ("train", kill_training)):
        count = getattr(options, name)
        if count:
            with tempfile.TemporaryDirectory() as folder:
                kills = Kills(Path(folder), options.seed)
                work(kills, count)
            report[name] = kills.report()
            print(f"{name}: {json.dumps(report[name])}", flush=True)
    if options.json:
        options.json.write_text(json.dumps({**report, "rows": rows_of(report)}, indent=1) + "\n", "utf-8")
    sys.exit(any(report[name]["problems"] for name in ("parse", "train") if name in report))


if __name__ == "__main__":
    main()
