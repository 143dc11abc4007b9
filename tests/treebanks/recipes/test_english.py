"""The recipes for English treebanks with traces."""

import lzma
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType

import pytest

from permutree.errors import DataError
from permutree.formats import write
from permutree.treebanks.recipes import english
from permutree.treebanks.transforms import PENN_PUNCTUATION, close_gaps
from permutree.trees.builder import TreeBuilder
from permutree.trees.tree import Tree


def closed(text: str) -> str:
    draft = TreeBuilder.from_tree(Tree.parse(text))
    close_gaps(draft, PENN_PUNCTUATION)
    return Tree.of(draft).discbracket()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "(S (VP (NP (NN 0=a)) (VB 3=b)) (, 1=,) ('' 2=”) (. 4=.))",
            "(S (VP (NP (NN 0=a)) (, 1=,) ('' 2=”) (VB 3=b)) (. 4=.))",
            id="a gap of nothing but punctuation",
        ),
        pytest.param(
            "(S (VP (NN 0=a) (VB 3=b)) (, 1=,) (DT 2=c))",
            "(S (VP (NN 0=a) (VB 3=b)) (, 1=,) (DT 2=c))",
            id="a gap that has words in it",
        ),
        pytest.param(
            "(S (VP (NN 0=a) (VB 2=b)) (HYPH 1=-))",
            "(S (VP (NN 0=a) (VB 2=b)) (HYPH 1=-))",
            id="a hyphen is a word",
        ),
        pytest.param(
            "(ROOT (S (VP (V 0=a) (W 3=b)) (N 2=c)) (, 1=,))",
            "(ROOT (S (VP (V 0=a) (W 3=b)) (, 1=,) (N 2=c)))",
            id="the lowest constituent in which it is alone",
        ),
        pytest.param(
            "(S (VP (V 0=a) (W 2=b)) (PRN (: 1=-)))",
            "(S (VP (V 0=a) (: 1=-) (W 2=b)))",
            id="a constituent of nothing else goes",
        ),
    ],
)
def test_gaps_of_punctuation_are_closed(text: str, expected: str) -> None:
    assert closed(text) == expected


def test_masc_as_in_the_reference_conversion(shared: Path) -> None:
    folder = shared / "treebanks" / "masc"
    found: dict[str, list[tuple[str | None, str]]] = {"train": [], "dev": [], "test": []}
    for split, tree in english.masc(folder / "raw.tar.xz"):
        found[split].append((tree.id, tree.discbracket()))
    different = []
    for split, ours in found.items():
        ids, lines = (lzma.decompress((folder / f"{split}.{kind}.xz").read_bytes()) for kind in ("ids", "discbracket"))
        reference = list(zip(ids.decode().splitlines(), lines.decode().split("\n")[:-1], strict=True))
        assert [name for name, _ in ours] == [name for name, _ in reference]
        different += [name for (name, line), (_, other) in zip(ours, reference, strict=True) if line != other]
    # An index given to two pairs of antecedent and trace: the reference conversion resolves the first only.
    assert different == ["sw2078-ms98-a-trans,170"]


def test_craft_has_an_official_split(tmp_path: Path) -> None:
    (tmp_path / "ids").mkdir()
    (tmp_path / "ids" / "README.txt").write_text("not a tree")
    for document in ("17608565", "11604102", "11532192"):
        (tmp_path / f"{document}.tree").write_text("( (NP (NN a\u2003b) (NN \u2003c)) )\n( (NP (NN d)) )\n")
    found = [(split, tree.id, tree.words) for split, tree in english.craft(tmp_path)]
    assert found == [
        ("train", "11532192,1", ("a_b", "c")),
        ("train", "11532192,2", ("d",)),
        ("test", "11604102,1", ("a_b", "c")),
        ("test", "11604102,2", ("d",)),
        ("dev", "17608565,1", ("a_b", "c")),
        ("dev", "17608565,2", ("d",)),
    ]
    (tmp_path / "1.tree").write_text("( (NP (NN a)) )\n")
    with pytest.raises(DataError, match="the official split of CRAFT does not name the document 1"):
        list(english.craft(tmp_path))


def test_documents_given_twice_or_not_at_all(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"holds no file of this treebank, such as 110CYL067\.mrg"):
        list(english.masc(tmp_path))
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "text.mrg").write_text("( (NP (NN a)))")
    with pytest.raises(DataError, match=r"b/text\.mrg: the document text was in another file before"):
        list(english.masc(tmp_path))


def test_the_official_split_of_craft_is_whole() -> None:
    splits = list(english.CRAFT_SPLIT.values())
    assert [splits.count(split) for split in ("train", "dev", "test")] == [60, 7, 30]


WSJ = """
( (S
    (NP-SBJ (DT The) (NN dog) )
    (VP (VBZ barks) )
    (. .) ))
( (SBARQ
    (WHNP-1 (WP What) )
    (SQ (VBZ does)
      (NP-SBJ (PRP it) )
      (VP (VB eat)
        (NP (-NONE- *T*-1) )))
    (. ?) ))
"""


def test_the_wall_street_journal(tmp_path: Path) -> None:
    for file in ("00/wsj_0003.mrg", "02/wsj_0200.mrg", "21/wsj_2100.mrg", "22/wsj_2201.mrg", "23/wsj_2300.mrg"):
        path = tmp_path / "combined" / "wsj" / file
        path.parent.mkdir(parents=True)
        path.write_text(WSJ)
    (tmp_path / "combined" / "wsj" / "02" / "README").write_text("(not a tree")
    found = list(english.dptb(tmp_path))
    assert [(split, tree.id) for split, tree in found] == [
        ("train", "wsj_0200,1"),
        ("train", "wsj_0200,2"),
        ("train", "wsj_2100,1"),
        ("train", "wsj_2100,2"),
        ("dev", "wsj_2201,1"),
        ("dev", "wsj_2201,2"),
        ("test", "wsj_2300,1"),
        ("test", "wsj_2300,2"),
    ]
    assert found[1][1].discbracket() == (
        "(ROOT (SBARQ (SQ (VP (WHNP (WP 0=What)) (VB 3=eat)) (VBZ 1=does) (NP (PRP 2=it))) (. 4=?)))"
    )
    assert found[1][1].annotations.functions == (*[None] * 10, "SBJ")


def test_dptb_from_the_export_file(enlarge: Callable[[ModuleType, str, Sequence[int]], None], tmp_path: Path) -> None:
    path = tmp_path / "dptb7.export"
    write((Tree.parse(f"(VROOT (S (NN 0=n) (, 2=,) (CD 3=x)) (CD 1={number}))") for number in range(5)), path)
    enlarge(english, "transform", [3_914, 39_832, 1_700, 2_416, 1_346])
    found = Counter((split, tree.words[1], tree.root_label) for split, tree in english.dptb(path))
    assert found == {("train", "1", "ROOT"): 39_832, ("dev", "2", "ROOT"): 1_700, ("test", "3", "ROOT"): 2_416}
