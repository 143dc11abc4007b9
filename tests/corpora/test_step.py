import pickle
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from permutree.corpora import Columns, Step, parse_batch
from permutree.corpora.documents import Document
from permutree.errors import ConfigError, DataError
from permutree.formats.arrow import schema, to_trees
from permutree.parsing.parser import Parser


def batch(*rows: dict[str, Any]) -> pa.RecordBatch:
    names = dict.fromkeys(name for row in rows for name in row)
    return pa.RecordBatch.from_pylist([{name: row.get(name) for name in names} for row in rows])


def test_documents_become_sentences_with_trees(step: Step) -> None:
    given = batch({"id": "a", "text": "the dog sleeps. it works."}, {"id": "b", "text": "How does it work?"})
    found = pickle.loads(pickle.dumps(step))(given)
    assert found.schema == schema()
    rows = found.to_pylist()
    assert [(row["doc_id"], row["sentence"], row["text"]) for row in rows] == [
        ("a", 1, "the dog sleeps."), ("a", 2, "it works."), ("b", 1, "How does it work?"),
    ]  # fmt: skip
    assert [row["words"] for row in rows][1] == ["it", "works", "."]
    assert (rows[1]["starts"], rows[1]["ends"]) == ([16, 19, 24], [18, 24, 25])
    assert all(row["error"] is None and 0 < row["confidence"] <= 1 and row["lang"] == "en" for row in rows)
    assert step.model is not None
    trees = Parser.load(step.model, threads=1).parse("How does it work?", "en")
    assert rows[2]["discbracket"] == trees[0].discbracket()
    assert [tree.discbracket() for tree in to_trees(found)] == [row["discbracket"] for row in rows]


def test_nothing_is_dropped(step: Step) -> None:
    given = batch(
        {"id": "empty", "text": ""},
        {"id": "none", "text": None},
        {"id": "blank", "text": " \n\n "},
        {"id": "good", "text": "it works ."},
        {"id": "french", "text": "it works", "lang": "fr"},
    )
    rows = step(given).to_pylist()
    assert [(row["doc_id"], row["sentence"], row["error"]) for row in rows] == [
        ("empty", 1, "there are no words"),
        ("none", 1, "there is no 'text', nor 'words' or 'sentences'"),
        ("blank", 1, "there are no words"),
        ("good", 1, None),
        ("french", 1, "its language, fr, is none of en"),
    ]
    assert [row["discbracket"] is None for row in rows] == [True, True, True, False, True]


def test_words_are_taken_as_they_are(step: Step) -> None:
    given = batch(
        {"doc_id": 7, "sentences": [["it", "works"], ["a dog"], ["x", ""]]},
        {"doc_id": 8, "sentences": [["How", "does", "it", "work", "?"]]},
    )
    rows = step(given).to_pylist()
    assert [(row["doc_id"], row["sentence"], row["words"]) for row in rows] == [
        ("7", 1, ["it", "works"]), ("7", 2, ["a dog"]), ("7", 3, None), ("8", 1, ["How", "does", "it", "work", "?"]),
    ]  # fmt: skip
    assert rows[1]["discbracket"] is None
    assert rows[1]["labels"] is not None
    assert rows[2]["error"] == "its words are not a list of strings that are not empty"


def test_long_sentences_keep_their_words(step: Step) -> None:
    rows = Step(model=step.model, languages=("en",), max_words=3)(
        batch({"id": "a", "text": "the dog sleeps. it works."})
    ).to_pylist()
    assert rows[0]["error"] == "4 words are more than the 3 that are parsed"
    assert rows[0]["words"] == ["the", "dog", "sleeps", "."]
    assert rows[1]["error"] is None


def test_the_same_words_are_parsed_once(step: Step, monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[int] = []
    parse = Parser.batches

    def count(self: Parser, sentences: Any, **options: Any) -> Any:
        sentences = list(sentences)
        counted.append(len(sentences))
        return parse(self, sentences, **options)

    monkeypatch.setattr(Parser, "batches", count)
    rows = step(batch(*({"id": str(number), "text": "it works. it sleeps."} for number in range(50)))).to_pylist()
    assert counted == [2]
    assert len(rows) == 100
    assert len({row["discbracket"] for row in rows}) == 2
    assert [row["doc_id"] for row in rows[:4]] == ["0", "0", "1", "1"]


def test_a_sentence_that_breaks_the_parser_keeps_its_row(step: Step, monkeypatch: pytest.MonkeyPatch) -> None:
    parse = Parser.batches

    def fail(self: Parser, sentences: Any, **options: Any) -> Any:
        sentences = list(sentences)
        if any("dog" in words for words in sentences):
            raise RuntimeError("no memory")
        return parse(self, sentences, **options)

    monkeypatch.setattr(Parser, "batches", fail)
    texts = ("it works.", "the dog sleeps.", "she sees it.", "a cat sleeps.", "it sleeps.")
    rows = step(batch(*({"id": text, "text": text} for text in texts))).to_pylist()
    assert [row["error"] for row in rows] == [None, "RuntimeError: no memory", None, None, None]
    assert [row["words"][0] for row in rows] == ["it", "the", "she", "a", "it"]
    assert rows[1]["discbracket"] is None
    assert rows[2]["discbracket"].endswith("(. 3=.))")


GERMAN = "Das ist ein Satz, der auf Deutsch geschrieben ist und nicht auf Englisch."
ENGLISH = "This is a sentence that is written in English and not in German."
FRENCH = "Les enfants jouent dans le jardin avec leurs amis pendant que la mère prépare le dîner."


def test_each_document_has_the_model_of_its_language() -> None:
    rows = parse_batch(batch({"id": "a", "text": GERMAN}, {"id": "b", "text": ENGLISH})).to_pylist()
    assert [row["lang"] for row in rows] == ["de", "en"]
    assert [row["discbracket"].partition(" ")[0] for row in rows] == ["(VROOT", "(ROOT"]


def test_languages_are_filtered() -> None:
    given = batch({"id": "a", "text": GERMAN}, {"id": "b", "text": ENGLISH}, {"id": "c", "text": FRENCH})
    errors = Step(languages=("en",))(given)["error"].to_pylist()
    assert errors[:2] == ["its language, de, is none of en", None]
    errors = Step(languages=("en",), only_sure=True)(given)["error"].to_pylist()
    assert errors[2].startswith("its language is unsure; it may be ")


def test_halves_of_surrogate_pairs_are_replaced(step: Step) -> None:
    found = step.parse([Document("a", "it works\ud800 ."), Document("b", words=["\udfff"])]).to_pylist()
    assert found[0]["text"] == "it works\ufffd ."
    assert found[1]["words"] == ["\ufffd"]


def test_wrong_settings(step: Step, tiny_tagger: Path, tiny_model: Path) -> None:
    with pytest.raises(ConfigError, match="no language 'xx': there are en"):
        Step(languages=("xx",))
    with pytest.raises(ConfigError, match=r"there is no column 'text', nor .* only body; name the one with the text"):
        step(pa.RecordBatch.from_pylist([{"body": "x"}]))
    assert len(Step(model=step.model, columns=Columns(text="body"))(pa.RecordBatch.from_pylist([{"body": "x"}]))) == 1
    with pytest.raises(ConfigError, match="there is no column 'url' with ids"):
        Step(model=step.model, columns=Columns(id="url"))(pa.RecordBatch.from_pylist([{"text": "x"}]))
    given = batch({"id": "a", "text": "it works"})
    with pytest.raises(ConfigError, match="is a tagger; name a parser"):
        Step(model=str(tiny_tagger), languages=("en",))(given)
    with pytest.raises(ConfigError, match="reads tags, which text does not have; name a tagger"):
        Step(model=str(tiny_model), languages=("en",))(given)
    with pytest.raises(DataError):
        Step(model="no/such/folder", languages=("en",))(given)
