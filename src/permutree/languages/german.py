"""German: abbreviations of several words, such as z.B., are cut, and nouns have capitals."""

from __future__ import annotations

import re
from pathlib import Path

from permutree.languages.glossary import Glossary
from permutree.languages.language import Language
from permutree.languages.tables import DASHES, FRACTION, NUMBERS, table

__all__ = ["LANGUAGE"]

_SEVERAL = re.compile(r"[a-zäöü]\.(?:[A-Za-zÄÖÜäöü]\.)+")
#: before an ending that makes a word stand for all genders: Koordinator/in, Mitarbeiter:innen, jede*r
_GENDERS = r"(?<=[^\W\d_]{2})[/:*]-?(?=(?:innen[a-zäöüß]{0,60}+|in|r|n)(?![^\W_]))"


def cut_german(word: str) -> list[int]:
    """The places within a word at which it is cut.

    >>> cut_german("z.B."), cut_german("S.A.")
    ([2], [])
    """
    if not _SEVERAL.fullmatch(word):
        return []
    return list(range(2, len(word), 2))


LANGUAGE = Language(
    code="de",
    name="German",
    model="de",
    joiners=".&-",
    within=rf"{NUMBERS}|{_GENDERS}",
    elided=r"\w{1,6}",
    whole=rf"{FRACTION}|US\$",
    keeps_hyphens=True,
    breaks=";",
    signs=dict.fromkeys("“”„‟", '"') | dict.fromkeys("‘’‚‛‹›", "'") | DASHES,
    cut=cut_german,
    capitalises_nouns=True,
    before_numbers=table("Art"),
    particles=table("von der zu dem de"),
    months=table("""
        Januar Jänner Februar März April Mai Juni Juli August September Oktober November Dezember Jan Feb Mär Apr Jun
        Jul Aug Sep Sept Okt Nov Dez Jahrhundert Jahrhunderts Jh Jahrestag Mal Klasse Auflage Platz Kapitel
    """),
    leading=table("""
        e Dr Prof PROF Stv Gebr Hr Fr Frl Dipl Ing Mag Nr Nrn St Str Bd Abs Abb Tab Kap S vgl Vgl bzw z d u a h i o m
        sog insb inkl exkl ca evtl ggf i.d.R bes Av Ver ehem gegr geb gest lat span engl frz dt amerik chin Chr v n ff
        zit hrsg Hrsg Co bspw z.B d.h
    """),
    abbreviations=table("""
        Mrd Mio Tsd etc usw usf Jh Ltd Inc GmbH S.A C.V u.a u.ä o.ä Std Min Sek Sr Jr Jan Feb Apr Aug Sept Sep Okt Nov
        Dez f z.T
    """),
    function_words=table("""
        die der und in von den zu im das für mit des auf eine ich sich ist werden als an auch ein es sie dem um nicht
        aus wird war sind wie bei zur nach hat dass daß so durch einer über wurde zum er haben einem noch wir einen vor
        mich oder diese aber dieser nur sowie mehr können am während ihre vom mir kann wurden bis welche unter man eines
        wenn was immer waren sehr sein schon seit da du dann seine dort ihrer zwischen alle diesem seiner uns damit
        hatte ihren insbesondere viele ihr dieses dabei sondern denn ihnen ab diesen dies dazu deshalb muss jedoch habe
        keine also neben trotz aufgrund dadurch hier allerdings einige obwohl darüber insgesamt angesichts ebenso mein
        ausserdem außerdem zudem gerade oft unsere ja nein wer wo warum kein ohne gegen hatten soll will doch
    """),
    greetings=table("hallo danke bitte gut guten guter tag morgen abend übersicht jahre"),
    spellings=table("sch ß ä ü ö ei ie ung$ ^ge ^ver ^be ^zu cht keit$ heit$ lich$ isch tz ck en$ ^z pf st$ schaft eu"),
    glossary=Glossary(Path(__file__).with_suffix(".tsv")),
)
