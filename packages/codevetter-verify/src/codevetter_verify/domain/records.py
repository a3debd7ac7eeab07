"""What the store keeps besides receipts: who may do what, which runs are under way, who asked for what."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import datetime as dt

    from codevetter_verify.models import RouteOutcome, SourceKind

EnablementState = Literal["enabled", "disabled"]
Permission = Literal["verification", "history"]
"""What an owner allows: to execute verifications, or to read what there is. Neither contains the other."""
Face = Literal["mcp", "command"]
CLOCK_SLACK = timedelta(minutes=5)
"""How far a clock may be set back (it is, when it is adjusted) before a limited time cannot be judged."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The one repository a process may verify: its work tree, and the key that names it wherever it lies."""

    key: str
    path: str

    @property
    def repo_id(self) -> str:
        """The id that people and host configurations use."""
        return f"repo-{self.key}"


@dataclass(frozen=True, slots=True)
class Enablement:
    """An owner's permission for one repository. `expires_at` None means until it is disabled."""

    repo_id: str
    repo_key: str
    repo_path: str
    state: EnablementState
    changed_at: dt.datetime
    changed_by: str
    expires_at: dt.datetime | None = None
    preview_hosts: tuple[str, ...] = ()

    def ended(self, now: dt.datetime) -> str | None:
        """Why this permission does not hold any more at `now`; None while it holds."""
        if self.state == "disabled":
            return f"disabled by {self.changed_by} at {self.changed_at:%Y-%m-%d %H:%M} UTC"
        if self.expires_at is not None and now >= self.expires_at:
            return f"its time ended at {self.expires_at:%Y-%m-%d %H:%M} UTC"
        if self.expires_at is not None and now < self.changed_at - CLOCK_SLACK:
            return (
                f"the clock says {now:%Y-%m-%d %H:%M} UTC, which is before it was given: its end is not known"
            )
        return None


@dataclass(frozen=True, slots=True)
class RouteNote:
    """A planned route of a run under way; `outcome` None until it was judged for the first time."""

    route: str
    reason: str
    outcome: RouteOutcome | None = None


@dataclass(frozen=True, slots=True)
class ActiveRun:
    """A run under way. `owner` and `browser` are process identities as text.

    `preview` has its query values masked. `stage` is what the run was last seen at, at `seen_at`.
    `routes` are the planned ones, once it has planned.
    """

    run_id: str
    repo_key: str
    owner: str
    started_at: dt.datetime
    browser: str | None = None
    repo_path: str | None = None
    source_kind: SourceKind | None = None
    source_input: str | None = None
    preview: str | None = None
    stage: str | None = None
    seen_at: dt.datetime | None = None
    face: Face | None = None
    routes: tuple[RouteNote, ...] = ()

    @property
    def asked(self) -> tuple[str | None, str | None, str | None]:
        """What tells one request of a repository from another."""
        return self.source_kind, self.source_input, self.preview


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One access: metadata only, no source, no address, nothing of a page.

    `status` is `answered`, `cancelled`, `interrupted` (its process was killed), or the class of the error
    that was the answer. Of a killed process the size of the request is not known, and 0.
    """

    repo_key: str
    at: dt.datetime
    face: Face
    operation: str
    status: str
    duration_ms: int
    request_bytes: int
    result_bytes: int
    verdict: str | None = None
    run_id: str | None = None


@dataclass(frozen=True, slots=True)
class StoredReceipt:
    """A row of the list of receipts. `problem` says why a receipt cannot be read.

    Its other facts are then the index's.
    """

    run_id: str
    repo_path: str
    ran_at: str
    verdict: str
    head_sha: str | None
    summary: str
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class IndexedReceipt:
    """What the index says of a receipt, unchecked: for finding one."""

    run_id: str
    verdict: str
    head_sha: str | None
