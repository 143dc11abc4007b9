"""Puts a bill of materials into the wheel: what permutree needs at run time, and the models that come with it.

The file is CycloneDX in JSON, in ``permutree-*.dist-info/sboms/`` (PEP 770). The same tree gives the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ModuleNotFoundError:  # where only the bill is wanted
    BuildHookInterface = object

FILE = "build/permutree.cdx.json"


def bill_of_materials(root: Path, version: str) -> dict[str, Any]:
    """The bill of materials of a checkout."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    whole = {
        "type": "library",
        "bom-ref": "permutree",
        "name": "permutree",
        "version": version,
        "description": project["description"],
        "licenses": [{"expression": project["license"]}],
        "purl": f"pkg:pypi/permutree@{version}",
    }
    needed = [_requirement(requirement) for requirement in sorted(project["dependencies"])]
    models = [_model(folder) for folder in sorted((root / "src" / "permutree" / "models").iterdir()) if folder.is_dir()]
    models = [model for model in models if model["components"]]
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": whole},
        "components": [*needed, *models],
        "dependencies": [
            {"ref": "permutree", "dependsOn": [component["bom-ref"] for component in (*needed, *models)]},
        ],
    }


def _requirement(requirement: str) -> dict[str, Any]:
    """A package that pip installs beside permutree; which version is decided then."""
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert found is not None
    return {
        "type": "library",
        "bom-ref": f"pkg:pypi/{found[0]}",
        "name": found[0],
        "scope": "required",
        "purl": f"pkg:pypi/{found[0]}",
        "properties": [{"name": "permutree:requirement", "value": requirement}],
    }


def _model(folder: Path) -> dict[str, Any]:
    """A bundled model with the checksums of its files."""
    settings = folder / "config.json"
    facts = json.loads(settings.read_text("utf-8")).get("facts", {}) if settings.exists() else {}
    files = [file for file in sorted(folder.iterdir()) if file.is_file()] if settings.exists() else []
    return {
        "type": "machine-learning-model",
        "bom-ref": f"permutree/models/{folder.name}",
        "name": folder.name,
        "description": f"parser for the language {folder.name}, trained on {facts.get('data', 'unknown data')}",
        "licenses": [{"license": {"name": facts.get("licence", "unknown")}}],
        "components": [
            {
                "type": "file",
                "bom-ref": f"permutree/models/{folder.name}/{file.name}",
                "name": f"permutree/models/{folder.name}/{file.name}",
                "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(file.read_bytes()).hexdigest()}],
            }
            for file in files
        ],
    }


class SbomHook(BuildHookInterface):  # type: ignore[misc,valid-type,unused-ignore]
    """Writes the bill of materials before the wheel is packed."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the file, and name it to the build."""
        if self.target_name != "wheel" or version == "editable":
            return
        root = Path(self.root)
        path = root / FILE
        path.parent.mkdir(exist_ok=True)
        bill = bill_of_materials(root, self.metadata.version)
        path.write_text(json.dumps(bill, indent=1, ensure_ascii=False) + "\n", "utf-8")
        build_data["sbom_files"].append(FILE)
