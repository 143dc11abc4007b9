"""Running the server: from the first socket to the last answer."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import resource
import signal
import socket
from collections.abc import Iterator

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from permutree.errors import ConfigError
from permutree.serving.app import make_app
from permutree.serving.gate import Gate
from permutree.serving.settings import Settings

__all__ = ["serve"]

_log = logging.getLogger("permutree")


class _Server(uvicorn.Server):
    """Ends quietly on a signal, after the requests that it has."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        numbers = (signal.SIGINT, signal.SIGTERM)
        before = {number: signal.signal(number, self.handle_exit) for number in numbers}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


class _Connection(HttpToolsProtocol):
    """A connection that is closed if no request comes; without that, who opens many and is silent takes all places."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        app = self.config.app
        assert isinstance(app, Gate)
        self.loop.call_later(app.front.limits.seconds, self._close_if_silent)

    def _close_if_silent(self) -> None:
        # A cycle begins when the head of a request is complete.
        if self.cycle is None and not self.transport.is_closing():
            self.transport.close()


def serve(settings: Settings) -> None:
    """Serve until a signal comes; then answer what is under way, and end."""
    _allow_many_files()
    listener = _listen(settings)
    config = uvicorn.Config(
        make_app(settings),
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=int(settings.limits.seconds) + 1,
        lifespan="on",
        ws="none",
        http=_Connection,
    )
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    _log.info("serving %s on http://%s:%d", ", ".join(model.name for model in settings.models), shown, port)
    _Server(config).run([listener])
    _log.info("the server has ended")


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        return socket.create_server((settings.host, settings.port), family=family, backlog=1024)
    except OSError as error:
        way_out = "; choose another --port" if error.errno is not None else ""
        raise ConfigError(f"cannot listen on {settings.host} port {settings.port}: {error.strerror}{way_out}") from None


def _allow_many_files() -> None:
    """Each connection is an open file, and systems allow few of them at first."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = min(hard, 65_536) if hard != resource.RLIM_INFINITY else 65_536
    if soft < wanted:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
