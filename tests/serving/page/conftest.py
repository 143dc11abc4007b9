"""One server and one browser for all tests of the page.

They need Playwright and Chromium. Without them the tests skip, except in continuous integration, where they fail.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from browsing import PATIENCE, Site
from served import Served, serve

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--no-first-run",
]


def _missing(what: str) -> BaseException:
    if os.environ.get("PERMUTREE_CI"):
        return pytest.fail.Exception(f"{what} is missing, and the tests of the page must run here")
    return pytest.skip.Exception(f"the tests of the page need {what}")


@pytest.fixture(scope="package")
def browser() -> Iterator["Browser"]:
    """Chromium, without a window."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise _missing("playwright (pip install playwright)") from None
    if CHROMIUM is None:
        raise _missing("Chromium (apt-get install chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS, timeout=PATIENCE * 1000)
        yield browser
        browser.close()


CORPUS = """\
(S (NP (NP (DT 0=A) (NN 1=man)) (SBAR (WHNP (WP 3=who)) (S (VP (VBD 4=slept))))) (VP (VBD 2=came)) (. 5=.))
(SBARQ (SQ (VP (WHADVP (WRB 0=How)) (VB 3=work)) (VBZ 1=does) (NP (PRP 2=it))) (. 4=?))
(S (NP (DT 0=The) (NN 1=cat)) (VP (VBZ 2=sleeps) (ADVP (RB 3=soundly))) (. 4=.))
(S (NP (NP (DT 0=Some) (NNS 1=books)) (SBAR (WHNP (WDT 3=that)) (S (VP (VBD 4=sold))))) (VP (VBD 2=appeared)) (. 5=.))
"""


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with the English and the German model, two small corpora, and a small limit for sentences."""
    folder = tmp_path_factory.mktemp("corpora")
    (folder / "penn.discbracket").write_text(CORPUS, "utf-8")
    (folder / "letters.discbracket").write_text("(X (A (a 0=z) (b 2=y)) (B (c 1=x) (d 3=w)))\n" * 70, "utf-8")
    corpora = ("--corpus", str(folder / "penn.discbracket"), "--corpus", str(folder / "letters.discbracket"))
    with serve("--lang", "en", "--lang", "de", "--limit-words", "300", *corpora) as served:
        yield served


@pytest.fixture
def site(browser: "Browser", server: Served) -> Iterator[Site]:
    """Pages of the server."""
    site = Site(browser, server.url + "/")
    yield site
    site.close()


@pytest.fixture
def parsed(site: Site) -> Callable[..., "Page"]:
    """Opens the page with a text and waits for its first tree."""

    def open_text(text: str, lang: str = "en", **options: Any) -> "Page":
        page = site.open({"lang": lang, "text": text}, **options)
        page.wait_for_selector(".card svg.tree")
        return page

    return open_text
