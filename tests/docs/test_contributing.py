"""The steps of the pages for contributors, followed: their modules and tests are put into a copy of the checkout."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from documented import TINY as TINY_BEST
from documented import blocks_of

CHECKOUT = Path(__file__).resolve().parents[2]
PAGES = [CHECKOUT / "docs" / name for name in ("contribute/contributing.md", "start/add-a-language.md")]

_SECTION = re.compile(r"^##? (Add [^\n]+)\n(.*?)(?=^##? Add |\Z)", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"^`(\S+\.py)`:\n\n```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)

#: sections of the page → their files with their texts
STEPS = {
    title: dict(_FILE.findall(text)) for page in PAGES for title, text in _SECTION.findall(page.read_text("utf-8"))
}
FILES = {name: text for files in STEPS.values() for name, text in files.items()}
#: tests that hold for all encodings, formats and languages
TESTS_OF_ALL = [
    "tests/encoding/permutations/test_registry.py",
    "tests/encoding/test_codec.py::test_fuzz[insertion-relative]",
    "tests/encoding/test_codec.py::test_long_sentences_with_many_gaps",
    "tests/encoding/test_codec.py::test_corner_cases",
    "tests/encoding/test_labelfile.py::test_files_lead_back",
    "tests/formats/test_registry.py::test_formats_are_found_and_listed_in_order",
    "tests/formats/test_registry.py::test_every_format_has_tests_of_its_own",
    "tests/languages/test_registry.py::test_languages_in_order",
    "tests/languages/test_registry.py::test_bundled_models",
    "tests/languages/test_glossary.py::test_lines_are_well_formed",
    "tests/languages/test_sentences.py::test_no_character_is_lost[es]",
    "src/permutree/encoding/__init__.py",
]
TREE = "(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))"
TINY = (
    "model.encoder.hidden=8",
    "model.encoder.layers=1",
    "model.embeddings.word=8",
    "model.embeddings.character=8",
    "model.embeddings.character_embedding=4",
)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout, with the files of the page."""
    folder = tmp_path_factory.mktemp("checkout")
    unneeded = shutil.ignore_patterns("__pycache__", "*.onnx", "lab", "docs", "training", "networks")
    # Bytecode goes with it: it holds for files of the same time.
    shutil.copytree(CHECKOUT / "src", folder / "src", ignore=shutil.ignore_patterns("*.onnx"))
    shutil.copytree(CHECKOUT / "tests", folder / "tests", ignore=unneeded)
    shutil.copy(CHECKOUT / "pyproject.toml", folder)
    for name, text in FILES.items():
        assert not (folder / name).exists()
        (folder / name).write_text(text, "utf-8")
    return folder


def run(copy: Path, *arguments: str, text: str = "") -> str:
    """What a module of Python prints, run with the copy of the package."""
    environment = os.environ | {"PYTHONPATH": str(copy / "src"), "OMP_NUM_THREADS": "1", "COLUMNS": "200"}
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        input=text,
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=copy,
        env=environment,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_each_step_takes_one_module_and_its_test() -> None:
    assert list(STEPS) == ["Add an encoding", "Add a format or a drawing", "Add a language"]
    for files in STEPS.values():
        module, test = map(Path, files)
        assert module.parts[:2] == ("src", "permutree")
        assert test == Path("tests", *module.parts[2:-1], f"test_{module.name}")


def test_code_of_the_page_is_clean(copy: Path) -> None:
    run(copy, "ruff", "check", *FILES)
    run(copy, "ruff", "format", "--check", *FILES)


def test_tests_of_the_page_and_of_all_encodings_formats_and_languages_pass(copy: Path) -> None:
    options = ["-n", "0", "-p", "no:cacheprovider", "-rs", "-k", "not (corner_cases or of_its_own) or insertion or csv"]
    said = run(copy, "pytest", *options, *FILES, *TESTS_OF_ALL)
    assert "SKIPPED" not in said


def test_the_encoding_encodes_and_decodes(copy: Path) -> None:
    labels = run(copy, "permutree", "encode", "-", "--encoding", "insertion", text=TREE)
    assert [line.split("\t")[-1] for line in labels.splitlines() if line] == ["0", "0", "0", "2"]
    assert run(copy, "permutree", "decode", "-", "--encoding", "insertion", text=labels).strip() == TREE


def test_the_format_is_written_by_all_commands(copy: Path) -> None:
    table = "sentence,label,gaps,words\n1,S,0,How does it work\n1,VP,1,How work\n"
    assert run(copy, "permutree", "convert", "-", "-", "--to", "csv", text=TREE) == table
    run(copy, "permutree", "draw", TREE, "-o", "drawn.csv")
    assert (copy / "drawn.csv").read_text("utf-8") == table


def test_a_model_with_the_encoding_parses_the_language_into_the_format(copy: Path, tiny_treebank: Path) -> None:
    files = ("--train", str(tiny_treebank), "--dev", str(tiny_treebank), "--out", "spanish")
    sizes = [argument for size in TINY for argument in ("--set", size)]
    given = ("--encoding", "insertion", "--tags", "none", "--epochs", "1")
    assert "F1" in run(copy, "permutree", "train", "paper-bilstm", *files, *given, *sizes)
    run(copy, "permutree", "parse", "--model", "spanish", "--lang", "es", "¿Qué dijo? No lo sé.", "-o", "parsed.csv")
    rows = (copy / "parsed.csv").read_text("utf-8").splitlines()
    assert rows[0] == "sentence,label,gaps,words"
    assert {row.split(",")[0] for row in rows[1:]} == {"1", "2"}
    assert any(row.endswith("¿ Qué dijo ?") for row in rows)


def test_the_commands_for_a_language_run(copy: Path, tiny_treebank: Path, tiny_onnx: Path) -> None:
    """Trained, and parsed with; the model that stands in for the exported one is one that others have exported."""
    blocks = blocks_of(PAGES[1].read_text("utf-8"))
    typed = {line.split()[1]: shlex.split(line)[1:] for block in blocks for line, _ in block.commands}
    assert list(typed) == ["-m", "convert", "train", "export", "parse", "serve"]
    shutil.copy(tiny_treebank, copy / "spanish.discbracket")
    run(copy, "permutree", "convert", "spanish.discbracket", "spanish.xml", "--to", "tigerxml")
    run(copy, "permutree", *typed["convert"])
    run(copy, "permutree", *typed["train"], *TINY_BEST)
    shutil.copytree(tiny_onnx, copy / "es", dirs_exist_ok=True)
    assert run(copy, "permutree", *typed["parse"]).count("\n") == 2
    (code,) = (block.text for block in blocks if block.text.startswith("from permutree import read"))
    (copy / "compare.py").write_text(code, "utf-8")
    assert "sentences have the same words" in run(copy, "compare")
