"""Which repository a path belongs to, and why it may not be read."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from oskit.git import (
    GitMissingError,
    NotARepositoryError,
    UnexpectedOutputError,
    UnsafeRepositoryError,
    open_repository,
)
from support.repos import GitRepo

pytestmark = pytest.mark.anyio


async def test_a_folder_deep_inside_a_checkout_opens_the_checkout(repo: GitRepo) -> None:
    repo.write("deep/down/x", "1").commit()
    repository = await open_repository(repo.path / "deep" / "down")
    assert repository == await open_repository(str(repo.path))
    assert (repository.worktree, repository.git_dir) == (repo.path, repo.path / ".git")
    assert (repository.bare, repository.shallow, repository.object_format) == (False, False, "sha1")
    assert repository.common_dir == repository.git_dir


async def test_a_linked_worktree_has_its_own_git_dir_and_shares_the_common_one(
    repo: GitRepo, tmp_path: Path
) -> None:
    repo.write("a", "1").commit()
    linked = repo.worktree(tmp_path / "linked", "topic")
    repository = await open_repository(linked.path)
    assert repository.worktree == linked.path
    assert repository.common_dir == repo.path / ".git"
    assert repository.git_dir == repo.path / ".git" / "worktrees" / "linked"
    assert (await repository.head()).branch == "topic"


async def test_bare_shallow_and_sha_256_repositories_say_so(repo: GitRepo, tmp_path: Path) -> None:
    repo.write("a", "1").commit()
    repo.write("a", "2").commit()
    bare = await open_repository(repo.clone(tmp_path / "bare.git", "--bare").path)
    assert (bare.bare, bare.worktree) == (True, None)
    shallow = await open_repository(repo.clone(tmp_path / "shallow", "--depth=1").path)
    assert shallow.shallow
    modern = await open_repository(GitRepo.create(tmp_path / "modern", object_format="sha256").path)
    assert modern.object_format == "sha256"


async def test_folders_with_line_ends_in_their_names_open(tmp_path: Path) -> None:
    odd = GitRepo.create(tmp_path / "two\nlines ")
    commit = odd.write("a", "1").commit()
    repository = await open_repository(odd.path)
    assert (repository.worktree, repository.git_dir) == (odd.path, odd.path / ".git")
    assert (await repository.head()).commit == commit
    assert [entry.path for entry in await repository.list_tree(commit)] == [b"a"]


async def test_a_symbolic_link_to_a_checkout_opens_the_checkout(repo: GitRepo, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(repo.path)
    assert (await open_repository(tmp_path / "link")).worktree == repo.path


@pytest.mark.parametrize(
    ("name", "reason"),
    [("absent", "does not exist"), ("a-file", "is a file"), ("empty", "is not in a git repository$")],
)
async def test_what_is_no_repository_is_refused_with_the_reason(
    tmp_path: Path, name: str, reason: str
) -> None:
    (tmp_path / "a-file").write_text("")
    (tmp_path / "empty").mkdir()
    with pytest.raises(NotARepositoryError, match=reason) as caught:
        await open_repository(tmp_path / name)
    assert str(tmp_path / name) in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize("content", ["gitdir: /nowhere/at/all\n", "rubbish\n"])
async def test_a_broken_git_file_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / ".git").write_text(content)
    with pytest.raises(NotARepositoryError):
        await open_repository(tmp_path)


async def test_the_inside_of_a_git_directory_is_no_checkout(repo: GitRepo) -> None:
    with pytest.raises(NotARepositoryError, match="inside a repository's git directory"):
        await open_repository(repo.path / ".git" / "refs")


async def test_a_path_with_a_null_byte_is_refused() -> None:
    with pytest.raises(NotARepositoryError):
        await open_repository("a\0b")


async def test_a_foreign_owner_is_refused_with_the_command_that_allows_it(
    repo: GitRepo, fake_git: Callable[[str], Path]
) -> None:
    fake_git('export GIT_TEST_ASSUME_DIFFERENT_OWNER=1; PATH=/usr/local/bin:/usr/bin:/bin; exec git "$@"')
    with pytest.raises(UnsafeRepositoryError, match="dubious ownership") as caught:
        await open_repository(repo.path)
    assert "git config --global --add safe.directory" in caught.value.hint
    assert str(repo.path) in caught.value.hint


async def test_a_foreign_owner_whom_the_user_trusts_is_read(
    repo: GitRepo, home: Path, fake_git: Callable[[str], Path]
) -> None:
    base = repo.write("a", "1").commit()
    head = repo.write("a", "2").commit()
    repo.git("config", "--file", str(home / ".gitconfig"), "safe.directory", str(repo.path))
    fake_git('export GIT_TEST_ASSUME_DIFFERENT_OWNER=1; PATH=/usr/local/bin:/usr/bin:/bin; exec git "$@"')
    repository = await open_repository(repo.path)
    assert len((await repository.diff(base, head)).files) == 1
    assert not (await repository.status()).dirty


async def test_a_user_who_distrusts_bare_repositories_is_obeyed(home: Path, tmp_path: Path) -> None:
    bare = GitRepo.create(tmp_path / "bare.git", bare=True)
    bare.git("config", "--file", str(home / ".gitconfig"), "safe.bareRepository", "explicit")
    with pytest.raises(UnsafeRepositoryError, match=r"safe\.bareRepository") as caught:
        await open_repository(bare.path)
    assert "git config --global safe.bareRepository all" in caught.value.hint


async def test_git_is_found_without_a_path_variable(repo: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    commit = repo.write("a", "1").commit()
    monkeypatch.setenv("PATH", "")
    assert (await (await open_repository(repo.path)).head()).commit == commit
    monkeypatch.delenv("PATH")
    assert (await (await open_repository(repo.path)).head()).commit == commit


async def test_a_machine_without_git_is_told_to_install_it(
    repo: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(repo.path))
    monkeypatch.setattr("oskit.git._environment._USUAL_FOLDERS", (str(repo.path),))
    with pytest.raises(GitMissingError, match="was not found in PATH") as caught:
        await open_repository(repo.path)
    assert "Install git" in caught.value.hint


async def test_a_git_that_answers_otherwise_is_not_guessed_at(
    tmp_path: Path, fake_git: Callable[[str], Path]
) -> None:
    fake_git("echo something else")
    with pytest.raises(UnexpectedOutputError, match="something else"):
        await open_repository(tmp_path)


async def test_a_read_only_checkout_is_read(repo: GitRepo) -> None:
    base = repo.write("a", "1").commit()
    head = repo.write("a", "2").commit()
    folders = [repo.path, *(path for path in repo.path.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o555)
    try:
        repository = await open_repository(repo.path)
        assert len((await repository.diff(base, head)).files) == 1
        assert await repository.dirty_tree() == repo.tree(head)
    finally:
        for folder in folders:
            os.chmod(folder, 0o755)  # noqa: PTH101 - so that pytest can remove it
