"""The README's commands and Python, run as they stand against small files under the names that it uses."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import permutree
from permutree.formats import write
from permutree.trees.tree import Tree

CHECKOUT = Path(__file__).resolve().parents[2]
README = (CHECKOUT / "README.md").read_text("utf-8")

#: what sets up, and is not run here
SETTING_UP = ("make ", "git clone ", "pip install ")
#: what makes a training short; only the wrapper below adds it
TINY = """\
--epochs 1 --set model.attention=8 --set model.reread.hidden=8 --set model.reread.ends=8
--set model.encoder.hidden=8 --set model.encoder.layers=1 --set model.embeddings.word=8
--set model.embeddings.character=8 --set model.embeddings.character_embedding=4 --set model.embeddings.tag=4"""
WRAPPER = f"""\
#!/bin/sh
if [ "$1" = train ]; then set -- "$@" {TINY.replace(chr(10), " ")}; fi
exec "{sys.executable}" -m permutree "$@"
"""
TREES = [
    Tree.parse(line)
    for line in (
        "(top (smain (n 0=zij) (ww 1=slaapt)) (let 2=.))",
        "(top (smain (np (lid 0=de) (n 1=hond)) (ww 2=slaapt)) (let 3=.))",
        "(top (smain (n 0=dat) (inf (n 2=ik) (ww 3=zien)) (ww 1=wil)) (let 4=.))",
        "(top (smain (inf (n 0=dat) (ww 3=zien)) (ww 1=wil) (n 2=ik)) (let 4=.))",
    )
]


def blocks(text: str, language: str) -> list[str]:
    """The code blocks of a page in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def commands(text: str) -> list[str]:
    """The lines that a page tells to type, apart from setting up; one that is not permutree's is an error."""
    found = []
    for block in blocks(text, "console"):
        typed = [line[2:] for line in block.replace("\\\n", " ").splitlines() if line.startswith("$ ")]
        for line in typed:
            if line.startswith("permutree "):
                found.append(line)
            elif not f"{line} ".startswith(SETTING_UP):
                raise ValueError(f"neither a command of permutree nor one that sets up: {line}")
    return found


def write_files(folder: Path) -> None:
    """Small files under the names that the README uses."""
    (folder / "news.txt").write_text("What do you want to eat? I asked.\n", "utf-8")
    write(TREES, folder / "tiger.xml", "tigerxml")
    write(TREES, folder / "negra.export", charset="latin-1")
    # Train, dev and test of Alpino are the first 80 %, the next 10 % and the rest of the folder cdb.
    named = [tree.annotated(id=f"raw/cdb/{number}") for number, tree in enumerate(TREES * 10)]
    write(named, folder / "raw.tar.xz", "alpino")
    (folder / "alpino").mkdir()
    for split in ("train", "dev", "test"):
        write(TREES, folder / "alpino" / f"{split}.discbracket")


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """What commands see: permutree among the programs, and one thread."""
    program = tmp_path / "bin" / "permutree"
    program.parent.mkdir()
    program.write_text(WRAPPER, "utf-8")
    program.chmod(0o755)
    path = os.pathsep.join([str(program.parent), os.environ["PATH"]])
    return os.environ | {"PATH": path, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "OMP_NUM_THREADS": "1"}


def check(arguments: list[str], folder: Path, environment: dict[str, str], what: str) -> None:
    run = subprocess.run(arguments, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8")
    assert run.returncode == 0, f"{what}\n{run.stdout}\n{run.stderr}"


def test_commands_run(tmp_path: Path, environment: dict[str, str]) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    write_files(folder)
    lines = commands(README)
    assert len(lines) >= 5
    for line in lines:
        check(["bash", "-o", "pipefail", "-c", line], folder, environment, line)


def test_python_runs(tmp_path: Path, environment: dict[str, str]) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    write_files(folder)
    found = blocks(README, "python")
    assert found
    check([sys.executable, "-c", "\n".join(found)], folder, environment, "Python")


def test_what_is_no_command_of_permutree_is_told() -> None:
    page = "```console\n$ make test\n$ git clone x\n$ pip install .  # all\n$ permutree info \\\n  nl\nencoder\n```\n"
    assert commands(page) == ["permutree info    nl"]
    with pytest.raises(ValueError, match="nor one that sets up: permuter parse x"):
        commands("```console\n$ permuter parse x\n```\n")


def test_the_picture_is_drawn_by_parse_from_the_sentence_under_it(tmp_path: Path) -> None:
    found = re.search(r'<img src="(.*?)".*?alt="Tree of “(.*?)”: the noun phrase has a gap"', README)
    assert found is not None
    picture, sentence = found.groups()
    out = tmp_path / "tree.svg"
    command = [sys.executable, "-m", "permutree", "parse", sentence, "--lang", "nl", "-o", str(out)]
    subprocess.run(command, check=True, capture_output=True)
    assert out.read_text("utf-8") == (CHECKOUT / picture).read_text("utf-8")
    (tree,) = permutree.Parser.load("nl").pipe([sentence.replace(".", " .").split()])
    assert [one.label for one in tree if one.is_discontinuous] == ["np"]
