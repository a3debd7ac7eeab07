"""Every git process is bounded in time and output, and its failures are told as ours."""

import os
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

from oskit.git import (
    GitError,
    GitFailedError,
    GitMissingError,
    GitOutputTooLargeError,
    GitTimeoutError,
    Limits,
    UnknownRevisionError,
    open_repository,
)
from support.repos import GitRepo

pytestmark = pytest.mark.anyio


async def test_a_git_that_hangs_is_killed_with_all_its_children(
    repo: GitRepo, tmp_path: Path, fake_git: Callable[[str], Path]
) -> None:
    head = repo.write("a", "1").commit()
    repository = await open_repository(repo.path)
    pids = tmp_path / "pids"
    fake_git(f'tail -f /dev/null & echo $! > "{pids}"; echo $$ >> "{pids}"; wait')
    with anyio.fail_after(20), pytest.raises(GitTimeoutError, match=r"did not finish within 0\.5 s"):
        await repository.list_tree(head, limits=Limits(deadline_s=0.5))
    for pid in (await anyio.Path(pids).read_text()).split():
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid), 0)


async def test_endless_output_is_refused_and_not_kept(repo: GitRepo, fake_git: Callable[[str], Path]) -> None:
    head = repo.write("a", "1").commit()
    repository = await open_repository(repo.path)
    fake_git("head -c 3000000 /dev/zero")
    with pytest.raises(GitOutputTooLargeError, match="3000000 bytes, more than the 1000"):
        await repository.list_tree(head, limits=Limits(output_bytes=1000))


async def test_output_of_exactly_the_bound_is_accepted(repo: GitRepo) -> None:
    head = repo.write("a", "1").commit()
    repository = await open_repository(repo.path)
    size = len(repo.git("ls-tree", "-r", "-z", head))
    assert len(await repository.list_tree(head, limits=Limits(output_bytes=size))) == 1
    with pytest.raises(GitOutputTooLargeError):
        await repository.list_tree(head, limits=Limits(output_bytes=size - 1))


async def test_an_unexplained_failure_keeps_gits_words(
    repo: GitRepo, fake_git: Callable[[str], Path]
) -> None:
    head = repo.write("a", "1").commit()
    repository = await open_repository(repo.path)
    fake_git("echo 'warning: a' >&2; echo 'fatal: the moon is full' >&2; exit 3")
    with pytest.raises(
        GitFailedError, match=r"git ls-tree failed in .* \(exit 3\): the moon is full"
    ) as caught:
        await repository.list_tree(head)
    assert (caught.value.returncode, "warning: a" in caught.value.stderr) == (3, True)


async def test_a_git_killed_from_outside_is_a_failure(repo: GitRepo, fake_git: Callable[[str], Path]) -> None:
    head = repo.write("a", "1").commit()
    repository = await open_repository(repo.path)
    fake_git("kill -KILL $$")
    with pytest.raises(GitFailedError, match="exit -9"):
        await repository.merge_base(head, head)


async def test_a_broken_configuration_is_not_called_an_unknown_revision(repo: GitRepo) -> None:
    repo.write("a", "1").commit()
    repository = await open_repository(repo.path)
    with (repo.path / ".git" / "config").open("a") as stream:
        stream.write("[broken\n")
    with pytest.raises(GitFailedError, match="bad config line") as caught:
        await repository.resolve("main")
    assert not isinstance(caught.value, UnknownRevisionError)


async def test_a_repository_that_vanishes_is_an_error(repo: GitRepo) -> None:
    head = repo.write("a", "1").commit()
    repository = await open_repository(repo.path)
    repo.path.rename(repo.path.with_name("moved"))
    for question in (repository.status, repository.head, repository.dirty_tree):
        with pytest.raises(GitError):
            await question()
    with pytest.raises(GitError):
        await repository.list_tree(head)


async def test_no_temporary_folder_is_an_error_with_the_fix(
    repo: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = repo.write("a", "1").commit()
    repository = await open_repository(repo.path)
    monkeypatch.setattr("tempfile.tempdir", str(repo.path / "absent"))
    with pytest.raises(GitError, match="temporary folder") as caught:
        await repository.list_tree(head)
    assert "TMPDIR" in caught.value.hint


async def test_git_that_disappears_between_two_questions_is_missing(
    repo: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = repo.write("a", "1").commit()
    repository = await open_repository(repo.path)
    monkeypatch.setattr("oskit.git._command.git_program", lambda: str(repo.path / "no-git"))
    with pytest.raises(GitMissingError):
        await repository.list_tree(head)


async def test_a_diff_and_a_log_cost_one_process_each_whatever_the_size(
    repo: GitRepo, tmp_path: Path, fake_git: Callable[[str], Path]
) -> None:
    base = repo.write_many({f"f{number}": "1\n" for number in range(60)}).commit()
    for number in range(60):
        repo.write(f"f{number}", "2\n")
        if number % 20 == 0:
            repo.commit()
    head = repo.commit()
    repository = await open_repository(repo.path)
    calls = tmp_path / "calls"
    fake_git(f'echo x >> "{calls}"; PATH=/usr/local/bin:/usr/bin:/bin; exec git "$@"')
    assert len((await repository.diff(base, head)).files) == 60
    assert await anyio.Path(calls).read_text() == "x\n"
    assert len(await repository.log(base, head)) == 4
    assert await anyio.Path(calls).read_text() == "x\nx\n"
