"""What commands do outside their output, as strace sees it: sockets to the internet, and files that they write.

$ python lab/reliability/offline.py --json offline.json

Each command runs with an empty home folder, empty XDG folders and an empty folder for temporary files. Exit status 1 if
one opens a socket to the internet, or makes, changes or removes a file that is not its output.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CALLS = (
    "socket,connect,sendto,sendmsg,open,openat,openat2,creat,mkdir,mkdirat,rename,renameat,renameat2,unlink,unlinkat,rmdir,link,linkat,"
    "symlink,symlinkat,mknod,mknodat,truncate,chmod,fchmodat,chown,lchown,fchownat,utimensat"
)
_CALL = re.compile(r"(\w+)\((.*)\) += (\S+)")
_LINE = re.compile(r"(\d+) +(?:<\.\.\. \w+ resumed>)?(.*)")
_UNFINISHED = "<unfinished ...>"
_WRITES = re.compile(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
#: devices, what a process says of itself, and semaphores, which processes share and no disk holds
_NO_FILES = re.compile(r"/dev/(null|tty|urandom|pts/.*|shm/(sem\.)?[\w.-]+)$|/proc/(self|\d+)/")


@dataclass(frozen=True, slots=True)
class Command:
    """What runs: {python}, and {text} and {out} for files."""

    arguments: Sequence[str]
    #: whether it waits for others to connect to it, as a server does; it must not connect to others
    listens: bool = False


#: starts a server with a model, and ends it when it says where it serves
SERVE = """
import signal, subprocess, sys
command = [sys.executable, "-m", "permutree", "serve", "--port", "0", "--preload", "--lang", "en"]
server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
assert "serving en on http://127.0.0.1:" in server.stderr.readline()
server.send_signal(signal.SIGTERM)
server.communicate()
"""

#: by name
COMMANDS = {
    "parse": Command(["{python}", "-m", "permutree", "parse", "What did you think I said?", "-o", "{out}"]),
    "parse --jobs 2": Command(
        ["{python}", "-m", "permutree", "parse", "--lang", "en", "--jobs", "2", "{text}", "-o", "{out}"]
    ),
    "Parser.load": Command(
        [
            "{python}",
            "-c",
            "import sys; from permutree import Parser, write;"
            "write(Parser.load('en').parse(open(sys.argv[1]).read()), sys.argv[2])",
            "{text}",
            "{out}",
        ]
    ),
    "report": Command(["{python}", "-m", "permutree", "report", "What did you think I said?"]),
    "serve": Command(["{python}", "-c", SERVE], listens=True),
}
#: sentences of the text, for a run of some seconds
SENTENCES = 4_000


@dataclass(slots=True)
class Trace:
    """What a command did outside its output."""

    status: int
    seconds: float
    #: sockets to the internet, connected or not
    sockets: list[str] = field(default_factory=list)
    connections: list[str] = field(default_factory=list)
    #: files that it made, changed or removed
    files: list[str] = field(default_factory=list)
    #: what it said on standard error
    said: str = ""

    def faults(self, command: Command) -> list[str]:
        """What it should not have done."""
        return [*([] if command.listens else self.sockets), *self.connections, *self.files]


def has_strace() -> bool:
    """Whether strace is here and may trace."""
    program = shutil.which("strace")
    return program is not None and subprocess.run([program, "-qq", "-o", os.devnull, "true"]).returncode == 0


def trace(command: Sequence[str], home: Path, output: Path | None = None, timeout: float = 300) -> Trace:
    """Run a command with an empty home folder; all that it writes but the output, and what it makes it of, is noted."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "ORT_", "PYTHON"))}
    folders = {"HOME": "home", "TMPDIR": "tmp", "XDG_CACHE_HOME": "cache", "XDG_CONFIG_HOME": "config"}
    for name, folder in folders.items():
        (home / folder).mkdir(parents=True, exist_ok=True)
        environment[name] = str(home / folder)
    # Python keeps compiled modules beside their sources, if it may; that is of no concern here.
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    log = home / "strace.log"
    prefix = ["strace", "-f", "-qq", "-y", "-s", "4096", "-e", f"trace={CALLS}", "-o", str(log), "--"]
    start = time.perf_counter()
    done = subprocess.run(
        [*prefix, *command], cwd=home, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout
    )
    found = Trace(done.returncode, time.perf_counter() - start, said=done.stderr.decode(errors="replace"))
    begun: dict[str, str] = {}
    for line in log.read_text(errors="replace").splitlines():
        # Of calls at the same time, the beginning and the end are on different lines.
        if match := _LINE.match(line):
            process, rest = match.groups()
            whole = begun.pop(process, "") + rest
            if whole.endswith(_UNFINISHED):
                begun[process] = whole.removesuffix(_UNFINISHED)
            else:
                _judge(whole, found, output)
    left = [path for folder in folders.values() for path in (home / folder).rglob("*")]
    found.files += [f"left behind: {path}" for path in left if path != output]
    return found


def _judge(line: str, found: Trace, output: Path | None) -> None:
    match = _CALL.match(line)
    if match is None:
        return
    call, arguments, result = match.groups()
    if call in ("socket", "connect", "sendto", "sendmsg"):
        if "AF_INET" in arguments:
            (found.sockets if call == "socket" else found.connections).append(line)
        return
    if result.startswith("-") or (call.startswith("open") and not _WRITES.search(arguments)):
        return
    paths = [path for path in _QUOTED.findall(arguments) if not _NO_FILES.match(path)]
    if any(output is None or not _is_output(path, output) for path in paths):
        found.files.append(line)


def _is_output(path: str, output: Path) -> bool:
    """Whether a path is the output, or the hidden file beside it that becomes it."""
    return path == str(output) or path.startswith(f"{output.parent}/.{output.name}.")


def trace_all(commands: Mapping[str, Command], sentences: int = SENTENCES) -> dict[str, Trace]:
    """The traces of commands, each in an empty folder."""
    traces = {}
    for name, command in commands.items():
        with tempfile.TemporaryDirectory() as folder:
            home = Path(folder).resolve()
            text, out = home / "text.txt", home / "out.discbracket"
            text.write_text("What did you think I said in the house that Jack built?\n\n" * sentences, "utf-8")
            names = {"{python}": sys.executable, "{text}": str(text), "{out}": str(out)}
            traces[name] = trace([names.get(argument, argument) for argument in command.arguments], home, out)
    return traces


def main() -> int:
    """Trace all commands, print what they should not have done, and write the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="Write the results there.")
    parser.add_argument("--sentences", type=int, default=SENTENCES)
    options = parser.parse_args()
    if not has_strace():
        parser.error("strace is not here, or may not trace: apt-get install strace")
    results: dict[str, Any] = {}
    is_good = True
    for name, found in trace_all(COMMANDS, options.sentences).items():
        counts = {"sockets": len(found.sockets), "connections": len(found.connections), "files": len(found.files)}
        results[name] = {"status": found.status, "seconds": round(found.seconds, 1), **counts}
        print(f"{name}: {results[name]}")
        for line in found.faults(COMMANDS[name]):
            print(f"  {line}")
        if found.status:
            print(found.said)
        is_good &= not found.status and not found.faults(COMMANDS[name])
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n", "utf-8")
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
