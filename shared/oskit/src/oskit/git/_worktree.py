"""What lies in the work tree, learned without writing: no index refresh, no objects, no filters run."""

import os
import stat
import string
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from oskit.git._command import OK_OR_NO, in_folder, in_repository
from oskit.git._lfs import lfs_names
from oskit.git._location import Location
from oskit.git._parse_status import StatusEntry, parse_status
from oskit.git._parse_tree import parse_index
from oskit.git._translate import no_worktree
from oskit.git._treehash import blob_name, tree_name
from oskit.git._worktree_rules import Rules, read_rules
from oskit.git.errors import GitError, GitFailedError
from oskit.git.models import LARGE, Limits, TreeEntry, WorktreeStatus, display

_PLAIN = frozenset((string.ascii_letters + string.digits + "/._- ").encode())


@dataclass(frozen=True)
class _Seen:
    """What differs from HEAD, and under which names git would keep those files that belong to LFS."""

    root: Path
    rules: Rules
    entries: tuple[StatusEntry, ...]
    lfs_names: dict[bytes, str]


async def status(location: Location, *, limits: Limits = LARGE) -> WorktreeStatus:
    """Tell which paths differ from HEAD (staged, unstaged, untracked and not ignored).

    Content filters are never run: what Git LFS would keep is computed here, and a file kept by any other
    filter counts as changed once it was touched. Of a submodule only its commit is compared.
    """
    seen = await _look(location, limits)
    return WorktreeStatus(dirty=bool(seen.entries), paths=tuple(entry.path for entry in seen.entries))


async def dirty_tree(location: Location, *, limits: Limits = LARGE) -> str:
    """Give the name of the tree that `git add --all` and a commit would make now; nothing is stored.

    Equal to HEAD's tree when the work tree is clean. A file that changes meanwhile may be seen either way.
    """
    seen = await _look(location, limits)
    listing = await in_repository(location, ("ls-files", "--stage", "-z"), limits=limits)
    leaves = {entry.path: entry for entry in parse_index(listing.stdout)}
    on_disk = [entry for entry in seen.entries if entry.unstaged]
    for entry in on_disk:
        leaves.pop(entry.path, None)
    for leaf in await _hashed(location, [entry for entry in on_disk if not entry.absent], seen, limits):
        leaves[leaf.path] = leaf
    return tree_name(leaves.values(), location.object_format)


async def _look(location: Location, limits: Limits) -> _Seen:
    root = _root(location)
    rules = await read_rules(location)
    entries = await _entries(location, rules, limits)
    if not (rules.lfs and entries):
        return _Seen(root, rules, entries, {})
    names = await lfs_names(
        location, root, [entry.path for entry in entries if _may_be_lfs(root, entry)], limits
    )
    judged = (_judged(entry, names.get(entry.path)) for entry in entries)
    return _Seen(root, rules, tuple(entry for entry in judged if entry.staged or entry.unstaged), names)


async def _entries(location: Location, rules: Rules, limits: Limits) -> tuple[StatusEntry, ...]:
    arguments = (
        "status",
        "--porcelain=v2",
        "-z",
        "--untracked-files=all",
        "--ignored=no",
        "--ignore-submodules=dirty",
        "--no-renames",
        "--no-ahead-behind",
    )
    completed = await in_repository(location, arguments, limits=limits, settings=rules.settings)
    return parse_status(completed.stdout)


def _may_be_lfs(root: Path, entry: StatusEntry) -> bool:
    return entry.unstaged and not entry.absent and stat.S_ISREG(_kind(root, entry.path))


def _judged(entry: StatusEntry, lfs_name: str | None) -> StatusEntry:
    """Correct what git saw of a file whose filter it could not run."""
    same = (entry.index_sha, entry.index_mode) == (lfs_name, entry.mode)
    return replace(entry, unstaged=False) if same else entry


async def _hashed(
    location: Location, entries: Sequence[StatusEntry], seen: _Seen, limits: Limits
) -> list[TreeEntry]:
    leaves: list[TreeEntry] = []
    files: list[tuple[bytes, str]] = []
    for entry in entries:
        kind = _kind(seen.root, entry.path)
        if stat.S_ISREG(kind):
            files.append((entry.path, _file_mode(entry, kind, seen.rules)))
        elif stat.S_ISLNK(kind):
            leaves.append(_link(seen.root, entry.path, location.object_format))
        elif stat.S_ISDIR(kind):
            leaves.extend(await _repository_inside(seen.root, entry.path))
        else:
            raise GitError(
                f"{display(entry.path)} in {seen.root} is neither a file nor a link.",
                "Remove it or add it to .gitignore.",
            )
    plain = [path for path, _ in files if path not in seen.lfs_names]
    names = {**seen.lfs_names, **await _git_names(location, plain, seen.rules, limits)}
    return leaves + [TreeEntry(mode, "blob", names[path], path) for path, mode in files]


def _kind(root: Path, path: bytes) -> int:
    try:
        return os.lstat(_on_disk(root, path)).st_mode
    except OSError as problem:
        raise GitError(
            f"{display(path)} in {root} cannot be looked at: {problem.strerror}.",
            "Try again when nothing changes the work tree.",
        ) from problem


def _file_mode(entry: StatusEntry, kind: int, rules: Rules) -> str:
    if entry.mode is not None:
        return entry.mode
    return "100755" if rules.file_mode and kind & stat.S_IXUSR else "100644"


def _link(root: Path, path: bytes, object_format: str) -> TreeEntry:
    target = os.readlink(_on_disk(root, path))  # noqa: PTH115 - the name may be no text
    return TreeEntry("120000", "blob", blob_name(target, object_format), path)


async def _repository_inside(root: Path, path: bytes) -> list[TreeEntry]:
    """Give a nested repository as the commit it has checked out; one without commits is nothing to git."""
    folder = Path(os.fsdecode(_on_disk(root, path)))
    if not (folder / ".git").exists():  # git would answer for the repository around it
        return []
    answer = await in_folder(folder, ("rev-parse", "--verify", "--quiet", "HEAD^{commit}"), accept=OK_OR_NO)
    commit = answer.stdout.decode("ascii", "replace").strip()
    return [TreeEntry("160000", "commit", commit, path.rstrip(b"/"))] if commit else []


async def _git_names(
    location: Location, paths: Sequence[bytes], rules: Rules, limits: Limits
) -> dict[bytes, str]:
    """Let git name files as it would keep them: line ends and encodings as attributes say."""
    if not paths:
        return {}
    completed = await in_repository(
        location,
        ("hash-object", "--stdin-paths"),
        stdin=b"".join(_quoted(path) + b"\n" for path in paths),
        settings=rules.settings,
        limits=limits,
    )
    names = completed.stdout.decode("ascii", "replace").split()
    if len(names) != len(paths):
        raise GitFailedError(
            f"git hash-object named {len(names)} of {len(paths)} files in {location.shown}.",
            "Try again when nothing changes the work tree.",
        )
    return dict(zip(paths, names, strict=True))


def _quoted(path: bytes) -> bytes:
    """Write a name the way `--stdin-paths` reads any byte: in quotes, octal escapes for what is not plain."""
    return b'"' + b"".join(bytes((byte,)) if byte in _PLAIN else b"\\%03o" % byte for byte in path) + b'"'


def _on_disk(root: Path, path: bytes) -> bytes:
    return os.fsencode(root) + b"/" + path


def _root(location: Location) -> Path:
    if location.worktree is None:
        raise no_worktree(location.shown)
    return location.worktree
