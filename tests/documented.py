"""The code blocks of the documentation, and a way to run them as they stand."""

import re
import shlex
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from click.testing import CliRunner

from permutree.cli import permutree

CHECKOUT = Path(__file__).resolve().parents[1]
DOCS = CHECKOUT / "docs"

#: what a block may need that tests do not have; it stands in a comment right above the block
NEEDS = ("a GPU", "the network", "a licensed treebank", "hours", "a checkout", "an account", "Docker", "a cluster")
#: what sets up, and is not run
SETTING_UP = ("make ", "git ", "pip install ", "hf ", "docker ")
#: settings that make a training short
SMALL = (
    "model.attention=8",
    "model.reread.hidden=8",
    "model.reread.ends=8",
    "model.encoder.hidden=8",
    "model.encoder.layers=1",
    "model.embeddings.word=8",
    "model.embeddings.character=8",
    "model.embeddings.character_embedding=4",
    "model.embeddings.tag=4",
)
TINY = ["--epochs", "1", *(part for setting in SMALL for part in ("--set", setting))]

_BLOCK = re.compile(
    r"(?:^<!-- not run: needs (?P<needs>[^\n]*?) -->\n\n?)?"
    r"^```(?P<language>\w*)(?: title=\"(?P<title>[^\"]+)\")?\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Block:
    """A code block of a page."""

    language: str
    text: str
    #: the name of the file that it is, if it has a title
    title: str | None = None
    #: what is needed to run it that tests do not have
    needs: str | None = None

    @property
    def commands(self) -> list[tuple[str, str]]:
        """What is typed, and what the page shows of the answer."""
        found = re.findall(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", self.text, re.MULTILINE)
        return [(typed.replace("\\\n", " "), shown) for typed, shown in found]


def blocks_of(text: str) -> list[Block]:
    """The code blocks of a page, in order."""
    found = []
    for match in _BLOCK.finditer(text):
        if match["needs"] is not None and match["needs"] not in NEEDS:
            raise ValueError(f"{match['needs']!r} is not among {NEEDS}")
        found.append(Block(match["language"], match["text"], match["title"], match["needs"]))
    return found


@dataclass(slots=True)
class Answer:
    """What commands wrote."""

    out: str = ""
    err: str = ""
    status: int = 0


@dataclass(slots=True)
class Shell:
    """Runs lines as a shell does, in the current folder: permutree in this process, a few programs besides, pipes."""

    #: trainings get options that make them short
    tiny: bool = True
    #: names of Python, which blocks of a page share
    names: dict[str, object] = field(default_factory=dict)

    def run(self, line: str) -> Answer:
        """Run a line; the answer of a pipe is that of its last command."""
        words = shlex.shlex(line, punctuation_chars="|>", posix=True)
        words.commenters = "#"
        words.whitespace_split = True
        pipe: list[list[str]] = [[]]
        target = None
        for word in words:
            if word == "|":
                pipe.append([])
            elif word == ">":
                target = next(words)
            else:
                pipe[-1] += self._expand(word)
        answer = Answer()
        for command in pipe:
            said = answer.err
            answer = self._one(command, answer.out)
            answer.err = said + answer.err
            if answer.status:
                break
        if target is not None:
            Path(target).write_text(answer.out, "utf-8")
        return answer

    def _one(self, command: list[str], given: str) -> Answer:
        match command:
            case ["permutree", "serve", *options]:
                # A server would not end; that its options are understood is all that is asked.
                found = permutree.get_command(permutree.make_context("permutree", ["serve"]), "serve")
                assert found is not None
                found.make_context("serve", list(options))
                return Answer()
            case ["permutree", *arguments]:
                if self.tiny and arguments[0] == "train" and "--list" not in arguments:
                    arguments = [*arguments, *TINY]
                done = CliRunner().invoke(permutree, arguments, input=given, catch_exceptions=False)
                return Answer(done.stdout, done.stderr, done.exit_code)
            case ["cat" | "echo" | "head" | "curl" | "printf", *_]:
                ran = subprocess.run(command, input=given, capture_output=True, text=True, encoding="utf-8")
                return Answer(ran.stdout, ran.stderr, ran.returncode)
        raise ValueError(f"neither a command of permutree nor one that sets up: {' '.join(command)}")

    @staticmethod
    def _expand(word: str) -> list[str]:
        if "*" in word and (found := sorted(str(path) for path in Path().glob(word))):
            return found
        return [word]


def run_page(text: str, shell: Shell, *, exact: bool = False) -> int:
    """Run all blocks of a page in order; how many there were. With exact, answers are those that the page shows."""
    count = 0
    for block in blocks_of(text):
        if block.title is not None:
            Path(block.title).write_text(block.text, "utf-8")
        elif block.needs is None and block.language == "python":
            exec(compile(block.text, "block of the page", "exec"), shell.names)
            count += 1
        elif block.needs is None and block.language == "console":
            for typed, shown in block.commands:
                if not f"{typed} ".startswith(SETTING_UP):
                    check(typed, shown if exact else "", shell.run(typed))
                    count += 1
    return count


def check(typed: str, shown: str, answer: Answer) -> None:
    """A command has succeeded, and has answered what a page shows; … stands for anything."""
    assert answer.status == 0, f"{typed}\n{answer.out}\n{answer.err}"
    if shown.strip():
        pattern = ".*".join(re.escape(part) for part in shown.strip().split("…"))
        both = (answer.out.strip(), answer.err.strip())
        assert any(re.fullmatch(pattern, said, re.DOTALL) for said in both), f"{typed}\n{both}"


def copy_to(folder: Path, *names: str) -> None:
    """Put files of the documentation into a folder."""
    for name in names:
        shutil.copy(DOCS / name, folder)
