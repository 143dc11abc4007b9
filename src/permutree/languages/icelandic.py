"""Icelandic of nine centuries: words stay whole, and ordinals have a full stop, as in IcePaHC."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from permutree.languages.glossary import Glossary
from permutree.languages.language import Language
from permutree.languages.tables import DASHES, NUMBERS, QUOTES, table

__all__ = ["LANGUAGE"]

_VERB = re.compile(r"(VB|BE|DO|HV|MD|RD)(I|N|G|[PD][IS])?")
_VERBS = {
    "VB": "verb",
    "BE": '"vera" (be)',
    "DO": '"gera" (do)',
    "HV": '"hafa" (have)',
    "MD": "modal verb",
    "RD": '"verða" (become)',
}
_FORMS = {
    None: "infinitive",
    "I": "imperative",
    "N": "past participle",
    "G": "present participle",
    "PI": "present indicative",
    "PS": "present subjunctive",
    "DI": "past indicative",
    "DS": "past subjunctive",
}
_PART = re.compile(r"(.+?)([2-9])([1-9])")


def explain_tag(tag: str, known: Callable[[str], str | None]) -> str | None:
    """What a tag without its case means: a form of a verb, a word made of several, or a part of a word written apart.

    >>> explain_tag("VBDS", {}.get), explain_tag("BE+Q21", {"Q": "quantifier"}.get)
    ('verb, past subjunctive', 'one word of "vera" (be), infinitive + quantifier (part 1 of 2, written apart)')
    """
    if text := known(tag):
        return text
    if "+" in tag:
        parts = [explain_tag(part, known) for part in tag.split("+")]
        return f"one word of {' + '.join(filter(None, parts))}" if all(parts) else None
    if verb := _VERB.fullmatch(tag):
        return f"{_VERBS[verb[1]]}, {_FORMS[verb[2]]}"
    if part := _PART.fullmatch(tag):
        text = explain_tag(part[1], known)
        return f"{text} (part {part[3]} of {part[2]}, written apart)" if text else None
    return None


LANGUAGE = Language(
    code="is",
    name="Icelandic",
    model="is",
    joiners=".&/-",
    within=NUMBERS,
    elided="",
    keeps_hyphens=True,
    breaks=";",
    before_numbers=table("kap Kap kapít"),
    signs=QUOTES | DASHES,
    months=table("""
        janúar febrúar mars apríl maí júní júlí ágúst september október nóvember desember jan feb apr jún júl ág sept
        okt nóv des Januarii Februarii Martii Aprilis Maii Junii Julii Augusti Septembris Octobris Novembris Decembris
    """),
    leading=table("""
        kl Kl hr Hr dr Dr mr Mr Mag mag sr próf Próf St nr Nr KAP bls b s s.s t.d t.a.m þ.e þ.e.a.s m.a a.m.k u.þ.b skv
        sbr þ.b Þ.b v f e ca Ps Kor Kór Prov Jer Jes Devt Pét Heb Sálm Mós Róm Tím Gal Tít Eph Matth Mark Lúk Jóh Alþ et
        konl
    """),
    abbreviations=table("""
        kongl frv o.s.frv o.fl fl o.þ.h e.t.v f.Kr e.Kr hndr hnd handr hundr rd rdr d m kr þús millj jr ehf hf sl a.s
        m.m nk km kg cm e.h f.h
    """),
    function_words=table("""
        og að hann í er á til en var þá sem það með svo þeir af því við þar um fyrir nú eg ekki honum ég hans eigi þeim
        sér eftir þú hún hafði mér þér upp voru þetta sagði sá þeirra þó ef frá vér þess vera hafa út kom mig úr þegar
        eða síðan allt væri hvað þau sig vel hér yfir fram einn mun sínum eru varð fór oss tók heldur eins aftur sinn
        skal ei sína inn gekk þessi verið undir áður yður hefir henni allir sé þann hjá hefði vildi mjög höfðu öllum
        sinni mikið þessu hver minn hana hennar skyldi þig enn hét alla þessa verða bæði hinn hefur mín átti annað þær
        sín verður nema þessum aldrei já nei hvar hvort hvernig hvers vegna ætla okkur við þið ykkur ert munu
    """),
    greetings=table("halló takk góðan góður dag daginn kafli já"),
    spellings=table("""
        ð þ æ á í ó ú ý é ö ur$ inn$ nn$ um$ ^hv ^hj ^kj fj ^sk gj ja$ ar$ ir$ ið$ rn$ sson$ dóttir$ ^sv st$
    """),
    glossary=Glossary(Path(__file__).with_suffix(".tsv"), rule=explain_tag),
)
