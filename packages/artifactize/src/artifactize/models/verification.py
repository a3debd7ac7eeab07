"""Requests and results of the verification tools and their commands."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from artifactize.models.scope import SavedScope, Scope
from artifactize.models.states import Outcome, RequestState, RunState, Source
from mcpkit.models import Request, Response, Wire

RunId = Annotated[
    str,
    Field(
        min_length=1,
        max_length=64,
        description="The Run, as verify_start named it.",
        examples=["01a22e64-fbe7-7084-91b5-72747f4f06ff"],
    ),
]
Cursor = Annotated[
    str | None,
    Field(max_length=1024, description="next_cursor of the previous page; leave it out for the first page."),
]
WAIT_DEFAULT_S = 20
WAIT_MOST_S = 30


class KeyedRequest(Request):
    """What may be submitted again without being done again."""

    request_key: Annotated[
        str | None,
        Field(
            pattern=r"^[A-Za-z0-9._:-]{1,128}$",
            description="The same key in the same repository is always the same Run, also after edits.",
            examples=["review-2026-11-30.1"],
        ),
    ] = None


class VerifyStartRequest(KeyedRequest):
    """What to verify."""

    scope: Annotated[Scope, Field(description="What to verify.", examples=[{"kind": "all"}])]
    jobs: Annotated[
        int | None,
        Field(ge=1, le=10_000, description="At most this many evals at once; unlimited without it."),
    ] = None
    speculate: Annotated[
        bool,
        Field(description="Start evals before what they depend on is judged; provisional until it is GREEN."),
    ] = False
    defer_human: Annotated[
        bool, Field(description="Let people's sign-offs come after the Run, which then is no full approval.")
    ] = False


class NextCheck(Wire):
    """When it is worth looking again, and with which tool."""

    tool: str
    after_seconds: int


class StateCount(Wire):
    """How many evals of a Run are in a state."""

    state: RequestState
    count: int


class RunStatus(Response):
    """Where a Run stands; less than 2 KiB. `outcome` and `exit_code` are null while it goes on."""

    run_id: str
    state: RunState
    outcome: Outcome | None
    exit_code: int | None
    total: int
    counts: tuple[StateCount, ...]
    running: Annotated[tuple[str, ...], Field(description="Some of the evals running now.")]
    message: str | None
    note: Annotated[
        str | None, Field(description="What the caller may not expect: an older Run answers its request_key.")
    ] = None
    next_check: NextCheck | None


class VerifyWaitRequest(Request):
    """Which Run to wait for."""

    run_id: RunId
    timeout_seconds: Annotated[
        int, Field(ge=0, le=WAIT_MOST_S, description="Return after this long even if the Run goes on.")
    ] = WAIT_DEFAULT_S


class VerifyWatchRequest(VerifyWaitRequest):
    """Which Run to watch."""


class VerifyResultRequest(Request):
    """Which Run to judge."""

    run_id: RunId
    cursor: Cursor = None


class VerifyCancelRequest(Request):
    """Which Run to cancel."""

    run_id: RunId


class Finding(Wire):
    """An eval that is not GREEN. `request_id` is null for an obligation outside the Run."""

    request_id: str | None
    eval: str
    state: Annotated[RequestState | None, Field(description="null: no evidence at all")]
    source: Source | None
    source_run: str | None
    exit_code: int | None
    code: str | None
    summary: str
    blocked_by: tuple[str, ...]


class SourceCount(Wire):
    """How the evals of a Run got their states."""

    executed: int
    reused: int
    joined: int
    derived: int


class VerifyResult(Response):
    """The final validation of a Run, or how far it is. Only outcome GREEN is an approval."""

    run_id: str
    state: RunState
    outcome: Outcome | None
    exit_code: int | None
    scope: SavedScope
    total: int
    counts: tuple[StateCount, ...]
    sources: SourceCount
    findings_total: int
    findings: tuple[Finding, ...]
    message: str | None
    next_cursor: str | None


class EvalResult(Wire):
    """One saved state of one eval, as watchers get it; not the Run's verdict."""

    run_id: str
    request_id: str
    eval: str
    state: RequestState
    source: Source | None
    source_run: str | None
    exit_code: int | None
    code: str | None
    summary: str
    duration_ms: int | None


class WatchEvent(Wire):
    """One line of `--watch`, and the message of one progress notification."""

    kind: Literal["update", "eval_result", "outcome"]
    data: RunStatus | EvalResult | VerifyResult
