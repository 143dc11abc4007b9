import json

from permutree.corpora.documents import READERS, Columns, Part


def read(name: str, data: str | bytes, **before: int) -> list[tuple[object, ...]]:
    part = Part(data.encode() if isinstance(data, str) else data, "file", **before)  # type: ignore[arg-type]
    return [
        (one.doc_id, one.first, one.text if one.words is None else one.words, one.error)
        for one in READERS[name](part, Columns())
    ]


def test_text_is_one_document() -> None:
    assert read("text", "\ufeffOne.\n\nTwo.") == [("file", 1, "One.\n\nTwo.", None)]
    assert read("text", b"caf\xe9") == [("file", 1, "caf\ufffd", None)]


def test_lines_and_tokens_are_numbered_on() -> None:
    assert read("lines", "a b\n\nc\n", sentences=4, characters=9) == [("file", 5, "a b", None), ("file", 6, "c", None)]
    offsets = [one.offset for one in READERS["lines"](Part(b"a b\n\nc\n", "file", characters=9), Columns())]
    assert offsets == [9, 14]
    assert read("tokens", "a  b\n \nc", sentences=1) == [("file", 2, ["a", "b"], None), ("file", 3, ["c"], None)]


def test_json_lines_keep_bad_ones() -> None:
    lines = [
        json.dumps({"id": "a", "text": "x"}), "", "{", "[1]", '{"text": 3}', '{"id": 5, "words": ["a"]}',
        '{"doc_id": "z", "id": "y", "text": "x"}', '{"text": "x"}',
    ]  # fmt: skip
    found = read("jsonl", "\n".join(lines), lines=10)
    assert found[0] == ("a", 1, "x", None)
    assert found[1][:3] == ("file:13", 1, None)
    assert str(found[1][3]).startswith("not JSON")
    assert found[2] == ("file:14", 1, None, "not a JSON object, but of type list")
    assert found[3] == ("file:15", 1, None, "its 'text' is no string but of type int")
    assert found[4:] == [("5", 1, ["a"], None), ("z", 1, "x", None), ("file:18", 1, "x", None)]
    assert str(read("jsonl", b'{"text": "\xe9"}')[0][3]).startswith("not utf-8")


CONLLU = """\
# newdoc id = first
# sent_id = s1
# text = zum Haus
1-2	zum	_	_	_	_	_	_	_	_
1	zu	zu	ADP	_	_	3	case	_	_
2	dem	der	DET	_	_	3	det	_	_
3	Haus	Haus	NOUN	_	_	0	root	_	_
3.1	leer	_	_	_	_	_	_	_	_

1	Ja	ja	INTJ	_	_	0	root	_	_

# newdoc
1	bad line

# newdoc id = last
1	Nein	nein	INTJ	_	_	0	root	_	_
"""


def test_conllu_has_documents_and_sentences() -> None:
    found = read("conllu", CONLLU)
    assert found[:2] == [("first", 1, ["zu", "dem", "Haus"], None), ("first", 2, ["Ja"], None)]
    assert found[2][:3] == ("file:2", 1, None)
    assert "has not the ten columns of CoNLL-U" in str(found[2][3])
    assert found[3] == ("last", 1, ["Nein"], None)
    ids = [one.id for one in READERS["conllu"](Part(CONLLU.encode(), "file"), Columns())]
    assert ids[0] == "s1"
