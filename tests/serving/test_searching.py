import json
import random
import sys
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest

from permutree import ConfigError, DataError, Tree
from permutree.search import Corpus, SearchStopped
from permutree.serving.corpora import corpora_to_serve, indexed
from permutree.serving.settings import Limits, Searched, Settings
from permutree.serving.work import Work
from served import PATIENCE, TREE, Served, busy, serve, until

LINES = [
    TREE,
    "(S (NP (NP (DT 0=A) (NN 1=man)) (SBAR (WDT 3=who) (VBD 4=slept))) (VP (VBD 2=came)))",
    "(S (NP (DT 0=The) (NN 1=cat)) (VP (VBZ 2=sleeps)))",
]
#: takes far longer than any limit
SLOW = "#a:[] .* #b:[] & #c:[] .* #d:[] & #e:[] .* #f:[]"
ENDLESS = r"[word=/(.*.*)*(.*.*)*(.*.*)*x\d/]"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpora")
    (folder / "small.discbracket").write_text("\n".join(LINES), "utf-8")
    Corpus.of([Tree.parse(TREE)] * 3, "made.txt").save(folder / "made.ptidx")
    wide = " ".join(f"(NP (NN {2 * number}=word{'x' * 24}) (JJ {2 * number + 1}=a))" for number in range(120))
    Corpus.of([Tree.parse(f"(S {wide})")] * 40, "wide.txt").save(folder / "wide.ptidx")
    return folder


@pytest.fixture(scope="module")
def served(files: Path) -> Iterator[Served]:
    corpora = ("small.discbracket", "made.ptidx", "wide.ptidx")
    options = [option for name in corpora for option in ("--corpus", str(files / name))]
    both = ["--corpus", f"both={files / 'made.ptidx'}", "--corpus", f"both={files / 'small.discbracket'}"]
    # Longer than any test waits: a search that should end by itself and does not is seen.
    limits = ["--limit-search", "1000", "--limit-seconds", "2000", "--limit-matches", "50"]
    with serve("--lang", "en", *options, *both, *limits) as server:
        yield server


@pytest.fixture(scope="module")
def work(files: Path) -> Work:
    limits = Limits(matches=50)
    return Work(Settings((), limits=limits, corpora=(Searched("made", (str(files / "made.ptidx"),)),)))


def test_corpora_and_their_labels(served: Served) -> None:
    answer = served.get("/v1/corpora").json
    sizes = {one["name"]: one["sentences"] for one in answer["corpora"]}
    assert sizes == {"small": 3, "made": 3, "wide": 40, "both": 6}
    small = answer["corpora"][0]
    assert small["cat"] == ["NP", "S", "SBAR", "VP"]
    assert "WDT" in small["pos"]
    assert (answer["matches"], answer["seconds"]) == (50, 1000)


def test_matches_with_their_trees(served: Served) -> None:
    query = '#n:[cat="NP"] > #r:[cat="SBAR"] & extraposed(#r)'
    answer = served.post("/v1/search", corpus="small", query=query).json
    assert (answer["total"], answer["more"], answer["variables"]) == (1, False, ["n", "r"])
    (match,) = answer["matches"]
    assert match == {
        "file": "small.discbracket",
        "sentence": 2,
        "words": ["A", "man", "came", "who", "slept"],
        "nodes": {
            "n": {"label": "NP", "words": [0, 1, 3, 4], "node": 6},
            "r": {"label": "SBAR", "words": [3, 4], "node": 8},
        },
        "discbracket": LINES[1],
    }
    tregex = served.post("/v1/search", corpus="both", query="NP < SBAR=r", syntax="tregex").json
    assert [one["nodes"]["r"]["words"] for one in tregex["matches"]] == [[3, 4]]
    example = served.post("/v1/search", corpus="both", query="(VP (WRB 0=How) (VB 3=_))", syntax="example").json
    assert example["total"] == 4


def test_limits_and_counts(served: Served) -> None:
    answer = served.post("/v1/search", corpus="both", query="#n:[pos=/.*/]", limit=2, count_by=["#n.pos"]).json
    assert len(answer["matches"]) == 2
    assert answer["total"] == 4 * 4 + 5 + 3
    assert answer["more"]
    assert answer["counts"]["by"] == ["#n.pos"]
    assert answer["counts"]["rows"][0] == {"values": ["VBZ"], "count": 5}
    assert answer["counts"]["values"] == len(answer["counts"]["rows"]) == 8
    only = served.post("/v1/search", corpus="wide", query="#n:[word=/.*/]", limit=0).json
    assert (only["total"], only["matches"], only["more"]) == (9600, [], True)
    once = served.post("/v1/search", corpus="made", query="#n:[NT] > #m:[T]", unique=["#n"]).json
    assert (once["total"], once["variables"]) == (6, ["n"])


@pytest.mark.parametrize(
    ("content", "status", "said"),
    [
        ({"query": '[cat="NP") > []'}, 422, "cannot understand ')'"),
        ({"query": "NP <", "syntax": "tregex"}, 422, "the end of the query"),
        ({"query": "(NP", "syntax": "example"}, 422, ""),
        ({"query": "[word=/(/]"}, 422, "not a regular expression"),
        ({"query": "[colour=3]"}, 422, ""),
        ({"query": "[]", "syntax": "sql"}, 422, "no query language 'sql': there are tiger"),
        ({"query": "[]", "corpus": "/etc/passwd"}, 422, "no corpus '/etc/passwd': there are small, made"),
        ({"query": "[]", "corpus": "../made.ptidx"}, 422, "no corpus"),
        ({"query": "[]", "limit": 51}, 413, "more than 50 matches"),
        ({"query": "[]", "limit": -1}, 422, "limit"),
        ({"query": "#n:[]", "count_by": ["#m.cat"]}, 422, "no variable #m"),
        ({"query": "#n:[]", "count_by": ["#n.colour"]}, 422, "no such fact"),
        ({"query": "#n:[]", "unique": ["m"]}, 422, "no variable #m"),
        ({"query": "[]" * 6000}, 422, "at most 10000 characters"),
        ({"query": ""}, 422, "query"),
        ({"query": "(" * 5000}, 422, ""),
    ],
)
def test_what_cannot_be_searched(served: Served, content: dict[str, object], status: int, said: str) -> None:
    reply = served.post("/v1/search", **({"corpus": "small"} | content))
    assert reply.status == status
    assert said in reply.json["error"]


def test_errors_know_their_place(served: Served) -> None:
    reply = served.post("/v1/search", corpus="small", query='[cat="NP") > []')
    assert reply.json["position"] == 9
    reply = served.post("/v1/search", corpus="small", query='[cat="SBARR"]')
    assert reply.json["total"] == 0
    assert reply.json["hints"] == [
        {"error": "the corpus has no cat 'SBARR'", "position": 5, "hint": "did you mean SBAR?"}
    ]


def test_no_query_holds_the_server(files: Path) -> None:
    with serve("--lang", "en", "--corpus", str(files / "wide.ptidx"), "--limit-search", "1") as server:
        workers = server.workers()
        for content in (
            {"query": f"{SLOW} & first(#b) > first(#d) + 1000", "limit": 1},
            {"query": ENDLESS},
            {"query": "#a:[] .* #b:[]", "count_by": ["#a.text", "#b.text"]},
        ):
            reply = server.post("/v1/search", corpus="wide", **content)
            assert (reply.status, "longer than 1 s" in reply.json["error"]) == (408, True), content
        assert server.workers() == workers, "the worker stops its search; it is not killed"


def test_a_search_that_nobody_waits_for_is_stopped(served: Served) -> None:
    (worker,) = served.workers()
    before = busy(worker)
    connection = HTTPConnection("127.0.0.1", served.port, timeout=PATIENCE)
    body = json.dumps({"corpus": "wide", "query": ENDLESS, "limit": 0})
    connection.request("POST", "/v1/search", body, {"Content-Type": "application/json"})
    until(lambda: busy(worker) > before + 0.3)
    connection.close()
    assert served.post("/v1/search", corpus="wide", query='[cat="NP"]', limit=0).json["total"] == 4800
    assert served.workers() == [worker]


def test_matches_come_without_a_total_if_counting_takes_too_long(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: object, **__: object) -> None:
        raise SearchStopped("too late")

    monkeypatch.setattr(Corpus, "count", late)
    (answer,) = work.answer([("search", b'{"corpus": "made", "query": "[]", "limit": 3}')])
    found = json.loads(answer.content)
    assert (len(found["matches"]), found["total"], found["more"]) == (3, None, True)
    (answer,) = work.answer([("search", b'{"corpus": "made", "query": "[]", "limit": 0}')])
    assert answer.status == 408


def test_answers_stay_small(files: Path) -> None:
    long = Tree.parse("(S " + " ".join(f"(A {number}=a)" for number in range(30_000)) + ")")
    Corpus.of([long], "long").save(files / "long.ptidx")
    work = Work(Settings((), corpora=(Searched("long", (str(files / "long.ptidx"),)),)))
    body = json.dumps({"corpus": "long", "query": "#n:[NT] > #m:[T]", "limit": 1000}).encode()
    (answer,) = work.answer([("search", body)])
    found = json.loads(answer.content)
    assert found["total"] == 30_000
    assert found["more"]
    assert 1 <= len(found["matches"]) < 10


def test_words_with_blanks_have_trees(tmp_path: Path) -> None:
    tree = Tree.from_constituents(["New York", "sleeps"], ["NNP", "VBZ"], [("S", (0, 1)), ("VP", (1,))])
    Corpus.of([tree]).save(tmp_path / "blank.ptidx")
    work = Work(Settings((), corpora=(Searched("blank", (str(tmp_path / "blank.ptidx"),)),)))
    (answer,) = work.answer([("search", b'{"corpus": "blank", "query": "[NT] > [NT]"}')])
    (match,) = json.loads(answer.content)["matches"]
    assert match["discbracket"] is None
    assert [one["label"] for one in match["constituents"]] == ["S", "VP"]
    assert match["tags"] == ["NNP", "VBZ"]


@pytest.mark.parametrize("seed", range(3))
def test_any_query_has_an_answer(work: Work, seed: int) -> None:
    rng = random.Random(seed)
    pieces = [
        '[cat="VP"]',
        "#n",
        "#m:",
        "[]",
        "&",
        "|",
        "(",
        ")",
        ">",
        ">*",
        ".",
        "$",
        "NP",
        "<",
        "<<",
        "/.*/",
        "...",
        "_",
    ]
    pieces += [
        "not",
        "exists",
        "discontinuous",
        "gap(#n) contains",
        "0=How",
        "=",
        '"',
        "\\",
        "\0",
        "é",
        "\ud800",
        "!",
        " ",
    ]
    bodies = []
    for _ in range(150):
        query = " ".join(rng.choices(pieces, k=rng.randrange(8)))
        content: dict[str, object] = {"corpus": "made", "query": query}
        content["syntax"] = rng.choice(["tiger", "tregex", "example"])
        if rng.random() < 0.3:
            content["count_by"] = rng.choices(["#n.cat", "#n", "file", "", "#.", "sentence", "#n.text"], k=2)
        bodies.append(json.dumps(content).encode())
    for body, answer in zip(bodies, work.answer([("search", body) for body in bodies]), strict=True):
        assert answer.status in (200, 408, 422), body
        assert not answer.is_unexpected, body


def test_names_of_corpora(files: Path, tmp_path: Path) -> None:
    small, made = str(files / "small.discbracket"), str(files / "made.ptidx")
    assert corpora_to_serve([small, f"x={made}"]) == (Searched("small", (small,)), Searched("x", (made,)))
    with pytest.raises(ConfigError, match="a name of its own"):
        corpora_to_serve([small, small])
    with pytest.raises(ConfigError, match="a name of its own"):
        corpora_to_serve([f"={small}"])
    with pytest.raises(ConfigError, match="no such file"):
        corpora_to_serve([str(tmp_path / "nothing.ptidx")])


def test_treebanks_are_indexed_for_the_time_of_serving(files: Path, tmp_path: Path) -> None:
    both = corpora_to_serve([f"x={files / 'small.discbracket'}", f"x={files / 'made.ptidx'}"])
    with indexed(both) as ready:
        (found,) = ready
        assert Corpus.open(found.files).size == 6
        assert found.files[0] == str(files / "made.ptidx")
    assert not Path(found.files[1]).exists()
    (tmp_path / "bad.discbracket").write_text("(S (A 0=a)\n", "utf-8")
    (tmp_path / "cut.ptidx").write_bytes((files / "made.ptidx").read_bytes()[:-5])
    (tmp_path / "empty.discbracket").write_text("", "utf-8")
    for name in ("bad.discbracket", "cut.ptidx", "empty.discbracket"):
        with pytest.raises(DataError, match=name), indexed(corpora_to_serve([str(tmp_path / name)])):
            pass


def test_without_the_package_of_queries(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lark", None)
    with pytest.raises(ConfigError, match=r"pip install 'permutree\[search\]'"):
        corpora_to_serve([str(files / "made.ptidx")])
