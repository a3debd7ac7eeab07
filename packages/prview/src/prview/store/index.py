"""`index.jsonl`: what every completed run of a repository came to, one JSON object a line.

A cache. The packs are the truth: which runs there are is read from the folders every time, a line counts only
while the gate of its run has not changed since, and what is missing, damaged or stale is read from the pack
again and written back. One bad line costs one line; losing the file costs nothing but time.
"""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING

from pydantic import ValidationError

from oskit.files import StorageError, atomic_write, read_bounded
from oskit.locks import FileLock, LockHeldError
from prview.domain.stored import read_decision
from prview.errors import StorageCorruptError
from prview.models.records import IndexEntry
from prview.store.documents import MAX_DOCUMENT
from prview.store.paths import GATE
from prview.store.runs import COMPLETED, list_runs

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from prview.store.home import RepositoryRuns
    from prview.store.runs import StoredRun

INDEX_FILE = "index.jsonl"
LOCK_FILE = ".index.lock"


def read_index(runs: RepositoryRuns) -> tuple[IndexEntry, ...]:
    """Every completed run of the repository that can be read, the newest first; the cache is repaired."""
    cached = _cached(runs.folder / INDEX_FILE)
    completed = [run for branch in runs.branches() for run in list_runs(branch) if run.status == COMPLETED]
    found = {run.run_id: entry for run in completed if (entry := _entry(run, cached.get(run.run_id)))}
    if found != cached:
        _write(runs, found.values())
    return tuple(sorted(found.values(), key=lambda entry: (entry.generated_at, entry.run_id), reverse=True))


def _entry(run: StoredRun, cached: IndexEntry | None) -> IndexEntry | None:
    stamp = _stamp(run.folder / GATE)
    if cached and cached.gate_stamp == stamp and cached.branch_key == run.folder.parent.name:
        return cached
    return _from_pack(run, stamp) if stamp else None


def _from_pack(run: StoredRun, stamp: str) -> IndexEntry | None:
    """Read the pack; None when it says nothing that can be passed on."""
    gate, record = _gate(run.folder / GATE), run.record
    if gate is None or record is None:
        return None
    try:
        decision = read_decision(gate)
    except StorageCorruptError:
        return None
    counts = gate.get("inline_findings")
    return IndexEntry(
        run_id=run.run_id,
        branch_key=run.folder.parent.name,
        branch=record.branch,
        commit=record.commit,
        bases=tuple(base.ref for base in record.bases),
        profile=record.profile,
        verdict=decision.ruling.verdict.value,
        generated_at=record.generated_at,
        files_changed=record.files_changed,
        introduced=_number(counts, "introduced"),
        preexisting=_number(counts, "preexisting"),
        gate_stamp=stamp,
    )


def _gate(path: Path) -> Mapping[str, object] | None:
    try:
        document = json.loads(read_bounded(path, MAX_DOCUMENT))
    except (StorageError, ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


def _number(counts: object, name: str) -> int:
    value = counts.get(name) if isinstance(counts, dict) else None
    return value if isinstance(value, int) and value >= 0 else 0


def _stamp(path: Path) -> str:
    """Changes whenever the file is written again; empty when there is none."""
    try:
        found = path.stat()
    except OSError:
        return ""
    return f"{found.st_mtime_ns:x}-{found.st_size:x}-{found.st_ino:x}"


def _cached(path: Path) -> dict[str, IndexEntry]:
    """The lines that can be read; of two about one run the later."""
    try:
        lines = read_bounded(path, MAX_DOCUMENT).splitlines()
    except StorageError:
        return {}
    entries: dict[str, IndexEntry] = {}
    for line in lines:
        with contextlib.suppress(ValidationError):
            entry = IndexEntry.model_validate_json(line)
            entries[entry.run_id] = entry
    return entries


def _write(runs: RepositoryRuns, entries: Iterable[IndexEntry]) -> None:
    """Replace the cache, if nobody else does just now; whoever reads next would do it again."""
    ordered = sorted(entries, key=lambda entry: (entry.generated_at, entry.run_id))
    text = "".join(f"{entry.model_dump_json()}\n" for entry in ordered)
    with contextlib.suppress(StorageError, LockHeldError), FileLock(runs.folder / LOCK_FILE):
        atomic_write(runs.folder / INDEX_FILE, text)
