"""The script that tries extras knows all of them, and what it runs is Python."""

import tomllib

import pytest

from conftest import CHECKOUT, script

SCRIPT = script("extras.py")
#: extras that are heavy, or made of others
NOT_LIGHT = {"all", "dask", "docs", "ray", "spark", "test", "train"}


def test_all_light_extras() -> None:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]
    assert {*SCRIPT.EXTRAS} == {*project["optional-dependencies"]} - NOT_LIGHT
    assert not {*SCRIPT.PAGES} & {*SCRIPT.LINES}


@pytest.mark.parametrize("extra", SCRIPT.EXTRAS)
def test_examples_are_python(extra: str) -> None:
    compile(SCRIPT.example(extra), extra, "exec")
