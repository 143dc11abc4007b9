"""The commands of the page about model packages, run in order as they stand; pip is the tests' own."""

import re
import shlex
import shutil
import sys
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from permutree.cli import models as commands
from permutree.cli import permutree
from permutree.languages import all_languages
from permutree.models import folder, installing

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "guides" / "model-packages.md").read_text("utf-8")


def test_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(site), *sys.path])
    monkeypatch.setattr(commands, "is_typed", lambda: True)

    def pip(command: str, *arguments: str) -> None:
        if command == "install":
            with zipfile.ZipFile(arguments[-1]) as archive:
                archive.extractall(site)
        else:
            (site / "permutree_model_sv-1.0.dist-info").rename(site / "removed")

    monkeypatch.setattr(installing, "_pip", pip)
    blocks = re.findall(r"^```console\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    lines = [line.removeprefix("$ ") for block in blocks for line in block.splitlines()]
    assert len(lines) >= 10
    try:
        for line in lines:
            program, *arguments = shlex.split(line)
            assert program == "permutree"
            if arguments[0] == "export":
                # It takes long, and has tests of its own; here is what it would have written.
                assert arguments == ["export", "model", "--onnx", "--quantize", "-o", "small"]
                shutil.copytree(folder("de"), "small")
                continue
            # The languages that commands take were listed when their modules were imported.
            for module in [name for name in sys.modules if name.startswith("permutree.cli.")]:
                if module != commands.__name__:
                    monkeypatch.delitem(sys.modules, module)
            done = CliRunner().invoke(permutree, arguments, input="y\n")
            assert done.exit_code == 0, f"{line}\n{done.output}\n{done.exception}"
            all_languages.cache_clear()
    finally:
        all_languages.cache_clear()
