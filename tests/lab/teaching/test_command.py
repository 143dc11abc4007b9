from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from permutree import read
from permutree.errors import ConfigError
from permutree_lab.cli import command

SAID = (
    "(ROOT (S (NP (DT 0=The) (NN 1=judge)) (VP (VBD 2=said) (SBAR (IN 3=that) "
    "(S (NP (DT 4=the) (NN 5=plan)) (VP (VBD 6=failed))))) (. 7=.)))\n"
)


def teach(*arguments: str | Path) -> Result:
    return CliRunner().invoke(command, ["teach", *map(str, arguments)])


def test_the_grammar_writes_as_many_trees_as_asked(tmp_path: Path) -> None:
    out = tmp_path / "grammar.discbracket"
    result = teach("en", "--count", "30", "-o", out, "--kinds", "it-clause,imperative")
    assert result.exit_code == 0, result.output
    assert len([*read(out)]) == 30
    assert "it-clause" in result.stderr
    assert result.stderr.splitlines()[-1] == "    30  trees"
    first = out.read_text(encoding="utf-8")
    teach("en", "--count", "30", "-o", out, "--kinds", "it-clause,imperative")
    assert out.read_text(encoding="utf-8") == first


def test_trees_are_rewritten_and_sentences_avoided(tmp_path: Path) -> None:
    trees, suite = tmp_path / "train.discbracket", tmp_path / "dev.txt"
    trees.write_text(SAID, encoding="utf-8")
    suite.write_text("== parenthetical\n{a The plan} , {b the judge said} , {a failed} .\n", encoding="utf-8")
    made = teach("en", trees, "--kinds", "own-parenthetical").stdout
    assert made.startswith("(ROOT (PRN (S (VP ")
    assert not teach("en", trees, "--kinds", "own-parenthetical", "--avoid", suite).stdout


def test_the_suite_of_constructions_is_avoided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trees, suite = tmp_path / "train.discbracket", tmp_path / "constructions" / "en"
    trees.write_text(SAID, encoding="utf-8")
    suite.mkdir(parents=True)
    (suite / "test.txt").write_text("{a The plan} , {b the judge said} , {a failed} .\n", encoding="utf-8")
    assert teach("en", trees, "--kinds", "own-parenthetical").stdout
    monkeypatch.setattr("permutree_lab.cli.teaching.LAB", tmp_path)
    assert not teach("en", trees, "--kinds", "own-parenthetical").stdout


def test_unknown_languages_and_kinds_are_named() -> None:
    for arguments, message in [(("xx",), "no lessons for 'xx'"), (("en", "--kinds", "nonsense"), "no kind 'nonsense'")]:
        error = teach(*arguments).exception
        assert isinstance(error, ConfigError)
        assert message in str(error)


def test_rules_that_a_treebank_lacks_are_reported(tmp_path: Path) -> None:
    treebank = tmp_path / "train.discbracket"
    treebank.write_text("(ROOT (smain (vnw 0=Hij) (ww 1=slaapt)) (let 2=.))\n", "utf-8")
    made = tmp_path / "made.discbracket"
    result = teach("nl", "--count", "5", "--kinds", "imperative", "-o", made, "--attested", treebank)
    assert result.exit_code == 0
    assert "rules are in the treebanks" in result.stderr
    assert "sv1 below ROOT is not there" in result.stderr
