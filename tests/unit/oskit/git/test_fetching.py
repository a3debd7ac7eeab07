"""Commits come from a remote into a store beside the repository, which nobody touches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oskit.git import FetchError, GitTimeoutError, fetch_beside, open_repository
from oskit.git.fetching import without_credentials
from support.repos import GitRepo, snapshot

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio


@pytest.fixture
def upstream(tmp_path: Path) -> GitRepo:
    """A repository whose branch `topic` a clone does not have yet."""
    repo = GitRepo.create(tmp_path / "upstream").write("a.txt", "one\n")
    repo.commit("base")
    return repo


async def test_the_store_has_both_histories_and_the_repository_stays_as_it_is(
    upstream: GitRepo, tmp_path: Path
) -> None:
    clone = upstream.clone(tmp_path / "clone")
    topic = upstream.branch("topic").write("a.txt", "two\n").commit("second")
    before = snapshot(clone.path)
    origin = await open_repository(clone.path)
    refspec = "+refs/heads/topic:refs/fetched/topic"
    store = await fetch_beside(origin, tmp_path / "s" / "x.git", upstream.path.as_uri(), [refspec])
    store = await fetch_beside(
        origin, store.git_dir, upstream.path.as_uri(), [refspec]
    )  # it is there already
    assert await store.resolve("refs/fetched/topic") == topic
    assert [commit.sha for commit in await store.log(clone.head, topic)] == [topic]
    assert snapshot(clone.path) == before


async def test_a_shallow_repository_stays_shallow_in_the_store(upstream: GitRepo, tmp_path: Path) -> None:
    upstream.write("a.txt", "two\n").commit("second")
    clone = upstream.clone(tmp_path / "clone", "--depth=1")
    topic = upstream.branch("topic").write("a.txt", "three\n").commit("third")
    origin = await open_repository(clone.path)
    refspec = "+refs/heads/topic:refs/fetched/topic"
    store = await fetch_beside(origin, tmp_path / "x.git", upstream.path.as_uri(), [refspec])
    assert store.shallow
    assert await store.merge_base(clone.head, topic) == clone.head


async def test_what_the_remote_does_not_have_is_said(upstream: GitRepo, tmp_path: Path) -> None:
    origin = await open_repository(upstream.path)
    with pytest.raises(FetchError, match="couldn't find remote ref refs/heads/none"):
        await fetch_beside(origin, tmp_path / "x.git", upstream.path.as_uri(), ["refs/heads/none:refs/x"])


async def test_a_remote_that_is_not_there_is_said_without_its_password(
    upstream: GitRepo, tmp_path: Path
) -> None:
    origin = await open_repository(upstream.path)
    url = f"file://ada:secret@localhost{tmp_path}/nothing"
    with pytest.raises(FetchError) as caught:
        await fetch_beside(origin, tmp_path / "x.git", url, ["refs/heads/a:refs/x"])
    assert "secret" not in caught.value.message


async def test_a_remote_that_hangs_is_given_up(upstream: GitRepo, tmp_path: Path) -> None:
    origin = await open_repository(upstream.path)
    wait = tmp_path / "wait"
    wait.write_text("#!/bin/sh\nsleep 60\n")
    wait.chmod(0o755)
    (tmp_path.with_name(f"{tmp_path.name}-home") / ".gitconfig").write_text(
        f"[core]\n\tsshCommand = {wait}\n"
    )
    with pytest.raises(GitTimeoutError, match=r"within 0\.5 s"):
        await fetch_beside(
            origin, tmp_path / "x.git", "ssh://host.invalid/x", ["refs/heads/a:refs/x"], deadline_s=0.5
        )


def test_addresses_are_shown_without_credentials() -> None:
    assert without_credentials("https://ada:x@example.org/a/b") == "https://example.org/a/b"
    assert without_credentials("git@example.org:a/b") == "git@example.org:a/b"
