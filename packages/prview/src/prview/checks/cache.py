"""Results by content: a tool that looks at the same files in the same way sees the same.

The key is a digest over everything a look depends on: the program (path, size, time, version), its command
and environment, the names and contents of the files it reads, its configuration among them, and what lies
outside of the tree (installed packages) as far as the check names it. Only looks that succeeded are kept.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from prview import __version__
from prview.checks.jobs import Job, Reading
from prview.domain.findings import Finding
from prview.domain.masking import mask_bytes, mask_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_FORMAT: Literal[1] = 1


class _Entry(BaseModel):
    """What is kept of one look."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[1] = _FORMAT
    key: str
    run_id: str
    log: str
    findings: tuple[Finding, ...]
    examined: tuple[str, ...]
    unseen: str | None
    unread: tuple[str, ...]


@dataclass(frozen=True)
class Reused:
    """A look that an earlier run had."""

    reading: Reading
    run_id: str
    log: str


def cache_key(
    job: Job, *, command: Sequence[str], inputs: Mapping[str, str], names: Sequence[str], outside: str
) -> str:
    """The key of a look. `inputs` are contents by path, `names` files whose mere presence matters."""
    program = job.tool.program.resolve()
    status = program.stat()
    parts = {
        "format": _FORMAT,
        "prview": __version__,
        "check": job.check,
        "project": job.project,
        "program": [str(program), str(status.st_size), str(status.st_mtime_ns), job.version],
        "command": [_portable(word, job) for word in command],
        "environment": {name: _portable(value, job) for name, value in job.env.items()},
        "inputs": dict(inputs),
        "names": sorted(names),
        "outside": outside,
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def load(job: Job, key: str) -> Reused | None:
    """Return what an earlier run saw under this key; None for anything that is not exactly that."""
    cache = job.context.cache
    content = cache.get(key) if cache else None
    if content is None:
        return None
    try:
        entry = _Entry.model_validate_json(content)
    except ValidationError:
        return None
    if entry.key != key:
        return None
    reading = Reading(entry.findings, frozenset(entry.examined), entry.unseen, frozenset(entry.unread))
    return Reused(reading=reading, run_id=entry.run_id, log=entry.log)


def save(job: Job, key: str, reading: Reading) -> None:
    """Keep a look that succeeded, unless it names a secret."""
    cache = job.context.cache
    if cache is None:
        return
    entry = _Entry(
        key=key,
        run_id=job.context.run_id,
        log=mask_text("".join(job.log)),
        findings=reading.findings,
        examined=tuple(sorted(reading.examined)),
        unseen=reading.unseen,
        unread=tuple(sorted(reading.unread)),
    )
    content = entry.model_dump_json().encode()
    if mask_bytes(content) is content:  # the name of a file is needed as it is, and may hold a secret
        cache.put(key, content)


def _portable(text: str, job: Job) -> str:
    """The same text in every run: our temporary folders have new names each time."""
    for folder, name in ((job.scratch, "scratch"), (job.tree, "tree"), (job.context.scratch, "check")):
        text = text.replace(os.fspath(folder), f"<{name}>")
    return text
