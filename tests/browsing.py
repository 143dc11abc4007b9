"""Pages of the server in a browser, watched.

A page draws when the browser has time for it: what an action leads to is waited for, never read at once.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page
    from playwright.sync_api._generated import LocatorAssertions

#: seconds for what takes less than one on a machine that does nothing else
PATIENCE = 60

#: keeps, for the tests, the page's violations of its policy and what it says for a moment only
WATCH = """
window.violations = [];
window.said = [];
document.addEventListener("securitypolicyviolation", (event) =>
  window.violations.push(`${event.violatedDirective} ${event.blockedURI}`));
new MutationObserver(() => {
  for (const one of document.querySelectorAll(".notice, .status")) window.said.push(one.textContent);
}).observe(document, { childList: true, characterData: true, subtree: true });
"""


def expect(found: Locator) -> LocatorAssertions:
    """Playwright's assertions, which try again until they hold; Playwright is imported late as it may be missing."""
    from playwright.sync_api import expect as expect_soon

    expect_soon.set_options(timeout=PATIENCE * 1000)
    return expect_soon(found)


def eventually(page: Page, read: str | Callable[[], object], wanted: object) -> None:
    """Wait until an expression of the page, or what a function reads off it, is what is wanted."""
    end = time.monotonic() + PATIENCE
    while (found := page.evaluate(read) if isinstance(read, str) else read()) != wanted and time.monotonic() < end:
        page.wait_for_timeout(50)
    assert found == wanted


def hear(page: Page, text: str) -> None:
    """Wait until a notice or a status has said a text; others may have taken its place by now."""
    page.wait_for_function("(text) => window.said.some((said) => said.includes(text))", arg=text)


def settle(page: Page) -> None:
    """Wait until what was drawn has the size that it gets from its place: observers of sizes run once a frame."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


@dataclass
class Site:
    """Opens pages of the server, and notes what should not happen on them."""

    browser: Browser
    server: str
    pages: list[Page] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    forgiven: list[str] = field(default_factory=list)

    def open(self, fragment: dict[str, str] | str = "", **options: Any) -> Page:
        """A page in a browser context of its own, which prefers no motion unless told otherwise."""
        defaults = {"reduced_motion": "reduce", "viewport": {"width": 1280, "height": 900}}
        page = self.browser.new_context(**(defaults | options)).new_page()
        page.set_default_timeout(PATIENCE * 1000)
        page.add_init_script(WATCH)
        page.on("console", lambda message: self._note(message.type, message.text))
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))
        self.pages.append(page)
        page.goto(self.server + ("#" + urlencode(fragment) if isinstance(fragment, dict) else fragment))
        page.wait_for_selector("nav a[aria-current]")
        return page

    def _note(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.problems.append(text)

    def forgive(self, text: str) -> None:
        """Problems with such a text are none; there must be one."""
        page = self.pages[-1]
        eventually(page, lambda: any(text in problem for problem in self.problems), True)
        self.forgiven.append(text)

    def close(self) -> None:
        """Close all pages; none may have broken its policy, complained, or asked anybody but the server."""
        for page in self.pages:
            self.problems += page.evaluate("window.violations")
            page.context.close()
        problems = [one for one in self.problems if not any(text in one for text in self.forgiven)]
        assert not problems, problems
        foreign = [url for url in self.requests if not url.startswith((self.server, "blob:", "data:"))]
        assert not foreign, foreign
