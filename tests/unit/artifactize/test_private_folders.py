from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from artifactize.execution.private_folders import PrivateFolders, remove_private_folders

if TYPE_CHECKING:
    from collections.abc import Callable


def test_untouched_folders_are_handed_on(tmp_path: Path) -> None:
    folders = PrivateFolders(tmp_path)
    first = folders.take()
    second = folders.take()

    folders.give_back(first)

    assert first.base != second.base
    assert folders.take() is first


def _write(base: Path) -> None:
    (base / "home" / ".cache").mkdir()


def _write_and_remove(base: Path) -> None:
    (base / "tmp" / "left").touch()
    (base / "tmp" / "left").unlink()


def _open_up(base: Path) -> None:
    (base / "cache").chmod(0o755)


def _replace(base: Path) -> None:
    (base / "home").rmdir()
    (base / "home").symlink_to("/")


@pytest.mark.parametrize("touch", [_write, _open_up, _replace])
def test_touched_folders_are_removed_and_never_handed_on(
    tmp_path: Path, touch: Callable[[Path], None]
) -> None:
    folders = PrivateFolders(tmp_path)
    used = folders.take()
    touch(used.base)

    folders.give_back(used)

    assert not used.base.exists()
    assert folders.take().base != used.base
    assert Path("/").is_dir()


def test_folders_in_which_nothing_was_left_are_empty_when_they_are_handed_on(tmp_path: Path) -> None:
    folders = PrivateFolders(tmp_path)
    used = folders.take()
    _write_and_remove(used.base)
    folders.give_back(used)

    assert [list(place.iterdir()) for place in folders.take().base.iterdir()] == [[], [], []]


def test_what_a_killed_worker_left_is_removed(tmp_path: Path) -> None:
    PrivateFolders(tmp_path).take()
    (tmp_path / "kept.stdout").touch()

    remove_private_folders(tmp_path)

    assert [file.name for file in tmp_path.iterdir()] == ["kept.stdout"]
