"""What the state remembers. Field names are column names (`tests/unit/artifactize/test_tables.py`).

Moments are RFC 3339 texts in UTC. Frozen dataclasses, no pydantic models: `verify` without changes must not
pay for importing pydantic.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from artifactize.models.states import Outcome, RequestState, RunState, Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One request to verify a selection of one repository.

    `selection` is the envelope `{"kind": …}`; `environment` what declared commands may inherit; `closure` the
    Artifacts it answers for; `revision` grows with every change, so that watchers see when to look again.
    `modes` are those that differ from the default, by the names of `RunModes`. `parked` is the revision at
    which only people were waited for: no worker has anything to do until there is another.
    """

    id: str
    repository: str
    request_key: str | None
    selection: Mapping[str, object]
    closure: list[str]
    recursive: bool
    force: bool
    ignore_gates: bool
    jobs: int | None
    environment: Mapping[str, str]
    state: RunState
    outcome: Outcome | None
    unmet: list[list[str | None]]
    message: str | None
    cancel_requested: bool
    revision: int
    created_at: str
    started_at: str | None
    finished_at: str | None
    modes: Mapping[str, object] = field(default_factory=dict)
    parked: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalRequest:
    """One eval of a Run. `source_run` and `source_request` name the execution that a verdict came from.

    `revision` is that of the Run when this last changed: a watcher reads what is newer than it knows.
    """

    id: str
    run_id: str
    position: int
    eval: str
    artifact: str
    kind: str
    title: str
    selected: bool
    forced: bool
    state: RequestState
    definition: str
    key: str | None
    fingerprints: Mapping[str, str] = field(default_factory=dict)
    source: Source | None = None
    source_run: str | None = None
    source_request: str | None = None
    exit_code: int | None = None
    code: str | None = None
    message: str | None = None
    blocked_by: list[str] = field(default_factory=list)
    attempt: int = 0
    duration_ms: int | None = None
    started_at: str | None = None
    finished_at: str | None = None
    revision: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A reusable verdict. The highest `sequence` of a key decides; the verdict REMOVED is a tombstone.

    Of a sign-off it says who the `reviewers` were, and who had changed the Artifact last: its `authors`.
    """

    sequence: int
    key: str
    verdict: str
    eval: str
    artifact: str
    definition: str
    fingerprints: Mapping[str, str]
    exit_code: int | None
    message: str | None
    run_id: str
    request_id: str
    recorded_at: str
    reviewers: list[str] = field(default_factory=list)
    authors: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Signoff:
    """What one person said of a request; a quorum of them makes its verdict.

    `fields` are checked against the schema of the verdict; `authors` changed the Artifact last.
    """

    request_id: str
    reviewer: str
    verdict: str
    fields: Mapping[str, object]
    comment: str | None
    authors: list[str]
    submitted_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Signing:
    """A request that a person is looking at: nobody else can submit its verdict meanwhile."""

    request_id: str
    reviewer: str
    since: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The per-file digests behind a recorded fingerprint."""

    fingerprint: str
    files: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """The cleaned beginning of one stream of an execution; `total_bytes` is what it printed in all."""

    request_id: str
    stream: str
    text: str
    total_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A reuse key being executed now, by the process `owner` (pid and start time)."""

    key: str
    owner: str
    run_id: str
    request_id: str
    since: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A place of a backend that an execution holds, by the process `owner`: `limits.json` says how many."""

    request_id: str
    backend: str
    owner: str
    since: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Worker:
    """A repository's worker. `beat` is its last heartbeat in seconds of the machine's monotonic clock."""

    repository: str
    owner: str
    beat: float
    since: str
