"""Model folders as they were before they had checksums."""

import json
from pathlib import Path

__all__ = ["without_checksums"]


def without_checksums(folder: Path) -> Path:
    """Take the checksums out of a folder, whose files then may be changed; the folder."""
    config = folder / "config.json"
    settings = json.loads(config.read_text("utf-8"))
    del settings["files"]
    config.write_text(json.dumps(settings), "utf-8")
    return folder
