from permutree.encoding.statistics import ROWS, Unseen, count_labels
from permutree.trees.tree import Tree

TRAIN = [
    Tree.parse("(ROOT (S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it)) (. 4=?))"),
    Tree.parse("(ROOT (NP (NN 0=Fish)) (. 1=!))"),
]
TEST = [Tree.parse("(ROOT (S (VP (WP 0=Who) (VBZ 3=eats) (NN 4=fish)) (MD 1=may) (PRP 2=it)) (. 5=?))")]


def test_values_by_hand() -> None:
    counts = count_labels(TRAIN)
    assert counts.values == {
        "levels": 5,  # 3 0 -1 1 and _
        "shared": 4,  # VP S ROOT _
        "unary": 2,  # NP _
        "absolute": 4,  # INV, 2 and 3 for does and it, 1 for work
        "relative": 3,  # INV -1 2
        "lehmer": 2,  # 0 0 → 3 is two words on: 0 2 0 0 0
        "inverse-lehmer": 2,
        "pointer": 3,  # NEXT, -1 WRB, and -1 PRP for the question mark
        "pointer-simplified": 3,
    }
    assert counts.tagset == "ptb"
    assert counts.unseen == {}
    assert (counts.sentences, counts.words) == (2, 7)


def test_new_values_by_hand() -> None:
    counts = count_labels(TRAIN, TEST)
    assert set(counts.unseen) == set(ROWS)
    # 0 1 2 3 4 5 → 0 3 4 1 2 5
    assert counts.unseen["absolute"] == Unseen(1, 1, 6)
    assert counts.unseen["relative"] == Unseen(1, 2, 6)
    assert counts.unseen["pointer"] == Unseen(1, 1, 6)
    assert counts.unseen["pointer-simplified"].unique == 0
    assert round(counts.unseen["relative"].percent, 1) == 33.3
    assert counts.as_dict()["unseen"]["relative"] == {"unique": 1, "total": 2, "percent": 33.333333}
