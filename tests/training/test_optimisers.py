import math
from typing import Any

import pytest
import torch
from torch import nn

from permutree.training.config import OptimiserConfig
from permutree.training.optimisers import Average, make_optimiser, rate_factor


def factors(steps: int, **settings: Any) -> list[float]:
    config = OptimiserConfig(**settings)
    return [rate_factor(config, step, steps, step) for step in range(steps)]


def test_rates_rise_and_fall() -> None:
    linear = factors(10, warmup=0.2, schedule="linear")
    assert linear == pytest.approx([0.5, 1.0, 1.0, 0.875, 0.75, 0.625, 0.5, 0.375, 0.25, 0.125])
    cosine = factors(100, warmup=0.0, schedule="cosine")
    assert cosine[50] == pytest.approx(0.5 * (1 - math.cos(math.pi * 50 / 100)))
    assert cosine == sorted(cosine, reverse=True)
    assert 0 < cosine[-1] < 0.01
    assert factors(3, warmup=0.0, schedule="constant") == [1, 1, 1]
    assert factors(3, warmup=0.0, schedule="inverse", rate_decay=0.5) == pytest.approx([1, 1 / 1.5, 1 / 2])


class Network(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.encoder = nn.Linear(2, 3)
        self.head = nn.Linear(3, 1)


def test_groups() -> None:
    network = Network()
    optimiser = make_optimiser(network, OptimiserConfig(rate=0.1, encoder_rate=0.01, weight_decay=0.5))
    groups = {(group["lr"], group["weight_decay"]): group["params"] for group in optimiser.param_groups}
    assert {key: [weight.shape for weight in weights] for key, weights in groups.items()} == {
        (0.01, 0.5): [(3, 2)],
        (0.01, 0.0): [(3,)],
        (0.1, 0.5): [(1, 3)],
        (0.1, 0.0): [(1,)],
    }
    assert sum(len(group["params"]) for group in make_optimiser(network, OptimiserConfig()).param_groups) == 4
    assert isinstance(make_optimiser(network, OptimiserConfig(kind="sgd")), torch.optim.SGD)


def test_what_is_on_top_of_an_encoder_is_as_new_as_the_heads() -> None:
    network = Network()
    network.encoder = nn.Module()  # type: ignore[assignment]
    network.encoder.layer = nn.Linear(2, 1, bias=False)
    network.encoder.on_top = nn.Linear(4, 1, bias=False)
    groups = make_optimiser(network, OptimiserConfig(rate=1.0, encoder_rate=0.1)).param_groups
    rates = {weight.shape: group["lr"] for group in groups for weight in group["params"]}
    assert rates == {(1, 2): 0.1, (1, 4): 1.0, (1, 3): 1.0, (1,): 1.0}


def test_average() -> None:
    network, copy = Network(), Network()
    copy.load_state_dict(network.state_dict())
    average = Average(network, copy, 0.5)
    wanted = {name: weight.clone() for name, weight in network.state_dict().items()}
    for step in range(20):
        for weight in network.parameters():
            weight.data += torch.randn_like(weight)
        average.update(step)
        decay = min(0.5, (step + 1) / (step + 10))
        wanted = {name: decay * old + (1 - decay) * network.state_dict()[name] for name, old in wanted.items()}
    for name, weight in average.labeller.state_dict().items():
        torch.testing.assert_close(weight, wanted[name])
    assert not any(weight.requires_grad for weight in copy.parameters())
    assert not copy.training
