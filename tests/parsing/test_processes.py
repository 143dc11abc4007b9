from collections.abc import Iterator
from multiprocessing import active_children
from pathlib import Path

import pytest

from permutree.errors import DataError
from permutree.parsing.inputs import Sentence, Unread
from permutree.parsing.parser import Parser
from permutree.parsing.processes import CHARACTERS, GPU_CHUNK, _chunks, parse_in_processes, write_in_processes
from permutree.trees.annotations import Annotations
from permutree.trees.tree import Tree


def test_order_and_annotations_are_kept(tiny_joint_tags: Path) -> None:
    sentences = [Sentence(["dog"] * (1 + number % 7), annotations=Annotations(id=str(number))) for number in range(40)]
    taken = 0

    def counted() -> Iterator[Sentence]:
        nonlocal taken
        for sentence in sentences:
            taken += 1
            yield sentence

    found: list[Tree] = []
    for parsed in parse_in_processes(counted(), 2, str(tiny_joint_tags), chunk=3, device="cpu"):
        found += parsed.trees()
        # No more than four chunks are in flight, and one has come back.
        assert taken <= len(found) + 4 * 3
    expected = list(Parser.load(tiny_joint_tags, "cpu").pipe(sentences))
    assert found == expected
    assert [tree.id for tree in found] == [str(number) for number in range(40)]


def test_processes_read_and_write(tiny_onnx: Path) -> None:
    lines = ["the dog"] * 3 + ["(NP (DT 0=the"] + ["the dog sleeps"] * 3
    parts = [
        Unread("discbracket" if line.startswith("(") else "tokens", line, "a file", number)
        for number, line in enumerate(lines, 1)
    ]
    errors: list[DataError] = []
    found = list(write_in_processes(parts, 2, str(tiny_onnx), chunk=2, on_error=errors.append))
    parser = Parser.load(tiny_onnx)
    expected = [tree.discbracket() for tree in parser.pipe([line.split() for line in lines if line[0] != "("])]
    assert "".join(one.text for one in found).splitlines() == expected
    assert [one.counts.sentences for one in found] == [2, 1, 2, 1]
    assert sum(one.counts.words for one in found) == 15
    assert [(error.source, error.line) for error in errors] == [("a file", 4)]
    assert str(errors[0]).startswith("a file:4: ")
    with pytest.raises(DataError, match="a file:4: "):
        list(parse_in_processes(parts, 2, str(tiny_onnx)))


def test_the_first_chunks_are_small() -> None:
    sizes = [len(chunk) for chunk in _chunks([Sentence(["dog"])] * 2000, 2, 300)]
    assert sizes == [128, 128, 256, 256, 300, 300, 300, 300, 32]
    # Paragraphs hold more than one sentence, lines one.
    assert [len(chunk) for chunk in _chunks([Unread("tokens", "x" * 1280)] * 200, 2, 300)] == [128, 72]
    assert [len(chunk) for chunk in _chunks([Unread("text", "x" * 1280)] * 40, 2, 300)] == [12, 12, 16]
    # A GPU gets more at once.
    sizes = [len(chunk) for chunk in _chunks([Sentence(["dog"])] * 40_000, 1, GPU_CHUNK)]
    assert sizes == [128, 256, 512, 1024, 2048, 4096, 8192, 8192, 8192, 7360]


def test_a_process_that_dies(tiny_joint_tags: Path) -> None:
    def sentences() -> Iterator[Sentence]:
        yield from [Sentence(["dog"])] * 3
        for child in active_children():
            child.kill()
        yield Sentence(["dog"])

    with pytest.raises(ChildProcessError, match=r"a process that was parsing has died.* fewer --jobs"):
        list(parse_in_processes(sentences(), 2, str(tiny_joint_tags), chunk=1))


def test_long_sentences_are_counted_through_all_chunks(tiny_onnx: Path) -> None:
    lines = [f"dog{' dog' * (number % 7)}" for number in range(20)]
    parts = [Unread("tokens", line) for line in lines]
    errors: list[DataError] = []
    parsed = parse_in_processes(parts, 2, str(tiny_onnx), chunk=3, on_error=errors.append, max_words=6, threads=1)
    found = [tree for one in parsed for tree in one.trees()]
    assert [len(tree.words) for tree in found] == [1 + number % 7 for number in range(20) if number % 7 < 6]
    assert [error.sentence for error in errors] == ["7", "14"]
    written = write_in_processes(parts, 2, str(tiny_onnx), max_words=6, threads=1)
    with pytest.raises(DataError, match="sentence 7: 'dog dog"):
        list(written)


def test_long_sentences_make_small_chunks() -> None:
    long = Unread("tokens", "x" * (CHARACTERS // 2))
    assert [len(chunk) for chunk in _chunks([long] * 5, 2, 300)] == [2, 2, 1]
    sentence = Sentence(["dog"] * (CHARACTERS // 6))
    assert [len(chunk) for chunk in _chunks([sentence] * 5, 2, 300)] == [2, 2, 1]
