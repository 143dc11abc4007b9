"""Without the library of an integration, an error names the extra to install; all else works."""

import subprocess
import sys
import tomllib
from pathlib import Path
from textwrap import dedent

import pytest

ROOT = Path(__file__).resolve().parents[2]

#: what is missing, the extra that has it, and what a user does without it
MISSING = [
    ("spacy", "spacy", "import permutree.integrations.spacy"),
    ("spacy", "spacy", "import permutree.integrations.spacy_attributes"),
    ("nltk", "nltk", "tree.to_nltk()"),
    ("nltk", "nltk", "from permutree.integrations.nltk import TreebankReader"),
    ("networkx", "networkx", "tree.to_networkx()"),
    ("pandas", "pandas", "from permutree.integrations.pandas import trees_to_frame"),
    ("pandas", "pandas", "permutree.Corpus.of([tree]).frame('#n:[NT]')"),
    ("pyarrow", "arrow", "from permutree.integrations.pandas import trees_to_frame; trees_to_frame([tree])"),
    ("pyarrow", "arrow", "permutree.write([tree], 'missing.parquet')"),
    ("pyarrow", "arrow", "list(permutree.read('pyproject.toml', 'parquet'))"),
    ("huggingface_hub", "hub", "permutree.Parser.load('hf:someone/something')"),
    ("datasets", "datasets", "from permutree.integrations.datasets import load_treebank"),
    ("IPython", "notebook", "permutree.display(tree, jupyter=True)"),
    ("resvg_py", "png", "permutree.draw(tree, 'png')"),
    ("tokenizers", "pretrained", "permutree.Parser.load('packages/en-large')"),
    ("lark", "search", "permutree.Corpus.of([tree]).count('NP < VP', syntax='tregex')"),
    ("dask", "dask", "from permutree.integrations.dask import parse; parse(None)"),
    ("ray", "ray", "from permutree.integrations.ray import parse; parse(None)"),
    ("pyspark", "spark", "from permutree.integrations.spark import parse; parse(None)"),
    ("torch", "train", "permutree.train('best', train='t', dev='d', out='o')"),
    ("torch", "train", "permutree.Parser.load('en', 'cuda')"),
    ("torch", "train", "permutree.Parser.load('en').labels([['x']], states=True)"),
    ("fastapi", "serve", "from permutree.cli.serve import command; command.main([], standalone_mode=False)"),
    ("uvicorn", "serve", "from permutree.cli.serve import command; command.main([], standalone_mode=False)"),
    ("prometheus_client", "serve", "from permutree.cli.serve import command; command.main([], standalone_mode=False)"),
]


@pytest.mark.parametrize(("name", "extra", "code"), MISSING)
def test_the_error_names_the_extra(name: str, extra: str, code: str) -> None:
    script = f"""
    import sys
    sys.modules[{name!r}] = None
    import permutree
    tree = permutree.Tree.parse("(S (NP (PRP 0=it)) (VBZ 1=works))")
    try:
        {code}
    except permutree.ConfigError as error:
        print(error)
    """
    run = subprocess.run([sys.executable, "-c", dedent(script)], capture_output=True, text=True, cwd=ROOT)
    assert run.returncode == 0, run.stderr
    assert f"pip install 'permutree[{extra}]'" in run.stdout
    assert "ConfigError" not in run.stdout, "an error within another"
    assert not (ROOT / "missing.parquet").exists()


def test_every_extra_is_tried() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert {extra for _, extra, _ in MISSING} == {*project["optional-dependencies"]} - {"all", "docs", "test"}
