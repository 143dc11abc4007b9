"""Pages of the server in a browser, watched."""

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page

#: tells the page's violations of its policy to the tests
WATCH = (
    "window.violations = []; document.addEventListener('securitypolicyviolation',"
    " (event) => window.violations.push(`${event.violatedDirective} ${event.blockedURI}`));"
)


@dataclass
class Site:
    """Opens pages of the server, and notes what should not happen on them."""

    browser: Browser
    server: str
    pages: list[Page] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def open(self, fragment: dict[str, str] | str = "", **options: Any) -> Page:
        """A page in a browser context of its own, which prefers no motion unless told otherwise."""
        defaults = {"reduced_motion": "reduce", "viewport": {"width": 1280, "height": 900}}
        page = self.browser.new_context(**(defaults | options)).new_page()
        page.set_default_timeout(8000)
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
        """Take problems with such a text off the list; there must be one."""
        left = [problem for problem in self.problems if text not in problem]
        assert len(left) < len(self.problems), f"no problem with {text!r}: {self.problems}"
        self.problems[:] = left

    def close(self) -> None:
        """Close all pages; none may have broken its policy, complained, or asked anybody but the server."""
        for page in self.pages:
            self.problems += page.evaluate("window.violations")
            page.context.close()
        assert not self.problems, self.problems
        foreign = [url for url in self.requests if not url.startswith((self.server, "blob:", "data:"))]
        assert not foreign, foreign
