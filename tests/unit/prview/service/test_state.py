"""A look at a repository: cheap, true about its runs, and about no other repository's."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest

from oskit.process import run as run_program
from prview.errors import RunFailedError
from prview.models import requests
from prview.service.api import Prview
from prview.service.settings import Settings
from prview.store.home import Home
from prview.wiring import open_settings
from support.prview_served import Served, key_of, served
from support.repos import GitRepo

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio


@pytest.fixture
def run(tmp_path: Path) -> Served:
    """A repository with one completed run."""
    return served(tmp_path)


async def state(prview: Prview, repo: GitRepo) -> Any:
    return await prview.state(requests.StateRequest(repo=str(repo.path)))


async def test_the_work_tree_is_walked_once_and_no_tree_is_listed(
    run: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    async def noted(argv: Any, **options: Any) -> Any:
        asked.extend(str(word) for word in argv)
        return await run_program(argv, **options)

    monkeypatch.setattr("oskit.git._command.run", noted)
    await state(run.prview, run.repo)
    walks = [word for word in asked if word in {"status", "ls-files", "ls-tree", "hash-object", "add"}]
    assert walks == ["status"]
    asked.clear()
    await run.prview.health(requests.HealthRequest(repo=run.where))
    assert [word for word in asked if word in {"status", "ls-files", "ls-tree"}] == ["ls-tree"]
    assert "--name-only" in asked


async def test_the_profile_of_a_run_is_null_as_the_contract_has_it(run: Served) -> None:
    latest = (await state(run.prview, run.repo)).latest_run_any
    assert (latest.run_id, latest.profile, latest.status) == (run.run_id, None, "completed")
    listed = await run.prview.runs(requests.RunsRequest(repo=run.where))
    assert [entry.profile for entry in listed.runs] == ["quick"]


async def test_two_checkouts_with_the_same_folder_name_share_no_run(run: Served, tmp_path: Path) -> None:
    twin = GitRepo.create(tmp_path / "elsewhere" / run.repo.path.name)
    twin.write("a.py", "x = 1\n").commit("first")
    copy = tmp_path / "copied" / run.repo.path.name
    shutil.copytree(run.repo.path, copy)
    assert (twin.head, twin.path.name) == (run.repo.head, run.repo.path.name)
    for other in (twin, GitRepo(copy)):
        assert await key_of(other) != await key_of(run.repo)
        assert (await state(run.prview, other)).latest_run_any is None


async def test_linked_worktrees_and_folders_below_share_the_repository_s_runs(
    run: Served, tmp_path: Path
) -> None:
    run.repo.git("worktree", "add", "-q", str(tmp_path / "linked"), "-b", "other")
    assert await key_of(GitRepo(tmp_path / "linked")) == await key_of(run.repo)
    (run.repo.path / "below").mkdir()
    below = await state(run.prview, GitRepo(run.repo.path / "below"))
    assert below.latest_run_any.run_id == run.run_id


async def test_a_home_that_cannot_be_written_is_named_with_the_way_out(run: Served, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    prview = Prview(Settings(home=Home(tmp_path / "file/prview"), command=()))
    for ask in (
        lambda: prview.run_review(requests.RunReviewRequest(repo=run.where)),
        lambda: prview.state(requests.StateRequest(repo=run.where)),
    ):
        with pytest.raises(RunFailedError, match=str(tmp_path / "file/prview")) as told:
            await ask()
        assert "PRVIEW_HOME" in str(told.value.hint)


@pytest.mark.parametrize("home", ["relative", "."])
def test_a_home_that_depends_on_the_working_directory_is_refused(
    monkeypatch: pytest.MonkeyPatch, home: str
) -> None:
    monkeypatch.delenv("PRVIEW_HOME", raising=False)
    monkeypatch.setenv("HOME", home)
    with pytest.raises(Exception, match=f"HOME={home} names no absolute path") as told:
        open_settings()
    assert "PRVIEW_HOME" in str(getattr(told.value, "hint", ""))
