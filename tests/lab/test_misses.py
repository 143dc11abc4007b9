from permutree import Tree, evaluate
from permutree_lab.misses import KINDS, count_misses

#: in each, the VP over the first and the last word is what is looked for
GOLD = "(ROOT (S (VP (A 0=a) (D 3=d)) (B 1=b) (C 2=c)) ($. 4=.))"


def missed(predicted: str) -> list[str]:
    gold, found = [Tree.parse(GOLD)], [Tree.parse(predicted)]
    evaluation = evaluate(gold, found)
    counts = count_misses(evaluation, gold, found)
    assert list(counts) == list(KINDS)
    brackets = evaluation.discontinuous.brackets
    assert sum(counts.values()) == brackets.gold - brackets.matched
    return [kind for kind, count in counts.items() if count]


def test_what_is_found_instead() -> None:
    assert missed(GOLD) == []
    assert missed("(ROOT (S (NP (A 0=a) (D 3=d)) (B 1=b) (C 2=c)) ($. 4=.))") == ["other label"]
    assert missed("(ROOT (S (VP (A 0=a)) (B 1=b) (C 2=c) (D 3=d)) ($. 4=.))") == ["part"]
    assert missed("(ROOT (VP (A 0=a) (B 1=b) (C 2=c) (D 3=d)) ($. 4=.))") == ["without gap"]
    assert missed("(ROOT (S (VP (A 0=a) (C 2=c) (D 3=d)) (B 1=b)) ($. 4=.))") == ["other gap"]
    assert missed("(ROOT (S (VP (A 0=a) (C 2=c)) (B 1=b) (D 3=d)) ($. 4=.))") == ["nothing"]
    assert missed("(ROOT (S (A 0=a) (VP (B 1=b) (C 2=c)) (D 3=d)) ($. 4=.))") == ["nothing"]


def test_punctuation_does_not_count() -> None:
    # It neither makes a gap nor fills one.
    with_stop = "(ROOT (S (VP (A 0=a) (D 3=d) ($. 4=.)) (B 1=b) (C 2=c)))"
    assert missed(with_stop) == []
    gold = [Tree.parse("(ROOT (S (NP (A 0=a) (B 2=b)) (C 3=c)) ($, 1=,))")]
    flat = [Tree.parse("(ROOT (S (A 0=a) (B 2=b) (C 3=c)) ($, 1=,))")]
    assert count_misses(evaluate(gold, flat), gold, flat) == dict.fromkeys(KINDS, 0)
