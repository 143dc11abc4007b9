"""A short run of lab/reliability/fuzz.py; numbers of files that were read wrongly once."""

import pytest

from damaging import LAYOUTS, attack

#: files that found a fault: seed and number
ONCE = [
    (1, 506), (1, 1552), (1, 1809), (1, 4914), (1, 7222), (1, 9870), (1, 12685), (1, 13559), (1, 23031), (1, 23515),
    (1, 29101), (1, 31544), (1, 38050), (1, 39128), (1, 39941), (1, 41272), (1, 49450), (1, 77153), (2, 6812),
    (2, 38050),
    (1, 28151), (1, 212439), (1, 258755), (1, 285467), (1, 302519), (1, 406638), (1, 435968), (1, 731775), (1, 755484),
    (1, 792990), (1, 832350), (1, 845442), (1, 927789), (1, 953198), (1, 993519),
    (2, 292869), (2, 301101), (2, 409377), (2, 521433), (2, 790868), (2, 804891),
    (3, 152621), (3, 321062), (3, 528144), (4, 309485), (4, 382635), (4, 799080), (4, 955062),
    (5, 269353), (5, 915195),
]  # fmt: skip


@pytest.mark.parametrize("part", range(4))
def test_damaged_files_are_read_without_silent_losses(part: int) -> None:
    size = 25 * len(LAYOUTS)
    failures = [found for number in range(part * size, (part + 1) * size) if (found := attack(1, number)).failure]
    assert failures == []


def test_files_that_were_read_wrongly_once() -> None:
    assert [found for seed, number in ONCE if (found := attack(seed, number)).failure] == []
