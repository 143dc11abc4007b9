import bz2
import gzip
import io
import lzma
import stat
import sys
import tarfile
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from permutree.errors import DataError
from permutree.formats import archives, layers, read
from permutree.formats.archives import clean


def line(word: str) -> bytes:
    return f"(S (A 0={word}))\n".encode()


def found(path: Path | str) -> tuple[list[str], list[DataError]]:
    errors: list[DataError] = []
    return [tree.words[0] for tree in read(path, on_error=errors.append)], errors


def tar(path: Path, *members: tuple[str, bytes | str, bytes]) -> None:
    """A tar archive of names, contents or targets of links, and types."""
    with tarfile.open(path, "w:gz" if path.suffix == ".gz" else "w") as archive:
        for name, content, kind in members:
            info = tarfile.TarInfo(name)
            info.type = kind
            if isinstance(content, str):
                info.linkname = content
                archive.addfile(info)
            else:
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))


class Pipe(io.BytesIO):
    """Bytes that come once."""

    def seekable(self) -> bool:
        return False


FILE, HARD, SOFT = tarfile.REGTYPE, tarfile.LNKTYPE, tarfile.SYMTYPE


def test_members_of_the_same_name_are_all_read(tmp_path: Path) -> None:
    with warnings.catch_warnings(), zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        warnings.simplefilter("ignore")
        for name, word in (("a", "one"), ("a", "two"), ("./b", "three"), ("../c", "four")):
            archive.writestr(f"{name}.discbracket", line(word))
    assert found(tmp_path / "x.zip") == (["one", "two", "three", "four"], [])


@pytest.mark.parametrize("name", ["x.tar", "x.tar.gz"])
def test_links_in_a_tar_archive_are_read_or_told(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tar(
        tmp_path / name,
        ("./a.discbracket", line("a"), FILE),
        ("../b.discbracket", line("b"), FILE),
        ("sub/hard.discbracket", "./a.discbracket", HARD),
        ("sub/soft.discbracket", "../b.discbracket", SOFT),
        ("out.discbracket", "/etc/passwd", SOFT),
    )
    words, errors = found(tmp_path / name)
    assert words == ["a", "b", "a", "b"]
    assert [error.skipped for error in errors] == [None]
    assert str(errors[0]) == f"{tmp_path}/{name}/out.discbracket: a link to /etc/passwd, which is not in the archive"
    with pytest.raises(DataError, match="a link to /etc/passwd"):
        list(read(tmp_path / name))
    pipe = Pipe((tmp_path / name).read_bytes())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(pipe))
    words, errors = found("-")
    assert words == ["a", "b"]
    assert sum("cannot be read twice here; give the archive as a file" in str(error) for error in errors) == 2


def test_links_in_a_zip_archive(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("a.discbracket", line("a"))
        for name, target in (("b.discbracket", "a.discbracket"), ("c.discbracket", "../../elsewhere")):
            info = zipfile.ZipInfo(name)
            info.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(info, target)
    words, errors = found(tmp_path / "x.zip")
    assert words == ["a", "a"]
    assert "c.discbracket: a link to ../../elsewhere, which is not in the archive" in str(errors[0])


def test_members_that_cannot_be_read_are_told_and_the_others_read(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for word in "abc":
            archive.writestr(f"{word}.discbracket", line(word))
    data = bytearray(path.read_bytes())
    first = data.find(b"PK\x01\x02")
    second = data.find(b"PK\x01\x02", first + 1)
    data[6] |= 1
    data[first + 8] |= 1
    data[second + 10] = data[data.find(b"PK\x03\x04", 1) + 8] = 99
    path.write_bytes(data)
    words, errors = found(path)
    assert words == ["c"]
    assert "a.discbracket: cannot be read: it is encrypted; decrypt it first" in str(errors[0])
    assert "b.discbracket: cannot be read: That compression method is not supported" in str(errors[1])


@pytest.mark.parametrize(("name", "damaged"), [(b"1.disco", b"1.disc/"), (b"n.disco", b"..disco")])
def test_a_member_whose_name_is_damaged_is_neither_a_folder_nor_hidden(
    name: bytes, damaged: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for member in (name.decode(), "z.discbracket", "folder/", ".hidden"):
            archive.writestr(member, line("a") if member[0] in "1nz" else b"")
    data = path.read_bytes()
    place = data.rindex(name)
    path.write_bytes(data[:place] + damaged + data[place + len(name) :])
    words, errors = found(path)
    assert words == ["a"]
    assert [error.skipped for error in errors] == [None]
    assert "cannot be read: File name in directory" in str(errors[0])


def test_a_list_of_members_that_is_cut_short(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for word in "ab":
            archive.writestr(f"{word}.discbracket", line(word))
    data = bytearray(path.read_bytes())
    end = data.find(b"PK\x05\x06")
    data[end + 10] = 3
    path.write_bytes(data)
    words, errors = found(path)
    assert words == ["a", "b"]
    assert "it should have 3 members, but lists 2" in str(errors[0])


def test_a_damaged_header_in_a_tar_archive_costs_its_member(tmp_path: Path) -> None:
    path = tmp_path / "x.tar"
    tar(path, *((f"{word}.discbracket", line(word), FILE) for word in "abc"))
    data = bytearray(path.read_bytes())
    data[1024 + 5] ^= 1
    path.write_bytes(data)
    words, errors = found(path)
    assert words == ["a", "c"]
    assert str(errors[0]).endswith("a damaged archive: 1,024 bytes not read; reading goes on after them")
    path.write_bytes(path.read_bytes()[: 4 * 512])
    words, errors = found(path)
    assert words == ["a"]
    assert "damaged or cut-off archive" in str(errors[0])


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress, bz2.compress])
def test_a_damaged_second_stream_is_noticed_and_a_third_is_read(
    compress: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    second = bytearray(compress(line("lost") * 50))
    second[len(second) // 2] ^= 0xFF
    path = tmp_path / "x.discbracket"
    path.write_bytes(compress(line("a") * 50) + second + compress(line("b") * 50))
    words, errors = found(path)
    assert words[:50] == ["a"] * 50
    assert words[-50:] == ["b"] * 50
    # Damage in what gzip repeats shows in the check sum only.
    assert any("data (" in str(error) or "check sum" in str(error) for error in errors)


def test_a_wrong_check_sum_costs_nothing_but_is_told(tmp_path: Path) -> None:
    data = bytearray(gzip.compress(line("a") * 50))
    data[-6] ^= 1
    (tmp_path / "x.discbracket.gz").write_bytes(data)
    words, errors = found(tmp_path / "x.discbracket.gz")
    assert words == ["a"] * 50
    assert [error.skipped for error in errors] == [0]
    assert "the check sum of the gzip data is another" in str(errors[0])


def test_compression_in_compression_has_a_limit(tmp_path: Path) -> None:
    data = line("a")
    for _ in range(3):
        data = gzip.compress(data)
    (tmp_path / "x").write_bytes(data)
    assert found(tmp_path / "x") == (["a"], [])
    for _ in range(20):
        data = gzip.compress(data)
    (tmp_path / "x").write_bytes(data)
    words, errors = found(tmp_path / "x")
    assert words == []
    assert "more than 8 compressions and archives inside each other: not read; unpack it first" in str(errors[0])


@pytest.mark.parametrize("pack", ["gz", "zip", "zip-bz2", "tar.bz2"])
def test_bombs_are_not_read_to_their_end(pack: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layers, "FREE", 1 << 16)
    path = tmp_path / "x"
    content = line("a") * 100_000
    if pack == "gz":
        path.write_bytes(gzip.compress(gzip.compress(content)))
    elif pack == "tar.bz2":
        tar(path, ("x.discbracket", content, FILE))
        path.write_bytes(bz2.compress(path.read_bytes()))
    else:
        method = zipfile.ZIP_BZIP2 if pack == "zip-bz2" else zipfile.ZIP_DEFLATED
        with zipfile.ZipFile(path, "w", method) as archive:
            archive.writestr("x.discbracket", line("a") * (100_000 if pack == "zip-bz2" else 400_000))
    if pack == "zip":
        monkeypatch.setattr(layers, "MOST_RATIO", 50)
    words, errors = found(path)
    assert 0 < len(words) < (400_000 if pack == "zip" else 100_000)
    assert any("times its size: not read further; if that is right, unpack it first" in str(error) for error in errors)


def test_sparse_members_and_long_headers_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.tar"
    tar(path, ("a.discbracket", line("a"), FILE), ("s.discbracket", b"", tarfile.GNUTYPE_SPARSE))
    words, errors = found(path)
    assert words == ["a"]
    assert "s.discbracket: a sparse file" in str(errors[0])
    monkeypatch.setattr(archives, "MOST_HEADER", 64)
    tar(path, ("a.discbracket", line("a"), FILE), ("b" * 300, line("b"), FILE))
    assert any("a damaged or cut-off archive: a header of " in str(error) for error in found(path)[1])


def test_names_inside_archives() -> None:
    assert [clean(name) for name in ("./a", "../../b", "/c/./d", "e/../f", "g")] == ["a", "b", "c/d", "f", "g"]


def test_links_of_a_directory_that_lead_nowhere(tmp_path: Path) -> None:
    (tmp_path / "a.discbracket").write_bytes(line("a"))
    (tmp_path / "b.discbracket").symlink_to("nowhere")
    words, errors = found(tmp_path)
    assert words == ["a"]
    assert "b.discbracket: a link that cannot be followed: No such file or directory" in str(errors[0])
