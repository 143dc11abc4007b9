"""``permutree explain``: what the labels of treebanks mean."""

from __future__ import annotations

import sys

import click

from permutree.cli.terminal import say, show_json, show_rows
from permutree.languages import all_languages, explain, language_named
from permutree.languages.explaining import near_labels


@click.command(
    epilog="""\b
Examples:
  permutree explain smain
  permutree explain NP-SBJ VBPI IP-MAT-SPE
  permutree explain CD --lang de --json
  permutree explain --lang nl"""
)
@click.argument("labels", nargs=-1, metavar="LABEL...")
@click.option("-l", "--lang", "language", type=click.Choice(list(all_languages())), help="Of this language only.")
@click.option("--json", "as_json", is_flag=True, help="Print a list of objects: label, language, kind and text.")
def command(labels: tuple[str, ...], language: str | None, as_json: bool) -> None:
    """Show what each LABEL means: a constituent, a tag or a function, in the treebanks of each language.

    Labels with functions or cases after hyphens are explained by their parts. Without LABEL, the whole glossary is
    shown, of one language or of all. A label that nobody knows ends in exit status 1.
    """
    if labels:
        entries = [entry for label in labels for entry in explain(label, language)]
    else:
        languages = all_languages().values() if language is None else [language_named(language)]
        entries = [entry for one in languages for entry in one.entries()]
    if as_json:
        show_json([entry._asdict() for entry in entries])
    else:
        show_rows([(label, language_named(code).name, kind, text) for label, code, kind, text in entries], left=4)
    known = {entry.label for entry in entries}
    unknown = [label for label in dict.fromkeys(labels) if label not in known]
    for label in unknown:
        near = near_labels(label, language)
        way_out = f"near ones are {', '.join(near)}" if near else "`permutree explain` without a label shows all"
        say(f"error: no label {label!r}: {way_out}")
    if unknown:
        sys.exit(1)
