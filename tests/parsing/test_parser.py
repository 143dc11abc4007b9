import os
import pickle
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch

from permutree import Parser, Tree, TreeError, read
from permutree.encoding import ENCODINGS, Codec
from permutree.errors import ConfigError, DataError
from permutree.model.config import EmbeddingConfig, EncoderConfig, ModelConfig
from permutree.model.features import WordFeatures
from permutree.networks.model import Model
from permutree.parsing import torch_engine
from permutree.parsing.blocks import Block
from permutree.parsing.inputs import Sentence
from permutree.parsing.torch_engine import TorchEngine
from permutree.trees.annotations import Annotations, SecondaryEdge
from permutree.trees.batch import TreeBatch

HOW = "(SQ (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (NP (PRP 2=it)) (. 4=?))"


@pytest.fixture(scope="module")
def trees(tiny_treebank: Path) -> list[Tree]:
    return list(read(tiny_treebank))


def test_the_best_values_come_in_the_order_of_sentences(
    tiny_model: Path, trees: list[Tree], monkeypatch: pytest.MonkeyPatch
) -> None:
    model = Model.load(tiny_model)
    engine, features = TorchEngine(model.labeller), model.features
    words, tags = [tree.words for tree in trees], [tree.tags for tree in trees]
    together = engine.predict(features.arrays(words, tags))
    alone = [engine.predict(features.arrays([w], [t])) for w, t in zip(words, tags, strict=True)]
    # At the last position nothing is known of ends.
    is_known = np.ones(sum(map(len, words)), bool)
    is_known[np.cumsum([*map(len, words)]) - 1] = False
    for name, values in together.items():
        one_by_one = np.concatenate([one[name] for one in alone])
        if values.dtype != np.int32:
            np.testing.assert_allclose(values[is_known], one_by_one[is_known], atol=1e-5)
        else:
            assert values[is_known].tolist() == one_by_one[is_known].tolist()
    monkeypatch.setattr(engine, "batch", 7)
    few = engine.predict(features.arrays(words, tags))
    assert all((few[name] == together[name]).all() for name in ("order", "shared", "unary", "permutation"))
    assert engine.predict(features.arrays([], [])) == {}


def test_rows_of_a_batch_suit_tensor_cores(
    tiny_model: Path, trees: list[Tree], monkeypatch: pytest.MonkeyPatch
) -> None:
    model = Model.load(tiny_model)
    many = [tree for tree in trees for _ in range(20)]
    arrays = model.features.arrays([tree.words for tree in many], [tree.tags for tree in many])
    rows: list[int] = []
    model.labeller.encoder.register_forward_pre_hook(lambda _, inputs: rows.append(len(inputs[0].lengths)))
    engine = TorchEngine(model.labeller)
    monkeypatch.setattr(engine, "batch", 1 << 14)
    together = engine.predict(arrays)
    assert rows == [len(many)]
    rows.clear()
    monkeypatch.setattr(engine, "batch", 200)
    cut = engine.predict(arrays)
    assert sum(rows) == len(many)
    assert len(rows) > 3
    assert not any(number % 8 for number in rows[:-1])
    assert all((cut[name] == together[name]).all() for name in ("order", "shared", "unary", "permutation"))


def test_one_sentence(tiny_model: Path) -> None:
    parser = Parser.load(tiny_model)
    assert parser.parse_tokens(["How", "does", "it", "work", "?"], ["WRB", "VBZ", "PRP", "VB", "."]) == Tree.parse(HOW)


def test_all_that_was_learned_comes_back(tiny_model: Path, trees: list[Tree]) -> None:
    parser = Parser.load(tiny_model)
    assert list(parser.pipe(trees)) == trees
    assert list(parser.pipe(trees, chunk=3)) == trees
    assert parser.parse_batch([tree.words for tree in trees], [tree.tags for tree in trees]).repairs == []


def test_tags_of_its_own(tiny_joint_tags: Path, trees: list[Tree]) -> None:
    parser = Parser.load(tiny_joint_tags)
    assert not parser.needs_tags
    assert list(parser.pipe([tree.words for tree in trees])) == trees
    # The tags that are there do not count.
    assert list(parser.pipe([tree.with_tags(["X"] * len(tree)) for tree in trees])) == trees
    assert parser.tag([["the", "dog"]]) == [["DT", "NN"]]


def test_no_tags(tiny_no_tags: Path, trees: list[Tree]) -> None:
    parser = Parser.load(tiny_no_tags)
    found = list(parser.pipe([tree.words for tree in trees]))
    assert found == [tree.with_tags(["_"] * len(tree)) for tree in trees]
    # Those that there are are handed on.
    assert list(parser.pipe(trees)) == trees
    assert [set(tree.tags) for tree in parser.pipe([trees[0], trees[1].words])] == [set(trees[0].tags), {"_"}]


def test_with_a_tagger(tiny_model: Path, tiny_tagger: Path, trees: list[Tree]) -> None:
    parser = Parser.load(tiny_model, tagger=tiny_tagger)
    assert not parser.needs_tags
    assert list(parser.pipe([tree.words for tree in trees])) == trees
    assert list(parser.pipe([tree.with_tags(["X"] * len(tree)) for tree in trees])) == trees
    assert parser.parse_tokens(trees[0].words) == trees[0]


def test_models_that_do_not_go_together(tiny_model: Path, tiny_tagger: Path, tiny_joint_tags: Path) -> None:
    with pytest.raises(ConfigError, match="the tagger predicts no tags"):
        Parser.load(tiny_model, tagger=tiny_model)
    with pytest.raises(ConfigError, match="predicts tags itself"):
        Parser.load(tiny_joint_tags, tagger=tiny_tagger)
    with pytest.raises(TreeError, match="this model is a tagger"):
        Parser.load(tiny_tagger).parse_batch([["a"]])
    with pytest.raises(TreeError, match="this model predicts no tags"):
        Parser.load(tiny_model).tag([["a"]])


def test_tags_that_are_needed(tiny_model: Path, trees: list[Tree]) -> None:
    parser = Parser.load(tiny_model)
    assert parser.needs_tags
    with pytest.raises(TreeError, match="this model reads tags"):
        parser.parse_batch([["the", "dog"]])
    with pytest.raises(TreeError, match="sentence 3 has no tags; this model reads tags"):
        list(parser.pipe([trees[0], trees[1], ["the", "dog"]], chunk=2))


@pytest.mark.parametrize(
    ("words", "tags", "message"),
    [
        ([], [], "sentence 2 has no words"),
        (["the", "dog"], ["DT"], "sentence 2 has 2 words, but 1 tags"),
        (["the", ""], ["DT", "NN"], "sentence 2 has an empty word or tag"),
        (["the", "dog"], ["DT", ""], "sentence 2 has an empty word or tag"),
        ("the dog", ["DT", "NN"], "sentence 2 is a text; give a list of its words"),
        (["the", 7], ["DT", "NN"], "sentence 2 has the word 7, which is no string but of type int"),
        (["the", "dog"], ["DT", None], "sentence 2 has the tag None, which is no string but of type NoneType"),
    ],
)
def test_what_is_no_sentence(words: list[str], tags: list[str], message: str, tiny_model: Path) -> None:
    parser = Parser.load(tiny_model)
    with pytest.raises(TreeError, match=message):
        parser.parse_batch([["a"], words], [["DT"], tags])
    for chunk in (1, 2):
        with pytest.raises(TreeError, match=message):
            list(parser.pipe([Sentence(["a"], ["DT"]), Sentence(words, tags)], chunk=chunk))


def test_sentences_that_are_no_lists(tiny_joint_tags: Path) -> None:
    parser = Parser.load(tiny_joint_tags)
    with pytest.raises(TreeError, match="sentence 2 is of type int; give a list of its words"):
        list(parser.pipe([["a"], 7]))  # type: ignore[list-item]
    with pytest.raises(TreeError, match="sentence 1 has the word None"):
        parser.tag([[None]])  # type: ignore[list-item]


def test_numbers_of_sentences_and_tags(tiny_model: Path) -> None:
    with pytest.raises(TreeError, match="2 sentences, but tags of 1"):
        Parser.load(tiny_model).parse_batch([["a"], ["b"]], [["DT"]])


def test_no_sentences(tiny_model: Path, tiny_tagger: Path, tiny_joint_tags: Path) -> None:
    assert list(Parser.load(tiny_model).pipe([])) == []
    assert list(Parser.load(tiny_model).parse_batch([], []).trees()) == []
    assert list(Parser.load(tiny_joint_tags).parse_batch([]).trees()) == []
    assert Parser.load(tiny_tagger).tag([]) == []


@pytest.mark.parametrize("length", [1, 2, 400])
def test_unseen_words_characters_and_tags(length: int, tiny_model: Path, tiny_joint_tags: Path) -> None:
    words = [("ᚠ🜁" if number % 3 else "never-seen-" + "x" * number) for number in range(length)]
    tags = [("★" if number % 2 else "DT") for number in range(length)]
    tree = Parser.load(tiny_model).parse_tokens(words, tags)
    assert tree.words == tuple(words)
    assert tree.tags == tuple(tags)
    other = Parser.load(tiny_joint_tags).parse_tokens(words)
    assert other.words == tuple(words)
    assert Tree.parse(other.discbracket()) == other


def test_annotations_that_still_make_sense(tiny_model: Path) -> None:
    annotations = Annotations(
        id="s7",
        lemmas=("how", "do", "it", "work", None),
        morphology=(None, "3sg", None, None, None),
        functions=("MO",) * 8,
        secondary=(SecondaryEdge(0, 1, "SB"),),
        comment="odd",
        info=(("source", "news"),),
    )
    sentence = Sentence(["How", "does", "it", "work", "?"], ["WRB", "VBZ", "PRP", "VB", "."], annotations)
    (found,) = Parser.load(tiny_model).pipe([sentence])
    assert found == Tree.parse(HOW)
    assert found.annotations == Annotations(
        id="s7", lemmas=annotations.lemmas, morphology=annotations.morphology, comment="odd", info=annotations.info
    )


def test_streams_are_read_a_chunk_at_a_time(tiny_model: Path, trees: list[Tree]) -> None:
    taken = 0

    def stream() -> Iterator[Tree]:
        nonlocal taken
        for tree in trees:
            taken += 1
            yield tree

    found = Parser.load(tiny_model).pipe(stream(), chunk=4)
    next(found)
    assert taken == 4
    assert list(found) == trees[1:]


def test_long_sentences_make_smaller_chunks(
    tiny_model: Path, trees: list[Tree], monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = Parser.load(tiny_model)
    monkeypatch.setattr(parser.engine, "chunk_words", 10)
    sizes = [len(batch.forest) for batch in parser.batches(trees)]
    assert sum(sizes) == len(trees)
    assert sizes[:2] == [3, 3]  # 4, 4 and 6 words, then 6, 3 and 4


def test_blocks_of_lines(tiny_model: Path, tiny_tagger: Path, trees: list[Tree]) -> None:
    parser = Parser.load(tiny_model, tagger=tiny_tagger)
    lines = [" ".join(tree.words) for tree in trees]
    blocks: list[Block | Sentence] = [
        Block("\n".join(lines[:3])),
        Sentence(trees[3].words),
        Block("\n".join(lines[4:])),
    ]
    expected = "".join(batch.text() for batch in parser.batches([tree.words for tree in trees]))
    assert "".join(batch.text() for batch in parser.batches(blocks)) == expected
    assert [len(batch.forest) for batch in parser.batches(blocks, chunk=2)] == [2] * (len(trees) // 2) + [1] * (
        len(trees) % 2
    )
    assert [tree.words for batch in parser.batches(blocks) for tree in batch.trees()] == [tree.words for tree in trees]


def test_tag_all(tiny_tagger: Path, trees: list[Tree]) -> None:
    parser = Parser.load(tiny_tagger)
    wrong = [tree.with_tags(["X"] * len(tree)).annotated(id="x") for tree in trees]
    found = list(parser.tag_all([*wrong, ["the", "dog"], Sentence(["it"], ["X"])], chunk=6))
    assert found == [*trees, Sentence(["the", "dog"], ["DT", "NN"]), Sentence(["it"], ["PRP"])]
    assert isinstance(found[0], Tree)
    assert found[0].id == "x"


def test_a_gpu_that_is_not_there(tiny_model: Path) -> None:
    if torch.cuda.is_available():
        pytest.skip("there is one")
    with pytest.raises(ConfigError, match="no GPU"):
        Parser.load(tiny_model, "cuda")


def test_folders_that_are_no_model(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="is this the folder of a permutree model"):
        Parser.load(tmp_path)
    (tmp_path / "config.json").write_text('{"model_type": "bert"}', "utf-8")
    with pytest.raises(DataError, match="not that of a permutree model"):
        Parser.load(tmp_path)


def untrained(trees: list[Tree], encoding: str) -> Parser:
    """A parser that labels at random, so that much has to be repaired."""
    torch.manual_seed(5)
    config = ModelConfig(
        encoding=encoding,
        tags="gold",
        encoder=EncoderConfig(hidden=8, layers=1),
        embeddings=EmbeddingConfig(word=8, character=8),
    )
    features = WordFeatures.fit([tree.words for tree in trees], [tree.tags for tree in trees])
    model = Model.build(config, features, Codec.fit(trees, encoding), ())
    for head in model.labeller.heads.values():
        torch.nn.init.normal_(head.weight, std=9)  # type: ignore[arg-type]
    model.labeller.eval()
    return Parser(model.outline, TorchEngine(model.labeller))


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_repair_by_scores(encoding: str, trees: list[Tree], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch_engine, "BATCH", {"cpu": 20})
    parser = untrained(trees, encoding)
    by_rules = parser.parse_batch([tree.words for tree in trees], [tree.tags for tree in trees])
    bad = {repair.sentence for repair in by_rules.repairs}
    assert len(bad) > 3
    parser.use_scores = True
    by_scores = parser.parse_batch([tree.words for tree in trees], [tree.tags for tree in trees])
    found = list(by_scores.trees())
    # The same as one sentence after the other; those that need no repair stay as they are.
    alone = list(parser.pipe(trees, chunk=1))
    assert found == alone
    for number, (rules, scores) in enumerate(zip(by_rules.trees(), found, strict=True)):
        assert number in bad or rules == scores
    assert list(by_rules.trees()) != found
    assert [repair.sentence for repair in by_scores.repairs] == sorted(repair.sentence for repair in by_scores.repairs)
    assert {repair.sentence for repair in by_scores.repairs} <= bad
    assert list(TreeBatch.from_trees(found).discbracket()) == list(by_scores.forest.discbracket())
    for tree in found:
        assert Tree.parse(tree.discbracket()) == tree


def test_scores_change_nothing_where_nothing_is_repaired(tiny_model: Path, trees: list[Tree]) -> None:
    assert list(Parser.load(tiny_model, use_scores=True).pipe(trees)) == trees


TEXT = "the dog sleeps.\n\nHow does it work?"


def test_raw_text(tiny_joint_tags: Path, trees: list[Tree]) -> None:
    parser = Parser.load(tiny_joint_tags)
    found = parser.parse(TEXT, "en")
    assert found == [trees[0], Tree.parse(HOW)]
    for tree in found:
        assert tree.annotations.offsets is not None
        assert [TEXT[slice(*offsets)] for offsets in tree.annotations.offsets if offsets] == list(tree.words)
        assert tree.annotations.confidence is not None
        assert len(tree.annotations.confidence) == len(tree.labels)
        assert all(sure is not None and 0.5 < sure <= 1 for sure in tree.annotations.confidence)
    assert parser.parse("", "en") == parser.parse(" \n", "en") == []
    assert Tree.parse(HOW).annotations.confidence is None


def test_a_stream_of_texts(tiny_joint_tags: Path, trees: list[Tree]) -> None:
    parser = Parser.load(tiny_joint_tags)
    parser.model.facts["language"] = "en"
    texts = ["", TEXT, "", "", "it works.", " "]
    assert list(parser.parse_texts(texts)) == [[], [trees[0], Tree.parse(HOW)], [], [], [trees[4]], []]
    assert list(parser.parse_texts([])) == []
    assert list(parser.parse_texts(["", ""])) == [[], []]
    with pytest.raises(TreeError, match="a text is wanted"):
        list(parser.parse_texts([["it", "works"]]))  # type: ignore[list-item]
    with pytest.raises(TreeError, match="one text is parsed by parse"):
        list(parser.parse_texts(TEXT))


def test_languages_that_nobody_says(tiny_joint_tags: Path) -> None:
    with pytest.raises(ConfigError, match="does not say its language"):
        Parser.load(tiny_joint_tags).parse("it works.")


def test_confidence_if_asked(tiny_model: Path, trees: list[Tree]) -> None:
    parser = Parser.load(tiny_model)
    plain, sure = parser.pipe(trees[:2]), parser.pipe(trees[:2], confidence=True)
    assert [tree.annotations.confidence for tree in plain] == [None, None]
    assert all(tree.annotations.confidence for tree in sure)
    assert list(parser.pipe([], confidence=True)) == []


def test_a_parser_goes_to_other_processes(
    tiny_model: Path, tiny_tagger: Path, trees: list[Tree], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tiny_model.parent)
    parser = Parser.load(tiny_model.name + os.sep, tagger=tiny_tagger, use_scores=True, device="cpu")
    sent = pickle.dumps(parser)
    assert len(sent) < 1_000
    # The other process may have another working directory.
    monkeypatch.chdir(tmp_path)
    other = pickle.loads(sent)
    assert other.use_scores
    assert other.tagger is not None
    assert list(other.pipe([tree.words for tree in trees])) == trees


def test_a_parser_from_no_folder_stays_where_it_is(trees: list[Tree]) -> None:
    with pytest.raises(TypeError, match="was not loaded from a folder"):
        pickle.dumps(untrained(trees, "relative"))


def test_what_it_may_cost_that_a_last_word_stays_last(tiny_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parser = Parser.load(tiny_model)
    monkeypatch.setattr(parser.model.codec, "closing", {".": np.inf, "?": 2.0})
    costs = parser.closed_sentences([["a", "."], ["."], ["?", "b"], ["a", "?"], ["b", "a"]])
    assert costs is not None
    assert costs.tolist() == [np.inf, 0, 0, 2, 0]
    assert costs.dtype == np.float32
    monkeypatch.setattr(parser.model.codec, "closing", {})
    assert parser.closed_sentences([["a", "."]]) is None
