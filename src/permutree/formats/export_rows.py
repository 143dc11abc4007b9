"""The rows of a sentence in export format as they are written, and what the reader has to know of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from permutree.errors import TreeError
from permutree.trees.annotations import Annotations, SecondaryEdge
from permutree.trees.tree import Tree

__all__ = [
    "BARE_COMMENT",
    "BEGIN_FIELDS",
    "ID_COMMENT",
    "NODE",
    "NOTHING",
    "VIRTUAL_ROOT",
    "format_sentence",
]

#: the label of a root that the treebank leaves implicit
VIRTUAL_ROOT = "VROOT"
#: what a column holds that says nothing
NOTHING = "--"
#: the name of a constituent
NODE = re.compile(r"#[0-9]{3,}(?=[ \t]|$)")
#: what stands in a #BOS line after the number
BEGIN_FIELDS = ("editor", "date", "origin")
#: an id that is not a number is written into the comment of #BOS, after this
ID_COMMENT = "id="
#: tells a sentence that is a word without a constituent from one that is a word under VROOT
BARE_COMMENT = "no constituents"


def format_sentence(tree: Tree, number: int, version: int) -> str:
    """A sentence from #BOS to #EOS."""
    annotations = tree.annotations
    size = len(tree.words)
    word_parents = tree.word_parents
    parents = (*word_parents, *tree.parents)
    # The root VROOT is left implicit, unless its only child could then be taken for the root.
    is_implicit = tree.labels[:1] == (VIRTUAL_ROOT,) and (parents.count(0) > 1 or word_parents.count(0) == 1)
    if is_implicit and any(size in edge[:2] for edge in annotations.secondary):
        is_implicit = False
    if is_implicit and annotations.functions and annotations.functions[size] is not None:
        is_implicit = False
    # Constituents come in postorder, so that a parent has a higher number than its children.
    below = sorted(range(len(tree.labels) - 1, 0 if is_implicit else -1, -1), key=tree.ends.__getitem__)
    # The last name is that of what has the parent -1.
    names = ["0"] * (len(tree.labels) + 1)
    for rank, node in enumerate(below, 500):
        names[node] = str(rank)
    begin = _begin_line(annotations, number, is_bare=not tree.labels)
    rows = _usual_rows(tree, parents, below, names, version)
    if rows is None:
        nodes = [*range(size), *(size + node for node in below)]
        rows = "\n".join(["\t".join(_row(tree, node, names[parents[node]], names, version)) for node in nodes])
    return f"{begin}\n{rows}\n#EOS {begin.split()[1]}\n"


def _usual_rows(
    tree: Tree, parents: Sequence[int], below: Sequence[int], names: Sequence[str], version: int
) -> str | None:
    """All rows at once; None if something in them is unusual: :func:`_row` writes such ones, or says what is wrong."""
    annotations, size = tree.annotations, len(tree.words)
    if annotations.secondary:
        return None
    numbers = [*range(size), *(size + node for node in below)]
    functions, blanks = _cells(annotations.functions, len(parents)), [NOTHING] * len(below)
    columns = [
        [*tree.words, *("#" + names[node] for node in below)],
        [*_cells(annotations.lemmas, size), *blanks],
        [*tree.tags, *(tree.labels[node] for node in below)],
        [*_cells(annotations.morphology, size), *blanks],
        [functions[number] for number in numbers],
        [names[parents[number]] for number in numbers],
    ]
    if version == 3:
        del columns[1]
    rows = "\n".join(map("\t".join, zip(*columns, strict=True)))
    ends, tabs = len(numbers) - 1, len(numbers) * (len(columns) - 1)
    if rows.count("\n") != ends or rows.count("\t") != tabs or rows.count("#") != len(below):
        return None
    return None if rows[0] == "\t" or any(sign in rows for sign in (" ", "\r", "\t\t", "\n\t")) else rows


def _cells(values: Sequence[str | None] | None, count: int) -> list[str]:
    """A column with what is known, if anything is, of so many words or nodes."""
    return [NOTHING] * count if values is None else [NOTHING if value is None else value for value in values]


def _begin_line(annotations: Annotations, number: int, *, is_bare: bool) -> str:
    info = dict(annotations.info)
    has_number = annotations.id is not None and annotations.id.isdecimal() and annotations.id.isascii()
    fields = ["#BOS", str(annotations.id) if has_number else str(number)]
    fields += [info.get(field, "0") for field in BEGIN_FIELDS]
    if is_bare:
        fields.append(f"%% {BARE_COMMENT}")
    if annotations.id is not None and not has_number:
        fields.append(f"%% {ID_COMMENT}{annotations.id}")
    if annotations.comment:
        fields.append(f"%% {annotations.comment}")
    return " ".join(_checked("sentence", field) for field in fields)


def _row(tree: Tree, node: int, parent: str, names: Sequence[str], version: int) -> list[str]:
    """The columns of a word or constituent, checked."""
    annotations, size = tree.annotations, len(tree.words)
    function = annotations.functions[node] if annotations.functions else None
    lemma = morphology = None
    if node < size:
        form, tag = _checked("word", tree.words[node]), tree.tags[node]
        if form.startswith(("#BOS", "#EOS")) or (node == size - 1 and NODE.match(form)):
            raise TreeError(f"export cannot hold the word {form!r}, which has a meaning there; write tigerxml or jsonl")
        lemma = annotations.lemmas[node] if annotations.lemmas else None
        morphology = annotations.morphology[node] if annotations.morphology else None
    else:
        form, tag = f"#{names[node - size]}", tree.labels[node - size]
    row = [form, _cell("tag", tag), _cell("morphology", morphology), _cell("edge label", function)]
    if version == 4:
        row.insert(1, _cell("lemma", lemma))
    row.append(parent)
    for edge in annotations.secondary:
        if edge.child == node:
            row += _secondary(edge, names, size)
    return row


def _secondary(edge: SecondaryEdge, names: Sequence[str], size: int) -> list[str]:
    if edge.parent < size:
        raise TreeError("export cannot hold a secondary edge to a word; write tigerxml or jsonl")
    return [_cell("edge label", edge.label), names[edge.parent - size]]


def _cell(what: str, value: str | None) -> str:
    return "--" if value is None else _checked(what, value)


def _checked(what: str, text: str) -> str:
    if not text.strip(" ") or text != text.strip(" ") or any(sign in text for sign in "\t\n\r"):
        raise TreeError(f"export cannot hold the {what} {text!r}: empty, or with tabs or line ends or spaces around it")
    return text
