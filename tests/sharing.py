"""Which tests run in the same worker process, and which are begun first.

Some tests share what takes long to make: a server, a browser, graphs, a corpus. Each worker process makes its own, so
those tests go to one of them, and are begun first. Marks of pytest-xdist would say the same, but pytest 9.2 does not
heed them. All others go by their files, as fixtures of modules would be made in each worker process too. Files whose
tests take long one by one come last, so that no worker process is idle while another has a whole file to do.
"""

from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

#: what is shared → how the names of the tests begin; what takes longest comes first
TOGETHER = {
    "browser": ("tests/serving/page/",),
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
    "graphs": ("tests/networks/test_export.py", "tests/networks/test_graphs.py"),
    "warm processes": ("tests/lab/test_cli.py", "tests/training/test_killed.py"),
    "server": ("tests/serving/test_server.py", "tests/serving/test_client.py"),
    "copy of the checkout": ("tests/docs/test_contributing.py",),
    "grids": ("tests/lab/teaching/test_files.py", "tests/lab/test_grid.py", "tests/lab/test_train_bundled.py"),
    "server with corpora": ("tests/serving/test_searching.py",),
    "server of the documentation": ("tests/docs/test_server.py",),
}
#: files whose tests share nothing and take long: each is by itself
ALONE = (
    "tests/cli/test_streams.py",
    "tests/docs/test_notebooks.py",
    "tests/docs/test_pages.py",
    "tests/docs/test_start.py",
    "tests/encoding/test_codec.py",
    "tests/integrations/test_missing.py",
    "tests/lab/test_offline.py",
    "tests/languages/test_sentences.py",
    "tests/models/test_bundled.py",
    "tests/training/",
)
_GROUPS = {start: group for group, starts in TOGETHER.items() for start in starts}


def group_of(nodeid: str) -> str:
    """The group of a test: what it shares, itself, or its file.

    >>> group_of("tests/networks/test_graphs.py::test_x"), group_of("tests/trees/test_tree.py::test_x")
    ('graphs', 'tests/trees/test_tree.py')
    >>> group_of("tests/training/test_loop.py::test_x")
    'tests/training/test_loop.py::test_x'
    """
    group = next((group for start, group in _GROUPS.items() if nodeid.startswith(start)), None)
    return group or (nodeid if nodeid.startswith(ALONE) else nodeid.partition("::")[0])


class Sharing(LoadScopeScheduling):  # type: ignore[misc]
    """Gives worker processes groups of tests: first those that share what takes long to make, last single tests."""

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)

    def _assign_work_unit(self, node: object) -> None:
        first = next((group for group in TOGETHER if group in self.workqueue), None)
        if first is not None:
            self.workqueue.move_to_end(first, last=False)
        super()._assign_work_unit(node)
