"""Nothing of the reader writes into a repository, its work tree or its home; not even a time stamp moves."""

from pathlib import Path

import pytest

from oskit.git import MissingObjectError, Repository, open_repository
from support.repos import GitRepo, snapshot

pytestmark = pytest.mark.anyio


async def ask_everything(repository: Repository, base: str, head: str, folder: Path) -> None:
    await repository.resolve("main")
    await repository.head()
    await repository.default_branch()
    await repository.remote_url()
    await repository.identity()
    await repository.tree(head)
    await repository.merge_base(base, head)
    await repository.count_commits(base, head)
    await repository.diff(base, head)
    await repository.changed_paths(base, head)
    await repository.log(base, head)
    await repository.list_tree(head, sizes=True)
    await repository.read_blobs([(head, b"a"), (head, b"absent")])
    await repository.export_tree(head, folder)
    if repository.worktree is not None:
        await repository.status()
        await repository.dirty_tree()


async def test_every_question_leaves_every_byte_and_time_as_it_was(
    repo: GitRepo, home: Path, tmp_path: Path
) -> None:
    base = repo.write("a", "1\n").write("old", "x\n" * 50).commit()
    head = repo.write("a", "2\n").rename("old", "new").commit()
    linked = repo.worktree(tmp_path / "linked", "topic")
    repo.write("a", "3\n").write("a", "2\n")  # the index no longer knows that it is clean
    repo.write("untracked", "1\n").write("new", "changed\n").write("a", "1\n")  # contents whose objects exist
    linked.write("a", "1\n")
    outside = tmp_path / "exported"
    before = snapshot(repo.path), snapshot(linked.path), snapshot(home)

    await ask_everything(await open_repository(repo.path), base, head, outside / "one")
    await ask_everything(await open_repository(linked.path), base, head, outside / "two")
    assert (snapshot(repo.path), snapshot(linked.path), snapshot(home)) == before


async def test_bare_and_shallow_repositories_stay_as_they_were(repo: GitRepo, tmp_path: Path) -> None:
    repo.write("a", "1\n").commit()
    base = repo.write("a", "2\n").commit()
    head = repo.write("a", "3\n").commit()
    for name, option in (("bare", "--bare"), ("shallow", "--depth=2")):
        clone = repo.clone(tmp_path / name, option)
        before = snapshot(clone.path)
        await ask_everything(await open_repository(clone.path), base, head, tmp_path / "exported" / name)
        assert snapshot(clone.path) == before


async def test_nothing_stays_in_the_temporary_folder(
    repo: GitRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr("tempfile.tempdir", None)
    base = repo.write("a", "1\n").commit()
    head = repo.write("a", "2\n").commit()
    await ask_everything(await open_repository(repo.path), base, head, tmp_path / "exported")
    assert set(snapshot(temporary)) == set()
    assert {name for name in snapshot(tmp_path) if "/" not in name} == {
        "a repository",
        "exported",
        "temporary",
    }


async def test_a_partial_clone_is_never_completed_behind_the_users_back(
    repo: GitRepo, tmp_path: Path
) -> None:
    repo.config("uploadpack.allowFilter", "true").config("uploadpack.allowAnySHA1InWant", "true")
    base = repo.write("a", "1\n").commit()
    head = repo.write("a", "2\n").commit()
    clone = repo.clone(tmp_path / "partial", "--filter=blob:none", "--no-checkout")
    repository = await open_repository(clone.path)
    before = snapshot(clone.path)
    assert [change.path for change in await repository.changed_paths(base, head)] == ["a"]
    for question in (
        repository.diff(base, head),
        repository.log(base, head),
        repository.read_blobs([(head, b"a")]),
    ):
        with pytest.raises(MissingObjectError, match="does not hold intact") as caught:
            await question
        assert "git fetch --refetch" in caught.value.hint
    with pytest.raises(MissingObjectError):
        await repository.export_tree(head, tmp_path / "exported")
    assert not (tmp_path / "exported").exists()
    assert snapshot(clone.path) == before
