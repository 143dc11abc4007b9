"""Processes that begin with PyTorch imported, which takes a new one seconds: they are forked from one that has it."""

import os
import runpy
import subprocess
import sys
from collections.abc import Callable, Sequence
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import IO, Any

#: optimisers import half of PyTorch when they are first made, bars ask IPython whether this is a notebook
_IMPORTED = ["permutree.training.loop", "torch._dynamo", "IPython", "permutree_lab.cli", "permutree_lab.cell"]


def start(target: Callable[..., None], *arguments: Any) -> BaseProcess:
    """Start a function of a module in a process of its own."""
    context = get_context("forkserver")
    context.set_forkserver_preload(_IMPORTED)
    process = context.Process(target=target, args=arguments)
    process.start()
    return process


class WarmProcess:
    """Stands in for ``subprocess.Popen`` with a command that is a module: ``python -m permutree_lab ...``."""

    def __init__(
        self, command: Sequence[str], *, stdout: IO[bytes], stderr: IO[bytes], env: dict[str, str], parent: str
    ) -> None:
        assert list(command[:2]) == [sys.executable, "-m"]
        assert stdout is stderr
        self._process = start(_run, list(command[2:]), stdout.name, env, parent)

    @property
    def returncode(self) -> int | None:
        """The exit status, if it has ended."""
        return self._process.exitcode

    def poll(self) -> int | None:
        """The exit status, if it has ended."""
        return self.returncode

    def wait(self, timeout: float | None = None) -> int | None:
        """Wait for the end."""
        self._process.join(timeout)
        if self.returncode is None:
            raise subprocess.TimeoutExpired("warm", timeout or 0)
        return self.returncode

    def terminate(self) -> None:
        """Send SIGTERM."""
        self._process.terminate()

    def kill(self) -> None:
        """Send SIGKILL."""
        self._process.kill()


def _run(arguments: list[str], log: str, environment: dict[str, str], parent: str) -> None:
    """Be a module of Python: its arguments, its environment, and a file for all that it says."""
    os.environ.clear()
    # A variable that names the process that started this one, names the one that it was forked from.
    os.environ.update(environment | {parent: str(os.getppid())})
    stream = os.open(log, os.O_WRONLY | os.O_APPEND)
    for number in (1, 2):
        os.dup2(stream, number)
    sys.argv = [str(Path(arguments[0])), *arguments[1:]]
    runpy.run_module(arguments[0], run_name="__main__")
