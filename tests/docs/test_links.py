"""Pages are short, and links between them lead somewhere: files, anchors and pictures, on GitHub as on the site."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
PAGES = [
    *sorted(CHECKOUT.glob("docs/**/*.md")),
    *(CHECKOUT / name for name in ("README.md", "SECURITY.md", "CHANGELOG.md", "lab/README.md")),
    *sorted(CHECKOUT.glob("src/permutree/models/*/README.md")),
]

_FENCED = re.compile(r"^( *)(`{3,})[^\n]*\n.*?^\1\2 *$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
_LINK = re.compile(r"\]\(\s*([^()\s]+)\s*\)|<img [^>]*src=\"([^\"]+)\"|<a [^>]*href=\"([^\"]+)\"")
_HEADING = re.compile(r"^#{1,6} +(.+?) *#*$", re.MULTILINE)
#: what mkdocstrings puts on a page
_API = re.compile(r"^::: (\S+)$", re.MULTILINE)


def links_of(text: str) -> Iterator[str]:
    """Where the links and pictures of a page lead, but for other hosts."""
    for found in _LINK.finditer(_CODE.sub("`code`", _FENCED.sub("", text))):
        target = next(group for group in found.groups() if group)
        if not re.match(r"[a-z]+:", target):
            yield target


def slug(heading: str) -> str:
    """The anchor of a heading, as GitHub and the site make it."""
    plain = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").replace("*", "")
    return re.sub(r"[^\w\- ]", "", plain.strip().lower()).replace(" ", "-")


@cache
def anchors_of(page: Path) -> set[str]:
    text = page.read_text("utf-8")
    return {slug(heading) for heading in _HEADING.findall(_FENCED.sub("", text))} | set(_API.findall(text))


def dead_links(page: Path, text: str) -> list[str]:
    """The links of a page that lead nowhere."""
    dead = []
    for link in links_of(text):
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        inside = CHECKOUT / "docs" in page.parents
        if (
            not target.exists()
            or (inside and CHECKOUT / "docs" not in target.resolve().parents)
            or (anchor and target.suffix == ".md" and anchor not in anchors_of(target))
        ):
            dead.append(link)
    return dead


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(CHECKOUT)))
def test_links_lead_somewhere(page: Path) -> None:
    assert dead_links(page, page.read_text("utf-8")) == []


#: pages that a script makes of the code
_MADE = ("commands.md", "labels.md")
#: words that a page may have, tables not counted
_LONGEST = 1800


@pytest.mark.parametrize(
    "page", sorted(CHECKOUT.glob("docs/**/*.md")), ids=lambda page: str(page.relative_to(CHECKOUT))
)
def test_pages_are_short(page: Path) -> None:
    lines = page.read_text("utf-8").splitlines()
    words = sum(len(line.split()) for line in lines if not line.startswith("|"))
    assert words <= _LONGEST or page.name in _MADE, "say it in fewer words, or move evidence to a page under results/"


def test_dead_links_are_found() -> None:
    here = CHECKOUT / "docs" / "index.md"
    text = """
[a](nowhere.md) ![b](images/nothing.svg) [c](reference/api.md#nothing) [d](#nothing) [e](../README.md)
`[f](nowhere.md)` [g](https://example.org/nowhere) <img src="nothing.png">

```markdown
[h](nowhere.md)
```
[i](reference/api.md#deprecation) [j](reference/python.md#permutree.trees.tree.Tree)
"""
    dead = ["nowhere.md", "images/nothing.svg", "reference/api.md#nothing", "#nothing", "../README.md", "nothing.png"]
    assert dead_links(here, text) == dead


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ("What agrees with the paper, and what does not", "what-agrees-with-the-paper-and-what-does-not"),
        ("`permutree train best`", "permutree-train-best"),
        ("6. Where is *er … drie*?", "6-where-is-er--drie"),
        ("Six ways to write τ", "six-ways-to-write-τ"),
        ("The [page](page.md)", "the-page"),
    ],
)
def test_anchors_are_those_of_github(heading: str, anchor: str) -> None:
    assert slug(heading) == anchor
