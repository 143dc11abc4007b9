"""Coarse tags for the pointer-simplified encoding: the paper's two tables, a rule for IcePaHC, tables from files."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from permutree.errors import DataError

__all__ = ["TAGSETS", "Tagset", "guess_tagset", "read_tagset", "tagset_named"]


class Tagset:
    """A map from tags to coarse tags; a tag that is not in it is its own coarse tag.

    >>> TAGSETS["ptb"]["VBZ"], TAGSETS["stts"]["VVFIN"], TAGSETS["icepahc"]["NPR-N"], TAGSETS["ptb"]["."]
    ('V', 'V', 'NPR', '.')
    """

    def __init__(self, name: str, table: Mapping[str, str] | None = None, *, until_hyphen: bool = False) -> None:
        self.name = name
        self.table = dict(table or {})
        self.until_hyphen = until_hyphen
        self._known = dict(self.table)

    def __getitem__(self, tag: str) -> str:
        coarse = self._known.get(tag)
        if coarse is None:
            coarse = (tag.partition("-")[0] or tag) if self.until_hyphen else tag
            self._known[tag] = coarse
        return coarse

    def __contains__(self, tag: str) -> bool:
        """Whether the tagset has something to say about a tag."""
        return tag in self.table or (self.until_hyphen and "-" in tag[1:])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tagset):
            return NotImplemented
        return self.table == other.table and self.until_hyphen == other.until_hyphen

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Tagset({self.name!r})"

    def simplify(self, tags: Sequence[str]) -> list[str]:
        """The coarse tags."""
        return [self[tag] for tag in tags]


def _table(lines: str) -> dict[str, str]:
    """A table from lines of a coarse tag and the tags that it stands for."""
    rows = (line.split() for line in lines.splitlines())
    return {tag: row[0] for row in rows for tag in row[1:]}


#: Appendix A.1. ADJD stands in two rows of the paper's table; the later one counts. Parentheses in STTS tags may be
#: written square.
TAGSETS = {
    "ptb": Tagset(
        "ptb",
        _table(
            """CC CC
            CD CD
            DT DT
            EX EX
            FW FW
            IN IN
            JJ JJ JJR JJS
            LS LS
            MD MD
            NN NN NNS NNP NNPS
            PDT PDT
            POS POS
            PRP PRP PRP$
            RB RB RBR RBS
            RP RP
            SYM SYM
            TO TO
            UH UH
            V VB VBD VBG VBN VBP VBZ
            W WDT WP WP$ WRB"""
        ),
    ),
    "stts": Tagset(
        "stts",
        _table(
            """N NN NE
            ADJ ADJA
            CARD CARD
            V VAFIN VAIMP VVFIN VVIMP VMFIN VVINF VAINF VMINF VVIZU VVPP VMPP VAPP
            ART ART
            P PPER PRF PPOSAT PPOSS PDAT PDS PIDAT PIS PIAT PRELAT PRELS PWAT PWS PWAV PAV
            AD ADV ADJD
            K KOUI KOUS KON KOKOM
            AP APPR APPRART APPO APZR
            PT PTKZU PTKNEG PTKVZ PTKA PTKANT
            $ $, $( $[ $.
            ITJ ITJ
            TRUNC TRUNC
            XY XY
            FM FM"""
        ),
    ),
    "icepahc": Tagset("icepahc", until_hyphen=True),
}


def tagset_named(name: str) -> Tagset:
    """One of the tagsets here, or one from a file."""
    if name in TAGSETS:
        return TAGSETS[name]
    if Path(name).is_file():
        return read_tagset(name)
    message = f"no tagset {name!r}: there are {', '.join(TAGSETS)}, or name a file with lines such as NN,NNS = NN"
    raise DataError(message)


def read_tagset(path: str | Path) -> Tagset:
    """A table from a file: lines such as ``NN,NNS = NN``, with ``#`` for comments, or a JSON object.

    In lines, tags stand between commas or spaces; a tag with a comma, a space or an equals sign in it needs JSON.
    """
    try:
        text = Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"cannot be read as a tagset: {error}", source=str(path)) from error
    if text.lstrip().startswith("{"):
        return Tagset(str(path), _read_json(text, str(path)))
    table = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        tags, equals, coarse = line.rpartition("=")
        found = [tag for tag in re.split(r"[,\s]+", tags) if tag]
        if not equals or not found or len(coarse.split()) != 1:
            raise DataError(f"expected TAG,TAG = COARSE, not {line!r}", source=str(path), line=number)
        table.update(dict.fromkeys(found, coarse.strip()))
    return Tagset(str(path), table)


def _read_json(text: str, source: str) -> dict[str, str]:
    try:
        table = json.loads(text)
    except ValueError as error:
        raise DataError(f"not a JSON object: {error}", source=source) from error
    if not all(isinstance(coarse, str) for coarse in table.values()):
        raise DataError("a tagset in JSON maps tags to coarse tags, strings to strings", source=source)
    return dict(table)


def guess_tagset(tags: Iterable[str]) -> Tagset:
    """The tagset that knows most of some tags; one that changes nothing if none knows a tenth of them.

    >>> guess_tagset(["ART", "NN", "VVFIN", "$."]), guess_tagset(["det", "noun", "verb"])
    (Tagset('stts'), Tagset('none'))
    """
    counts = Counter(tags)
    scores = {name: sum(count for tag, count in counts.items() if tag in tagset) for name, tagset in TAGSETS.items()}
    best = max(scores, key=scores.__getitem__)
    return TAGSETS[best] if scores[best] * 10 >= sum(counts.values()) and scores[best] else Tagset("none")
