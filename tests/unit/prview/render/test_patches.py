"""Patches by commit and by file: git's bytes, under names that are safe and never meet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oskit.git import open_repository
from prview.render.patches import commit_patches, file_patches
from prview.service.preparing import prepare
from support.prview_review import change_of, changed_file, commit
from support.repos import GitRepo

if TYPE_CHECKING:
    from pathlib import Path


def test_up_to_ten_commits_have_a_patch_each_and_merges_none() -> None:
    made = commit_patches(
        [commit(1, "Add ../a: \u202efirst", b"one"), commit(2, "merge"), commit(3, "", b"\xff")]
    )
    assert made == {
        f"0001-{'0' * 12}-Add-..-a-first.patch": b"one",
        f"0003-{'0' * 12}.patch": b"\xff",
    }


def test_up_to_fifty_come_in_batches_of_five_with_a_heading_each() -> None:
    made = commit_patches([commit(n, f"c{n}\ndiff --git a/x b/x", b"patch %d\n" % n) for n in range(1, 13)])
    assert list(made) == ["0001-0005.patch", "0006-0010.patch", "0011-0012.patch"]
    last = made["0011-0012.patch"]
    assert last.count(b"\npatch ") == 2
    assert re.findall(rb"^(?:diff|commit)", last, re.MULTILINE) == [b"commit", b"commit"]


def test_more_than_fifty_have_none() -> None:
    assert commit_patches([commit(n, "c", b"p") for n in range(51)]) == {}


def test_only_files_with_eighty_changed_lines_have_a_patch_of_their_own() -> None:
    small = changed_file("small.py", *["+x"] * 79)
    large = changed_file("large.py", *["+x"] * 40, *["-y"] * 40)
    binary = changed_file("b.bin", added=None, deleted=None, binary=True)
    assert list(file_patches(change_of([small, large, binary]))) == ["large.py"]


@given(st.lists(st.text(min_size=1, max_size=200), min_size=1, max_size=20, unique=True))
def test_names_are_safe_and_differ_also_where_case_does_not_count(paths: list[str]) -> None:
    files = [changed_file(path.encode("utf-8", "backslashreplace").decode(), added=80) for path in paths]
    names = file_patches(change_of(files))
    assert len({name.lower() for name in names.values()}) == len({file.path for file in files})
    for name in names.values():
        assert re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,110}\.patch", name)


@pytest.mark.anyio
async def test_the_patches_of_commits_are_git_s_own_and_apply_one_after_the_other(tmp_path: Path) -> None:
    repo = GitRepo.create(tmp_path / "repo")
    base = repo.write_many({"a.txt": "one\r\n", "b": b"\xff\x00"}).commit("base")
    repo.branch("topic").write("a.txt", "two\r\n").rename("b", "ü c").commit("first")
    repo.write("ü c", b"\x00\x01").write("d", "no newline at the end").commit("second")
    change = await prepare(await open_repository(repo.path), target="topic", bases=["main"])
    tree = repo.resolve("HEAD^{tree}")
    repo.checkout(base)
    for patch in commit_patches(change.commits).values():
        repo.git("apply", "--index", "--whitespace=nowarn", "-", stdin=patch)
    assert repo.ask("write-tree") == tree
