"""What a GPU does, on a CPU: constituents chosen by the engine, batches of other sizes, and results that come later."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from permutree import Parser
from permutree.models import folder
from permutree.networks.bilstm import BiLSTM
from permutree.networks.model import Model
from permutree.networks.tensors import as_tensors
from permutree.parsing.torch_engine import SPANS_FROM, TorchEngine, halve
from tiny_exports import CONFIGS, make_model

SENTENCES = [
    line.split()
    for line in (
        "What do you want to eat ?",
        "She gave him the book that he had asked for , which nobody had expected .",
        "Why ?",
        "No",
        "Yesterday a man came in who I had never seen before .",
        "“ It is not clear , ” he said , “ how long it will take . ”",
    )
]


@pytest.fixture(scope="module")
def parsers() -> tuple[Parser, Parser]:
    """The English model on a CPU, and as it would run on a GPU."""
    model = Model.load(Path(folder("en")), torch.device("cpu"))
    plain, other = TorchEngine(model.labeller), TorchEngine(model.labeller)
    other.chooses = other.overlaps = other.says_how_sure = True
    other.batch = 64
    return Parser(model.outline, plain), Parser(model.outline, other)


def test_an_engine_that_chooses_constituents_gives_the_same_trees(parsers: tuple[Parser, Parser]) -> None:
    plain, other = parsers
    assert list(other.pipe(SENTENCES)) == list(plain.pipe(SENTENCES))
    found = other._begin_whole(SENTENCES, SENTENCES, confidence=False)
    assert found().forest.text() == plain.parse_batch(SENTENCES).forest.text()


def test_an_engine_that_chooses_says_how_sure_it_is(
    parsers: tuple[Parser, Parser], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[set[str]] = []
    label = parsers[1].engine._label  # type: ignore[attr-defined]

    def watched(inputs: Any, scores: Any, *rest: Any) -> Any:
        found = label(inputs, scores, *rest)
        asked.append({name for name, table in found.items() if table.is_floating_point() and table.dim() > 2})
        return found

    monkeypatch.setattr(parsers[1].engine, "_label", watched)
    plain, other = (list(parser.pipe(SENTENCES, confidence=True)) for parser in parsers)
    assert other == plain
    for one, another in zip(plain, other, strict=True):
        assert another.annotations.confidence == pytest.approx(one.annotations.confidence, abs=1e-5)
    assert asked
    assert not any(asked), "no scores of all labels are handed over"


def test_the_next_sentences_are_read_before_trees_are_made(parsers: tuple[Parser, Parser]) -> None:
    _, other = parsers
    read: list[int] = []

    def sentences() -> Iterator[list[str]]:
        for number, sentence in enumerate(SENTENCES):
            read.append(number)
            yield sentence

    other.engine.chunk = 2
    try:
        batches = other.batches(sentences())
        assert len(next(batches).forest) == 2
        assert read == [0, 1, 2, 3]
        assert [len(batch.forest) for batch in batches] == [2, 2]
        # Where somebody says how many are to be read, no more are.
        read.clear()
        next(other.batches(sentences(), chunk=1))
        assert read == [0]
    finally:
        other.engine.chunk = 4096


@pytest.mark.parametrize("spans", [0, 5])
def test_weights_in_half_precision_give_the_scores_of_autocast(
    spans: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = CONFIGS["convolution"]
    monkeypatch.setitem(CONFIGS, "convolution", replace(given, reread=replace(given.reread, spans=spans)))
    model = make_model("convolution", tmp_path)
    inputs = as_tensors(model.features.arrays(SENTENCES, None).batch(np.arange(len(SENTENCES))))

    def scores() -> dict[str, torch.Tensor]:
        # Of the first reading: a CPU has other LSTMs in half precision than a GPU.
        with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
            return model.labeller.read(inputs)[1]

    before = scores()
    halve(model.labeller)
    after = scores()
    assert model.labeller.encoder.context.enter.weight.dtype == torch.bfloat16  # type: ignore[union-attr]
    if spans:
        assert model.labeller.spans.label.weight.dtype == torch.float32  # type: ignore[union-attr]
    assert before.keys() == after.keys()
    for head, expected in before.items():
        assert after[head].dtype == expected.dtype
        assert torch.equal(after[head], expected)


def test_batches_of_spans_have_a_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = make_model("spans", tmp_path)
    engine = TorchEngine(model.labeller)
    found: list[int] = []

    def label(inputs: Any, *given: object) -> dict[str, torch.Tensor]:
        found.append(inputs.mask.numel() * inputs.mask.shape[1])
        return {"permutation": torch.zeros(inputs.mask.shape, dtype=torch.int32)}

    monkeypatch.setattr(engine, "_label", label)
    words = [["x"] * length for length in (3, 100) for _ in range(40)]
    assert len(engine.predict(model.features.arrays(words, None))["permutation"]) == 40 * 103
    assert len(found) > 1
    assert max(found) <= SPANS_FROM * engine.batch


def test_lstms_are_halved_for_the_gpu() -> None:
    lstm = BiLSTM(4, hidden=3, layers=2, dropout=0.0)
    halve(lstm)
    assert {weight.dtype for weight in lstm.parameters()} == {torch.float16}


def test_nothing_is_parsed_without_sentences(parsers: tuple[Parser, Parser]) -> None:
    for parser in parsers:
        assert len(parser.parse_batch([]).forest) == 0
        assert list(parser.pipe([])) == []


def test_lines_are_written_in_a_thread(parsers: tuple[Parser, Parser], monkeypatch: pytest.MonkeyPatch) -> None:
    plain, other = parsers
    monkeypatch.setattr(other.engine, "chunk", 2)
    expected = [batch.text() for batch in plain.batches(SENTENCES, chunk=2)]
    written = [*other.texts(SENTENCES)]
    assert [one.text for one in written] == expected
    assert sum(one.counts.words for one in written) == sum(map(len, SENTENCES))
    # Who wants no more gets no more, and need not wait for it.
    some = other.texts(SENTENCES)
    assert next(some).text == expected[0]
    some.close()  # type: ignore[attr-defined]


def test_what_goes_wrong_in_the_thread_is_raised(
    parsers: tuple[Parser, Parser], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, other = parsers

    def decode(*_: object) -> None:
        raise ArithmeticError("no trees")

    monkeypatch.setattr(other, "decode", decode)
    with pytest.raises(ArithmeticError, match="no trees"):
        [*other.texts(SENTENCES)]
