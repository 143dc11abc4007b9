"""What the rules need to know of each language: how the treebanks that the models learn from write its words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

from permutree.errors import ConfigError
from permutree.languages.english import cut_english
from permutree.languages.german import cut_german
from permutree.languages.tables import table

__all__ = ["LANGUAGES", "Language", "language_named"]

LANGUAGES = ("en", "nl", "de", "is")


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """The tables of one language."""

    name: str
    #: signs that hold a word together when they stand within it
    joiners: str
    #: what a word may begin with an apostrophe for, as a regular expression
    elided: str
    #: words with signs that would be pieces of their own otherwise, as a regular expression
    whole: str = ""
    #: whether a hyphen at either end, of a word that shares a part with another, is part of the word
    keeps_hyphens: bool
    #: abbreviations, without the full stop at the end
    abbreviations: frozenset[str]
    #: those of them that never end a sentence, such as titles
    leading: frozenset[str]
    #: those that are abbreviations only before a number
    before_numbers: frozenset[str] = frozenset()
    #: small words of names, which do not begin a sentence after an initial
    particles: frozenset[str] = frozenset()
    #: frequent words that are no names: after an abbreviation, they tell that a sentence begins
    function_words: frozenset[str]
    #: names of months, before which a number with a full stop is a day; None if ordinals have no full stop
    months: frozenset[str] | None = None
    #: whether a capital need not begin a sentence
    capitalises_nouns: bool = False
    #: signs beside . ? ! that end a sentence in the treebank
    breaks: str = ""
    #: signs → how the treebank writes them
    signs: dict[str, str] = field(default_factory=dict)
    #: where a word is cut into several
    cut: Callable[[str], list[int]] | None = None


@cache
def language_named(name: str) -> Language:
    """The tables of a language; a failed look-up lists those there are."""
    for language in (_ENGLISH, _DUTCH, _GERMAN, _ICELANDIC):
        if language.name == name:
            return language
    raise ConfigError(f"no language {name!r}: there are {', '.join(LANGUAGES)}")


_QUOTES = dict.fromkeys("“”„‟«»", '"') | dict.fromkeys("‘’‚‛‹›", "'")
_DASHES = dict.fromkeys("‐‑‒–—―", "-")

_FRACTION = r"(?<![\w/])(?:\d{1,2}/\d{1,2}(?:/\d{2,4})?|\d{4}/\d{2,4})(?![\w/])"

_ENGLISH = Language(
    name="en",
    joiners=".&-",
    elided=r"\d\ds?|em|tis|twas|til|cause|bout|round|n",
    whole=rf"{_FRACTION}|°[CF](?![^\W_])|(?:Ca2|Mg2|Mn2|Zn2|Fe2|Fe3|Cu2|Na|K|H|NAD|NADP)\+(?![\w/])",
    keeps_hyphens=False,
    signs={"‑": "-", "‐": "-"},
    cut=cut_english,
    before_numbers=table("No Nos no nos Art art"),
    leading=table("""
        Mr Mrs Ms Messrs Mme Mlle Dr Drs Prof Rev Hon Gen Col Lt Maj Capt Cmdr Sgt Cpl Adm Gov Sen Rep Reps Sens Pres
        Supt Fr St Ste Mt Ft MR MRS MS DR ST Fig Figs fig figs Eq Eqs eq Ref Refs ref refs Sect Ch Vol vols vol pp p vs
        v cf e.g i.e eg ie viz approx ca c chr cat incl esp ext Tab
    """),
    abbreviations=table("""
        al etc Inc Corp Co Cos Ltd LLC Bros Jr Sr Esq ESQ INC CO Ph Jan Feb Mar Apr Jun Jul Aug Sept Sep Oct Nov Dec Mon
        Tue Tues Wed Thu Thurs Fri Ala Ariz Ark Calif Colo Conn Del Fla Ga Ill Ind Kan Ky La Mass Md Mich Minn Mont Neb
        Nev Okla Ore Pa Penn Tenn Tex Va Vt Wash Wis Wyo Ave Blvd Rd Univ Dept Assn Int Ed Eds ed eds coll ibid op cit
        loc seq tel abbr str Mm s.d s.c i.p i.v a.m p.m A.M P.M Ph.D M.D U.S U.K U.N D.C L.A N.Y B.C A.D
    """),
    function_words=table("""
        the of and in to a that i is for was with were it you as by on we at this not from are or have be an they do but
        all one these would which had there my what he no about your can if so did when their been also other more has
        his our two well will she like between because into some out its them only after who than just any up could me
        both first each may where now then during us yes those her however very many through how such here even most
        before while although though since thus therefore furthermore moreover finally yet once another several am him
        himself don't isn't let why whose whom should must might shall does doing being upon until without against under
        over said think know yeah tell want much too again every nor whether despite further
    """),
)

_DUTCH = Language(
    name="nl",
    joiners=".&/-",
    elided=r"\d\d|t|s|n|m|k|r|ns|er|tis|twas|ie",
    keeps_hyphens=True,
    breaks=":;",
    before_numbers=table("No no art fig tab p min max"),
    particles=table("van de der den te ten ter in op het"),
    signs=_QUOTES | _DASHES,
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
)

_GERMAN = Language(
    name="de",
    joiners=".&-",
    elided=r"\w{1,6}",
    whole=rf"{_FRACTION}|US\$|[^\W\d_]{{2,60}}+/(?:innen|in|r|n)(?![^\W_])",
    keeps_hyphens=True,
    breaks=";",
    signs=dict.fromkeys("“”„‟", '"') | dict.fromkeys("‘’‚‛‹›", "'") | _DASHES,
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
        zit hrsg Hrsg Co
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
)

_ICELANDIC = Language(
    name="is",
    joiners=".&/-",
    elided="",
    keeps_hyphens=True,
    breaks=";",
    before_numbers=table("kap Kap kapít"),
    signs=_QUOTES | _DASHES,
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
)
