"""Every command and every block of Python in the documentation runs as it stands, against small files under its names.

What needs more than a test has says so in a comment above the block. Some pages have tests of their own, which look at
what comes out.
"""

import gzip
import json
import shutil
from pathlib import Path
from typing import Any

import pandas
import pyarrow
import pytest
import torch

from documented import CHECKOUT, DOCS, SETTING_UP, Shell, blocks_of, run_page
from permutree import Tree, read, write
from permutree.trees.batch import TreeBatch
from tiny_models import TREES

#: pages → the tests that run them
ELSEWHERE = {
    "index.md": "test_start.py",
    "start/count-a-construction.md": "test_start.py",
    "start/train-a-parser.md": "test_start.py",
    "explained/discontinuity.md": "test_start.py",
    "explained/encodings.md": "test_start.py",
    "explained/parser.md": "test_start.py",
    "guides/model-packages.md": "test_model_packages.py",
    "guides/server.md": "test_server.py",
    "reference/http.md": "test_server.py",
    "contribute/contributing.md": "test_contributing.py",
    "start/add-a-language.md": "test_contributing.py",
}
PAGES = sorted(
    str(path.relative_to(DOCS))
    for path in DOCS.rglob("*.md")
    if any(block.language in ("console", "python") for block in blocks_of(path.read_text("utf-8")))
)
DUTCH = [
    "(top (smain (n 0=zij) (ww 1=slaapt)) (let 2=.))",
    "(top (smain (np (lid 0=de) (n 1=hond)) (ww 2=slaapt)) (let 3=.))",
    "(top (smain (inf (n 0=dat) (ww 3=zien)) (ww 1=wil) (n 2=ik)) (let 4=.))",
    "(top (smain (n 0=ik) (ww 1=zie) (np (lid 2=een) (n 3=man) (rel (vnw 5=die) (ww 6=slaapt))) (adv 4=daar)))",
]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory, tiny_joint_tags: Path) -> Path:
    """A folder with small files under the names that pages use."""
    folder = tmp_path_factory.mktemp("files")
    trees = list(read(TREES))
    for name in ("train", "dev", "test", "gold", "predicted", "baseline", "ours", "some", "train.tagged"):
        write(trees, folder / f"{name}.discbracket")
    for name in ("train", "dev", "test", "trees"):
        write(trees, folder / f"{name}.export")
    numbered = [tree.annotated(id=f"s{number}") for number, tree in enumerate(trees, 2391)]
    write(numbered, folder / "tiger.xml", "tigerxml")
    write(trees, folder / "negra.export", charset="latin-1")
    _alpino(folder)
    _texts(folder)
    for name in ("model", "one", "two", "three"):
        shutil.copytree(tiny_joint_tags, folder / name)
    for name in ("small", "my-model"):
        shutil.copytree(CHECKOUT / "src" / "permutree" / "models" / "en", folder / name)
    return folder


def _alpino(folder: Path) -> None:
    trees = [Tree.parse(line) for line in DUTCH]
    for number, tree in enumerate(trees):
        nodes = len(tree.words) + len(tree.constituents)
        trees[number] = tree.annotated(functions=("hd",) * nodes, morphology=("sg",) * len(tree.words))
    named = [tree.annotated(id=f"raw/cdb/{number}") for number, tree in enumerate(trees * 10)]
    write(named, folder / "raw.tar.xz", "alpino")
    for split in ("train", "dev", "test"):
        (folder / "alpino").mkdir(exist_ok=True)
        write(trees, folder / "alpino" / f"{split}.discbracket")
        write(trees, folder / "alpino" / f"{split}.discbracket.xz")


def _texts(folder: Path) -> None:
    text = "What do you want to eat? I asked.\n"
    for name in ("news", "book", "notes"):
        (folder / f"{name}.txt").write_text(text, "utf-8")
    (folder / "texts").mkdir()
    (folder / "texts" / "one.txt").write_text(text, "utf-8")
    (folder / "news.tok").write_text("How does it work ?\n", "utf-8")
    (folder / "news.tsv").write_text("How\tWRB\ndoes\tVBZ\nit\tPRP\nwork\tVB\n?\t.\n\n", "utf-8")
    with gzip.open(folder / "news.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write(json.dumps({"id": "1", "text": "Das ist gut."}) + "\n")
    pandas.DataFrame({"url": ["a"], "body": [text]}).to_parquet(folder / "dump.parquet")


@pytest.fixture
def shell(files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A shell in a copy of that folder, and names that blocks of Python take for granted."""
    torch.set_num_threads(1)
    folder = tmp_path / "folder"
    shutil.copytree(files, folder)
    monkeypatch.chdir(folder)
    trees = list(read("dev.discbracket"))
    batch = TreeBatch.from_trees(trees)
    names: dict[str, Any] = {
        "trees": trees,
        "training_trees": trees,
        "sentences": [tree.words for tree in trees],
        "texts": ["It works."],
        "words": [tree.words for tree in trees],
        "tags": [tree.tags for tree in trees],
        "batches": [(batch, batch)],
        "documents": pyarrow.RecordBatch.from_pydict({"id": ["1"], "text": ["It works."]}),
    }
    return Shell(names=names, stand_ins={"model"})


@pytest.mark.parametrize("page", [page for page in PAGES if page not in ELSEWHERE])
def test_a_page_runs(page: str, shell: Shell) -> None:
    run_page((DOCS / page).read_text("utf-8"), shell)


def test_other_tests_are_there() -> None:
    assert set(ELSEWHERE) <= set(PAGES)
    for test in set(ELSEWHERE.values()):
        assert Path(__file__).with_name(test).is_file()


def test_only_blocks_that_are_marked_are_left_out() -> None:
    page = "```console\n$ pip install x\n$ permutree info \\\n  en\n```\n"
    page += "\n<!-- not run: needs a GPU -->\n```console\n$ no\n```\n"
    first, second = blocks_of(page)
    assert [typed for typed, _ in first.commands] == ["pip install x", "permutree info    en"]
    assert second.needs == "a GPU"
    assert run_page(page, Shell()) == 1
    assert any("pip install x".startswith(prefix) for prefix in SETTING_UP)
    with pytest.raises(ValueError, match="nor one that sets up: permuter parse x"):
        run_page("```console\n$ permuter parse x\n```\n", Shell())
    with pytest.raises(ValueError, match="'luck' is not among"):
        blocks_of("<!-- not run: needs luck -->\n```console\n$ no\n```\n")
