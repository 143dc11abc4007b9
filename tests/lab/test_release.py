"""What a release needs is checked, and each check can fail."""

import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path
from types import ModuleType

import pytest

from conftest import CHECKOUT, script
from permutree import __version__


@pytest.fixture(scope="module")
def release() -> ModuleType:
    return script("release.py")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A checkout that is ready to be released, with what the checks read."""
    for name in ("pyproject.toml", "lab/pyproject.toml", "CITATION.cff", "src/permutree/__init__.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        text = (CHECKOUT / name).read_text("utf-8")
        (tmp_path / name).write_text(text.replace(__version__, "1.2.3"), "utf-8")
    (tmp_path / "CHANGELOG.md").write_text(
        "# Changes\n\n## 1.2.3 (2027-01-31)\n\n- New.\n\n## 1.2.2 (2026-01-01)\n", "utf-8"
    )
    return tmp_path


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def test_this_checkout_could_be_rehearsed(release: ModuleType) -> None:
    assert [*release.version_faults(CHECKOUT, True), *release.changelog_faults(CHECKOUT, True)] == []
    assert [*release.missing_files(CHECKOUT), *release.licence_faults(CHECKOUT)] == []
    assert [*release.citation_faults((CHECKOUT / "CITATION.cff").read_text("utf-8"))] == []
    assert release.version_of(CHECKOUT) == __version__


def test_versions_agree(release: ModuleType, root: Path) -> None:
    assert [*release.version_faults(root, False)] == []
    replace(root / "lab/pyproject.toml", "1.2.3", "1.2.2")
    replace(root / "CITATION.cff", "version: 1.2.3", "version: 1.2.2")
    assert [*release.version_faults(root, False)] == [
        "lab/pyproject.toml says 1.2.2, not 1.2.3",
        "CITATION.cff says 1.2.2, not 1.2.3",
    ]


def test_a_development_version_is_only_rehearsed(release: ModuleType, root: Path) -> None:
    for name in ("lab/pyproject.toml", "CITATION.cff", "src/permutree/__init__.py"):
        replace(root / name, "1.2.3", "1.2.3.dev0")
    assert [*release.version_faults(root, True)] == []
    assert "1.2.3.dev0 is no version to release" in next(iter(release.version_faults(root, False)))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("# Changes\n", "has no section"),
        ("## 1.2.3 (2027-01-31)\n\n## 1.2.2\n\n- Old.\n", "is empty"),
        ("## Unreleased\n\n- New.\n", "it should be '1.2.3 (YYYY-MM-DD)'"),
        ("## 1.2.2 (2027-01-31)\n\n- New.\n", "it should be '1.2.3 (YYYY-MM-DD)'"),
        ("## 1.2.3 (2027-02-31)\n\n- New.\n", "no date that there is"),
    ],
)
def test_change_logs(text: str, fault: str, release: ModuleType, root: Path) -> None:
    assert [*release.changelog_faults(root, False)] == []
    (root / "CHANGELOG.md").write_text(text, "utf-8")
    assert fault in next(iter(release.changelog_faults(root, False)))


def test_files_that_are_missing(release: ModuleType, root: Path) -> None:
    assert "there is no SECURITY.md" in [*release.missing_files(root)]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a: [", "no YAML"),
        ("- a", "no table"),
        ("cff-version: 1.2.0\ntitle: x\nmessage: x", "authors is missing"),
        ("cff-version: 1.2.0\ntitle: x\nmessage: x\nauthors: [{x: y}]", "an author has no name"),
        ("cff-version: 1.2.0\ntitle: 1\nmessage: x\nauthors: []", "title has no value of its kind: 1"),
        ("cff-version: 1.1.0\ntitle: x\nmessage: x\nauthors: []", "cff-version is not 1.2.0"),
        ("cff-version: 1.2.0\ntitle: x\nmessage: x\nauthors: []\nlicence: MIT", "licence is not known"),
        (
            "cff-version: 1.2.0\ntitle: x\nmessage: x\nauthors: []\npreferred-citation: {title: x}",
            "preferred-citation: authors",
        ),
    ],
)
def test_citations(text: str, fault: str, release: ModuleType) -> None:
    assert fault in "\n".join(release.citation_faults(text))


def test_licences_of_models(release: ModuleType, root: Path) -> None:
    place = root / "src" / "permutree" / "models" / "xx"
    place.mkdir(parents=True)
    (place / "config.json").write_text("{}", "utf-8")
    (place / "LICENSE").write_text("SPDX-License-Identifier: GPL-3.0-only\n", "utf-8")
    assert "are ['GPL-3.0-only', 'MIT']" in next(iter(release.licence_faults(root)))
    (place / "LICENSE").unlink()
    assert "does not begin with its SPDX identifier" in next(iter(release.licence_faults(root)))


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not here")
def test_what_git_knows(release: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def git(*arguments: str) -> None:
        identity = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *identity, *arguments], cwd=tmp_path, check=True, capture_output=True)

    monkeypatch.setattr(release, "LARGEST", 100)
    git("init", "--quiet")
    (tmp_path / "large file").write_text("x" * 200, "utf-8")
    (tmp_path / "small").write_text("x", "utf-8")
    git("add", ".")
    git("commit", "--quiet", "-m", "x")
    git("rm", "--quiet", "large file")
    git("commit", "--quiet", "-m", "y")
    assert [*release.uncommitted(tmp_path)] == []
    # It is gone, but everybody who clones the project gets it.
    assert [*release.large_files(tmp_path)] == ["large file has, or had, 200 bytes in git; the most is 100"]
    (tmp_path / "small").write_text("y", "utf-8")
    assert [*release.uncommitted(tmp_path)] == ["not committed: small"]


def test_a_date_is_a_date(release: ModuleType) -> None:
    assert release._RELEASED(f"1.2.3 ({date.today().isoformat()})")


def test_templates_are_forms() -> None:
    import yaml

    for path in sorted((CHECKOUT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")):
        form = yaml.safe_load(path.read_text("utf-8"))
        if path.name == "config.yml":
            continue
        assert {"name", "description", "body"} <= set(form)
        for part in form["body"]:
            assert part["type"] in ("markdown", "textarea", "input", "dropdown", "checkboxes")
            assert part["attributes"].get("label") or part["type"] == "markdown"
        ids = [part["id"] for part in form["body"] if part["type"] != "markdown"]
        assert len(ids) == len(set(ids))
    assert "permutree report" in (CHECKOUT / ".github" / "ISSUE_TEMPLATE" / "wrong-tree.yml").read_text("utf-8")


def test_pythons_run(release: ModuleType, tmp_path: Path) -> None:
    shim = tmp_path / "python3.99"
    shim.write_text("#!/bin/sh\nexit 127\n", "utf-8")
    shim.chmod(0o755)
    found = [*release.python_faults([sys.executable, str(shim), str(tmp_path / "nowhere")])]
    assert [fault.partition(" ")[0] for fault in found] == [str(shim), str(tmp_path / "nowhere")]
    assert "PYTHONS=" in found[0]
