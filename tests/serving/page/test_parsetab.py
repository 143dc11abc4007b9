"""Trees as you type, what lights up, folding, zoom, and what goes wrong."""

from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import unquote_plus

import pytest

from browsing import Site, eventually, expect, hear, settle

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

TALK = "Who did you talk to?"


def test_trees_as_you_type(site: Site) -> None:
    page = site.open()
    page.locator("#text").press_sequentially("How does it work?", delay=5)
    expect(page.locator("svg.tree .word")).to_have_text(["How", "does", "it", "work", "?"])
    expect(page.locator("svg.tree .gapped .label")).to_have_text(["VP"])
    expect(page.locator("#status")).to_contain_text("1 sentence · 1 with a gap · English, guessed")
    page.evaluate("document.querySelector('.card').isOld = true")
    before = len(site.requests)
    # Faster than anybody types, so that the pause between two keys is shorter than the page waits, on any machine.
    page.locator("#text").evaluate(
        """(area, text) => {
          for (const sign of text) {
            area.value += sign;
            area.dispatchEvent(new Event("input"));
          }
        }""",
        " I do not know.",
    )
    expect(page.locator(".card .number")).to_have_text(["1", "2"])
    assert page.evaluate("document.querySelector('.card').isOld"), "a sentence that stays keeps its card"
    asked = [url for url in site.requests[before:] if url.endswith("/v1/parse")]
    assert len(asked) == 1, "typing is debounced"


def test_an_older_answer_never_overwrites_a_newer_one(site: Site) -> None:
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
    # The older request is called off.
    eventually(page, lambda: [route.request.failure is not None for route in held], [True])
    expect(page.locator(".card .textline")).to_have_text(["This is newer."])


def test_a_constituent_lights_up_its_words_gaps_included(parsed: Callable[..., "Page"]) -> None:
    page = parsed(TALK)
    page.locator("svg.tree .gapped .label", has_text="PP").hover()
    page.wait_for_selector(".caption.on >> text=prepositional phrase")
    expect(page.locator(".textline .lit")).to_have_text(["Who", "to"])
    expect(page.locator(".textline .in-gap")).to_have_text(["did", "you", "talk"])
    expect(page.locator("svg.tree .leaf.lit .word")).to_have_text(["Who", "to"])
    for said in ("Who … to", "one gap", "confidence"):
        expect(page.locator(".caption")).to_contain_text(said)
    page.locator(".textline >> text=talk").hover()
    page.wait_for_selector(".caption >> text=verb")
    expect(page.locator("svg.tree .leaf.lit .word")).to_have_text(["talk"])


def test_low_confidence_is_shaded(parsed: Callable[..., "Page"]) -> None:
    page = parsed("How does it work?")
    expect(page.locator("svg.tree .shade1, svg.tree .shade2, svg.tree .shade3")).to_have_count(0)
    page.fill("#text", "Buffalo buffalo colourless than ever whence.")
    page.wait_for_selector("svg.tree .plate:is(.shade1, .shade2, .shade3)")


def test_fold_and_unfold(parsed: Callable[..., "Page"]) -> None:
    page = parsed("It is hard to find a good parser.")
    labels = page.locator("svg.tree .constituent .label")
    before = labels.all_text_contents()
    assert "ADJP" in before
    settle(page)
    labels.and_(page.locator("text=ADJP")).dblclick()
    expect(page.locator("svg.tree .piece .word")).to_have_text(["hard"])
    page.locator("svg.tree .gapped .label").dblclick()
    expect(page.locator("svg.tree .piece .word")).to_have_text(["It", "hard", "to find … parser"])
    expect(page.locator("svg.tree .constituent[aria-expanded=false]")).to_have_count(2)
    page.get_by_role("button", name="Unfold all").click()
    expect(labels).to_have_text(before)


def test_zoom_and_pan(parsed: Callable[..., "Page"]) -> None:
    page = parsed("I saw the man who sold the world to the people who wanted to buy it in May.")
    width = "document.querySelector('svg.tree').getBoundingClientRect().width"
    settle(page)
    before = page.evaluate(width)
    for _ in range(4):
        page.get_by_role("button", name="Zoom in").click()
    eventually(page, width, pytest.approx(before * 1.25**4, rel=0.02))
    frame = page.locator(".treeview .scroller").bounding_box()
    assert frame is not None
    page.mouse.move(frame["x"] + 500, frame["y"] + 5)
    left = page.evaluate("document.querySelector('.scroller').scrollLeft")
    page.mouse.down()
    page.mouse.move(frame["x"] + 400, frame["y"] + 5)
    page.mouse.up()
    eventually(page, "document.querySelector('.scroller').scrollLeft", pytest.approx(left + 100, abs=2))
    page.get_by_role("button", name="Fit").click()
    room = frame["width"]
    eventually(page, lambda: page.evaluate(width) <= room, True)


def test_the_tree_as_a_nested_list(parsed: Callable[..., "Page"]) -> None:
    page = parsed(TALK)
    page.locator("summary", has_text="Read as a list").click()
    page.wait_for_selector(".outline-list >> text=PP: prepositional phrase, discontinuous: Who … to")
    expect(page.locator(".outline-list .word")).to_have_text(["Who", "to", "talk", "did", "you", "?"])


def test_examples(site: Site) -> None:
    page = site.open()
    page.get_by_role("button", name="Welchen Zug willst du nehmen?").click()
    expect(page.locator("svg.tree .gapped .label")).to_have_text(["VP"])
    # Beside a text, only those of its language.
    expect(page.locator(".example-row:visible")).to_have_count(1)
    page.get_by_role("button", name="All examples").click()
    # Only languages that are served.
    expect(page.locator(".example-row:visible .lang")).to_have_text(["English", "German"])


def test_a_bad_sentence_has_its_error_in_its_place(parsed: Callable[..., "Page"], site: Site) -> None:
    page = parsed("word " * 301 + ". " + TALK)
    expect(page.locator(".card.failed")).to_contain_text("the limit of this server is 300")
    expect(page.locator(".card:not(.failed) svg.tree")).to_have_count(1)
    page.fill("#text", "word " * 301)
    page.wait_for_selector("#status.bad >> text=the limit of this server is 300")
    expect(page.locator(".card")).to_have_count(0)
    site.forgive("status of 413")


def test_a_busy_server_is_asked_again(site: Site) -> None:
    page = site.open()
    busy = iter([True, False])

    def answer(route: "Route") -> None:
        if next(busy):
            route.fulfill(status=503, headers={"retry-after": "1"}, json={"error": "busy"})
        else:
            route.continue_()

    page.route("**/v1/parse", answer)
    page.fill("#text", TALK)
    page.wait_for_selector(".card svg.tree")
    hear(page, "Trying again in 1 s")
    site.forgive("status of 503")


def test_the_server_goes_and_comes_back(parsed: Callable[..., "Page"], site: Site) -> None:
    page = parsed(TALK)
    page.context.set_offline(True)
    page.fill("#text", "How does it work?")
    page.wait_for_selector(".banner:visible >> text=permutree serve")
    # Trees that are there stay.
    expect(page.locator(".card svg.tree")).to_have_count(1)
    page.context.set_offline(False)
    page.wait_for_selector(".card >> text=How does it work?")
    expect(page.locator(".banner")).to_be_hidden()
    site.forgive("ERR_INTERNET_DISCONNECTED")


def test_text_is_never_markup(parsed: Callable[..., "Page"]) -> None:
    page = parsed('<img src="x" onerror="window.isCracked = true"> &lt;b&gt; <script>alert(1)</script> is bad.')
    page.get_by_role("button", name="Arrangement and labels").first.click()
    page.wait_for_selector(".labels table")
    assert page.evaluate("window.isCracked") is None
    expect(page.locator("main img, main script")).to_have_count(0)


def test_characters_beyond_16_bits_and_right_to_left(parsed: Callable[..., "Page"]) -> None:
    page = parsed("😀😀 What did you say? שלום did you say?")
    expect(page.locator(".card .textline")).to_have_text(["😀😀 What did you say?", "שלום did you say?"])
    expect(page.locator("svg.tree .word[direction=rtl]")).to_have_text("שלום")


def test_a_permalink_holds_the_text_after_the_hash(parsed: Callable[..., "Page"], site: Site) -> None:
    page = parsed("placeholder", permissions=["clipboard-read", "clipboard-write"])
    page.fill("#text", "Ümlaute & 100 % #sichere Zeichen?")
    expect(page.locator("svg.tree .word").first).to_have_text("Ümlaute")
    page.locator(".input").get_by_role("button", name="Copy link").click()
    hear(page, "Link copied")
    link = page.evaluate("navigator.clipboard.readText()")
    assert "Ümlaute & 100 % #sichere Zeichen?" in unquote_plus(link)
    other = site.open(link.removeprefix(site.server))
    expect(other.locator("#text")).to_have_value("Ümlaute & 100 % #sichere Zeichen?")
    expect(other.locator("svg.tree .label")).to_have_text(page.locator("svg.tree .label").all_text_contents())
    assert not any("mlaute" in unquote_plus(url).partition("#")[0] for url in site.requests)


def test_a_book_is_drawn_in_parts(parsed: Callable[..., "Page"]) -> None:
    page = parsed("It works. " * 120)
    expect(page.locator(".card")).to_have_count(100)
    page.get_by_role("button", name="Show 20 more").click()
    expect(page.locator(".card")).to_have_count(120)
    expect(page.locator(".more-cards")).to_be_hidden()
    settle(page)
    assert page.locator(".card svg.tree").count() < 60, "trees are drawn when they come near the window"


def test_a_text_that_is_parsed_once_more_shows_as_many_sentences(parsed: Callable[..., "Page"]) -> None:
    page = parsed("It works. " * 120)
    page.get_by_role("button", name="Show 20 more").click()
    expect(page.locator(".card")).to_have_count(120)
    with page.expect_response("**/v1/parse"):
        page.dispatch_event("#text", "input")
    settle(page)
    expect(page.locator(".card")).to_have_count(120)
    page.fill("#text", "It runs. " * 120)
    expect(page.locator(".card").first).to_contain_text("runs")
    expect(page.locator(".card")).to_have_count(100)


def test_tabs_keep_their_state_and_the_address_follows(parsed: Callable[..., "Page"]) -> None:
    page = parsed(TALK)
    page.get_by_role("link", name="Treebank").click()
    page.locator(".skip").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Treebank")).to_have_attribute("aria-current", "page")
    page.get_by_role("link", name="Parse", exact=True).click()
    expect(page.locator(".card svg.tree")).to_have_count(1)
    eventually(page, lambda: unquote_plus(page.url).endswith("#lang=en&text=" + TALK), True)
    page.go_back()
    expect(page.locator(".drop")).to_be_visible()
