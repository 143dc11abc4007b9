import torch

from permutree.training.determinism import deterministic


def test_sums_of_gradients_are_the_same_each_time() -> None:
    threads = torch.get_num_threads()
    torch.set_num_threads(4)
    try:
        random = torch.Generator().manual_seed(1)
        table = torch.randn(20, 32, generator=random).requires_grad_()
        places = torch.randint(20, (40_000,), generator=random)
        weights = torch.randn(40_000, 32, generator=random)
        found = []
        with deterministic(torch.device("cpu")):
            for _ in range(5):
                (gradient,) = torch.autograd.grad((table[places] * weights).sum(), table)
                found.append(gradient)
        assert all(torch.equal(gradient, found[0]) for gradient in found)
    finally:
        torch.set_num_threads(threads)


def test_settings_are_put_back() -> None:
    before = torch.are_deterministic_algorithms_enabled()
    with deterministic(torch.device("cpu")):
        assert torch.are_deterministic_algorithms_enabled()
    assert torch.are_deterministic_algorithms_enabled() == before
    with deterministic(torch.device("meta")):
        assert torch.are_deterministic_algorithms_enabled() == before
