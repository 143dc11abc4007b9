"""The page for everybody: keyboard, screen readers, phones, dark rooms."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from browsing import Site, eventually, expect, settle

if TYPE_CHECKING:
    from playwright.sync_api import Page

AXE = (Path(__file__).parent / "axe" / "axe.min.js").read_text("utf-8")
TREE = "(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))"
TEXT = "Who did you talk to? Buffalo buffalo colourless than ever whence."


def findings(page: "Page") -> list[str]:
    """What axe-core finds serious."""
    settle(page)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found: Any = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{one['id']}: {node['html'][:120]} {node['failureSummary']}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


def expect_focus(page: "Page", begins: str, what: str = "textContent") -> None:
    """Wait until what has the focus has a text or an attribute that begins so."""
    page.wait_for_function(
        "([name, begins]) => { const one = document.activeElement;"
        " return (one.getAttribute(name) ?? one[name] ?? '').trim().startsWith(begins); }",
        arg=[what, begins],
    )


def test_axe_finds_nothing_serious_in_light_and_dark(site: Site, tmp_path: Path) -> None:
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


def test_keyboard_only(site: Site) -> None:
    page = site.open()
    press = page.keyboard.press
    press("Tab")
    expect_focus(page, "Skip to the content")
    press("Enter")
    press("Tab")
    expect_focus(page, "text", "id")
    page.keyboard.type("Who did you talk to?")
    expect(page.locator(".card svg.tree .word")).to_have_text(["Who", "did", "you", "talk", "to", "?"])
    settle(page)
    for _ in range(30):
        press("Tab")
        if page.evaluate("document.activeElement.getAttribute('role')") == "treeitem":
            break
    expect_focus(page, "ROOT: Who did you talk to ?", "aria-label")
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
        expect_focus(page, wanted, "aria-label")
    expect(page.locator(".textline .lit")).to_have_text(["Who", "to"])
    press("Enter")
    expect_focus(page, "false", "aria-expanded")
    expect(page.locator("svg.tree .piece .word")).to_have_text(["Who", "to"])
    press("Enter")
    expect(page.locator("svg.tree .piece")).to_have_count(0)
    press(" ")
    press("Home")
    expect_focus(page, "ROOT", "aria-label")
    before = page.locator(".percent").inner_text()
    press("+")
    expect(page.locator(".percent")).not_to_have_text(before)
    press("Tab")
    expect_focus(page, "Arrangement and labels")
    press("Enter")
    page.wait_for_selector(".labels table")
    press("Tab")
    expect_focus(page, "Download")
    press("Enter")
    press("Tab")
    expect_focus(page, "SVG picture")
    press("Escape")
    expect_focus(page, "Download")
    expect(page.locator(".menu[open]")).to_have_count(0)


def test_nothing_is_wider_than_a_phone(site: Site, parsed: Callable[..., "Page"]) -> None:
    phone = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}
    page = parsed(TEXT, **phone)
    page.get_by_role("button", name="Arrangement and labels").first.click()
    page.wait_for_selector(".labels table")
    width = "document.documentElement.scrollWidth"
    settle(page)
    assert page.evaluate(width) == 360
    page.locator("svg.tree .gapped .label").first.tap()
    page.wait_for_selector(".caption >> text=one gap")
    page.locator(".caption").get_by_role("button", name="Fold").tap()
    expect(page.locator("svg.tree .piece")).not_to_have_count(0)
    page.get_by_role("link", name="Compare", exact=True).first.click()
    page.get_by_role("button", name="My tree and the parser").click()
    page.wait_for_selector(".score")
    settle(page)
    assert page.evaluate(width) == 360
    page.get_by_role("link", name="Treebank").click()
    page.wait_for_selector(".treebank .drop")
    settle(page)
    assert page.evaluate(width) == 360


def test_the_choice_of_colours_is_kept(site: Site) -> None:
    page = site.open(color_scheme="light")
    paper = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(paper)
    page.get_by_text("Dark", exact=True).click()
    eventually(page, lambda: page.evaluate(paper) != light, True)
    dark = page.evaluate(paper)
    page.reload()
    page.wait_for_selector("nav a[aria-current]")
    eventually(page, paper, dark)
