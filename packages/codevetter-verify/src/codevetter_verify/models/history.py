"""What the read-only history server is asked, and what it answers (schema codevetter.history.v1)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, JsonValue

from codevetter_verify.models.receipt import Maybe, Verdict
from mcpkit.models import Request, Response, Wire

HISTORY_VERSION: Literal["codevetter.history.v1"] = "codevetter.history.v1"
Cursor = Maybe[str]


class _Paged(Request):
    cursor: str | None = Field(default=None, max_length=1024, description="`next_cursor` of the page before")


class ReceiptsListRequest(_Paged):
    """Which receipts of the repository."""

    verdict: Verdict | None = Field(default=None, description="Only receipts with this verdict")
    head: str | None = Field(
        default=None,
        pattern=r"^[0-9a-f]{7,64}$",
        description="Only of this head commit: its id, or 7 or more of its digits",
    )
    limit: int = Field(default=10, ge=1, le=25, description="At most this many a page")


class ReceiptGetRequest(Request):
    """One receipt."""

    run_id: str = Field(min_length=1, max_length=100, description="Run id, as `receipts_list` gives it")


class HistoryLogRequest(_Paged):
    """Where the log begins."""

    revision: str = Field(
        default="HEAD", min_length=1, max_length=200, description="Branch, tag or commit to begin at"
    )
    limit: int = Field(default=20, ge=1, le=50, description="At most this many a page")


class ChangePathsRequest(_Paged):
    """Which change."""

    range: str = Field(
        min_length=4, max_length=512, description="One git range, `A..B` or `A...B`", examples=["main..HEAD"]
    )
    limit: int = Field(default=100, ge=1, le=200, description="At most this many a page")


class HistoryAnswer(Response):
    """What every answer says of itself."""

    schema_version: Literal["codevetter.history.v1"] = HISTORY_VERSION
    as_of: str = Field(description="When this was read")
    limits: tuple[str, ...] = Field(description="What this answer does not say")


class HistoryReceipt(Wire):
    """A receipt in a list. `problem` says why the stored receipt cannot be trusted."""

    run_id: str
    ran_at: str
    verdict: str
    head_sha: Maybe[str] = None
    of_current_head: bool
    summary: str
    problem: Maybe[str] = None


class ReceiptsListResult(HistoryAnswer):
    """A page of receipts, the newest first."""

    current_head: Maybe[str] = Field(default=None, description="What is checked out now")
    receipts: tuple[HistoryReceipt, ...]
    total: int
    next_cursor: Cursor = None


class ReceiptGetResult(HistoryAnswer):
    """A receipt, checked against its digest, without what belongs to this machine."""

    run_id: str
    sha256: str = Field(description="SHA-256 of the stored receipt's canonical JSON")
    of_current_head: bool
    redacted: bool = Field(description="Whether texts of the receipt were masked for this answer")
    receipt: dict[str, JsonValue] = Field(description="TrexPreviewReceipt, schema_version 1")


class HistoryCommit(Wire):
    """A commit and the newest receipt whose head it is."""

    sha: str
    parents: tuple[str, ...]
    author: str
    authored_at: str
    subject: str
    run_id: Maybe[str] = None
    verdict: Maybe[str] = None


class HistoryLogResult(HistoryAnswer):
    """A page of commits, the newest first."""

    start: str = Field(description="The commit that the revision means now")
    commits: tuple[HistoryCommit, ...]
    next_cursor: Cursor = None


class ChangedPath(Wire):
    """A changed path; `old_path` where it was renamed."""

    path: str
    status: Literal["added", "modified", "deleted", "renamed", "type_changed"]
    old_path: Maybe[str] = None


class ChangePathsResult(HistoryAnswer):
    """A page of what a change changes."""

    base_sha: str
    head_sha: str
    merge_base_sha: Maybe[str] = None
    commit_count: int
    paths: tuple[ChangedPath, ...]
    total: int
    run_id: Maybe[str] = Field(default=None, description="Newest receipt whose head is head_sha")
    verdict: Maybe[str] = None
    next_cursor: Cursor = None
