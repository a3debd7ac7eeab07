"""Decide what an export writes, and refuse trees that could write elsewhere (pure)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from oskit.git.errors import ExportError
from oskit.git.models import TreeEntry, display

_FORBIDDEN = frozenset({b"", b".", b"..", b".git"})
_MODES = frozenset({"100644", "100755", "100664", "120000", "160000"})


@dataclass(frozen=True)
class Plan:
    """Everything to make, folders before what lies in them."""

    folders: tuple[bytes, ...]
    files: tuple[TreeEntry, ...]
    links: tuple[TreeEntry, ...]
    submodules: tuple[bytes, ...]

    @property
    def size(self) -> int:
        """Bytes that will be written."""
        return sum(entry.size or 0 for entry in (*self.files, *self.links))


def planned(entries: Sequence[TreeEntry], paths: Iterable[str | bytes] | None, revision: str) -> Plan:
    """Plan the export of these leaves (those under `paths`); ExportError for an unsafe tree."""
    wanted = entries if paths is None else _selected(entries, paths)
    submodules = tuple(entry.path for entry in wanted if entry.kind == "commit")
    folders = _folders(wanted) | set(submodules)
    _refuse_unsafe(wanted, folders - set(submodules), revision)
    return Plan(
        folders=tuple(sorted(folders, key=lambda path: (path.count(b"/"), path))),
        files=tuple(entry for entry in wanted if entry.kind == "blob" and entry.mode != "120000"),
        links=tuple(entry for entry in wanted if entry.mode == "120000"),
        submodules=submodules,
    )


def _selected(entries: Sequence[TreeEntry], paths: Iterable[str | bytes]) -> list[TreeEntry]:
    names = {
        (path if isinstance(path, bytes) else path.encode("utf-8", "surrogateescape")).rstrip(b"/")
        for path in paths
    }
    return [entry for entry in entries if names.intersection((entry.path, *parents(entry.path)))]


def _folders(entries: Sequence[TreeEntry]) -> set[bytes]:
    folders: set[bytes] = set()
    for entry in entries:
        folder = entry.path.rpartition(b"/")[0]
        while folder and folder not in folders:
            folders.add(folder)
            folder = folder.rpartition(b"/")[0]
    return folders


def parents(path: bytes) -> tuple[bytes, ...]:
    """Give every folder above a path, nearest first."""
    above = []
    while b"/" in path:
        path = path.rpartition(b"/")[0]
        above.append(path)
    return tuple(above)


def _refuse_unsafe(entries: Sequence[TreeEntry], folders: set[bytes], revision: str) -> None:
    leaves: set[bytes] = set()
    for entry in entries:
        if entry.path in leaves or entry.path in folders:
            raise _refused(entry.path, "stands for two things at once", revision)
        if entry.mode not in _MODES:
            raise _refused(entry.path, f"has the unknown mode {entry.mode}", revision)
        if _FORBIDDEN.intersection(entry.path.lower().split(b"/")):
            raise _refused(entry.path, "has a part that no honest tree holds", revision)
        leaves.add(entry.path)


def _refused(path: bytes, reason: str, revision: str) -> ExportError:
    return ExportError(
        f"The tree of {revision} is not exported: {display(path)!r} {reason}.",
        "Treat this commit as hostile; `git fsck --full` describes what is wrong with it.",
    )
