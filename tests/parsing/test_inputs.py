import gzip
import io
import logging
from pathlib import Path

import pytest

from permutree import Tree
from permutree.errors import DataError
from permutree.parsing.inputs import RawText, Sentence, Unread, read_parts, read_sentences, write_tagged

TREE = "(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))"


def words_of(text: str, format_name: str, tmp_path: Path) -> list[list[str]]:
    file = tmp_path / "text"
    file.write_bytes(text.encode())
    return [list(sentence.words) for sentence in read_sentences(file, format_name)]


def test_tokens(tmp_path: Path) -> None:
    assert words_of("How does it work ?\n one  two\tthree \r\nlast", "tokens", tmp_path) == [
        ["How", "does", "it", "work", "?"],
        ["one", "two", "three"],
        ["last"],
    ]


def test_other_blanks_are_part_of_words(tmp_path: Path) -> None:
    assert words_of("10\u00a0000 Euro\u3000zwei\n", "tokens", tmp_path) == [["10\u00a0000", "Euro\u3000zwei"]]


def test_empty_lines_of_tokens_are_left_out_and_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert words_of("one\n\n \t\ntwo\n", "tokens", tmp_path) == [["one"], ["two"]]
    assert "2 empty lines left out, the first is line 2" in caplog.text


def test_tagged(tmp_path: Path) -> None:
    file = tmp_path / "text.tagged"
    file.write_text("How\tWRB\ndoes_it\tV_Z\n\n\n?\t$.", "utf-8")
    assert list(read_sentences(file)) == [Sentence(["How", "does_it"], ["WRB", "V_Z"]), Sentence(["?"], ["$."])]


@pytest.mark.parametrize("line", ["How WRB", "How\tWRB\tx", "\tWRB", "How\t", "New York\tNNP"])
def test_tagged_lines_that_are_not(line: str, tmp_path: Path) -> None:
    file = tmp_path / "text.tagged"
    file.write_text(f"a\tA\n\nb\tB\n{line}\nc\tC\n\nd\tD\n", "utf-8")
    with pytest.raises(DataError, match=r"text\.tagged:4: expected a word, a tab and its tag"):
        list(read_sentences(file))
    errors: list[DataError] = []
    rest = read_sentences(file, on_error=errors.append)
    assert [sentence.words for sentence in rest] == [["a"], ["d"]]
    assert len(errors) == 1


def test_parts_are_read_later() -> None:
    parts = read_parts(RawText(f"{TREE}\n\n(NP (DT\n"), "discbracket")
    assert list(parts) == [
        Unread("discbracket", TREE, "the text given", 1),
        Unread("discbracket", "(NP (DT", "the text given", 3),
    ]
    with pytest.raises(DataError, match="the text given:3: "):
        list(read_sentences(RawText(f"{TREE}\n\n(NP (DT\n"), "discbracket"))
    one, two = read_parts(RawText("A dog. A cat.\n\nA bird.\n"), "text", language="en")
    assert (one, two) == (
        Unread("text", "A dog. A cat.", language="en"),
        Unread("text", "A bird.\n", offset=15, language="en"),
    )
    assert isinstance(two, Unread)
    assert [sentence.offsets for sentence in two.read() if isinstance(sentence, Sentence)] == [
        ((15, 16), (17, 21), (21, 22))
    ]


def test_formats_are_guessed_and_may_be_mixed(tmp_path: Path) -> None:
    tokens, trees = tmp_path / "a.tokens.gz", tmp_path / "b"
    tokens.write_bytes(gzip.compress(b"one two\n"))
    trees.write_text(TREE + "\n", "utf-8")
    assert list(read_sentences([tokens, trees])) == [Sentence(["one", "two"]), Tree.parse(TREE)]


def test_raw_text(tmp_path: Path) -> None:
    text = "\ufeffI don't know Mr. Smith.\r\nDo you? No\r\n\r\nA title"
    assert words_of(text, "text", tmp_path) == [
        ["I", "do", "n't", "know", "Mr.", "Smith", "."],
        ["Do", "you", "?"],
        ["No"],
        ["A", "title"],
    ]


def test_places_in_raw_text(tmp_path: Path) -> None:
    text = "Zij is er.\n\nHij ook, in 's-Gravenhage.\n"
    file = tmp_path / "text"
    file.write_text(text, "utf-8")
    for format_name in ("text", "lines"):
        for sentence in read_sentences(file, format_name, language="nl"):
            assert isinstance(sentence, Sentence)
            assert sentence.offsets is not None
            places = [place for place in sentence.offsets if place is not None]
            assert [text[start:end] for start, end in places] == list(sentence.words)


def test_a_raw_sentence_a_line(tmp_path: Path) -> None:
    text = "He left. She didn't.\n\n \t\nWhy?\r\nlast"
    assert words_of(text, "lines", tmp_path) == [
        ["He", "left", ".", "She", "did", "n't", "."],
        ["Why", "?"],
        ["last"],
    ]


def test_what_is_no_treebank_is_raw_text(tmp_path: Path) -> None:
    for name in ("text.txt", "text", "text.txt.gz"):
        file = tmp_path / name
        data = b"How does it work? Well.\n"
        file.write_bytes(gzip.compress(data) if name.endswith("gz") else data)
        sentences = list(read_sentences(file, language="en"))
        assert [one.words for one in sentences] == [["How", "does", "it", "work", "?"], ["Well", "."]]


def test_the_language_is_chosen_for_each_file_of_text(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "permutree")
    seen: list[str] = []

    def choose(text: str) -> str:
        seen.append(text)
        return "nl" if "'" in text else "en"

    files = [tmp_path / "a.dbr", tmp_path / "b.txt", tmp_path / "c.lines", tmp_path / "d.txt"]
    files[0].write_text(TREE, "utf-8")
    files[1].write_text("foto's", "utf-8")
    files[2].write_text("can not", "utf-8")
    files[3].write_text("auto's", "utf-8")
    parts = [part for part in read_parts(files, language=choose) if isinstance(part, Unread)]
    assert [part.language for part in parts] == ["", "nl", "en", "nl"]
    assert seen == ["foto's", "can not", "auto's"]
    assert [list(one.words) for one in read_sentences(RawText("What did you say?"))] == [
        ["What", "did", "you", "say", "?"]
    ]
    assert "the language of the text is taken to be 'en'" in caplog.text
    assert "unsure" not in caplog.text
    list(read_sentences(RawText("Le chat dort.")))
    assert "which is unsure" in caplog.text


@pytest.mark.parametrize("format_name", ["text", "lines"])
def test_no_language_is_chosen_for_no_text(format_name: str) -> None:
    seen: list[str] = []

    def choose(text: str) -> str:
        seen.append(text)
        return "en"

    assert not list(read_sentences([RawText(""), RawText(" \n\n")], format_name, language=choose))
    assert seen == []
    far = "\n" * (1 << 17) + "a b"
    (sentence,) = (one for one in read_sentences(RawText(far), format_name, language=choose) if one.words)
    assert seen == ["a b"]
    assert sentence.annotations.offsets == ((1 << 17, (1 << 17) + 1), ((1 << 17) + 2, (1 << 17) + 3))


def test_text_that_is_given() -> None:
    def words(text: str, format_name: str | None = None) -> list[list[str]]:
        return [list(one.words) for one in read_sentences(RawText(text), format_name, language="en")]

    assert words("It's. \ud83d \0") == [["It", "'s", "."], ["�", "␀"]]
    assert words("It's", "tokens") == [["It's"]]
    assert words(TREE) == [["How", "does", "it", "work"]]


def test_lines_that_cannot_be_decoded(tmp_path: Path) -> None:
    file = tmp_path / "text"
    file.write_bytes(b"one two\nthree \xe4 four.\nfive\n\xff\n")
    with pytest.raises(DataError, match="text:2: not utf-8 text"):
        list(read_sentences(file, "text", language="en"))
    for format_name in ("text", "lines", "tokens"):
        errors: list[DataError] = []
        sentences = list(read_sentences(file, format_name, on_error=errors.append, language="en"))
        assert [one.words for one in sentences] == [["one", "two"], ["five"]]
        assert [error.line for error in errors] == [2, 4]
        if format_name != "tokens":
            assert isinstance(sentences[1], Sentence)
            assert sentences[1].offsets == ((22, 26),)
    file.write_bytes(b"a\tA\n\n\xff\tB\nb\tB\n\nc\tC\n")
    errors = []
    assert [one.words for one in read_sentences(file, "tagged", on_error=errors.append)] == [["a"], ["c"]]
    assert [error.line for error in errors] == [3]


def test_long_lines_are_read_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "text"
    file.write_bytes("äöü ß\n".encode() * 20)
    monkeypatch.setattr("permutree.parsing.pieces._PIECE", 3)
    assert [one.words for one in read_sentences(file, "text", language="de")] == [["äöü", "ß"] * 20]
    assert words_of("äöü ß\nab", "tokens", tmp_path) == [["äöü", "ß"], ["ab"]]


def test_wide_encodings(tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_bytes("Ja. Nee.\n\nЖ".encode("utf-16"))
    assert [one.words for one in read_sentences(file, charset="utf-16", language="nl")] == [
        ["Ja", "."],
        ["Nee", "."],
        ["Ж"],
    ]
    file.write_bytes("Ja.\n".encode("utf-16") + b"\x00\xd8\x00")
    with pytest.raises(DataError, match=r"text\.txt:2: not utf-16 text"):
        list(read_sentences(file, charset="utf-16", language="nl"))


def test_binary_files(tmp_path: Path) -> None:
    file = tmp_path / "picture"
    file.write_bytes(b"\x89PNG\0\xff\xd8")
    with pytest.raises(DataError, match=r"neither text nor a treebank of a known format .* --from text"):
        list(read_sentences(file))


def test_bytes_are_counted(tmp_path: Path) -> None:
    files = [tmp_path / "a.txt", tmp_path / "b.dbr", tmp_path / "c.txt.gz"]
    files[0].write_text("One. Two.\n\nThree.", "utf-8")
    files[1].write_text(TREE + "\n", "utf-8")
    files[2].write_bytes(gzip.compress(b"one two\n"))
    counts: list[int] = []
    assert len(list(read_sentences(files, language="en", on_bytes=counts.append))) == 5
    assert sum(counts) == files[0].stat().st_size + files[1].stat().st_size


def test_nothing_to_read(tmp_path: Path) -> None:
    empty, folder = tmp_path / "empty", tmp_path / "folder"
    empty.touch()
    folder.mkdir()
    assert list(read_sentences(empty, "tokens")) == []
    with pytest.raises(DataError, match="empty: is empty"):
        list(read_sentences(empty))
    with pytest.raises(DataError, match="folder: holds no treebank or text"):
        list(read_sentences(folder))
    with pytest.raises(DataError, match="cannot be read: No such file"):
        list(read_sentences(tmp_path / "nothing", "tokens"))


def test_stray_files_of_a_folder_are_left_out(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "a.dbr").write_text(TREE, "utf-8")
    (tmp_path / "README").write_text("about", "utf-8")
    (tmp_path / "b.tagged").write_text("a\tA", "utf-8")
    assert list(read_sentences(tmp_path)) == [Tree.parse(TREE), Sentence(["a"], ["A"])]
    assert "README: left out" in caplog.text


def test_stray_files_are_left_out_whatever_format_is_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "a").write_text(TREE, "utf-8")
    (tmp_path / "README").write_text("about (x)", "utf-8")
    assert list(read_sentences(tmp_path, "discbracket")) == [Tree.parse(TREE)]
    assert "README: left out" in caplog.text


def test_the_encoding_is_told(tmp_path: Path) -> None:
    file = tmp_path / "text.tokens"
    file.write_bytes("gewählt\n".encode("latin-1"))
    with pytest.raises(DataError, match=r"text\.tokens:1: not utf-8 text"):
        list(read_sentences(file))
    assert [one.words for one in read_sentences(file, charset="latin-1")] == [["gewählt"]]


def test_what_is_written_is_read(tmp_path: Path) -> None:
    stream = io.StringIO()
    write_tagged([(["a_b", "("], ["N", "$["]), (["c"], ["_"])], stream)
    assert stream.getvalue() == "a_b\tN\n(\t$[\n\nc\t_\n\n"
    file = tmp_path / "text.tagged"
    file.write_text(stream.getvalue(), "utf-8")
    assert list(read_sentences(file)) == [Sentence(["a_b", "("], ["N", "$["]), Sentence(["c"], ["_"])]


def test_words_with_blanks_cannot_be_written_as_tagged() -> None:
    with pytest.raises(DataError, match="sentence 2: a word or tag with a blank"):
        write_tagged([(["a"], ["N"]), (["New York"], ["N"])], io.StringIO())
