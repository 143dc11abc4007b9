"""``permutree search``: what a query finds in treebanks."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path, PurePath
from typing import NoReturn

import click

from permutree.cli.options import SkipBad, output_option, reading_options, title_of
from permutree.cli.terminal import colour_option, has_colour, is_terminal, room, say
from permutree.errors import ConfigError
from permutree.formats import write
from permutree.formats.registry import READABLE
from permutree.formats.sinks import is_collection, open_output, write_collection, write_file
from permutree.formats.sources import strip_compression
from permutree.search import results
from permutree.search.corpus import Corpus
from permutree.search.languages import LANGUAGES, parse_query
from permutree.search.matches import Match
from permutree.search.syntax import ParsedQuery
from permutree.trees.tree import Tree

#: what can be written of matches → how files of it are named
FORMS = {
    "kwic": (".txt",),
    "tree": (),
    "svg": (".svg",),
    "html": (".html", ".htm"),
    "csv": (".csv",),
    "tsv": (".tsv",),
    "json": (".json", ".jsonl"),
    "parquet": (".parquet", ".pq"),
}
#: formats of treebanks: the trees that match, each once
TREES = [name for name, entry in READABLE.items() if entry.can_write and name not in FORMS]


@click.command(
    epilog="""\b
Queries are in the language of TIGERSearch, with additions for gaps (docs/reference/queries.md has all of it):
  '[cat="NP"] > [pos="ART"]'                               an NP with an article right below
  '#n:[cat="NP"] & discontinuous(#n)'                      an NP with a gap
  'gap(#n:[cat="VP"]) contains #m:[cat="NP"]'              an NP in the gap of a VP
  '#r:[cat=/CP-REL.*/] & extraposed(#r)'                   an extraposed relative clause
  '#v:[cat="VP"] & not exists (#v >* [cat="NP"])'          a VP without an NP in it
or, with --syntax tregex,  'NP < DT !<< PP';  or, with --syntax example,  '(NP (DT the) ... (CP-REL ...))'

\b
Examples:
  permutree search '#n:[cat="NP"] & discontinuous(#n)' corpus.ptidx
  permutree search 'NP < (CP-REL=r $- NP)' dev.discbracket --syntax tregex --to tree --limit 5
  permutree search '[word="er"] .* #n:[pos="tw"]' alpino.ptidx --count-by '#n.word'
  permutree search '#r:[cat=/.*REL/] & extraposed(#r)' corpus.ptidx --sample 50 --seed 1 -o report.html
  permutree search 'intervener(#m, #n:[cat="VP"])' corpus.ptidx --json | jq .sentence

\b
The exit status is grep's: 0 if something was found, 1 if not, 2 for a query that cannot be understood or a wrong
call. Bad data is 1, too, with a message that names the place."""
)
@click.argument("query", metavar="QUERY")
@click.argument("files", nargs=-1, required=True, metavar="INDEX|FILE...")
@click.option(
    "--syntax",
    type=click.Choice(list(LANGUAGES)),
    default="tiger",
    show_default=True,
    help="Language of the query: TIGERSearch's, patterns of Tregex and TGrep2, or a tree with holes.",
)
@output_option()
@click.option(
    "--to",
    "form",
    type=click.Choice([*FORMS, *TREES]),
    help="What to write: keywords in context (kwic), drawn trees (tree, svg, html), tables (csv, tsv, parquet), an "
    "object a match (json), or the trees that match, each once, in a format of treebanks; guessed from the name of "
    "OUT, else kwic.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --to json.")
@click.option("--count", "only_count", is_flag=True, help="Print the number of matches alone.")
@click.option(
    "--count-by",
    metavar="KEYS",
    help="Print how many matches there are for each value: '#n.cat,#m.word', '#n.length', '#n.gaps', 'file', …",
)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Stop after N matches.")
@click.option("--sample", type=click.IntRange(1), metavar="N", help="Choose N of all matches by chance.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the sample.")
@click.option(
    "--unique", metavar="VARIABLES", help="Only these variables make a match ('#n,#m'); the same nodes come once."
)
@click.option(
    "--context", type=click.IntRange(0), metavar="N", help="Words to show on each side (kwic); all if not given."
)
@click.option(
    "--templates", multiple=True, metavar="FILE", help="Templates and types to use in the query (repeatable)."
)
@click.option("--timeout", type=float, metavar="SECONDS", help="Give up after this time.")
@click.option("--functions", is_flag=True, help="Show function labels in drawings.")
@click.option("--width", type=click.IntRange(0), metavar="COLUMNS", help="Draw trees that are wider as an outline.")
@colour_option
@reading_options
def command(
    query: str,
    files: tuple[str, ...],
    syntax: str,
    output: str,
    form: str | None,
    as_json: bool,
    only_count: bool,
    count_by: str | None,
    limit: int | None,
    sample: int | None,
    seed: int,
    unique: str | None,
    context: int | None,
    templates: tuple[str, ...],
    timeout: float | None,
    functions: bool,
    width: int | None,
    colour: str,
    source_format: str | None,
    charset: str,
    skip_bad: bool,
) -> None:
    """Find nodes of trees, discontinuous ones among them, in an INDEX or in treebank FILEs of any format.

    An index, which `permutree index` writes, is searched at once, however large it is; files are read first. Every
    combination of nodes that fits the query is a match.
    """
    if only_count + (count_by is not None) > 1:
        raise click.UsageError("--count and --count-by exclude each other.")
    if sample is not None and (limit is not None or only_count or count_by):
        raise click.UsageError("--sample does not go with --limit, --count and --count-by.")
    if (only_count or count_by) and limit is not None:
        raise click.UsageError("--limit does not go with --count and --count-by, which count all matches.")
    if templates and syntax != "tiger":
        raise click.UsageError("templates are a part of TIGERSearch's language: --syntax tiger.")
    form = "json" if as_json else form or _guess(output)
    parsed = parse_query("".join(Path(file).read_text("utf-8") + "\n" for file in templates) + query, syntax)
    names = None if unique is None else [name.strip().removeprefix("#") for name in unique.split(",")]
    with SkipBad(skip_bad) as on_error:
        corpus = Corpus.open(files, source_format, charset, on_error)
        if only_count:
            number = corpus.count(parsed, timeout=timeout, unique=names)
            write_file(output, f"{number}\n")
            _end(number > 0, parsed)
        if count_by is not None:
            keys = [key.strip() for key in count_by.split(",")]
            counts = corpus.count_by(parsed, keys, timeout=timeout, unique=names)
            with open_output(output) as stream:
                results.write_counts(counts, keys, stream, form if form in ("csv", "json") else "tsv")
            _end(bool(counts), parsed)
        with _bar(corpus, output) as bar:
            found = corpus.search(parsed, limit=limit, timeout=timeout, unique=names, on_sentences=bar)
            if sample is not None:
                found = iter(results.sample(found, sample, seed))
            first = next(found, None)
            matches = found if first is None else chain([first], found)
            if first is not None or output != "-":
                title = f"{query} · {title_of(files)}"
                options = _Options(output, room(output, width), has_colour(output, colour), context, functions, title)
                _write(matches, form, names or parsed.variables, options)
        _end(first is not None, parsed)


def _guess(output: str) -> str:
    """What to write, by the name of the file."""
    suffix = PurePath(strip_compression(output)).suffix.lower()
    named = next((form for form, suffixes in FORMS.items() if suffix in suffixes), None)
    trees = next((name for name in TREES if suffix in READABLE[name].suffixes), None)
    if named is None and trees is None and output != "-":
        if is_collection(output):
            return "svg"
        raise ConfigError(f"{output}: its name says no format; say which with --to: {', '.join([*FORMS, *TREES])}")
    return named or trees or "kwic"


class _Options:
    """How matches are written."""

    def __init__(
        self, output: str, width: int | None, colour: bool, context: int | None, functions: bool, title: str
    ) -> None:
        self.output = output
        self.width = width
        self.colour = colour
        self.context = context
        self.functions = functions
        self.title = title


def _write(matches: Iterator[Match], form: str, variables: Sequence[str], options: _Options) -> None:
    output = options.output
    if form in TREES:
        write(_trees(matches), output, form)
    elif form == "svg":
        _write_pictures(matches, options)
    elif form == "parquet":
        results.write_parquet(matches, variables, output)
    else:
        with open_output(output) as stream:
            if form == "json":
                results.write_json(matches, stream)
            elif form in ("csv", "tsv"):
                results.write_table(matches, variables, stream, "," if form == "csv" else "\t")
            elif form == "html":
                stream.writelines(results.page(matches, title=options.title, functions=options.functions))
            else:
                stream.writelines(_texts(matches, form, options))


def _texts(matches: Iterator[Match], form: str, options: _Options) -> Iterator[str]:
    for match in matches:
        place = results.place(match)
        place = f"\033[2m{place}\033[0m" if options.colour else place
        yield f"{place}: {results.kwic(match, context=options.context, colour=options.colour)}\n"
        if form == "tree":
            drawn = results.tree_text(match, width=options.width, colour=options.colour, functions=options.functions)
            yield f"{drawn}\n\n"


def _trees(matches: Iterator[Match]) -> Iterator[Tree]:
    """The trees of matches, each once."""
    last: tuple[object, int] | None = None
    for match in matches:
        here = match.segment, match.sentence_row
        if here != last:
            yield match.tree
        last = here


def _write_pictures(matches: Iterator[Match], options: _Options) -> None:
    pictures = (
        (f"{number}.svg", results.picture(match, functions=options.functions))
        for number, match in enumerate(matches, 1)
    )
    if is_collection(options.output):
        write_collection(options.output, pictures)
    elif "{}" in options.output:
        for name, content in pictures:
            write_file(options.output.replace("{}", PurePath(name).stem), content)
    else:
        some = next(pictures, None)
        if some is None:
            return
        if next(pictures, None) is not None:
            raise ConfigError(
                "a .svg file holds one tree, and there are several matches: use --limit 1, make a page with --to html, "
                "or name a directory (trees/) or numbered files ('tree-{}.svg')"
            )
        write_file(options.output, some[1])


@contextmanager
def _bar(corpus: Corpus, output: str) -> Iterator[Callable[[int], None]]:
    """A bar of sentences on standard error, if that is a terminal and the matches are not shown there."""
    from tqdm import tqdm

    disable = True if is_terminal(output) else None
    with tqdm(
        desc="searching",
        total=corpus.size,
        unit=" sentences",
        disable=disable,
        leave=False,
        unit_scale=True,
        delay=0.5,
    ) as bar:

        def update(count: int) -> None:
            bar.update(count)

        yield update


def _end(is_found: bool, parsed: ParsedQuery) -> NoReturn:
    """Exit as grep does; if nothing was found, say which labels or words of the query the corpus has not."""
    if not is_found:
        for hint in parsed.hints():
            say(str(hint))
    sys.exit(0 if is_found else 1)
