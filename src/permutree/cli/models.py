"""``permutree models``: the models that are here, and packages of models to install, check, remove and build."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from permutree.cli.terminal import is_typed, say, show, show_json, show_rows
from permutree.errors import ConfigError, DataError, PermutreeError
from permutree.models import bundled, folder
from permutree.models.packages import PREFIX, installed, settings_of

_TAKEN = "the bundled model is called {0}; a package needs a name of its own, as in {0}-2"
_yes_option = click.option("-y", "--yes", is_flag=True, help="Do not ask.")
_json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group(
    no_args_is_help=True,
    epilog="""\b
Examples:
  permutree models list
  permutree models install permutree_model_sv-1.0-py3-none-any.whl
  permutree models build model --name sv --lang sv --licence CC-BY-4.0""",
)
def command() -> None:
    """List, install, verify, remove and build models.

    Models for four languages come with permutree. Others are packages, permutree-model-NAME: wheels that hold a model
    and nothing that runs. Once installed, a model goes by its NAME, as the bundled ones do: `permutree parse --model
    NAME`, `--lang CODE` if no other model has its language, Parser.load("NAME"), and `permutree serve` offers it.
    """


@command.command(
    "list",
    epilog="""\b
Examples:
  permutree models list
  permutree models list --json
  permutree models list my-models/""",
)
@click.argument("folders", nargs=-1, metavar="[FOLDER]...")
@_json_option
def list_models(folders: tuple[str, ...], as_json: bool) -> None:
    """List the bundled models, the installed ones, and those in FOLDERs."""
    found = list(_entries(folders))
    if as_json:
        show_json(found)
        return
    rows: list[tuple[str, ...]] = [("model", "language", "licence", "F1", "disc. F1", "scored on", "MB", "from")]
    for entry in found:
        first = next(iter(entry["scores"]), {"f1": None, "discontinuous f1": None, "on": ""})
        rows.append(
            (
                entry["name"],
                entry["language"] or "?",
                entry["licence"] or "?",
                _figure(first["f1"]),
                _figure(first["discontinuous f1"]),
                str(first["on"]),
                f"{entry['bytes'] / 1e6:,.1f}",
                entry["from"],
            )
        )
    show_rows(rows, left=3)


def _entries(folders: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """What is known of each model, in the order of the list."""
    ours = bundled()
    for name in ours:
        yield {"name": name, "from": "bundled", **_described(folder(name))}
    for name, package in installed().items():
        where = f"{package.distribution} {package.version}"
        hidden = " (the bundled one has its name: not used)" if name in ours else ""
        yield {"name": name, "from": where + hidden, **_described(package.folder)}
    for given in folders:
        place = Path(given)
        inside = [config.parent for config in sorted(place.glob("*/config.json"))]
        if not (place / "config.json").is_file() and not inside:
            raise DataError("no model, and no folder of models", source=given)
        for model in [place] if (place / "config.json").is_file() else inside:
            yield {"name": str(model), "from": "folder", **_described(model)}


def _described(place: Path) -> dict[str, Any]:
    """Language, licence, scores and size of a model, as far as it says them."""
    found = settings_of(place).get("facts")
    facts = found if isinstance(found, dict) else {}
    files = list(place.glob("*")) if place.is_dir() else []
    return {
        "language": _text(facts.get("language")),
        "licence": _text(facts.get("licence")),
        "data": _text(facts.get("data")),
        "scores": list(_scores(facts)),
        "bytes": sum(file.stat().st_size for file in files if file.is_file()),
        "folder": str(place),
    }


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _scores(facts: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The scores of a model: on test sets, where there are such, then on dev sets."""
    treebanks = facts.get("scores")
    found = [
        (f"{treebank} {split}", splits[split])
        for split in ("test", "dev")
        for treebank, splits in (treebanks.items() if isinstance(treebanks, dict) else ())
        if isinstance(splits, dict) and split in splits
    ]
    for where, scores in [*found, ("its dev set", facts.get("dev"))]:
        if isinstance(scores, dict) and isinstance(scores.get("f1"), int | float):
            yield {"on": where, "f1": scores["f1"], "discontinuous f1": scores.get("discontinuous f1")}


def _figure(value: object) -> str:
    return f"{value:.1f}" if isinstance(value, int | float) else "-"


@command.command(
    epilog="""\b
Examples:
  permutree models install permutree_model_sv-1.0-py3-none-any.whl
  permutree models install sv
  permutree models install permutree-model-sv==1.0 --yes"""
)
@click.argument("model", metavar="WHEEL|NAME")
@_yes_option
def install(model: str, yes: bool) -> None:
    """Install a model: a WHEEL that is here, or the package permutree-model-NAME from where pip looks for packages.

    The wheel is unpacked aside and checked. Then its licence and scores are shown, and you are asked. Nothing of a
    package is run: one that holds more than a model and metadata is refused. pip installs the wheel without
    dependencies.
    """
    from permutree.models.inspection import inspected
    from permutree.models.installing import download, requirement_of
    from permutree.models.installing import install as install_wheel

    with tempfile.TemporaryDirectory(prefix="permutree-model-") as scratch:
        # What is checked is what is installed, whatever becomes of the file meanwhile.
        if model.endswith(".whl"):
            wheel = Path(scratch, Path(model).name)
            try:
                shutil.copyfile(model, wheel)
            except OSError as error:
                raise DataError(f"{error.strerror}; name a wheel that is here", source=model) from None
        else:
            requirement = requirement_of(model)
            if requirement is None:
                raise ConfigError(
                    f"{model!r} is neither a wheel nor the name of a model: say FILE.whl, sv or {PREFIX}sv"
                )
            say(f"downloading {requirement}")
            wheel = download(requirement, Path(scratch))
        with inspected(wheel) as found:
            name = found.name.model
            if name in bundled():
                raise ConfigError(_TAKEN.format(name))
            described = _described(found.folder)
            rows = [
                ("model", name),
                ("package", f"{found.name.distribution} {found.name.version}"),
                ("summary", found.summary or "-"),
                ("language", described["language"] or "not stated"),
                ("licence", found.licence or "not stated: ask who made it"),
                ("trained on", described["data"] or "not stated"),
                *(
                    (f"F1 / disc. F1, {one['on']}", f"{_figure(one['f1'])} / {_figure(one['discontinuous f1'])}")
                    for one in described["scores"]
                ),
                ("size", f"{found.size / 1e6:,.1f} MB, installed {found.unpacked / 1e6:,.1f} MB"),
                ("checksums", f"{found.checked} files as they should be" if found.checked else "none: an old model"),
            ]
            show_rows(rows, left=2)
        before = installed().get(name)
        if before is not None:
            say(f"replaces {before.distribution} {before.version}")
        _ask("Install it?", yes)
        install_wheel(wheel)
    now = installed().get(name)
    if now is None:
        raise ConfigError(f"pip installed {wheel.name} where this Python does not look for packages")
    say(f"{name} is installed: permutree parse --model {name}")


def _ask(question: str, yes: bool) -> None:
    """Go on if somebody says yes."""
    if yes:
        return
    if not is_typed():
        raise click.UsageError("there is nobody to ask: add --yes if it is to be done.")
    click.confirm(question, abort=True, err=True)


@command.command(
    epilog="""\b
Examples:
  permutree models verify
  permutree models verify en sv model/"""
)
@click.argument("models", nargs=-1, metavar="[NAME|FOLDER]...")
@_json_option
def verify(models: tuple[str, ...], as_json: bool) -> None:
    """Check that the files of models are there, have their checksums and fit together; all by name, if none is named.

    The exit status is 1 if one of them does not.
    """
    from permutree.models.verifying import verify as verify_folder

    places = {name: folder(name) for name in (models or (*bundled(), *installed()))}
    found: list[dict[str, Any]] = []
    for name, place in places.items():
        try:
            found.append({"name": name, "files": verify_folder(place), "fault": None})
        except PermutreeError as error:
            found.append({"name": name, "files": 0, "fault": str(error)})
    if as_json:
        show_json(found)
    else:
        for entry in found:
            fine = f"{entry['files']} files as they should be" if entry["files"] else "no checksums: an old model"
            show(f"{entry['name']}: {entry['fault'] or fine}")
    if any(entry["fault"] for entry in found):
        raise DataError("some models are damaged: install, copy or export them anew")


@command.command(
    epilog="""\b
Examples:
  permutree models remove sv"""
)
@click.argument("model", metavar="NAME")
@_yes_option
def remove(model: str, yes: bool) -> None:
    """Remove the installed model NAME."""
    from permutree.models.installing import remove as remove_package

    packages = installed()
    name = model.removeprefix(PREFIX)
    if name not in packages:
        if name in bundled():
            raise ConfigError(f"{name} comes with permutree, and is no package of its own")
        there_are = f"there are {', '.join(packages)}" if packages else "there are none"
        raise ConfigError(f"no installed model {name!r}: {there_are}")
    package = packages[name]
    say(f"{package.distribution} {package.version} in {package.folder}")
    _ask("Remove it?", yes)
    remove_package(package.distribution)
    if name in installed():
        raise ConfigError(f"pip did not remove {package.distribution}; it is in {package.folder}")
    say(f"{name} is removed")


@command.command(
    epilog="""\b
Examples:
  permutree export model --onnx --quantize -o small
  permutree models build small --name sv --lang sv --language-name Swedish --licence CC-BY-4.0 -o dist
  permutree models install dist/permutree_model_sv-1.0-py3-none-any.whl"""
)
@click.argument("model", metavar="MODEL")
@click.option(
    "--name", required=True, help="What the model will be called: sv, de-law, … The package is named after it."
)
@click.option("--licence", "--license", required=True, metavar="SPDX", help="SPDX expression, such as CC-BY-4.0.")
@click.option("--version", default="1.0", show_default=True, help="Version of the package.")
@click.option("-l", "--lang", "language", metavar="CODE", help="Language of the model, if the model does not say it.")
@click.option("--language-name", metavar="NAME", help="What the language is called, if permutree does not know it.")
@click.option(
    "--licence-file", type=click.Path(), metavar="FILE", help="Text of the licence; if not given, MODEL/LICENSE."
)
@click.option("--summary", metavar="TEXT", help="A line that says what the model is.")
@click.option("--url", help="Where the model comes from.")
@click.option("-o", "--output", default="dist", show_default=True, metavar="FOLDER", help="Where the wheel is put.")
def build(
    model: str,
    name: str,
    licence: str,
    version: str,
    language: str | None,
    language_name: str | None,
    licence_file: str | None,
    summary: str | None,
    url: str | None,
    output: str,
) -> None:
    """Make a wheel of the model folder MODEL, which others install as permutree-model-NAME.

    The wheel holds the files of the model and its card, and nothing that runs. The same model gives the same bytes.
    """
    from permutree.formats.targets import check_folder
    from permutree.model.folder import GRAPHS
    from permutree.models.wheels import build_wheel

    if name in bundled():
        raise ConfigError(_TAKEN.format(name))
    check_folder(output)
    place = folder(model)
    wheel = build_wheel(
        place,
        Path(output),
        name=name,
        licence=licence,
        version=version,
        language=language,
        language_name=language_name,
        licence_file=None if licence_file is None else Path(licence_file),
        summary=summary,
        url=url,
    )
    if not (place / GRAPHS[1]).exists():
        say(
            "the model has no graphs, so it needs PyTorch where it is installed; `permutree export --onnx` makes graphs"
        )
    show(str(wheel))
