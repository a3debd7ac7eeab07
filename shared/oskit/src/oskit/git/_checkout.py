"""Let git write files, byte for byte: a bare index of what is wanted, checked out beside every rule.

Git writes a tree several times faster than we can, but obeys attributes on the way (line ends, filters,
encodings, `ident`). The place it runs in has attributes of its own that go before those of the tree and
switch all of them off, no configuration, and an index that holds the planned entries and nothing else.
"""

import os
from collections.abc import Sequence
from pathlib import Path

from oskit.git._command import checked
from oskit.git._environment import git_program, isolated_environment
from oskit.git._location import Location
from oskit.git._void import void_directory
from oskit.git.models import Limits, TreeEntry
from oskit.process import run

_AS_THEY_ARE = "* -text -eol -ident -filter -working-tree-encoding\n"
_SETTINGS = ("core.protectNTFS=false", "core.protectHFS=false", "core.symlinks=true", "core.fileMode=true")


async def check_out(location: Location, tree: Path, entries: Sequence[TreeEntry], limits: Limits) -> None:
    """Write regular files and links into `tree`, an empty folder, links last. Raises a GitError."""
    index = tree.with_name("index")
    links = [entry for entry in entries if entry.mode == "120000"]
    files = [entry for entry in entries if entry.mode != "120000"]
    with void_directory(location) as void:
        (void / "info").mkdir()
        (void / "info" / "attributes").write_text(_AS_THEY_ARE)
        variables = isolated_environment(
            str(void),
            GIT_DIR=str(void),
            GIT_OBJECT_DIRECTORY=str(location.common_dir / "objects"),
            GIT_INDEX_FILE=str(index),
            GIT_WORK_TREE=str(tree),
        )

        async def git(arguments: tuple[str, ...], stdin: bytes) -> None:
            options = tuple(part for setting in _SETTINGS for part in ("-c", setting))
            completed = await run(
                (git_program(), *options, *arguments),
                cwd=tree,
                env=variables,
                deadline_s=limits.deadline_s,
                input=stdin,
            )
            checked(completed, arguments, where=location.shown, limits=limits, accept=frozenset({0}))

        await git(("update-index", "-z", "--index-info"), b"".join(map(_index_line, entries)))
        for part in (files, links):
            if part:
                names = b"".join(entry.path + b"\0" for entry in part)
                await git(("checkout-index", "--quiet", "-z", "--stdin"), names)
    os.unlink(index)  # noqa: PTH108 - beside the tree, not in it


def _index_line(entry: TreeEntry) -> bytes:
    mode = entry.mode if entry.mode in {"100755", "120000"} else "100644"
    return f"{mode} {entry.sha}\t".encode() + entry.path + b"\0"
