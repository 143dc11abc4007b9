"""The core needs neither torch nor any other heavy library, and the package itself imports nothing at all."""

import subprocess
import sys

HEAVY = ("torch", "transformers", "onnxruntime", "ray", "spacy", "nltk", "treetools")
CORE = (
    "tree",
    "draft",
    "forest",
    "treebanks",
    "treebanks.recipes",
    "encoding",
    "evaluation",
    "drawing",
    "text",
    "models",
    "cli",
)


def imported_by(statement: str) -> set[str]:
    code = f"import sys; {statement}; print(' '.join(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in run.stdout.split()}


def test_core_imports_nothing_heavy() -> None:
    loaded = imported_by("import " + ", ".join(f"permutree.{name}" for name in CORE))
    assert not loaded & set(HEAVY)


def test_package_and_help_import_no_numpy() -> None:
    assert "numpy" not in imported_by("import permutree")
    assert "numpy" not in imported_by("import permutree.cli, permutree.treebanks")


def test_public_names() -> None:
    import permutree

    for name in permutree.__all__:
        assert getattr(permutree, name) is not None
        assert name in dir(permutree)
