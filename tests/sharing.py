"""Which tests run in the same worker process.

Some tests share what takes long to make: a server, a browser, graphs, a trained model. Each worker process makes its
own, so those tests go to one of them. Marks of pytest-xdist would say the same, but pytest 9.2 does not heed them.
"""

from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

#: what is shared → how the names of the tests begin
TOGETHER = {
    "browser": ("tests/serving/page/",),
    "graphs": ("tests/networks/test_export.py", "tests/networks/test_graphs.py"),
    "grid": ("tests/lab/test_cli.py",),
    "server": ("tests/serving/test_server.py", "tests/serving/test_client.py"),
    "server with corpora": ("tests/serving/test_searching.py",),
    "server of the documentation": ("tests/docs/test_server.py",),
    "small parser": (
        "tests/cli/test_corpus.py",
        "tests/cli/test_parse.py",
        "tests/corpora/",
        "tests/docs/test_corpora.py",
        "tests/integrations/test_dask.py",
        "tests/integrations/test_ray.py",
        "tests/integrations/test_spark.py",
        "tests/parsing/test_joining.py",
        "tests/parsing/test_processes.py",
    ),
    "whole training": ("tests/training/test_killed.py",),
}
_GROUPS = {start: group for group, starts in TOGETHER.items() for start in starts}


def group_of(nodeid: str) -> str:
    """The group of a test; most have one of their own.

    >>> group_of("tests/networks/test_graphs.py::test_x"), group_of("tests/trees/test_tree.py::test_x")
    ('graphs', 'tests/trees/test_tree.py::test_x')
    """
    return next((group for start, group in _GROUPS.items() if nodeid.startswith(start)), nodeid)


class Sharing(LoadScopeScheduling):  # type: ignore[misc]
    """Gives worker processes groups of tests, large ones first."""

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)
