import torch
from hypothesis import given
from hypothesis import strategies as st

from permutree.networks.pins import PINS, Layout

SIZES = st.integers(1, 6)


@given(SIZES, SIZES, SIZES, st.integers(0, 3))
def test_weights_of_pins_are_zero_and_the_others_come_back(hidden: int, words: int, rows: int, tags: int) -> None:
    layouts = [Layout.of_words(words, tags), Layout.of_bilstm(hidden)]
    layouts.append(layouts[0].beside(layouts[1]))
    for layout in layouts:
        weights = torch.randn(rows, len(layout.columns))
        spread = layout.spread(weights)
        assert spread.shape == (rows, layout.width)
        assert torch.equal(layout.gather(spread), weights)
        assert (spread != 0).sum() == weights.numel()


def test_each_direction_has_its_pins() -> None:
    layout = Layout.of_bilstm(3)
    assert layout.width == 2 * (3 + PINS)
    assert layout.columns.tolist() == [0, 1, 2, 5, 6, 7]


def test_weights_of_graphs_without_pins_stay_as_they_are() -> None:
    weights = torch.randn(2, 6)
    assert Layout.of_bilstm(3).gather(weights) is weights
