"""A commit's files on disk: every byte, nothing more, nothing elsewhere, whole or not at all."""

import stat
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

from oskit.git import ExportError, MissingObjectError, open_repository
from support.repos import GitRepo, snapshot

pytestmark = pytest.mark.anyio


def tree_of(folder: Path) -> str:
    """Let git name the tree of an exported folder."""
    repo = GitRepo.create(folder.with_name(f"{folder.name}.compared"))
    work = ("--work-tree", str(folder), "-c", "core.autocrlf=false", "-c", "core.attributesFile=/dev/null")
    (repo.path / ".git" / "info" / "attributes").write_text("* -text -ident -filter !export-subst\n")
    repo.git(*work, "add", "--all", "--force")
    return repo.ask("write-tree")


async def test_bytes_modes_links_and_odd_names_are_exactly_the_trees(repo: GitRepo, tmp_path: Path) -> None:
    repo.write("run.sh", "x", executable=True).write("deep/er/file", b"\0\r\n\xff").write("empty", "")
    repo.symlink("link", "deep/er/file").symlink("outside", "/etc/passwd").symlink("dangling", "no\nwhere")
    for name in ("new\nline", b"\xff", "-dash", " space ", "same", "also the same"):
        repo.write(name, "same")
    repo.stage().write(".gitignore", "*\n").git("add", "--force", ".gitignore")
    head = repo.commit(stage=False)
    exported = await (await open_repository(repo.path)).export_tree(head, tmp_path / "out")
    assert tree_of(tmp_path / "out") == repo.tree(head)
    assert (exported.destination, exported.files, exported.submodules) == (tmp_path / "out", 13, ())
    assert (tmp_path / "out" / "run.sh").stat().st_mode & stat.S_IXUSR
    assert (tmp_path / "out" / "link").is_symlink()


async def test_attributes_and_line_end_settings_change_no_byte(repo: GitRepo, tmp_path: Path) -> None:
    repo.config("core.autocrlf", "true").config("core.eol", "crlf").config("tar.umask", "0777")
    attributes = (
        "*.txt text eol=crlf ident export-subst\nsecret export-ignore\n*.utf working-tree-encoding=UTF-16\n"
    )
    (repo.path / ".git" / "info").mkdir(exist_ok=True)
    content = b"$Format:%H$ $Id$\nline\n"
    repo.write(".gitattributes", attributes)
    repo.git("update-index", "--add", "--cacheinfo", f"100644,{repo.store(content)},a.txt")
    repo.git("update-index", "--add", "--cacheinfo", f"100644,{repo.store(b'u')},b.utf")
    repo.git("update-index", "--add", "--cacheinfo", f"100644,{repo.store(b's')},secret")
    repo.git("-c", "core.autocrlf=false", "add", ".gitattributes")
    head = repo.commit(stage=False)
    await (await open_repository(repo.path)).export_tree(head, tmp_path / "out")
    assert (tmp_path / "out" / "a.txt").read_bytes() == content
    assert (tmp_path / "out" / "b.utf").read_bytes() == b"u"
    assert (tmp_path / "out" / "secret").read_bytes() == b"s"


async def test_no_attribute_of_the_tree_changes_a_byte_and_no_name_is_too_odd(
    repo: GitRepo, tmp_path: Path
) -> None:
    attributes = "* text=auto eol=crlf ident working-tree-encoding=UTF-16 filter=lfs export-ignore\n"
    contents: dict[str, str | bytes] = {
        ".gitattributes": attributes,
        "sub/.gitattributes": attributes,
        "sub/a.txt": "$Id$\none\ntwo\n",
        "back\\slash.txt": "1\n",
        "GIT~1": "2\n",
        "con": "3\n",
        "trailing. ": "4\n",
        "utf16.txt": "\ufeffx\n".encode("utf-16-le"),
    }
    tree = "".join(
        f"100644 blob {repo.store(text if isinstance(text, bytes) else text.encode())}\t{name}\n"
        for name, text in contents.items()
        if "/" not in name
    )
    folder = "".join(
        f"100644 blob {repo.store(str(text).encode())}\t{name.removeprefix('sub/')}\n"
        for name, text in contents.items()
        if "/" in name
    )
    sub = repo.git("mktree", stdin=folder.encode()).decode().strip()
    commit = repo.commit_tree(
        repo.git("mktree", stdin=f"{tree}040000 tree {sub}\tsub\n".encode()).decode().strip()
    )
    await (await open_repository(repo.path)).export_tree(commit, tmp_path / "out")
    found = {
        path.relative_to(tmp_path / "out").as_posix(): path.read_bytes()
        for path in (tmp_path / "out").rglob("*")
        if path.is_file()
    }
    assert found == {
        name: text if isinstance(text, bytes) else text.encode() for name, text in contents.items()
    }


async def test_submodules_are_empty_folders(repo: GitRepo, tmp_path: Path) -> None:
    head = repo.write("a", "1").stage().stage_entry("160000", "1" * 40, "vendor/sub").commit(stage=False)
    exported = await (await open_repository(repo.path)).export_tree(head, tmp_path / "out")
    assert exported.submodules == (b"vendor/sub",)
    assert list(snapshot(tmp_path / "out")) == ["a", "vendor", "vendor/sub"]


async def test_only_asked_paths_are_written(repo: GitRepo, tmp_path: Path) -> None:
    repo.write("src/a", "1").write("src/sub/b", "2").write("srcs", "3").write("top", "4").write(
        b"\xff", "5"
    ).commit()
    repository = await open_repository(repo.path)
    await repository.export_tree("HEAD", tmp_path / "out", ["src/", "absent", b"\xff"])
    assert list(snapshot(tmp_path / "out")) == ["src", "src/a", "src/sub", "src/sub/b", "\udcff"]
    await repository.export_tree("HEAD", tmp_path / "one", ["top"])
    assert list(snapshot(tmp_path / "one")) == ["top"]
    await repository.export_tree("HEAD", tmp_path / "none", [])
    assert snapshot(tmp_path / "none") == {}


@pytest.mark.parametrize("name", ["..", ".git", ".GIT", "."])
async def test_a_tree_with_a_name_that_leads_elsewhere_is_refused(
    repo: GitRepo, tmp_path: Path, name: str
) -> None:
    inner = repo.git("mktree", stdin=f"100644 blob {repo.store(b'evil')}\tconfig\n".encode()).decode().strip()
    for mode, sha in (("40000", inner), ("100644", repo.store(b"evil"))):
        commit = repo.commit_tree(crafted_tree(repo, (mode, name.encode(), sha)))
        with pytest.raises(ExportError, match="not exported"):
            await (await open_repository(repo.path)).export_tree(commit, tmp_path / "out" / "deep")
        assert "config" not in {Path(path).name for path in snapshot(tmp_path / "out")}


async def test_a_link_that_stands_in_for_a_folder_is_never_written_through(
    repo: GitRepo, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    inner = repo.git("mktree", stdin=f"100644 blob {repo.store(b'evil')}\tfile\n".encode()).decode().strip()
    link = repo.store(str(outside).encode())
    commit = repo.commit_tree(crafted_tree(repo, ("120000", b"a", link), ("40000", b"a", inner)))
    with pytest.raises(ExportError, match="two things at once"):
        await (await open_repository(repo.path)).export_tree(commit, tmp_path / "out")
    assert snapshot(outside) == {}


async def test_an_existing_destination_is_left_alone(repo: GitRepo, tmp_path: Path) -> None:
    repo.write("a", "1").commit()
    repository = await open_repository(repo.path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "full")
    (tmp_path / "file").write_text("mine")
    for name in ("full", "link", "file"):
        with pytest.raises(ExportError, match="already exists"):
            await repository.export_tree("HEAD", tmp_path / name)
    assert list(snapshot(tmp_path / "full")) == ["mine"]
    (tmp_path / "empty").mkdir()
    await repository.export_tree("HEAD", tmp_path / "empty")
    assert list(snapshot(tmp_path / "empty")) == ["a"]


async def test_a_missing_object_leaves_nothing_behind(repo: GitRepo, tmp_path: Path) -> None:
    repo.write_many({f"f{number}": str(number) for number in range(50)}).commit()
    name = repo.resolve("HEAD:f7")
    (repo.path / ".git" / "objects" / name[:2] / name[2:]).unlink()
    with pytest.raises(MissingObjectError, match=name):
        await (await open_repository(repo.path)).export_tree("HEAD", tmp_path / "sub" / "out")
    assert snapshot(tmp_path / "sub") == {}


async def test_a_tree_beyond_the_bound_is_refused_before_anything_is_written(
    repo: GitRepo, tmp_path: Path
) -> None:
    repo.write("big", "x" * 5000).commit()
    repository = await open_repository(repo.path)
    with pytest.raises(ExportError, match="more than the 4999 allowed"):
        await repository.export_tree("HEAD", tmp_path / "sub" / "out", max_bytes=4999)
    assert "sub" not in set(snapshot(tmp_path))
    await repository.export_tree("HEAD", tmp_path / "out", max_bytes=5000)


async def test_a_destination_that_cannot_be_made_is_named(repo: GitRepo, tmp_path: Path) -> None:
    repo.write("a", "1").commit()
    (tmp_path / "file").write_text("")
    with pytest.raises(ExportError, match="could not be written") as caught:
        await (await open_repository(repo.path)).export_tree("HEAD", tmp_path / "file" / "out")
    assert str(tmp_path / "file" / "out") in caught.value.message


async def test_a_cancelled_export_leaves_nothing_behind(
    repo: GitRepo, tmp_path: Path, fake_git: Callable[[str], Path]
) -> None:
    repo.write("a", "1").commit()
    repository = await open_repository(repo.path)
    head = await repository.resolve("HEAD")
    started = tmp_path / "started"
    fake_git(
        f'case "$*" in *checkout-index*) echo > "{started}"; exec tail -f /dev/null;; esac\n'
        'PATH=/usr/local/bin:/usr/bin:/bin; exec git "$@"'
    )
    with anyio.fail_after(20):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(repository.export_tree, head, tmp_path / "sub" / "out")
            while not await anyio.Path(started).exists():
                await anyio.lowlevel.checkpoint()
            tasks.cancel_scope.cancel()
    assert snapshot(tmp_path / "sub") == {}


async def test_an_empty_tree_and_a_sha_256_tree_are_exported(repo: GitRepo, tmp_path: Path) -> None:
    head = repo.commit()
    exported = await (await open_repository(repo.path)).export_tree(head, tmp_path / "nothing")
    assert (exported.files, exported.size, snapshot(tmp_path / "nothing")) == (0, 0, {})
    modern = GitRepo.create(tmp_path / "modern", object_format="sha256")
    head = modern.write("d/a", "1").commit()
    await (await open_repository(modern.path)).export_tree(head, tmp_path / "out")
    assert (tmp_path / "out" / "d" / "a").read_text() == "1"


def crafted_tree(repo: GitRepo, *entries: tuple[str, bytes, str]) -> str:
    """Store a tree object that git itself would refuse to make."""
    raw = b"".join(mode.encode() + b" " + name + b"\0" + bytes.fromhex(sha) for mode, name, sha in entries)
    return repo.store(raw, kind="tree")
