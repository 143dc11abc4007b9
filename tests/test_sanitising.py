"""What is shown, drawn and named after cannot steer what shows it."""

import csv
import io
import json
import re

from hypothesis import given
from hypothesis import strategies as st

from permutree.sanitising import csv_cell, file_name, json_text, latex, markdown, markup, visible

ANY = st.text(st.characters(), max_size=20) | st.text("\x00\x1b\x9b\r\n\u202e\u2066\ud800../\\%~conaux. ", max_size=12)
STEERING = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


@given(ANY)
def test_what_is_visible_steers_nothing(text: str) -> None:
    assert not STEERING.search(visible(text))
    assert visible(visible(text)) == visible(text) != ""


def test_words_of_all_scripts_stay_as_they_are() -> None:
    for word in ("gewählt", "שָׁלוֹם", "سلام", "می\u200cخواهم", "हिन्दी", "👩\u200d🚀", "a\xa0b", "12\u202f000", "\u200e"):
        assert visible(word) == word


@given(ANY)
def test_markup_is_text(text: str) -> None:
    assert not set("<>\"'") & set(markup(text))
    assert not re.search("&(?!(amp|lt|gt|quot|#x27);)", markup(text))


@given(ANY)
def test_latex_obeys_nothing(text: str) -> None:
    for exact in (False, True):
        left = re.sub(r"\\(text[a-z]+(\{\}|\\kern0pt )|kern0pt |[{}$&#%_])", "", latex(text, exact=exact))
        assert not set("\\{}$&#%^\n\r") & set(left)


@given(ANY)
def test_markdown_has_no_links_and_no_tags(text: str) -> None:
    assert "\n" not in markdown(text)
    assert not re.search(r"(?<!\\)(\\\\)*[`*\[\]<&|]", markdown(text))


@given(ANY)
def test_csv_is_read_back_and_has_no_formulas(text: str) -> None:
    stream = io.StringIO()
    csv.writer(stream).writerow([csv_cell(text)])
    ((cell,),) = csv.reader(io.StringIO(stream.getvalue())) if text else (("",),)
    assert cell.removeprefix("'") == (visible(text) if text else "").removeprefix("'")
    assert not re.match(r"[=+@]|-(?![A-Z]+-$)", cell)


@given(ANY)
def test_json_has_the_same_value(text: str) -> None:
    shown = json_text({text: [text]}, indent=None)
    assert not STEERING.search(shown)
    assert json.loads(shown) == {text: [text]}
    assert json_text(text, only_ascii=True).isascii()


@given(ANY, ANY)
def test_names_of_files_stay_inside_and_apart(text: str, other: str) -> None:
    name = file_name(text)
    for part in name.split("/"):
        assert part not in ("", ".", "..")
        assert not part.startswith(".")
        assert not re.search(r'[\0-\x1f\\:*?"<>|]|[. ]$', part)
        assert len(part.encode()) <= 240
        assert part.partition(".")[0].lower() not in ("con", "aux", "nul", "prn", "com1", "lpt1")
    assert (name == file_name(other)) == (text == other)
