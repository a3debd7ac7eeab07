"""No configuration, attribute, hook or variable of anybody changes an answer or gets a program run."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from oskit.git import Commit, Diff, Head, Repository, TreeEntry, WorktreeStatus, open_repository
from support.hostile_git import poison
from support.repos import GitRepo

pytestmark = pytest.mark.anyio

LINES = "".join(f"line {number}\n" for number in range(30))


@dataclass(frozen=True)
class Answers:
    """Everything that can be asked about two commits and a work tree."""

    head: Head
    diff: Diff
    log: tuple[Commit, ...]
    merge_base: str
    tree: tuple[TreeEntry, ...]
    status: WorktreeStatus
    dirty_tree: str
    exported: dict[str, bytes]


async def ask(repository: Repository, base: str, head: str, folder: Path) -> Answers:
    await repository.export_tree(head, folder)
    return Answers(
        head=await repository.head(),
        diff=await repository.diff(base, head),
        log=await repository.log(base, head),
        merge_base=await repository.merge_base(base, head),
        tree=await repository.list_tree(head),
        status=await repository.status(),
        dirty_tree=await repository.dirty_tree(),
        exported=dict(files_below(folder)),
    )


def files_below(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in folder.rglob("*"):
        if path.is_file():
            yield str(path.relative_to(folder)), path.read_bytes()


def changed(repo: GitRepo) -> tuple[str, str]:
    base = repo.write("a.txt", LINES).write("ünï.py", LINES).write("z.bin", "1\n").commit()
    repo.write("a.txt", LINES.replace("line 3\n", "three\n")).rename("ünï.py", "new/ünï.py").write(
        "copy.txt", LINES
    )
    head = repo.write("z.bin", b"\0\1").write("é", "é\n").commit("second: ünïcode\n\nbody\n")
    repo.write("a.txt", "uncommitted\n").write("untracked.txt", "crlf\r\n")
    return base, head


async def test_hostile_repository_configuration_changes_nothing(repo: GitRepo, tmp_path: Path) -> None:
    base, head = changed(repo)
    repository = await open_repository(repo.path)
    before = await ask(repository, base, head, tmp_path / "before")
    canary = poison(repo, tmp_path / "evil")

    reopened = await open_repository(repo.path)
    assert reopened == repository
    assert await ask(reopened, base, head, tmp_path / "after") == before
    assert not canary.exists()


async def test_the_hostile_configuration_would_have_been_obeyed_by_plain_git(
    repo: GitRepo, tmp_path: Path
) -> None:
    """Without this, the test above could pass because its configuration does nothing."""
    base, head = changed(repo)
    clean = repo.git("diff", base, head)
    canary = poison(repo, tmp_path / "evil")
    assert repo.try_git("diff", base, head).stdout != clean
    assert canary.exists()


async def test_hostile_user_configuration_changes_nothing(repo: GitRepo, home: Path, tmp_path: Path) -> None:
    base, head = changed(repo)
    repository = await open_repository(repo.path)
    before = await ask(repository, base, head, tmp_path / "before")
    poisoned = GitRepo.create(tmp_path / "poisoned")
    canary = poison(poisoned, tmp_path / "evil")
    settings = poisoned.ask("config", "--local", "--list", "--null").split("\0")
    for key, _, value in (setting.partition("\n") for setting in settings if setting):
        if not key.startswith("core.") or key in {
            "core.pager",
            "core.fsmonitor",
            "core.hookspath",
            "core.editor",
        }:
            repo.git("config", "--file", str(home / ".gitconfig"), key, value)
    (home / ".config" / "git").mkdir(parents=True)
    (home / ".config" / "git" / "attributes").write_text("* binary diff=evil filter=evil\n")

    assert await ask(await open_repository(repo.path), base, head, tmp_path / "after") == before
    assert not canary.exists()
    assert not (tmp_path / "evil" / "a-trace-was-written").exists()


async def test_attributes_in_the_work_tree_do_not_hide_changes(repo: GitRepo) -> None:
    base = repo.write(".gitattributes", "*.lock -diff\n*.py diff=python\n").write("a.lock", "1\n").commit()
    head = repo.write("a.lock", "2\n").commit()
    diff = await (await open_repository(repo.path)).diff(base, head)
    assert (diff.files[0].binary, diff.files[0].added) == (False, 1)


async def test_replaced_objects_and_grafts_are_not_believed(repo: GitRepo) -> None:
    base = repo.write("a", "1\n").commit()
    honest = repo.write("a", "2\n").commit()
    head = repo.write("a", "3\n").commit()
    repo.git("replace", honest, base)
    (repo.path / ".git" / "info" / "grafts").write_text(f"{head}\n")
    repository = await open_repository(repo.path)
    assert [commit.sha for commit in await repository.log(base, head)] == [honest, head]
    assert await repository.merge_base(base, head) == base


async def test_variables_of_a_surrounding_hook_have_no_effect(
    repo: GitRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base, head = changed(repo)
    before = await ask(await open_repository(repo.path), base, head, tmp_path / "before")
    other = GitRepo.create(tmp_path / "other")
    other.write("other.txt", "x").commit()
    outer_index = (other.path / ".git" / "index").read_bytes()
    leaked = {
        "GIT_DIR": str(other.path / ".git"),
        "GIT_WORK_TREE": str(other.path),
        "GIT_INDEX_FILE": str(other.path / ".git" / "index"),
        "GIT_OBJECT_DIRECTORY": str(other.path / ".git" / "objects"),
        "GIT_COMMON_DIR": str(other.path / ".git"),
        "GIT_NAMESPACE": "elsewhere",
        "GIT_PREFIX": "sub/",
        "GIT_CEILING_DIRECTORIES": str(tmp_path),
        "GIT_EXTERNAL_DIFF": "/bin/false",
        "GIT_DIFF_OPTS": "--unified=0",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "diff.noprefix",
        "GIT_CONFIG_VALUE_0": "true",
        "GIT_CONFIG_PARAMETERS": "'diff.noprefix=true'",
        "GIT_TRACE": str(tmp_path / "trace"),
        "GIT_PAGER": "/bin/false",
        "GIT_LITERAL_PATHSPECS": "0",
        "GIT_ALLOW_PROTOCOL": "file:https",
        "LC_ALL": "de_DE.UTF-8",
        "LANGUAGE": "de",
    }
    for name, value in leaked.items():
        monkeypatch.setenv(name, value)

    assert await ask(await open_repository(repo.path), base, head, tmp_path / "after") == before
    assert (other.path / ".git" / "index").read_bytes() == outer_index
    assert not (tmp_path / "trace").exists()


async def test_a_git_in_the_reviewed_checkout_is_not_run(
    repo: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.write("git", "#!/bin/sh\ntouch ran\n", executable=True).commit()
    monkeypatch.chdir(repo.path)
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.environ['PATH']}")
    assert (await (await open_repository(repo.path)).head()).branch == "main"
    assert not (repo.path / "ran").exists()
