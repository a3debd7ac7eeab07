"""Requests and results of the tools and commands that look at single requests of Runs."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, JsonValue

from artifactize.models.inspection import RequestReport
from artifactize.models.logs import RequestId
from artifactize.models.states import Outcome, RequestState, RunState, Source
from artifactize.models.verification import Cursor
from mcpkit.models import Request, Response, Wire


class RequestListRequest(Request):
    """Which requests."""

    run_id: Annotated[
        str | None,
        Field(min_length=1, max_length=64, description="Those of this Run; without it, of every Run."),
    ] = None
    state: Annotated[RequestState | None, Field(description="Those in this state.")] = None
    limit: Annotated[int, Field(ge=1, le=10_000, description="At most this many, newest Run first.")] = 200
    offset: Annotated[int, Field(ge=0, le=1_000_000, description="Leave out this many of the first.")] = 0


class RequestListPageRequest(RequestListRequest):
    """Which requests, and which page of the answer."""

    cursor: Cursor = None


class RequestSummary(Wire):
    """One request in a list."""

    request_id: str
    run_id: str
    eval: str
    kind: str
    title: str
    state: RequestState
    source: Source | None
    code: str | None
    started_at: str | None
    finished_at: str | None


class RequestListResult(Response):
    """Requests, those of the newest Run first, in selection order within a Run."""

    requests: tuple[RequestSummary, ...]


class RequestShowRequest(Request):
    """Which request."""

    request_id: RequestId


class RequestShowPageRequest(RequestShowRequest):
    """Which request, and which page of the answer."""

    cursor: Cursor = None


class OutputSize(Wire):
    """How much an execution printed to a stream, of which the database keeps the first 128 KiB."""

    stream: Literal["stdout", "stderr"]
    total_bytes: int


class SignoffReport(Wire):
    """What one person said of a request, and who had changed the Artifact last then."""

    reviewer: str
    verdict: RequestState
    fields: dict[str, JsonValue]
    comment: str | None
    authors: tuple[str, ...]
    submitted_at: str


class RequestDetail(Response):
    """One request with the Run it belongs to and what its execution printed, in bytes.

    Of a human eval, who has claimed it and what people said of it; for a reused verdict, of its origin.
    """

    run_id: str
    run_state: RunState
    run_outcome: Outcome | None
    definition: str
    request: RequestReport
    outputs: tuple[OutputSize, ...]
    claimed_by: str | None
    signoffs: tuple[SignoffReport, ...]
