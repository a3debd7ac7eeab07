"""What the commands beside `trex` answer with."""

from __future__ import annotations

from pydantic import Field

from codevetter_verify.models.receipt import Maybe
from codevetter_verify.models.requests import ExportFormat
from mcpkit.models import Response, Wire


class ReceiptLine(Response):
    """A receipt in a list. `problem` says why the stored receipt cannot be trusted."""

    run_id: str
    ran_at: str
    verdict: str
    repo_path: str
    head_sha: Maybe[str] = None
    summary: str
    problem: Maybe[str] = None


class ReceiptList(Response):
    """The newest receipts."""

    receipts: tuple[ReceiptLine, ...]


class Report(Response):
    """A receipt as one self-contained HTML file."""

    run_id: str
    path: str


class Export(Response):
    """A receipt in another form. `path` is where it was written; without, `content` is the whole of it."""

    run_id: str
    format: ExportFormat
    sha256: str = Field(description="SHA-256 of the receipt's canonical JSON")
    path: Maybe[str] = None
    content: Maybe[str] = None


class PruneResult(Response):
    """Which receipts were removed, or would be."""

    run_ids: tuple[str, ...]
    kept: int
    dry_run: bool


class EnablementLimits(Wire):
    """What a permission is limited to: a time, and hosts of previews (none: any host)."""

    expires_at: Maybe[str] = None
    preview_hosts: tuple[str, ...] = ()


class EnablementStatus(Response):
    """The owner's permission for one repository, and whether it holds now.

    `previous` are the limits that `verify enable` found.
    """

    repo_id: str
    repo_path: str
    enabled: bool
    reason: Maybe[str] = None
    changed_at: str
    changed_by: str
    expires_at: Maybe[str] = None
    preview_hosts: tuple[str, ...] = ()
    previous: Maybe[EnablementLimits] = None


class EnablementList(Response):
    """Every repository that verification was enabled for."""

    repositories: tuple[EnablementStatus, ...]


class Doctor(Response):
    """What a run needs of this machine. A missing fact is missing on the machine.

    `problems` say what to do. `endpoint` is the host of the browser server that runs visit with, where
    CODEVETTER_BROWSER_ENDPOINT names one.
    """

    ok: bool
    home: Maybe[str] = None
    browser: Maybe[str] = None
    endpoint: Maybe[str] = None
    git: Maybe[str] = None
    github: Maybe[str] = None
    playwright_version: Maybe[str] = None
    problems: tuple[str, ...] = ()
