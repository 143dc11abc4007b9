"""English: words are cut at contractions and at most hyphens, as in current Penn-style treebanks."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

from permutree.languages.glossary import Glossary
from permutree.languages.language import Language
from permutree.languages.tables import FRACTION, table

__all__ = ["LANGUAGE"]

_CLITIC = re.compile(r"(?:n['’]t|['’](?:s|m|d|re|ve|ll))$", re.IGNORECASE)
_FUSED = {
    "cannot": 3, "gonna": 3, "wanna": 3, "gotta": 3, "gimme": 3, "lemme": 3, "dunno": 2, "'tis": 2, "'twas": 2,
}  # fmt: skip
#: what a hyphen after it belongs to
_PREFIXES = table("""
    anti ante arch auto bi circum co contra counter cross demi eco ex extra hemi hetero hyper hypo indo infra inter
    intra judeo macro mal mega micro mid mini mono multi neo non over pan para peri poly post pre pro proto pseudo quasi
    re semi sino sub super supra tele tri ultra un under vice
""")
#: what a hyphen before it belongs to
_SUFFIXES = table("fold less ray rays mail mails mailed mailing commerce huh uh hum hmm")
#: words after a hyphen that belongs to a later word, and one that belongs to no other
_CONJUNCTIONS = table("and or hoc")
_TENS = table("twenty thirty forty fifty sixty seventy eighty ninety")
_UNITS = table("""
    one two three four five six seven eight nine first second third fourth fifth sixth seventh eighth ninth
""")
_WHOLE = table("""
    know-how follow-up not-for-profit case-in-chief good-bye op-ed door-to-door self-esteem self-confidence
""")
#: addresses, and smileys with a letter
_UNCUT = re.compile(r"\w+://|www\.|[^@]*@|[:;]").match
_NUMBERS = re.compile(r"\d{3}-(?:\d{4}|\d{3}-\d{4})")


def cut_english(word: str) -> list[int]:
    """The places within a word at which it is cut.

    >>> cut_english("shouldn't"), cut_english("wild-type"), cut_english("anti-inflammatory")
    ([6], [4, 5], [])
    """
    if not word[-1].isalnum() or _UNCUT(word):
        return []
    cuts: list[int] = []
    end = len(word)
    if "'" in word or "’" in word:
        while (clitic := _CLITIC.search(word, 0, end)) and clitic.start():
            end = clitic.start()
            cuts.insert(0, end)
    fused = _FUSED.get(word.lower())
    if fused:
        return [fused]
    if not word.isascii():
        word = word.replace("‐", "-").replace("‑", "-")
    if "-" in word:
        return _hyphens(word[:end]) + cuts
    return cuts


def _hyphens(word: str) -> list[int]:
    """A place before and after each hyphen that is a word of its own."""
    lower = word.lower()
    if lower in _WHOLE or lower.removesuffix("s") in _WHOLE or _NUMBERS.fullmatch(word):
        return []
    parts = lower.split("-")
    cuts = []
    place = 0
    for left, right in pairwise(parts):
        place += len(left)
        is_prefix = left in _PREFIXES and right.isalnum() and right not in _CONJUNCTIONS
        is_kept = is_prefix or (left and (right in _SUFFIXES or (left in _TENS and right in _UNITS)))
        if not is_kept:
            cuts += [place, place + 1]
        place += 1
    return [cut for cut in cuts if 0 < cut < len(word)]


LANGUAGE = Language(
    code="en",
    name="English",
    model="en",
    prior=0.4,
    joiners=".&-",
    elided=r"\d\ds?|em|tis|twas|til|cause|bout|round|n",
    whole=rf"{FRACTION}|°[CF](?![^\W_])|(?:Ca2|Mg2|Mn2|Zn2|Fe2|Fe3|Cu2|Na|K|H|NAD|NADP)\+(?![\w/])",
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
    greetings=table("hello hi thanks thank please good day time morning figure table background page"),
    spellings=table("""
        th wh sh ow ough ^y y$ tion$ ing$ ed$ ly$ ee ea ould ous$ ment$ ^qu ck$ ity$ ers$ al$ ve$ ness$ ph igh ent$ ^ex
        le$ ound
    """),
    glossary=Glossary(Path(__file__).with_suffix(".tsv")),
)
