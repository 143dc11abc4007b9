import subprocess
import sys

import pytest

from permutree.errors import INSTALL_TRAIN, model_packages

MESSAGE = f"models need the package torch, which is not here: {INSTALL_TRAIN}"


def without_torch(*statements: str) -> subprocess.CompletedProcess[str]:
    """Run statements where PyTorch is not installed."""
    code = "\n".join(["import sys", "sys.modules['torch'] = None", *statements])
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)


def test_training_without_torch() -> None:
    ended = without_torch("import permutree", "permutree.train('fast', train='a.dbr', dev='b.dbr', out='model')")
    assert ended.stderr.splitlines()[-1] == f"permutree.errors.ConfigError: {MESSAGE}"


def test_the_command_line_says_so_too() -> None:
    arguments = ["permutree", "train", "fast", "--train", "a.dbr", "--dev", "b.dbr", "--out", "model"]
    ended = without_torch(f"sys.argv = {arguments}", "from permutree.cli import main", "main()")
    assert (ended.stderr, ended.returncode) == (f"permutree: error: {MESSAGE}\n", 2)


def test_other_modules_that_are_not_there_are_bugs() -> None:
    with pytest.raises(ModuleNotFoundError), model_packages():
        import no_such_module  # type: ignore[import-not-found] # noqa: F401
