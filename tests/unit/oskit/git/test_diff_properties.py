"""Any two trees: the patches lead from one to the other, whole and file by file."""

import tempfile
from pathlib import Path

import anyio
from hypothesis import given, settings
from hypothesis import strategies as st

from oskit.git import Diff, open_repository
from support.repos import GitRepo

contents = st.sampled_from(
    [
        b"",
        b"one\n",
        b"no end",
        b"\0\1\2",
        b"a\r\nb\n",
        b"line\n" * 30,
        b"line\n" * 29 + b"last\n",
        b"diff --git a/x b/x\n",
    ]
)
leaves = st.tuples(st.sampled_from(["100644", "100755", "120000"]), contents) | st.just(("160000", b""))
names = st.sampled_from([b"a", b"b c", b"d/e", b"d/\n", b'"', b"\xff", b" b/", b"-", b"\t"]).map(
    lambda name: name.rstrip(b"/")
)
trees = st.dictionaries(names, leaves, max_size=7)


def commit(repo: GitRepo, tree: dict[bytes, tuple[str, bytes]]) -> str:
    """Commit a tree without a work tree, so that any mode and name goes."""
    repo.git("read-tree", "--empty")
    for name, (mode, content) in tree.items():
        repo.stage_entry(mode, "1" * 40 if mode == "160000" else repo.store(content), name)
    return repo.commit(stage=False)


async def compared(path: Path, base: str, head: str) -> Diff:
    return await (await open_repository(path)).diff(base, head)


@settings(max_examples=15, deadline=None)
@given(before=trees, after=trees)
def test_patches_lead_from_any_tree_to_any_other(
    before: dict[bytes, tuple[str, bytes]], after: dict[bytes, tuple[str, bytes]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        repo = GitRepo.create(Path(folder) / "repo")
        base, head = commit(repo, before), commit(repo, after)
        diff = anyio.run(compared, repo.path, base, head)
        assert repo.tree_after(base, diff.patch) == repo.tree(head)
        assert repo.tree_after(base, *(file.patch for file in diff.files)) == repo.tree(head)
        touched = {name for file in diff.files for name in (file.old_path, file.new_path)}
        assert touched == {
            name for name in before.keys() | after.keys() if before.get(name) != after.get(name)
        }
