"""The locked requirements say all that pyproject.toml asks for, and the bill of materials what is in the wheel."""

import hashlib
import json
import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from conftest import CHECKOUT, script

HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}")
PINNED = re.compile(r"([a-z0-9-]+)==([^ ]+)(?: ;.*?)? \\")


@pytest.fixture(scope="module")
def lock() -> ModuleType:
    return script("lock.py")


def pins(name: str) -> dict[str, set[str]]:
    """The versions in a file of requirements; every one of them has checksums."""
    versions: dict[str, set[str]] = {}
    text = (CHECKOUT / "requirements" / f"{name}.txt").read_text("utf-8")
    for entry in re.split(r"\n(?=[a-z])", text)[1:]:
        first, *hashes = entry.strip().split("\n")
        found = PINNED.fullmatch(first)
        assert found is not None, first
        assert hashes, first
        assert all(HASH.match(line.strip()) for line in hashes), first
        versions.setdefault(found[1], set()).add(found[2])
    return versions


def test_what_is_asked_for_is_locked(lock: ModuleType) -> None:
    again = "run `make lock`"
    parse, build = pins("parse"), pins("build")
    assert {lock.name_of(requirement) for requirement in lock.declared()} <= parse.keys(), again
    assert {lock.name_of(requirement) for requirement in lock.build_system()} <= build.keys(), again
    docs = pins("docs")
    assert {lock.name_of(requirement) for requirement in lock.declared("docs")} <= (parse | build | docs).keys(), again
    everything = parse | build | docs | pins("test") | pins("torch")
    assert {lock.name_of(requirement) for requirement in lock.declared("test")} <= everything.keys(), again
    assert set(pins("lock")) == {"uv"}


def test_locked_versions_are_those_of_the_constraints(lock: ModuleType) -> None:
    lines = (CHECKOUT / "constraints.txt").read_text("utf-8").splitlines()[1:]
    wanted = {lock.name_of(line): line.partition("==")[2] for line in lines}
    for name in ("parse", "build", "docs", "test", "torch", "cuda"):
        for package, versions in pins(name).items():
            assert package not in wanted or versions == {wanted[package]}, f"{package}: run `make lock`"


def test_extras_are_followed(lock: ModuleType) -> None:
    names = {lock.name_of(requirement) for requirement in lock.declared("test")}
    assert {"torch", "resvg-py", "pytest", "matplotlib", "numpy"} <= names
    assert "permutree" not in names


@pytest.fixture(scope="module")
def bill(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    spec = spec_from_file_location("hatch_build", CHECKOUT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    found = module.bill_of_materials(CHECKOUT, "1.2.3")
    assert found == module.bill_of_materials(CHECKOUT, "1.2.3")
    return json.loads(json.dumps(found))  # type: ignore[no-any-return]


def test_the_bill_names_packages_and_models(bill: dict[str, object], lock: ModuleType) -> None:
    components = bill["components"]
    assert isinstance(components, list)
    libraries = {one["name"] for one in components if one["type"] == "library"}
    assert libraries == {lock.name_of(requirement) for requirement in lock.declared()}
    models = {one["name"]: one for one in components if one["type"] == "machine-learning-model"}
    from permutree.models import names

    assert set(models) == set(names())
    for model in models.values():
        assert model["licenses"][0]["license"]["name"] != "unknown"
        for file in model["components"]:
            path = Path(CHECKOUT / "src" / file["name"])
            assert file["hashes"] == [{"alg": "SHA-256", "content": hashlib.sha256(path.read_bytes()).hexdigest()}]
