"""The receipt of one run (schema version 1).

Within version 1 fields are only added, and only optional ones. A fact that was not established is absent
rather than null or empty, so that every face prints the same document.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

from pydantic import ConfigDict, Field

from mcpkit.models import Response, Wire

T = TypeVar("T")


def _is_none(value: object) -> bool:
    return value is None


Maybe = Annotated[T | None, Field(exclude_if=_is_none)]
"""A fact that may be missing from a document; give it the default None."""

SourceKind = Literal["pull_request", "range"]
PreviewStatus = Literal["verified", "claimed", "mismatch", "unavailable"]
Verdict = Literal["passed_with_limits", "failed", "no_confidence"]
RouteOutcome = Literal["passed", "failed", "inconclusive"]
LedgerOutcome = Literal["exercised", "not_run", "not_mapped", "dynamic", "deleted", "non_ui", "over_bound"]
Screenshots = Literal["failures", "always"]

MAX_LIMITATIONS = 24


class ReceiptSource(Wire):
    """The exact change. Lists are shortened only when the counts say so."""

    kind: SourceKind
    input: str
    base_sha: Maybe[str] = None
    head_sha: Maybe[str] = None
    merge_base_sha: Maybe[str] = None
    commits: tuple[str, ...] = ()
    commit_count: Maybe[int] = None
    changed_paths: tuple[str, ...] = ()
    changed_path_count: Maybe[int] = None


class ReceiptPreview(Wire):
    """The preview and how it identified itself. Values of a query string are masked."""

    status: PreviewStatus
    requested_url: str
    final_url: Maybe[str] = None
    revision: Maybe[str] = None
    evidence: str
    http_status: Maybe[int] = None


class PlannedRoute(Wire):
    """A path that was to be visited, and why."""

    route: str
    reason: str


class Artifact(Wire):
    """A file kept beside the receipt; `path` is below the state directory."""

    kind: Literal["screenshot", "source"]
    path: str
    sha256: str
    bytes: int


class StageTimings(Wire):
    """Milliseconds of each stage of one journey."""

    navigation: int = 0
    settle: int = 0
    observe: int = 0
    screenshot: int = 0
    watch: int = 0


class Contained(Wire):
    """What the page tried that a read-only visit does not let out; counts, by kind."""

    requests: int = 0
    addresses: int = 0
    sockets: int = 0
    popups: int = 0
    dialogs: int = 0
    downloads: int = 0
    apis: int = 0


class JourneyTrace(Wire):
    """What one visit saw. Texts and lists are bounded; `dropped_events` counts what did not fit.

    Errors were listened for until `watched_ms` after the page had loaded, and not longer.
    """

    final_url: Maybe[str] = None
    http_status: Maybe[int] = None
    revision: Maybe[str] = None
    redirects: tuple[str, ...] = ()
    page_title: Maybe[str] = None
    body_text: Maybe[str] = None
    page_errors: tuple[str, ...] = ()
    console_errors: tuple[str, ...] = ()
    failed_requests: tuple[str, ...] = ()
    third_party_problems: tuple[str, ...] = ()
    contained: Contained = Contained()
    dropped_events: int = 0
    transferred_bytes: Maybe[int] = Field(
        default=None, description="On the wire, headers included, in the responses that had ended"
    )
    watched_ms: Maybe[int] = None
    stage_timings_ms: StageTimings = StageTimings()


class Journey(Wire):
    """One route, visited once."""

    model_config = ConfigDict(serialize_by_alias=True, validate_by_name=True, validate_by_alias=True)

    loop_id: Literal["generic-page-smoke"] = "generic-page-smoke"
    route: str
    goal: str
    passed: bool = Field(alias="pass")
    outcome: RouteOutcome
    notes: str
    screenshot_path: Maybe[str] = None
    artifacts: tuple[Artifact, ...] = ()
    duration_ms: int
    trace: JourneyTrace
    error: Maybe[str] = None
    runner_type: Literal["playwright"] = "playwright"


class LedgerEntry(Wire):
    """What became of one changed path; `route` is given where the path is a page."""

    path: str
    outcome: LedgerOutcome
    route: Maybe[str] = None
    reason: Maybe[str] = None


class Environment(Wire):
    """What the visit was made with."""

    tool_version: str
    platform: str
    playwright_version: Maybe[str] = None
    browser: Maybe[str] = None
    browser_version: Maybe[str] = None
    sandbox: Maybe[bool] = None


class TrexPreviewReceipt(Response):
    """The receipt of one run: what a bounded, read-only visit of the preview saw, and no more."""

    schema_version: Literal[1] = 1
    run_id: str
    repo_path: str
    source: ReceiptSource
    preview: ReceiptPreview
    routes: tuple[PlannedRoute, ...] = ()
    journeys: tuple[Journey, ...] = ()
    verdict: Verdict
    summary: str
    limitations: tuple[str, ...] = Field(default=(), max_length=MAX_LIMITATIONS)
    duration_ms: int
    ran_at: str
    causes: tuple[str, ...] = Field(default=(), description="Why the run is incomplete, in stable words")
    retryable: Maybe[bool] = Field(
        default=None, description="True when the same call may well end otherwise later"
    )
    ledger: tuple[LedgerEntry, ...] = ()
    artifacts: tuple[Artifact, ...] = ()
    environment: Maybe[Environment] = None
