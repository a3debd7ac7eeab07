"""Merge bases and counts that can be trusted, and who a repository is."""

import shutil
from pathlib import Path

import pytest

from oskit.git import NoMergeBaseError, open_repository
from support.repos import GitRepo

pytestmark = pytest.mark.anyio


async def test_a_base_that_moved_ahead_does_not_add_files(repo: GitRepo) -> None:
    fork = repo.write("a", "1\n").commit()
    head = repo.branch("topic").write("mine", "1\n").commit()
    repo.checkout("main").write("theirs", "1\n").commit()
    repository = await open_repository(repo.path)
    base = await repository.merge_base("main", "topic")
    assert base == fork
    assert [file.path for file in (await repository.diff(base, head)).files] == ["mine"]


async def test_unrelated_histories_are_refused(repo: GitRepo) -> None:
    repo.write("a", "1").commit()
    repo.git("checkout", "-q", "--orphan", "island")
    repo.write("b", "1").commit()
    with pytest.raises(NoMergeBaseError, match="unrelated") as caught:
        await (await open_repository(repo.path)).merge_base("main", "island")
    assert not caught.value.shallow


async def test_a_shallow_clone_without_the_merge_base_is_refused_with_the_fix(
    repo: GitRepo, tmp_path: Path
) -> None:
    repo.write("a", "1").commit()
    repo.branch("topic").write("b", "1").commit()
    repo.checkout("main").write("c", "1").commit()
    clone = repo.clone(tmp_path / "clone", "--depth=1", "--no-single-branch")
    repository = await open_repository(clone.path)
    for question in (repository.merge_base, repository.log, repository.count_commits):
        with pytest.raises(NoMergeBaseError, match="shallow clone") as caught:
            await question("origin/main", "origin/topic")
        assert caught.value.shallow
        assert "git fetch --unshallow" in caught.value.hint
        assert "fetch-depth: 0" in caught.value.hint


async def test_a_shallow_clone_whose_cut_lies_behind_the_merge_base_answers(
    repo: GitRepo, tmp_path: Path
) -> None:
    for number in range(3):
        repo.write("a", str(number)).commit()
    fork = repo.head
    head = repo.branch("topic").write("b", "1").commit()
    tip = repo.checkout("main").write("c", "1").commit()
    clone = repo.clone(tmp_path / "clone", "--depth=2", "--no-single-branch")
    repository = await open_repository(clone.path)
    assert await repository.merge_base(tip, head) == fork
    assert await repository.count_commits(fork, head) == 1
    assert [commit.sha for commit in await repository.log(fork, head)] == [head]


async def test_a_common_ancestor_is_not_believed_when_the_cut_may_hide_a_better_one(
    repo: GitRepo, tmp_path: Path
) -> None:
    """Both sides share an old commit through a merge, while a better base lies beyond the cut."""
    old = repo.write("a", "1").commit("old")
    better = repo.write("b", "1").commit("better")
    repo.branch("one").write("one", "1").commit("one")
    repo.branch("side", old).write("side", "1").commit("side")
    repo.branch("two", better).write("two", "1").commit("cut here")
    cut = repo.head
    repo.merge("side")
    repository = await open_repository(repo.path)
    assert await repository.merge_base("one", "two") == better

    clone = repo.clone(tmp_path / "clone", "--no-single-branch", "--branch=two")
    (clone.path / ".git" / "shallow").write_text(f"{cut}\n")
    assert clone.ask("merge-base", "origin/one", "origin/two") == old
    with pytest.raises(NoMergeBaseError, match="shallow clone"):
        await (await open_repository(clone.path)).merge_base("origin/one", "origin/two")


async def test_commits_are_counted_without_what_the_base_has(repo: GitRepo) -> None:
    repo.write("a", "1").commit()
    repo.branch("topic").write("b", "1").commit()
    repo.checkout("main").write("c", "1").commit()
    repo.checkout("topic").merge("main")
    assert await (await open_repository(repo.path)).count_commits("main", "topic") == 2


async def test_equal_trees_have_equal_names(repo: GitRepo) -> None:
    first = repo.write("a", "1").commit()
    second = repo.commit("empty")
    repository = await open_repository(repo.path)
    assert await repository.tree(first) == await repository.tree(second) == repo.tree()


async def test_linked_worktrees_share_the_identity_whatever_they_have_checked_out(
    repo: GitRepo, tmp_path: Path
) -> None:
    root = repo.write("a", "1").commit()
    repo.write("a", "2").commit()
    main = await (await open_repository(repo.path)).identity()
    linked = repo.worktree(tmp_path / "linked", "topic")
    linked.git("checkout", "-q", "--orphan", "pages")
    linked.write("index.html", "1").commit()
    assert await (await open_repository(linked.path)).identity() == main
    assert main.root_commits == (root,)
    assert len(main.key) == 16


async def test_two_clones_in_folders_of_one_name_are_two_repositories(repo: GitRepo, tmp_path: Path) -> None:
    repo.write("a", "1").commit()
    keys = {
        (await (await open_repository(repo.clone(tmp_path / place / "app").path)).identity()).key
        for place in ("one", "two")
    }
    assert len(keys) == 2


async def test_another_repository_at_the_same_place_is_another(tmp_path: Path) -> None:
    keys = set()
    for content in ("1", "2"):
        made = GitRepo.create(tmp_path / "app")
        made.write("a", content).commit(content)
        keys.add((await (await open_repository(made.path)).identity()).key)
        shutil.rmtree(made.path)
    assert len(keys) == 2


async def test_merging_a_foreign_history_keeps_the_identity(repo: GitRepo) -> None:
    repo.write("a", "1").commit()
    repository = await open_repository(repo.path)
    before = await repository.identity()
    repo.git("checkout", "-q", "--orphan", "foreign")
    repo.remove("a").write("b", "1").commit()
    repo.checkout("main").merge("foreign", unrelated=True)
    assert await repository.identity() == before


async def test_shallow_and_unborn_repositories_have_a_stable_key_without_roots(
    repo: GitRepo, tmp_path: Path
) -> None:
    unborn = await (await open_repository(repo.path)).identity()
    assert unborn.root_commits == ()
    for number in range(4):
        repo.write("a", str(number)).commit()
    clone = repo.clone(tmp_path / "clone", "--depth=1")
    shallow = await (await open_repository(clone.path)).identity()
    clone.git("fetch", "-q", "--depth=2")
    assert await (await open_repository(clone.path)).identity() == shallow
    assert shallow.root_commits == ()
    assert shallow.key != unborn.key
