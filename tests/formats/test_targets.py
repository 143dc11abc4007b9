"""Where output goes: what is replaced, what is written to as it is, and what is refused."""

import os
import pickle
import stat
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from permutree import FileError, Tree, write
from permutree.errors import PermutreeError
from permutree.formats.sinks import open_output, whole_file, write_file
from permutree.formats.targets import check_folder, check_output, descriptor, is_device

TREE = Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))")
posix = pytest.mark.skipif(sys.platform == "win32", reason="modes, devices and pipes of POSIX")
root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may do this")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@posix
def test_a_new_file_has_the_mode_of_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_file(tmp_path / "new", "x")
        write([TREE], f"{tmp_path}/trees/", "svg")
    finally:
        os.umask(before)
    assert mode(tmp_path / "new") == 0o640
    assert mode(tmp_path / "trees") == 0o750
    assert mode(tmp_path / "trees" / "1.svg") == 0o640


@posix
def test_a_library_that_writes_a_file_of_its_own_does_not_hide_it(tmp_path: Path) -> None:
    """Such as safetensors, which puts a file in place that only its owner may read."""
    before = os.umask(0o022)
    try:
        with whole_file(tmp_path / "weights") as temporary:
            other = tmp_path / "other"
            other.touch(0o600)
            other.replace(temporary)
    finally:
        os.umask(before)
    assert mode(tmp_path / "weights") == 0o644


@posix
@pytest.mark.parametrize("bits", [0o600, 0o664, 0o755, 0o606])
def test_an_old_file_keeps_its_mode(bits: int, tmp_path: Path) -> None:
    file = tmp_path / "old"
    file.write_text("old", "utf-8")
    file.chmod(bits)
    with open_output(file) as stream:
        stream.write("new")
        stream.flush()
        (hidden,) = tmp_path.glob(".old*")
        # Nobody reads what is being written who may not read the file.
        assert mode(hidden) == 0o600
    assert (mode(file), file.read_text("utf-8")) == (bits, "new")


@posix
@root
def test_root_keeps_the_owner(tmp_path: Path) -> None:
    file = tmp_path / "old"
    file.write_text("old", "utf-8")
    os.chown(file, 1234, 2345)
    file.chmod(0o4711)
    write_file(file, "new")
    assert (file.stat().st_uid, file.stat().st_gid, mode(file)) == (1234, 2345, 0o4711)


@posix
def test_an_owner_that_cannot_be_kept_costs_the_special_bits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from permutree.formats.targets import keep_mode

    file = tmp_path / "old"
    file.write_text("old", "utf-8")

    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "chown", refuse)
    old = os.stat_result((0o104755, 0, 0, 1, os.getuid() + 1, os.getgid(), 0, 0, 0, 0))
    keep_mode(file, old)
    assert mode(file) == 0o755


@posix
@root
@pytest.mark.parametrize("how", ["open_output", "write_file", "whole_file", "archive"])
def test_a_device_stays_a_device(how: str, tmp_path: Path) -> None:
    # A copy of /dev/null: the one of the machine is not risked.
    device = tmp_path / ("null.zip" if how == "archive" else "null")
    try:
        os.mknod(device, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
        device.write_text("", "utf-8")
    except PermissionError:
        pytest.skip("devices cannot be made here")
    if how == "open_output":
        write([TREE], device, "jsonl")
    elif how == "write_file":
        write_file(device, "x")
    elif how == "archive":
        write([TREE], device, "svg")
    else:
        with whole_file(device) as path:
            path.write_text("x", "utf-8")
    assert stat.S_ISCHR(device.stat().st_mode)
    assert list(tmp_path.iterdir()) == [device]


@posix
def test_a_link_to_a_device_is_followed(tmp_path: Path) -> None:
    link, other = tmp_path / "null", tmp_path / "other"
    link.symlink_to("/dev/full")
    other.symlink_to("null")
    assert is_device(other)
    with pytest.raises(FileError, match=r"other: No space left on device"):
        write_file(other, "x")
    assert link.is_symlink()
    assert other.is_symlink()


@posix
def test_open_files_are_told_by_their_names(tmp_path: Path) -> None:
    link = tmp_path / "log"
    link.symlink_to("/dev/stdout")
    names = ["/dev/stdout", "/dev/fd/63", "/proc/self/fd/2", link, "/dev/null", tmp_path / "new", "/dev/shm/x"]
    assert [descriptor(str(name)) for name in names] == [1, 63, 2, 1, None, None, None]


@posix
def test_what_is_open_is_written_to_where_it_is(tmp_path: Path) -> None:
    file = tmp_path / "log"
    file.write_text("before\n", "utf-8")
    code = "from permutree.formats.sinks import write_file as write\nfor name in ('stdout', 'fd/1'):\n"
    code += "    write(f'/dev/{name}', f'{name}\\n')"
    with file.open("a") as stream:
        subprocess.run([sys.executable, "-c", code], stdout=stream, check=True)
    assert file.read_text("utf-8") == "before\nstdout\nfd/1\n"


@posix
def test_links_that_lead_nowhere_and_in_circles(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "new")
    write_file(tmp_path / "link", "x")
    assert (tmp_path / "new").read_text("utf-8") == "x"
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(PermutreeError):
        write_file(tmp_path / "a", "x")


def test_names_as_long_as_file_systems_allow(tmp_path: Path) -> None:
    file = tmp_path / ("ä" * 125 + ".txt")
    write_file(file, "x")
    assert file.read_text("utf-8") == "x"
    with pytest.raises(FileError, match="File name too long"):
        write_file(tmp_path / ("x" * 300), "x")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("none/x.jsonl", "there is no folder .*none"),
        ("file/x.jsonl", "file is not a folder"),
        ("full/", "the directory is not empty; name a new one"),
        ("file/new/", "file is not a folder"),
        ("a\0b", "zero byte"),
    ],
)
def test_what_cannot_be_written_is_refused_before_any_work(name: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", "utf-8")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("x", "utf-8")
    with pytest.raises(FileError, match=message) as caught:
        check_output(f"{tmp_path}/{name}")
    assert isinstance(caught.value, PermutreeError)
    assert isinstance(caught.value, OSError)

    def trees() -> Any:
        raise AssertionError("no tree was to be made")
        yield

    with pytest.raises(FileError, match=message):
        write(trees(), f"{tmp_path}/{name}", "svg" if name.endswith("/") else "jsonl")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "full"]


def test_folders_of_models(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", "utf-8")
    check_folder(tmp_path)
    check_folder(tmp_path / "new" / "deep")
    with pytest.raises(FileError, match="file is not a folder"):
        check_folder(tmp_path / "file" / "model")


@posix
@root
def test_files_and_folders_of_others() -> None:
    # Nobody else gets through the folders of pytest.
    with tempfile.TemporaryDirectory() as name:
        folder, locked = Path(name), Path(name) / "locked"
        folder.chmod(0o755)
        locked.write_text("x", "utf-8")
        locked.chmod(0o644)
        os.seteuid(65534)
        try:
            with pytest.raises(FileError, match="locked: may not be written to: permission denied"):
                write_file(locked, "y")
            with pytest.raises(FileError, match=r"new: no file can be made in the folder .*: permission denied"):
                write_file(folder / "new", "y")
            for model in (folder, folder / "model"):
                with pytest.raises(FileError, match="no file can be made in the folder"):
                    check_folder(model)
        finally:
            os.seteuid(0)
        assert locked.read_text("utf-8") == "x"


@posix
def test_a_full_disk_names_the_file(tmp_path: Path) -> None:
    code = """
import resource, sys
from permutree import Tree, write
from permutree.errors import FileError
from permutree.formats.sinks import whole_file
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
tree = Tree.parse("(S (A 0=" + "x" * 25_000 + ") (B 1=b))")
for name, format in (("t.jsonl", None), ("t.jsonl.xz", None), ("t.zip", "svg"), ("t/", "svg"), ("t.jsonl.gz", None)):
    try:
        write([Tree.parse(f"(S (A 0={i:x}{hash(str(i))}{'y' * 7000}) (B 1=b))") for i in range(3000)]
              if "z" in name else [tree] * 20, name, format)
    except FileError as error:
        print(error.filename, error.strerror)
try:
    with whole_file("weights") as path:
        path.write_bytes(bytes(30_000))
except FileError as error:
    print(error.filename, error.strerror)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.stderr == ""
    named = [line.partition(" ") for line in done.stdout.splitlines()]
    assert {message for _, _, message in named} == {"File too large"}
    assert [name for name, _, _ in named] == ["t.jsonl", "t.jsonl.xz", "t.zip", "t/1.svg", "t.jsonl.gz", "weights"]
    assert list(tmp_path.iterdir()) == []


def test_errors_of_files_travel_between_processes() -> None:
    error = pickle.loads(pickle.dumps(FileError("No space left on device", "x.txt", 28)))
    assert (str(error), error.errno, error.filename) == ("x.txt: No space left on device", 28, "x.txt")


def test_the_file_is_on_the_disk_before_it_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    events: list[str] = []
    real_sync, real_replace = os.fsync, os.replace

    def sync(number: int) -> None:
        events.append("folder" if stat.S_ISDIR(os.fstat(number).st_mode) else "file")
        real_sync(number)

    def replace(self: Path, target: Path) -> None:
        events.append("replace")
        real_replace(self, target)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(Path, "replace", replace)
    write([TREE], tmp_path / "x.jsonl.gz")
    assert events == ["file", "replace", "folder"]
