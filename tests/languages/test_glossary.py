import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import permutree
from permutree.errors import ConfigError, DataError
from permutree.languages import Entry, all_languages, explain, language_named
from permutree.languages.explaining import near_labels
from permutree.languages.glossary import KINDS, Glossary, Meaning

TREEBANKS = [("masc", "en"), ("craft", "en"), ("alpino", "nl"), ("squoia_de", "de"), ("icepahc", "is")]

#: labels of all kinds that must stay explained where the treebanks are not at hand
CONSTITUENTS = {
    "en": "ROOT NP VP PP S NML SBAR SBARQ SQ SINV WHNP QP LST FRAG CONJP UCP PRT EDITED RRC NAC X CAPTION HEADING CIT",
    "nl": "ROOT np pp smain ssub sv1 inf ti oti ahi ppart ppres mwu conj cp rel whrel whq whsub ap advp detp du svan",
    "de": "VROOT NP PP AP S VP AVP CNP PN CS VZ CAP CVP CPP CH NM CO CAVP AA CVZ CAC DL ISU MTA",
    "is": "ROOT NP PP IP-MAT IP-SUB IP-INF IP-SMC ADVP CONJP CP-REL CP-THT CP-QUE CP-ADV CP-CMP WNP NX QTP META FRAG",
}
TAGS = {
    "en": "NN IN JJ DT VBN VBZ PRP PRP$ WP$ HYPH -LRB- -RRB- -LSB- , . : `` '' $ # SYM AFX NFP XX TO EX",
    "nl": "n ww vz let lid vnw adj bw spec vg tw tsw",
    "de": "NN ART APPR APPRART ADJA $. $, $[ $( KON VVFIN VVPP VVIZU PROAV PAV KOUI PTKA TRUNC XY --",
    "is": 'P CONJ PRO-N N-A NS-D NPR-G VBDI VBPI BEDS MDPI RDN VAN-A Q+NUM-N ONE+Q-A N21-D C22 ADVR+ADJ-N . , "',
}
FUNCTIONS = {
    "en": "SBJ PRD TMP LOC CLR LGS NOM TPC LOC-PRD",
    "nl": "hd mod -- det obj1 su top mwp body vc cnj cmp predc crd whd pc dp rhd svp app ld nucl tag obj2 predm se "
    "dlink obcomp sat me sup pobj1 hdf",
    "de": "HD NK MO CJ SB OA CD MNR OC AG PNC PD CP RC OP PM PG DA SVP APP UC PH RE NG PAR CM SBP CC EP NMC JU CVC DM "
    "AMS VO OG AVC DH RS ADC AC OA2",
    "is": "SBJ OB1 OB2 SPE POS TMP PRN PRD LFD RSP SPE-PRN",
}


@pytest.mark.parametrize("language", CONSTITUENTS)
@pytest.mark.parametrize(("kind", "labels"), [("constituent", CONSTITUENTS), ("tag", TAGS), ("function", FUNCTIONS)])
def test_labels_of_each_kind(language: str, kind: str, labels: dict[str, str]) -> None:
    for label in labels[language].split():
        assert kind in {entry.kind for entry in explain(label, language)}, label


@pytest.mark.parametrize(("treebank", "language"), TREEBANKS)
def test_all_labels_of_the_treebanks(treebank: str, language: str, shared: Path) -> None:
    import lzma

    labels: set[str] = set()
    for split in ("train", "dev", "test"):
        with lzma.open(shared / "treebanks" / treebank / f"{split}.discbracket.xz", "rt", encoding="utf-8") as lines:
            for line in lines:
                labels.update(re.findall(r"\(([^ ()]+) ", line))
    assert len(labels) > 30
    assert not [label for label in labels if not explain(label, language)]


@pytest.mark.parametrize("language", all_languages())
def test_lines_are_well_formed(language: str) -> None:
    entries = language_named(language).entries()
    assert len({(entry.label, entry.kind) for entry in entries}) == len(entries)
    for entry in entries:
        assert entry.kind in KINDS
        assert entry.text == entry.text.strip() != ""
        assert not entry.text.endswith(".")
        assert len(entry.text) < 110


def test_several_meanings() -> None:
    assert explain("CD") == (
        Entry("CD", "en", "tag", "cardinal number"),
        Entry("CD", "de", "function", "coordinating conjunction"),
    )
    assert [entry.kind for entry in explain("PRP", "en")] == ["tag", "function"]
    assert permutree.explain is explain


@pytest.mark.parametrize(
    ("label", "language", "text"),
    [
        ("NP-SBJ-1", "en", "noun phrase; surface subject"),
        ("NP=2", "en", "noun phrase"),
        ("NP-SB", "de", "noun phrase; subject"),
        ("IP-MAT-SPE", "is", "main clause; direct speech"),
        ("VBPS", "is", "verb, present subjunctive"),
        ("BE", "is", '"vera" (be), infinitive'),
        ("NPR-D", "is", "proper noun, singular; dative"),
        ("ADVR+Q-A", "is", "one word of adverb, comparative + quantifier; accusative"),
        ("N32-D", "is", "noun, singular (part 2 of 3, written apart); dative"),
    ],
)
def test_labels_are_explained_by_their_parts(label: str, language: str, text: str) -> None:
    assert [entry.text for entry in explain(label, language)] == [text]


@pytest.mark.parametrize("label", ["", "-", "-1", "NP-", "-SBJ", "NP-FOO", "FOO-SBJ", "NP+VP", "smian"])
def test_unknown_labels(label: str) -> None:
    assert explain(label, "en") == ()


@given(st.text("NPSBJVAD-+=12 ") | st.text())
def test_anything_can_be_asked(label: str) -> None:
    for entry in explain(label):
        assert entry.label == label
        assert entry.text


def test_features_stand_on_tags_and_constituents() -> None:
    glossary = Glossary("tag\tN\tnoun\nfeature\tN\tnominative\nfunction\tADV\tadverbial")
    assert glossary.meanings("N-N") == [Meaning("tag", "noun; nominative")]
    assert glossary.meanings("ADV-N") == []
    assert glossary.meanings("ADV-ADV") == [Meaning("function", "adverbial; adverbial")]


@pytest.mark.parametrize("line", ["NP\tnoun phrase", "phrase\tNP\tnoun phrase", "tag NN noun"])
def test_bad_lines_are_named(line: str, tmp_path: Path) -> None:
    file = tmp_path / "klingon.tsv"
    file.write_text(f"tag\tV\tverb\n\n{line}\n", "utf-8")
    glossary = Glossary(file)
    with pytest.raises(DataError, match=r"klingon.tsv.*3.*no kind \(constituent, tag, function, feature\)"):
        glossary.meanings("V")


def test_near_labels() -> None:
    assert near_labels("smian")[0] == "smain"
    assert near_labels("sbarq")[0] == "SBARQ"
    assert near_labels("NP", "nl")[0] == "np"
    assert near_labels("§§§§") == []


def test_unknown_languages() -> None:
    with pytest.raises(ConfigError, match="no language 'fr': there are en, nl, de, is"):
        explain("NP", "fr")
