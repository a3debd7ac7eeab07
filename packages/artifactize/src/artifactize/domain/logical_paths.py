"""Paths as declarations write them: relative, `/`-separated, never leaving the folder they start in."""

from __future__ import annotations

MAX_PATH_CHARS = 4096
_DELETE = 0x7F
_SPACE = 0x20


def path_fault(path: str) -> str | None:
    """Return what is wrong with a logical path, or None. `.` alone names the folder itself."""
    if path == ".":
        return None
    if not path or len(path) > MAX_PATH_CHARS:
        return f"a path has 1 to {MAX_PATH_CHARS} characters"
    if path.startswith("/"):
        return f"{path!r} is absolute; write it relative to the Artifact"
    if any(ord(char) < _SPACE or ord(char) == _DELETE for char in path):
        return f"{path!r} holds a control character"
    return _separator_fault(path) or _segment_fault(path)


def _separator_fault(path: str) -> str | None:
    if "\\" in path or ":" in path:
        return f"{path!r} holds a backslash or a colon; separate folders with '/'"
    return None


def _segment_fault(path: str) -> str | None:
    segments = path.removesuffix("/").split("/")
    if ".." in segments:
        return f"{path!r} leaves the Artifact through '..'; mount the other Artifact instead"
    if "" in segments or "." in segments:
        return f"{path!r} has an empty or '.' segment"
    return None
