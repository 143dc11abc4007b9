"""Leave the words out that a model knows by fixed vectors alone, and has never seen in training.

    python lab/models/trained_words.py MODEL OUT [--keep N]

A file of word vectors may have words of dev and test sets. With these, a model would be scored on text of which it
knows more than of what users give it. And a file of a whole language is too large to ship: N of such words are kept,
the first ones in the file of vectors, where frequent words come first. The weights are the same but for the vectors
that are left out.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from pathlib import Path

from checksums import write_checksums
from permutree.model.folder import WEIGHTS

#: the fixed vectors among the weights
FIXED = "encoder.embedding.fixed"


def leave_out(model: Path, out: Path, keep: int = 0) -> int:
    """Write the model without such words but for some; how many are left out."""
    from safetensors.torch import load_file, save_file

    words = json.loads((model / "words.json").read_text("utf-8"))
    if "trained" not in words or not (model / WEIGHTS).exists():
        sys.exit(f"{model}: no folder of a trained model with fixed vectors of words")
    shutil.copytree(model, out)
    known = words["trained"] + keep
    left_out: int = max(0, len(words["words"]) - known)
    for name in ("words", "counts"):
        words[name] = words[name][:known]
    (out / "words.json").write_text(json.dumps(words, ensure_ascii=False, indent=1) + "\n", "utf-8")
    weights = load_file(out / WEIGHTS)
    weights[FIXED] = weights[FIXED][:known].contiguous()
    save_file(weights, out / WEIGHTS)
    write_checksums(out)
    return left_out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--keep", type=int, default=0, metavar="N", help="keep the first N of these words")
    options = parser.parse_args()
    print(f"{options.out}: without {leave_out(options.model, options.out, options.keep):,} words")


if __name__ == "__main__":
    main()
