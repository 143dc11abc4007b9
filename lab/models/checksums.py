"""Write the checksums of model folders into their ``config.json``, as `permutree export` does.

    python lab/models/checksums.py [FOLDER …]

Folders are by default those of the bundled models. It is for folders that were made before there were checksums, and
for those whose ``config.json`` was changed by hand, such as its facts.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from permutree.formats.sinks import whole_file
from permutree.model.checksums import CONFIG, FILES, Checksums
from permutree.model.folder import MODEL_FILES, Outline
from permutree.models import folder, names


def write_checksums(place: Path) -> int:
    """Write the checksums of a folder; how many files there are."""
    settings = json.loads((place / CONFIG).read_text("utf-8"))
    settings.pop(FILES, None)
    known = Checksums.of(place, MODEL_FILES, settings).known
    with whole_file(place / CONFIG) as temporary:
        temporary.write_text(json.dumps(settings | {FILES: known}, ensure_ascii=False, indent=1), "utf-8")
    Outline.read(place)
    return len(known)


def main() -> None:
    """Write those of all folders."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, default=[folder(name) for name in names()])
    for place in parser.parse_args().folders:
        print(f"{place}: {write_checksums(place)} files")


if __name__ == "__main__":
    main()
