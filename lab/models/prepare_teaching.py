"""All files that models are taught with, for all languages, in one folder that travels to a GPU as it is.

    python lab/models/prepare_teaching.py ../shared/treebanks lab/work/teaching
    python lab/models/prepare_teaching.py ../shared/treebanks lab/work/tiny --tiny 60

Writes treebanks (as they are, `icepahc_modern` by its recipe, `icepahc/recent` from 1830 on), rewritten trees, trees of
the grammars and tagged sentences, compressed and laid out as `lab/grids/treebanks.toml` names them, a table of what
there is (`counts.json`) and a README with the commands that train on it. No lesson is in a dev or test set or in the
suite of constructions: the script stops if one is. The same seed writes the same files. `--tiny` writes so many
sentences of everything, to try the commands on a CPU.
"""

from __future__ import annotations

import argparse
import json
import shutil
from dataclasses import asdict
from pathlib import Path

from permutree_lab.folders import GRIDS
from permutree_lab.teaching.files import SOURCES, Sizes, Written, write_teaching
from permutree_lab.treebanks import find_part, load_treebanks

#: what travels to a machine with a GPU in one go
MOST = 64 * 2**20

README = """# Files for teaching

Made by `python lab/models/prepare_teaching.py{arguments}`: {files} files, {size:.1f} MiB.

{table}

## Commands

From the root of the checkout, with this folder in it. Paths are relative, so that the folder may travel.

The ablation: each language with treebanks alone, with rewritten trees, with trees of the grammar, with tagged
sentences, with all of them, and German beside Dutch, three seeds each. The same command goes on where it was
interrupted; keep `lab/results/teaching.jsonl` and `lab/work/cells` between calls.

    permutree experiment run teaching --treebanks {folder} --processes 14 --minutes 9 --discard-models
    permutree experiment run teaching --treebanks {folder} --processes 14 --minutes 9 --only seed=1
    permutree experiment table teaching

Start MPS first (`nvidia-cuda-mps-control -d`). On a machine that gives back one folder only, name it with `--results`:
cells that were done by an earlier call are found in `lab/work/cells` and recorded there again. Cells of the first seed
are run first, so that there is a whole table early.

What the ablation writes: `lab/results/teaching.jsonl` (scores of dev, test and the dev half of the suite for each cell)
and `lab/work/predictions`. The test half of the suite is scored only with `--test-half`, for final figures.

The bundled models are made from these files and more: see `lab/models/README.md`.

A try on a CPU, a minute a cell:

    python lab/models/prepare_teaching.py ../shared/treebanks lab/work/tiny --tiny 60
    permutree experiment run teaching-tiny --treebanks lab/work/tiny --work lab/work/tried --results lab/work/tried
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", type=Path, help="folder with the open treebanks")
    parser.add_argument("out", type=Path, help="folder to write; what is there is replaced")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rewritten", type=int, help="how many rewritten trees a language gets at most")
    parser.add_argument("--grammar", type=int, help="how many trees of its grammar a language gets")
    parser.add_argument("--tiny", type=int, metavar="N", help="only N sentences of everything")
    parser.add_argument("--languages", default=",".join(SOURCES), help="codes, separated by commas")
    given = parser.parse_args()
    if given.out.exists():
        if not (given.out / "counts.json").exists() and any(given.out.iterdir()):
            raise SystemExit(f"{given.out} was not made by this script: name another folder")
        shutil.rmtree(given.out)
    written: dict[str, list[Written]] = {}
    for code in given.languages.split(","):
        usual = SOURCES[code].sizes
        sizes = Sizes(given.rewritten or usual.rewritten, given.grammar or usual.grammar)
        if given.tiny is not None:
            sizes = Sizes(given.tiny, given.tiny, given.tiny)
        written[code] = []
        for one in write_teaching(code, given.treebanks, given.out, given.seed, sizes):
            written[code].append(one)
            note = f", {one.left_out} left out" if one.left_out else ""
            note += f", {one.shared} also in held-out sets" if one.shared else ""
            print(f"{one.path}: {one.sentences:,} sentences, {one.words:,} words{note}")
    _check_grid(given.out, set(written))
    size = sum(path.stat().st_size for path in given.out.rglob("*.xz"))
    counts = {code: [asdict(one) for one in files] for code, files in written.items()}
    (given.out / "counts.json").write_text(json.dumps(counts, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    options = f" --seed {given.seed}" + (f" --tiny {given.tiny}" if given.tiny is not None else "")
    (given.out / "README.md").write_text(
        README.format(
            arguments=f" TREEBANKS {given.out.name}{options}",
            files=sum(map(len, written.values())),
            size=size / 2**20,
            table=_table(written),
            folder=given.out,
        ),
        encoding="utf-8",
    )
    print(f"{given.out}: {size / 2**20:.1f} MiB; commands are in {given.out / 'README.md'}")
    if size > MOST:
        raise SystemExit(f"more than {MOST / 2**20:.0f} MiB: write fewer trees")


def _check_grid(out: Path, languages: set[str]) -> None:
    """See that every file is there that a treebank of the grid names, for the languages that were written."""
    for name, bank in load_treebanks(GRIDS / "treebanks.toml").items():
        if bank.suite not in languages or ("joint" in name and languages != set(SOURCES)):
            continue
        for part in {*bank.parts("train"), *bank.parts("dev"), *bank.parts("test"), *bank.tagged_parts}:
            # These are made by later steps.
            if not part.startswith(("silver/", "annotated/")):
                find_part(out, part)


def _table(written: dict[str, list[Written]]) -> str:
    lines = ["| file | sentences | words | kinds |", "|---|---:|---:|---:|"]
    for files in written.values():
        for one in files:
            lines.append(f"| {one.path} | {one.sentences:,} | {one.words:,} | {len(one.kinds) or ''} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
