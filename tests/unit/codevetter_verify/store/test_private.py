"""A database that another user could have written is refused; one that they could read is closed to them."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

import pytest

from codevetter_verify.errors import StorageFailedError
from codevetter_verify.store.glance import glanced_history
from codevetter_verify.store.places import FILE_NAME
from codevetter_verify.store.reading import ReadingStore
from codevetter_verify.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

OPENERS: dict[str, Callable[[Path], object]] = {
    "store": Store,
    "reader": ReadingStore,
    "glance": lambda home: glanced_history(home, "repo-x"),
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return Store(tmp_path / "home").home


@pytest.mark.parametrize("door", OPENERS)
@pytest.mark.parametrize("mode", [0o620, 0o602])
def test_a_file_that_others_may_write_is_refused_at_every_door(home: Path, door: str, mode: int) -> None:
    (home / FILE_NAME).chmod(mode)
    with pytest.raises(StorageFailedError, match="could be planted"):
        OPENERS[door](home)


@pytest.mark.parametrize("door", OPENERS)
def test_a_folder_that_others_may_write_is_refused_at_every_door(home: Path, door: str) -> None:
    home.chmod(0o770)
    with pytest.raises(StorageFailedError):
        OPENERS[door](home)


@pytest.mark.parametrize("door", OPENERS)
def test_a_link_in_the_files_place_is_refused_at_every_door(home: Path, door: str) -> None:
    target = home / "elsewhere"
    (home / FILE_NAME).rename(target)
    (home / FILE_NAME).symlink_to(target)
    with pytest.raises(StorageFailedError):
        OPENERS[door](home)


@pytest.mark.parametrize("door", OPENERS)
def test_what_others_may_read_is_closed_to_them(home: Path, door: str) -> None:
    (home / FILE_NAME).chmod(0o644)
    OPENERS[door](home)
    assert stat.S_IMODE((home / FILE_NAME).stat().st_mode) == 0o600
