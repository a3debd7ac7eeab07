from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from oskit.files import StorageError, UnsafeDirectoryError
from oskit.locations import LocationError, cache_dir, data_dir, refuse_inside_worktree, state_dir

if TYPE_CHECKING:
    from collections.abc import Callable

PLACES = pytest.mark.parametrize(
    ("place", "below"),
    [(state_dir, ".local/state/app"), (data_dir, ".local/share/app"), (cache_dir, ".cache/app")],
)


@PLACES
def test_without_a_variable_the_platform_decides(
    home: Path, place: Callable[[str, str], Path], below: str
) -> None:
    assert place("app", "APP_DIR") == home / below
    assert not (home / below).exists()


@PLACES
def test_the_variable_decides_when_it_is_set(
    home: Path, monkeypatch: pytest.MonkeyPatch, place: Callable[[str, str], Path], below: str
) -> None:
    monkeypatch.setenv("APP_DIR", "/somewhere/else")
    assert place("app", "APP_DIR") == Path("/somewhere/else")
    monkeypatch.setenv("APP_DIR", "~/mine")
    assert place("app", "APP_DIR") == home / "mine"
    monkeypatch.setenv("APP_DIR", "")
    assert place("app", "APP_DIR") == home / below


def test_a_relative_folder_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would name another folder for every working directory, some of them in the reviewed tree."""
    monkeypatch.setenv("APP_DIR", "state")
    with pytest.raises(LocationError, match="APP_DIR=state is not an absolute path"):
        state_dir("app", "APP_DIR")


@pytest.fixture
def worktree(tmp_path: Path) -> Path:
    path = tmp_path / "repo"
    (path / "sub").mkdir(parents=True)
    return path


@pytest.mark.parametrize("below", [".", "sub", "sub/new/deep", ".git/x", "sub/../y"])
def test_a_place_in_the_work_tree_is_refused(worktree: Path, below: str) -> None:
    with pytest.raises(UnsafeDirectoryError, match="is inside the work tree"):
        refuse_inside_worktree(worktree / below, worktree)


@pytest.mark.parametrize("beside", ["..", "../repo-state", "../repo2/x", "sub/../../state"])
def test_a_place_beside_the_work_tree_is_fine(worktree: Path, beside: str) -> None:
    refuse_inside_worktree(worktree / beside, worktree)


def test_links_do_not_hide_the_work_tree(worktree: Path, tmp_path: Path) -> None:
    into, alias = tmp_path / "into", tmp_path / "alias"
    into.symlink_to(worktree / "sub")
    alias.symlink_to(worktree)
    for place, root in [(into / "new", worktree), (worktree / "x", alias), (alias / "x", worktree)]:
        with pytest.raises(UnsafeDirectoryError):
            refuse_inside_worktree(place, root)


def test_a_link_that_leaves_the_work_tree_is_fine(worktree: Path, tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    (worktree / "out").symlink_to(tmp_path / "state")
    refuse_inside_worktree(worktree / "out" / "new", worktree)


def test_without_a_work_tree_nothing_is_refused(tmp_path: Path) -> None:
    refuse_inside_worktree(tmp_path, None)


def test_a_work_tree_that_is_gone_is_a_storage_error(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot look at"):
        refuse_inside_worktree(tmp_path, tmp_path / "gone")
