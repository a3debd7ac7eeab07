from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from artifactize.errors import NotARepositoryError, StateError
from artifactize.wiring import find_root, open_workspace

if TYPE_CHECKING:
    from pathlib import Path


def test_the_project_is_the_repository_around_a_folder(tmp_path: Path) -> None:
    (tmp_path / "project" / ".git").mkdir(parents=True)
    (tmp_path / "project" / "a" / "b").mkdir(parents=True)

    assert find_root(tmp_path / "project" / "a" / "b") == tmp_path / "project"


def test_a_folder_outside_every_repository_is_refused_by_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not as a work tree that the state lies in, where the home is below it."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NotARepositoryError, match="is not in a git repository") as caught:
        open_workspace(None, None)
    assert "git init" in str(caught.value.hint)
    assert find_root(tmp_path) is None


def test_opening_makes_nothing(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()

    workspace = open_workspace(tmp_path / "project", tmp_path / "state")

    assert (workspace.root, workspace.state_dir) == (tmp_path / "project", tmp_path / "state")
    assert not (tmp_path / "state").exists()


def test_the_variable_names_the_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARTIFACTIZE_STATE_HOME", str(tmp_path / "elsewhere"))
    (tmp_path / "project").mkdir()

    assert open_workspace(tmp_path / "project", None).state_dir == tmp_path / "elsewhere"


@pytest.mark.parametrize("through_link", [False, True])
def test_a_state_inside_the_project_is_refused(tmp_path: Path, through_link: bool) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (tmp_path / "link").symlink_to(project)
    inside = (tmp_path / "link" if through_link else project) / "state"

    with pytest.raises(StateError, match="is inside the work tree"):
        open_workspace(project, inside)


def test_a_project_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotARepositoryError, match="is not a folder"):
        open_workspace(tmp_path / "nowhere", None)
