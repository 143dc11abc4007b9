"""The Hugging Face Hub: models by name, and models to share.

``hf:organisation/name`` is a model of the Hub, ``hf:organisation/name@revision`` a pinned one: a branch, a tag or, for
the same model every time, a commit. Files are kept in the Hub's cache, so that the model loads without a network later
(``HF_HUB_OFFLINE=1`` forbids one). Only files that a model folder has are fetched, none of them is code, and none is
run. ``HF_ENDPOINT`` names another server.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from permutree.errors import ConfigError, DataError
from permutree.model.folder import ALL_FILES, CARD, Outline

__all__ = ["FILES", "PREFIX", "Place", "card_facts", "fetch", "push"]

PREFIX = "hf:"
#: what is fetched and pushed, and nothing else
FILES = ALL_FILES

_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95}").fullmatch
_REVISION = re.compile(r"[\w.][\w./-]{0,127}").fullmatch


class Place(NamedTuple):
    """A model of the Hub: its name, and the revision if one is pinned."""

    name: str
    revision: str | None = None

    @classmethod
    def parse(cls, text: str) -> Place:
        """The place of ``hf:organisation/name@revision``; ``hf:`` may be left out.

        >>> Place.parse("hf:linguists/permutree-sv@v1.0")
        Place(name='linguists/permutree-sv', revision='v1.0')
        """
        name, sign, revision = text.removeprefix(PREFIX).partition("@")
        if _NAME(name) is None or (sign and (_REVISION(revision) is None or ".." in revision)):
            raise ConfigError(
                f"{text!r} is no model of the Hub; say hf:organisation/name or hf:organisation/name@revision"
            )
        return cls(name, revision or None)


def _hub() -> Any:
    try:
        import huggingface_hub
    except ModuleNotFoundError:
        raise ConfigError("models of the Hub need huggingface_hub: pip install 'permutree[hub]'") from None
    return huggingface_hub


def fetch(text: str, *, offline: bool = False) -> Path:
    """The folder of a model of the Hub, fetched unless it is in the cache already."""
    hub, place = _hub(), Place.parse(text)
    try:
        found = hub.snapshot_download(
            place.name,
            revision=place.revision,
            allow_patterns=list(FILES),
            local_files_only=offline or hub.constants.HF_HUB_OFFLINE,
            endpoint=_endpoint(),
            library_name="permutree",
        )
    except hub.errors.RepositoryNotFoundError:
        raise ConfigError(
            f"there is no model {place.name!r} on the Hub, or it is private; log in for private ones: `hf auth login`"
        ) from None
    except hub.errors.RevisionNotFoundError:
        raise ConfigError(f"the model {place.name!r} has no revision {place.revision!r}") from None
    except (hub.errors.LocalEntryNotFoundError, OSError) as error:
        raise ConfigError(
            f"{text}: the Hub cannot be reached, and the model is not in the cache ({type(error).__name__}); fetch it "
            "once where there is a network, or name a folder"
        ) from None
    folder = Path(found)
    if not (folder / "config.json").exists():
        raise DataError("has no config.json, so it is no model of permutree", source=text)
    return folder


def push(
    model: str | Path,
    name: str,
    *,
    revision: str | None = None,
    private: bool = False,
    message: str | None = None,
    token: str | None = None,
) -> str:
    """Put a model folder on the Hub, with a card that has metadata, and return the address of the commit."""
    from permutree.models import folder as folder_of

    hub, place = _hub(), Place.parse(name)
    folder = folder_of(model)
    outline = Outline.read(folder)
    api = hub.HfApi(endpoint=_endpoint(), token=token, library_name="permutree")
    with tempfile.TemporaryDirectory() as scratch:
        for file in FILES:
            if (folder / file).exists():
                shutil.copyfile(folder / file, Path(scratch, file))
        Path(scratch, CARD).write_text(_card(folder, outline), "utf-8")
        try:
            api.create_repo(place.name, private=private, exist_ok=True)
            branch = revision or place.revision
            if branch is not None:
                api.create_branch(place.name, branch=branch, exist_ok=True)
            done = api.upload_folder(
                repo_id=place.name,
                folder_path=scratch,
                revision=branch,
                commit_message=message or f"A model of permutree {outline.facts.get('permutree', '')}".rstrip(),
            )
        except hub.errors.LocalTokenNotFoundError:
            raise ConfigError("to push a model, log in first: `hf auth login`, or set HF_TOKEN") from None
        except hub.errors.HfHubHTTPError as error:
            raise ConfigError(f"the Hub refused: {str(error).splitlines()[0]}") from None
        except OSError as error:
            raise ConfigError(f"the Hub cannot be reached: {error}") from None
    return str(done.commit_url)


def _endpoint() -> str | None:
    """The server, as the environment names it now; huggingface_hub itself asks once, when it is imported."""
    return os.environ.get("HF_ENDPOINT") or None


def card_facts(outline: Outline) -> dict[str, Any]:
    """The metadata of a card: what the Hub filters models by."""
    facts = outline.facts
    found: dict[str, Any] = {
        "library_name": "permutree",
        "pipeline_tag": "token-classification",
        "tags": ["permutree", "constituency-parsing", "discontinuous-constituency-parsing", "sequence-labelling"],
    }
    if isinstance(facts.get("language"), str):
        found["language"] = [facts["language"]]
    if isinstance(facts.get("licence"), str):
        found |= {"license": "other", "license_name": facts["licence"]}
    return found


def _card(folder: Path, outline: Outline) -> str:
    """The model card with metadata at its head; one that has metadata stays as it is."""
    path = folder / CARD
    text = path.read_text("utf-8") if path.exists() else f"# {folder.name}\n\nA model of permutree.\n"
    if text.startswith("---\n"):
        return text
    hub = _hub()
    head = hub.ModelCardData(**card_facts(outline)).to_yaml()
    return f"---\n{head}\n---\n\n{text}"
