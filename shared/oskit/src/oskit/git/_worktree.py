"""What lies in the work tree, learned without writing: no index refresh, no objects, no filters run."""

import os
import stat
import string
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from oskit.git._command import OK_OR_NO, in_folder, in_repository
from oskit.git._location import Location
from oskit.git._parse_status import StatusEntry, parse_status
from oskit.git._parse_tree import parse_index
from oskit.git._translate import no_worktree
from oskit.git._treehash import blob_name, tree_name
from oskit.git.errors import GitError, GitFailedError
from oskit.git.models import LARGE, Limits, TreeEntry, WorktreeStatus, display

_FILTER_KEYS = r"^(filter\..*\.(clean|smudge|process|required)|core\.filemode)$"

_PLAIN = frozenset((string.ascii_letters + string.digits + "/._- ").encode())


@dataclass(frozen=True)
class _Rules:
    """How the configuration wants files seen, and the settings that keep its filters from running."""

    settings: tuple[str, ...]
    file_mode: bool


async def status(location: Location, *, limits: Limits = LARGE) -> WorktreeStatus:
    """Tell which paths differ from HEAD (staged, unstaged, untracked and not ignored).

    Content filters are never run, so a file kept by one (Git LFS) counts as changed once it was touched. Of a
    submodule only its commit is compared.
    """
    entries = await _entries(location, await _rules(location), limits)
    return WorktreeStatus(dirty=bool(entries), paths=tuple(entry.path for entry in entries))


async def dirty_tree(location: Location, *, limits: Limits = LARGE) -> str:
    """Give the name of the tree that `git add --all` and a commit would make now; nothing is stored.

    Equal to HEAD's tree when the work tree is clean. A file that changes meanwhile may be seen either way.
    """
    rules = await _rules(location)
    changed = await _entries(location, rules, limits)
    listing = await in_repository(location, ("ls-files", "--stage", "-z"), limits=limits)
    leaves = {entry.path: entry for entry in parse_index(listing.stdout)}
    on_disk = [entry for entry in changed if not entry.staged_only]
    for entry in on_disk:
        leaves.pop(entry.path, None)
    present = [entry for entry in on_disk if not entry.absent]
    for leaf in await _hashed(location, present, rules, limits):
        leaves[leaf.path] = leaf
    return tree_name(leaves.values(), location.object_format)


async def _rules(location: Location) -> _Rules:
    _root(location)
    listing = await in_repository(location, ("config", "-z", "--get-regexp", _FILTER_KEYS), accept=OK_OR_NO)
    pairs = [
        record.partition("\n")[::2]
        for record in listing.stdout.decode("utf-8", "surrogateescape").split("\0")
    ]
    filters = sorted({key for key, _ in pairs if key.startswith("filter.")})
    modes = [value for key, value in pairs if key == "core.filemode"]
    return _Rules(
        settings=tuple(_switched_off(key, location) for key in filters),
        file_mode=not modes or modes[-1].lower() not in {"false", "no", "off", "0"},
    )


def _switched_off(key: str, location: Location) -> str:
    if "=" in key:  # `git -c` would take the name for shorter than it is, and the filter would run
        raise GitError(
            f"{location.shown} has a content filter that cannot be switched off: `=` in {key!r}.",
            "Rename the filter in the repository's configuration.",
        )
    return f"{key}={'false' if key.endswith('.required') else ''}"


async def _entries(location: Location, rules: _Rules, limits: Limits) -> tuple[StatusEntry, ...]:
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


async def _hashed(
    location: Location, entries: Sequence[StatusEntry], rules: _Rules, limits: Limits
) -> list[TreeEntry]:
    root = _root(location)
    leaves: list[TreeEntry] = []
    files: list[tuple[bytes, str]] = []
    for entry in entries:
        kind = _kind(root, entry.path)
        if stat.S_ISREG(kind):
            files.append((entry.path, _file_mode(entry, kind, rules)))
        elif stat.S_ISLNK(kind):
            leaves.append(_link(root, entry.path, location.object_format))
        elif stat.S_ISDIR(kind):
            leaves.extend(await _repository_inside(root, entry.path))
        else:
            raise GitError(
                f"{display(entry.path)} in {root} is neither a file nor a link.",
                "Remove it or add it to .gitignore.",
            )
    return leaves + await _hashed_files(location, files, rules, limits)


def _kind(root: Path, path: bytes) -> int:
    try:
        return os.lstat(_on_disk(root, path)).st_mode
    except OSError as problem:
        raise GitError(
            f"{display(path)} in {root} cannot be looked at: {problem.strerror}.",
            "Try again when nothing changes the work tree.",
        ) from problem


def _file_mode(entry: StatusEntry, kind: int, rules: _Rules) -> str:
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


async def _hashed_files(
    location: Location, files: Sequence[tuple[bytes, str]], rules: _Rules, limits: Limits
) -> list[TreeEntry]:
    if not files:
        return []
    completed = await in_repository(
        location,
        ("hash-object", "--stdin-paths"),
        stdin=b"".join(_quoted(path) + b"\n" for path, _ in files),
        settings=rules.settings,
        limits=limits,
    )
    names = completed.stdout.decode("ascii", "replace").split()
    if len(names) != len(files):
        raise GitFailedError(
            f"git hash-object named {len(names)} of {len(files)} files in {location.shown}.",
            "Try again when nothing changes the work tree.",
        )
    return [TreeEntry(mode, "blob", name, path) for (path, mode), name in zip(files, names, strict=True)]


def _quoted(path: bytes) -> bytes:
    """Write a name the way `--stdin-paths` reads any byte: in quotes, octal escapes for what is not plain."""
    return b'"' + b"".join(_escaped(path)) + b'"'


def _escaped(path: bytes) -> Iterable[bytes]:
    return (bytes((byte,)) if byte in _PLAIN else b"\\%03o" % byte for byte in path)


def _on_disk(root: Path, path: bytes) -> bytes:
    return os.fsencode(root) + b"/" + path


def _root(location: Location) -> Path:
    if location.worktree is None:
        raise no_worktree(location.shown)
    return location.worktree
