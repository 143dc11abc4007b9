"""Progress bars of calls from Python: on a terminal, in a notebook, and none where nobody looks."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from tqdm import tqdm

__all__ = ["in_notebook", "progress_bar"]

Item = TypeVar("Item")


def in_notebook() -> bool:
    """Whether this runs in a notebook, and not in a terminal, even one of IPython."""
    try:
        from IPython import get_ipython
    except ModuleNotFoundError:
        return False
    shell = get_ipython()
    return shell is not None and shell.__class__.__name__ == "ZMQInteractiveShell"


def progress_bar(items: Iterable[Item], *, shown: bool = True, **options: Any) -> tqdm[Item]:
    """A bar over items: a widget in a notebook that has ipywidgets, text otherwise, and nothing in a log or a pipe.

    Options are those of tqdm. ``shown=False`` is a bar that never shows.
    """
    from tqdm import tqdm

    kind: type[tqdm[Any]] = tqdm
    notebook = shown and in_notebook()
    if notebook and find_spec("ipywidgets") is not None:
        from tqdm.notebook import tqdm_notebook

        kind = tqdm_notebook
    # A notebook is no terminal, so tqdm would hide the bar there if it were to decide.
    disable = (False if notebook else None) if shown else True
    return kind(items, disable=disable, **options)
