"""Trees as you type, what lights up, zoom, pan, fold."""

from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import unquote_plus


if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

    from tests.serving.page.conftest import Site

    Opener = Callable[..., Page]

TALK = "Who did you talk to?"
