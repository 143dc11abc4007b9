"""Which sentences of open text are parsed for silver data."""

import importlib
import lzma
import random
import sys
from pathlib import Path
from types import ModuleType

import pytest

from permutree_lab.folders import LAB


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module."""
    monkeypatch.syspath_prepend(str(LAB / "models"))
    return importlib.import_module("sentences")


def test_only_biology_has_brackets(script: ModuleType, tmp_path: Path) -> None:
    lines = ["It runs (fast) here.", "It runs here.", "A cell (of nerves) lives.", "A pan-nerve cell [1] lives."]
    with lzma.open(tmp_path / "en.txt.xz", "wt", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    rows = ["package\tlanguage\tsentences", "manual_1.deb\ten\t2", f"{script.BIOLOGY[0]}-1.whl\ten\t2"]
    (tmp_path / "sources.tsv").write_text("\n".join(rows) + "\n", "utf-8")
    found = script.sentences(script.texts(tmp_path, "en", random.Random(1)), "en")
    fewer = script.texts(tmp_path, "en", random.Random(1), definitions=1)
    assert [line.is_biology for line in fewer] == [False, False, True]
    assert [line.text for line in found] == [
        "It runs here .",
        "A cell ( of nerves ) lives .",
        "A pan - nerve cell [ 1 ] lives .",
    ]


def test_definitions_that_begin_alike_are_few(script: ModuleType) -> None:
    alike = [f"Any muscle cell of kind {number}." for number in range(script.ALIKE + 5)]
    assert script.unlike(["A neuron.", *alike, "An organ."]) == ["A neuron.", *alike[: script.ALIKE], "An organ."]


def test_biology_is_not_left_out(script: ModuleType) -> None:
    found = [script.Line(str(number), number % 10 == 0) for number in range(100)]
    chosen = script.at_most(found, 30, random.Random(1))
    assert len({*chosen}) == 30
    assert {str(number) for number in range(0, 100, 10)} <= {line.text for line in chosen}
    assert len(script.at_most(found, None, random.Random(1))) == 100


def test_biology_can_be_apart(script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with lzma.open(tmp_path / "en.txt.xz", "wt", encoding="utf-8") as file:
        file.write("It runs here.\nA cell (of nerves) lives.\n")
    rows = ["package\tlanguage\tsentences", "manual_1.deb\ten\t1", f"{script.BIOLOGY[0]}-1.whl\ten\t1"]
    (tmp_path / "sources.tsv").write_text("\n".join(rows) + "\n", "utf-8")
    given = [str(tmp_path), str(tmp_path / "out"), "--languages", "en"]
    for options in ([], ["--apart"]):
        monkeypatch.setattr(sys, "argv", ["sentences.py", *given, *options])
        script.main()
    found = {file.name: lzma.open(file, "rt").read().splitlines() for file in (tmp_path / "out").iterdir()}  # noqa: SIM115
    assert found.pop("en-biology.tokens.xz") == ["A cell ( of nerves ) lives ."]
    assert found.pop("en-other.tokens.xz") == ["It runs here ."]
    assert sorted(found.pop("en.tokens.xz")) == ["A cell ( of nerves ) lives .", "It runs here ."]
    assert not found
