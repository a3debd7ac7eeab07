"""The head of a pull request that the clone lacks is read beside it, and nothing of it is kept."""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING

import pytest

from codevetter_verify.domain.change import Change, ChangedFile
from codevetter_verify.domain.pull_request import PullSpec
from codevetter_verify.service.fetching import head_beside
from codevetter_verify.service.planning import plan_change
from oskit.git import open_repository
from support.repos import GitRepo, snapshot

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio
SPEC = PullSpec("github.com", "acme", "shop", 42)


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def upstream(tmp_path: Path) -> GitRepo:
    repo = GitRepo.create(tmp_path / "upstream").write("package.json", '{"dependencies": {"next": "15"}}')
    repo.write("app/pricing/page.tsx", "import { money } from '../../lib/money'\nexport default money")
    repo.write("lib/money.ts", "export const money = 1").commit()
    return repo


def left_in(folder: Path) -> list[Path]:
    return list(folder.iterdir())


async def test_imports_of_a_fetched_head_are_searched_and_the_clone_stays_as_it_is(
    tmp_path: Path, temporary: Path, upstream: GitRepo
) -> None:
    clone = upstream.clone(tmp_path / "clone")
    base = upstream.head
    head = upstream.write("lib/money.ts", "export const money = 2").commit()
    upstream.git("update-ref", "refs/pull/42/head", head)
    before = snapshot(clone.path)
    change = Change(base, head, files=(ChangedFile("lib/money.ts"),))
    async with head_beside(await open_repository(clone.path), SPEC, head) as (repository, why):
        _, plan = await plan_change(repository, change)
    assert (why, plan.notes) == (None, ())
    assert [route for route, _ in plan.routes] == ["/", "/pricing"]
    assert snapshot(clone.path) == before
    assert left_in(temporary) == []


async def test_a_head_that_is_here_is_read_here(upstream: GitRepo) -> None:
    repository = await open_repository(upstream.path)
    async with head_beside(repository, SPEC, upstream.head) as found:
        assert found == (repository, None)


async def test_a_head_that_cannot_be_fetched_is_a_limit_that_says_why(
    tmp_path: Path, temporary: Path, upstream: GitRepo
) -> None:
    clone = upstream.clone(tmp_path / "clone")
    repository = await open_repository(clone.path)
    async with head_beside(repository, SPEC, "2" * 40) as (found, why):
        assert found is repository
    assert why is not None
    assert why.startswith("the head of the pull request could not be fetched: ")
    assert left_in(temporary) == []
