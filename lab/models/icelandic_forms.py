"""The classes and inflections that Icelandic word forms can have, by BÍN.

BÍN is the Database of Icelandic Morphology (CC BY-SA 4.0: Beygingarlýsing íslensks nútímamáls. Stofnun Árna
Magnússonar í íslenskum fræðum. Höfundur og ritstjóri Kristín Bjarnadóttir), compressed in the package islenska (MIT).
Its file is read here by what is known of its layout; nothing of the package is run.
"""

from __future__ import annotations

import re
import struct

#: the last version with data in a layout that is known here
ISLENSKA = "islenska==1.3.2"


class Forms:
    """The compressed file of BÍN: a tree of word forms, in Latin-1, and the tags of each."""

    SINGLE, CHILDLESS, VALUE = 0x80000000, 0x40000000, 0x7FFFFF
    #: of an entry: that it is the last one, and how it is written
    LAST, KIND, ONE, SAME = 0x80000000, 0x60000000, 0x60000000, 0x40000000

    def __init__(self, data: bytes) -> None:
        if data[:16] != b"Greynir 04.00.00":
            raise ValueError("not a file of BÍN that is known")
        self.data = data
        self.entries, self.root, _, _, self.meanings, self.alphabet, *_ = struct.unpack_from("<8I", data, 16)

    def _word(self, place: int) -> int:
        """The four bytes at a place, as a number."""
        return int.from_bytes(self.data[place : place + 4], "little")

    def _node(self, node: int) -> tuple[bytes, int, range]:
        """The letters that lead to a node, its value, and where the places of its children are."""
        head = self._word(node)
        children = range(0)
        behind = node + 4
        if not head & self.CHILDLESS:
            children = range(node + 8, node + 8 + 4 * self._word(node + 4), 4)
            behind = children.stop
        if head & self.SINGLE:
            sign = self.alphabet + 3 + (head >> 23 & 0x7F)
            return self.data[sign : sign + 1], head & self.VALUE, children
        return self.data[behind : self.data.index(b"\0", behind)], head & self.VALUE, children

    def _find(self, form: bytes) -> int | None:
        """Where the entries of a word form are."""
        _, value, children = self._node(self.root)
        while form:
            low, high = 0, len(children)
            # Children differ in their first letters, and stand in the order of these.
            while low < high:
                middle = (low + high) // 2
                letters, value, below = self._node(self._word(children[middle]))
                if letters[0] < form[0]:
                    low = middle + 1
                elif letters[0] > form[0]:
                    high = middle
                else:
                    break
            if low >= high or not form.startswith(letters):
                return None
            form, children = form[len(letters) :], below
        return None if value == self.VALUE else value

    def tags(self, word: str) -> list[str]:
        """The word class and the inflection, with a space between, of each entry of a word."""
        try:
            entry = self._find(word.encode("latin-1"))
        except UnicodeEncodeError:
            return []
        found: list[str] = []
        is_last = entry is None
        while entry is not None and not is_last:
            head = self._word(self.entries + 4 * entry)
            is_last = bool(head & self.LAST)
            if head & self.KIND == self.ONE:
                meaning = (head >> 20 & 0xFF) - 1
            elif head & self.KIND == self.SAME:
                meaning = head >> 14 & 0x3FF
            else:
                entry += 1
                meaning = self._word(self.entries + 4 * entry) >> 14 & 0x3FF
            entry += 1
            start = self._word(self.meanings + 4 * meaning)
            found.append(" ".join(self.data[start : start + 24].decode("latin-1").split(maxsplit=2)[:2]))
        return found


#: an inflection of BÍN is not always cut between its parts
INFLECTION = re.compile("ÞGF|NF|ÞF|EF|ET|FT|gr|[^-]+?(?=NF|ÞF|ÞGF|EF|ET|FT|-|$)")


def form_parts(tag: str) -> set[str]:
    """The class of a word, alone and with each part of its inflection; nouns of all genders are one class beside.

    >>> sorted(form_parts("kk ÞGFETgr"))
    ['kk', 'no', 'no ET', 'no gr', 'no ÞGF', 'no ÞGFETgr']
    """
    name, _, inflection = tag.partition(" ")
    kind = "no" if name in {"kk", "kvk", "hk"} else name
    inflection = re.sub(r"\d$", "", inflection)
    return {name, kind, f"{kind} {inflection}", *(f"{kind} {part}" for part in INFLECTION.findall(inflection))}
