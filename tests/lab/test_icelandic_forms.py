"""The classes and inflections of word forms, out of a compressed dictionary."""

import importlib
import struct
from types import ModuleType

import pytest

from permutree_lab.folders import LAB


@pytest.fixture
def forms(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module."""
    monkeypatch.syspath_prepend(str(LAB / "models"))
    return importlib.import_module("icelandic_forms")


def form_file() -> bytes:
    """A tree of "á", "ám" and "óms", with entries written in all three ways."""
    alphabet, none = "áó".encode("latin-1"), 0x7FFFFF
    entries = [0xE0000000 | 1 << 20 | 7, 0x7, 1 << 14 | 3, 0xC0000000 | 2 << 14]
    names = [b"kvk NFET x", b"kk \xdeGFETgr ", b"so GM-FH "]
    head = 56
    root = head + 4 * len(entries)
    first, second, third = root + 16, root + 28, root + 34
    # The root has two children, the single letter á, with a child "m", and "óms", without any.
    tree = struct.pack("<IIII", none, 2, first, third)
    tree += struct.pack("<III", 0x80000000 | 1 << 23 | 0, 1, second)
    tree += struct.pack("<I", 0x40000000 | 1) + b"m\0"
    tree += struct.pack("<I", 0x40000000 | none) + "óms".encode("latin-1") + b"\0"
    meanings = root + len(tree)
    texts = meanings + 4 * len(names)
    places = [texts + sum(map(len, names[:number])) for number in range(len(names))]
    behind = texts + sum(map(len, names))
    header = struct.pack("<10I", head, root, 0, 0, meanings, behind, 0, 0, 0, 0)
    parts = [struct.pack("<4I", *entries), tree, struct.pack("<3I", *places), *names, struct.pack("<I", 2), alphabet]
    return b"Greynir 04.00.00" + header + b"".join(parts)


@pytest.mark.parametrize(
    ("word", "expected"),
    [("á", ["kvk NFET"]), ("ám", ["kk ÞGFETgr", "so GM-FH"]), ("óms", []), ("óm", []), ("áx", []), ("ω", []), ("", [])],
)
def test_tags_of_forms_are_read(forms: ModuleType, word: str, expected: list[str]) -> None:
    assert forms.Forms(form_file()).tags(word) == expected


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("kk ÞGFETgr", {"kk", "no", "no ÞGF", "no ET", "no gr", "no ÞGFETgr"}),
        ("kvk NFFT2", {"kvk", "no", "no NF", "no FT", "no NFFT"}),
        ("so GM-VH-ÞT-3P-ET", {"so", "so GM", "so VH", "so ÞT", "so 3P", "so ET", "so GM-VH-ÞT-3P-ET"}),
        ("lo FSB-KK-EFET", {"lo", "lo FSB", "lo KK", "lo EF", "lo ET", "lo FSB-KK-EFET"}),
        ("fs OBEYGJANLEGT", {"fs", "fs OBEYGJANLEGT"}),
    ],
)
def test_inflections_have_parts(forms: ModuleType, tag: str, expected: set[str]) -> None:
    assert forms.form_parts(tag) == expected
