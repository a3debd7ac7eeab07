"""Trees and blobs in batches."""

from pathlib import Path

import pytest

from oskit.git import (
    GitOutputTooLargeError,
    Limits,
    MissingObjectError,
    UnknownRevisionError,
    open_repository,
)
from support.repos import GitRepo

pytestmark = pytest.mark.anyio

NAMES: tuple[str | bytes, ...] = (
    "new\nline",
    'quo"te',
    "-dash",
    ":(top)",
    "*",
    "[id]",
    b"\xff",
    "a b/c",
    "tab\t",
)


async def test_a_tree_lists_files_links_and_submodules_recursively(repo: GitRepo) -> None:
    repo.write("dir/file", "12345").write("run", "x", executable=True).symlink("link", "dir/file").stage()
    head = repo.stage_entry("160000", "1" * 40, "sub").commit(stage=False)
    repository = await open_repository(repo.path)
    entries = await repository.list_tree(head, sizes=True)
    assert [(entry.path, entry.mode, entry.kind, entry.size) for entry in entries] == [
        (b"dir/file", "100644", "blob", 5),
        (b"link", "120000", "blob", 8),
        (b"run", "100755", "blob", 1),
        (b"sub", "160000", "commit", None),
    ]
    assert all(entry.size is None for entry in await repository.list_tree("HEAD"))


async def test_blobs_are_read_by_name_and_by_path_whatever_the_path(repo: GitRepo) -> None:
    for number, name in enumerate(NAMES):
        repo.write(name, bytes([number, 0, 255]))
    repo.write("empty", "").commit()
    repository = await open_repository(repo.path)
    names = [name if isinstance(name, bytes) else name.encode() for name in NAMES]
    found = await repository.read_blobs([("HEAD", name) for name in (*names, b"empty")])
    assert list(found.values()) == [*(bytes([number, 0, 255]) for number in range(len(NAMES))), b""]
    sha = repo.resolve("HEAD:empty")
    assert await repository.read_blobs([sha, sha]) == {sha: b""}
    assert await repository.read_blobs([]) == {}


async def test_what_is_no_file_at_a_commit_reads_as_none(repo: GitRepo) -> None:
    old = repo.write("dir/file", "1").commit()
    repo.write("later", "2").stage_entry("160000", old, "sub").stage()
    repo.stage_entry("160000", old, "sub").commit(stage=False)
    repository = await open_repository(repo.path)
    for path in (
        b"absent",
        b"dir",
        b"dir/",
        b"dir/file/x",
        b"sub",
        b"",
        b"/dir/file",
        b"../x",
        b"dir/../dir/file",
    ):
        assert await repository.read_blobs([("HEAD", path)]) == {("HEAD", path): None}, path
    specs = [(old, b"later"), ("HEAD", b"later"), (old, b"dir/file")]
    assert list((await repository.read_blobs(specs)).values()) == [None, b"2", b"1"]


async def test_a_thousand_paths_are_read_at_once(repo: GitRepo) -> None:
    repo.write_many({f"d{number % 7}/f{number}": str(number) for number in range(1000)}).commit()
    repository = await open_repository(repo.path)
    specs = [("HEAD", f"d{number % 7}/f{number}".encode()) for number in range(1000)]
    found = await repository.read_blobs([*specs, ("HEAD", b"absent")])
    assert [found[spec] for spec in specs] == [str(number).encode() for number in range(1000)]
    assert found["HEAD", b"absent"] is None


async def test_absent_and_damaged_objects_are_errors_not_empty_answers(repo: GitRepo) -> None:
    repo.write("a", "1").commit()
    repository = await open_repository(repo.path)
    with pytest.raises(MissingObjectError, match="f" * 40):
        await repository.read_blobs(["f" * 40])
    with pytest.raises(MissingObjectError):
        await repository.read_blobs([repo.tree()])
    with pytest.raises(UnknownRevisionError, match="nope"):
        await repository.read_blobs([("nope", b"a")])
    damage(repo, repo.resolve("HEAD:a"))
    with pytest.raises(MissingObjectError) as caught:
        await repository.read_blobs([("HEAD", b"a")])
    assert "git fsck" in caught.value.hint


async def test_damage_in_a_compared_file_or_tree_fails_the_diff(repo: GitRepo) -> None:
    base = repo.write("a", "1").write("d/b", "1").commit()
    head = repo.write("a", "2").write("d/b", "2").commit()
    repository = await open_repository(repo.path)
    damage(repo, repo.resolve("HEAD:a"))
    with pytest.raises(MissingObjectError):
        await repository.diff(base, head)
    (stored(repo, repo.resolve("HEAD:d"))).unlink()
    with pytest.raises(MissingObjectError):
        await repository.list_tree(head)
    with pytest.raises(MissingObjectError):
        await repository.count_files_changed(base, head)


async def test_a_damaged_commit_is_damage_and_not_an_unknown_revision(repo: GitRepo) -> None:
    base = repo.write("a", "1").commit()
    middle = repo.write("a", "2").commit()
    head = repo.write("a", "3").commit()
    damage(repo, middle)
    repository = await open_repository(repo.path)
    with pytest.raises(MissingObjectError, match=middle):
        await repository.log(base, head)
    with pytest.raises(MissingObjectError, match=middle):
        await repository.diff(base, middle)
    with pytest.raises(MissingObjectError, match=middle):
        await repository.merge_base(base, head)


async def test_blobs_beyond_the_bound_are_refused(repo: GitRepo) -> None:
    repo.write("big", "x" * 5000).commit()
    repository = await open_repository(repo.path)
    with pytest.raises(GitOutputTooLargeError):
        await repository.read_blobs([("HEAD", b"big")], limits=Limits(output_bytes=1000))


def stored(repo: GitRepo, name: str) -> Path:
    return repo.path / ".git" / "objects" / name[:2] / name[2:]


def damage(repo: GitRepo, name: str) -> None:
    stored(repo, name).chmod(0o644)
    stored(repo, name).write_bytes(b"rubbish")
