"""What lies on disk, and the tree it would be, always the one `git add --all` makes."""

import os
import shutil
from pathlib import Path

import pytest

from oskit.git import GitError, NoWorktreeError, WorktreeStatus, open_repository
from support.repos import GitRepo, snapshot

pytestmark = pytest.mark.anyio

LFS_POINTER = "version https://git-lfs.github.com/spec/v1\n"
LFS_CLEAN = """#!/usr/bin/env python3
import hashlib, sys
open({log!r}, "w").close()
content = sys.stdin.buffer.read()
if not content or content.startswith(b"version https://git-lfs"):
    sys.stdout.buffer.write(content)
else:
    print("version https://git-lfs.github.com/spec/v1")
    print("oid sha256:" + hashlib.sha256(content).hexdigest())
    print("size", len(content))
"""
"""What `git lfs clean` prints, by its specification."""


async def dirty_tree(repo: GitRepo) -> str:
    """Give the reader's answer, having compared it with what git itself would commit."""
    answer = await (await open_repository(repo.path)).dirty_tree()
    assert answer == committed_tree(repo)
    return answer


def committed_tree(repo: GitRepo) -> str:
    """Let git make the tree, with a copy of the index."""
    index, copy = repo.path / ".git" / "index", repo.path / ".git" / "compared-index"
    if index.exists():
        shutil.copy2(index, copy)  # its time tells git which files may have changed in the same instant
    repo.git("add", "--all", env={"GIT_INDEX_FILE": str(copy)})
    return repo.git("write-tree", env={"GIT_INDEX_FILE": str(copy)}).decode().strip()


async def test_a_clean_work_tree_is_heads_tree(repo: GitRepo) -> None:
    repo.write("a", "1").write("b/c", "2").symlink("l", "a").write("x", "", executable=True).commit()
    assert await dirty_tree(repo) == repo.tree()
    assert await (await open_repository(repo.path)).status() == WorktreeStatus(dirty=False, paths=())


async def test_every_kind_of_change_is_part_of_the_tree(repo: GitRepo) -> None:
    repo.write(".gitignore", "*.log\n").write("edited", "1").write("gone", "1").write("mode", "1").write(
        "staged", "1"
    )
    repo.write("becomes", "file").write("folder/x", "1").symlink("link", "edited").write(
        "linked", "1"
    ).commit()
    repo.write("staged", "2").stage()
    repo.write("edited", "2").remove("gone").chmod("mode", 0o755).write("noise.log", "1").symlink(
        "linked", "edited"
    )
    repo.remove("becomes").write("becomes/inner", "1").remove("folder").write("folder", "file").write(
        "link", "plain"
    )
    repo.write("new/deep/file", "1").write("new/run", "1", executable=True).symlink("new/link", "nowhere")
    assert await dirty_tree(repo) != repo.tree()
    status = await (await open_repository(repo.path)).status()
    assert status.dirty
    assert b"noise.log" not in status.paths
    assert {b"edited", b"gone", b"mode", b"staged", b"becomes/inner", b"folder", b"new/link"} <= set(
        status.paths
    )


@pytest.mark.parametrize(
    "name", ['"quoted"', "new\nline", "-dash", "end\r", " lead", b"\xff", "back\\slash", ":(top)", "ü/ñ"]
)
async def test_names_of_any_kind_are_hashed(repo: GitRepo, name: str | bytes) -> None:
    repo.write("a", "1").commit()
    await dirty_tree(repo.write(name, "content"))
    repo.commit()
    await dirty_tree(repo.write(name, "changed"))


async def test_an_unborn_repository_has_a_tree(repo: GitRepo) -> None:
    assert await dirty_tree(repo) == "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
    await dirty_tree(repo.write("a", "1"))
    await dirty_tree(repo.stage().write("a", "2"))


async def test_a_conflict_counts_as_the_file_on_disk(repo: GitRepo) -> None:
    repo.write("a", "1\n").write("b", "1\n").commit()
    repo.branch("topic").write("a", "topic\n").remove("b").commit()
    repo.checkout("main").write("a", "main\n").write("b", "main\n").commit()
    repo.try_git("merge", "topic")
    assert b"<<<<<<<" in repo.file("a").read_bytes()
    await dirty_tree(repo)
    await dirty_tree(repo.remove("b"))


async def test_line_ends_are_stored_as_the_repository_wants_them(repo: GitRepo) -> None:
    repo.write(".gitattributes", "*.txt text\n*.bin -text\n").write("a.txt", "1\n").commit()
    await dirty_tree(repo.write("a.txt", "1\r\n2\r\n").write("b.bin", "1\r\n"))
    await dirty_tree(repo.config("core.autocrlf", "input").write("c", "1\r\n"))


async def test_files_that_a_users_ignore_list_names_are_not_dirt(repo: GitRepo, home: Path) -> None:
    repo.write("a", "1").commit()
    (home / ".config" / "git").mkdir(parents=True)
    (home / ".config" / "git" / "ignore").write_text(".DS_Store\n")
    repo.write(".DS_Store", "x")
    assert not (await (await open_repository(repo.path)).status()).dirty


async def test_modes_are_not_believed_where_the_repository_says_so(repo: GitRepo) -> None:
    repo.write("a", "1").commit()
    repo.config("core.fileMode", "false").chmod("a", 0o755).write("b", "1", executable=True)
    await dirty_tree(repo)


async def test_intended_and_skipped_files_count_as_git_counts_them(repo: GitRepo) -> None:
    repo.write("a", "1").write("skipped", "1").commit()
    repo.git("update-index", "--skip-worktree", "skipped")
    repo.write("intended", "x").git("add", "--intent-to-add", "intended")
    repo.remove("skipped")
    await dirty_tree(repo)


async def test_nested_repositories_and_submodules_are_their_commits(repo: GitRepo) -> None:
    repo.write("a", "1").commit()
    nested = GitRepo.create(repo.path / "nested")
    nested.write("x", "1").commit()
    await dirty_tree(repo)
    repo.commit()
    nested.write("x", "2")
    assert not (await (await open_repository(repo.path)).status()).dirty
    nested.commit()
    assert (await (await open_repository(repo.path)).status()).paths == (b"nested",)
    await dirty_tree(repo)


async def test_a_nested_repository_without_commits_is_nothing(repo: GitRepo) -> None:
    repo.write("a", "1").commit()
    GitRepo.create(repo.path / "nested").write("x", "1")
    assert await (await open_repository(repo.path)).dirty_tree() == repo.tree()


async def test_a_linked_worktree_is_looked_at_by_itself(repo: GitRepo, tmp_path: Path) -> None:
    repo.write("a", "1").commit()
    linked = repo.worktree(tmp_path / "linked", "topic")
    linked.write("b", "2")
    assert not (await (await open_repository(repo.path)).status()).dirty
    dirty = await (await open_repository(linked.path)).dirty_tree()
    assert dirty == linked.stage().ask("write-tree")


async def test_filters_do_not_run_and_a_touched_file_is_dirty(repo: GitRepo, tmp_path: Path) -> None:
    repo.config("filter.odd.clean", f"touch '{tmp_path}/ran'; tr a-z A-Z").config(
        "filter.odd.required", "true"
    )
    repo.write(".gitattributes", "*.odd filter=odd\n").write("a.odd", "small").commit()
    (tmp_path / "ran").unlink()
    repo.write("a.odd", "small")
    assert (await (await open_repository(repo.path)).status()).paths == (b"a.odd",)
    await (await open_repository(repo.path)).dirty_tree()
    assert "ran" not in set(snapshot(tmp_path))


async def test_lfs_files_are_compared_by_their_pointers_without_running_lfs(
    repo: GitRepo, tmp_path: Path
) -> None:
    script = tmp_path / "lfs-clean"
    script.write_text(LFS_CLEAN.format(log=str(tmp_path / "ran")))
    script.chmod(0o755)
    repo.config("filter.lfs.clean", str(script)).config("filter.lfs.required", "true")
    pointer = LFS_POINTER + "oid sha256:" + "1" * 64 + "\nsize 5\n"
    files = {"a.psd": "big" * 999, "b.psd": pointer, "c.psd": ""}
    repo.write(".gitattributes", "*.psd filter=lfs\n").write_many(files).commit()
    (tmp_path / "ran").unlink()
    repo.write_many(files)
    status = await (await open_repository(repo.path)).status()
    assert "ran" not in set(snapshot(tmp_path))
    assert not status.dirty
    await dirty_tree(repo)
    await dirty_tree(
        repo.write("a.psd", "new" * 999).write("d.psd", "x").write("e.txt", "y").chmod("c.psd", 0o755)
    )


async def test_a_filter_that_cannot_be_switched_off_is_refused(repo: GitRepo) -> None:
    repo.config("filter.a=b.clean", "cat").write("a", "1")
    with pytest.raises(GitError, match=r"filter\.a=b\.clean"):
        await (await open_repository(repo.path)).dirty_tree()


async def test_a_pipe_in_place_of_a_file_is_refused_instead_of_waited_for(repo: GitRepo) -> None:
    repo.write("a", "1").commit()
    repo.remove("a")
    os.mkfifo(repo.path / "a")
    with pytest.raises(GitError, match="neither a file nor a link"):
        await (await open_repository(repo.path)).dirty_tree()


async def test_bare_repositories_have_no_work_tree_to_ask_about(tmp_path: Path) -> None:
    repository = await open_repository(GitRepo.create(tmp_path / "bare.git", bare=True).path)
    with pytest.raises(NoWorktreeError, match="has no work tree"):
        await repository.status()
    with pytest.raises(NoWorktreeError, match="has no work tree"):
        await repository.dirty_tree()


async def test_sha_256_and_split_indexes_work(repo: GitRepo, tmp_path: Path) -> None:
    modern = GitRepo.create(tmp_path / "modern", object_format="sha256")
    modern.write("a", "1").write("d/e", "1").commit()
    await dirty_tree(modern.write("a", "2").symlink("l", "a"))
    repo.write("a", "1").write("b", "1").commit()
    repo.git("update-index", "--split-index")
    repo.write("a", "2")
    before = (repo.path / ".git" / "index").read_bytes()
    repository = await open_repository(repo.path)
    dirty = await repository.dirty_tree()
    assert (repo.path / ".git" / "index").read_bytes() == before
    assert dirty == repo.stage().ask("write-tree")
