"""Reads the SQL, migrations and schemas that a change touches."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from anyio import to_thread

from prview.domain.findings import Finding, Level
from prview.domain.provenance import judge
from prview.domain.signals import Artifact, Signal, check_id
from prview.signals.own import own_files
from prview.signals.roles import is_test
from prview.signals.schema.migrations import is_migration, same_numbers, two_heads, undoes
from prview.signals.schema.prisma import prisma_operations
from prview.signals.schema.python_migrations import migration_operations, same_code
from prview.signals.schema.sql import sql_operations
from prview.signals.words import page, plain, plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prview.domain.change import ChangedFile
    from prview.signals.base import SignalContext
    from prview.signals.own import Own
    from prview.signals.schema.operation import SchemaOperation

KIND = "schema"
ARTIFACT = "20_quality/SCHEMA_CHANGES.txt"
_MAX_REVISIONS = 2000
_DJANGO_FIELD = re.compile(
    rb"^[+-][ \t]+\w+[ \t]*(?::[^=\n]+)?=[ \t]*models\.(?:\w+Field|ForeignKey)\(", re.MULTILINE
)


class Schema:
    """Says which statements destroy, which old migrations were edited, and which contradict each other."""

    kind = KIND
    title = "Schema changes"

    async def analyze(self, context: SignalContext) -> Signal | None:
        """Read both sides of every file that is about a database."""
        return await to_thread.run_sync(_signal, await own_files(context))


def _signal(own: Own) -> Signal | None:
    found = [*_new_operations(own), *_history(own), *_conflicts(own), *_forgotten(own)]
    about = [file for file in own.files if _is_about(file.path)]
    limits = own.unreadable(file for file in about if file.exists)
    if not found and not limits:
        return None
    rows = [f"{item.path}:{item.line}: {item.level.value}: {item.rule}: {item.message}" for item in found]
    text = page(plural(len(found), "remark"), "", *rows)
    return Signal(
        kind=KIND,
        title=Schema.title,
        findings=tuple(found),
        artifacts=(Artifact(ARTIFACT, text),) if found else (),
        data={"remarks": len(found), "files": [file.path for file in about]},
        limits=limits,
    )


def _is_about(path: str) -> bool:
    return path.endswith((".sql", ".prisma")) or is_migration(path)


def _new_operations(own: Own) -> list[Finding]:
    """Operations that the base's text of the file does not have."""
    head: list[Finding] = []
    base: list[Finding] = []
    for file in own.present:
        if undoes(file.path) or not _is_about(file.path):
            continue
        before, after = own.before(file) or "", own.after(file) or ""
        if file.path.endswith(".prisma"):
            head += _as_findings(file.path, prisma_operations(before, after))
        else:
            head += _as_findings(file.path, _operations(file.path, after))
            base += _as_findings(file.old_path or file.path, _operations(file.path, before))
    judged = judge(head, base, renames=own.change.renames, added=own.change.added_numbers)
    return [item.finding for item in judged if item.introduced]


def _operations(path: str, text: str) -> list[SchemaOperation]:
    if path.endswith(".sql"):
        return sql_operations(text)
    return migration_operations(text) if path.endswith(".py") else []


def _as_findings(path: str, operations: list[SchemaOperation]) -> list[Finding]:
    level = Level.NOTE if is_test(path) else Level.WARNING
    return [
        _finding(item.rule, level, path, item.line, item.message, f"{item.target} {item.text}")
        for item in operations
    ]


def _history(own: Own) -> Iterator[Finding]:
    """Migrations that were there before and are not what they were."""
    for file in own.files:
        before = file.old_path or file.path
        if file.status not in {"M", "D", "R"} or not is_migration(before) or is_test(before):
            continue
        old, new = own.before(file) or "", own.after(file) or ""
        if file.status == "M" and file.path.endswith(".py") and same_code(old, new):
            continue
        what = {"M": "is edited", "D": "is removed", "R": f"is renamed to {file.path}"}[file.status]
        message = f"the migration {before} {what}: databases that ran it before will not run it again"
        yield _finding("old-migration", Level.WARNING, file.path, _first_line(file), message, before)


def _conflicts(own: Own) -> list[Finding]:
    added = frozenset(file.path for file in own.present if file.status == "A" and is_migration(file.path))
    if not added:
        return []
    found = []
    for path, other in same_numbers(own.head.paths, added):
        found.append(_finding("same-number", Level.WARNING, path, 1, f"{other} has the same number", path))
    folders = {PurePosixPath(path).parent for path in added if path.endswith(".py")}
    named = [path for path in sorted(own.head.paths) if PurePosixPath(path).parent in folders]
    texts = {path: own.head.text(path) or "" for path in named[:_MAX_REVISIONS] if path.endswith(".py")}
    for path, other in two_heads(texts, added):
        message = f"starts from the same revision as {other}: there are two heads"
        found.append(_finding("two-heads", Level.WARNING, path, 1, message, path))
    return found


def _forgotten(own: Own) -> Iterator[Finding]:
    """Models that change while no migration is added (a guess by the names of folders and fields)."""
    added = [file.path for file in own.files if file.status == "A" and is_migration(file.path)]
    for file in own.present:
        folder = str(PurePosixPath(file.path).parent)
        prefix = "" if folder == "." else f"{folder}/"
        if not _changes_models(own, file) or any(path.startswith(f"{prefix}migrations/") for path in added):
            continue
        if any(path.startswith(f"{prefix}migrations/") for path in own.base.paths):
            message = "fields of models change and no migration is added (judged by pattern)"
            yield _finding("no-migration", Level.NOTE, file.path, _first_line(file), message, file.path)


def _changes_models(own: Own, file: ChangedFile) -> bool:
    if file.path.endswith(".prisma"):
        return bool(prisma_operations(own.before(file) or "", own.after(file) or ""))
    return PurePosixPath(file.path).name == "models.py" and bool(_DJANGO_FIELD.search(file.patch))


def _first_line(file: ChangedFile) -> int:
    return file.added_lines[0].number if file.added_lines else 1


def _finding(rule: str, level: Level, path: str, line: int, message: str, anchor: str) -> Finding:
    return Finding(check_id(KIND), rule, level, path, line, plain(message, width=300), plain(anchor))
