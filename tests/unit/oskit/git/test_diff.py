"""One process gives every file, its counts and patches that `git apply` turns into the head's tree."""

import pytest

from oskit.git import Diff, GitOutputTooLargeError, Limits, UnknownRevisionError, _diff, open_repository
from support.repos import GitRepo

pytestmark = pytest.mark.anyio

LINES = "".join(f"line {number}\n" for number in range(40))
AWKWARD: tuple[str | bytes, ...] = (
    "new\nline.txt",
    'quo"te.txt',
    "tab\there.txt",
    "a b/ b/c",
    "-dash",
    "[id].tsx",
    ":(top)",
    "back\\slash",
    "trailing space ",
    "ünïcode/日本.txt",
    b"\xff\xfe not utf-8",
    "return\r",
    "*?star",
    "diff --git a/x b/x",
    " => ",
)


async def compare(repo: GitRepo, base: str, head: str) -> Diff:
    """Take the diff and prove that its patches, whole and one by one, lead from base to head."""
    diff = await (await open_repository(repo.path)).diff(base, head)
    assert repo.tree_after(base, diff.patch) == repo.tree(head)
    deleted_first = sorted(
        diff.files, key=lambda file: file.status != "D"
    )  # a folder must go before a file comes
    assert repo.tree_after(base, *(file.patch for file in deleted_first)) == repo.tree(head)
    assert b"".join(file.patch for file in diff.files) == diff.patch
    return diff


async def test_every_awkward_name_is_listed_as_it_is_with_a_patch_of_its_own(repo: GitRepo) -> None:
    for number, name in enumerate(AWKWARD):
        repo.write(name, f"before {number}\n")
    base = repo.commit()
    for number, name in enumerate(AWKWARD):
        repo.write(name, f"after {number}\n")
    diff = await compare(repo, base, repo.commit())

    names = {name if isinstance(name, bytes) else name.encode() for name in AWKWARD}
    assert {file.new_path for file in diff.files} == names
    assert all(file.patch.count(b"+after") == 1 for file in diff.files)
    assert all((file.status, file.added, file.deleted) == ("M", 1, 1) for file in diff.files)


async def test_names_that_are_no_text_are_shown_without_two_looking_alike(repo: GitRepo) -> None:
    base = repo.commit()
    diff = await compare(repo, base, repo.write(b"\xff", "1").write(b"\xfe", "2").commit())
    assert [file.path for file in diff.files] == ["\\xfe", "\\xff"]


async def test_a_rename_with_edits_is_one_entry_and_only_edited_lines_count(repo: GitRepo) -> None:
    base = repo.write("old name.txt", LINES).commit()
    repo.rename("old name.txt", "sub/new.txt").write("sub/new.txt", LINES.replace("line 7\n", "seven\n"))
    (file,) = (await compare(repo, base, repo.commit())).files
    assert (file.status, file.old_path, file.new_path) == ("R", b"old name.txt", b"sub/new.txt")
    assert (file.added, file.deleted) == (1, 1)
    assert file.similarity is not None
    assert 90 <= file.similarity < 100


async def test_a_copy_is_an_added_file(repo: GitRepo) -> None:
    base = repo.write("one.txt", LINES).commit()
    (file,) = (await compare(repo, base, repo.write("two.txt", LINES).commit())).files
    assert (file.status, file.added) == ("A", 40)


async def test_binary_files_have_no_counts_and_their_patch_applies(repo: GitRepo) -> None:
    noise = bytes(range(256)) * 40
    base = repo.write("changed.png", noise).write("gone.png", b"\0gone").commit()
    repo.write("changed.png", noise[::-1]).remove("gone.png").write("new.png", b"\0\n" * 3000)
    diff = await compare(repo, base, repo.commit())
    assert [(file.status, file.binary, file.added, file.deleted) for file in diff.files] == [
        ("M", True, None, None),
        ("D", True, None, None),
        ("A", True, None, None),
    ]


async def test_binary_content_can_be_left_out_when_it_would_be_too_much(repo: GitRepo) -> None:
    base = repo.commit()
    head = repo.write("film.mp4", b"\0" + bytes(range(256)) * 4000).commit()
    diff = await (await open_repository(repo.path)).diff(base, head, binary=False)
    assert diff.files[0].binary
    assert b"Binary files /dev/null and b/film.mp4 differ" in diff.files[0].patch


async def test_a_file_that_becomes_a_link_is_one_entry_with_both_halves_in_its_patch(repo: GitRepo) -> None:
    base = repo.write("a", "text\n").write("b", "target\n").write("c", "more\n").commit()
    diff = await compare(repo, base, repo.symlink("b", "a").write("c", "other\n").commit())
    assert [(file.path, file.status, file.old_mode, file.new_mode) for file in diff.files] == [
        ("b", "T", "100644", "120000"),
        ("c", "M", "100644", "100644"),
    ]
    assert diff.files[0].patch.count(b"diff --git") == 2
    assert b"+other" in diff.files[1].patch


async def test_submodules_are_listed_with_their_commits(repo: GitRepo) -> None:
    one, two = "1" * 40, "2" * 40
    base = repo.stage_entry("160000", one, "added then moved").commit(stage=False)
    head = (
        repo.stage_entry("160000", two, "added then moved")
        .stage_entry("160000", one, "new")
        .commit(stage=False)
    )
    diff = await compare(repo, base, head)
    assert [(file.path, file.old_sha, file.new_sha, file.is_submodule) for file in diff.files] == [
        ("added then moved", one, two, True),
        ("new", "0" * 40, one, True),
    ]


async def test_a_change_of_mode_alone_has_no_lines_and_applies(repo: GitRepo) -> None:
    base = repo.write("run.sh", "echo\n").commit()
    (file,) = (await compare(repo, base, repo.chmod("run.sh", 0o755).commit())).files
    assert (file.status, file.old_mode, file.new_mode) == ("M", "100644", "100755")
    assert (file.added, file.deleted, file.binary) == (0, 0, False)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a\r\nb\r\n", "a\nb\n"),
        ("a\nb\n", "a\r\nb\r\n"),
        ("no end", "no end\n"),
        ("end\n", "end"),
        ("", "x"),
        ("x", ""),
        ("a\rb\rc", "a\rB\rc"),
        ("diff --git a/x b/x\n", "diff --git a/y b/y\ndiff --git a/z b/z\n"),
        ("\n\n\n", "\n"),
        (b"text\n" * 2000, b"text\n" * 2000 + b"late \0 byte\n"),
        (b"\xff\xfe latin\n", b"\xe9t\xe9\n"),
    ],
)
async def test_any_line_end_and_any_byte_survives(
    repo: GitRepo, before: str | bytes, after: str | bytes
) -> None:
    base = repo.write("first", "1\n").write("file", before).write("last", "1\n").commit()
    diff = await compare(
        repo, base, repo.write("first", "2\n").write("file", after).write("last", "2\n").commit()
    )
    assert [file.path for file in diff.files] == ["file", "first", "last"]


async def test_empty_files_deleted_files_and_files_that_become_folders_are_listed(repo: GitRepo) -> None:
    base = (
        repo.write("becomes", "file\n")
        .write("empty gone", "")
        .write("gone", "x\n")
        .write("folder/x", "1\n")
        .commit()
    )
    repo.write("empty new", "").remove("empty gone").remove("gone").remove("becomes").write(
        "becomes/inner", "y\n"
    )
    repo.remove("folder").write("folder", "now a file\n")
    diff = await compare(repo, base, repo.commit())
    assert {(file.path, file.status) for file in diff.files} == {
        ("becomes", "D"),
        ("becomes/inner", "A"),
        ("empty new", "R"),
        ("folder", "A"),
        ("folder/x", "D"),
        ("gone", "D"),
    }


async def test_renames_given_up_for_their_number_are_said(
    repo: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = repo.write_many({f"old/was{number}": LINES + f"{number}\n" for number in range(4)}).commit()
    repo.remove("old").write_many({f"new/is{number}": f"x\n{LINES}{number}\n" for number in range(4)})
    head = repo.commit()
    diff = await compare(repo, base, head)
    assert ({file.status for file in diff.files}, diff.renames_limited) == ({"R"}, False)
    fewer = tuple("-l2" if flag.startswith("-l") else flag for flag in _diff.PATCH_FLAGS)
    monkeypatch.setattr(_diff, "PATCH_FLAGS", fewer)
    diff = await compare(repo, base, head)
    assert ({file.status for file in diff.files}, diff.renames_limited) == ({"A", "D"}, True)


async def test_equal_commits_have_an_empty_diff(repo: GitRepo) -> None:
    base = repo.write("a", "1").commit()
    diff = await compare(repo, base, repo.commit("nothing"))
    assert (diff.files, diff.patch) == ((), b"")


async def test_branches_are_accepted_and_the_diff_says_which_commits_they_were(repo: GitRepo) -> None:
    base = repo.write("a", "1\n").commit()
    head = repo.branch("topic").write("a", "2\n").commit()
    repository = await open_repository(repo.path)
    diff = await repository.diff("main", "topic")
    assert (diff.base, diff.head) == (base, head)
    assert await repository.count_files_changed("main", "topic") == 1


async def test_counting_and_listing_paths_agree_with_the_diff(repo: GitRepo) -> None:
    base = repo.write("old", LINES).write("m", "1\n").commit()
    head = repo.rename("old", "new").write("m", "2\n").write("n", "x").commit()
    repository = await open_repository(repo.path)
    paths = await repository.changed_paths(base, head)
    diff = await repository.diff(base, head)
    assert [(path.status, path.path) for path in paths] == [(file.status, file.path) for file in diff.files]
    assert await repository.count_files_changed(base, head) == len(diff.files) == 3


async def test_a_repository_of_sha_256_objects_works_alike(repo: GitRepo) -> None:
    modern = GitRepo.create(repo.path.with_name("modern"), object_format="sha256")
    base = modern.write("a", "1\n").write("l", LINES).commit()
    diff = await compare(modern, base, modern.write("a", "2\n").rename("l", "m").commit())
    assert [(file.status, len(file.new_sha)) for file in diff.files] == [("M", 64), ("R", 64)]


async def test_an_unknown_commit_is_named(repo: GitRepo) -> None:
    base = repo.commit()
    repository = await open_repository(repo.path)
    for absent in ("no-such-branch", "f" * 40):
        with pytest.raises(UnknownRevisionError, match=absent) as caught:
            await repository.diff(base, absent)
        assert caught.value.revision == absent


async def test_a_diff_beyond_the_bound_is_refused_whole(repo: GitRepo) -> None:
    base = repo.commit()
    head = repo.write("big", "x\n" * 5000).commit()
    repository = await open_repository(repo.path)
    with pytest.raises(GitOutputTooLargeError, match="more than the 1000 allowed"):
        await repository.diff(base, head, limits=Limits(output_bytes=1000))


async def test_a_bare_repository_has_diffs(repo: GitRepo) -> None:
    base = repo.write("a", "1\n").commit()
    head = repo.write("a", "2\n").commit()
    bare = repo.clone(repo.path.with_name("bare.git"), "--bare")
    repository = await open_repository(bare.path)
    assert repository.worktree is None
    assert [file.path for file in (await repository.diff(base, head)).files] == ["a"]
