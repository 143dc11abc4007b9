import torch

from permutree.networks.tensors import joined_numbers, parted


def test_numbers_travel_together() -> None:
    tensors = [torch.tensor([2, 1]), torch.arange(6).view(2, 3), torch.zeros(0, 4, dtype=torch.int64)]
    together = joined_numbers(tensors)
    assert together.tolist() == [2, 1, 0, 1, 2, 3, 4, 5]
    for part, tensor in zip(parted(together, tensors), tensors, strict=True):
        assert part.shape == tensor.shape
        assert torch.equal(part, tensor)
