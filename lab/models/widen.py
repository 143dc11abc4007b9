"""A trained model with wider BiLSTMs in its first reading, or with fixed vectors of words beside, to train further.

    python lab/models/widen.py FOLDER OUT [--hidden 224] [--vectors FILE] [--seed 1]

The wider model predicts just what the other one does: new units begin with random weights, and nothing reads them yet
(Chen et al. 2016, "Net2Net"); nothing reads vectors yet, either. Training that starts from it (`training.start`) finds
out what they are good for, and need not learn again what the smaller model knows.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import torch

from permutree.errors import ConfigError
from permutree.model.features import WordFeatures
from permutree.networks.embeddings import read_vectors
from permutree.networks.labeller import WordEncoder
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


@torch.no_grad()
def with_vectors(model: Model, file: Path) -> Model:
    """A model that predicts the same, and has the vectors of a file beside those that it has learnt.

    Words of the file that it does not know have only these, unless it knows them in lower case.
    """
    config, features, encoder = model.config, model.features, model.labeller.encoder
    if not isinstance(features, WordFeatures) or not isinstance(encoder, WordEncoder):
        raise ConfigError("a model over a pretrained encoder knows no words, so that they can have no vectors")
    if config.embeddings.fixed:
        raise ConfigError("the words of the model have vectors already")
    vectors = read_vectors(file)
    words = dict.fromkeys((*features.words, *(word for word in vectors if word.lower() not in features.words)))
    size = len(next(iter(vectors.values())))
    counts = [*features.counts, *[0] * (len(words) - len(features.words))]
    known = WordFeatures(words, features.characters, features.tags, counts, trained=features.trained)
    changed = replace(config, embeddings=replace(config.embeddings, fixed=size))
    wide = Model.build(changed, known, model.codec, model.tags)
    wide.facts = {name: value for name, value in model.facts.items() if name != "next"}
    weights = wide.labeller.state_dict()
    first = config.embeddings.word
    for name, old in model.labeller.state_dict().items():
        new = weights[name]
        if new.shape != old.shape:
            # The vectors stand behind those of the form.
            new.zero_()
            new[:, :first], new[:, first + size :] = old[:, :first], old[:, first:]
        else:
            new.copy_(old)
    assert isinstance(wide.labeller.encoder, WordEncoder)
    wide.labeller.encoder.embedding.load_vectors(list(known.words), vectors)
    return wide


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--hidden", type=int, help="units of the first reading; as many as there are without it")
    parser.add_argument("--vectors", type=Path, help="file of word vectors")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    model = Model.load(options.folder)
    if options.hidden:
        model = widen(model, options.hidden)
    if options.vectors:
        model = with_vectors(model, options.vectors)
    model.save(options.out)


if __name__ == "__main__":
    main()
