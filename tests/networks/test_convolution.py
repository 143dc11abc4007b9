import numpy as np
import pytest
import torch

from permutree.networks.convolution import BOUND, REACHES, Convolution

LENGTHS = torch.tensor([40, 1, 9, 3])


@pytest.fixture
def network() -> Convolution:
    torch.manual_seed(1)
    return Convolution(6, hidden=8, layers=5, dropout=0.5).eval()


def word_by_word(network: Convolution, vectors: np.ndarray) -> np.ndarray:
    """The states of one sentence [T, inputs], by loops over words."""
    weights = {name: weight.detach().numpy().astype(np.float64) for name, weight in network.named_parameters()}

    def normalised(state: np.ndarray, name: str) -> np.ndarray:
        centred = state - state.mean()
        scaled = centred / np.sqrt((centred**2).mean() + 1e-5) * weights[f"{name}.weight"] + weights[f"{name}.bias"]
        found: np.ndarray = np.clip(scaled, -BOUND, BOUND)
        return found

    states = [weights["enter.weight"] @ vector + weights["enter.bias"] for vector in vectors]
    for number in range(len(network.layers)):
        layer, reach = f"layers.{number}", REACHES[number % len(REACHES)]
        read = [normalised(state, f"{layer}.norm") for state in states]
        for word in range(len(states)):
            found = weights[f"{layer}.look.bias"].copy()
            sides = np.split(weights[f"{layer}.look.weight"], 3, axis=1)
            for other, side in zip((word - reach, word, word + reach), sides, strict=True):
                if 0 <= other < len(read):
                    found += side @ read[other]
            half = len(found) // 2
            gated = np.tanh(found[:half]) / (1 + np.exp(-found[half:]))
            states[word] = states[word] + weights[f"{layer}.mix.weight"] @ gated + weights[f"{layer}.mix.bias"]
    return np.stack([normalised(state, "norm") for state in states])


def test_a_batch_is_what_its_sentences_are_word_by_word(network: Convolution) -> None:
    vectors = torch.randn(4, 40, 6)
    states = network(vectors, LENGTHS, torch.arange(40) < LENGTHS[:, None])
    assert states.shape == (4, 40, network.size)
    for sentence, length in enumerate(LENGTHS.tolist()):
        wanted = word_by_word(network, vectors[sentence, :length].numpy().astype(np.float64))
        np.testing.assert_allclose(states[sentence, :length].detach().numpy(), wanted, atol=1e-4)


def test_how_far_a_word_is_seen(network: Convolution) -> None:
    vectors = torch.randn(1, 60, 6)
    changed = vectors.clone()
    changed[0, 30] += 1
    lengths, mask = torch.tensor([60]), torch.ones(1, 60, dtype=torch.bool)
    differs = (network(vectors, lengths, mask) != network(changed, lengths, mask)).any(2)[0]
    assert differs.nonzero()[:, 0].tolist() == list(range(30 - 16, 30 + 17)), "1 + 2 + 4 + 8 + 1 words to each side"


def test_states_have_a_bound(network: Convolution) -> None:
    torch.nn.init.constant_(network.norm.weight, 100.0)
    states = network(torch.randn(4, 40, 6), LENGTHS, torch.arange(40) < LENGTHS[:, None])
    assert float(states.detach().abs().max()) == BOUND
