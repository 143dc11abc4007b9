import socket
import sys

import pytest
from click.testing import CliRunner

from permutree.cli import permutree
from permutree.errors import ConfigError


def test_help_tells_the_limits() -> None:
    result = CliRunner().invoke(permutree, ["serve", "--help"])
    assert result.exit_code == 0
    for option in ("--limit-body", "--limit-queue", "--limit-search", "--corpus", "--preload", "--cors", "--workers"):
        assert option in result.stdout


def test_without_its_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("permutree.serving")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    result = CliRunner().invoke(permutree, ["serve"])
    assert isinstance(result.exception, ConfigError)
    assert "pip install 'permutree[serve]'" in str(result.exception)


def test_a_port_that_is_taken() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        result = CliRunner().invoke(permutree, ["serve", "--port", str(port)])
    assert isinstance(result.exception, ConfigError)
    assert f"port {port}" in str(result.exception)
