"""What is served, and the limits within which."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from permutree.errors import ConfigError
from permutree.languages.registry import all_languages, language_named
from permutree.model.folder import Outline
from permutree.models import bundled, name_for, names
from permutree.models import folder as folder_of
from permutree.models.packages import language_of, parses_text

__all__ = ["Limits", "Searched", "Served", "Settings", "models_to_serve"]

MEGABYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """What one request may ask for, and how much the server takes on at once."""

    #: bytes of a body, or of one document of a stream
    body: int = 8 * MEGABYTE
    #: sentences of a text or treebank
    sentences: int = 10_000
    #: words of a sentence that is to be parsed
    words: int = 1000
    #: seconds until a request is answered, whatever happens
    seconds: float = 30.0
    #: requests that wait for a worker
    queue: int = 512
    #: bytes of requests and answers that the server holds at once
    held: int = 256 * MEGABYTE
    #: bytes of memory that a worker may have
    memory: int = 4096 * MEGABYTE
    #: matches of a search that one answer holds
    matches: int = 1000
    #: seconds that a search may take
    search: float = 10.0


@dataclass(frozen=True, slots=True)
class Served:
    """A model that the server offers, by a name; requests never say where it is."""

    name: str
    folder: str
    language: str | None


@dataclass(frozen=True, slots=True)
class Searched:
    """A corpus that can be searched, by a name; requests never say where its files are."""

    name: str
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Settings:
    """All that the server and its workers are told at the start."""

    models: tuple[Served, ...]
    workers: int = 1
    limits: Limits = field(default_factory=Limits)
    preload: bool = False
    corpora: tuple[Searched, ...] = ()
    #: seconds that a request waits for others to join its batch, if a worker is free
    window: float = 0.002
    #: requests that are parsed together at most
    batch: int = 64
    host: str = "127.0.0.1"
    port: int = 8000
    cors: tuple[str, ...] = ()
    allowed_hosts: tuple[str, ...] = ()
    log_requests: bool = False
    log_text: bool = False

    @property
    def languages(self) -> dict[str, Served]:
        """The first model of each language."""
        found: dict[str, Served] = {}
        for model in self.models:
            if model.language is not None:
                found.setdefault(model.language, model)
        return found


def models_to_serve(languages: Iterable[str] = (), folders: Iterable[str] = ()) -> tuple[Served, ...]:
    """The models in folders, each named FOLDER or NAME=FOLDER, then those of languages.

    Without either, all bundled and installed ones that parse text. Models come in the order in which a language looks
    for one.
    """
    languages, folders = list(languages), list(folders)
    found: dict[str, Served] = {}
    others: list[str] = []
    for given in folders:
        name, equals, path = given.partition("=")
        folder = folder_of(Path(path if equals else given)).resolve()
        name = name if equals else folder.name
        if not name or name in found:
            raise ConfigError(f"--model {given}: give it a name of its own, as in NAME={path or given}")
        language = Outline.read(folder).facts.get("language")
        found[name] = Served(name, str(folder), language if isinstance(language, str) else None)
    if not languages and not folders:
        known = names()
        languages = [code for code, one in all_languages().items() if one.model in known]
        others = [name for name in known if name not in bundled() and parses_text(folder_of(name))]
        if not languages and not others:
            raise ConfigError("no model is bundled with this installation; name one with --model FOLDER")
    for code in languages:
        name = name_for(code)
        folder_of(name)
        if name in found:
            raise ConfigError(f"--model {name} has the name of another model; say NAME={found[name].folder}")
        found[name] = Served(name, name, language_named(code).code)
    for name in others:
        found.setdefault(name, Served(name, name, language_of(folder_of(name))))
    return tuple(found.values())
