"""A trained model with wider BiLSTMs in its first reading, to train further.

    python lab/models/widen.py FOLDER OUT --hidden 224 [--seed 1]

The wider model predicts just what the other one does: new units begin with random weights, and nothing reads them yet
(Chen et al. 2016, "Net2Net"). Training that starts from it (`training.start`) finds out what they are good for, and
need not learn again what the smaller model knows.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import torch

from permutree.errors import ConfigError
from permutree.networks.model import Model

#: where the weights of the first reading are
CONTEXT = "encoder.context."


@torch.no_grad()
def widen(model: Model, hidden: int) -> Model:
    """A model that predicts the same, with so many units in each direction of each layer of the first reading."""
    config = model.config.encoder
    units = config.hidden
    if config.kind != "bilstm":
        raise ConfigError(f"only BiLSTMs can be wider: this is a {config.kind}")
    if hidden < units:
        raise ConfigError(f"the model has {units} units already: {hidden} are fewer")
    changed = replace(model.config, encoder=replace(config, hidden=hidden))
    wide = Model.build(changed, model.features, model.codec, model.tags)
    wide.facts = {name: value for name, value in model.facts.items() if name != "next"}
    weights = wide.labeller.state_dict()
    for name, old in model.labeller.state_dict().items():
        new = weights[name]
        if new.shape == old.shape:
            new.copy_(old)
            continue
        rows, columns = [*range(len(old))], [*range(old[0].numel())]
        if name.startswith(CONTEXT):
            # Four gates, one after the other.
            rows = [gate * hidden + unit for gate in range(4) for unit in range(units)]
        if "weight_hh" not in name and new[0].numel() > old[0].numel():
            # States of both directions, perhaps with more behind them.
            added = hidden - units
            columns = [place + added * min(place // units, 2) for place in columns]
        # What was there reads nothing that is new.
        new[rows] = 0.0
        new.view(len(new), -1)[torch.tensor(rows)[:, None], columns] = old.view(len(old), -1)
    return wide


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--hidden", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    widen(Model.load(options.folder), options.hidden).save(options.out)


if __name__ == "__main__":
    main()
