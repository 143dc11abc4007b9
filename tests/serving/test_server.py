import contextlib
import json
import os
import re
import signal
import socket
import threading
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from permutree import Parser, Tree
from served import PATIENCE, TEXT, TREE, Reply, Served, serve, until

SENTENCES = [TEXT, "How does it work?", "The cat sleeps.", "Who do you think you are, and why?", "It rains."]


def test_text_is_split_and_parsed(served: Served) -> None:
    reply = served.post("/v1/parse", text=f"{TEXT} It works.", lang="en")
    assert reply.status == 200
    first, second = reply.json["sentences"]
    parser = Parser.load("en", threads=1)
    expected = parser.parse(f"{TEXT} It works.")
    assert [one["discbracket"] for one in (first, second)] == [tree.discbracket() for tree in expected]
    assert first["words"] == ["What", "did", "you", "think", "I", "said", "?"]
    assert first["offsets"][0] == [0, 4]
    assert second["offsets"][0] == [27, 29]
    tree = Tree.from_constituents(
        first["words"], first["tags"], [(one["label"], one["words"]) for one in first["constituents"]]
    )
    assert tree == expected[0]
    assert [one["parent"] for one in first["constituents"]] == [
        None if parent < 0 else parent for parent in expected[0].parents
    ]
    assert first["confidence"] == min(one["confidence"] for one in first["constituents"])
    assert reply.json["language"] == "en"


def test_language_is_guessed(served: Served) -> None:
    assert served.post("/v1/parse", text="Dat heb ik nog nooit gezien.").json["language"] == "nl"
    assert served.post("/v1/parse", tokens=[["Das", "habe", "ich", "nicht", "gesehen", "."]]).json["model"] == "de"


def test_a_bad_sentence_is_an_error_in_its_place(served: Served) -> None:
    tokens = [["It", "works", "."], [], ["a", ""], ["x"] * 61, ["a", 3], "text", ["Fine", "."]]
    sentences = served.post("/v1/parse", tokens=tokens, lang="en").json["sentences"]
    assert [one.get("error") for one in sentences] == [
        None,
        "the sentence has no words",
        "word 2 is empty",
        "61 words; the limit of this server is 60 a sentence",
        "a sentence is a list of words, which are strings",
        "a sentence is a list of words, which are strings",
        None,
    ]
    assert sentences[0]["discbracket"] is not None
    assert sentences[6]["words"] == ["Fine", "."]


def test_words_with_blanks_have_trees(served: Served) -> None:
    (one,) = served.post("/v1/parse", tokens=[["New York", "works", "."]], lang="en").json["sentences"]
    assert one["discbracket"] is None
    assert one["constituents"][0]["words"] == [0, 1, 2]


def test_labels_and_arrangement(served: Served) -> None:
    (one,) = served.post("/v1/parse", text=TEXT, lang="en", labels={"encodings": ["absolute", "pointer"]}).json[
        "sentences"
    ]
    tree = Tree.parse(one["discbracket"])
    assert one["tau"] == list(tree.tau)
    assert one["order"] == list(tree.order)
    decoded = served.post("/v1/decode", words=one["words"], tags=one["tags"], labels=one["labels"]["pointer"]).json
    assert decoded["discbracket"] == one["discbracket"]
    assert decoded["repairs"] == []


@pytest.mark.parametrize(
    ("target", "kind", "start"),
    [
        ("discbracket", "text/plain; charset=utf-8", b"(ROOT "),
        ("export", "text/plain; charset=utf-8", b"#FORMAT 4"),
        ("tigerxml", "application/xml", b"<?xml"),
        ("svg", "image/svg+xml", b"<svg"),
        ("latex", "application/x-tex", b"\\documentclass"),
        ("jsonl", "application/x-ndjson", b'{"words"'),
    ],
)
def test_formats_of_parsing(served: Served, target: str, kind: str, start: bytes) -> None:
    reply = served.post("/v1/parse", text="How does it work?", lang="en", format=target)
    assert (reply.status, reply.headers["content-type"]) == (200, kind)
    assert reply.content.startswith(start)


@pytest.mark.parametrize(
    ("path", "content", "status", "said"),
    [
        ("/v1/parse", {}, 422, "give either text or tokens"),
        ("/v1/parse", {"text": "a", "tokens": [["a"]]}, 422, "give either text or tokens"),
        ("/v1/parse", {"text": 3}, 422, "text: Input should be a valid string"),
        ("/v1/parse", {"txt": "a"}, 422, "txt: Extra inputs"),
        ("/v1/parse", {"text": "a", "lang": "xx"}, 422, "no language 'xx': there are en"),
        ("/v1/parse", {"text": "a", "model": "/etc"}, 422, "no model '/etc': there are en"),
        ("/v1/parse", {"text": "a", "model": "../models/en"}, 422, "no model"),
        ("/v1/parse", {"text": "a", "format": "exprt"}, 422, "did you mean export"),
        ("/v1/parse", {"text": "The cat sleeps. It rains.", "format": "svg", "lang": "en"}, 422, "svg holds one tree"),
        ("/v1/parse", {"text": "It rains. " * 51, "lang": "en"}, 413, "51 sentences"),
        ("/v1/parse", {"tokens": [["x"] * 61]}, 413, "61 words"),
        ("/v1/convert", {"treebank": TREE, "to": "nothing"}, 422, "no format 'nothing'"),
        ("/v1/convert", {"treebank": "/etc/passwd", "to": "export"}, 422, "format not recognised"),
        ("/v1/convert", {"treebank": f"{TREE}\n(S (", "to": "export"}, 422, "the treebank:2"),
        ("/v1/convert", {"treebank": f"{TREE}\n" * 51, "to": "export"}, 413, "more than 50 sentences"),
        ("/v1/encode", {"treebank": TREE, "tagset": "/etc/passwd"}, 422, "no tagset"),
        ("/v1/encode", {"treebank": TREE, "encodings": ["best"]}, 422, "best"),
        ("/v1/decode", {"words": ["a"], "tags": ["b", "c"], "labels": [["_", "_", "_", "_"]]}, 422, "1 words, 2 tags"),
        ("/v1/draw", {"treebank": TREE, "to": "export"}, 422, "export is no picture"),
        ("/v1/draw", {"treebank": TREE, "sentence": 2}, 422, "there is no sentence 2"),
        ("/v1/evaluate", {"gold": TREE, "predicted": TREE, "param": "/etc/passwd"}, 422, "param"),
        ("/v1/evaluate", {"gold": TREE, "predicted": "(S (A 0=b))"}, 422, "not"),
    ],
)
def test_what_cannot_be_answered(served: Served, path: str, content: dict[str, object], status: int, said: str) -> None:
    reply = served.post(path, **content)
    assert said in reply.json["error"]
    assert reply.status == status


def test_convert_draw_evaluate(served: Served) -> None:
    converted = served.post("/v1/convert", treebank=TREE, to="export").text
    assert served.post("/v1/convert", treebank=converted, to="discbracket").text == TREE + "\n"
    both = served.post("/v1/convert", treebank=f"{TREE}\n(S (", to="json").json["sentences"]
    assert both[0]["discbracket"] == TREE
    assert "the treebank:2" in both[1]["error"]
    assert "╞" in served.post("/v1/draw", treebank=TREE, to="text").text
    assert served.post("/v1/draw", treebank=f"{TREE}\n{TREE}", sentence=2).content.startswith(b"<svg")
    flat = "(S (WRB 0=How) (VBZ 1=does) (PRP 2=it) (VB 3=work))"
    scores = served.post("/v1/evaluate", gold=TREE, predicted=flat, differences=True).json
    assert (scores["recall"], scores["precision"]) == (50, 100)
    assert scores["discontinuous"]["recall"] == 0
    assert scores["differences"] == [
        {"sentence": 1, "prediction": 1, "f1": scores["f1"], "missing": [1], "wrong": [], "wrong_tags": []}
    ]


def test_declared_charset_of_xml_does_not_count(served: Served) -> None:
    tiger = served.post("/v1/convert", treebank="(S (A 0=Grüße))", to="tigerxml").text
    declared = re.sub(r'encoding="[^"]*"', 'encoding="iso-8859-1"', tiger, flags=re.IGNORECASE)
    assert declared != tiger
    assert served.post("/v1/convert", treebank=declared, to="discbracket").text == "(S (A 0=Grüße))\n"


def test_entities_of_xml_do_not_explode(served: Served) -> None:
    levels = "".join(f'<!ENTITY e{level} "{f"&e{level - 1};" * 10}">' for level in range(1, 12))
    bomb = f'<?xml version="1.0"?><!DOCTYPE c [<!ENTITY e0 "ha">{levels}]><corpus><s id="&e11;"/></corpus>'
    outside = '<!DOCTYPE c [<!ENTITY f SYSTEM "file:///etc/passwd">]><corpus><s id="1"><graph><terminals>'
    outside += '<t id="1" word="&f;" pos="A"/></terminals></graph></s></corpus>'
    for text in (bomb, outside):
        reply = served.post("/v1/convert", treebank=text, to="json", **{"from": "tigerxml"})
        assert reply.status == 422 or "error" in reply.json["sentences"][0]
        assert b"root:" not in reply.content


def test_facts(served: Served) -> None:
    models = served.get("/v1/models").json
    assert [model["name"] for model in models["models"]] == ["en", "nl", "de", "is"]
    assert "pointer" in models["encodings"]
    assert served.get("/v1/explain?label=NP&lang=en").json["entries"][0]["text"] == "noun phrase"
    assert len(served.get("/v1/explain?lang=de").json["entries"]) > 20
    assert served.get("/v1/explain?label=NP&lang=xx").status == 422
    assert served.get("/healthz").json == {"status": "ok"}
    assert served.get("/readyz").json["workers"] == 2
    paths = served.get("/openapi.json").json["paths"]
    assert {"/v1/parse", "/v1/encode", "/v1/decode", "/v1/convert", "/v1/draw", "/v1/evaluate"} <= set(paths)


def test_headers_keep_others_out(served: Served) -> None:
    reply = served.get("/v1/models")
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in reply.headers
    policy = served.get("/").headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert served.ask("GET", "/v1/models", headers={"Host": "evil.example"}).status == 421
    assert served.ask("GET", "/v1/models", headers={"Origin": "http://evil.example"}).status == 403
    assert served.ask("OPTIONS", "/v1/parse", headers={"Origin": "http://evil.example"}).status == 403
    assert served.ask("GET", "/v1/models", headers={"Origin": served.url, "Host": served.url[7:]}).status == 200


@pytest.mark.parametrize(
    "path", ["/../app.py", "/%2e%2e/app.py", "/..%2fapp.py", "//etc/passwd", "/v1/../../app.py", "/%00", "/v1/nothing"]
)
def test_no_file_of_the_server_is_shown(served: Served, path: str) -> None:
    reply = served.ask("GET", path)
    assert reply.status in (400, 404)
    assert b"import" not in reply.content


def test_bodies_over_the_limit(served: Served) -> None:
    assert served.post("/v1/parse", text="x" * (1 << 20)).status == 413
    with socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE) as wire:
        wire.sendall(b"POST /v1/parse HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
        # The server may close the connection before it has all of them.
        with contextlib.suppress(ConnectionError):
            for _ in range(17):
                wire.sendall(chunk)
        assert wire.recv(100).startswith(b"HTTP/1.1 413")


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b"\xff", b'{"text": "\\ud800"}', b"[" * 100_000, b"1e999"])
def test_bodies_that_are_no_requests(served: Served, body: bytes) -> None:
    for path in ("parse", "convert", "draw", "encode", "decode", "evaluate"):
        assert served.ask("POST", f"/v1/{path}", body).status == 422


def test_an_answer_that_would_be_too_large(served: Served) -> None:
    deep = "".join(f"(A (X {word}=a) " for word in range(4000)) + ")" * 4000
    reply = served.post("/v1/convert", treebank=deep, to="json")
    assert reply.status == 413
    assert "too many words" in reply.json["error"]
    assert served.post("/v1/convert", treebank=deep, to="export").status == 200


def test_documents_of_a_stream_come_back_in_order(served: Served) -> None:
    documents = [{"id": number, "text": SENTENCES[number % 5], "lang": "en"} for number in range(100)]
    lines = [json.dumps(document) for document in documents]
    lines[40] = "{"
    reply = served.ask("POST", "/v1/parse", "\n".join(lines).encode(), {"Content-Type": "application/x-ndjson"})
    answers = [json.loads(line) for line in reply.text.splitlines()]
    assert [answer.get("id") for answer in answers] == [*range(40), None, *range(41, 100)]
    assert answers[40]["status"] == 422
    assert answers[99]["sentences"] == answers[4]["sentences"]


def test_a_stream_is_answered_while_it_comes(served: Served) -> None:
    with socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE) as wire:
        head = b"POST /v1/parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
        wire.sendall(head + b"Transfer-Encoding: chunked\r\n\r\n")
        stream = wire.makefile("rb")
        for number in range(3):
            line = json.dumps({"id": number, "text": "It rains.", "lang": "en"}).encode() + b"\n"
            wire.sendall(b"%x\r\n%s\r\n" % (len(line), line))
            while not (found := stream.readline()).startswith(b"{"):
                assert found
            assert json.loads(found)["id"] == number
        wire.sendall(b"0\r\n\r\n")
        assert stream.read(7).endswith(b"0\r\n\r\n")


def test_requests_that_are_joined_get_the_trees_that_they_get_alone(served: Served) -> None:
    alone = {text: served.post("/v1/parse", text=text, lang="en").content for text in SENTENCES}
    before = served.metric("permutree_batch_size_count"), served.metric("permutree_batch_size_sum")
    with ThreadPoolExecutor(16) as threads:
        texts = SENTENCES * 20
        with served.stopped():
            # Each of the two workers holds one request or some; the others wait, and are joined.
            replies = [threads.submit(served.post, "/v1/parse", text=text, lang="en") for text in texts]
            until(lambda: served.metric("permutree_queue_length") > 2)
        together = [reply.result().content for reply in replies]
    assert together == [alone[text] for text in texts]
    after = served.metric("permutree_batch_size_count"), served.metric("permutree_batch_size_sum")
    assert after[0] - before[0] < after[1] - before[1], "no requests were joined"


def test_a_killed_worker_is_replaced_and_its_requests_answered() -> None:
    with serve("--lang", "en", workers=2) as server, ThreadPoolExecutor(8) as threads:
        expected = server.post("/v1/parse", text=TEXT).content
        stop = threading.Event()
        replies: list[list[bytes]] = [[] for _ in range(8)]

        def ask(own: list[bytes]) -> None:
            while not stop.is_set():
                reply = server.post("/v1/parse", text=TEXT)
                assert reply.status == 200
                own.append(reply.content)

        def go_on(killed: int) -> None:
            """Wait until the killed workers are replaced, then until everybody has an answer to what was asked later.

            A worker that was killed may be counted as ready until its end is noticed.
            """
            until(lambda: server.metric("permutree_worker_restarts") >= killed or any(one.done() for one in asking))
            server.wait(2)
            before = [len(own) for own in replies]
            until(
                lambda: (
                    all(len(own) > count + 1 for own, count in zip(replies, before, strict=True))
                    or any(one.done() for one in asking)
                )
            )

        asking = [threads.submit(ask, own) for own in replies]
        try:
            for killed in range(2):
                # What a worker held goes to another one once; two that die one after the other could hold the same.
                go_on(killed)
                os.kill(server.workers()[0], signal.SIGKILL)
            go_on(2)
        finally:
            stop.set()
        for one in asking:
            one.result()
        assert {content for own in replies for content in own} == {expected}
        assert server.metric("permutree_worker_restarts") == 2


def test_a_worker_that_dies_idle_is_replaced_before_a_request_comes() -> None:
    with serve("--lang", "en") as server:
        os.kill(server.workers()[0], signal.SIGKILL)
        until(lambda: server.metric("permutree_worker_restarts") == 1)
        server.wait(1)
        assert server.post("/v1/parse", text=TEXT).status == 200
        assert server.metric("permutree_retries") == 0


def test_a_full_queue_and_the_end() -> None:
    with serve("--lang", "en", "--limit-queue", "2", "--limit-seconds", "1000") as server:
        with ThreadPoolExecutor(8) as threads:

            def ask(times: int) -> list[Future[Reply]]:
                return [threads.submit(server.post, "/v1/convert", treebank=TREE, to="export") for _ in range(times)]

            with server.stopped():
                # One request is with the worker, two wait, and there is no place for others.
                asked = ask(2)
                server.wait_for_queue(1)
                asked += ask(1)
                server.wait_for_queue(2)
                refused = server.post("/v1/parse", text=TEXT)
                assert refused.status == 503
                assert refused.headers["retry-after"] == "1"
                assert server.get("/healthz").status == 200
            assert [one.result().status for one in asked] == [200, 200, 200]
            server.wait_for_queue(0)
            (worker,) = server.workers()
            with server.stopped():
                # What is under way when the signal comes is answered.
                asked = ask(2)
                server.wait_for_queue(1)
                server.process.send_signal(signal.SIGTERM)
                until(lambda: not server.listens())
            assert [one.result().status for one in asked] == [200, 200]
        status, said = server.end()
        assert status == 0
        assert TREE not in said
        assert not os.path.exists(f"/proc/{worker}")


def test_who_takes_too_long_is_left() -> None:
    with serve("--lang", "en", "--limit-seconds", "2", "--preload") as server:
        # Who begins a request and does not go on.
        with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as silent:
            silent.sendall(b"POST /v1/parse HTTP/1.1\r\nHost:")
            assert silent.recv(100) == b""
        # A worker that does not answer is replaced.
        with server.stopped():
            assert server.post("/v1/parse", text=TEXT).status == 408
        server.wait(1)
        until(lambda: server.post("/v1/parse", text=TEXT).status == 200)


def test_cors_names_and_logs() -> None:
    options = ["--cors", "https://a.example", "--allow-host", "b.example", "--log-requests", "--log-text"]
    with serve("--lang", "en", *options) as server:
        reply = server.ask("GET", "/v1/models", headers={"Origin": "https://a.example", "Host": "b.example"})
        assert reply.headers["access-control-allow-origin"] == "https://a.example"
        asked = server.ask("OPTIONS", "/v1/parse", headers={"Origin": "https://a.example"})
        assert (asked.status, asked.headers["access-control-allow-headers"]) == (204, "content-type")
        assert server.ask("GET", "/v1/models", headers={"Origin": "https://b.example"}).status == 403
        server.post("/v1/parse", text=TEXT)
        _, said = server.stop()
        assert "POST /v1/parse 200" in said
        assert TEXT in said
