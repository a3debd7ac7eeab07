"""`list` and `glob`: which files there are."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

from artifactize.toolbox.answers import Lines
from artifactize.toolbox.contract import ToolAnswer
from artifactize.toolbox.patterns import compiled_glob

if TYPE_CHECKING:
    from collections.abc import Iterable

    from artifactize.toolbox.scope import Scope

DEFAULT_ENTRIES = 200
MAX_ENTRIES = 1000


def list_folder(scope: Scope, path: str = "", *, after: str = "", limit: int = DEFAULT_ENTRIES) -> ToolAnswer:
    """Return what is directly in a folder: folders with a `/`, files with their size. Raises ToolFault."""
    folder = scope.folder(path)
    prefix = f"{folder}/" if folder else ""
    names = scope.folders[folder]
    entries = (_entry(scope, prefix, name) for name in names if name > after)
    return _page(entries, limit, title=f"{folder or 'the outermost folder'}: {len(names)} entries")


def glob(scope: Scope, pattern: str, *, after: str = "", limit: int = DEFAULT_ENTRIES) -> ToolAnswer:
    """Return the files whose path a pattern matches (`*` within a folder, `**` across). Raises ToolFault."""
    matches = compiled_glob(pattern)
    found = [path for path in scope.paths if matches(path)]
    return _page((path for path in found if path > after), limit, title=f"{pattern}: {len(found)} files")


def _page(entries: Iterable[str], limit: int, *, title: str) -> ToolAnswer:
    lines = Lines(limit)
    last = ""
    for entry in entries:
        if not lines.takes(entry):
            return ToolAnswer(lines.text(f"{title}; more follow: go on with after = {last!r}"))
        last = entry.partition("\t")[0]
    return ToolAnswer(lines.text(title))


def _entry(scope: Scope, prefix: str, name: str) -> str:
    if name.endswith("/"):
        about = scope.about.get(prefix + name[:-1]) if not prefix else None
        return f"{name}\t{about}" if about else name
    try:
        found = (scope.base / scope.files[prefix + name]).lstat()
    except OSError:
        return f"{name}\tgone"
    return f"{name}\t{found.st_size} bytes" if stat.S_ISREG(found.st_mode) else f"{name}\tno regular file"
