"""Which of several trained models is to be bundled: each quantised, and scored on dev sets alone.

    python lab/models/candidates.py NAME MODEL... --treebanks FOLDER

NAME is that of a bundled model, as for `bundle.py`; MODELs are folders of students, or bundled models. Prints a line
each: F1 / discontinuous F1 in int8 on the dev sets of its treebanks, and how many constituents of the suite's
development half are found, all and with a gap. A model that is not calibrated is calibrated first. Nothing is kept.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from bundle import BUNDLES, calibrated, score, score_constructions
from permutree.networks.export import export
from permutree.networks.model import Model
from permutree.parsing.parser import Parser


def line(name: str, folder: Path, treebanks: Path) -> str:
    """The scores of a candidate."""
    bundle = BUNDLES[name]
    with tempfile.TemporaryDirectory() as temporary:
        export(calibrated(Model.load(folder), treebanks, bundle.scored), temporary, quantise=True)
        parser = Parser.load(temporary)
        scores = [score(parser, treebanks, treebank, ("dev",))["dev"] for treebank in bundle.scored]
        found = score_constructions(parser, name.partition("-")[0], "dev")["all"]
    figures = [f"{one['f1']:.2f} / {one['discontinuous f1']:.2f}" for one in scores]
    suite = [f"{found[f'{kind}found']} of {found[f'{kind}marked']}" for kind in ("", "gaps_")]
    return " | ".join([*figures, *suite, str(folder)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=list(BUNDLES))
    parser.add_argument("models", type=Path, nargs="+")
    parser.add_argument("--treebanks", type=Path, required=True)
    options = parser.parse_args()
    print(" | ".join([*BUNDLES[options.name].scored, "suite", "with a gap", "model"]))
    for folder in options.models:
        print(line(options.name, folder, options.treebanks), flush=True)


if __name__ == "__main__":
    main()
