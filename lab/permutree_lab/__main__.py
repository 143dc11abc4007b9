"""``python -m permutree_lab`` is ``permutree experiment``, also where no entry point leads to it."""

import sys

from permutree.cli import main, permutree
from permutree_lab.cli import command

if __name__ == "__main__":
    permutree.add_command(command, "experiment")
    sys.argv.insert(1, "experiment")
    main()
