"""Hostile ids, words, labels, tags, functions and facts, in everything that is written, drawn or printed."""

import json
import re
import shutil
import sys
import tarfile
import zipfile
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath
from typing import Any
from xml.etree import ElementTree

import pytest

from permutree import PermutreeError, Tree, read, write
from permutree.cli import main
from permutree.formats.registry import WRITABLE
from permutree.models import folder
from permutree.training.card import model_card
from permutree.trees.builder import Leaf, Node, TreeBuilder

STRINGS = {
    "escape": "x\x1b[31m\x1b]0;owned\x07",
    "c1": "x\x9b2J\x85",
    "override": "x\u202efdp.exe\u2066",
    "lines": "x\r\n\\input{/etc/passwd}",
    "latex": "x}\\immediate\\write18{id}%^^M",
    "markup": "x</text></svg><script>alert(1)</script>",
    "attribute": "x\" onload='alert(1)",
    "path": "../../../etc/cron.d/x",
    "absolute": "/etc/passwd",
    "windows": "C:\\x\\..\\con",
    "formula": "=cmd|'/C calc'!A0",
    "markdown": "|`x`[y](javascript:z)<img src=x onerror=alert(1)>",
    "zero": "x\0y",
    "surrogate": "x\ud800y",
}
FIELDS = ("id", "word", "label", "tag", "function")
#: what steers a terminal; lines may end, and columns be told apart
STEERING = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
TAGS = {"html", "head", "meta", "title", "style", "body", "h1", "figure", "figcaption", "a", "span", "bdi", "div"}
TAGS |= {"svg", "desc", "rect", "g", "path", "text"}
#: pictures in pixels are made from SVG
DRAWINGS = [name for name, entry in WRITABLE.items() if entry.read is None and name != "png"]
PROGRAMS = [name for name, entry in WRITABLE.items() if entry.read is not None]
ONE_BY_ONE = [name for name, entry in WRITABLE.items() if entry.files is not None and name != "png"]


def tree_with(text: str, *fields: str) -> Tree:
    """A tree with a text in these places."""

    def at(field: str, plain: str) -> str:
        return text if field in fields else plain

    words = [
        Leaf("How", "WRB"),
        Leaf(at("word", "does"), at("tag", "VBZ"), function=at("function", "HD")),
        Leaf("it", "PRP"),
        Leaf("work", "VB"),
    ]
    inner = Node(at("label", "VP"), [words[0], words[3]], function=at("function", "OC"))
    return Tree.of(TreeBuilder(Node("S", [inner, words[1], words[2]]), words, id=at("id", "s1")))


HOSTILE = [
    pytest.param(tree_with(text, field), id=f"{name}-{field}") for name, text in STRINGS.items() for field in FIELDS
]


class Tags(HTMLParser):
    """Collects the tags and attributes of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.add(tag)
        self.attributes.update(name for name, _ in attrs)


def written(tree: Tree, name: str, path: Path) -> list[bytes]:
    """What is written of a tree in a format, with all options that show more of it; nothing if it is refused."""
    chosen = WRITABLE[name]
    found = []
    for fragment in (False, True) if "fragment" in chosen.write_options else (False,):
        options: dict[str, Any] = {"fragment": True} if fragment else {}
        if "functions" in chosen.write_options and chosen.read is None:
            options["functions"] = True
        if "title" in chosen.write_options:
            options |= {"title": tree.id or "", "language": tree.words[1]}
        write([tree], path, name, **options)
        found.append(path.read_bytes())
    return found


@pytest.mark.parametrize("tree", HOSTILE)
@pytest.mark.parametrize("name", DRAWINGS)
def test_drawings(name: str, tree: Tree, tmp_path: Path) -> None:
    for content in written(tree, name, tmp_path / f"x{WRITABLE[name].suffixes[0]}"):
        text = content.decode()
        assert not STEERING.search(text)
        if name in ("svg", "html"):
            page = Tags()
            page.feed(text)
            assert page.found <= TAGS
            assert not any(attribute.startswith("on") for attribute in page.attributes)
        if name == "svg":
            ElementTree.fromstring(text)
        if name == "latex":
            assert not re.search(r"^[^%\n]*\\(input|immediate|write)", text, re.MULTILINE)
            # A comment stays in its line.
            assert not re.search(r"^(?![ \\%}]|$)", text, re.MULTILINE)


@pytest.mark.parametrize("tree", HOSTILE)
@pytest.mark.parametrize("name", PROGRAMS)
def test_formats_that_programs_read_keep_words_or_refuse_them(name: str, tree: Tree, tmp_path: Path) -> None:
    path = tmp_path / "trees"
    try:
        written(tree, name, path)
    except PermutreeError:
        assert not list(tmp_path.iterdir())
        return
    (again,) = read(path, name)
    if WRITABLE[name].is_discontinuous:
        assert again.words == tree.words
    else:
        assert sorted(again.words) == sorted(tree.words)


@pytest.mark.parametrize("suffix", [".zip", ".tar", ".tar.gz", "/"])
@pytest.mark.parametrize(
    "name", [name for name, entry in WRITABLE.items() if entry.files is not None and name != "png"]
)
def test_archives_and_directories(name: str, suffix: str, tmp_path: Path) -> None:
    trees = [tree_with(text, "id") for text in [*STRINGS.values(), "..", ".", "", "a/../../b", "s1", "S1", "s1"]]
    if WRITABLE[name].read is not None:
        # What XML cannot hold is refused.
        trees = [tree for tree in trees if not tree.id or not re.search("[\0-\x08\x0b-\x1f\ud800-\udfff]", tree.id)]
    path = f"{tmp_path}/out{suffix}"
    write(trees, path, name)
    if suffix == "/":
        names = [file.relative_to(path).as_posix() for file in Path(path).rglob("*") if file.is_file()]
    elif suffix == ".zip":
        with zipfile.ZipFile(path) as zipped:
            names = zipped.namelist()
    else:
        with tarfile.open(path) as tarred:
            names = tarred.getnames()
    assert len(set(map(str.casefold, names))) == len(trees)
    for member in names:
        parts = PurePosixPath(member).parts
        assert not PurePosixPath(member).is_absolute()
        assert ".." not in parts
        assert not re.search(r"[\0-\x1f\\:]", member)
    assert [file.name for file in tmp_path.iterdir()] == [f"out{suffix}".removesuffix("/")]
    if WRITABLE[name].read is not None:
        again = [tree.id for tree in read(path, name)]
        assert len(again) == len(trees)
        assert {tree.id for tree in trees if tree.id} <= set(again)


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> object:
    """Runs a command, and checks what it prints."""

    def run(*arguments: object) -> str:
        monkeypatch.setattr(sys, "argv", ["permutree", *map(str, arguments)])
        with pytest.raises(SystemExit):
            main()
        printed = capsys.readouterr()
        assert "Traceback" not in printed.err
        for text in printed:
            assert not STEERING.search(text), (arguments, text)
        return printed.out + printed.err

    return run


@pytest.mark.parametrize("name", ["escape", "c1", "override"])
def test_what_commands_print(name: str, shown: object, tmp_path: Path) -> None:
    assert callable(shown)
    text = STRINGS[name]
    gold, predicted = tmp_path / f"gold {text}.jsonl".replace("\n", ""), tmp_path / "predicted.jsonl"
    write([tree_with(text, "id", "label", "tag")], gold)
    write([tree_with(text, "id")], predicted)
    for arguments in (
        ["stats", gold, "--labels"],
        ["stats", gold, "--labels", "--json"],
        ["evaluate", gold, predicted, "--report", "all"],
        ["evaluate", gold, predicted, "--report", "all", "--json"],
        ["evaluate", gold, predicted, "--report", "sentences", "--csv"],
        ["evaluate", gold, predicted, "--report", "categories", "--latex"],
        ["evaluate", gold, predicted, gold],
        ["labels", gold],
        ["labels", gold, "--latex"],
        ["labels", gold, "--json"],
        ["draw", gold],
        ["diff", gold, predicted],
        ["explain", text],
        ["info", f"{tmp_path}/{text}"],
        ["parse", f"./{text}.txt"],
        ["parse", "--lang", text],
        [text],
        ["convert", gold, tmp_path / text / "x.jsonl"],
        ["convert", gold, tmp_path / f"x.{text}"],
        ["draw", gold, "--id", text + "x"],
    ):
        assert shown(*arguments).strip()
    broken = tmp_path / "broken.jsonl"
    broken.write_text(json.dumps({"id": text, "words": [text], "tags": []}) + "\n", "utf-8")
    assert "error" in shown("convert", broken, "-")
    assert "skipped" in shown("convert", broken, "-", "--skip-bad", "--to", "jsonl")


def test_facts_of_models(shown: object, tmp_path: Path) -> None:
    assert callable(shown)
    model = tmp_path / "model"
    shutil.copytree(folder("nl"), model)
    config = json.loads((model / "config.json").read_text("utf-8"))
    del config["files"]
    config["facts"] |= {"licence": STRINGS["escape"], "data": STRINGS["override"], "language": "nl\x1b[2J"}
    config["facts"]["scores"] = {STRINGS["c1"]: {STRINGS["escape"]: {STRINGS["override"]: 1.0}}}
    (model / "config.json").write_text(json.dumps(config), "utf-8")
    assert "␛[31m" in shown("info", model)
    shown("info", model, "--json")
    config["facts"]["scores"] = ["no", "table"]
    (model / "config.json").write_text(json.dumps(config), "utf-8")
    assert "is damaged" in shown("info", model)


@pytest.mark.parametrize("text", STRINGS.values(), ids=STRINGS)
def test_model_cards(text: str, tiny_model: Path) -> None:
    from permutree.networks.model import Model

    model = Model.load(tiny_model)
    model.facts = {**model.facts, "device": text, "torch": text}
    model.training = {"data": {"train": [text], "dev": [text], "licence": text}}
    card = model_card(model, text.replace("/", "_"))
    assert not STEERING.search(card)
    span = r"(?<!\\)`.*?(?<!\\)`"
    card, code = re.sub(span, "", card), re.findall(span, card)
    assert len(code) == 3
    assert card.count("\n") == model_card(Model.load(tiny_model), "plain").count("\n")
    assert not re.search(r"(?<!\\)<|(?<!\\)\[", card)
