"""Average the weights of models that were fine-tuned from the same one, and of that one itself.

    permutree train small --start en --train TREES --dev DEV --out tuned
    python lab/models/average.py OUT tuned src/permutree/models/en

Weights that began as the same ones can be averaged (Wortsman et al. 2022), which keeps what the model knew before and
half of what it has learnt. A model that is named twice counts twice. OUT has the words and labels of the first one; of
words that others do not know, they have the vector of unknown words.
"""

from __future__ import annotations

import argparse
import copy
from collections.abc import Sequence
from pathlib import Path

import torch

from permutree.networks.model import Model
from permutree.training.starting import copy_weights


@torch.no_grad()
def average(models: Sequence[Model]) -> Model:
    """The first model with the mean of the weights of all."""
    first = copy.deepcopy(models[0])
    total = first.labeller.state_dict()
    for other in models[1:]:
        shaped = copy.deepcopy(models[0])
        copy_weights(other, shaped)
        for name, weight in shaped.labeller.state_dict().items():
            if weight.is_floating_point():
                total[name] += weight
    for weight in total.values():
        if weight.is_floating_point():
            weight /= len(models)
    first.facts["averaged"] = len({id(model) for model in models})
    # What was right for the scores of the first model alone.
    first.facts.pop("next", None)
    return first


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("models", type=Path, nargs="+")
    options = parser.parse_args()
    loaded = {folder: Model.load(folder) for folder in options.models}
    average([loaded[folder] for folder in options.models]).save(options.out)


if __name__ == "__main__":
    main()
