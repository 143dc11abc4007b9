"""Corpora end to end: speed, memory, scaling, Ray against processes, and what is left after kills; on Linux.

    python lab/benchmarks/corpora.py make CORPUS [--sentences 1000000] [--treebanks FOLDER]
    python lab/benchmarks/corpora.py run CORPUS WORK [--jobs 1 2] [--gpu-jobs 1 4] [--nodes 2] [--json FILE]
    python lab/benchmarks/corpora.py kills CORPUS WORK [--kills 30] [--jobs 2] [--nodes 2] [--json FILE]

``make`` writes JSON lines, twenty sentences a document: those of the open treebanks, again and again, with words
exchanged so that no two are the same. ``run`` parses them by ``permutree corpus --jobs``, on a GPU if --gpu-jobs is
given, and on clusters of Ray with nodes of one CPU each (``ray.cluster_utils.Cluster``; on none with a bare --nodes),
and compares all shards byte by byte. ``kills`` interrupts runs at random, by SIGKILL, until so many are counted: a
worker, the driver, or a node of a cluster; then the rows are compared with those of a run that nobody disturbed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from permutree.corpora.inputs import find_inputs
from permutree.corpora.plan import Scan
from permutree.corpora.run import SHARD_SIZE
from permutree.formats import read
from streaming import resident

TREEBANKS = Path(__file__).resolve().parents[3] / "shared" / "treebanks"
LANGUAGES = {"masc": "en", "craft": "en", "alpino": "nl", "squoia_de": "de", "icepahc": "is"}
SENTENCES = 20


def make(options: argparse.Namespace) -> None:
    """Write the corpus."""
    chance = random.Random(options.seed)
    banks = {
        name: [tree.words for tree in read(options.treebanks / name / "train.discbracket.xz")] for name in LANGUAGES
    }
    words = {name: sorted({word for words in bank for word in words if word.isalpha()}) for name, bank in banks.items()}
    seen: set[bytes] = set()
    written = document = 0
    with options.corpus.open("w", encoding="utf-8") as stream:
        while written < options.sentences:
            name = chance.choice(list(banks))
            start = chance.randrange(len(banks[name]) - SENTENCES)
            texts = []
            for sentence in banks[name][start : start + min(SENTENCES, options.sentences - written)]:
                while True:
                    edited = list(sentence)
                    edited[chance.randrange(len(edited))] = chance.choice(words[name])
                    mark = hashlib.blake2b("\0".join(edited).encode(), digest_size=8).digest()
                    if mark not in seen:
                        break
                seen.add(mark)
                texts.append(edited)
            record = {"id": f"{name}-{document}", "lang": LANGUAGES[name], "sentences": texts}
            stream.write(json.dumps(record, ensure_ascii=False) + "\n")
            written += len(texts)
            document += 1
    print(f"{written:,} sentences in {document:,} documents, {options.corpus.stat().st_size:,} bytes")


def command(options: argparse.Namespace, out: Path, *more: object) -> list[str]:
    return [
        sys.executable, "-m", "permutree", "corpus", str(options.corpus), str(out), "--shard-size", options.shard_size,
        "--json", *map(str, more),
    ]  # fmt: skip


def checksums(out: Path) -> dict[str, str]:
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(out.glob("*.parquet"))}


def measured(arguments: list[str], seconds: float) -> dict[str, Any]:
    """A run, with the memory of its processes every few seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
    memory: list[int] = []
    start = time.monotonic()
    while process.poll() is None:
        time.sleep(min(seconds, 1.0))
        if time.monotonic() - start >= seconds * (len(memory) + 1) and (megabytes := resident(process.pid)):
            memory.append(megabytes)
    assert process.stdout is not None
    report: dict[str, Any] = json.loads(process.stdout.read().splitlines()[-1])
    assert process.returncode == 0
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    # Of processes that were started from here; those of Ray were not.
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return report | {"wall": round(time.monotonic() - start, 1), "cpu": round(cpu, 1), "memory": memory}


class Cluster:
    """A cluster of Ray on this machine, each node with a CPU."""

    def __init__(self, nodes: int) -> None:
        # Nothing is to be sent anywhere; the library reads this as it is imported.
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
        from ray.cluster_utils import Cluster as RayCluster

        self.cluster = RayCluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
        self.nodes = [self.cluster.add_node(num_cpus=1) for _ in range(nodes)]
        self.address = self.cluster.address

    def replace_node(self, chance: random.Random) -> None:
        """Kill a node, and start another."""
        node = self.nodes.pop(chance.randrange(len(self.nodes)))
        self.cluster.remove_node(node, allow_graceful=False)
        self.nodes.append(self.cluster.add_node(num_cpus=1))

    def close(self) -> None:
        self.cluster.shutdown()  # type: ignore[no-untyped-call]


def run(options: argparse.Namespace) -> None:
    """Measure processes and clusters."""
    found: dict[str, Any] = {"machine": machine(), "corpus": options.corpus.stat().st_size, "runs": {}}
    options.work.mkdir(parents=True, exist_ok=True)
    found["plan"] = plan_speed(options.corpus)
    print(f"plan: {found['plan']} MB a second of CPU", flush=True)
    # Shards of an earlier run in this folder are compared with, too.
    first = next((checksums(out) for out in sorted(options.work.glob("local-*"))), None)
    for jobs in options.jobs:
        out = options.work / f"local-{jobs}"
        shutil.rmtree(out, ignore_errors=True)
        found["runs"][f"--jobs {jobs}"] = report = measured(command(options, out, "--jobs", jobs), options.seconds)
        first = first or checksums(out)
        report["same"] = checksums(out) == first
        print(f"--jobs {jobs}", summary(report), flush=True)
    for jobs in options.gpu_jobs:
        out = options.work / f"gpu-{jobs}"
        shutil.rmtree(out, ignore_errors=True)
        run_command = command(options, out, "--device", "cuda", "--jobs", jobs)
        found["runs"][f"--device cuda --jobs {jobs}"] = report = measured(run_command, options.seconds)
        # A GPU computes in half precision: a few trees are others.
        report["same"] = first is not None and checksums(out) == first
        print(f"--device cuda --jobs {jobs}", summary(report), flush=True)
    for nodes in options.nodes:
        cluster = Cluster(nodes)
        os.environ["RAY_ADDRESS"] = cluster.address
        out = options.work / f"ray-{nodes}"
        shutil.rmtree(out, ignore_errors=True)
        try:
            found["runs"][f"ray, {nodes} nodes"] = report = measured(
                command(options, out, "--on", "ray"), options.seconds
            )
        finally:
            cluster.close()
        found["runs"][f"ray, {nodes} nodes"] = report
        report["same"] = first is None or checksums(out) == first
        print(f"ray, {nodes} nodes", summary(report), flush=True)
        beside = found["runs"].get(f"--jobs {nodes}")
        if beside:
            report["overhead"] = round(report["seconds"] / beside["seconds"] - 1, 4)
            print(f"overhead over --jobs {nodes}: {100 * report['overhead']:.1f} %", flush=True)
    save(options, found)


def plan_speed(corpus: Path) -> int:
    """Megabytes that are looked through, cut and summed up in a second of CPU."""
    (given,) = find_inputs([str(corpus)])
    scan = Scan(SHARD_SIZE)
    start = time.process_time()
    scan((0, given))
    return round(corpus.stat().st_size / 1e6 / (time.process_time() - start))


def summary(report: dict[str, Any]) -> str:
    memory = report["memory"] or [0]
    half = memory[len(memory) // 2 :]
    speed = report["made"]["words"] / report["seconds"]
    return (
        f"{report['rows']:,} rows, {report['words']:,} words, {report['errors']} errors, "
        f"{report['seconds']:.1f} s, {report['cpu']:.1f} s of CPU, "
        f"{report['sentences_per_second']:,.0f} sentences/s, {speed:,.0f} words/s, "
        f"memory {memory[0]:,} MB at first, second half {min(half):,} to {max(half):,} MB, same bytes: {report['same']}"
    )


def kills(options: argparse.Namespace) -> None:
    """Interrupt runs at random, and compare."""
    chance = random.Random(options.seed)
    options.work.mkdir(parents=True, exist_ok=True)
    whole = options.work / "whole"
    subprocess.run(command(options, whole, "--jobs", options.jobs[0]), check=True, stdout=subprocess.DEVNULL)
    expected = checksums(whole)
    found: dict[str, Any] = {"machine": machine(), "shards": len(expected), "kills": [], "rounds": 0, "same": True}
    cluster = Cluster(options.nodes[0]) if options.nodes[0] else None
    try:
        while len(found["kills"]) < options.kills:
            out = options.work / "killed"
            shutil.rmtree(out, ignore_errors=True)
            for kind in interrupted(options, out, cluster, chance, expected, len(found["kills"])):
                found["kills"].append(kind)
                print(len(found["kills"]), kind, f"{len(checksums(out))} of {len(expected)} shards", flush=True)
            found["rounds"] += 1
            if checksums(out) != expected:
                found["same"] = False
                print("DIFFERENT", flush=True)
                break
            check = command(options, out, "--verify")
            assert subprocess.run(check, stdout=subprocess.DEVNULL).returncode == 0
    finally:
        if cluster is not None:
            cluster.close()
    print(f"{len(found['kills'])} kills in {found['rounds']} corpora, same rows: {found['same']}")
    save(options, found)


def interrupted(
    options: argparse.Namespace,
    out: Path,
    cluster: Cluster | None,
    chance: random.Random,
    expected: dict[str, str],
    done: int,
) -> Iterator[str]:
    """Kill until the corpus is whole: the kinds of what was killed."""
    count = done
    while True:
        on_ray = cluster is not None and count < options.kills and chance.random() < 0.5
        environment = dict(os.environ)
        if on_ray and cluster is not None:
            environment["RAY_ADDRESS"] = cluster.address
        engine = ("--on", "ray") if on_ray else ("--jobs", options.jobs[0])
        before = len(list(out.glob("*.parquet"))) if out.exists() else 0
        driver = subprocess.Popen(
            command(options, out, *engine), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment
        )
        while driver.poll() is None and count < options.kills:
            # Wait for work that can be lost, then for a while.
            while driver.poll() is None and len(list(out.glob("*.parquet"))) <= before:
                time.sleep(0.02)
            before = len(list(out.glob("*.parquet")))
            time.sleep(chance.random() * options.pause)
            if driver.poll() is not None or before == len(expected):
                break
            kind = chance.choice(["worker", "driver", "node"] if on_ray else ["worker", "driver"])
            if kind == "node" and cluster is not None:
                cluster.replace_node(chance)
            elif kind == "worker":
                if not kill_worker(driver.pid, chance, on_ray=on_ray):
                    continue
            else:
                driver.kill()
            count += 1
            yield f"{kind} ({'ray' if on_ray else 'local'})"
        if driver.wait() == 0:
            return


def kill_worker(driver: int, chance: random.Random, *, on_ray: bool) -> bool:
    """Kill a process that parses; whether there was one."""
    if on_ray:
        workers = [int(name) for name in os.listdir("/proc") if name.isdigit() and title(int(name)) == "ray::_work"]
        workers = [one for one in workers if ours(one)]
    else:
        children = (Path("/proc") / str(driver) / "task" / str(driver) / "children").read_text().split()
        workers = [int(one) for one in children if "spawn_main" in title(int(one))]
    if not workers:
        return False
    os.kill(chance.choice(workers), signal.SIGKILL)
    return True


def title(process: int) -> str:
    try:
        return (Path("/proc") / str(process) / "cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
    except OSError:
        return ""


def ours(process: int) -> bool:
    """Whether a process was started, at some remove, by this one."""
    while process > 1:
        if process == os.getpid():
            return True
        try:
            status = (Path("/proc") / str(process) / "status").read_text()
        except OSError:
            return False
        process = int(next(line for line in status.splitlines() if line.startswith("PPid:")).split()[1])
    return False


def machine() -> str:
    return f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"


def save(options: argparse.Namespace, found: dict[str, Any]) -> None:
    if options.json is not None:
        options.json.write_text(json.dumps(found, indent=1) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["make", "run", "kills"])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("work", type=Path, nargs="?")
    parser.add_argument("--sentences", type=int, default=1_000_000)
    parser.add_argument("--treebanks", type=Path, default=TREEBANKS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, nargs="*")
    parser.add_argument("--gpu-jobs", type=int, nargs="*", default=[], help="processes that share a GPU")
    parser.add_argument("--nodes", type=int, nargs="*", default=[2])
    parser.add_argument("--shard-size", default="4MB")
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--pause", type=float, default=3.0, help="the most seconds between a shard and a kill")
    parser.add_argument("--seconds", type=float, default=5.0, help="between looks at the memory")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    if options.what != "make" and options.work is None:
        parser.error("name a folder for the shards")
    if options.jobs is None:
        options.jobs = [1, 2] if options.what == "run" else [2]
    {"make": make, "run": run, "kills": kills}[options.what](options)


if __name__ == "__main__":
    main()
