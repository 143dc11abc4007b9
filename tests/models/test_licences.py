"""What the package and its models may be used under."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.licenses import canonicalize_license_expression

from permutree.model.folder import Outline
from permutree.models import folder, names

CHECKOUT = Path(__file__).resolve().parents[2]
#: licence, as models say it → SPDX identifier
IDENTIFIERS = {
    "Apache 2.0": "Apache-2.0",
    "CC BY 3.0": "CC-BY-3.0",
    "CC BY-SA 4.0": "CC-BY-SA-4.0",
    "LGPL 2.1 or later": "LGPL-2.1-or-later",
}


@pytest.fixture(scope="module")
def project() -> dict[str, object]:
    found: dict[str, object] = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]
    return found


@pytest.mark.parametrize("name", names())
def test_each_model_carries_its_licence(name: str) -> None:
    text = (folder(name) / "LICENSE").read_text("utf-8")
    licence = Outline.read(folder(name)).facts["licence"]
    assert isinstance(licence, str)
    assert text.startswith(f"SPDX-License-Identifier: {IDENTIFIERS[licence]}\n")
    # Whoever made the treebank is named as on the card.
    card = (folder(name) / "README.md").read_text("utf-8")
    sources = re.findall(r"^- .*; (https://\S+)\)$", card, re.MULTILINE)
    assert sources
    assert all(source in text for source in sources)


def test_the_package_names_all_licences(project: dict[str, object]) -> None:
    expression = project["license"]
    assert isinstance(expression, str)
    assert canonicalize_license_expression(expression) == expression
    licences = {str(Outline.read(folder(name)).facts["licence"]) for name in names()}
    assert set(expression.split(" AND ")) == {"MIT", *(IDENTIFIERS[licence] for licence in licences)}


def test_the_package_carries_all_licences(project: dict[str, object]) -> None:
    patterns = project["license-files"]
    assert isinstance(patterns, list)
    files = {path for pattern in patterns for path in CHECKOUT.glob(pattern)}
    assert files == {CHECKOUT / "LICENSE", *(folder(name) / "LICENSE" for name in names())}
