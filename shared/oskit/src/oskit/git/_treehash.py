"""Compute the object name of a tree from its leaves (pure), so that no object need be written to learn it."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable

from oskit.git.models import TreeEntry


def blob_name(content: bytes, object_format: str) -> str:
    """Give the object name of a blob."""
    return _named(b"blob", content, object_format)


def tree_name(entries: Iterable[TreeEntry], object_format: str) -> str:
    """Give the object name of the tree that holds exactly these leaves, in any order."""
    folders: dict[bytes, list[tuple[bytes, bytes]]] = defaultdict(list)
    folders[b""] = []
    for entry in entries:
        folder, _, name = entry.path.rpartition(b"/")
        _add_parents(folders, folder)
        folders[folder].append(_line(entry.mode, name, entry.sha))
    return _rolled_up(folders, object_format)


def _add_parents(folders: dict[bytes, list[tuple[bytes, bytes]]], folder: bytes) -> None:
    while folder not in folders:
        folders[folder] = []
        folder = folder.rpartition(b"/")[0]


def _rolled_up(folders: dict[bytes, list[tuple[bytes, bytes]]], object_format: str) -> str:
    for folder in sorted((path for path in folders if path), key=lambda path: path.count(b"/"), reverse=True):
        parent, _, name = folder.rpartition(b"/")
        sha = _tree(folders[folder], object_format)
        _, line = _line("40000", name, sha)
        folders[parent].append((name + b"/", line))  # git sorts a folder as if its name ended with a slash
    return _tree(folders[b""], object_format)


def _line(mode: str, name: bytes, sha: str) -> tuple[bytes, bytes]:
    return name, mode.encode("ascii") + b" " + name + b"\0" + bytes.fromhex(sha)


def _tree(lines: list[tuple[bytes, bytes]], object_format: str) -> str:
    return _named(b"tree", b"".join(line for _, line in sorted(lines)), object_format)


def _named(kind: bytes, content: bytes, object_format: str) -> str:
    return hashlib.new(
        object_format, b"%s %d\0" % (kind, len(content)) + content, usedforsecurity=False
    ).hexdigest()
