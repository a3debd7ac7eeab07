"""A database that another user could have written is refused; one that they could read is closed to them."""

from __future__ import annotations

import grp
import os
import pwd
import stat
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from codevetter_verify.errors import StorageFailedError
from codevetter_verify.store import places
from codevetter_verify.store.glance import glanced_history
from codevetter_verify.store.places import FILE_NAME
from codevetter_verify.store.reading import ReadingStore
from codevetter_verify.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable

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
def test_a_folder_below_one_that_a_group_may_write_is_refused_at_every_door(
    home: Path, door: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its members could rename it away and put an older one of ours in its place."""
    home.parent.chmod(0o770)
    monkeypatch.setattr(places, "_our_own_group", lambda _gid: False)
    with pytest.raises(StorageFailedError, match="a group of users may rename"):
        OPENERS[door](home)
    monkeypatch.setattr(places, "_our_own_group", lambda _gid: True)
    OPENERS[door](home)


def test_a_group_is_ours_alone_when_it_has_our_name_and_no_other_member(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    user = SimpleNamespace(pw_name="ada", pw_gid=1000)
    monkeypatch.setattr(pwd, "getpwuid", lambda _uid: user)

    def alone(name: str, gid: int, *members: str) -> bool:
        group = SimpleNamespace(gr_name=name, gr_mem=list(members))
        monkeypatch.setattr(grp, "getgrgid", lambda _gid: group)
        return places._our_own_group(gid)

    assert alone("ada", 1000)
    assert not alone("ada", 1000, "bob")
    assert not alone("users", 100)
    assert not alone("staff", 1000)
    assert alone("root", 0)


def replaced_by_link(file: Path) -> None:
    file.rename(file.with_name("elsewhere"))
    file.symlink_to(file.with_name("elsewhere"))


CHANGED_UNDER_IT: dict[str, Callable[[Path], object]] = {
    "link": replaced_by_link,
    "file writable": lambda file: file.chmod(0o666),
    "folder writable": lambda file: file.parent.chmod(0o777),
    "another owner": lambda file: os.chown(file, 12345, -1),
    "gone": Path.unlink,
}


@pytest.mark.anyio
@pytest.mark.parametrize(
    "how", [name for name in CHANGED_UNDER_IT if name != "another owner" or not os.geteuid()]
)
async def test_a_store_that_is_open_refuses_what_became_of_its_file(home: Path, how: str) -> None:
    """A server has it open for days, and reads the permission from it at every call."""
    store, reader = Store(home), ReadingStore(home)
    CHANGED_UNDER_IT[how](home / FILE_NAME)
    for opened in (store, reader):
        with pytest.raises(StorageFailedError):
            await opened.enablement("repo-x", permission="history")
    with pytest.raises(StorageFailedError):
        await store.clear_audit(repo_key=None)
    assert (home / FILE_NAME).exists() == (how != "gone")  # nothing was made in its place


@pytest.mark.parametrize("door", OPENERS)
def test_what_others_may_read_is_closed_to_them(home: Path, door: str) -> None:
    (home / FILE_NAME).chmod(0o644)
    OPENERS[door](home)
    assert stat.S_IMODE((home / FILE_NAME).stat().st_mode) == 0o600
