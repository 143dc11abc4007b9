"""Ten linguistic questions to the open treebanks, answered in the documentation: queries, counts, drawn examples.

    python lab/search_questions.py TREEBANK_FOLDER [--check] [--treebanks alpino …]

Writes the answers into the page, between its two marks; with ``--check`` compares the counts of some or all treebanks
with those of the page, and exits with 1 if one differs. All parts of a treebank are searched: train, dev, test and what
else there is in discbracket.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from permutree.drawing import draw_text
from permutree.formats import read
from permutree.search.corpus import Corpus
from permutree.search.matches import Match

PAGE = Path(__file__).resolve().parents[1] / "docs" / "guides" / "search.md"
BEGIN, END = "<!-- questions: written by lab/search_questions.py -->", "<!-- end of questions -->"
NAMES = {
    "alpino": "Alpino (Dutch)",
    "icepahc": "IcePaHC (Icelandic)",
    "craft": "CRAFT (English, biomedical)",
    "masc": "MASC (English)",
    "squoia_de": "SQUOIA (German)",
}
#: values that a table by values shows
MOST = 6


@dataclass(frozen=True)
class Ask:
    """A query to a treebank: how many matches, or how many for each value."""

    treebank: str
    query: str
    by: tuple[str, ...] = ()
    unique: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Question:
    """A question, what the answer means, and a sentence to draw."""

    title: str
    text: str
    asked: tuple[Ask, ...]
    #: treebank, part and number of the sentence
    example: tuple[str, str, int]


def _extraposed(treebank: str, np: str, label: str) -> tuple[Ask, Ask]:
    """All children of noun phrases with a label, and those of them that are extraposed."""
    found = f'#n:[cat="{np}"] > #r:[cat="{label}"]'
    return Ask(treebank, found), Ask(treebank, f"{found} & extraposed(#r)")


QUESTIONS = (
    Question(
        "How often are clauses extraposed from noun phrases?",
        "A relative or complement clause in a noun phrase, and how many of them stand to the right of a gap. The "
        "English treebanks count *it … that* among them.",
        (
            *_extraposed("alpino", "np", "rel"),
            *_extraposed("icepahc", "NP", "CP-REL"),
            *_extraposed("craft", "NP", "SBAR"),
            *_extraposed("masc", "NP", "SBAR"),
            *_extraposed("squoia_de", "NP", "S"),
        ),
        ("alpino", "extra-train", 1116),
    ),
    Question(
        "And prepositional phrases?",
        "The same question for prepositional phrases, which are extraposed far more seldom.",
        (
            *_extraposed("alpino", "np", "pp"),
            *_extraposed("icepahc", "NP", "PP"),
            *_extraposed("craft", "NP", "PP"),
            *_extraposed("masc", "NP", "PP"),
            *_extraposed("squoia_de", "NP", "PP"),
        ),
        ("alpino", "extra-train", 951),
    ),
    Question(
        "Where does Dutch have cross-serial verbs?",
        "An infinitive with an object, whose verb is separated from it by two other verbs: the objects come first, "
        "then all the verbs, in the same order.",
        (
            Ask(
                "alpino",
                '#v:[cat="inf"] > #o:[cat="np"] & #v > #h:[pos="ww"] & gap(#v) contains #w:[pos="ww"] '
                '& gap(#v) contains #x:[pos="ww"] & #o .* #w & #w . #x & #x . #h',
            ),
        ),
        ("alpino", "extra-train", 4941),
    ),
    Question(
        "Do two constituents interleave?",
        "Ill-nested pairs: words of one alternate with words of the other, a b a b. Well-nested formalisms, such as "
        "tree-adjoining grammar, cannot derive such trees.",
        (
            Ask("alpino", "#a:[NT] .* #b:[NT] & crosses(#a, #b)", ("#a.cat", "#b.cat")),
            Ask("icepahc", "#a:[NT] .* #b:[NT] & crosses(#a, #b)"),
            Ask("craft", "#a:[NT] .* #b:[NT] & crosses(#a, #b)"),
            Ask("masc", "#a:[NT] .* #b:[NT] & crosses(#a, #b)"),
            Ask("squoia_de", "#a:[NT] .* #b:[NT] & crosses(#a, #b)"),
        ),
        ("alpino", "extra-train", 7710),
    ),
    Question(
        "Which quotations does a verb of saying split?",
        "A clause with a gap in which a verb of saying stands; each clause counts once.",
        (
            Ask(
                "alpino",
                '#s:[cat=("smain"|"sv1"|"whq"|"du"|"conj")] & gap(#s) contains [word=("zei"|"zegt"|"aldus"|"vroeg")]',
                ("#s.cat",),
                ("s",),
            ),
            Ask("squoia_de", '#s:[cat=("S"|"CS")] & gap(#s) contains [word=("sagt"|"sagte"|"so")]', (), ("s",)),
        ),
        ("alpino", "extra-train", 5561),
    ),
    Question(
        "Where is *er … drie*?",
        "Quantitative *er* ('of them'), which is away from the noun phrase that it belongs to.",
        (Ask("alpino", '#n:[cat="np"] > [word=/[Ee]r/] & discontinuous(#n)', ("#n.text",)),),
        ("alpino", "dev", 53),
    ),
    Question(
        "What intervenes between a wh-phrase and its verb phrase?",
        "The largest constituents, and single words, in the gap of a verb phrase that a wh-phrase was moved out of: "
        "subjects first of all, then auxiliaries that were inverted.",
        (
            Ask("masc", '#v:[cat="VP"] > [cat=/WH.*/] & intervener(#m, #v)', ("#m.label",)),
            Ask("craft", '#v:[cat="VP"] > [cat=/WH.*/] & intervener(#m, #v)', ("#m.label",)),
        ),
        ("masc", "dev", 212),
    ),
    Question(
        "Which pronouns strand a preposition in Dutch?",
        "A prepositional phrase whose pronoun (*er*, *daar*, *hier*, *waar*) stands apart from it.",
        (
            Ask(
                "alpino",
                '#p:[cat="pp"] > #r:[word=/([Ee]r|[Dd]aar|[Hh]ier|[Ww]aar)/] & discontinuous(#p)',
                ("#r.word",),
            ),
        ),
        ("alpino", "dev", 36),
    ),
    Question(
        "What is fronted out of German verb phrases?",
        "A constituent before a gap of its verb phrase, a word of which, such as the verb, comes after the gap.",
        (Ask("squoia_de", '#v:[cat="VP"] > #n:[NT] & fronted(#n)', ("#n.cat",)),),
        ("squoia_de", "dev", 136),
    ),
    Question(
        "Does Icelandic split noun phrases without a clause?",
        "A noun phrase with a gap and without a clause of its own: quantifiers, possessors and appositions that stand "
        "apart. The second query asks what fills such a gap alone; most often it is a preposition.",
        (
            Ask("icepahc", '#n:[cat="NP"] & discontinuous(#n) & not exists (#n > [cat=/CP.*|IP.*/])'),
            Ask(
                "icepahc",
                '#n:[cat="NP"] & not exists (#n > [cat=/CP.*|IP.*/]) & fills(#m, #n)',
                ("#m.label",),
            ),
        ),
        ("icepahc", "dev", 264),
    ),
)


class Treebanks:
    """The treebanks of a folder, each turned into columns when it is first asked."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.corpus = cache(self._corpus)

    def _corpus(self, name: str) -> Corpus:
        return Corpus.of(read(sorted((self.folder / name).glob("*.discbracket.xz"))), name)

    def drawn(self, question: Question) -> str:
        """The example of a question, with stars at what the last query that matches finds in it."""
        name, part, number = question.example
        trees = read(self.folder / name / f"{part}.discbracket.xz")
        tree = next(tree for place, tree in enumerate(trees, 1) if place == number)
        corpus = Corpus.of([tree])
        asked = [ask.query for ask in reversed(question.asked) if ask.treebank == name]
        found: Match | None = next((match for query in asked for match in corpus.search(query, limit=1)), None)
        if found is None:
            raise SystemExit(f"{question.title}: the example has no match")
        text = draw_text(tree, marks={node.number: "found" for node in found.nodes.values()})
        return "\n".join(line.rstrip() for line in text.splitlines())


def answers(treebanks: Treebanks, question: Question, wanted: Collection[str]) -> Iterator[str]:
    """The rows of the table of a question, for some treebanks."""
    for ask in question.asked:
        if ask.treebank not in wanted:
            continue
        corpus = treebanks.corpus(ask.treebank)
        total = corpus.count(ask.query, unique=ask.unique)
        said = ""
        if ask.by:
            counts = corpus.count_by(ask.query, list(ask.by), unique=ask.unique)
            ranked = sorted(counts.items(), key=lambda item: (-item[1], tuple(map(str, item[0]))))
            said = "; ".join(f"{' '.join(map(str, values))} {number:,}" for values, number in ranked[:MOST])
            said = f": {said}" + (", …" if len(ranked) > MOST else "")
        query = ask.query.replace("|", "\\|")
        yield f"| {NAMES[ask.treebank]} | `{query}` | {total:,}{said} |"


def section(treebanks: Treebanks) -> str:
    """All questions with their answers, as they stand in the page."""
    lines = [BEGIN, ""]
    for number, question in enumerate(QUESTIONS, 1):
        lines += [
            f"### {number}. {question.title}",
            "",
            question.text,
            "",
            "| treebank | query | matches |",
            "|---|---|---|",
        ]
        lines += answers(treebanks, question, NAMES)
        name, part, place = question.example
        lines += ["", f"{NAMES[name]}, {part}, sentence {place:,}:", "", "```", treebanks.drawn(question), "```", ""]
    return "\n".join([*lines, END])


def differences(treebanks: Treebanks, page: str, wanted: Collection[str]) -> list[str]:
    """The rows that the page has not, or has otherwise."""
    return [row for question in QUESTIONS for row in answers(treebanks, question, wanted) if row not in page]


def main() -> None:
    """Write the answers, or check them."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--treebanks", nargs="*", default=list(NAMES), choices=list(NAMES))
    options = parser.parse_args()
    treebanks = Treebanks(options.folder)
    page = PAGE.read_text("utf-8")
    if options.check:
        wrong = differences(treebanks, page, options.treebanks)
        print("\n".join(wrong) or "all counts are those of the page")
        sys.exit(bool(wrong))
    before, after = page.partition(BEGIN)[0], page.partition(END)[2]
    PAGE.write_text(before + section(treebanks) + after, "utf-8")


if __name__ == "__main__":
    main()
