"""Trees are named as git names them."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oskit.git import TreeEntry
from oskit.git._treehash import blob_name, tree_name
from support.repos import GitRepo

parts = st.sampled_from([b"a", b"a.b", b"a-", b"a0", b"b", b"\xff", b"B", b"ab", b"a b"])
paths = st.sets(st.lists(parts, min_size=1, max_size=3).map(b"/".join), max_size=8).map(
    lambda found: sorted(path for path in found if not any(other.startswith(path + b"/") for other in found))
)


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
@settings(max_examples=15, deadline=None)
@given(names=paths, mode=st.sampled_from(["100644", "100755", "120000"]))
def test_any_set_of_paths_has_the_name_that_git_gives(
    object_format: str, names: list[bytes], mode: str
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        repo = GitRepo.create(Path(folder) / "repo", object_format=object_format)
        sha = repo.store(b"content")
        assert sha == blob_name(b"content", object_format)
        listing = b"".join(f"{mode} {sha}\t".encode() + name + b"\0" for name in names)
        repo.git("update-index", "-z", "--index-info", stdin=listing)
        entries = [TreeEntry(mode, "blob", sha, name) for name in reversed(names)]
        assert tree_name(entries, object_format) == repo.ask("write-tree")


def test_no_paths_are_the_empty_tree() -> None:
    assert tree_name([], "sha1") == "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


def test_a_path_of_a_thousand_folders_has_a_name() -> None:
    deep = TreeEntry("100644", "blob", "1" * 40, b"/".join([b"d"] * 3000))
    assert len(tree_name([deep], "sha1")) == 40
