"""Requests and results of the commands with which people sign off. No tool of the MCP server takes them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, JsonValue

from artifactize.models.logs import RequestId
from artifactize.models.states import RequestState
from mcpkit.models import Request, Response

MAX_FIELDS_BYTES = 256_000
"""The longest JSON text of a verdict's fields."""

Reviewer = Annotated[str | None, Field(description="Who signs; git's user.email without it.")]


class ClaimRequest(Request):
    """Which request, and by whom."""

    request_id: RequestId
    reviewer: Reviewer = None


class SignRequest(ClaimRequest):
    """What somebody says of a request."""

    verdict: Literal["GREEN", "RED"]
    fields: dict[str, JsonValue] = Field(default_factory=dict)
    comment: Annotated[str | None, Field(min_length=1, max_length=4000)] = None


class HumanToolRequest(ClaimRequest):
    """Which tool of the eval's human view to call, with which arguments."""

    tool: Annotated[str, Field(min_length=1, max_length=80)]
    arguments: dict[str, JsonValue] = Field(default_factory=dict)


class SchemasRequest(Request):
    """Which request."""

    request_id: RequestId


class ClaimResult(Response):
    """A request that is claimed, or given back when `claimed` is false."""

    request_id: str
    eval: str
    instruction: str
    reviewer: str
    claimed: bool


class SchemasResult(Response):
    """What is asked, and the JSON Schemas of the fields of each verdict; null: it takes none."""

    request_id: str
    eval: str
    title: str
    instruction: str
    pass_schema: dict[str, JsonValue] | None
    fail_schema: dict[str, JsonValue] | None


class SignResult(Response):
    """What came of an answer. With `missing` people the request goes on waiting; `state` is then its own."""

    request_id: str
    eval: str
    reviewer: str
    verdict: Literal["GREEN", "RED"]
    state: RequestState
    missing: int


class HumanToolResult(Response):
    """What a tool said."""

    tool: str
    text: str
