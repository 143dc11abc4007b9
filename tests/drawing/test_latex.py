"""Drawings for LaTeX."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from permutree.drawing import draw_latex, draw_latex_document
from permutree.errors import TreeError
from permutree.trees.tree import Tree

GERMAN = Tree.parse(
    "(ROOT (S (VP (AVP (ADV 0=Noch) (ADV 1=nie)) (NP (ADV 4=so) (PIAT 5=viel)) (VVPP 6=gewählt)) "
    "(VAFIN 2=habe) (PPER 3=ich)) ($. 7=.))"
)
SPECIAL = Tree.from_constituents(
    ["a\\b{c}", "$%&#_^~", "''--\"``", "<<>>|!`?`", "two words", "漢字שלום😀", "\x00"],
    ["$.", "PRP$", "A_B", "#", "%", "&", "^"],
    [("S_1", range(7)), ("{}", [0, 2])],
)


def test_picture() -> None:
    picture = draw_latex(GERMAN)
    assert picture.startswith("\\begin{tikzpicture}")
    assert picture.endswith("\\end{tikzpicture}\n")
    assert re.findall(r"\\node\[word\] at \([^)]*\) \{(.*)\};", picture) == list(GERMAN.words)
    assert re.findall(r"\\node\[tag\] at \([^)]*\) \{(.*)\};", picture) == [*GERMAN.tags[:-1], r"\$."]
    assert picture.count("text=gap0") == 1
    assert "documentclass" not in picture


def test_functions() -> None:
    tree = Tree.parse("(S (NP (NN 0=a)) (VB 1=b))").annotated(functions=("--", "HD", None, "SB"))
    functions = re.findall(r"\\node\[function\] at \([^)]*\) \{(.*)\};", draw_latex(tree, functions=True))
    assert sorted(functions) == ["HD", "SB"]


def test_too_wide_for_tex() -> None:
    long = Tree.parse("(S " + " ".join(f"(X {index}=word)" for index in range(1000)) + ")")
    with pytest.raises(TreeError, match="draw this tree as svg"):
        draw_latex(long)


def compile_document(engine: str, text: str, folder: Path) -> int:
    """Typeset a document and return its number of pages."""
    if shutil.which(engine) is None or subprocess.run(["kpsewhich", "tikz.sty"], capture_output=True).returncode:
        pytest.skip(f"{engine} with TikZ is not here")
    (folder / "trees.tex").write_text(text, "utf-8")
    call = [engine, "-interaction=nonstopmode", "-halt-on-error", "trees.tex"]
    done = subprocess.run(call, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    match = re.search(r"Output written on trees.pdf \((\d+) pages?", done.stdout.replace("\n", ""))
    assert match is not None
    return int(match[1])


@pytest.mark.parametrize("engine", ["pdflatex", "lualatex"])
def test_document_compiles(engine: str, tmp_path: Path) -> None:
    trees = [GERMAN, Tree.parse("(S (NN 0=þæðöß))"), Tree.parse("(NN 0=ja)")]
    if engine == "pdflatex":
        trees.append(SPECIAL)  # the default font of lualatex has no Chinese, and a missing character is an error
    assert compile_document(engine, draw_latex_document(trees), tmp_path) == len(trees)


def test_standalone_picture_compiles(tmp_path: Path) -> None:
    assert compile_document("pdflatex", draw_latex(GERMAN, standalone=True), tmp_path) == 1


def test_picture_compiles_inside_another_document(tmp_path: Path) -> None:
    before = "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{tikz}\\begin{document}A tree: "
    text = f"{before}{draw_latex(GERMAN)}\\end{{document}}"
    assert compile_document("pdflatex", text, tmp_path) == 1
