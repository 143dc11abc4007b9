"""Real servers on free ports of this machine, as tests want them."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

#: seconds for what takes less than one on a machine that does nothing else
PATIENCE = 120
TEXT = "What did you think I said?"
TREE = "(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))"


def until(holds: Callable[[], bool]) -> None:
    """Wait until a condition holds."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


def busy(pid: int) -> float:
    """The seconds that a process has worked so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Reply(NamedTuple):
    """What a server answers."""

    status: int
    headers: dict[str, str]
    content: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.content)

    @property
    def text(self) -> str:
        return self.content.decode()


class Served:
    """A running server."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process = process
        self.port = port
        self.url = f"http://127.0.0.1:{port}"

    def ask(self, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None) -> Reply:
        """Send a request over a connection of its own."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body or None, headers or {})
            response = connection.getresponse()
            found = {name.lower(): value for name, value in response.getheaders()}
            return Reply(response.status, found, response.read())
        finally:
            connection.close()

    def get(self, path: str) -> Reply:
        """GET."""
        return self.ask("GET", path)

    def post(self, path: str, **content: Any) -> Reply:
        """POST an object as JSON."""
        return self.ask("POST", path, json.dumps(content).encode(), {"Content-Type": "application/json"})

    def metric(self, name: str) -> float:
        """A figure of /metrics."""
        found = re.search(rf"^{name} (\S+)$", self.get("/metrics").text, re.MULTILINE)
        assert found is not None, name
        return float(found[1])

    def workers(self) -> list[int]:
        """The ids of the worker processes."""
        pid = self.process.pid
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Have all workers do nothing for a while."""
        workers = self.workers()
        for pid in workers:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in set(workers) & set(self.workers()):
                os.kill(pid, signal.SIGCONT)

    def wait(self, workers: int) -> None:
        """Wait until so many workers are ready."""
        until(lambda: (reply := self.get("/readyz")).status == 200 and reply.json["workers"] >= workers)

    def wait_for_queue(self, length: int) -> None:
        """Wait until so many requests wait for a worker."""
        until(lambda: self.metric("permutree_queue_length") == length)

    def stop(self) -> tuple[int, str]:
        """Send SIGTERM; the exit status, and what the server has said."""
        self.process.send_signal(signal.SIGTERM)
        return self.end()

    def end(self) -> tuple[int, str]:
        """Wait for the end; the exit status, and what the server has said."""
        _, said = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, said

    def listens(self) -> bool:
        """Whether the server takes connections."""
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE).close()
        except ConnectionRefusedError:
            return False
        return True


@contextmanager
def serve(*options: str, workers: int = 1) -> Iterator[Served]:
    """A server with such options, until the block ends."""
    command = [sys.executable, "-m", "permutree", "serve", "--port", "0", "--workers", str(workers), *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        said = ""
        while (found := re.search(r"http://127\.0\.0\.1:(\d+)", said)) is None:
            line = process.stderr.readline()
            assert line, said
            said += line
        served = Served(process, int(found[1]))
        served.wait(workers)
        yield served
    finally:
        process.kill()
        process.communicate()
