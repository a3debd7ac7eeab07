"""JavaScript and TypeScript modules that still import what is gone, read through tree-sitter."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from prview.domain.findings import Level
from prview.signals.ghosts.model import Reference
from prview.signals.script_imports import resolve, script_imports

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prview.signals.ghosts.model import Gone
    from prview.signals.own import Own
    from prview.signals.script_imports import ScriptImport

_ALIASES = ("@/", "~/", "#/", "src/")


def script_references(own: Own, gone: Gone, path: str, text: str, grammar: str) -> list[Reference]:
    """The stale imports of one file."""
    return [item for entry in script_imports(text, grammar) for item in _of_import(own, gone, path, entry)]


def _of_import(own: Own, gone: Gone, path: str, entry: ScriptImport) -> Iterator[Reference]:
    here = resolve(entry.specifier, path, own.head.paths)
    if here is None:
        yield from _unresolved(own, gone, path, entry)
        return
    before = own.came_from(here)
    for name in entry.names:
        if name in gone.exports.get(before, ()):
            what = f"imports {name} from {entry.specifier}, which no longer exports it"
            yield Reference("stale-name", Level.ERROR, path, entry.line, f"{before} {name}", what)


def _unresolved(own: Own, gone: Gone, path: str, entry: ScriptImport) -> Iterator[Reference]:
    """A file that is missing now: it went, or the importer moved away from it."""
    relative = entry.specifier.startswith(".")
    old = resolve(entry.specifier, path, own.base.paths) or resolve(
        entry.specifier, own.came_from(path), own.base.paths
    )
    if relative and old:
        why = f"which the change removed ({old})" if old in gone.files else "which is not there from here"
        what = f"imports {entry.specifier}, {why}"
        yield Reference("stale-import", Level.ERROR, path, entry.line, old, what, gone.files.get(old))
    elif not relative and (alias := _by_alias(own, gone, entry.specifier)):
        what = f"imports {entry.specifier}, which seems to be {alias} that the change removed"
        yield Reference("stale-import", Level.WARNING, path, entry.line, alias, what, gone.files[alias])


def _by_alias(own: Own, gone: Gone, specifier: str) -> str | None:
    """The gone file that a path alias most likely means; None when a file that is there fits, too."""
    prefix = next((alias for alias in _ALIASES if specifier.startswith(alias)), None)
    if prefix is None:
        return None
    tail = specifier.removeprefix(prefix)
    old = next((path for path in sorted(gone.files) if _fits(path, tail)), None)
    return None if old is None or any(_fits(path, tail) for path in own.head.paths) else old


def _fits(path: str, tail: str) -> bool:
    stem = posixpath.splitext(path)[0].removesuffix("/index")
    return any(f"/{name}".endswith(f"/{tail}") for name in (stem, path))
