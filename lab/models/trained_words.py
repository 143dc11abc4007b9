"""Leave the words out that a model knows by fixed vectors alone, and has never seen in training, or not often.

    python lab/models/trained_words.py MODEL OUT [--keep N] [--least COUNT]

A file of word vectors may have words of dev and test sets. With these, a model would be scored on text of which it
knows more than of what users give it. And a file of a whole language is too large to ship: N of such words are kept,
the first ones in the file of vectors, where frequent words come first. The weights are the same but for the vectors
that are left out.

With --least, words that were seen fewer times in training lose the vectors that were learnt for them, and are known by
fixed vectors alone, too. They come first among those of which N are kept. A model that learnt from text that repeats
words knows too many to be small.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from pathlib import Path

from checksums import write_checksums
from permutree.model.features import UNKNOWN
from permutree.model.folder import WEIGHTS

#: fixed vectors, and those that were learnt, among the weights
FIXED = "encoder.embedding.fixed"
LEARNT = "encoder.embedding.words.weight"


def leave_out(model: Path, out: Path, keep: int = 0, least: int = 0) -> int:
    """Write the model without such words but for some; how many are left out."""
    from safetensors.torch import load_file, save_file

    words = json.loads((model / "words.json").read_text("utf-8"))
    if "trained" not in words or not (model / WEIGHTS).exists():
        sys.exit(f"{model}: no folder of a trained model with fixed vectors of words")
    shutil.copytree(model, out)
    weights = load_file(out / WEIGHTS)
    seen, counts = range(words["trained"]), words["counts"]
    often = [place for place in seen if place <= UNKNOWN or counts[place] >= least]
    rarely = [place for place in seen if place > UNKNOWN and counts[place] < least and weights[FIXED][place].any()]
    rarely.sort(key=lambda place: -counts[place])
    places = [*often, *[*rarely, *range(len(seen), len(counts))][:keep]]
    left_out = len(counts) - len(places)
    for name in ("words", "counts"):
        words[name] = [words[name][place] for place in places]
    words["trained"] = len(often)
    (out / "words.json").write_text(json.dumps(words, ensure_ascii=False, indent=1) + "\n", "utf-8")
    weights[FIXED] = weights[FIXED][places].contiguous()
    weights[LEARNT] = weights[LEARNT][often].contiguous()
    save_file(weights, out / WEIGHTS)
    write_checksums(out)
    return left_out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--keep", type=int, default=0, metavar="N", help="keep the first N of these words")
    parser.add_argument(
        "--least", type=int, default=0, metavar="COUNT", help="words seen fewer times lose what was learnt"
    )
    options = parser.parse_args()
    print(f"{options.out}: without {leave_out(options.model, options.out, options.keep, options.least):,} words")


if __name__ == "__main__":
    main()
