"""A trained model as a wheel that pip installs: the model folder, metadata, and nothing that runs.

``permutree_model_sv-1.0-py3-none-any.whl`` of the package ``permutree-model-sv`` holds the folder
``permutree_model_sv/``, and an entry point in the group ``permutree.models`` that names it. The same model gives the
same bytes.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import time
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from permutree import __version__
from permutree.errors import ConfigError, DataError
from permutree.formats.targets import whole_file
from permutree.model.checksums import CONFIG, FILES, Checksums
from permutree.model.folder import CARD, LICENCE, MODEL_FILES, PIECES
from permutree.models.packages import GROUP, PREFIX, is_name
from permutree.models.verifying import verify
from permutree.sanitising import markdown

__all__ = ["WheelName", "build_wheel", "is_licence", "is_version"]

is_version = re.compile(r"\d{1,9}(?:\.\d{1,9}){0,5}(?:(?:a|b|rc)\d{1,9})?(?:\.post\d{1,9})?(?:\.dev\d{1,9})?").fullmatch
_IDENTIFIER = r"(?!(?:AND|OR|WITH)\b)[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?\+?"
_TERM = rf"\(*{_IDENTIFIER}(?: WITH {_IDENTIFIER})?\)*"
_LICENCE = re.compile(rf"{_TERM}(?: (?:AND|OR) {_TERM})*").fullmatch
#: the first moment that a zip archive can name, for files without a time of their own
_EPOCH = (1980, 1, 1, 0, 0, 0)
_BLOCK = 1 << 20


def is_licence(text: str) -> bool:
    """Whether a text has the form of an SPDX expression.

    >>> is_licence("CC-BY-4.0"), is_licence("MIT AND (LGPL-2.1-or-later OR LicenseRef-x)"), is_licence("CC BY 4.0")
    (True, True, False)
    """
    return len(text) <= 500 and _LICENCE(text) is not None and text.count("(") == text.count(")")


@dataclass(frozen=True, slots=True)
class WheelName:
    """How a model is called, and all that is named after it."""

    model: str
    version: str

    @classmethod
    def parse(cls, file: str) -> WheelName | None:
        """The names of a wheel by that of its file; None if it is none of ours.

        >>> WheelName.parse("permutree_model_de_law-1.0-py3-none-any.whl")
        WheelName(model='de-law', version='1.0')
        """
        found = re.fullmatch(r"permutree_model_(\w+)-([\w.]+)-py3-none-any\.whl", file, re.ASCII)
        if found is None:
            return None
        model = found[1].replace("_", "-")
        return cls(model, found[2]) if is_name(model) and is_version(found[2]) else None

    @property
    def distribution(self) -> str:
        """The package."""
        return PREFIX + self.model

    @property
    def folder(self) -> str:
        """The model folder in the wheel."""
        return self.distribution.replace("-", "_")

    @property
    def metadata(self) -> str:
        """The folder of metadata in the wheel."""
        return f"{self.folder}-{self.version}.dist-info"

    @property
    def file(self) -> str:
        """The file."""
        return f"{self.folder}-{self.version}-py3-none-any.whl"


def build_wheel(
    folder: Path,
    out: Path,
    *,
    name: str,
    licence: str,
    version: str = "1.0",
    language: str | None = None,
    language_name: str | None = None,
    licence_file: Path | None = None,
    summary: str | None = None,
    url: str | None = None,
) -> Path:
    """Write the wheel of a model into a folder, and return its path.

    ``name`` is what the model will be called, ``licence`` an SPDX expression. The language and the licence are put into
    the facts of the model and on its card.
    """
    if not is_name(name):
        raise ConfigError(f"no model can be called {name!r}: use small letters, digits and hyphens, as in sv or de-law")
    if not is_version(version):
        raise ConfigError(f"{version!r} is no version; say 1.0, 1.2.3 or 2.0rc1")
    if not is_licence(licence):
        raise ConfigError(
            f"{licence!r} is no SPDX licence expression; say CC-BY-4.0, Apache-2.0 or LGPL-2.1-or-later, several with "
            "AND, and a licence that has no identifier as LicenseRef-NAME"
        )
    verify(folder)
    named = WheelName(name, version)
    facts = {"licence": licence, "language": language, "language name": language_name}
    settings = _settings(folder, {fact: value for fact, value in facts.items() if value is not None})
    known = settings["facts"].get("language")
    if not isinstance(known, str) or not is_name(known):
        raise ConfigError("the model does not say which language it is for: add --lang CODE, such as sv")
    text = _licence_text(folder, licence_file)
    card = _card(folder, named, licence)
    summary = summary or f"A model of permutree, language {known}"
    needs = "permutree[pretrained]" if (folder / PIECES).is_file() else "permutree"
    message = _metadata(named, licence, summary, card, url, needs, has_text=text is not None)
    contents: dict[str, bytes | Path] = {
        f"{named.folder}/{CONFIG}": json.dumps(settings, ensure_ascii=False, indent=1).encode(),
        f"{named.folder}/{CARD}": card.encode(),
        f"{named.metadata}/METADATA": message,
        f"{named.metadata}/WHEEL": f"Wheel-Version: 1.0\nGenerator: permutree {__version__}\n"
        "Root-Is-Purelib: true\nTag: py3-none-any\n".encode(),
        f"{named.metadata}/entry_points.txt": f"[{GROUP}]\n{name} = {named.folder}\n".encode(),
    }
    for file in MODEL_FILES:
        if (folder / file).is_file():
            contents[f"{named.folder}/{file}"] = folder / file
    if text is not None:
        contents |= {f"{named.folder}/{LICENCE}": text, f"{named.metadata}/licenses/{LICENCE}": text}
    out.mkdir(parents=True, exist_ok=True)
    path = out / named.file
    with whole_file(path) as temporary:
        _write(temporary, contents, f"{named.metadata}/RECORD")
    return path


def _settings(folder: Path, facts: dict[str, str]) -> dict[str, Any]:
    """``config.json`` with these facts, and checksums that fit."""
    settings = json.loads((folder / CONFIG).read_bytes())
    settings.pop(FILES, None)
    settings["facts"] = {**settings.get("facts", {}), **facts}
    return {**settings, FILES: Checksums.of(folder, MODEL_FILES, settings).known}


def _licence_text(folder: Path, given: Path | None) -> bytes | None:
    """The text of the licence: as given, or as the folder has it."""
    path = given or folder / LICENCE
    if given is None and not path.is_file():
        return None
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataError(f"{error.strerror}; name the text of the licence", source=str(path)) from None


def _card(folder: Path, named: WheelName, licence: str) -> str:
    """The model card, which says the licence."""
    path = folder / CARD
    try:
        text = path.read_text("utf-8") if path.is_file() else f"# {named.model}\n\nA model of permutree.\n"
    except UnicodeError:
        raise DataError("is not in UTF-8", source=str(path)) from None
    if licence not in text:
        text = f"{text.rstrip()}\n\n## Licence of this package\n\n{markdown(licence)}\n"
    return text


def _metadata(
    named: WheelName, licence: str, summary: str, card: str, url: str | None, needs: str, *, has_text: bool
) -> bytes:
    """METADATA, with the card as the description."""
    for what, text in (("summary", summary), ("URL", url or "")):
        if not text.isprintable():
            raise ConfigError(f"the {what} must be one line of plain text")
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {named.distribution}",
        f"Version: {named.version}",
        f"Summary: {summary}",
        f"License-Expression: {licence}",
        *([f"License-File: {LICENCE}"] if has_text else []),
        *([f"Project-URL: Homepage, {url}"] if url else []),
        "Classifier: Topic :: Text Processing :: Linguistic",
        f"Requires-Dist: {needs}",
        "Description-Content-Type: text/markdown",
    ]
    return ("\n".join(lines) + f"\n\n{card}").encode()


def _write(path: Path, contents: dict[str, bytes | Path], record: str) -> None:
    """Write the archive: model files first, then metadata, and last the record of all."""
    rows = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(contents.items(), key=lambda item: (".dist-info/" in item[0], item[0])):
            digest, size = hashlib.sha256(), 0
            info = _entry(name)
            info.file_size = content.stat().st_size if isinstance(content, Path) else len(content)
            with archive.open(info, "w") as target:
                for block in _blocks(content):
                    digest.update(block)
                    size += len(block)
                    target.write(block)
            encoded = base64.urlsafe_b64encode(digest.digest()).rstrip(b"=").decode()
            rows.append(f"{name},sha256={encoded},{size}\n")
        archive.writestr(_entry(record), "".join([*rows, f"{record},,\n"]))


def _entry(name: str) -> zipfile.ZipInfo:
    """The head of a file in the archive, which says the same on every machine."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    moment = time.gmtime(int(epoch))[:6] if epoch.isdecimal() else _EPOCH
    info = zipfile.ZipInfo(name, max(moment, _EPOCH))
    info.compress_type = zipfile.ZIP_DEFLATED
    info.create_system = 3
    info.external_attr = 0o100644 << 16
    return info


def _blocks(content: bytes | Path) -> Iterator[bytes]:
    if isinstance(content, bytes):
        yield content
        return
    with content.open("rb") as file:
        yield from _read(file)


def _read(file: BinaryIO) -> Iterator[bytes]:
    while block := file.read(_BLOCK):
        yield block
