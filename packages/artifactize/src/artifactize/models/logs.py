"""The request and result of looking at what an eval printed."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from artifactize.models.verification import Cursor
from mcpkit.models import Request, Response, Wire

DEFAULT_TAIL = 50
MOST_LINES = 200


RequestId = Annotated[
    str,
    Field(
        min_length=1,
        max_length=64,
        description="The request, as findings name it.",
        examples=["01a22e64-fbe7-7084-91b5-72747f4f06ff"],
    ),
]


class LogsRequest(Request):
    """Which output, and which lines of it."""

    request_id: RequestId
    stream: Annotated[Literal["both", "stdout", "stderr"], Field(description="Which output.")] = "both"
    tail: Annotated[
        int | None,
        Field(
            ge=1, le=MOST_LINES, description="The last lines that match (default 50); not with start or end."
        ),
    ] = None
    start: Annotated[int | None, Field(ge=1, description="First line, counted from 1.")] = None
    end: Annotated[int | None, Field(ge=1, description="Last line, included.")] = None
    search: Annotated[
        str | None,
        Field(min_length=1, max_length=2048, description="Only lines that contain exactly this."),
    ] = None

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        ranged = self.start is not None or self.end is not None
        if ranged and self.tail is not None:
            raise ValueError("tail and start/end exclude each other; give one of them")
        if self.start is not None and self.end is not None and self.end < self.start:
            raise ValueError("end is before start")
        return self


class LogsPageRequest(LogsRequest):
    """Which output, which lines, and which page of the answer."""

    cursor: Cursor = None


class LogLine(Wire):
    """One line; `clipped` ones show only their beginning and end."""

    number: int
    text: str
    clipped: bool


class StreamLog(Wire):
    """One stream. `evidence` says what the lines are taken from; empty is not missing."""

    stream: Literal["stdout", "stderr"]
    evidence: Annotated[
        Literal["complete", "partial", "saved_audit", "missing", "not_runtime"],
        Field(
            description="complete: all it printed; partial: running or interrupted; saved_audit: only the "
            "first 128 KiB are left; not_runtime: none."
        ),
    ]
    total_bytes: int | None
    lines: tuple[LogLine, ...]
    next_start: Annotated[int | None, Field(description="Where the next forward query continues.")]


class LogsResult(Response):
    """What an eval printed. A reused verdict shows the output of the execution that it came from."""

    request_id: str
    producer_run: str
    producer_request: str
    streams: tuple[StreamLog, ...]
