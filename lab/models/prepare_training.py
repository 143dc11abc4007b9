"""Everything that the next bundled models are trained from, in one folder that travels to a GPU as it is.

    python lab/models/prepare_training.py ../shared/treebanks lab/work/training [--cache lab/work/packages] [--tiny N]

Runs, one after the other, what is not there yet: `prepare_teaching.py` (treebanks, lessons, tagged sentences),
`annotated.py` (training sets with functions and morphology), `open_text.py` and `sentences.py` (text for silver data,
without sentences of dev and test sets and of the suite), `word_vectors.py` (vectors of the words in all of this), and
pip for the pure Python packages that machines with PyTorch may lack, click and tqdm, as wheels that Python imports as
they are. Prints how long each step took and how large its files are.

`--tiny` writes N sentences of everything, no vectors, and grids with tiny models in `grids/`, to rehearse the commands
of `lab/models/README.md` on a CPU with `--experiments`. It downloads nothing but click and tqdm; its text is that of
the dev half of the suite of constructions.
"""

from __future__ import annotations

import argparse
import lzma
import re
import subprocess
import sys
import time
from pathlib import Path

from permutree_lab.constructions import read_constructions
from permutree_lab.folders import CONSTRUCTIONS, GRIDS

HERE = Path(__file__).resolve().parent
#: what is read of the treebanks for the vocabularies of vectors, by language
TREEBANKS = {"en": ("masc", "craft"), "de": ("squoia_de",), "nl": ("alpino",), "is": ("icepahc", "icepahc_modern")}
#: Icelandic has counts of words in much more text; coarse numbers keep the file small
VECTORS = {"is": ("--also", 100_000, "--steps", 8)}
TINY = """
[model]
labeller = "reread"
tags = "joint"
attention = 8
reread = { hidden = 8, ends = 8 }
encoder = { kind = "bilstm", hidden = 8, layers = 1 }
embeddings = { word = 8, character = 8, tag = 8 }

[training]
epochs = 1
"""
#: English has more text than time allows to train on
MOST = 400_000


def step(name: str, made: Path, *command: object) -> None:
    """Run a command unless what it makes is there, and say how long that took."""
    if made.exists():
        print(f"{name}: is there", flush=True)
        return
    start = time.monotonic()
    subprocess.run([sys.executable, *map(str, command)], check=True)
    print(f"{name}: {time.monotonic() - start:,.0f} s, {size(made):.1f} MiB", flush=True)


def size(path: Path) -> float:
    """The size of a file or folder, in MiB."""
    files = [path] if path.is_file() else path.rglob("*")
    return sum(file.stat().st_size for file in files if file.is_file()) / 2**20


def tiny_sentences(out: Path, count: int) -> None:
    """Some sentences of each language, from the dev half of the suite."""
    out.mkdir(exist_ok=True)
    for language in ("en", "de", "nl"):
        found = [" ".join(one.words) for one in read_constructions(CONSTRUCTIONS / language / "dev.txt")][:count]
        with lzma.open(out / f"{language}.tokens.xz", "wt", encoding="utf-8") as file:
            file.writelines(f"{sentence}\n" for sentence in found)


def tiny_grids(out: Path) -> None:
    """The grids with one epoch of tiny models, which are small enough for a CPU."""
    out.mkdir(exist_ok=True)
    for grid in sorted(GRIDS.glob("*.toml")):
        text = re.sub(
            r'^base = "(?:best|bases/best-ends\.toml|small)"$',
            'base = "tiny-model.toml"',
            grid.read_text("utf-8"),
            flags=re.MULTILINE,
        )
        text = re.sub(r"\bepochs = \d+", "epochs = 1", text)
        text = re.sub(r"\b(hidden|spans|character) = [1-9]\d+", r"\1 = 8", text)
        (out / grid.name).write_text(text, "utf-8")
    (out / "tiny-model.toml").write_text(TINY, "utf-8")


def is_trained(file: Path) -> bool:
    """Whether models learn from a file of a treebank."""
    return not file.name.startswith(("dev.", "test."))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--cache", type=Path, default=Path("lab/work/packages"))
    parser.add_argument("--text", type=Path, default=Path("lab/work/text"), help="folder for open text")
    parser.add_argument("--vectors", type=Path, default=Path("lab/work/vectors"), help="folder for word vectors")
    parser.add_argument("--tiny", type=int, metavar="N")
    options = parser.parse_args()
    out, tiny = options.out, options.tiny
    few = [] if tiny is None else ["--tiny", tiny]
    step("teaching", out / "counts.json", HERE / "prepare_teaching.py", options.treebanks, out, *few)
    pip = ["-m", "pip", "download", "--quiet", "--no-deps", "--dest", out / "wheels", "click", "tqdm"]
    step("wheels", out / "wheels", *pip)
    if tiny is not None:
        tiny_sentences(out / "sentences", tiny)
        tiny_grids(out / "grids")
        return
    step("annotated", out / "annotated", HERE / "annotated.py", options.treebanks, out)
    step("text", options.text / "sources.tsv", HERE / "open_text.py", options.text, "--cache", options.cache)
    given = [options.text, out / "sentences", "--treebanks", out, "--most", MOST]
    step("sentences", out / "sentences" / "en.tokens.xz", HERE / "sentences.py", *given)
    for language, names in TREEBANKS.items():
        # Not of dev and test sets: a model must not know more of their words than of any other text.
        files = [file for name in names for file in sorted((out / name).glob("*.discbracket.xz")) if is_trained(file)]
        files += sorted((out / "teaching").glob(f"{language}.*.xz"))
        files += sorted((out / "sentences").glob(f"{language}.tokens.xz"))
        made = options.vectors / f"{language}.bin.xz"
        given = [language, made, *files, "--cache", options.cache, *VECTORS.get(language, ())]
        step(f"vectors {language}", made, HERE / "word_vectors.py", *given)
    for folder in (*sorted(path for path in out.iterdir() if path.is_dir()), options.vectors):
        print(f"{folder}: {size(folder):.1f} MiB")
    print(f"{out}: {size(out):.1f} MiB in all")


if __name__ == "__main__":
    main()
