"""All readers over one piece of work; one that fails costs what it would have said, and that is said."""

from __future__ import annotations

import logging
from functools import partial
from importlib import import_module
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prview.domain.coverage import language
from prview.signals.breaking.installed import manifest_breaks
from prview.signals.breaking.outside import promise_breaks
from prview.signals.breaking.python_surface import loses_nothing
from prview.signals.breaking.variables import variable_breaks

if TYPE_CHECKING:
    from collections.abc import Callable

    from prview.domain.breaking.changes import Break
    from prview.signals.breaking.work import Side, Work

    Reader = Callable[[Work], list[Break]]

log = logging.getLogger(__name__)

_READERS = {
    "Python": ("python", "python_breaks"),
    "JavaScript": ("typescript", "typescript_breaks"),
    "TypeScript": ("typescript", "typescript_breaks"),
    "Rust": ("rust", "rust_breaks"),
    "Go": ("golang", "go_breaks"),
}
_COMPONENTS = frozenset({".vue", ".svelte", ".ipynb"})
"""Source whose exports are not read: nobody imports a notebook, and components need their compiler."""

_LISTED = 5


def find_breaks(work: Work) -> list[Break]:
    """Everything that breaks, in order of place. Afterwards `work.limits` says what was not looked at."""
    found: list[Break] = []
    for module, function in _wanted(work):
        found += _tried(work, module, partial(_read, module, function))
    found += _tried(work, "manifests", manifest_breaks)
    found += _tried(work, "flags and routes", promise_breaks)
    found += _tried(work, "environment variables", variable_breaks)
    work.limits += _unread(work)
    return sorted(found, key=lambda item: item.sort_key)


def _wanted(work: Work) -> list[tuple[str, str]]:
    """The readers of the touched languages; a grammar is loaded only when one of its files was touched."""
    spoken = {
        language(path) for path in work.by_old_path if PurePosixPath(path).suffix.lower() not in _COMPONENTS
    }
    if "Python" in spoken and _only_gains(work):
        spoken.remove("Python")
    return sorted({_READERS[name] for name in spoken if name in _READERS})


def _only_gains(work: Work) -> bool:
    """Whether no Python file loses anything, so that its reader, and what that loads, is not needed."""
    files = [file for path, file in work.by_old_path.items() if language(path) == "Python"]
    return all(file.status == "M" and _gains(work, file.path) for file in files)


def _gains(work: Work, path: str) -> bool:
    old, new = work.base.text(path), work.head.text(path)
    return old is not None and new is not None and loses_nothing(old, new)


def _read(module: str, function: str, work: Work) -> list[Break]:
    reader: Reader = getattr(import_module(f"prview.signals.breaking.{module}"), function)
    return reader(work)


def _tried(work: Work, what: str, read: Reader) -> list[Break]:
    try:
        return read(work)
    except Exception as exc:
        log.exception("breaking changes: %s", what)
        work.limits.append(f"{what} could not be compared: {type(exc).__name__}: {exc}")
        return []


def _unread(work: Work) -> list[str]:
    """Sentences about files and declarations that were not compared."""
    said = [_sentence(side, path) for side in (work.head, work.base) for path in sorted(side.unread)]
    limits = said[:_LISTED]
    if len(said) > _LISTED:
        limits.append(f"{len(said) - _LISTED} more files could not be read and were not compared")
    if work.objects_failed:
        limits.append(f"{work.objects_failed} Python declarations could not be read and were not compared")
    return limits


def _sentence(side: Side, path: str) -> str:
    where = " in the merge base" if side.name == "base" else ""
    return f"{path}{where} {side.unread[path]} and was not compared"
