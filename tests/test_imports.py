"""The core needs neither torch nor any other heavy library, and the package itself imports nothing at all."""

import subprocess
import sys

HEAVY = {
    "accelerate",
    "nltk",
    "onnx",
    "onnxruntime",
    "pyarrow",
    "ray",
    "safetensors",
    "spacy",
    "tokenizers",
    "torch",
    "transformers",
    "treetools",
}
CORE = (
    "trees.tree",
    "trees.builder",
    "trees.batch",
    "formats",
    "treebanks.recipes",
    "encoding",
    "evaluation",
    "drawing",
    "languages",
    "cli",
)
#: what it takes to parse on a CPU
INFERENCE = ("parsing.parser", "parsing.onnx_engine", "parsing.description", "parsing.processes", "models")


def imported_by(statement: str) -> set[str]:
    code = f"import sys; {statement}; print(' '.join(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in run.stdout.split()}


def test_core_imports_nothing_heavy() -> None:
    loaded = imported_by("import " + ", ".join(f"permutree.{name}" for name in CORE))
    assert not loaded & HEAVY


def test_parsing_on_a_cpu_needs_the_runtime_only() -> None:
    loaded = imported_by("import " + ", ".join(f"permutree.{name}" for name in INFERENCE))
    assert loaded & HEAVY == {"onnxruntime"}


def test_package_and_help_import_no_numpy() -> None:
    assert "numpy" not in imported_by("import permutree")
    assert "numpy" not in imported_by("import permutree.cli, permutree.formats")


def test_public_names() -> None:
    import permutree

    for name in permutree.__all__:
        assert getattr(permutree, name) is not None
        assert name in dir(permutree)
