"""What can be asked, by a tool call or a command line."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from codevetter_verify.models.receipt import SourceKind
from mcpkit.models import Request, Wire

ExportFormat = Literal["json", "html", "intoto"]


class SourceSelector(Wire):
    """Which change to verify."""

    kind: SourceKind = Field(
        description="`range` for two commits of this repository, `pull_request` for a GitHub pull request"
    )
    value: str = Field(
        min_length=1,
        max_length=512,
        description="One git range, `A..B` or `A...B`, or one canonical https://github.com/OWNER/REPO/pull/N",
        examples=["main..HEAD"],
    )


class VerifyChangePreviewRequest(Request):
    """One change and the preview that was deployed of it."""

    source: SourceSelector = Field(
        description='The change: {"kind": "range", "value": "main..HEAD"}',
        examples=[{"kind": "range", "value": "main..HEAD"}],
    )
    preview_url: str = Field(
        min_length=1,
        max_length=2048,
        description="Address of the deployed preview: http or https, no user name or password",
        examples=["https://preview.example.com"],
    )


class ReceiptsRequest(Request):
    """Which receipts to list."""

    repo: str | None = Field(default=None, description="Only those of this repository")
    limit: int = Field(default=20, ge=1, le=1000, description="At most this many, the newest first")


class ReceiptRequest(Request):
    """One receipt by its run id."""

    run_id: str = Field(min_length=1, max_length=100, description="Run id, as `receipts list` shows it")


class ReportRequest(ReceiptRequest):
    """A receipt as an HTML page."""

    output: str | None = Field(
        default=None, description="File to write; without, one beside the receipt's pictures"
    )


class ExportRequest(ReceiptRequest):
    """A receipt in another form."""

    output: str | None = Field(default=None, description="File to write; without, the content is answered")

    format: ExportFormat = Field(default="json", description="json, html, or an in-toto statement")


class PruneRequest(Request):
    """Which receipts may go: those that every given rule lets go."""

    repo: str | None = Field(default=None, description="Only those of this repository")
    keep_last: int | None = Field(default=None, ge=0, description="Keep so many of each repository")
    older_than: str | None = Field(default=None, description="Keep the younger ones, as 12h or 30d")
    dry_run: bool = Field(default=False, description="Remove nothing, say only what would go")


class EnableRequest(Request):
    """Permission for one repository."""

    repo: str = Field(description="Path of the repository")
    ttl: str | None = Field(
        default=None, description="How long, as 30m, 12h or 7d; without, the earlier limit or none"
    )
    preview_hosts: tuple[str, ...] = Field(
        default=(), description="Hosts that previews may have; without, the earlier ones or any"
    )
    forget_limits: bool = Field(default=False, description="Drop earlier limits that are not given again")


class RepositoryRequest(Request):
    """One repository, or all of them."""

    repo: str | None = Field(default=None, description="Path of the repository")


class DoctorRequest(Request):
    """What the machine lacks."""

    browser: str | None = Field(default=None, description="Path of the browser to look at")
