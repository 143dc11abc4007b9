import json

from click.testing import CliRunner

from permutree.cli import permutree


def test_all_meanings_are_printed() -> None:
    result = CliRunner().invoke(permutree, ["explain", "smain", "CD"])
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "smain  Dutch    constituent  main clause with the finite verb in second place",
        "CD     English  tag          cardinal number",
        "CD     German   function     coordinating conjunction",
    ]


def test_one_language() -> None:
    result = CliRunner().invoke(permutree, ["explain", "CD", "--lang", "de"])
    assert result.stdout == "CD  German  function  coordinating conjunction\n"


def test_json() -> None:
    result = CliRunner().invoke(permutree, ["explain", "SBARQ", "--json"])
    text = "direct question introduced by a wh-word"
    assert json.loads(result.stdout) == [{"label": "SBARQ", "language": "en", "kind": "constituent", "text": text}]


def test_unknown_labels() -> None:
    result = CliRunner().invoke(permutree, ["explain", "smian", "NML", "§§§§"])
    assert result.exit_code == 1
    assert result.stdout.startswith("NML  English")
    assert "no label 'smian': near ones are smain" in result.stderr
    assert "no label '§§§§': `permutree explain` without a label shows all" in result.stderr


def test_nothing_but_unknown_labels_as_json() -> None:
    result = CliRunner().invoke(permutree, ["explain", "smian", "--json"])
    assert result.exit_code == 1
    assert json.loads(result.stdout) == []


def test_the_whole_glossary() -> None:
    dutch = CliRunner().invoke(permutree, ["explain", "--lang", "nl"]).stdout.splitlines()
    assert {line.split()[1] for line in dutch} == {"Dutch"}
    assert {line.split()[2] for line in dutch} == {"constituent", "tag", "function"}
    assert len(CliRunner().invoke(permutree, ["explain"]).stdout.splitlines()) > 400


def test_unknown_languages() -> None:
    result = CliRunner().invoke(permutree, ["explain", "NP", "--lang", "fr"])
    assert result.exit_code == 2
    assert "'en', 'nl', 'de', 'is'" in result.stderr
