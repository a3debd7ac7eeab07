"""Requests and results of the inspection tools and their commands."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from artifactize.models.scope import SavedScope, absent
from artifactize.models.states import Outcome, RequestState, RunState, Source
from artifactize.models.verification import Cursor, RunId, StateCount
from mcpkit.models import Request, Response, Wire


class StatusRequest(Request):
    """What to predict; the tool predicts everything."""

    scope: SavedScope = SavedScope(kind="all")
    force: bool = False
    recursive: bool = False
    ignore_gates: bool = False


class StatusPageRequest(Request):
    """Which page."""

    cursor: Cursor = None


class ChangeReport(Wire):
    """What differs from the newest record of the same eval."""

    since_run: str
    definition: bool
    files: tuple[str, ...]
    dependencies: tuple[str, ...]
    summary: str


class LastReview(Wire):
    """How the eval ended last in this repository; history, not evidence."""

    run_id: str
    state: RequestState


class EvalStatus(Wire):
    """What `verify` will do with one eval, and why."""

    eval: str
    title: str
    kind: str
    selected: bool
    included: bool
    action: Literal["execute", "reuse", "wait", "blocked", "none"]
    state: RequestState | None
    reason: str
    blocked_by: tuple[str, ...]
    changes: ChangeReport | None
    last: LastReview | None


class ActionCounts(Wire):
    """How many included evals each action has."""

    execute: int
    reuse: int
    wait: int
    blocked: int


class StatusResult(Response):
    """The plan of the next `verify`. `satisfied`: every obligation has GREEN evidence now."""

    satisfied: bool
    artifacts: int
    actions: ActionCounts
    evals: tuple[EvalStatus, ...]


class ConfigCheckRequest(Request):
    """Nothing to choose."""


class ConfigCheckPageRequest(ConfigCheckRequest):
    """Which page."""

    cursor: Cursor = None


class ConfigProblem(Wire):
    """A mistake in a declaration: one-based line and column, dotted key path."""

    file: str
    line: int
    column: int
    key_path: str
    message: str


class ConfigCheckResult(Response):
    """Whether the declarations hold; `problems` is left out when they do."""

    ok: bool
    artifacts: int
    evals: int
    problems: Annotated[tuple[ConfigProblem, ...] | None, Field(exclude_if=absent)] = None


class RunListRequest(Request):
    """Which Runs."""

    limit: Annotated[int, Field(ge=1, le=200, description="At most this many Runs, newest first.")] = 50
    offset: Annotated[int, Field(ge=0, le=1_000_000, description="Leave out this many of the newest.")] = 0


class RunListPageRequest(RunListRequest):
    """Which Runs, and which page of them."""

    cursor: Cursor = None


class RunSummary(Wire):
    """One Run in a list."""

    run_id: str
    request_key: str | None
    scope: SavedScope
    state: RunState
    outcome: Outcome | None
    counts: tuple[StateCount, ...]
    created_at: str
    finished_at: str | None


class RunListResult(Response):
    """Runs of the repository, newest first."""

    runs: tuple[RunSummary, ...]


class RunShowRequest(Request):
    """Which Run."""

    run_id: RunId


class RunShowPageRequest(RunShowRequest):
    """Which Run, and which page of it."""

    cursor: Cursor = None


class RequestReport(Wire):
    """One eval of a Run, with everything that is saved of it but its output."""

    request_id: str
    eval: str
    title: str
    kind: str
    selected: bool
    forced: bool
    state: RequestState
    key: str | None
    fingerprints: dict[str, str]
    source: Source | None
    source_run: str | None
    source_request: str | None
    exit_code: int | None
    code: str | None
    message: str | None
    blocked_by: tuple[str, ...]
    attempt: int
    duration_ms: int | None
    started_at: str | None
    finished_at: str | None


class Obligation(Wire):
    """An eval of the required closure without GREEN evidence."""

    eval: str
    state: RequestState | None


class RunReport(Response):
    """A saved Run."""

    run_id: str
    repository: str
    request_key: str | None
    scope: SavedScope
    closure: tuple[str, ...]
    recursive: bool
    force: bool
    ignore_gates: bool
    jobs: int | None
    state: RunState
    outcome: Outcome | None
    exit_code: int | None
    message: str | None
    unmet: tuple[Obligation, ...]
    created_at: str
    started_at: str | None
    finished_at: str | None
    requests: tuple[RequestReport, ...]


class CacheListRequest(Request):
    """How many records."""

    limit: Annotated[int, Field(ge=1, le=1000, description="At most this many verdicts.")] = 200


class CacheListPageRequest(CacheListRequest):
    """How many records, and which page of them."""

    cursor: Cursor = None


class CacheEntry(Wire):
    """The newest verdict of a reuse key."""

    sequence: int
    key: str
    verdict: RequestState
    eval: str
    run_id: str
    request_id: str
    recorded_at: str
    message: str | None


class CacheListResult(Response):
    """Reusable verdicts, newest first."""

    entries: tuple[CacheEntry, ...]
