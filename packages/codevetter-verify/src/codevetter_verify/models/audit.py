"""What is kept of accesses, as commands show it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from codevetter_verify.models.receipt import Maybe
from mcpkit.models import Request, Response


class AuditLine(Response):
    """One access: metadata, nothing of what was asked or seen. Sizes are bytes of JSON."""

    at: str
    repo_id: str
    face: Literal["mcp", "command"]
    operation: str
    status: str
    verdict: Maybe[str] = None
    run_id: Maybe[str] = None
    duration_ms: int
    request_bytes: int
    result_bytes: int


class AuditList(Response):
    """The newest accesses."""

    entries: tuple[AuditLine, ...]


class AuditRequest(Request):
    """Which accesses to list."""

    repo: str | None = Field(default=None, description="Only those of this repository")
    limit: int = Field(default=50, ge=1, le=10_000, description="At most this many, the newest first")


class AuditClearRequest(Request):
    """Which accesses to forget."""

    repo: str | None = Field(default=None, description="Only those of this repository")


class AuditCleared(Response):
    """How many entries were removed."""

    removed: int
