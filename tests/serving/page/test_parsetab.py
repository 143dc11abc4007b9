"""Trees as you type, what lights up, folding, zoom, and what goes wrong."""

from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import unquote_plus

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Route

    from browsing import Site

TALK = "Who did you talk to?"


def texts(found: "Locator") -> list[str]:
    return [text.strip() for text in found.all_text_contents()]


def test_trees_as_you_type(site: "Site") -> None:
    page = site.open()
    page.locator("#text").press_sequentially("How does it work?", delay=5)
    page.wait_for_selector(".card svg.tree")
    assert texts(page.locator("svg.tree .gapped .label")) == ["VP"]
    assert texts(page.locator("svg.tree .word")) == ["How", "does", "it", "work", "?"]
    assert "1 sentence · 1 with a gap · English, guessed" in page.locator("#status").inner_text()
    page.evaluate("document.querySelector('.card').isOld = true")
    page.locator("#text").press_sequentially(" I do not know.")
    page.wait_for_selector(".card >> nth=1")
    assert page.evaluate("document.querySelector('.card').isOld"), "a sentence that stays keeps its card"
    assert texts(page.locator(".card .number")) == ["1", "2"]
    parses = [url for url in site.requests if url.endswith("/v1/parse")]
    assert len(parses) < 5, "typing is debounced"


def test_an_older_answer_never_overwrites_a_newer_one(site: "Site") -> None:
    page = site.open()
    held: list[Route] = []

    def hold(route: "Route") -> None:
        if "older" in (route.request.post_data or ""):
            held.append(route)
        else:
            route.continue_()

    page.route("**/v1/parse", hold)
    with page.expect_request("**/v1/parse"):
        page.fill("#text", "This is older.")
    page.fill("#text", "This is newer.")
    page.wait_for_selector(".card >> text=newer")
    assert len(held) == 1
    assert held[0].request.failure is not None, "the older request is called off"
    assert texts(page.locator(".card .textline")) == ["This is newer."]


def test_a_constituent_lights_up_its_words_gaps_included(parsed: Callable[..., "Page"]) -> None:
    page = parsed(TALK)
    page.locator("svg.tree .gapped .label", has_text="PP").hover()
    page.wait_for_selector(".caption.on >> text=prepositional phrase")
    assert texts(page.locator(".textline .lit")) == ["Who", "to"]
    assert texts(page.locator(".textline .in-gap")) == ["did", "you", "talk"]
    assert texts(page.locator("svg.tree .leaf.lit .word")) == ["Who", "to"]
    caption = page.locator(".caption").inner_text()
    assert "Who … to" in caption
    assert "one gap" in caption
    assert "confidence" in caption
    page.locator(".textline >> text=talk").hover()
    page.wait_for_selector(".caption >> text=verb")
    assert texts(page.locator("svg.tree .leaf.lit .word")) == ["talk"]


def test_low_confidence_is_shaded(parsed: Callable[..., "Page"]) -> None:
    page = parsed("How does it work?")
    assert page.locator("svg.tree .shade1, svg.tree .shade2, svg.tree .shade3").count() == 0
    page.fill("#text", "Buffalo buffalo colourless than ever whence.")
    page.wait_for_selector("svg.tree .plate:is(.shade1, .shade2, .shade3)")


def test_fold_and_unfold(parsed: Callable[..., "Page"]) -> None:
    page = parsed("It is hard to find a good parser.")
    labels = page.locator("svg.tree .constituent .label")
    before = texts(labels)
    labels.and_(page.locator("text=ADJP")).dblclick()
    assert texts(page.locator("svg.tree .piece .word")) == ["hard"]
    page.locator("svg.tree .gapped .label").dblclick()
    assert texts(page.locator("svg.tree .piece .word")) == ["It", "hard", "to find … parser"]
    assert page.locator("svg.tree .constituent[aria-expanded=false]").count() == 2
    page.get_by_role("button", name="Unfold all").click()
    assert texts(labels) == before


def test_zoom_and_pan(parsed: Callable[..., "Page"]) -> None:
    page = parsed("I saw the man who sold the world to the people who wanted to buy it in May.")
    width = "document.querySelector('svg.tree').getBoundingClientRect().width"
    before = page.evaluate(width)
    for _ in range(4):
        page.get_by_role("button", name="Zoom in").click()
    assert page.evaluate(width) == pytest.approx(before * 1.25**4, rel=0.02)
    frame = page.locator(".treeview .scroller").bounding_box()
    assert frame is not None
    page.mouse.move(frame["x"] + 500, frame["y"] + 5)
    left = page.evaluate("document.querySelector('.scroller').scrollLeft")
    page.mouse.down()
    page.mouse.move(frame["x"] + 400, frame["y"] + 5)
    page.mouse.up()
    assert page.evaluate("document.querySelector('.scroller').scrollLeft") == pytest.approx(left + 100, abs=2)
    page.get_by_role("button", name="Fit").click()
    assert page.evaluate(width) <= frame["width"]


def test_the_tree_as_a_nested_list(parsed: Callable[..., "Page"]) -> None:
    page = parsed(TALK)
    page.locator("summary", has_text="Read as a list").click()
    page.wait_for_selector(".outline-list >> text=PP: prepositional phrase, discontinuous: Who … to")
    assert texts(page.locator(".outline-list .word")) == ["Who", "to", "talk", "did", "you", "?"]


def test_examples(site: "Site") -> None:
    page = site.open()
    page.get_by_role("button", name="Welchen Zug willst du nehmen?").click()
    page.wait_for_selector(".card svg.tree")
    assert texts(page.locator("svg.tree .gapped .label")) == ["VP"]
    assert page.locator(".example-row:visible").count() == 1, "beside a text, only those of its language"
    page.get_by_role("button", name="All examples").click()
    assert texts(page.locator(".example-row:visible .lang")) == ["English", "German"], "only languages that are served"


def test_a_bad_sentence_has_its_error_in_its_place(parsed: Callable[..., "Page"], site: "Site") -> None:
    page = parsed("word " * 301 + ". " + TALK)
    assert "the limit of this server is 300" in page.locator(".card.failed").inner_text()
    assert page.locator(".card:not(.failed) svg.tree").count() == 1
    page.fill("#text", "word " * 301)
    page.wait_for_selector("#status.bad >> text=the limit of this server is 300")
    assert page.locator(".card").count() == 0
    site.forgive("status of 413")


def test_a_busy_server_is_asked_again(site: "Site") -> None:
    page = site.open()
    busy = iter([True, False])

    def answer(route: "Route") -> None:
        if next(busy):
            route.fulfill(status=503, headers={"retry-after": "1"}, json={"error": "busy"})
        else:
            route.continue_()

    page.route("**/v1/parse", answer)
    page.fill("#text", TALK)
    page.wait_for_selector("#status >> text=Trying again in 1 s")
    page.wait_for_selector(".card svg.tree")
    site.forgive("status of 503")


def test_the_server_goes_and_comes_back(parsed: Callable[..., "Page"], site: "Site") -> None:
    page = parsed(TALK)
    page.context.set_offline(True)
    page.fill("#text", "How does it work?")
    page.wait_for_selector(".banner:visible >> text=permutree serve")
    assert page.locator(".card svg.tree").count() == 1, "trees that are there stay"
    page.context.set_offline(False)
    page.wait_for_selector(".card >> text=How does it work?")
    assert not page.locator(".banner").is_visible()
    site.forgive("ERR_INTERNET_DISCONNECTED")


def test_text_is_never_markup(parsed: Callable[..., "Page"]) -> None:
    page = parsed('<img src="x" onerror="window.isCracked = true"> &lt;b&gt; <script>alert(1)</script> is bad.')
    page.get_by_role("button", name="Arrangement and labels").first.click()
    page.wait_for_selector(".labels table")
    assert page.evaluate("window.isCracked") is None
    assert page.locator("main img, main script").count() == 0


def test_characters_beyond_16_bits_and_right_to_left(parsed: Callable[..., "Page"]) -> None:
    page = parsed("😀😀 What did you say? שלום did you say?")
    page.wait_for_selector(".card >> nth=1")
    assert texts(page.locator(".card .textline")) == ["😀😀 What did you say?", "שלום did you say?"]
    assert page.locator("svg.tree .word[direction=rtl]").text_content() == "שלום"


def test_a_permalink_holds_the_text_after_the_hash(parsed: Callable[..., "Page"], site: "Site") -> None:
    page = parsed("placeholder", permissions=["clipboard-read", "clipboard-write"])
    page.fill("#text", "Ümlaute & 100 % #sichere Zeichen?")
    page.wait_for_selector(".textline >> text=Ümlaute")
    page.locator(".input").get_by_role("button", name="Copy link").click()
    page.wait_for_selector(".notice >> text=Link copied")
    link = page.evaluate("navigator.clipboard.readText()")
    assert "Ümlaute & 100 % #sichere Zeichen?" in unquote_plus(link)
    other = site.open(link.removeprefix(site.server))
    other.wait_for_selector(".card svg.tree")
    assert other.locator("#text").input_value() == "Ümlaute & 100 % #sichere Zeichen?"
    assert texts(other.locator("svg.tree .label")) == texts(page.locator("svg.tree .label"))
    assert not any("mlaute" in unquote_plus(url).partition("#")[0] for url in site.requests)


def test_a_book_is_drawn_in_parts(parsed: Callable[..., "Page"]) -> None:
    page = parsed("It works. " * 120)
    assert page.locator(".card").count() == 100
    page.get_by_role("button", name="Show 20 more").click()
    assert page.locator(".card").count() == 120
    assert not page.locator(".more-cards").is_visible()
    assert page.locator(".card svg.tree").count() < 60, "trees are drawn when they come near the window"


def test_tabs_keep_their_state_and_the_address_follows(parsed: Callable[..., "Page"]) -> None:
    page = parsed(TALK)
    page.get_by_role("link", name="Treebank").click()
    page.locator(".skip").focus()
    page.keyboard.press("Enter")
    assert page.get_by_role("link", name="Treebank").get_attribute("aria-current") == "page"
    page.get_by_role("link", name="Parse", exact=True).click()
    assert page.locator(".card svg.tree").count() == 1
    assert unquote_plus(page.url).endswith("#lang=en&text=" + TALK)
    page.go_back()
    assert page.locator(".drop").is_visible()
