"""``permutree experiment``: grids of trainings, their results, tables and plots, and text that teaches."""

from __future__ import annotations

import click

from permutree_lab.cli.constructions import constructions
from permutree_lab.cli.measuring import claims, examples, speed
from permutree_lab.cli.running import cell, make, run
from permutree_lab.cli.showing import fill, list_experiments, plot, rekey, table
from permutree_lab.cli.teaching import teach

__all__ = ["command"]


@click.group(
    short_help="Run grids of trainings, and make tables and plots of their results.",
    epilog="""\b
Examples:
  permutree experiment list
  permutree experiment run encodings --treebanks treebanks/ --processes 10
  permutree experiment run encodings --treebanks treebanks/ --only treebank=alpino encoder=BiLSTM --dry-run
  permutree experiment run tiger --corpus tiger_release_aug07.corrected.16012013.xml
  permutree experiment table encodings
  permutree experiment fill docs/results/paper*.md
  permutree experiment make docs/results/paper*.md --treebanks treebanks/ --encoders encoders/ --processes 10""",
)
def command() -> None:
    """Run experiments: grids of trainings whose results become tables and plots.

    Experiments are TOML files in the folder `lab/grids` of the checkout; results go to `lab/results`, a line for each
    cell of the grid. A cell that has a result is not run again.
    """


_ALL = (list_experiments, run, cell, table, plot, claims, examples, speed, constructions, teach, make, fill, rekey)
for _one in _ALL:
    command.add_command(_one)
