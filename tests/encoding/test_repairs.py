import pytest

from permutree.encoding import Codec, Kind, Label, Repair, Repairs

ROWS = [
    [Label("1", "S", "_", "INV"), Label("0", "X", "A+", "9"), Label("_", "_", "_", "INV")],
    [Label("_", "_", "_", "INV")],
    [Label("1", "S", "_", "INV"), Label("0", "X", "_", "INV"), Label("_", "_", "_", "INV")],
]
#: by sentence and word; those of one word by component
LIST = [
    Repair(Kind.PERMUTATION_RANGE, 0, 1, "9", "INV"),
    Repair(Kind.UNARY_SYMBOL, 0, 1, "A+", "A"),
    Repair(Kind.SHARED_CONFLICT, 0, 1, "X", "S"),
    Repair(Kind.SHARED_CONFLICT, 2, 1, "X", "S"),
]


def some(codec: Codec) -> Repairs:
    sentences = [list("abc"), list("a"), list("abc")]
    return codec.decode(codec.numbers(ROWS), sentences, sentences).repairs


def test_like_a_list() -> None:
    repairs = some(Codec("absolute"))
    assert repairs == LIST
    assert repairs == some(Codec("absolute"))
    assert repairs != LIST[:-1]
    assert repairs != [*LIST[:-1], LIST[0]]
    assert repairs != tuple(LIST)
    assert len(repairs) == 4
    assert [repairs[index] for index in range(-4, 4)] == LIST * 2
    assert repairs[1:3] == LIST[1:3]
    assert LIST[2] in repairs
    assert repr(repairs) == repr(LIST)
    with pytest.raises(IndexError):
        repairs[4]


def test_counts_and_sentences() -> None:
    repairs = some(Codec("absolute"))
    assert list(repairs.counts().items()) == [
        (Kind.PERMUTATION_RANGE, 1),
        (Kind.UNARY_SYMBOL, 1),
        (Kind.SHARED_CONFLICT, 2),
    ]
    assert repairs.sentences().tolist() == [0, 2]
    assert not repairs[:0].counts()


def test_batches_are_joined() -> None:
    codec = Codec("absolute")
    repairs = some(codec)
    assert Repairs.join([repairs[:2], repairs[2:]], codec.spelling) == repairs
    assert Repairs.join([], codec.spelling) == []


def test_what_was_unknown_stays_so() -> None:
    codec = Codec("absolute")
    labels = codec.numbers(ROWS)
    labels.permutation[1] = len(codec.permutation)
    sentences = [list("abc"), list("a"), list("abc")]
    repairs = codec.decode(labels, sentences, sentences).repairs
    codec.permutation.number("7")
    assert repairs[0] == Repair(Kind.PERMUTATION_SYMBOL, 0, 1, "<unknown>", "INV")
