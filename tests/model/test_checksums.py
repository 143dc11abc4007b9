import contextlib
import json
import random
import shutil
from pathlib import Path

import pytest

from permutree import Parser
from permutree.errors import DataError, PermutreeError
from permutree.model.checksums import Checksums
from permutree.model.folder import Outline
from permutree.models import folder as folder_of
from permutree.models import names
from sealing import without_checksums

FILES = ("config.json", "words.json", "tags.json", "words.onnx", "model.onnx", "second.onnx")
OTHERS = ("training.json", "labels.onnx")


@pytest.fixture(params=["en", "de"])
def model(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of a bundled model."""
    return Path(shutil.copytree(folder_of(request.param), tmp_path / "model"))


def use(folder: Path) -> None:
    """Load a model and parse with it."""
    Parser.load(folder, threads=1).parse_tokens(["This", "is", "."])


def test_bundled_models_have_checksums_of_all_files() -> None:
    assert names()
    for name in names():
        # Not all have a record of what they were trained with, nor a graph for labels.
        there = {*FILES, *(path.name for one in OTHERS for path in folder_of(name).glob(one))}
        assert set(Outline.read(folder_of(name)).checksums.known) == there


@pytest.mark.parametrize("other", ["nl", "is"])
@pytest.mark.parametrize("name", FILES)
def test_files_of_another_model(model: Path, other: str, name: str) -> None:
    shutil.copyfile(folder_of(other) / name, model / name)
    with pytest.raises(DataError, match=r"damaged, or part of another model|words\.json|tags\.json"):
        use(model)


@pytest.mark.parametrize("other", ["nl", "is"])
@pytest.mark.parametrize("name", [*FILES[1:3], *FILES[4:]])
def test_files_of_another_model_without_checksums(model: Path, other: str, name: str) -> None:
    without_checksums(model)
    shutil.copyfile(folder_of(other) / name, model / name)
    if name == "words.json":
        # Numbers of words do not show in the sizes of graphs: it runs, as it did before there were checksums.
        use(model)
        return
    with pytest.raises(DataError, match=r"does not go with|is of size"):
        use(model)


@pytest.mark.parametrize("name", FILES)
def test_damage(model: Path, name: str) -> None:
    path = model / name
    content = path.read_bytes()
    random_ = random.Random(f"{name} {len(content)}")
    for _ in range(8):
        place = random_.randrange(len(content))
        changed = bytearray(content)
        changed[place] ^= 1 << random_.randrange(8)
        path.write_bytes(changed)
        if name == "config.json" and _same(content, bytes(changed)):
            continue
        with pytest.raises(DataError, match=name):
            Outline.read(model) if name.endswith("json") else Parser.load(model)
    for size in (0, 1, len(content) // 2, len(content) - 1):
        path.write_bytes(content[:size])
        with pytest.raises(DataError, match=name):
            Parser.load(model)
    path.unlink()
    with pytest.raises(PermutreeError, match=name):
        Parser.load(model, "cpu")


def _same(one: bytes, other: bytes) -> bool:
    """Whether two files say the same, as blanks do not count."""
    try:
        return bool(json.loads(one) == json.loads(other))
    except ValueError:
        return False


def test_graphs_that_are_damaged_and_have_no_checksums(model: Path) -> None:
    """Whatever a flipped bit does, it raises nothing of another library."""
    without_checksums(model)
    random_ = random.Random(5)
    for name in FILES[3:]:
        content = (model / name).read_bytes()
        for _ in range(4):
            changed = bytearray(content)
            # The beginning has the structure of the graph.
            changed[random_.randrange(4000)] ^= 1 << random_.randrange(8)
            (model / name).write_bytes(changed)
            with contextlib.suppress(PermutreeError):
                use(model)
        (model / name).write_bytes(content)
    use(model)


def test_a_change_by_hand_is_told_and_can_be_meant(model: Path) -> None:
    config = model / "config.json"
    settings = json.loads(config.read_text("utf-8"))
    settings["facts"]["licence"] = "mine"
    config.write_text(json.dumps(settings, indent=4, sort_keys=True), "utf-8")
    with pytest.raises(DataError, match=r"changed after it was written.* take out the entry 'files'"):
        Outline.read(model)
    without_checksums(model)
    assert Outline.read(model).facts["licence"] == "mine"
    # Written again, it has checksums again; the layout of config.json does not count.
    Outline.read(model).write(model)
    settings = json.loads(config.read_text("utf-8"))
    config.write_text(json.dumps(settings, sort_keys=True), "utf-8")
    assert Outline.read(model).checksums.known
    settings["files"] = ["words.json"]
    config.write_text(json.dumps(settings), "utf-8")
    with pytest.raises(DataError, match="is no list of checksums"):
        Outline.read(model)


def test_files_that_are_not_listed_are_not_checked(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("one")
    known = Checksums.of(tmp_path, ["a", "b"], {})
    assert known.contents("a") == b"one"
    (tmp_path / "b").write_text("two")
    known.check("b")
    (tmp_path / "a").write_text("two")
    for read in (known.contents, known.check):
        with pytest.raises(DataError, match="its SHA-256 differs"):
            read("a")
