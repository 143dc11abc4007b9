import pytest
import torch

from permutree.networks.transformer import Transformer, rotary_turns, rotate


def make(positions: str, **changes: int) -> Transformer:
    torch.manual_seed(1)
    sizes = {"hidden": 12, "layers": 2, "heads": 3, "feedforward": 20, "max_positions": 16} | changes
    return Transformer(6, dropout=0.3, positions=positions, **sizes).eval()


def run(network: Transformer, vectors: torch.Tensor, lengths: list[int]) -> torch.Tensor:
    sizes = torch.tensor(lengths)
    states: torch.Tensor = network(vectors, sizes, torch.arange(vectors.shape[1]) < sizes[:, None])
    return states


@pytest.mark.parametrize("positions", ["rotary", "learned"])
def test_padding_makes_no_difference(positions: str) -> None:
    network = make(positions)
    vectors = torch.randn(3, 9, 6)
    states = run(network, vectors, [9, 1, 4])
    torch.testing.assert_close(run(network, vectors[1:2, :1], [1])[0], states[1, :1])
    torch.testing.assert_close(run(network, vectors[2:, :4], [4])[0], states[2, :4])


@pytest.mark.parametrize("positions", ["rotary", "learned"])
def test_order_makes_a_difference(positions: str) -> None:
    network = make(positions)
    vectors = torch.randn(1, 5, 6)
    turned = run(network, vectors.flip(1), [5]).flip(1)
    assert not torch.allclose(turned, run(network, vectors, [5]), atol=1e-3)


def test_sentences_beyond_the_last_learned_position() -> None:
    assert run(make("learned"), torch.randn(1, 40, 6), [40]).isfinite().all()


def test_layers_are_those_of_torch() -> None:
    network = make("learned")
    reference = torch.nn.TransformerEncoderLayer(
        12, 3, 20, dropout=0.0, activation="gelu", batch_first=True, norm_first=True
    ).eval()
    vectors = torch.randn(2, 7, 6)
    lengths = torch.tensor([7, 3])
    mask = torch.arange(7) < lengths[:, None]
    assert network.positions is not None
    states = network.enter(vectors) + network.positions.weight[:7]
    for layer in network.layers:
        weights = {
            "self_attn.in_proj_weight": "query_key_value.weight",
            "self_attn.in_proj_bias": "query_key_value.bias",
            "self_attn.out_proj.weight": "merge.weight",
            "self_attn.out_proj.bias": "merge.bias",
            "linear1.weight": "widen.weight",
            "linear1.bias": "widen.bias",
            "linear2.weight": "narrow.weight",
            "linear2.bias": "narrow.bias",
            "norm1.weight": "attention_norm.weight",
            "norm1.bias": "attention_norm.bias",
            "norm2.weight": "feedforward_norm.weight",
            "norm2.bias": "feedforward_norm.bias",
        }
        ours = layer.state_dict()
        reference.load_state_dict({theirs: ours[name] for theirs, name in weights.items()})
        states = reference(states, src_key_padding_mask=~mask)
    found = network(vectors, lengths, mask)
    torch.testing.assert_close(found[mask], network.norm(states)[mask], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("size", [1, 2, 6, 7])
def test_rotary_products_depend_on_distances_alone(size: int) -> None:
    torch.manual_seed(1)
    query, key = torch.randn(size), torch.randn(size)
    turns = rotary_turns(9, size // 2, torch.device("cpu"))
    queries, keys = (rotate(one.expand(1, 1, 9, size), turns) for one in (query, key))
    products = (queries @ keys.transpose(2, 3))[0, 0]
    torch.testing.assert_close(products[1:, 1:], products[:-1, :-1])
    torch.testing.assert_close(queries.norm(dim=3), query.norm().expand(1, 1, 9))


def test_width_must_be_a_multiple_of_heads() -> None:
    with pytest.raises(ValueError, match="not a multiple of 3 heads"):
        make("rotary", hidden=10)
