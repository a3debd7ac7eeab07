"""A range becomes an exact change, without touching the checkout."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest

from codevetter_verify.domain.change import Change, ChangedFile, parse_range
from codevetter_verify.errors import NothingToVerifyError, SourceTooLargeError, SourceUnresolvedError
from codevetter_verify.service.scope import repository_at
from codevetter_verify.service.source import resolve_range
from support.trex import widget

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from support.repos import GitRepo

pytestmark = pytest.mark.anyio


async def resolved(repo: GitRepo, range_: str) -> Change:
    return await resolve_range(await repository_at(repo.path), parse_range(range_))


def digest_of_everything(folder: Path) -> Mapping[str, str]:
    """Every file below `folder` with its content and times."""
    return {
        str(path): f"{hashlib.sha256(path.read_bytes()).hexdigest()} {path.stat().st_mtime_ns}"
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


async def test_a_two_dot_range_compares_its_ends(tmp_path: Path) -> None:
    repo = widget(tmp_path / "r")
    change = await resolved(repo, "main..feature")
    assert (change.base_sha, change.head_sha) == (repo.resolve("main"), repo.resolve("feature"))
    assert change.commits == (repo.resolve("feature"),)
    assert change.files == (ChangedFile("README.md"), ChangedFile("web/src/pages/about.html"))
    assert change.merge_base_sha is None


async def test_a_three_dot_range_starts_at_the_merge_base_and_names_it(tmp_path: Path) -> None:
    repo = widget(tmp_path / "r")
    fork = repo.resolve("main")
    repo.checkout("main").write("unrelated.txt", "x").commit("later on main")
    change = await resolved(repo, "main...feature")
    assert change.merge_base_sha == fork
    assert [file.path for file in change.files] == ["README.md", "web/src/pages/about.html"]


async def test_a_deletion_keeps_the_old_path_and_a_rename_the_new_one(tmp_path: Path) -> None:
    repo = (
        widget(tmp_path / "r").rename("web/src/pages/about.html", "web/src/pages/us.html").remove("README.md")
    )
    repo.commit("moved")
    change = await resolved(repo, "HEAD~1..HEAD")
    assert set(change.files) == {ChangedFile("README.md", deleted=True), ChangedFile("web/src/pages/us.html")}


@pytest.mark.parametrize("range_", ["feature..feature", "feature..main", "feature...main"])
async def test_an_empty_or_reversed_range_has_nothing_to_verify(tmp_path: Path, range_: str) -> None:
    repo = widget(tmp_path / "r")
    with pytest.raises(NothingToVerifyError) as caught:
        await resolved(repo, range_)
    assert caught.value.change.head_sha == repo.resolve(range_.rpartition(".")[2])


async def test_an_empty_commit_changes_no_path(tmp_path: Path) -> None:
    repo = widget(tmp_path / "r")
    repo.git("commit", "-q", "--allow-empty", "-m", "nothing")
    with pytest.raises(NothingToVerifyError, match="changes no path"):
        await resolved(repo, "HEAD~1..HEAD")


async def test_an_unknown_revision_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceUnresolvedError, match="no-such-branch"):
        await resolved(widget(tmp_path / "r"), "main..no-such-branch")


async def test_more_paths_than_a_receipt_can_stand_for_are_refused(tmp_path: Path) -> None:
    repo = widget(tmp_path / "r")
    repo.write_many({f"many/{number}.txt": "x" for number in range(501)}).commit("many")
    with pytest.raises(SourceTooLargeError, match="501 paths"):
        await resolved(repo, "HEAD~1..HEAD")


async def test_the_checkout_is_byte_for_byte_the_same_afterwards(tmp_path: Path) -> None:
    repo = widget(tmp_path / "r").write("uncommitted.txt", "x")
    before = digest_of_everything(repo.path)
    await resolved(repo, "main...feature")
    assert digest_of_everything(repo.path) == before
