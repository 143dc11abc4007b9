from collections.abc import Iterator
from multiprocessing import active_children
from pathlib import Path

import pytest

from permutree.inference.parser import Parser
from permutree.inference.processes import parse_in_processes
from permutree.inference.sentences import Sentence
from permutree.tree import Annotations, Tree


def test_order_and_annotations_are_kept(tiny_own_tags: Path) -> None:
    sentences = [Sentence(["dog"] * (1 + number % 7), annotations=Annotations(id=str(number))) for number in range(40)]
    taken = 0

    def counted() -> Iterator[Sentence]:
        nonlocal taken
        for sentence in sentences:
            taken += 1
            yield sentence

    found: list[Tree] = []
    for parsed in parse_in_processes(counted(), 2, str(tiny_own_tags), chunk=3, device="cpu"):
        found += parsed.trees()
        # No more than four chunks are in flight, and one has come back.
        assert taken <= len(found) + 4 * 3
    expected = list(Parser.load(tiny_own_tags, "cpu").pipe(sentences))
    assert found == expected
    assert [tree.id for tree in found] == [str(number) for number in range(40)]


def test_a_process_that_dies(tiny_own_tags: Path) -> None:
    def sentences() -> Iterator[Sentence]:
        yield from [Sentence(["dog"])] * 3
        for child in active_children():
            child.kill()
        yield Sentence(["dog"])

    with pytest.raises(ChildProcessError, match=r"a process that was parsing has died.* fewer --jobs"):
        list(parse_in_processes(sentences(), 2, str(tiny_own_tags), chunk=1))
