"""The recipe for IcePaHC."""

import lzma
import tarfile
from pathlib import Path

import pytest

from permutree.errors import DataError
from permutree.treebanks.recipes import icelandic

TEXT = """
( (CODE (CODE <heading>) (NP (N-N Upphaf-upphaf))) (ID X,.1))

( (IP-MAT-SPE (NP-SBJ (N-N Hest$-hestur) (D-N $inn-hinn) (NP-PRN *ICH*-1)) (, ,-,)
      (NP-PRN-1 (NPR-N Sleipnir-sleipnir)) (VBPI hleypur-hlaupa) (. .-.)) (ID X,.2))
"""


def test_a_text(tmp_path: Path) -> None:
    (tmp_path / "1745.klim.nar-fic.psd").write_text(TEXT)
    ((split, tree),) = icelandic.icepahc(tmp_path)
    assert split == "test"
    assert tree.id == "1745.klim.nar-fic,1"
    assert tree.discbracket() == (
        "(ROOT (IP-MAT (NP (N-N 0=Hestinn) (, 1=,) (NP (NPR-N 2=Sleipnir))) (VBPI 3=hleypur) (. 4=.)))"
    )
    assert tree.annotations.lemmas == ("hestur+hinn", ",", "sleipnir", "hlaupa", ".")
    assert tree.annotations.functions == (*[None] * 6, "SPE", "SBJ", "PRN")


def test_texts_in_the_order_of_their_names(tmp_path: Path) -> None:
    (tmp_path / "README").write_text("not a text")
    with pytest.raises(DataError, match="holds no file of this treebank, such as"):
        list(icelandic.icepahc(tmp_path))
    for folder, name in (("b", "1400.gunnar"), ("a", "1400.gunnar2"), ("a", "1350.bandamennM")):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / f"{name}.nar-sag.psd").write_text("( (N-N a-a))\n( (N-N b-b))\n")
    assert [(split, tree.id) for split, tree in icelandic.icepahc(tmp_path)] == [
        ("dev", "1350.bandamennm.nar-sag,1"),
        ("dev", "1350.bandamennm.nar-sag,2"),
        ("train", "1400.gunnar.nar-sag,1"),
        ("train", "1400.gunnar.nar-sag,2"),
        ("test", "1400.gunnar2.nar-sag,1"),
        ("test", "1400.gunnar2.nar-sag,2"),
    ]
    (tmp_path / "1400.gunnar.nar-sag.psd").write_text("( (N-N c-c))")
    errors: list[DataError] = []
    assert len(list(icelandic.icepahc(tmp_path, errors.append))) == 5
    assert [error.message for error in errors] == ["the text 1400.gunnar.nar-sag was in another file before"]


def test_of_ten_modern_texts_one_is_dev_and_one_test(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    for number in range(11):
        # Two of them say the same; one has an empty bracket, one a broken tree.
        more = {3: "( (IP-MAT (NP-SBJ ) (VBPI er-vera)))\n", 4: "( (IP-MAT (x-y ) (VBPI var-vera)))\n"}.get(number, "")
        word = "a" if number == 5 else chr(ord("a") + number)
        (tmp_path / f"G-33-{number:02}.sanity.psd").write_text(f"( (N-N {word.upper()}-x))\n{more}")
    found = [(split, tree.id, tree.words) for split, tree in icelandic.icepahc_modern(tmp_path)]
    assert found[:3] == [("dev", "g-33-00,1", ("A",)), ("dev", "g-33-10,1", ("K",)), ("test", "g-33-01,1", ("B",))]
    assert " ".join(words[0] for split, _, words in found if split == "train") == "C D er E G H I J"
    assert "empty bracket (x-y): the tree is left out" in caplog.text


def test_the_splits_share_no_text() -> None:
    assert len(icelandic.DEV) == len(icelandic.TEST) == 10
    assert not icelandic.DEV & icelandic.TEST


#: short texts of all splits
TEXTS = ("1250.thetubrot.nar-sag", "1270.gragas.law-law", "1400.gunnar2.nar-sag", "1883.voggur.nar-fic")
#: an empty element with a case, such as *con*-D, is a word in the reference conversion
EMPTY_WORDS = {
    "1270.gragas.law-law,159",
    "1270.gragas.law-law,266",
    "1270.gragas.law-law,275",
    "1400.gunnar2.nar-sag,31",
}
#: an index stands on several constituents: the reference conversion moves one of them, and not always the right one
SHARED_INDEXES = {"1250.thetubrot.nar-sag,202", "1270.gragas.law-law,30"}


def test_as_in_the_reference_conversion(shared: Path, tmp_path: Path) -> None:
    folder = shared / "treebanks" / "icepahc"
    with tarfile.open(folder / "raw.tar.xz") as archive:
        for member in archive:
            if Path(member.name).stem in TEXTS:
                content = archive.extractfile(member)
                assert content is not None
                (tmp_path / Path(member.name).name).write_bytes(content.read())
    found: dict[str, list[tuple[str | None, str]]] = {"train": [], "dev": [], "test": []}
    for split, tree in icelandic.icepahc(tmp_path):
        found[split].append((tree.id, tree.discbracket()))
    different = set()
    for split, ours in found.items():
        ids, lines = (lzma.decompress((folder / f"{split}.{kind}.xz").read_bytes()) for kind in ("ids", "discbracket"))
        reference = [
            (name, line)
            for name, line in zip(ids.decode().splitlines(), lines.decode().split("\n")[:-1], strict=True)
            if name.rpartition(",")[0] in TEXTS
        ]
        assert [name for name, _ in ours] == [name for name, _ in reference]
        different |= {name for (name, line), (_, other) in zip(ours, reference, strict=True) if line != other}
    assert {split: len(ours) for split, ours in found.items()} == {"train": 346, "dev": 375, "test": 340}
    assert different == EMPTY_WORDS | SHARED_INDEXES
