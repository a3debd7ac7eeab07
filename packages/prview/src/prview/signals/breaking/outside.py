"""What a program promises outside of its language, found by pattern: flags, commands, routes, variables."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from prview.domain.breaking.changes import Break
from prview.domain.breaking.flags import flags
from prview.domain.breaking.promises import Promise, PromiseKind, withdrawn
from prview.domain.breaking.routes import routes
from prview.domain.coverage import language
from prview.domain.findings import Level
from prview.domain.source_paths import nearest

if TYPE_CHECKING:
    from prview.domain.change import ChangedFile
    from prview.signals.breaking.work import Side, Work

LANGUAGES = frozenset({"Python", "JavaScript", "TypeScript", "Rust", "Go"})
_MANIFEST = frozenset({"package.json"})
_EFFECTS = {
    PromiseKind.FLAG: ("flag-removed", "flag", "command lines that pass it fail"),
    PromiseKind.COMMAND: ("command-removed", "subcommand", "command lines that use it fail"),
    PromiseKind.ROUTE: ("route-removed", "route", "clients that call it get an error"),
    PromiseKind.PREFIX: (
        "prefix-removed",
        "route prefix",
        "clients that call what lies below it get an error",
    ),
}
_APART = 6
"""Withdrawn promises of one kind and file that are said one by one; more are one finding that lists them."""


def promise_breaks(work: Work) -> list[Break]:
    """Flags, subcommands and routes that the touched files no longer declare."""
    candidates = {old: file for old, file in work.by_old_path.items() if _may_withdraw(old, file)}
    if not candidates:
        return []
    base = {path: _promises(work.base, path) for path in candidates}
    if not any(base.values()):
        return []
    head = {_base_name(file): _promises(work.head, file.path) for file in work.files if _is_source(file)}
    for path in [path for path in base if work.now(path) in work.head.unread]:
        del base[path]  # it may well promise what it did; that it was not read is said in the limits
    found: list[Break] = []
    for path, promises in sorted(withdrawn(base, head).items()):
        for kind in PromiseKind:
            found += _told(work, path, [item for item in promises if item.kind is kind])
    return found


def _may_withdraw(old_path: str, file: ChangedFile) -> bool:
    """Whether a removed line can hold a declaration; files that serve by their place can by moving."""
    if language(old_path) not in LANGUAGES:
        return False
    if file.status in {"D", "R"}:
        return True
    lines = file.patch.split(b"\n")
    return any(
        line.startswith(b"-") and not line.startswith(b"---") and any(mark in line for mark in _MARKS)
        for line in lines
    )


_MARKS = (b'"', b"'", b"`", b"#[", b"export", b":")


def _is_source(file: ChangedFile) -> bool:
    return file.exists and language(file.path) in LANGUAGES


def _base_name(file: ChangedFile) -> str:
    return file.old_path if file.status == "R" and file.old_path else file.path


def _promises(side: Side, path: str) -> list[Promise]:
    text = side.text(path)
    spoken = language(path)
    if text is None or spoken not in LANGUAGES:
        return []
    return [*flags(text, spoken), *routes(path, text, spoken, next_js=_is_next(side, path))]


def _is_next(side: Side, path: str) -> bool:
    if language(path) not in {"JavaScript", "TypeScript"}:
        return False
    root = nearest(path, _MANIFEST, side.paths)
    return root is not None and '"next"' in (side.text(posixpath.join(root, "package.json")) or "")


def _told(work: Work, path: str, promises: list[Promise]) -> list[Break]:
    if len(promises) <= _APART:
        return [_break(work, path, item, item.name) for item in promises]
    names = ", ".join(dict.fromkeys(item.name for item in promises))
    return [_break(work, path, promises[0], names)]


def _break(work: Work, path: str, promise: Promise, names: str) -> Break:
    rule, word, effect = _EFFECTS[promise.kind]
    where, line, gone = work.place(path, promise.line)
    return Break(
        rule=rule,
        level=Level.WARNING,
        language=language(path) or "",
        symbol=names,
        path=where,
        line=line,
        what=f"{word} is no longer declared",
        effect=effect,
        old=names,
        gone=gone,
        was=f"{path}:{promise.line}",
        heuristic=True,
    )
