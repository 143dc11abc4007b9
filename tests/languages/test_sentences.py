from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from permutree.errors import ConfigError
from permutree.languages import Language, TextSentence, all_languages, sentences, split, split_stream, tokenise

#: any characters, and those that the rules are about more often than they would come by chance
TEXTS = st.text(
    st.one_of(
        st.characters(),
        st.characters(categories=["Cs"]),
        st.sampled_from(" \n\r\t.,:;?!'’\"“”„»«()[]-–—/&%$@_0123456789aAbBzZtTsSßüþðœ\0\x1c\x85\u00a0\u2028\u2029"),
        st.sampled_from("\u0301\u200d\u200f\ufe0f\U0001f468\U0001f3fd\U0001f1f3\U0001f1f1\udce4\u05d0\u0627\u4e2d。"),
    )
)
WORDS = [
    "Mr.",
    "z.B.",
    "'t",
    "U.S.",
    "don't",
    "3.",
    "www.a.b",
    "a@b.c",
    "http://x.y/z).",
    "co-op",
    "@a",
    "#a",
    "C++",
    ":-)",
    "\n- a",
    "\n1. a",
    "Dr",
    "…",
    "...",
    "\r\n\r\n",
]
MIXED = st.lists(st.one_of(TEXTS, st.sampled_from([*WORDS, " ", "\n", "\n\n"]))).map("".join)


def words(text: str, language: str) -> list[str]:
    return [" ".join(sentence.words) for sentence in split(text, language)]


def check(text: str, found: list[TextSentence]) -> None:
    """Every character that is not white space is in one word, in order, and no word is empty or has a blank."""
    spans = list(chain.from_iterable(sentence.offsets for sentence in found))
    covered = [place for start, end in spans for place in range(start, end)]
    assert covered == sorted(set(covered))
    assert "".join(text[place] for place in covered) == "".join(letter for letter in text if not letter.isspace())
    assert not any(text[place].isspace() for place in covered)
    for sentence in found:
        assert sentence.words
        assert len(sentence.words) == len(sentence.offsets)
        for word in sentence.words:
            assert word
            assert not any(map(str.isspace, word))
            word.encode()


@pytest.mark.parametrize("language", all_languages())
@given(text=MIXED)
@example(text="\n\n")
@example(text="a.\n\n\n.b")
def test_no_character_is_lost(text: str, language: str) -> None:
    found = split(text, language)
    check(text, found)
    whole = tokenise(text, language)
    check(text, [whole] if whole.words else [])


@pytest.mark.parametrize("language", all_languages())
@given(parts=st.lists(MIXED))
def test_a_stream_is_split_as_the_whole(parts: list[str], language: str) -> None:
    assert list(split_stream(parts, language)) == split("".join(parts), language)


@given(parts=st.lists(MIXED), buffer=st.integers(1, 30), more=st.integers(0, 60))
def test_no_character_of_a_stream_is_lost(parts: list[str], buffer: int, more: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sentences, "BUFFER", buffer)
        patch.setattr(sentences, "LIMIT", buffer + more)
        check("".join(parts), list(split_stream(parts, "en")))


PROSE = 'Mr. Smith did not see it. He was in the U.S. then. "Why?" she said. It cost 3.50 dollars, they say. ' * 20


@pytest.mark.parametrize("text", [PROSE, "- some milk\n- six eggs\n  or more\n" * 50], ids=["prose", "list"])
def test_a_small_buffer_gives_the_same_sentences(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = split(text, "en")
    monkeypatch.setattr(sentences, "BUFFER", 300)
    for size in (1, 7, 100, 1000):
        parts = [text[start : start + size] for start in range(0, len(text), size)]
        assert list(split_stream(parts, "en")) == whole


def test_a_stream_gives_paragraphs_as_they_come() -> None:
    taken: list[str] = []

    def lines() -> Iterator[str]:
        for line in ("One. Two", " three.\n", "\n", "Four."):
            taken.append(line)
            yield line

    stream = split_stream(lines(), "en")
    assert next(stream).words == ["One", "."]
    assert taken[-1] == "\n"
    assert [sentence.offsets[0][0] for sentence in stream] == [5, 17]


def test_memory_of_a_stream_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    real = sentences._settled

    def settled(text: str, language: Language) -> tuple[int, str | list[TextSentence]]:
        seen.append(len(text))
        return real(text, language)

    monkeypatch.setattr(sentences, "_settled", settled)
    monkeypatch.setattr(sentences, "BUFFER", 1 << 10)
    monkeypatch.setattr(sentences, "LIMIT", 1 << 12)
    for text in ("x" * 20_000, "word " * 4_000, "😀" * 5_000, "a." * 9_000, '"' * 9_000, "A b. " * 4_000):
        check(text, list(split_stream([text], "en")))
    assert max(seen) <= (1 << 12) + (1 << 10)


def test_long_sentences_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentences, "MOST_WORDS", 3)
    assert words("a b c d e f g", "en") == ["a b c", "d e f", "g"]
    assert tokenise("a b c d", "en").words == ["a", "b", "c", "d"]


HOSTILE = ["a", "a.", "A.", "-", ".", "'", "a-", "1:", "@", "www.", "a@", "http://", "😀\u200d", "\n", '" ']
HOSTILE += ["#a", "@a@", "C++", ":-", " :", "1%a", "ab:in", 'zei: "a ']


@pytest.mark.parametrize("letters", HOSTILE)
@pytest.mark.parametrize("language", ["en", "nl", "de"])
def test_time_is_linear(letters: str, language: str) -> None:
    # Anything worse would not end before the test suite is given up.
    text = letters * (200_000 // len(letters))
    assert sum(end - start for one in split(text, language) for start, end in one.offsets) == len("".join(text.split()))


def test_unknown_languages() -> None:
    with pytest.raises(ConfigError, match="no language 'fr': there are en, nl, de, is"):
        split("Bonjour", "fr")


ENGLISH = {
    "I can't say they've gone; it's John's.": ["I ca n't say they 've gone ; it 's John 's ."],
    "You cannot, you're gonna.": ["You can not , you 're gon na ."],
    "Don’t!": ["Do n't !"],
    "Mr. J. A. Smith met Dr. Jones at 8:30 a.m. on 9/11.": ["Mr. J. A. Smith met Dr. Jones at 8:30 a.m. on 9/11 ."],
    "The wild-type mice (Fig. 2B) got anti-inflammatory X-rays 2-fold.": [
        "The wild - type mice ( Fig. 2B ) got anti-inflammatory X-rays 2-fold ."
    ],
    "Sam68−/− and A/J mice, 5 µg/ml at 37 °C; p<0.05 [12].": [
        "Sam68 − / − and A / J mice , 5 µg / ml at 37 °C ; p < 0.05 [ 12 ] ."
    ],
    "It cost $1,000.50, i.e. 10% more.": ["It cost $ 1,000.50 , i.e. 10 % more ."],
    '"Why?" she said. "I see." Then he left.': ['" Why ? " she said .', '" I see . "', "Then he left ."],
    "They live in the U.S. The end.": ["They live in the U.S.", "The end ."],
    "See Jones et al. and Smith et al. (2009).": ["See Jones et al. and Smith et al. ( 2009 ) ."],
    "Write to a.b@c.org or see http://www.x.org/a-b. Now!": [
        "Write to a.b@c.org or see http://www.x.org/a-b .",
        "Now !",
    ],
    "Cf. The Times. Approx. Ten people.": ["Cf. The Times .", "Approx. Ten people ."],
    "Is it No. 5? No. It is not.": ["Is it No. 5 ?", "No .", "It is not ."],
    "1. First of all, wait... What?!": ["1. First of all , wait ...", "What ?!"],
    "It was 2:1, and/or 50% more.": ["It was 2 : 1 , and / or 50 % more ."],
    "the end.Next one": ["the end .", "Next one"],
    "the students' books -- and the '90s": ["the students ' books -- and the '90s"],
    "A title\n\nA line\nbreak": ["A title", "A line break"],
}
DUTCH = {
    "Zo'n auto's zag hij 's avonds in '69 in 's-Gravenhage.": [
        "Zo'n auto's zag hij 's avonds in '69 in 's-Gravenhage ."
    ],
    "Prof. dr. J. van Dam zei: dat kan niet; nee.": ["Prof. dr. J. van Dam zei :", "dat kan niet ;", "nee ."],
    "De N.V. betaalde f 10.000,- aan radio- en tv-makers.": ["De N.V. betaalde f 10.000,- aan radio- en tv-makers ."],
    "Bijv. De Telegraaf. (Vgl. Jansen.) D.w.z. hij.": [
        "Bijv. De Telegraaf .", "( Vgl. Jansen . )", "D.w.z. hij ."
    ],
    'Hij zei: "Ik ga weg." Toen ging hij.': ['Hij zei : " Ik ga weg . "', "Toen ging hij ."],
    "Toen riep zij: ‘Kom, dr. Jansen!’ en ging.": ["Toen riep zij : ' Kom , dr. Jansen ! ' en ging ."],
    'Hij zei: "Ik ga. Jij niet." Dit wil hij: "Meer."': [
        "Hij zei :", '" Ik ga .', 'Jij niet . "', "Dit wil hij :", '" Meer . "'
    ],
    "Het werd 2:1 en/of 10:00, boven de 50%-grens.": ["Het werd 2:1 en/of 10:00 , boven de 50%-grens ."],
    "„Ja,” zei hij – o.a. tegen mij.": ['" Ja , " zei hij - o.a. tegen mij .'],
}  # fmt: skip
GERMAN = {
    "Das war z.B. am 3. Oktober bzw. im 19. Jahrhundert.": ["Das war z. B. am 3. Oktober bzw. im 19. Jahrhundert ."],
    "Es war der 3. Die Industrie- und Handelskammer gab 1'200 US$.": [
        "Es war der 3 .", "Die Industrie- und Handelskammer gab 1'200 US$ ."
    ],
    "Dr. Schmidt sagte: „Nein.“ Dann ging er; sie nicht.": [
        'Dr. Schmidt sagte : " Nein . "', "Dann ging er ;", "sie nicht ."
    ],
    "Der 2:1-Sieg kostet 50% und/oder 50%ige bzw. 3,5-%ige Anteile.": [
        "Der 2:1-Sieg kostet 50 % und / oder 50%ige bzw. 3,5-%ige Anteile ."
    ],
    "Bspw. Die Zeit, z.B. Die Welt. Bzw. Bern.": ["Bspw. Die Zeit , z. B. Die Welt .", "Bzw. Bern ."],
    "Mitarbeiter:innen, Schüler*innenrat, Lehrer/-innen: in der Schule, jede:r, Koordinator/in.": [
        "Mitarbeiter:innen , Schüler*innenrat , Lehrer/-innen : in der Schule , jede:r , Koordinator/in ."
    ],
    "HIV/Aids kostet 2,5 Mrd. Franken (vgl. S. 3).": ["HIV / Aids kostet 2,5 Mrd. Franken ( vgl. S. 3 ) ."],
}  # fmt: skip
ICELANDIC = {
    "Hann sagði: „Já.“ Þá fór hann 5. maí út í.": ['Hann sagði : " Já . "', "Þá fór hann 5. maí út í ."],
    "Sbr. Jón. „Sbr. Hún.“": ["Sbr. Jón .", '" Sbr. Hún . "'],
    "Það fór 2:1 og/eða 50%.": ["Það fór 2:1 og/eða 50 % ."],
    "Það er t.d. gott o.s.frv. Hún kom; og fór.": ["Það er t.d. gott o.s.frv.", "Hún kom ;", "og fór ."],
}


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        (language, text, expected)
        for language, some in {"en": ENGLISH, "nl": DUTCH, "de": GERMAN, "is": ICELANDIC}.items()
        for text, expected in some.items()
    ],
)
def test_words_are_those_of_the_treebanks(language: str, text: str, expected: list[str]) -> None:
    assert words(text, language) == expected
    check(text, split(text, language))


def test_strange_characters() -> None:
    assert words("a\0b \x07 \udce4x \ufeffc", "en") == ["a ␀ b ␇ �x c"]
    assert words("gewa\u0308hlt Schiff\u00adfahrt", "de") == ["gewählt Schifffahrt"]
    assert words("👩🏽\u200d🚀🇳🇱!", "nl") == ["👩🏽\u200d🚀 🇳🇱 !"]
    assert words("中文。好", "en") == ["中 文 。", "好"]
    assert words("שלום, עולם.", "en") == ["שלום , עולם ."]


@pytest.mark.parametrize("language", all_languages())
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@user @a_b, #hashtag, #G20 (#A1b2c) @me@a-b.org.", ["@user @a_b , #hashtag , #G20 ( #A1b2c ) @me@a-b.org ."]),
        ("C++, C# F#, C++11", ["C++ , C# F# , C++11"]),
        ("Ok :-) ok :) ok ;-( ok :D (ok :-P) ok:-)", ["Ok :-) ok :) ok ;-( ok :D ( ok :-P ) ok :-)"]),
        ("Hallo! :-) Hallo. ;) Hallo", ["Hallo ! :-)", "Hallo . ;)", "Hallo"]),
        ("# 5, #5, #AF287270, a@, ++, + +", ["# 5 , # 5 , # AF287270 , a @ , ++ , + +"]),
    ],
)
def test_words_of_the_web(language: str, text: str, expected: list[str]) -> None:
    assert words(text, language) == expected
    check(text, split(text, language))


def test_all_hyphens_are_alike() -> None:
    for text, language in [
        ("Anti-viral wild-type mice, 2-fold: follow-up, follow-ups.", "en"),
        ("De tv-makers en radio- en filmmensen.", "nl"),
        ("Die EU-Staaten, Industrie- und Handelskammer.", "de"),
    ]:
        expected = words(text, language)
        assert words(text.replace("-", "\u2010"), language) == expected
        assert words(text.replace("-", "\u2011"), language) == expected
    assert words("follow-up, follow-ups", "en") == ["follow-up , follow-ups"]


def test_offsets_lead_back_to_the_text() -> None:
    text = "Sie können’s\r\nnicht … "
    found = tokenise(text, "de")
    assert found.words == ["Sie", "können's", "nicht", "..."]
    assert [text[start:end] for start, end in found.offsets] == ["Sie", "können’s", "nicht", "…"]


@pytest.mark.parametrize(
    ("treebank", "language", "share"), [("masc", "en", 0.75), ("alpino", "nl", 0.9), ("squoia_de", "de", 0.9)]
)
def test_sentences_of_treebanks(treebank: str, language: str, share: float, shared: Path) -> None:
    """Words with blanks between them mostly stay as they are; English has hyphens in two ways."""
    from permutree import read

    same = count = 0
    for tree in read(shared / "treebanks" / treebank / "dev.discbracket.xz"):
        same += tokenise(" ".join(tree.words), language).words == list(tree.words)
        count += 1
    assert same / count > share
