"""A trained model with narrower BiLSTMs, which is faster: the units that matter least are cut.

    python lab/models/narrow.py FOLDER OUT TREES [--hidden 126] [--reread 62] [--sentences 1000]

int8 kernels multiply by 16 and 64 numbers at once, and exported LSTMs have two units more than the model, which are
pins (`permutree.networks.pins`). So 126 units, 512 gates with pins, take less time than two units fewer would suggest.

How much a unit matters is how much its state varies over the sentences of TREES, a training set, times the squares of
all weights that read it. What read it gets the mean of that state instead.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from permutree import Tree, read
from permutree.errors import ConfigError
from permutree.networks.bilstm import BiLSTM
from permutree.networks.model import Model
from permutree.networks.reread import RereadLabeller
from permutree.networks.tensors import as_tensors

FIRST, SECOND = "encoder.context", "reading.context"
LSTM = re.compile(r"((?:encoder|reading)\.context)\.(forwards|backwards)\.(\d+)")


def narrow(model: Model, trees: Iterable[Tree], *, hidden: int, reread: int) -> Model:
    """A model with so many units in each direction of the first and of the second reading."""
    labeller, config = model.labeller, model.config
    context: Any = getattr(labeller.encoder, "context", None)
    if not isinstance(labeller, RereadLabeller) or not isinstance(context, BiLSTM):
        raise ConfigError("only a labeller that reads twice, by BiLSTMs, can be narrower")
    for wanted, units in ((hidden, config.encoder.hidden), (reread, config.reread.hidden)):
        if wanted > units:
            raise ConfigError(f"the model has {units} units: {wanted} are more")
    changed = replace(
        config, encoder=replace(config.encoder, hidden=hidden), reread=replace(config.reread, hidden=reread)
    )
    small = Model.build(changed, model.features, model.codec, model.tags)
    small.facts, small.training = model.facts, model.training
    weights = {name: weight.clone() for name, weight in labeller.state_dict().items()}
    readers = {name: _read_by(labeller, name) for name, weight in weights.items() if weight.dim() == 2}
    means, variances = _states(model, trees)
    kept: dict[str, Tensor] = {}
    for lstm, variance in variances.items():
        matters = variance * sum(
            weights[name][:, first : first + len(variance)].square().sum(0)
            for name, reads in readers.items()
            for first, one in _places(reads, means)
            if one == lstm
        )
        most = hidden if lstm.startswith(FIRST) else reread
        kept[lstm] = matters.topk(most).indices.sort().values
    # What is no longer read stands in biases, before anything is cut.
    for name, reads in readers.items():
        for first, lstm in _places(reads, means):
            is_cut = torch.ones_like(means[lstm], dtype=torch.bool).index_fill(0, kept[lstm], False)
            columns = weights[name][:, first : first + len(is_cut)]
            weights[name.replace("weight", "bias", 1)] += columns[:, is_cut] @ means[lstm][is_cut]
    found = small.labeller.state_dict()
    for name, weight in weights.items():
        if found_in := LSTM.match(name):
            units = len(means[found_in[0]])
            weight = weight[torch.cat([gate * units + kept[found_in[0]] for gate in range(4)])]
        if reads := readers.get(name, []):
            columns = [first + kept[lstm] for first, lstm in _places(reads, means)]
            behind = sum(len(means[lstm]) for lstm in reads)
            weight = weight[:, torch.cat([*columns, torch.arange(behind, weight.shape[1])])]
        found[name].copy_(weight)
    return small


def _read_by(labeller: RereadLabeller, name: str) -> list[str]:
    """The LSTMs whose states a weight reads, in order; what it reads besides comes behind them."""
    last = len(labeller.encoder.context.forwards) - 1  # type: ignore[arg-type, union-attr]
    first = [f"{FIRST}.{direction}.{last}" for direction in ("forwards", "backwards")]
    both = first + [f"{SECOND}.{direction}.0" for direction in ("forwards", "backwards")]
    if found := LSTM.match(name):
        stack, _, layer = found.groups()
        if "weight_hh" in name:
            return [found[0]]
        if layer != "0":
            return [f"{stack}.{direction}.{int(layer) - 1}" for direction in ("forwards", "backwards")]
        return first if stack == SECOND else []
    parts = name.split(".")
    if parts[0] == "heads":
        if parts[1] == "permutation" and parts[2] not in ("words", "predecessors"):
            return []
        return both if labeller.is_arranged(parts[1]) else first
    return both if name in ("reading.ends.project.weight", "spans.project.weight") else []


def _places(reads: Iterable[str], states: dict[str, Tensor]) -> list[tuple[int, str]]:
    """Where the columns of each LSTM begin."""
    places, first = [], 0
    for lstm in reads:
        places.append((first, lstm))
        first += len(states[lstm])
    return places


@torch.no_grad()
def _states(model: Model, trees: Iterable[Tree]) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """Means and variances of the states of all LSTMs over the words of sentences, by the names of the LSTMs."""
    model.labeller.eval()
    given: dict[str, list[Tensor]] = {}
    hooks = [
        module.register_forward_hook(lambda _, __, out, name=name: given.setdefault(name, []).append(out[0][0]))
        for name, module in model.labeller.named_modules()
        if LSTM.fullmatch(name)
    ]
    for tree in trees:
        # One at a time, so that there is no padding.
        inputs = as_tensors(model.features.arrays([tree.words], [tree.tags]).batch(np.arange(1)))
        model.labeller(inputs, torch.tensor([tree.order]))
    for hook in hooks:
        hook.remove()
    joined = {name: torch.cat(states) for name, states in given.items()}
    return {name: one.mean(0) for name, one in joined.items()}, {name: one.var(0) for name, one in joined.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("trees", type=Path, help="a training set")
    parser.add_argument("--hidden", type=int, help="units of the first reading; as many as there are without it")
    parser.add_argument("--reread", type=int, help="units of the second reading; as many as there are without it")
    parser.add_argument("--sentences", type=int, default=1000, help="how many of the training set are read")
    options = parser.parse_args()
    model = Model.load(options.folder)
    hidden, reread = options.hidden or model.config.encoder.hidden, options.reread or model.config.reread.hidden
    trees = islice(read(options.trees), options.sentences)
    narrow(model, trees, hidden=hidden, reread=reread).save(options.out)


if __name__ == "__main__":
    main()
