"""What is downloaded and copied is what permutree writes."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from browsing import Site, hear
from permutree import Tree
from permutree.formats import read

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

TEXT = "Who did you talk to?"


def download(page: "Page", name: str) -> Path:
    page.locator(".card summary", has_text="Download").first.click()
    with page.expect_download() as found:
        page.locator(".card .menu[open]").get_by_role("button", name=name).click()
    return Path(found.value.path())


def test_every_format(parsed: Callable[..., "Page"], tmp_path: Path) -> None:
    page = parsed(TEXT)
    line = download(page, "discbracket").read_text("utf-8")
    tree = Tree.parse(line)
    assert " ".join(tree.words) == "Who did you talk to ?"
    for name, format_name in (("export", "export"), ("TIGER-XML", "tigerxml"), ("JSON", "jsonl")):
        path = tmp_path / f"tree.{format_name}"
        path.write_bytes(download(page, name).read_bytes())
        (found,) = read(path, format=format_name)
        assert found == tree, name
    record = json.loads((tmp_path / "tree.jsonl").read_text("utf-8"))
    assert record["offsets"][1] == [4, 7]
    assert record["constituents"][3]["confidence"] > 0.5
    svg = download(page, "SVG").read_text("utf-8")
    assert svg.startswith("<svg")
    assert tree.discbracket() in svg
    assert download(page, "PNG").read_bytes().startswith(b"\x89PNG")
    assert r"\begin{tikzpicture}" in download(page, "LaTeX").read_text("utf-8")


def test_copy_and_all_trees(parsed: Callable[..., "Page"]) -> None:
    page = parsed(f"{TEXT} How does it work?", permissions=["clipboard-read", "clipboard-write"])
    page.locator(".all summary", has_text="Copy").click()
    page.locator(".all .menu[open]").get_by_role("button", name="export").click()
    hear(page, "export copied")
    assert page.evaluate("navigator.clipboard.readText()").count("#EOS") == 2


def test_png_is_made_in_the_browser_if_the_server_cannot(parsed: Callable[..., "Page"], site: Site) -> None:
    page = parsed(TEXT)

    def answer(route: "Route") -> None:
        if '"png"' in (route.request.post_data or ""):
            route.fulfill(status=422, json={"error": "PNG takes: pip install 'permutree[png]'"})
        else:
            route.continue_()

    page.route("**/v1/draw", answer)
    assert download(page, "PNG").read_bytes().startswith(b"\x89PNG")
    site.forgive("status of 422")
