"""What the store keeps besides receipts: who may verify what, and which runs are under way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import datetime as dt

EnablementState = Literal["enabled", "disabled"]


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
    """The owner's permission to verify one repository. `expires_at` None means until it is disabled."""

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
        return None


@dataclass(frozen=True, slots=True)
class ActiveRun:
    """A run under way. `owner` and `browser` are process identities as text."""

    run_id: str
    repo_key: str
    owner: str
    started_at: dt.datetime
    browser: str | None = None


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
