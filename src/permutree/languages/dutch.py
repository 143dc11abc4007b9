"""Dutch: words stay whole, and a colon ends a sentence, as in Alpino, but for direct speech of one sentence."""

from __future__ import annotations

from pathlib import Path

from permutree.languages.glossary import Glossary
from permutree.languages.language import Language
from permutree.languages.tables import DASHES, NUMBERS, QUOTES, table

__all__ = ["LANGUAGE"]

LANGUAGE = Language(
    code="nl",
    name="Dutch",
    model="nl",
    joiners=".&/-",
    within=NUMBERS,
    elided=r"\d\d|t|s|n|m|k|r|ns|er|tis|twas|ie",
    keeps_hyphens=True,
    breaks=":;",
    speech=table("""
        zei zeiden zegt zeggen zeg gezegd vroeg vroegen vraagt vragen gevraagd riep riepen roept roepen geroepen
        antwoordde antwoordden antwoordt antwoorden geantwoord schreef schreven schrijft schrijven geschreven vertelde
        vertelden vertelt vertellen verteld verklaarde verklaarden verklaart verklaren verklaard
    """),
    before_numbers=table("No no art fig tab p min max"),
    particles=table("van de der den te ten ter in op het"),
    signs=QUOTES | DASHES,
    leading=table("""
        Nr Gebr gebr mr dr drs ir ing prof mevr mw mej dhr hr ds jhr jkvr mgr Mr Dr Drs Ir Ing Prof Mevr Mw Mej Dhr Hr
        Ds Jhr Mgr Burg St Kon Ned ca nr nrs bijv bv b.v d.w.z m.a.w m.n i.v.m t.o.v t.a.v t.n.v t.g.v i.p.v i.c n.a.v
        o.a o.l.v v.d v.h resp nl zg zgn z.g vgl pag blz afb plm ong incl excl tel Ver Int Gem Chr soc kath lib v d t
        a.h.w vnl afd alg dep bur Fa fa Mc Th Ch
    """),
    abbreviations=table("""
        pct mln mld jl j.l a.s v.j o.m l.l jr sr Jr Sr sec etc enz e.d e.a e.v cs c.s dgl gr kg km cm mm Inc Corp Co Ltd
        N.V n.v B.V C.V V.S v.s U.S m.s s.s r.k l.p u dl cts ct gld Gld fl ptn Zn Mij Heidemij jan feb mrt apr jun jul
        aug sept sep okt nov dec ed eds nom Ass Penn p.m a.u.b s.v.p m.i z.i h.t.l
    """),
    function_words=table("""
        de van het een in en dat te is op zijn die voor met niet aan hij heeft er door als maar ook was bij om worden
        uit over ik dit deze hebben tot nog naar dan zich zal wordt werd of al geen ze meer zo wel kunnen kan na wat zou
        zij nu hun had we tegen veel moet men eerste je haar moeten onder waren zullen waar daar hem andere toen alle
        toch weer omdat der echter ons volgens wij alleen enkele zeer waarin vooral wil want zonder steeds werden zelf
        hoe hadden tijdens verder zoals u willen minder heb altijd niets enige onze slechts hier iets mijn jij jullie
        hoewel bovendien overigens daarom sinds waarom iedereen inmiddels natuurlijk wanneer ja nee zelfs ondanks beide
        wie welke hen doet gaat komt ben bent jouw mij me jou dus immers aldus
    """),
    greetings=table("hallo bedankt dank goed goede dag morgen graag alstublieft"),
    spellings=table("""
        ij aa oo uu ee oe ui ^sch cht$ isch ^ge ^ver ^vr eeu lijk$ tje heid$ ing$ zij eel$ ^zw en$ oor oord$ uw$
    """),
    glossary=Glossary(Path(__file__).with_suffix(".tsv")),
)
