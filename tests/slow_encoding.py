"""The encodings once more, slowly and strictly, straight from the paper: what the fast code is compared with.

Nothing here is shared with the package. ``strict_decode`` refuses labels that do not describe a tree as they stand.
"""

from collections.abc import Callable, Sequence

from permutree.trees.tree import Tree

#: the encodings that are defined here; one that is not is tested by what holds for all
DEFINED = ("absolute", "relative", "lehmer", "inverse-lehmer", "pointer", "pointer-simplified", "predecessor")


class NotATreeError(Exception):
    """The labels do not describe a tree."""


def ancestors(tree: Tree) -> list[list[int]]:
    """The constituents over each position of the arrangement, from the root down."""
    spans = list(zip(tree.starts, tree.ends, strict=True))
    return [[n for n, (start, end) in enumerate(spans) if start <= p < end] for p in range(len(tree))]


def slow_encode(
    tree: Tree, encoding: str, simplify: Callable[[str], str] = str, scale: str = "relative"
) -> list[tuple[str, str, str, str]]:
    """The labels of a tree, by definition."""
    size = len(tree)
    above = ancestors(tree)
    spans = list(zip(tree.starts, tree.ends, strict=True))
    labels: list[tuple[str, str, str, str]] = [("", "", "", "")] * size
    permutation = slow_permutation(list(tree.order), [simplify(tag) for tag in tree.tags], encoding)
    previous = 0
    for position, word in enumerate(tree.order):
        unary = [tree.labels[n] for n in above[position] if spans[n] == (position, position + 1)]
        levels, shared = "_", "_"
        if position + 1 < size:
            common = [n for n in above[position] if n in above[position + 1]]
            distinct = len({spans[n] for n in common})
            levels = level_symbol(distinct, distinct - previous, scale)
            previous = distinct
            shared = "+".join(escape(tree.labels[n]) for n in common if spans[n] == spans[common[-1]])
        labels[word] = (levels, shared, "+".join(map(escape, unary)) if unary else "_", permutation[word])
    return labels


def level_symbol(level: int, step: int, scale: str) -> str:
    """A level as it is written; the mixed scale is absolute where levels fall by two or more to three or less."""
    if scale == "mixed":
        return f"{level}ROOT" if level <= 3 and step <= -2 else str(step)
    return str(level if scale == "absolute" else step)


def escape(label: str) -> str:
    """A label as a link of a chain: what is not to be read as a sign has a backslash before it."""
    if label in ("", "_"):
        return "\\_" if label else "\\e"
    return "".join("\\" + letter if letter in "\\+" or letter.isspace() else letter for letter in label)


def slow_permutation(order: list[int], tags: Sequence[str], encoding: str) -> list[str]:
    size = len(order)
    tau = [order.index(word) for word in range(size)]
    if encoding == "absolute":
        return ["INV" if place == word else str(place) for word, place in enumerate(tau)]
    if encoding == "relative":
        return ["INV" if place == word else str(word - place) for word, place in enumerate(tau)]
    if encoding == "lehmer":
        return [str(sum(later < order[k] for later in order[k + 1 :])) for k in range(size)]
    if encoding == "inverse-lehmer":
        return [str(sum(later < tau[k] for later in tau[k + 1 :])) for k in range(size)]
    symbols = []
    for word in range(size):
        so_far = [other for other in order if other <= word]
        place = so_far.index(word)
        before = so_far[place - 1] if place else -1
        if before == word - 1:
            symbols.append("NEXT")
        elif encoding == "predecessor":
            symbols.append(f"-{word - before}")
        else:
            symbols.append(f"-{tags[before:word].count(tags[before])} {tags[before]}")
    return symbols


def strict_decode(
    words: Sequence[str],
    tags: Sequence[str],
    labels: Sequence[Sequence[str]],
    encoding: str,
    simplify: Callable[[str], str] = str,
    scale: str = "relative",
) -> Tree:
    """The tree that labels describe as they stand."""
    size = len(words)
    order = strict_permutation([label[3] for label in labels], [simplify(tag) for tag in tags], encoding)
    if [word for word in range(size) if labels[word][0] == "_"] != [order[-1]]:
        raise NotATreeError("not exactly one last word, or not at the end")
    if labels[order[-1]][1] != "_":
        raise NotATreeError("the last word has a shared label")
    levels = []
    level = 0
    for word in order[:-1]:
        text = labels[word][0]
        is_absolute = scale == "absolute" or text.endswith("ROOT")
        level = integer(text.removesuffix("ROOT")) if is_absolute else level + integer(text)
        if level < 1:
            raise NotATreeError("no level in common")
        levels.append(level)
    constituents: list[tuple[str, list[int]]] = []
    for depth in range(1, max(levels, default=0) + 1):
        start = 0
        while start < size - 1:
            end = start
            while end < size - 1 and levels[end] >= depth:
                end += 1
            if end > start:
                names = {tuple(chain(labels[order[p]][1])) for p in range(start, end) if levels[p] == depth}
                if len(names) != 1 or () in names:
                    raise NotATreeError("a constituent with no label or several")
                constituents += [(name, order[start : end + 1]) for name in names.pop()]
            start = end + 1
    for word in range(size):
        constituents += [(name, [word]) for name in chain(labels[word][2])]
    return Tree.from_constituents(words, tags, constituents)


def integer(text: str) -> int:
    if not text.removeprefix("-").removeprefix("+").isdigit() or not text.isascii() or text[:2] in ("-+", "+-"):
        raise NotATreeError(f"not a number: {text!r}")
    return int(text)


def chain(text: str) -> list[str]:
    """The labels of a chain, top down."""
    if text == "_":
        return []
    links: list[list[str]] = [[]]
    place = 0
    while place < len(text):
        sign = text[place : place + 2] if text[place] == "\\" else text[place]
        if sign == "+":
            links.append([])
        else:
            links[-1].append(sign)
        place += len(sign)
    if [] in links or ["_"] in links or any(sign.isspace() for link in links for sign in link):
        raise NotATreeError(f"malformed chain {text!r}")
    return ["" if link == ["\\e"] else "".join(sign[-1] for sign in link) for link in links]


def strict_permutation(symbols: Sequence[str], tags: Sequence[str], encoding: str) -> list[int]:
    size = len(symbols)
    order: list[int] = []
    if encoding in ("absolute", "relative"):
        places = [
            word if symbol == "INV" else integer(symbol) if encoding == "absolute" else word - integer(symbol)
            for word, symbol in enumerate(symbols)
        ]
        if sorted(places) != list(range(size)):
            raise NotATreeError("not a permutation")
        return [places.index(place) for place in range(size)]
    if encoding in ("lehmer", "inverse-lehmer"):
        left = list(range(size))
        for symbol in symbols:
            if not 0 <= integer(symbol) < len(left):
                raise NotATreeError("not a Lehmer code")
            order.append(left.pop(int(symbol)))
        return order if encoding == "lehmer" else [order.index(place) for place in range(size)]
    for word, symbol in enumerate(symbols):
        before = word - 1
        if symbol != "NEXT":
            count, _, tag = symbol.partition(" ")
            found = [other for other in range(word) if encoding == "predecessor" or tags[other] == tag]
            if encoding == "predecessor" and tag:
                raise NotATreeError("a tag where none belongs")
            if integer(count) >= 0 or -int(count) > len(found):
                raise NotATreeError("a pointer to nowhere")
            before = found[int(count)]
        order.insert(order.index(before) + 1 if word else 0, word)
    return order
