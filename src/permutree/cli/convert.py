"""``permutree convert``: treebanks from format to format, transformed on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click

from permutree.cli.options import (
    SkipBad,
    charset_option,
    reading_options,
    scheme_option,
    target_of,
    to_option,
    writer_options,
)
from permutree.cli.terminal import progress, say
from permutree.errors import DataError, OnError, TreeError
from permutree.formats import read, write
from permutree.formats.format import Format, options_of
from permutree.formats.registry import FORMATS, format_named, guess_format
from permutree.treebanks import transforms as t
from permutree.treebanks.splits import parse_shares, split_by_hash, split_by_order
from permutree.trees.tree import Tree

_LIST = "\n".join(
    f"  {entry.name:<12} {entry.description}  ({', '.join(entry.suffixes)})" for entry in FORMATS.values()
)


@click.command(
    epilog=f"""\b
Formats:
{_LIST}

\b
Examples:
  permutree convert tiger.xml tiger.export
  permutree convert negra.export - --charset latin-1 --to discbracket --punctuation move --root VROOT
  permutree convert wsj/ dptb.discbracket --from ptb-traces --traces T,ICH --functions strip --root ROOT
  permutree convert Treebank/cdb.zip cdb.jsonl --from alpino
  permutree convert corpus.export '{{}}.discbracket' --split 80/10/10
  xzcat trees.discbracket.xz | permutree convert - trees.tigerxml"""
)
@click.argument("inputs", nargs=-1, required=True, metavar="IN...")
@click.argument("out", metavar="OUT")
@to_option("Format of the trees; guessed from the name of OUT, on standard output discbracket.")
@charset_option("--output-charset", old="--output-encoding", what="OUT")
@click.option(
    "--traces", metavar="KINDS", help="Traces to resolve in Penn brackets: a list such as T,ICH,EXP,RNR or none."
)
@click.option(
    "--arrange", is_flag=True, help="Write the continuous arrangement of discontinuous trees to plain brackets (ptb)."
)
@click.option(
    "--whole-labels",
    is_flag=True,
    help="Do not split labels such as CP-REL into category and function in Penn brackets.",
)
@click.option(
    "--lemmas",
    type=click.Choice(["auto", "yes", "no", "punctuation"]),
    help="Whether words are word-lemma in Penn-historical brackets (psd), read or written: all of them, none, or "
    "punctuation only; guessed by the first ones if not given.",
)
@click.option(
    "--punctuation",
    type=click.Choice(["leave", "remove", "root", "move"]),
    default="leave",
    show_default=True,
    help="Punctuation: remove it, hang it from the root, or move it to the lowest constituent over its neighbours.",
)
@click.option(
    "--punctuation-tags", metavar="TAGS", help="Tags of punctuation, separated by spaces; a usual set if not given."
)
@click.option(
    "--functions",
    type=click.Choice(["keep", "strip", "split", "join"]),
    default="keep",
    show_default=True,
    help="Function labels: strip them, split NP-SBJ into label and function, or join both into the label.",
)
@click.option("--root", metavar="LABEL", help="Put a root with this label over trees that have another.")
@click.option("--rename-root", metavar="LABEL", help="Give every root this label.")
@click.option(
    "--remove-root", is_flag=True, help="Take away roots such as ROOT and VROOT that have a single constituent."
)
@click.option(
    "--map-labels", type=click.Path(exists=True, dir_okay=False), help="File with old and new label on each line."
)
@click.option(
    "--map-tags", type=click.Path(exists=True, dir_okay=False), help="File with old and new tag on each line."
)
@click.option(
    "--unary",
    type=click.Choice(["keep", "collapse", "expand", "top", "bottom"]),
    default="keep",
    show_default=True,
    help="Unary chains: collapse A over B into A+B, undo that, or keep only the top or bottom one.",
)
@scheme_option
@click.option("--min-length", type=click.IntRange(1), help="Leave out shorter sentences; how many is said.")
@click.option("--max-length", type=click.IntRange(1), help="Leave out longer sentences; how many is said.")
@click.option(
    "--split", metavar="SHARES", help="Split, as train=80,dev=10,test=10 or 80/10/10; OUT has {} for the part's name."
)
@click.option(
    "--split-by",
    type=click.Choice(["order", "hash"]),
    default="order",
    show_default=True,
    help="Split in corpus order, or by a hash of the words of each sentence.",
)
@reading_options
def command(
    inputs: tuple[str, ...],
    out: str,
    target_format: Format | None,
    source_format: str | None,
    charset: str,
    output_charset: str,
    traces: str | None,
    arrange: bool,
    whole_labels: bool,
    lemmas: str | None,
    split: str | None,
    split_by: str,
    min_length: int | None,
    max_length: int | None,
    skip_bad: bool,
    **choices: Any,
) -> None:
    """Convert treebanks from format to format.

    IN are files, directories, archives or - for standard input; OUT is a file or - for standard output. Names that end
    in .gz, .xz, .bz2 or .zip are compressed. OUT appears whole or not at all. Drawings can be written, not read; see
    `permutree draw --help` for how to choose trees and to name several pictures.
    """
    options: dict[str, Any] = {}
    if traces is not None:
        options["traces"] = tuple(kind for kind in traces.replace("*", "").split(",") if kind and kind != "none")
    target = target_of(out, target_format)
    writing = writer_options(target, out, inputs, arrange=arrange)
    source = format_named(source_format) if source_format else guess_format(inputs[0])
    if lemmas is not None:
        _add_lemmas(lemmas, source, target, options, writing)
    if whole_labels:
        if source is not None and source.splits_labels:
            options["functions"] = False
        if target.splits_labels:
            writing["functions"] = False

    def save(trees: Iterable[Tree], path: str) -> None:
        write(trees, path, target, output_charset, **writing)

    steps = _steps(**choices)
    with SkipBad(skip_bad) as on_error:
        trees = read(inputs, source_format, charset, on_error, **options)
        trees = on_error.count(_transformed(trees, steps, on_error))
        trees = _within(trees, min_length, max_length)
        trees = progress(trees, "converting", out)
        if split is None:
            save(trees, out)
        else:
            _write_split(trees, out, split, split_by, save)


def _add_lemmas(
    lemmas: str, source: Format | None, target: Format, reading: dict[str, Any], writing: dict[str, Any]
) -> None:
    """Hand ``--lemmas`` to the reader and the writer that have this option; one that its name does not tell has it."""
    if "lemmas" in target.write_options:
        writing["lemmas"] = lemmas
    elif source is None:
        reading["lemmas"] = lemmas
    if source is not None and "lemmas" in options_of(source.reader):
        reading["lemmas"] = lemmas
    if not reading.get("lemmas") and not writing.get("lemmas"):
        raise click.UsageError("--lemmas is for Penn-historical brackets (psd), and neither IN nor OUT is in them.")


def _steps(
    *,
    punctuation: str,
    punctuation_tags: str | None,
    functions: str,
    root: str | None,
    rename_root: str | None,
    remove_root: bool,
    map_labels: str | None,
    map_tags: str | None,
    unary: str,
    scheme: str | None,
) -> list[t.Transformation]:
    """The transformations that were asked for, in the order in which they are applied."""
    steps: list[t.Transformation] = []
    if map_labels or map_tags:
        steps.append(partial(t.map_labels, labels=_table(map_labels), tags=_table(map_tags)))
    if functions != "keep":
        steps.append({"strip": t.strip_functions, "split": t.split_functions, "join": t.join_functions}[functions])
    if remove_root:
        steps.append(t.remove_root)
    if rename_root is not None:
        steps.append(partial(t.rename_root, label=rename_root))
    if root is not None:
        steps.append(partial(t.add_root, label=root))
    if punctuation != "leave":
        tags = frozenset(punctuation_tags.split()) if punctuation_tags else t.PUNCTUATION_TAGS
        move = {"remove": t.remove_punctuation, "root": t.attach_punctuation, "move": t.move_punctuation}[punctuation]
        steps.append(partial(move, tags=tags))
    if unary in ("top", "bottom"):
        steps.append(partial(t.remove_unary, keep=unary))
    elif unary != "keep":
        steps.append({"collapse": t.collapse_unary, "expand": t.expand_unary}[unary])
    if scheme is not None:
        steps.append(t.SCHEMES[scheme])
    return steps


def _table(path: str | None) -> dict[str, str]:
    """The pairs of a mapping file."""
    pairs: dict[str, str] = {}
    for number, line in enumerate(Path(path).read_text("utf-8").splitlines() if path else [], 1):
        if not line.strip():
            continue
        fields = line.split()
        if len(fields) != 2:
            raise DataError(f"expected an old and a new name, found {line!r}", source=path, line=number)
        pairs[fields[0]] = fields[1]
    return pairs


def _transformed(trees: Iterable[Tree], steps: list[t.Transformation], on_error: OnError) -> Iterator[Tree]:
    for number, tree in enumerate(trees, 1):
        try:
            changed = t.transform(tree, *steps)
        except TreeError as error:
            on_error(DataError(str(error), sentence=tree.id or number))
        else:
            yield changed


def _within(trees: Iterable[Tree], shortest: int | None, longest: int | None) -> Iterator[Tree]:
    """The trees of a wanted length; says at the end how many were left out."""
    left_out = 0
    for tree in trees:
        if (shortest is None or len(tree) >= shortest) and (longest is None or len(tree) <= longest):
            yield tree
        else:
            left_out += 1
    if shortest is not None or longest is not None:
        say(f"{left_out:,} sentences left out for their length")


def _write_split(
    trees: Iterable[Tree], out: str, split: str, split_by: str, save: Callable[[Iterable[Tree], str], None]
) -> None:
    """Write each part to a file of its own."""
    if "{}" not in out:
        raise click.UsageError("with --split, OUT must have {} where the name of the part goes")
    try:
        shares = parse_shares(split)
    except ValueError:
        raise click.BadParameter(
            f"{split!r}: expected train=80,dev=10,test=10 or 80/10/10", param_hint="--split"
        ) from None
    parts: dict[str, list[Tree]] = {name: [] for name in shares}
    for name, tree in (split_by_order if split_by == "order" else split_by_hash)(trees, shares):
        parts[name].append(tree)
    counts: Counter[str] = Counter()
    for name, part in parts.items():
        save(part, out.replace("{}", name))
        counts[name] = len(part)
    said = ", ".join(f"{name} {count:,}" for name, count in counts.items())
    say(f"{said} trees")
