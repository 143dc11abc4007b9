"""Makes a virtual environment with the lowest versions that ``pyproject.toml`` allows.

$ make test-oldest

What the requirements need in turn is as new as it can be beside them.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from lock import ROOT, build_system, declared


def main() -> None:
    """Make the environment, and install permutree and the laboratory in it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    uv = [sys.executable, "-m", "uv"]
    python = ["--python", str(options.folder / "bin" / "python")]
    subprocess.run([*uv, "venv", "--clear", "--python", sys.executable, str(options.folder)], check=True)
    requirements = [*declared("test"), *build_system()]
    install = [*uv, "pip", "install", *python]
    subprocess.run([*install, "--resolution", "lowest-direct", *requirements], check=True)
    ours = ["--editable", str(ROOT), "--editable", str(ROOT / "lab")]
    subprocess.run([*install, "--no-deps", "--no-build-isolation", *ours], check=True)


if __name__ == "__main__":
    main()
