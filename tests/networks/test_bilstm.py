import pytest
import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from permutree.networks.bilstm import BiLSTM, SharedDropout, reverse

LENGTHS = torch.tensor([5, 1, 9, 3])


def test_reverse() -> None:
    vectors = torch.arange(8).view(2, 4, 1)
    turned = reverse(vectors, torch.tensor([4, 2]))
    assert turned[:, :, 0].tolist() == [[3, 2, 1, 0], [5, 4, 6, 7]]


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_bilstm_is_that_of_torch_over_packed_sequences(layers: int) -> None:
    torch.manual_seed(1)
    network = BiLSTM(6, hidden=5, layers=layers, dropout=0.5).eval()
    reference = torch.nn.LSTM(6, 5, num_layers=layers, batch_first=True, bidirectional=True)
    for layer, (there, back) in enumerate(zip(network.forwards, network.backwards, strict=True)):
        for name, weight in there.named_parameters():
            getattr(reference, name.replace("l0", f"l{layer}")).data = weight.data
        for name, weight in back.named_parameters():
            getattr(reference, name.replace("l0", f"l{layer}_reverse")).data = weight.data
    vectors = torch.randn(4, 9, 6)
    mask = torch.arange(9) < LENGTHS[:, None]
    found = network(vectors, LENGTHS, mask)
    wanted, _ = reference(pack_padded_sequence(vectors, LENGTHS, batch_first=True, enforce_sorted=False))
    wanted, _ = pad_packed_sequence(wanted, batch_first=True)
    assert found.shape == (4, 9, network.size)
    torch.testing.assert_close(found[mask], wanted[mask])


def test_shared_dropout_drops_features_of_a_whole_sentence() -> None:
    torch.manual_seed(1)
    dropout = SharedDropout(0.25).train()
    dropped = dropout(torch.ones(200, 7, 50))
    assert dropped.unique().tolist() == [0.0, pytest.approx(1 / 0.75)]
    assert (dropped == dropped[:, :1]).all()
    assert float((dropped == 0).float().mean()) == pytest.approx(0.25, abs=0.02)
    assert not (dropped[0] == dropped[1]).all()
    vectors = torch.randn(2, 3, 4)
    assert torch.equal(dropout.eval()(vectors), vectors)


def test_gates_start_by_remembering() -> None:
    network = BiLSTM(6, hidden=5, layers=1, dropout=0.0)
    bias = network.forwards[0].bias_ih_l0
    assert isinstance(bias, torch.Tensor)
    assert bias.tolist() == [0.0] * 5 + [1.0] * 5 + [0.0] * 10
