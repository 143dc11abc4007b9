"""The page for everybody: keyboard, screen readers, phones, dark rooms."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browsing import Site

AXE = (Path(__file__).parent / "axe" / "axe.min.js").read_text("utf-8")
TREE = "(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))"
TEXT = "Who did you talk to? Buffalo buffalo colourless than ever whence."


def findings(page: "Page") -> list[str]:
    """What axe-core finds serious."""
    page.evaluate(AXE)
    found: Any = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{one['id']}: {node['html'][:120]} {node['failureSummary']}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


def focused(page: "Page", what: str = "textContent") -> str:
    text: str = page.evaluate(f"document.activeElement.{what}.trim()")
    return text


def test_axe_finds_nothing_serious_in_light_and_dark(site: "Site", tmp_path: Path) -> None:
    (tmp_path / "trees.discbracket").write_text(TREE, "utf-8")
    for scheme in ("light", "dark"):
        page = site.open({"lang": "en", "text": TEXT}, color_scheme=scheme)
        page.wait_for_selector(".card svg.tree")
        page.get_by_role("button", name="Arrangement and labels").first.click()
        page.wait_for_selector(".labels table")
        page.get_by_label("n of you", exact=True).fill("x")
        page.wait_for_selector(".decoded svg.tree")
        page.locator("summary", has_text="Read as a list").first.click()
        page.locator(".card summary", has_text="Download").first.click()
        assert findings(page) == [], scheme
        page.get_by_role("link", name="Compare", exact=True).first.click()
        page.get_by_role("button", name="My tree and the parser").click()
        page.wait_for_selector(".score")
        assert findings(page) == [], scheme
        page.get_by_role("link", name="Treebank").click()
        page.set_input_files("#treebank-file", tmp_path / "trees.discbracket")
        page.wait_for_selector(".cards.single svg.tree")
        assert findings(page) == [], scheme
        page.get_by_role("link", name="Search").click()
        page.get_by_role("button", name="Clauses extraposed").click()
        page.get_by_role("button", name="Tree 1").click()
        page.wait_for_selector(".kwic svg.tree")
        page.locator("#query").fill('[cat="N')
        page.wait_for_selector(".suggestions li")
        assert findings(page) == [], scheme
        page.locator("#query").press("Escape")
        page.locator("#query").press("Enter")
        page.wait_for_selector(".fault")
        assert findings(page) == [], scheme
    page.get_by_role("button", name="Which constituents have gaps").click()
    page.wait_for_selector(".chart")
    assert findings(page) == []
    page.get_by_role("button", name="Table").click()
    page.wait_for_selector(".found-table")
    assert findings(page) == []
    site.forgive("422")


def test_keyboard_only(site: "Site") -> None:
    page = site.open()
    press = page.keyboard.press
    press("Tab")
    assert focused(page) == "Skip to the content"
    press("Enter")
    press("Tab")
    assert focused(page, "id") == "text"
    page.keyboard.type("Who did you talk to?")
    page.wait_for_selector(".card svg.tree")
    for _ in range(30):
        press("Tab")
        if page.evaluate("document.activeElement.getAttribute('role')") == "treeitem":
            break
    label = "getAttribute('aria-label')"
    assert focused(page, label).startswith("ROOT: Who did you talk to ?")
    for key, wanted in (
        ("ArrowDown", "SBARQ"),
        ("ArrowDown", "SQ"),
        ("ArrowDown", "VP, discontinuous: Who … talk to"),
        ("ArrowRight", "VBD did"),
        ("ArrowRight", "PRP you"),
        ("ArrowUp", "NP: you"),
        ("ArrowUp", "SQ"),
        ("ArrowDown", "VP"),
        ("ArrowDown", "PP, discontinuous: Who … to"),
    ):
        press(key)
        assert focused(page, label).startswith(wanted), key
    assert page.locator(".textline .lit").all_text_contents() == ["Who", "to"]
    press("Enter")
    assert focused(page, "getAttribute('aria-expanded')") == "false"
    assert page.locator("svg.tree .piece .word").all_text_contents() == ["Who", "to"]
    press("Enter")
    assert page.locator("svg.tree .piece").count() == 0
    press(" ")
    press("Home")
    assert focused(page, label).startswith("ROOT")
    before = page.locator(".percent").inner_text()
    press("+")
    assert page.locator(".percent").inner_text() != before
    press("Tab")
    assert focused(page) == "Arrangement and labels"
    press("Enter")
    page.wait_for_selector(".labels table")
    press("Tab")
    assert focused(page) == "Download"
    press("Enter")
    press("Tab")
    assert focused(page) == "SVG picture"
    press("Escape")
    assert focused(page) == "Download"
    assert page.locator(".menu[open]").count() == 0


def test_nothing_is_wider_than_a_phone(site: "Site", parsed: Callable[..., "Page"]) -> None:
    phone = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}
    page = parsed(TEXT, **phone)
    page.get_by_role("button", name="Arrangement and labels").first.click()
    page.wait_for_selector(".labels table")
    width = "document.documentElement.scrollWidth"
    assert page.evaluate(width) == 360
    page.locator("svg.tree .gapped .label").first.tap()
    page.wait_for_selector(".caption >> text=one gap")
    page.locator(".caption").get_by_role("button", name="Fold").tap()
    assert page.locator("svg.tree .piece").count() > 0
    page.get_by_role("link", name="Compare", exact=True).first.click()
    page.get_by_role("button", name="My tree and the parser").click()
    page.wait_for_selector(".score")
    assert page.evaluate(width) == 360
    page.get_by_role("link", name="Treebank").click()
    assert page.evaluate(width) == 360


def test_the_choice_of_colours_is_kept(site: "Site") -> None:
    page = site.open(color_scheme="light")
    paper = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(paper)
    page.get_by_text("Dark", exact=True).click()
    dark = page.evaluate(paper)
    assert dark != light
    page.reload()
    page.wait_for_selector("nav a[aria-current]")
    assert page.evaluate(paper) == dark
