"""A model that comes with permutree, made of a trained one: quantised, scored, and with a card.

    python lab/models/bundle.py NAME MODEL --treebanks FOLDER [--out src/permutree/models] [--test-half]

NAME is a language, or a model that is a package of its own, en-large or LANGUAGE-fast; these go to ``packages``.
MODEL is the folder of a student that `train_bundled.py` trained and unpacked, or a bundled model, which is exported
again. Scores are those of the quantised model, from words without tags, on the dev and test sets of its treebanks, and
on the development half of the suite of constructions; with --test-half on the other half as well, for the models that
are shipped. A model whose training was ended before it was calibrated is calibrated first.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch

from permutree.evaluation import evaluate
from permutree.formats.sinks import whole_file
from permutree.model.folder import CARD, Outline
from permutree.networks.export import export
from permutree.networks.model import Model
from permutree.parsing.inputs import Sentence
from permutree.parsing.parser import Parser
from permutree.training.calibration import calibrate
from permutree.training.card import counted, record
from permutree.training.validation import Validator
from permutree_lab.cell import share_right
from permutree_lab.constructions import judge_all, read_constructions, records, tallies
from permutree_lab.folders import CONSTRUCTIONS, GRIDS, LAB
from permutree_lab.treebanks import load_treebanks, read_parts


@dataclass(frozen=True)
class Corpus:
    """A treebank that a model is trained on."""

    name: str
    what: str
    licence: str
    source: str


@dataclass(frozen=True)
class Bundle:
    """What is said of a model."""

    language: str
    licence: str
    corpora: tuple[Corpus, ...]
    scored: tuple[str, ...]
    #: who parsed silver data, if any is read beside treebanks: open text, and sentences recombined of treebanks
    teachers: str = ""
    text: str = ""
    recombined: str = ""
    #: sentences with tags and without trees that were read as well
    tagged: str = ""
    #: the pretrained encoder that it begins with, if any
    encoder: str = ""
    #: the vectors of words that it has beside its own, if any
    vectors: str = ""


TEXT = (
    "free software's manuals, messages, texts of games, sayings and conversations from packages, example "
    "sentences of a proofreader, verses of old Bible translations{} (`lab/models/open_text.py` lists all sources with "
    "their licences)"
)
ENGLISH_TEXT = TEXT.format(", novels, essays, speeches, and definitions of cells, organs, diseases and what genes do")
WITH_ARTICLES = TEXT.format(
    ", novels, essays, speeches, definitions of cells, organs, diseases and what genes do, and research articles of "
    "PLOS"
)
OTHER_TEXT = TEXT.format("")
OVER_QWEN = (
    "an ensemble of three models over the first {} layers of Qwen2.5-Coder-1.5B-Instruct (Apache 2.0), trained on the "
    "same treebank and lessons"
)
LESSONS = (
    "text that teaches: trees of rare constructions, rewritten from those of the treebanks and written by a grammar "
    "(`docs/contribute/teaching.md`)"
)
UNIVERSAL = "sentences with tags and without trees, of the Universal Dependencies treebank"
EWT = f"{UNIVERSAL}s English EWT (CC BY-SA 4.0) and PUD (CC BY-SA 3.0)"
LASSY = f"{UNIVERSAL} Dutch LassySmall (CC BY-SA 4.0)"
GSD = f"{UNIVERSAL} German GSD (CC BY-SA 4.0)"
ICELANDIC_VECTORS = (
    "vectors of words (`lab/models/word_vectors.py`), made of those of potion-multilingual-128M (MIT), of the trigrams "
    "of Icegrams (MIT, Miðeind ehf.), and of the Database of Icelandic Morphology, BÍN, of the Árni Magnússon "
    "Institute for Icelandic Studies, by Kristín Bjarnadóttir (CC BY-SA 4.0; https://bin.arnastofnun.is)"
)
OVER_MPNET = (
    "an ensemble of three models over all-mpnet-base-v2 (Apache 2.0), trained on the same treebanks and lessons"
)
WIDE = "an ensemble of three models of 3 × 800 units, trained on the same treebanks and lessons"
ALPINO = Corpus(
    "alpino",
    "the Alpino treebank, Dutch newspaper text (cdb) and more, by Gertjan van Noord, Gosse Bouma and others, "
    "University of Groningen",
    "LGPL 2.1 or later",
    "https://github.com/rug-compling/Alpino",
)
MASC = Corpus(
    "masc",
    "the Manually Annotated Sub-Corpus of the Open American National Corpus, English of many genres, by Nancy Ide, "
    "Collin Baker, Christiane Fellbaum and Rebecca Passonneau",
    "free, without a licence file",
    "https://github.com/oanc/masc",
)
CRAFT = Corpus(
    "craft",
    "the Colorado Richly Annotated Full-Text corpus, English biomedical articles, University of Colorado",
    "CC BY 3.0",
    "https://github.com/UCDenver-ccp/CRAFT",
)
SQUOIA = Corpus(
    "squoia_de",
    "the German side of the SQUOIA treebanks, by Annette Rios and others, University of Zurich",
    "Apache 2.0",
    "https://github.com/a-rios/squoia",
)
ICEPAHC = Corpus(
    "icepahc",
    "the Icelandic Parsed Historical Corpus, 1150 to 2008, by Joel Wallenberg, Anton Karl Ingason, Einar Freyr "
    "Sigurðsson and Eiríkur Rögnvaldsson",
    "CC BY 4.0",
    "https://github.com/antonkarl/icecorpus",
)
ICEPAHC_MODERN = Corpus(
    "icepahc_modern",
    "additions to IcePaHC of 2019, Icelandic of today from parliament and news, by Anton Karl Ingason and others",
    "CC BY 4.0",
    "https://github.com/antonkarl/icecorpus",
)
BUNDLES = {
    "en": Bundle(
        "English",
        "CC BY 3.0",
        (MASC, CRAFT),
        ("masc", "craft"),
        f"{OVER_MPNET}, and some of it by `en-large`",
        WITH_ARTICLES,
        "CRAFT",
        EWT,
    ),
    "nl": Bundle(
        "Dutch", "LGPL 2.1 or later", (ALPINO,), ("alpino",), OVER_QWEN.format("eight"), OTHER_TEXT, tagged=LASSY
    ),
    "de": Bundle("German", "Apache 2.0", (SQUOIA,), ("squoia_de",), OVER_QWEN.format("twelve"), OTHER_TEXT, tagged=GSD),
    "en-large": Bundle(
        "English",
        "CC BY 3.0 and Apache 2.0",
        (MASC, CRAFT),
        ("masc", "craft"),
        OVER_MPNET,
        ENGLISH_TEXT,
        "",
        EWT,
        "all-MiniLM-L6-v2 (6 layers of 384 units, Apache 2.0)",
    ),
    "is": Bundle(
        "Icelandic",
        "CC BY-SA 4.0",
        (ICEPAHC, ICEPAHC_MODERN),
        ("icepahc", "icepahc_modern"),
        WIDE,
        recombined="both treebanks",
        vectors=ICELANDIC_VECTORS,
    ),
}
# Smaller models that learnt from the same, the English one without recombined sentences.
BUNDLES |= {f"{language}-fast": BUNDLES[language] for language in ("en", "nl", "de", "is")}
BUNDLES["en-fast"] = replace(BUNDLES["en"], recombined="")


def calibrated(model: Model, treebanks: Path, names: Sequence[str]) -> Model:
    """A model whose score of NEXT is right for the dev sets of treebanks."""
    if "next" not in model.facts:
        known = load_treebanks(GRIDS / "treebanks.toml")
        gold = [tree for name in names for tree in read_parts(treebanks, known[name].parts("dev"))]
        validator = Validator.of(gold, gold, model)
        model.facts["next"], _ = calibrate(model.labeller, lambda: validator.score(model.labeller, torch.device("cpu")))
    return model


def score(
    parser: Parser, treebanks: Path, name: str, splits: Sequence[str] = ("dev", "test")
) -> dict[str, dict[str, float]]:
    """F1, discontinuous F1 and right tags on dev and test sets."""
    treebank = load_treebanks(GRIDS / "treebanks.toml")[name]
    found = {}
    for split in splits:
        gold = read_parts(treebanks, treebank.parts(split))
        trees = [*parser.pipe(Sentence(tree.words) for tree in gold)]
        scores = evaluate(gold, trees)
        figures = {
            "f1": scores.f1,
            "discontinuous f1": scores.discontinuous.f1,
            "exact match": scores.overall.exact_match,
            "tag accuracy": share_right(gold, trees),
        }
        found[split] = {figure: round(value or 0.0, 4) for figure, value in figures.items()}
    return found


def score_constructions(parser: Parser, code: str, half: str) -> dict[str, Any]:
    """What a model finds in a half of the suite of constructions."""
    sentences = read_constructions(CONSTRUCTIONS / code / f"{half}.txt")
    trees = list(parser.pipe([one.words for one in sentences]))
    ((found,)) = records({code: tallies(judge_all(sentences, trees, code))}, half)
    return {"all": found["all"], "kinds": found["kinds"]}


def constructions_lines(halves: dict[str, dict[str, Any]]) -> list[str]:
    """The table of constructions: all marked constituents, those with a gap, and each kind."""
    if not halves:
        return []
    lines = ["", "Marked constituents that are found in the suite of constructions (`lab/constructions`):", ""]
    lines += [f"| | {' | '.join(halves)} |", f"|---|{'---:|' * len(halves)}"]
    shown = [one["all"] for one in halves.values()]
    lines.append(f"| all | {' | '.join(_share(one['found'], one['marked']) for one in shown)} |")
    lines.append(f"| with a gap | {' | '.join(_share(one['gaps_found'], one['gaps_marked']) for one in shown)} |")
    for kind in dict.fromkeys(kind for one in halves.values() for kind in one["kinds"]):
        kinds = [one["kinds"].get(kind, {"found": 0, "marked": 0}) for one in halves.values()]
        lines.append(f"| {kind} | {' | '.join(_share(one['found'], one['marked']) for one in kinds)} |")
    return lines


def _share(some: int, of: int) -> str:
    return f"{some}/{of} ({100 * some / of:.0f} %)" if of else "–"


def network(bundle: Bundle, outline: Outline) -> str:
    """What reads the sentences."""
    encoder, second = outline.config.encoder, f"a BiLSTM of {outline.config.reread.hidden} units"
    if bundle.encoder:
        return f"{bundle.encoder}, fine-tuned, and {second} that reads a second time"
    return f"a BiLSTM of {encoder.layers} × {encoder.hidden} units and a second one of {outline.config.reread.hidden}"


def card(code: str, bundle: Bundle, outline: Outline, size: int) -> str:
    """What the model is, as Markdown."""
    facts = outline.facts
    lines = [
        f"# {code}",
        "",
        f"A parser of {bundle.language} that tags and parses in one pass: raw text in, discontinuous constituent trees "
        "out.",
        "",
        f"    permutree parse {'--model' if '-' in code else '--lang'} {code} TEXT",
        "",
        f"The labeller `{outline.config.labeller}` with jointly predicted tags: {network(bundle, outline)}, "
        f"{facts['weights']:,} weights in int8, {size / 1e6:.1f} MB. It runs on a CPU, and with PyTorch on a GPU "
        "(`--device cuda`).",
        "",
        "| from words without tags | dev F1 | dev disc. F1 | dev tags | test F1 | test disc. F1 | test tags |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, splits in facts["scores"].items():
        figures = [
            f"{splits[split][figure]:.1f}"
            for split in ("dev", "test")
            for figure in ("f1", "discontinuous f1", "tag accuracy")
        ]
        lines.append(f"| {name} | {' | '.join(figures)} |")
    lines += constructions_lines(facts.get("constructions", {}))
    lines += ["", "## Data and licence", "", f"Trained on {facts['data']}:", ""]
    lines += [f"- {one.what} ({one.licence}; {one.source})" for one in bundle.corpora]
    is_taught = "teaching/" in facts["data"]
    if is_taught:
        lines.append(f"- {LESSONS}")
        lines += [f"- {bundle.tagged}"] if bundle.tagged else []
    if bundle.teachers:
        parsed = [f"text: {bundle.text}"] if bundle.text else []
        if bundle.recombined:
            parsed.append(f"sentences recombined from the phrases of {bundle.recombined} (`lab/models/recombined.py`)")
        lines.append(f"- silver data, parsed by {bundle.teachers}: {'; '.join(parsed)}")
    if bundle.encoder:
        lines.append(f"- the pretrained encoder {bundle.encoder} that it begins with")
    if bundle.vectors:
        lines.append(f"- {bundle.vectors}")
    lines += [
        "",
        f"The model may be used under the licence{'s' * bool(bundle.encoder)} of "
        f"{'its vectors' if bundle.vectors else 'the treebank'}"
        f"{' and the encoder' * bool(bundle.encoder)}: {bundle.licence}. Name the treebank"
        f"{', the sources of the vectors' * bool(bundle.vectors)} and permutree "
        "where you publish what you made with it.",
        "",
    ]
    if bundle.text:
        lines += [
            "The text has licences of its own, some of which (GPL, GFDL, CC BY-SA) ask that what is made of it be "
            "shared alike. None of its sentences is part of the model; its words are.",
            "",
        ]
    training = outline.training.get("training", {})
    start, teachers = training.get("start"), training.get("teachers")
    further = f", from the weights of an earlier `{start}`" if start else ""
    if teachers:
        further += f", also from the predictions of {' and '.join(f'`{teacher}`' for teacher in teachers)}"
    if averaged := facts.get("averaged"):
        further += f"; its weights are the mean of {averaged} models, trained one from the other or from the same start"
    lines += [
        f"Trained with permutree {facts['permutree']} and PyTorch {facts['torch']} on {machine(facts['device'])}, seed "
        f"{facts['seed']}{further}; "
        f"{'`training.json`' if is_taught else '`lab/grids/students.toml`'} has all settings.",
        "",
    ]
    return "\n".join(lines)


def machine(device: str) -> str:
    """What it was trained on: a GPU by its name, or a CPU of some kind."""
    return f"an {device}" if device.startswith("NVIDIA") else f"a CPU ({device})"


def data(settings: dict[str, Any]) -> str:
    """The training files, each once, with how often it was read in an epoch.

    >>> data({"data": {"train": ["a/masc/train.discbracket.xz"] * 2, "tagged": ["a/teaching/en.tags-only.tagged.xz"]}})
    '2 × masc/train, teaching/en.tags-only'
    """
    files = [*settings["data"]["train"], *settings["data"].get("tagged", ())]
    return counted(re.sub(r"\.(?:discbracket|tagged)\b.*", "", "/".join(Path(path).parts[-2:])) for path in files)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=list(BUNDLES))
    parser.add_argument("model", type=Path)
    parser.add_argument("--treebanks", type=Path, required=True)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--test-half", action="store_true", help="score the test half of the suite, too")
    options = parser.parse_args()
    name, language = options.name, options.name.partition("-")[0]
    place = LAB.parent / ("src/permutree/models" if name == language else "packages")
    bundle, folder = BUNDLES[name], (options.out or place) / name
    model = calibrated(Model.load(options.model), options.treebanks, bundle.scored)
    export(model, folder, quantise=True, source=options.model)
    outline = Outline.read(folder)
    outline.facts.pop("dev", None)
    outline.facts |= {"language": language, "licence": bundle.licence}
    if outline.training:
        outline.facts |= {"data": data(outline.training), "seed": outline.training["training"]["seed"]}
        outline.training = record(outline.training)
    quantised = Parser.load(folder)
    outline.facts["scores"] = {name: score(quantised, options.treebanks, name) for name in bundle.scored}
    halves = ("dev", "test") if options.test_half else ("dev",)
    outline.facts["constructions"] = {half: score_constructions(quantised, language, half) for half in halves}
    outline.write(folder)
    size = sum(file.stat().st_size for file in folder.iterdir() if file.name != CARD)
    with whole_file(folder / CARD) as temporary:
        temporary.write_text(card(name, bundle, outline, size), "utf-8")
    print((folder / CARD).read_text("utf-8"))


if __name__ == "__main__":
    main()
