"""The site is built without a warning, all links in it lead somewhere, and nothing in it comes from another host."""

import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
DOCS = CHECKOUT / "docs"
CONFIG = CHECKOUT / "mkdocs.yml"

#: elements whose addresses the browser fetches by itself
_FETCHED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}


class Page(HTMLParser):
    """What is on a page: anchors, links, what it fetches, and text that is not code."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.prose: list[str] = []
        self._inside: list[str] = []
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.ids.update(value for key in ("id", "name") if (value := found.get(key)))
        if tag == "a" and found.get("href"):
            self.links.append(str(found["href"]))
        if tag in _FETCHED and found.get(_FETCHED[tag]) and found.get("rel") not in ("canonical", "prev", "next"):
            self.fetched.append(str(found[_FETCHED[tag]]))
        if tag in ("pre", "code", "script", "style", "svg"):
            self._inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._inside and self._inside[-1] == tag:
            self._inside.pop()

    def handle_data(self, data: str) -> None:
        if not self._inside:
            self.prose.append(data)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built from a copy of its sources."""
    if find_spec("zensical") is None:
        if "PERMUTREE_CI" in os.environ:
            pytest.fail("zensical is not here: pip install 'permutree[docs]'")
        pytest.skip("zensical is not here")
    folder = tmp_path_factory.mktemp("site")
    shutil.copy(CONFIG, folder)
    shutil.copytree(DOCS, folder / "docs")
    (folder / "lab").mkdir()
    for name in ("griffe_docstrings.py", "markdown_pipes.py"):
        shutil.copy(CHECKOUT / "lab" / name, folder / "lab")
    shutil.copytree(CHECKOUT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__", "*.onnx", "*.json"))
    done = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict"], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "site"


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {path: Page(path) for path in sorted(site.rglob("*.html"))}


def local(address: str) -> bool:
    return not urlsplit(address).scheme and not address.startswith("//")


def test_every_page_is_there(site: Path, pages: dict[Path, Page]) -> None:
    sources = {path.relative_to(DOCS).with_suffix(".html") for path in DOCS.rglob("*.md")}
    assert sources == {path.relative_to(site) for path in pages} - {Path("404.html")}


def test_every_page_is_in_the_navigation() -> None:
    named = re.findall(r"^ +- (?:.*: )?(\S+\.md)$", CONFIG.read_text("utf-8"), re.MULTILINE)
    assert sorted(named) == sorted(str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md"))


def test_links_lead_somewhere(site: Path, pages: dict[Path, Page]) -> None:
    dead = []
    for path, page in pages.items():
        if path.name == "404.html":
            continue
        for address in [*page.links, *page.fetched]:
            if local(address):
                parts = urlsplit(address)
                target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
                target = target / "index.html" if target.is_dir() else target
                anchor = unquote(parts.fragment)
                known = pages[target].ids if target in pages else None
                if not target.exists() or (anchor and known is not None and anchor not in known | {"__comments"}):
                    dead.append(f"{path.relative_to(site)}: {address}")
    assert dead == []


def test_nothing_comes_from_another_host(site: Path, pages: dict[Path, Page]) -> None:
    assert [address for page in pages.values() for address in page.fetched if not local(address)] == []
    for style in site.rglob("*.css"):
        assert not re.search(r"url\(['\"]?(https?:)?//|@import", style.read_text("utf-8")), style


def test_no_markdown_is_left(site: Path, pages: dict[Path, Page]) -> None:
    for path, page in pages.items():
        left = [text.strip() for text in page.prose if re.search(r"```|^\s*:::|\]\(|\*\*|^\s*\|.*\|\s*$", text)]
        assert left == [], path.relative_to(site)


def test_bars_in_the_code_of_tables_are_bars(site: Path) -> None:
    commands = (site / "reference" / "commands.html").read_text("utf-8")
    assert re.search(r"<td>.*<code>[^<]*\w\|\w", commands)
    assert [path for path in site.rglob("*.html") if "\\|" in path.read_text("utf-8")] == []


def test_all_public_names_are_on_the_page_of_python(pages: dict[Path, Page], site: Path) -> None:
    from permutree import _HOMES

    assert {f"{home}.{name}" for name, home in _HOMES.items()} <= pages[site / "reference" / "python.html"].ids


def test_pages_made_of_the_code_are_current() -> None:
    # In a process of its own: another test may have installed a model, and the help lists all languages.
    command = [sys.executable, str(CHECKOUT / "lab" / "reference_pages.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert not done.returncode, done.stderr
