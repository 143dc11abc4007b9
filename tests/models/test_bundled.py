import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from permutree import Parser, evaluate, read
from permutree.model.folder import Outline
from permutree.models import folder, names
from permutree.networks.model import Model
from permutree.parsing.benchmark import sample
from permutree.parsing.inputs import Sentence
from permutree.parsing.onnx_engine import OnnxEngine
from permutree.parsing.torch_engine import TorchEngine

LANGUAGES = ("de", "en", "is", "nl")


@pytest.fixture(scope="module", params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_four_languages() -> None:
    assert names() == [*LANGUAGES]


@pytest.mark.parametrize(
    ("language", "text", "tree"),
    [
        (
            "en",
            "What do you want to eat?",
            "(ROOT (SBARQ (SQ (VP (S (VP (VP (WHNP (WP 0=What)) (VB 5=eat)) (TO 4=to))) (VB 3=want)) (VBP 1=do) "
            "(NP (PRP 2=you))) (. 6=?)))",
        ),
        (
            "de",
            "Das habe ich nicht gesagt.",
            "(VROOT (S (VP (VP (NP (PDS 0=Das)) (VVPP 4=gesagt)) (PTKNEG 3=nicht)) (VAFIN 1=habe) (NP (PPER 2=ich))) "
            "($. 5=.))",
        ),
        (
            "nl",
            "Dat boek heb ik gisteren niet kunnen lezen.",
            "(ROOT (smain (inf (inf (np (vnw 0=Dat) (n 1=boek)) (bw 4=gisteren) (bw 5=niet) (ww 7=lezen)) "
            "(ww 6=kunnen)) (ww 2=heb) (vnw 3=ik)) (let 8=.))",
        ),
    ],
)
def test_gaps_are_found(language: str, text: str, tree: str) -> None:
    (found,) = Parser.load(language).parse(text)
    assert found.discbracket() == tree
    offsets = found.annotations.offsets
    assert offsets is not None
    assert [text[start:end] for start, end in filter(None, offsets)] == list(found.words)
    assert found.annotations.confidence is not None


def test_a_tree_does_not_depend_on_its_neighbours(language: str) -> None:
    parser, other = Parser.load(language, threads=1), Parser.load(language, threads=2)
    # Random words of many lengths get trees that a little noise would change.
    words = [list(sentence.words) for sentence in sample(parser.model, 150)]
    trees = list(parser.pipe(words))
    assert list(parser.pipe(words[::-1])) == trees[::-1]
    assert list(parser.pipe(words, chunk=7)) == trees
    assert list(other.pipe(words)) == trees
    assert [parser.parse_tokens(sentence) for sentence in words] == trees
    assert next(parser.parse_texts(["\n\n".join(map(" ".join, words))])) == parser.parse(
        "\n\n".join(map(" ".join, words))
    )


@pytest.mark.parametrize(("language", "treebank"), [("nl", "alpino"), ("en", "masc"), ("de", "squoia_de")])
def test_nor_do_the_trees_of_treebanks(shared: Path, language: str, treebank: str) -> None:
    words = [tree.words for tree in islice(read(shared / "treebanks" / treebank / "dev.discbracket.xz"), 150)]
    parser = Parser.load(language, threads=1)
    trees = list(parser.pipe(words))
    assert list(parser.pipe(words[::-1])) == trees[::-1]
    assert [parser.parse_tokens(sentence) for sentence in words] == trees


def test_they_know_their_language_and_licence(language: str) -> None:
    parser = Parser.load(language)
    assert parser.language == language
    facts = parser.model.facts
    card = (folder(language) / "README.md").read_text("utf-8")
    assert facts["licence"] in card
    for splits in facts["scores"].values():
        for split in ("dev", "test"):
            assert f"{splits[split]['f1']:.1f} | {splits[split]['discontinuous f1']:.1f}" in card


def test_they_are_small(language: str) -> None:
    assert sum(file.stat().st_size for file in folder(language).iterdir()) < 12e6


def test_they_run_without_torch(language: str) -> None:
    code = "import sys; sys.modules['torch'] = None; from permutree import Parser; "
    code += f"Parser.load({language!r}).parse('A b.')"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(("language", "treebank"), [("en", "masc"), ("nl", "alpino"), ("de", "squoia_de")])
def test_they_score_as_they_say(language: str, treebank: str, shared: Path) -> None:
    said = Outline.read(folder(language)).facts["scores"][treebank]["dev"]
    gold = list(read(shared / "treebanks" / treebank / "dev.discbracket.xz"))
    scores = evaluate(gold, [*Parser.load(language).pipe(Sentence(tree.words) for tree in gold)])
    # Processors round the sums of quantised numbers differently.
    assert scores.f1 == pytest.approx(said["f1"], abs=0.3)
    assert scores.discontinuous.f1 == pytest.approx(said["discontinuous f1"], abs=1.5)


def test_on_a_cpu_they_are_run_by_onnx(language: str) -> None:
    for device in (None, "cpu"):
        assert isinstance(Parser.load(language, device).engine, OnnxEngine)


def test_in_pytorch_they_parse_as_in_onnx(shared: Path) -> None:
    """Their weights come out of the graphs, which is what runs on a GPU."""
    model = Model.load(folder("nl"))
    gold = list(islice(read(shared / "treebanks" / "alpino" / "dev.discbracket.xz"), 300))
    words = [tree.words for tree in gold]
    parsers = (Parser(model.outline, TorchEngine(model.labeller)), Parser.load("nl", "cpu"))
    torch_scores, onnx_scores = (evaluate(gold, [*parser.pipe(words)]) for parser in parsers)
    assert torch_scores.f1 == pytest.approx(onnx_scores.f1, abs=0.5)
    assert torch_scores.f1 is not None
    assert torch_scores.f1 > 70


def test_in_pytorch_they_parse(language: str) -> None:
    model = Model.load(folder(language))
    words = ["A", "b", "c", "."]
    assert Parser(model.outline, TorchEngine(model.labeller)).parse_tokens(words).words == tuple(words)


def test_any_text_gives_trees(language: str) -> None:
    parser = Parser.load(language)
    text = "🙂 \x00 ﷽ \u200b word " + "a " * 300 + ". \r\n\r\n 漢字。"
    trees = parser.parse(text)
    assert sum(len(tree) for tree in trees) > 300
