"""One process gives every commit of a range with its own patch."""

from datetime import UTC, datetime

import pytest

from oskit.git import open_repository
from support.repos import FIRST_COMMIT_TIME, SECONDS_BETWEEN_COMMITS, GitRepo

pytestmark = pytest.mark.anyio


async def test_commits_come_oldest_first_with_everything_about_them(repo: GitRepo) -> None:
    base = repo.write("a", "1\n").commit()
    first = repo.write("a", "2\n").commit(
        "First line\nstill subject\n\nBody, ünïcode\n\nmore\n", author="Zoë <zoe@example.org>"
    )
    second = repo.rename("a", "b").commit("Second")
    one, two = await (await open_repository(repo.path)).log(base, second)
    assert (one.sha, one.parents, one.author, one.email) == (first, (base,), "Zoë", "zoe@example.org")
    assert (one.subject, one.body) == ("First line still subject", "Body, ünïcode\n\nmore")
    assert one.time == datetime.fromtimestamp(FIRST_COMMIT_TIME + SECONDS_BETWEEN_COMMITS, tz=UTC)
    assert (two.sha, two.subject, two.body) == (second, "Second", "")
    assert b"rename from a" in two.patch


async def test_each_patch_leads_from_the_parent_to_the_commit(repo: GitRepo) -> None:
    base = repo.write("a", "1\n").commit()
    repo.write("a", "2").write("bin", bytes(range(256)) * 9).commit(
        "diff --git a/a b/a\n\ndiff --git a/a b/a\n--- a/a"
    )
    repo.symlink("a", "bin").write(b"\xff\n", "\0" + "x\n" * 5000).commit()
    repo.write("bin", b"late" * 4000 + b"\0\n").remove("a").commit()
    head = repo.commit("empty")
    commits = await (await open_repository(repo.path)).log(base, head)
    assert len(commits) == 4
    for commit in commits:
        assert repo.tree_after(commit.parents[0], commit.patch) == repo.tree(commit.sha)
    assert commits[-1].patch == b""


async def test_work_merged_in_from_the_base_is_not_the_branches(repo: GitRepo) -> None:
    repo.write("a", "1\n").commit()
    mine = repo.branch("topic").write("mine", "1\n").commit()
    repo.checkout("main").write("theirs", "1\n").commit()
    merge = repo.checkout("topic").merge("main")
    more = repo.write("mine", "2\n").commit()
    commits = await (await open_repository(repo.path)).log("main", "topic")
    assert [commit.sha for commit in commits] == [mine, merge, more]
    assert commits[1].patch == b""
    assert b"theirs" not in b"".join(commit.patch for commit in commits)


async def test_patches_can_be_left_out(repo: GitRepo) -> None:
    base = repo.write("a", "1\n").commit()
    head = repo.write("a", "2\n").commit("subject\n\nbody")
    (commit,) = await (await open_repository(repo.path)).log(base, head, patches=False)
    assert (commit.sha, commit.subject, commit.body, commit.patch) == (head, "subject", "body", b"")


async def test_an_empty_range_and_a_reversed_range_have_no_commits(repo: GitRepo) -> None:
    base = repo.write("a", "1\n").commit()
    head = repo.write("a", "2\n").commit()
    repository = await open_repository(repo.path)
    assert await repository.log(head, head) == ()
    assert await repository.log(head, base) == ()


async def test_old_encodings_broken_bytes_and_impossible_dates_do_not_stop_the_log(repo: GitRepo) -> None:
    base = repo.write("a", "1\n").commit()
    repo.git(
        "-c", "i18n.commitEncoding=ISO-8859-1", "commit", "-q", "--allow-empty", "-F", "-", stdin=b"caf\xe9"
    )
    broken = f"tree {repo.tree()}\nparent {repo.head}\nauthor A <a@x> 99999999999999999 +0000\ncommitter A <a@x> 1 +0000\n\n"
    head = repo.store(broken.encode() + b"bad \xff byte", kind="commit")
    one, two = await (await open_repository(repo.path)).log(base, head)
    assert one.subject == "café"
    assert two.subject == "bad \ufffd byte"
    assert two.time.tzinfo is UTC


async def test_notes_signatures_and_decorations_stay_out(repo: GitRepo) -> None:
    base = repo.write("a", "1\n").commit()
    head = repo.write("a", "2\n").commit("subject")
    repo.git("notes", "add", "-m", "a note", head)
    repo.git("tag", "v1")
    (commit,) = await (await open_repository(repo.path)).log(base, head)
    assert (commit.subject, commit.body) == ("subject", "")
    assert commit.patch.startswith(b"diff --git a/a b/a\n")


async def test_the_newest_commits_come_newest_first_without_patches(repo: GitRepo) -> None:
    repo.write("a", "1\n").commit("First")
    second, third = repo.write("a", "2\n").commit("Second"), repo.write("a", "3\n").commit("Third")
    found = await (await open_repository(repo.path)).recent("HEAD", commits=2)
    assert [(commit.sha, commit.subject, commit.patch) for commit in found] == [
        (third, "Third", b""),
        (second, "Second", b""),
    ]
