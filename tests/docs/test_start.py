"""The first pages: what they tell to type works as it stands there, and answers what they show."""

import re
import shutil
from pathlib import Path

import pytest
import torch

from conftest import script
from documented import DOCS, SETTING_UP, Shell, blocks_of, check, copy_to, run_page
from permutree import read
from served import serve


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("page", "least"), [("index.md", 5), ("start/count-a-construction.md", 8)])
def test_a_page_runs_as_it_stands(page: str, least: int) -> None:
    assert run_page((DOCS / page).read_text("utf-8"), Shell(), exact=True) >= least


def test_the_sample_is_what_its_script_makes() -> None:
    trees = script("sample_treebank.py").make_trees()
    assert [tree.discbracket() for tree in read(DOCS / "start" / "sample.xml")] == [
        tree.discbracket() for tree in trees
    ]
    assert sum(tree.is_discontinuous for tree in trees) > 50


@pytest.mark.usefixtures("operators_once")
def test_a_newcomer_trains_exports_and_serves_a_parser(folder: Path) -> None:
    """Copies the commands of the tutorial, one by one, with nothing there but the sample."""
    torch.set_num_threads(1)
    copy_to(folder, "start/sample.xml")
    blocks = blocks_of((DOCS / "start" / "train-a-parser.md").read_text("utf-8"))
    typed = [command for block in blocks for command in block.commands if not command[0].startswith(SETTING_UP)]
    (code,) = (block.text for block in blocks if block.language == "python")
    at = next(number for number, (line, _) in enumerate(typed) if line.startswith("permutree serve "))
    shell = Shell(tiny=False)
    said = {}
    for line, shown in typed[:at]:
        answer = shell.run(line)
        check(line, shown, answer)
        said[line.split()[1]] = answer.out
    assert {"convert", "train", "parse", "evaluate", "export", "info"} <= said.keys()
    scores = re.search(r"labeled f-measure +([\d.]+) +[\d.]+ +([\d.]+)", said["evaluate"])
    assert scores is not None
    assert min(map(float, scores.groups())) > 50
    assert not (folder / "small" / "model.safetensors").exists()
    ((curl, _),) = typed[at + 1 :]
    with serve(*typed[at][0].removeprefix("permutree serve ").split()) as server:
        assert server.get("/").status == 200
        exec(code.replace("http://127.0.0.1:8000", server.url), {})
        if shutil.which("curl") is not None:
            # Older versions of curl have no --json.
            curl = curl.replace("--json", "-H 'Content-Type: application/json' -d")
            answer = shell.run(curl.replace("localhost:8000", f"localhost:{server.port}"))
            check(curl, "", answer)
            assert "0=Den" in answer.out


@pytest.mark.parametrize("page", ["discontinuity", "encodings", "parser"])
def test_a_page_of_explanations_runs_and_its_pictures_are_what_it_draws(page: str, folder: Path) -> None:
    assert run_page((DOCS / "explained" / f"{page}.md").read_text("utf-8"), Shell(), exact=True)
    for drawn in folder.glob("*.svg"):
        assert drawn.read_text("utf-8") == (DOCS / "explained" / "images" / drawn.name).read_text("utf-8"), drawn.name
