from permutree import Tree
from permutree_lab.examples import find_examples

GOLD = "(S (VP (A 0=a) (D 3=d)) (B 1=b) (C 2=c))"
LONG = "(ROOT (S (VP (VP (A 0=a) (D 3=d)) (E 4=e)) (B 1=b) (C 2=c)) (F 5=f))"
PART = "(S (VP (A 0=a)) (B 1=b) (C 2=c) (D 3=d))"
FLAT = "(S (A 0=a) (B 1=b) (C 2=c) (D 3=d))"
LONG_FLAT = "(ROOT (S (A 0=a) (B 1=b) (C 2=c) (D 3=d)) (E 4=e) (F 5=f))"


def trees(*texts: str) -> list[Tree]:
    return [Tree.parse(text) for text in texts]


def test_only_what_all_get_wrong_in_the_same_way() -> None:
    gold = trees(LONG, GOLD, GOLD, GOLD)
    first = trees(LONG_FLAT, PART, FLAT, FLAT)
    second = trees(LONG_FLAT, PART, PART, FLAT)
    found = {example.miss.kind: example for example in find_examples(gold, [first, second])}
    assert list(found) == ["part", "nothing"]
    assert (found["part"].miss.sentence, found["part"].alike) == (1, 1)
    # Both constituents of the long sentence are missed, too, but there is a shorter one.
    assert (found["nothing"].miss.sentence, found["nothing"].alike) == (3, 3)
    assert found["nothing"].predicted == first[3]
    assert not [*find_examples(gold, [first, gold])]


def test_drawings_mark_what_was_missed() -> None:
    (example, *_) = find_examples(trees(LONG), [trees(LONG_FLAT)])
    text = example.markdown()
    assert text.startswith("**nothing** (2 by all): VP *a … d e*, sentence 1\n\n```text\n")
    # The outer one of two constituents with the same label.
    lines = text.splitlines()
    outer = next(number for number, line in enumerate(lines) if "VP*" in line)
    assert "VP" in lines[outer + 2]
    assert text.count("*") == 7
    assert text.endswith("```\n")
