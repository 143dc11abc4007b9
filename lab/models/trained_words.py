"""Leave the words out that a model knows by fixed vectors alone, and has never seen in training.

    python lab/models/trained_words.py MODEL OUT

A file of word vectors may have words of dev and test sets. With these, a model would be scored on text of which it
knows more than of what users give it. The weights are the same but for the vectors that are left out.
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


def leave_out(model: Path, out: Path) -> int:
    """Write the model without such words; how many there were."""
    from safetensors.torch import load_file, save_file

    words = json.loads((model / "words.json").read_text("utf-8"))
    if "trained" not in words or not (model / WEIGHTS).exists():
        sys.exit(f"{model}: no folder of a trained model with fixed vectors of words")
    shutil.copytree(model, out)
    trained = words["trained"]
    left_out: int = len(words["words"]) - trained
    for name in ("words", "counts"):
        words[name] = words[name][:trained]
    (out / "words.json").write_text(json.dumps(words, ensure_ascii=False, indent=1) + "\n", "utf-8")
    weights = load_file(out / WEIGHTS)
    weights[FIXED] = weights[FIXED][:trained].contiguous()
    save_file(weights, out / WEIGHTS)
    write_checksums(out)
    return left_out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    print(f"{options.out}: without {leave_out(options.model, options.out):,} words")


if __name__ == "__main__":
    main()
