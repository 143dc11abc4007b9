"""Load on `permutree serve`, on this machine, with the server in processes of its own.

    python lab/benchmarks/serving.py load        # 64 clients, one sentence a request, against `permutree parse`
    python lab/benchmarks/serving.py overload    # ten times more than it can do, for two minutes
    python lab/benchmarks/serving.py hostile     # what no parser should be sent, for ten minutes
    python lab/benchmarks/serving.py kill        # kill -9 of workers under load

Each prints JSON, and ends in exit status 1 if what it must show does not hold. Trees are compared with those of
`Parser`. Processor time is that of processes, so that it counts for something on a busy machine.
"""

from __future__ import annotations

import argparse
import asyncio
import atexit
import itertools
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import permutree

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

TICK = os.sysconf("SC_CLK_TCK")


class Server:
    """A server process on a free port of this machine."""

    def __init__(self, *options: str) -> None:
        command = [sys.executable, "-m", "permutree", "serve", "--port", "0", *options]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        line = self.process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        if found is None:
            raise SystemExit(f"the server did not start: {line}")
        self.port = int(found[1])
        self.log = tempfile.TemporaryFile("w+")  # noqa: SIM115 - open as long as the server runs
        self._copy = subprocess.Popen(["cat"], stdin=self.process.stderr, stdout=self.log)
        atexit.register(self.process.kill)

    def ready(self, workers: int) -> None:
        """Wait until so many workers are ready."""
        import urllib.error
        import urllib.request

        for _ in range(600):
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz") as answer:
                    if json.load(answer)["workers"] >= workers:
                        return
            except urllib.error.HTTPError:
                pass
            time.sleep(0.1)
        raise SystemExit("the workers do not get ready")

    def metrics(self) -> dict[str, float]:
        """The figures of /metrics."""
        import urllib.request

        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics") as answer:
            lines = answer.read().decode().splitlines()
        return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if line[0] != "#")}

    def workers(self) -> list[int]:
        """The ids of the worker processes."""
        return [
            int(pid) for pid in Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        ]

    def seconds(self) -> tuple[float, float]:
        """Processor time of the server process, and of its workers."""
        return _seconds(self.process.pid), sum(map(_seconds, self.workers()))

    def resident(self) -> int:
        """Memory of the server and its workers together, in megabytes."""
        return sum(map(_resident, [self.process.pid, *self.workers()])) >> 20

    def stop(self) -> int:
        """Send SIGTERM; the exit status."""
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(60)
        self._copy.wait(10)
        return status


def _seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except FileNotFoundError:
        return 0


class Answered:
    """What came back: statuses, times, and bodies that are not what they should be."""

    def __init__(self) -> None:
        self.statuses: Counter[int] = Counter()
        self.times: list[float] = []
        self.wrong = 0
        self.lost = 0

    def report(self, seconds: float) -> dict[str, Any]:
        """The figures."""
        times = sorted(self.times)
        shares = {f"p{share}": times[min(len(times) - 1, len(times) * share // 100)] for share in (50, 95, 99)}
        return {
            "seconds": round(seconds, 1),
            "statuses": {str(status): count for status, count in sorted(self.statuses.items())},
            "answers_a_second": round(self.statuses[200] / seconds, 1),
            "milliseconds": {name: round(1000 * value, 1) for name, value in shares.items()} if times else {},
            "wrong": self.wrong,
            "lost": self.lost,
        }


def request(path: str, body: bytes) -> bytes:
    """A request as it goes over the wire."""
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", "Content-Type: application/json"]
    return "\r\n".join([*lines, f"Content-Length: {len(body)}", "", ""]).encode() + body


async def ask(
    port: int,
    clients: int,
    seconds: float,
    requests: Callable[[int], Iterator[tuple[bytes, Callable[[bytes], bool] | None]]],
    patience: float = 60.0,
    pause: float = 0.0,
) -> Answered:
    """Have so many clients ask one request after the other, each over a connection of its own."""
    answered = Answered()
    end = time.monotonic() + seconds

    async def client(number: int) -> None:
        connection = None
        for content, check in requests(number):
            if time.monotonic() > end:
                break
            began = time.perf_counter()
            try:
                async with asyncio.timeout(patience):
                    if connection is None:
                        connection = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
                    reader, writer = connection
                    writer.write(content)
                    head = (await reader.readuntil(b"\r\n\r\n")).lower()
                    status = int(head[9:12])
                    length = re.search(rb"content-length: (\d+)", head)
                    body = await reader.readexactly(int(length[1])) if length else b""
            except (OSError, asyncio.IncompleteReadError):
                # Nothing came back: the connection was closed, as it may be for what is no HTTP.
                answered.lost += 1
                connection = None
                continue
            except TimeoutError:
                answered.statuses[0] += 1
                connection = None
                continue
            answered.statuses[status] += 1
            if status == 200:
                answered.times.append(time.perf_counter() - began)
                if check is not None and not check(body):
                    answered.wrong += 1
            if b"connection: close" in head:
                writer.close()
                connection = None
            if pause:
                await asyncio.sleep(pause)
        if connection is not None:
            connection[1].close()

    await asyncio.gather(*(client(number) for number in range(clients)))
    return answered


def run(work: Any) -> Any:
    """Run a coroutine, on the fastest loop there is."""
    import uvloop

    return uvloop.run(work)


class Sentences:
    """Sentences of a treebank as requests, and what must come back."""

    def __init__(self, path: str, language: str) -> None:
        trees = [tree for tree in permutree.read(path) if len(tree) <= 100]
        self.lines = [" ".join(tree.words) for tree in trees]
        self.bodies = [json.dumps({"text": line, "lang": language}).encode() for line in self.lines]
        self.requests = [request("/v1/parse", body) for body in self.bodies]
        parser = permutree.Parser.load(language, threads=1)
        self.expected = [[tree.discbracket() for tree in found] for found in parser.parse_texts(self.lines)]
        #: an answer that was found to be right; the same request must get the same bytes
        self._right: list[bytes | None] = [None] * len(self.lines)

    def stream(self, number: int) -> Iterator[tuple[bytes, Callable[[bytes], bool] | None]]:
        """Requests without end, from a place of their own."""
        size = len(self.requests)
        for place in itertools.count(number * 97):
            index = place % size
            yield self.requests[index], partial(self.is_right, index)

    def is_right(self, index: int, body: bytes) -> bool:
        """Whether an answer has the trees of the parser."""
        if body == self._right[index]:
            return True
        trees = [sentence["discbracket"] for sentence in json.loads(body)["sentences"]]
        if trees != self.expected[index]:
            return False
        self._right[index] = self._right[index] or body
        return body == self._right[index]


def parse_command(sentences: Sentences, options: argparse.Namespace, target: str) -> dict[str, float]:
    """The speed of `permutree parse` on the same sentences, in as many processes as the server has workers."""
    copies = max(1, options.baseline // len(sentences.lines))
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder) / "text.lines"
        text.write_text("\n".join(sentences.lines * copies) + "\n", "utf-8")
        command = [sys.executable, "-m", "permutree", "parse", "--lang", options.lang, "--from", "lines", "-v"]
        command += ["--jobs", str(options.workers), "--to", target, "-o", f"{folder}/out", str(text)]
        before = os.times()
        said = subprocess.run(command, capture_output=True, text=True, check=True).stderr
        after = os.times()
    found = re.search(r"([\d,]+) sentences, .* ([\d,]+) sentences/s", said)
    assert found is not None, said
    used = after.children_user + after.children_system - before.children_user - before.children_system
    count = int(found[1].replace(",", ""))
    return {
        "sentences_a_second": float(found[2].replace(",", "")),
        "cpu_ms_a_sentence": round(1000 * used / count, 3),
    }


def load(options: argparse.Namespace) -> bool:
    """One sentence a request from many clients, before and after it the command line."""
    sentences = Sentences(options.input, options.lang)
    baseline = [parse_command(sentences, options, "jsonl")]
    server = Server("--lang", options.lang, "--workers", str(options.workers), "--preload")
    server.ready(options.workers)
    run(ask(server.port, options.clients, min(2.0, options.seconds), sentences.stream))
    front, workers = server.seconds()
    mine = time.process_time()
    began = time.monotonic()
    answered = run(ask(server.port, options.clients, options.seconds, sentences.stream))
    took = time.monotonic() - began
    mine = time.process_time() - mine
    front, workers = (now - then for now, then in zip(server.seconds(), (front, workers), strict=True))
    figures = server.metrics()
    count = answered.statuses[200]
    server.stop()
    baseline.append(parse_command(sentences, options, "jsonl"))
    speed = sum(one["sentences_a_second"] for one in baseline) / len(baseline)
    found = answered.report(took)
    record = {
        "parse": baseline,
        "serve": found,
        "batch": round(figures["permutree_batch_size_sum"] / figures["permutree_batch_size_count"], 1),
        "cpu_ms_a_request": {
            "server": round(1000 * front / count, 3),
            "workers": round(1000 * workers / count, 3),
            "client": round(1000 * mine / count, 3),
        },
        "share_of_parse": round(found["answers_a_second"] / speed, 3),
        "discbracket": parse_command(sentences, options, "discbracket"),
    }
    print(json.dumps(record, indent=2))
    return record["share_of_parse"] >= 0.75 and not answered.wrong and set(answered.statuses) == {200}


def overload(options: argparse.Namespace) -> bool:
    """Ten times more requests than 64 clients get answers to, from more clients than the queue has places."""
    sentences = Sentences(options.input, options.lang)
    server = Server("--lang", options.lang, "--workers", str(options.workers), "--preload")
    server.ready(options.workers)
    run(ask(server.port, 64, 1, sentences.stream))
    most = run(ask(server.port, 64, 4, sentences.stream)).statuses[200] / 4
    pause = options.clients / (10 * most)
    before = server.resident()
    memory: list[int] = []

    async def watched() -> Answered:
        async def watch() -> None:
            while True:
                memory.append(server.resident())
                await asyncio.sleep(0.5)

        watching = asyncio.create_task(watch())
        answered = await ask(server.port, options.clients, options.seconds, sentences.stream, pause=pause)
        watching.cancel()
        return answered

    began = time.monotonic()
    answered = run(watched())
    took = time.monotonic() - began
    figures = server.metrics()
    status = server.stop()
    record = answered.report(took) | {
        "most_a_second": round(most, 1),
        "asked_a_second": round(answered.statuses.total() / took, 1),
        "memory_mb": {"before": before, "most": max(memory)},
        "restarts": figures["permutree_worker_restarts"],
        "exit": status,
    }
    print(json.dumps(record, indent=2))
    is_right = not answered.wrong and not answered.lost and set(answered.statuses) == {200, 503}
    return is_right and status == 0 and not record["restarts"] and max(memory) < 2 * before + 200


def hostile_load(options: argparse.Namespace) -> bool:
    """Hostile requests, and bytes that are no HTTP, between sentences that must be parsed as ever."""
    from hostile import hostile

    sentences = Sentences(options.input, options.lang)
    server = Server("--workers", str(options.workers), "--limit-body", "1", "--limit-seconds", "20")
    server.ready(options.workers)

    def stream(number: int) -> Iterator[tuple[bytes, Callable[[bytes], bool] | None]]:
        rng = random.Random(f"{options.seed} {number}")
        usual = sentences.stream(number)
        while True:
            choice = rng.random()
            if choice < 0.2:
                yield next(usual)
            elif choice < 0.22:
                yield rng.randbytes(rng.randint(1, 2000)) + b"\r\n\r\n", None
            elif choice < 0.24:
                # A length that is not that of the body: less, so that the rest is no request.
                path, body = hostile(rng)
                yield request(f"/v1/{path}", body).replace(b"Content-Length: ", b"Content-Length: -", 1), None
            else:
                path, body = hostile(rng)
                yield request(f"/v1/{path}", body), None

    began = time.monotonic()
    answered = run(ask(server.port, options.clients, options.seconds, stream))
    took = time.monotonic() - began
    figures = server.metrics()
    memory = server.resident()
    status = server.stop()
    record = answered.report(took) | {
        "unexpected": figures["permutree_unexpected_errors"],
        "restarts": figures["permutree_worker_restarts"],
        "memory_mb": memory,
        "exit": status,
    }
    print(json.dumps(record, indent=2))
    faults = [one for one in answered.statuses if one == 0 or (one >= 500 and one != 503)]
    return not faults and not answered.wrong and not record["unexpected"] and status == 0


def kill(options: argparse.Namespace) -> bool:
    """Kill a worker every second under load, or as soon as the last one that was killed is replaced."""
    sentences = Sentences(options.input, options.lang)
    server = Server("--lang", options.lang, "--workers", str(options.workers), "--preload")
    server.ready(options.workers)
    killed = 0

    async def killing() -> Answered:
        async def killer() -> None:
            nonlocal killed
            rng = random.Random(options.seed)
            while True:
                await asyncio.sleep(1)
                figures = await asyncio.to_thread(server.metrics)
                if figures["permutree_workers_ready"] == options.workers:
                    os.kill(rng.choice(server.workers()), signal.SIGKILL)
                    killed += 1

        task = asyncio.create_task(killer())
        answered = await ask(server.port, options.clients, options.seconds, sentences.stream, patience=90)
        task.cancel()
        return answered

    began = time.monotonic()
    answered = run(killing())
    took = time.monotonic() - began
    server.ready(options.workers)
    figures = server.metrics()
    status = server.stop()
    record = answered.report(took) | {
        "killed": killed,
        "restarts": figures["permutree_worker_restarts"],
        "retried": figures["permutree_retries"],
        "slowest_ms": round(1000 * max(answered.times), 1),
        "exit": status,
    }
    print(json.dumps(record, indent=2))
    return set(answered.statuses) <= {200, 503} and not answered.wrong and not answered.lost and status == 0


COMMANDS = {"load": load, "overload": overload, "hostile": hostile_load, "kill": kill}
#: seconds and clients, if nothing else is said
USUAL = {"load": (30.0, 64), "overload": (120.0, 2000), "hostile": (600.0, 16), "kill": (30.0, 64)}


def main() -> None:
    """Run one of them."""
    root = Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=COMMANDS)
    parser.add_argument("--seconds", type=float, help="how long")
    parser.add_argument("--clients", type=int, help="connections at once")
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--lang", default="en")
    parser.add_argument("--input", default=str(root.parent / "shared/treebanks/masc/dev.discbracket.xz"))
    parser.add_argument("--baseline", type=int, default=10_000, help="sentences for `permutree parse`")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    seconds, clients = USUAL[options.command]
    options.seconds = options.seconds or seconds
    options.clients = options.clients or clients
    random.seed(options.seed)
    sys.exit(0 if COMMANDS[options.command](options) else 1)


if __name__ == "__main__":
    main()
