from pathlib import Path

import numpy as np
import pytest

from permutree import Parser, Tree
from permutree.encoding import Codec, Repairs
from permutree.encoding.repairs import Kind
from permutree.parsing.confidence import SCORED
from permutree.parsing.cutting import piece_lengths
from permutree.parsing.joining import join_pieces
from permutree.parsing.parsed import Counts, Cut, Parsed

LEFT = "(ROOT (S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (NP (PRP 2=it))) (. 4=?))"
RIGHT = "(ROOT (NP (PRP 0=It)))"
TEXT = ["How", "does", "it", "work", "?", "The", "dog", "sleeps", ",", "and", "the", "cat"]
BARE = "(ROOT (UH 0=Well))"


def parts_of(codec: Codec, *texts: str, confidence: bool = False) -> list[Parsed]:
    found = []
    for text in texts:
        tree = Tree.parse(text)
        labels = codec.encode([tree])
        forest, repairs = codec.decode(labels, [tree.words], [tree.tags])
        sure = np.linspace(0.5, 0.9, len(forest.labels), dtype=np.float32) if confidence else None
        found.append(Parsed(forest, repairs, confidence=sure))
    return found


def test_pieces_hang_from_one_root() -> None:
    codec = Codec("predecessor", tops=("ROOT",))
    parsed = join_pieces(parts_of(codec, LEFT, RIGHT, BARE, confidence=True), [[5], [1, 1]], codec)
    whole, joined = parsed.forest.trees()
    assert whole == Tree.parse(LEFT)
    assert joined == Tree.parse("(ROOT (NP (PRP 0=It)) (UH 1=Well))")
    assert parsed.cuts == [Cut(1, (1, 1))]
    assert parsed.confidence is not None
    np.testing.assert_allclose(parsed.confidence, [*np.linspace(0.5, 0.9, 4), 0.5, 0.9], atol=1e-6)
    assert parsed.counts() == Counts(2, 7, 0, parsed.counts().kinds, 1, 2)


def test_gaps_stay_in_their_pieces() -> None:
    codec = Codec("predecessor", tops=("ROOT",))
    (joined,) = join_pieces(parts_of(codec, RIGHT, LEFT), [[1, 5]], codec).forest.trees()
    assert joined == Tree.parse(
        "(ROOT (NP (PRP 0=It)) (S (VP (WRB 1=How) (VB 4=work)) (VBZ 2=does) (NP (PRP 3=it))) (. 5=?))"
    )


def test_roots_that_stand_elsewhere_too_are_kept() -> None:
    codec = Codec("predecessor", root="S")
    text = "(S (NP (PRP 0=It)) (VP (VBZ 1=works)))"
    (joined,) = join_pieces(parts_of(codec, text, text), [[2, 2]], codec).forest.trees()
    assert joined == Tree.parse("(S (S (NP (PRP 0=It)) (VP (VBZ 1=works))) (S (NP (PRP 2=It)) (VP (VBZ 3=works))))")


def test_repairs_are_at_the_words_of_the_sentence() -> None:
    codec = Codec("absolute")
    labels = codec.numbers([[("1", "S", "_", "7"), ("_", "_", "_", "INV")]])
    decoded = codec.decode(labels, [["a", "b"]], [["A", "B"]])
    assert decoded.repairs
    parsed = join_pieces([Parsed(*decoded), Parsed(*decoded)], [[2, 2]], codec)
    found = [(repair.kind, repair.sentence, repair.word) for repair in parsed.repairs]
    kinds = {kind for kind, _, _ in found}
    assert kinds <= set(Kind)
    assert found[len(found) // 2 :] == [(kind, 0, word + 2) for kind, _, word in found[: len(found) // 2]]
    assert isinstance(parsed.repairs, Repairs)


def long_sentence(words: int) -> list[str]:
    return [TEXT[place % len(TEXT)] for place in range(words)]


@pytest.mark.parametrize("words", [501, 1500])
def test_a_long_sentence_is_parsed_in_pieces(tiny_onnx: Path, words: int) -> None:
    parser = Parser.load(tiny_onnx)
    sentence = long_sentence(words)
    (parsed,) = parser.batches([sentence], confidence=True)
    (tree,) = parsed.trees()
    assert tree.words == tuple(sentence)
    (cut,) = parsed.cuts
    assert list(cut.lengths) == piece_lengths(sentence)
    assert max(cut.lengths) <= 500
    # Each piece has the tree that it has alone, below its root if only roots have that label.
    first = 0
    spans = {(one.label, one.words) for one in tree}
    for length in cut.lengths:
        alone = parser.parse_tokens(sentence[first : first + length])
        tops = parser.model.codec.tops if parser.model.codec else ()
        kept = {(one.label, tuple(word + first for word in one.words)) for one in alone if one.label not in tops}
        assert kept <= spans
        first += length


def test_the_tree_of_a_long_sentence_is_a_function_of_it(tiny_onnx: Path) -> None:
    sentence = long_sentence(1200)
    sentences = [["the", "dog"], sentence, ["it", "works"], sentence[:700]]
    parser = Parser.load(tiny_onnx, threads=1)
    expected = [tree for one in sentences for tree in parser.pipe([one])]
    assert list(parser.pipe(sentences)) == expected
    assert list(parser.pipe(sentences, chunk=1)) == expected
    assert list(Parser.load(tiny_onnx, threads=2).pipe(sentences[::-1])) == expected[::-1]
    assert parser.tag(sentences) == [list(tree.tags) for tree in expected]


def test_few_words_are_scored_together_where_labels_are_many(tiny_onnx: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parser = Parser.load(tiny_onnx, threads=1)
    sentences = [["the", "dog", "sleeps"]] * 40 + [long_sentence(600)]
    together = list(parser.pipe(sentences))
    sizes: list[int] = []
    launch = parser.engine.launch

    def counted(arrays, *rest):  # type: ignore[no-untyped-def]
        sizes.append(int(arrays.lengths.sum()))
        return launch(arrays, *rest)

    monkeypatch.setattr(parser.engine, "launch", counted)
    sizes_of_heads = parser.model.sizes
    monkeypatch.setattr(
        parser.engine,
        "room",
        30 * sum(sizes_of_heads[name] for name in parser.scored | {*SCORED} if name in sizes_of_heads),
    )
    # The engine hands over scores if it is to be known how sure the parser is.
    assert list(parser.pipe(sentences, confidence=True)) == together
    assert len(sizes) > 10
    assert max(sizes[:4]) <= 33
