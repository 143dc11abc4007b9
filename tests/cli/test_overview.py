"""The overview of commands, and those that other packages add by an entry point."""

import time
from importlib import metadata
from importlib.metadata import EntryPoint, EntryPoints

import click
import pytest
from click.testing import CliRunner, Result

from permutree.cli import COMMANDS, permutree


@click.command(short_help="Brew coffee.")
def brew() -> None:
    """Brew coffee, a cup for each tree."""
    click.echo("done")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(permutree, arguments)


def install(monkeypatch: pytest.MonkeyPatch, **commands: str) -> None:
    """Pretend that a package with these commands is installed, and no other."""
    found = EntryPoints(EntryPoint(name, value, "permutree.commands") for name, value in commands.items())

    def entry_points(group: str) -> EntryPoints:
        return found.select(group=group)

    monkeypatch.setattr(metadata, "entry_points", entry_points)


def test_all_commands_are_listed_with_what_they_do(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch)
    shown = run("--help").stdout
    assert all(f"  {name} " in shown for name in COMMANDS)
    assert "experiment" not in shown


def test_a_command_of_another_package(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, brew=f"{__name__}:brew")
    assert "  brew      Brew coffee." in run("--help").stdout
    assert run("brew").stdout == "done\n"
    assert "did you mean 'brew'?" in run("brow").stderr


def test_no_package_replaces_a_command_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, stats=f"{__name__}:brew")
    assert run("--help").stdout.count("  stats ") == 1
    assert "Brew" not in run("stats", "--help").stdout


def test_a_package_that_is_broken_does_not_break_the_overview(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, brew="no_such_module:brew")
    assert "Cannot be loaded: No module named 'no_such_module'" in run("--help").stdout


def test_the_laboratory_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch)
    for arguments in (["experiment"], ["experiment", "list"]):
        result = run(*arguments)
        assert result.exit_code == 2
        assert "`pip install --editable lab` in a checkout of permutree" in " ".join(result.stderr.split())


def test_our_commands_need_no_look_at_other_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    def entry_points(group: str) -> EntryPoints:
        raise AssertionError("nobody asked for these")

    monkeypatch.setattr(metadata, "entry_points", entry_points)
    assert run("stats", "--help").exit_code == 0


def test_a_name_that_nothing_has(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch)
    result = run("prase")
    assert result.exit_code == 2
    assert "no command 'prase': did you mean 'parse'?" in result.stderr
    assert "there are convert, " in run("xyzzy").stderr


def test_the_overview_is_quick() -> None:
    run("--help")
    start = time.process_time()
    run("--help")
    assert time.process_time() - start < 0.5
