"""Compares the manifests and lock files that the change touches, and each with its partner."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from anyio import to_thread

from prview.domain.signals import Artifact, Signal
from prview.signals.dependencies.compare import lock_changes, manifest_changes
from prview.signals.dependencies.documents import Documents, folder_between
from prview.signals.dependencies.files import lock_reader, manifest_reader
from prview.signals.dependencies.remarks import (
    KIND,
    about_change,
    about_lock,
    about_manifest,
    out_of_step,
    sentence,
)
from prview.signals.dependencies.steps import mismatches
from prview.signals.own import own_files
from prview.signals.words import bullets, code, page

if TYPE_CHECKING:
    from pydantic import JsonValue

    from prview.domain.change import ChangedFile
    from prview.domain.findings import Finding
    from prview.signals.base import SignalContext
    from prview.signals.dependencies.compare import DependencyChange
    from prview.signals.dependencies.steps import Mismatch
    from prview.signals.own import Own

ARTIFACT = "20_quality/DEPENDENCIES.md"
MAX_LISTED = 500
"""Changes that go into report.json; the artifact counts the rest, too."""

_MAX_MEMBERS = 200


class Dependencies:
    """Says what is added, removed, newer, older, from elsewhere, or not in the lock file."""

    kind = KIND
    title = "Dependency changes"

    async def analyze(self, context: SignalContext) -> Signal | None:
        """Read both sides of every changed manifest and lock file."""
        own = await own_files(context)
        files = [file for file in own.change.files if _is_of_interest(own, file)]
        return await to_thread.run_sync(_signal, own, files) if files else None


@dataclass
class _Seen:
    """What was found so far."""

    base: Documents
    head: Documents
    findings: list[Finding] = field(default_factory=list)
    changes: dict[str, list[DependencyChange]] = field(default_factory=dict)
    pairs: set[tuple[str, str]] = field(default_factory=set)


def _is_of_interest(own: Own, file: ChangedFile) -> bool:
    """Lock files count although programs write them; what is vendored or ignored does not."""
    if own.foreign.get(file.path, "generated") != "generated":
        return False
    return manifest_reader(file.path) is not None or lock_reader(file.path) is not None


def _signal(own: Own, files: list[ChangedFile]) -> Signal | None:
    seen = _Seen(Documents(own.base), Documents(own.head))
    for file in files:
        if manifest_reader(file.path):
            _manifest(seen, file)
        else:
            _lock(seen, file)
    for lock, manifest in sorted(seen.pairs):
        seen.findings += _steps(seen, lock, manifest)
    limits = tuple(
        f"{path} {reason}: changed dependencies in it are unknown"
        for path, reason in sorted(seen.head.problems.items())
    )
    if not (seen.findings or any(seen.changes.values()) or limits):
        return None
    return Signal(
        kind=KIND,
        title=Dependencies.title,
        findings=tuple(seen.findings),
        artifacts=(Artifact(ARTIFACT, _text(seen)),),
        data={"changes": _data(seen)},
        limits=limits,
    )


def _manifest(seen: _Seen, file: ChangedFile) -> None:
    old, new = seen.base.manifest(file.old_path or file.path), seen.head.manifest(file.path)
    if file.path in seen.head.problems:
        return
    seen.changes[file.path] = changes = manifest_changes(old, new)
    seen.findings += [item for change in changes for item in about_change(file.path, change, locked=False)]
    seen.findings += about_manifest(file.path, old, new)
    if new:
        seen.pairs |= {(lock, file.path) for lock in seen.head.locks_for(file.path)}


def _lock(seen: _Seen, file: ChangedFile) -> None:
    before = file.old_path or file.path
    old, new = seen.base.lock(before), seen.head.lock(file.path)
    if file.path in seen.head.problems:
        return
    if not file.path.endswith("go.sum"):  # it keeps digests of what is not used, too
        direct = _direct(seen.head, file.path) | _direct(seen.base, before)
        seen.changes[file.path] = changes = lock_changes(old, new, direct=direct)
        seen.findings += [item for change in changes for item in about_change(file.path, change, locked=True)]
        seen.findings += about_lock(file.path, old, new)
    members = seen.head.manifests_of(file.path)[:_MAX_MEMBERS]
    seen.pairs |= {(file.path, manifest) for manifest in members}


def _direct(side: Documents, lock: str) -> frozenset[str]:
    manifests = (side.manifest(path) for path in side.manifests_of(lock)[:_MAX_MEMBERS])
    return frozenset(name for manifest in manifests if manifest for name in manifest.names)


def _steps(seen: _Seen, lock: str, manifest: str) -> list[Finding]:
    """Disagreements that the base does not have already."""
    known = {(item.name, item.what) for item in _mismatches(seen.base, lock, manifest)}
    return [
        out_of_step(manifest, item.line, lock, item.name, item.what)
        for item in _mismatches(seen.head, lock, manifest)
        if (item.name, item.what) not in known
    ]


def _mismatches(side: Documents, lock: str, manifest: str) -> list[Mismatch]:
    held, asked = side.lock(lock), side.manifest(manifest)
    return mismatches(held, asked, folder=folder_between(lock, manifest)) if held and asked else []


def _text(seen: _Seen) -> str:
    lines = ["# Changed dependencies", ""]
    lines += bullets(
        "To look at", [f"{code(f'{item.path}:{item.line}')} {code(item.message)}" for item in seen.findings]
    )
    for path, changes in seen.changes.items():
        for title, direct in (("direct", True), ("transitive", False)):
            told = [code(sentence(change)) for change in changes if change.direct is direct]
            lines += bullets(f"{code(path)}, {title}", told, shown=MAX_LISTED)
    return page(*lines)


def _data(seen: _Seen) -> list[JsonValue]:
    rows: list[JsonValue] = [
        {
            "path": path,
            "kind": change.kind.value,
            "name": change.name,
            "old": change.old,
            "new": change.new,
            "group": change.group,
            "direct": change.direct,
        }
        for path, changes in seen.changes.items()
        for change in changes
    ]
    return rows[:MAX_LISTED]
