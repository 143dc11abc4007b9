import json
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from packaged import write_settings
from permutree import __version__
from permutree.cli import permutree
from permutree.errors import ConfigError, DataError, TreeError
from permutree.models import folder

TREE = (
    "(VROOT (S (VP (VP (NP (PDS 0=Das)) (VVPP 4=gesagt)) (PTKNEG 3=nicht)) (VAFIN 1=habe) (NP (PPER 2=ich))) ($. 5=.))"
)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(permutree, ["report", *arguments])


def test_what_is_in_a_report() -> None:
    done = run("Das habe ich nicht gesagt.")
    assert done.exit_code == 0, done.output
    said = done.stdout
    assert f"- permutree {__version__}, Python " in said
    assert re.search(r"^- model de, checksum [0-9a-f]{32}$", said, re.MULTILINE)
    assert "- language German (guessed)" in said
    assert f"```text\n{TREE}\n```" in said
    assert "Das/PDS habe/VAFIN ich/PPER nicht/PTKNEG gesagt/VVPP ./$." in said
    assert "╞═" in said
    assert re.search(r"^\d\.\d\d  .*: ", said, re.MULTILINE)
    assert "No label was repaired." in said
    assert "Expected" not in said
    assert "paste this into an issue" in done.stderr


def test_the_difference_from_the_right_tree(tmp_path: Path) -> None:
    right = TREE.replace("NP (PDS", "PN (PDS").replace("PPER", "PIS")
    said = run("Das habe ich nicht gesagt.", "--expected", right).stdout
    assert "expected  PN: Das\nfound     NP: Das\ntag       ich: expected PIS, found PPER\n" in said
    (tmp_path / "gold.discbracket").write_text(TREE.replace("(VP (VP", "(VZ (VP") + "\n", "utf-8")
    said = run("Das habe ich nicht gesagt .", "--words", "--expected", str(tmp_path / "gold.discbracket")).stdout
    assert "expected  VZ: Das … nicht gesagt\nfound     VP: Das … nicht gesagt\n```" in said
    assert "No difference." in run("Das habe ich nicht gesagt.", "--expected", TREE).stdout


def test_other_words_are_told() -> None:
    said = run("Das ist gut!", "--lang", "de", "--expected", "(S (A 0=Das) (B 1=ist) (C 2=gut!))").stdout
    assert "The words differ" in said
    assert "found     Das ist gut !\nexpected  Das ist gut!" in said


def test_hostile_text_stays_behind_its_fence(tmp_path: Path) -> None:
    text = "Das ```` <b>x</b>\x1b[2J \u202eist gut."
    said = run(text, "--lang", "de").stdout
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", said)
    assert "`````text\nDas ```` <b>x</b>␛[2J \ufffdist gut.\n`````" in said
    assert r'"Das ```` <b>x</b>\u001b[2J \u202eist gut."' in said


def test_where_a_folder_is_stays_private(tmp_path: Path) -> None:
    shutil.copytree(folder("de"), tmp_path / "mine")
    said = run("Das ist gut.", "--model", str(tmp_path / "mine")).stdout
    assert "- model mine, checksum " in said
    assert str(tmp_path) not in said
    assert "- language German (given)" in said


def test_a_language_without_rules(tmp_path: Path) -> None:
    shutil.copytree(folder("de"), tmp_path / "mine")
    settings = json.loads((tmp_path / "mine" / "config.json").read_text("utf-8"))
    settings["facts"]["language"] = "zz"
    write_settings(tmp_path / "mine", settings)
    said = run("Das ist gut .", "--words", "--model", str(tmp_path / "mine")).stdout
    assert "- language zz (given)" in said
    assert isinstance(run("Das ist gut.", "--model", str(tmp_path / "mine")).exception, ConfigError)


def test_mistakes(tiny_tagger: Path, tmp_path: Path) -> None:
    (tmp_path / "two.discbracket").write_text(f"{TREE}\n{TREE}\n", "utf-8")
    for arguments, error, message in (
        (("Gut.", "--expected", "(S"), TreeError, "unbalanced brackets"),
        (
            ("Gut.", "--expected", str(tmp_path / "two.discbracket")),
            DataError,
            "has 2 trees; --expected wants a file with one",
        ),
        (("Good.", "--model", str(tiny_tagger), "--lang", "en"), ConfigError, "does not parse text without tags"),
    ):
        with pytest.raises(error, match=message):
            raise run(*arguments).exception or AssertionError
    assert "the sentence is empty" in run(" ").stderr
    assert "--expected is for one sentence, and these are 2" in run("Gut. Sehr gut.", "--expected", TREE).stderr
