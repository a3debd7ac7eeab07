from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from oskit import files
from oskit.files import (
    StorageError,
    StorageFullError,
    StorageMissingError,
    StorageReadOnlyError,
    StorageTooLargeError,
    UnsafeDirectoryError,
    atomic_write,
    ensure_private_dir,
    read_bounded,
)

if TYPE_CHECKING:
    from pathlib import Path


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_file_is_private_and_whole(tmp_path: Path) -> None:
    path = tmp_path / "file"
    atomic_write(path, "grüße\n")
    assert path.read_bytes() == "grüße\n".encode()
    assert mode_of(path) == 0o600


def test_the_mode_is_what_was_asked_for_whatever_the_umask(tmp_path: Path) -> None:
    path = tmp_path / "file"
    before = os.umask(0o077)
    try:
        atomic_write(path, b"", mode=0o644)
    finally:
        os.umask(before)
    assert mode_of(path) == 0o644


def test_the_old_file_is_replaced_and_a_link_is_not_followed(tmp_path: Path) -> None:
    path, target = tmp_path / "link", tmp_path / "target"
    target.write_bytes(b"target")
    path.symlink_to(target)
    atomic_write(path, b"new")
    assert (path.read_bytes(), target.read_bytes(), path.is_symlink()) == (b"new", b"target", False)


def test_readers_see_one_whole_version_while_writers_race(tmp_path: Path) -> None:
    path = tmp_path / "file"
    versions = [bytes([number]) * 100_000 for number in range(20)]
    atomic_write(path, versions[0])
    with ThreadPoolExecutor(4) as pool:
        writing = [pool.submit(atomic_write, path, version) for version in versions]
        seen = [path.read_bytes() for _ in range(200)]
        for write in writing:
            write.result()
    assert set(seen) <= set(versions)
    assert os.listdir(tmp_path) == ["file"]  # noqa: PTH208 - names


@pytest.mark.parametrize(
    ("code", "error"),
    [
        (errno.ENOSPC, StorageFullError),
        (errno.EDQUOT, StorageFullError),
        (errno.EROFS, StorageReadOnlyError),
        (errno.EACCES, StorageReadOnlyError),
        (errno.EIO, StorageError),
    ],
)
def test_a_failed_write_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, error: type[StorageError]
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def fail(_: int) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(StorageError, match=r"cannot write .*/file: ") as caught:
        atomic_write(path, b"new")
    assert type(caught.value) is error
    assert (path.read_bytes(), os.listdir(tmp_path)) == (b"old", ["file"])  # noqa: PTH208 - names


def test_a_file_system_that_takes_no_more_is_told_as_full(tmp_path: Path) -> None:
    script = (
        "import resource, sys; from pathlib import Path; from oskit.files import *\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "try: atomic_write(Path(sys.argv[1]), b'x' * 2000)\n"
        "except StorageFullError as exc: print('full', exc.hint)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "file")], capture_output=True, check=True
    )
    assert done.stdout.startswith(b"full free some space")
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_nobody_can_write_is_read_only(tmp_path: Path) -> None:
    with pytest.raises(StorageReadOnlyError):
        atomic_write(tmp_path.joinpath("/sys/kernel/file"), b"")


def test_a_missing_folder_is_told_as_missing(tmp_path: Path) -> None:
    with pytest.raises(StorageMissingError):
        atomic_write(tmp_path / "missing" / "file", b"")
    with pytest.raises(StorageMissingError):
        read_bounded(tmp_path / "missing", 10)


def test_a_name_of_the_greatest_length_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 255)
    atomic_write(path, b"x")
    assert path.read_bytes() == b"x"


@pytest.mark.parametrize("size", [0, 9, 10])
def test_a_file_up_to_the_limit_is_read_whole(tmp_path: Path, size: int) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * size)
    assert read_bounded(path, 10) == b"x" * size


def test_a_larger_file_is_refused_not_cut(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * 11)
    with pytest.raises(StorageTooLargeError, match="larger than 10 bytes"):
        read_bounded(path, 10)


def test_a_pipe_in_place_of_a_file_does_not_block(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with pytest.raises(StorageError, match="not a regular file"):
        read_bounded(path, 10)


def test_a_folder_is_made_private_with_those_on_the_way(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "c"
    assert ensure_private_dir(path) == path
    assert [mode_of(folder) for folder in (path, path.parent, path.parent.parent)] == [0o700] * 3
    assert ensure_private_dir(path) == path


def test_a_folder_of_ours_that_others_read_is_closed_to_them(tmp_path: Path) -> None:
    path = tmp_path / "folder"
    path.mkdir(0o755)
    ensure_private_dir(path)
    assert mode_of(path) == 0o700


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o722, 0o1777])
def test_a_folder_that_others_may_write_is_refused_and_left_as_it_is(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "folder"
    path.mkdir()
    path.chmod(mode)
    with pytest.raises(UnsafeDirectoryError, match="other users may write") as caught:
        ensure_private_dir(path)
    assert caught.value.hint == f"run: chmod 700 {path}"
    assert mode_of(path) == mode


def test_a_folder_of_another_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    owner = tmp_path.stat().st_uid
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    with pytest.raises(UnsafeDirectoryError, match=f"belongs to user id {owner}"):
        ensure_private_dir(tmp_path)


def test_a_folder_below_one_where_anybody_renames_is_refused(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    with pytest.raises(UnsafeDirectoryError, match="every user may rename"):
        ensure_private_dir(shared / "mine")
    shared.chmod(0o1777)
    assert ensure_private_dir(shared / "mine").is_dir()


@pytest.mark.parametrize("dangling", [False, True])
def test_a_link_in_place_of_the_folder_is_refused(tmp_path: Path, dangling: bool) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    if not dangling:
        target.mkdir(0o700)
    link.symlink_to(target)
    with pytest.raises(UnsafeDirectoryError, match="is not a directory"):
        ensure_private_dir(link)


def test_a_file_in_place_of_the_folder_or_on_the_way_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"")
    with pytest.raises(UnsafeDirectoryError, match="is not a directory"):
        ensure_private_dir(path)
    with pytest.raises(StorageError):
        ensure_private_dir(path / "below")


def test_processes_may_make_the_same_folder_at_once(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b"
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: ensure_private_dir(path), range(50)))
    assert made == [path] * 50


def test_every_error_has_a_place_in_the_drawn_tree() -> None:
    drawn = files.__doc__ or ""
    names = [error.__name__ for error in StorageError.__subclasses__() if error.__module__ == files.__name__]
    assert [name for name in names if name not in drawn] == []
    assert len(names) == 5
