import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from permutree import Client, ConfigError, DataError, Parser, Tree, TreeError
from permutree.parsing.chunks import Given
from permutree.parsing.inputs import Sentence
from permutree.trees.annotations import Annotations
from served import TEXT, Served

WORDS = [["How", "does", "it", "work", "?"], ["It", "rains", "."], ["New York", "sleeps", "."]]


@pytest.fixture(scope="module")
def parser() -> Parser:
    return Parser.load("en", threads=1)


@pytest.fixture
def client(served: Served) -> Iterator[Client]:
    with Client(served.url, language="en") as client:
        yield client


def test_texts(client: Client, parser: Parser) -> None:
    texts = [TEXT, "", f"{TEXT} It rains."]
    expected = list(parser.parse_texts(texts))
    found = list(client.parse_texts(texts))
    assert found == expected
    assert [[tree.annotations for tree in trees] for trees in found] == [
        [tree.annotations for tree in trees] for trees in expected
    ]
    assert client.parse(TEXT) == expected[0]


def test_sentences(client: Client, parser: Parser) -> None:
    sentences: list[Given] = [Sentence(WORDS[0], annotations=Annotations(id="s1")), *WORDS[1:]] * 40
    expected = list(parser.pipe(sentences, confidence=True))
    found = list(client.pipe(sentences, confidence=True))
    assert found == expected
    assert [tree.annotations for tree in found] == [tree.annotations for tree in expected]
    assert client.parse_tokens(WORDS[0]) == expected[0]
    assert client.tag(WORDS) == parser.tag(WORDS)
    assert list(client.parse_batch(WORDS[:2]).forest.discbracket()) == list(
        parser.parse_batch(WORDS[:2]).forest.discbracket()
    )
    assert [len(batch.forest) for batch in client.batches(WORDS, chunk=2)] == [2, 1]


def test_trees_keep_what_is_known_of_them(client: Client) -> None:
    tree = Tree.parse("(S (X 0=It) (X 1=rains))")
    (tagged,) = client.tag_all([tree])
    assert isinstance(tagged, Tree)
    assert tagged.labels == tree.labels
    assert tagged.tags != tree.tags


def test_errors(client: Client, served: Served) -> None:
    with pytest.raises(TreeError, match="sentence 2: the sentence has no words"):
        list(client.pipe([["It"], []]))
    with pytest.raises(DataError, match="no model 'none': there are en"):
        Client(served.url, model="none").parse(TEXT)
    with pytest.raises(TreeError, match="one text is parsed by parse"):
        next(client.parse_texts(TEXT))
    with pytest.raises(ConnectionError):
        Client("http://127.0.0.1:9").parse(TEXT)
    assert [model["name"] for model in client.models()["models"]] == ["en", "nl", "de", "is"]


def test_the_client_needs_no_package_of_the_server() -> None:
    code = (
        "import sys; sys.modules.update(dict.fromkeys(['fastapi', 'uvicorn', 'pydantic', 'prometheus_client']));"
        "import permutree; permutree.Client()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_busy_server_is_asked_again() -> None:
    asked = []

    class Busy(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            asked.append(self.path)
            content = b'{"sentences":[]}\n' if len(asked) > 1 else b'{"error":"busy"}'
            self.send_response(200 if len(asked) > 1 else 503)
            self.send_header("Retry-After", "0.01")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *said: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Busy) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}"
        assert Client(url).parse(TEXT) == []
        assert len(asked) == 2
        asked.clear()
        with pytest.raises(ConnectionError, match="busy"):
            Client(url, patience=0).parse(TEXT)
        server.shutdown()


@pytest.mark.parametrize(
    "url", ["ftp://there", "http://", "http://127.0.0.1:99999", "http://127.0.0.1:abc", "http://[::1", "127.0.0.1:0"]
)
def test_what_is_no_address(url: str) -> None:
    with pytest.raises(ConfigError, match=f"{re.escape(repr(url))} is no address of a server, such as"):
        Client(url)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (b"SSH-2.0-OpenSSH\r\n", "SSH-2.0-OpenSSH"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>", "no permutree server; it says '<html>'"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]", r"no permutree server; it says '\[\]'"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}", "IncompleteRead"),
        (b"HTTP/1.1 503 X\r\nRetry-After: Wed, 21 Oct 2026 07:28:00 GMT\r\nContent-Length: 4\r\n\r\nBusy", "Busy"),
        (b"", "no answer within 1 s"),
    ],
)
def test_servers_of_other_kinds_are_errors_that_name_them(answer: bytes, message: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        held = []

        def serve() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                connection.recv(1 << 16)
                connection.sendall(answer)
                if answer:
                    connection.close()
                held.append(connection)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        with pytest.raises(ConnectionError, match=f"^{url}: .*{message}"):
            Client(url, patience=0.5).models()
        listener.shutdown(socket.SHUT_RDWR)
    thread.join(10)
    for connection in held:
        connection.close()


def test_an_unknown_host_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*asked: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(ConnectionError, match=r"^http://nowhere\.invalid: .*not known"):
        Client("http://nowhere.invalid").parse(TEXT)
