"""The page about public names is complete, what it names is there, and help reads well."""

import inspect
import pydoc
import re
from importlib import import_module
from pathlib import Path

import pytest

import permutree

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "reference" / "api.md").read_text("utf-8")
NAMES, MODULES = (
    dict(re.findall(r"^\| `(.*?)` \| (.*) \|$", table, re.MULTILINE))
    for table in re.findall(r"^\| (?:name|module) \|.*\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
)


def test_every_public_name_is_documented() -> None:
    assert set(NAMES) == set(permutree.__all__)
    assert sorted(permutree.__all__) == permutree.__all__


def test_what_modules_have() -> None:
    for module, public in MODULES.items():
        found = import_module(module)
        for name in re.findall(r"`(\w+)`", public):
            assert name in found.__all__, f"{module}.{name}"


def test_the_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for block in re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL):
        exec(compile(block, "api.md", "exec"), {})
    assert "<title>VP: " in Path("tree.svg").read_text("utf-8")


def test_deprecated_names_work_and_warn() -> None:
    for old, (new, version) in permutree._DEPRECATED.items():
        with pytest.warns(DeprecationWarning, match=f"permutree.{old} is now permutree.{new}; .*version {version}"):
            assert getattr(permutree, old) is getattr(permutree, new)
        assert old not in permutree.__all__
        assert f"`permutree.{old}`, which is `permutree.{new}`; it goes in version {version}" in PAGE
    with pytest.raises(AttributeError, match="has no attribute 'Nodes'"):
        _ = permutree.Nodes


@pytest.mark.parametrize("name", permutree.__all__)
def test_help(name: str) -> None:
    found = getattr(permutree, name)
    own = vars(found).get("__doc__") if inspect.isclass(found) else found.__doc__
    assert own
    if inspect.isclass(found):
        members = {key: getattr(found, key) for key in vars(found) if not key.startswith("_")}
        ours = {key: one for key, one in members.items() if inspect.isfunction(one) or isinstance(one, property)}
        assert not [key for key, one in ours.items() if not one.__doc__]


def test_help_of_the_package_names_everything() -> None:
    head = pydoc.plain(pydoc.render_doc(permutree)).partition("PACKAGE CONTENTS")[0]
    assert not [name for name in permutree.__all__ if not re.search(rf"\b{name}\b", head)]
    assert max(map(len, head.splitlines())) <= 124
