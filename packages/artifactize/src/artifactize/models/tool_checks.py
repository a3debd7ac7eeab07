"""The request and result of checking the tools that declarations offer to reviewers."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from artifactize.models.verification import Cursor
from mcpkit.models import Request, Response, Wire


class ToolsCheckRequest(Request):
    """Whether each tool is called with its example, too."""

    execute: bool = False


class ToolsCheckPageRequest(Request):
    """Which page; nothing is executed."""

    cursor: Cursor = None


class ToolCheck(Wire):
    """One declared tool: whether it can be used, and what to do when it cannot."""

    artifact: str
    view: Annotated[
        Literal["agent_tools", "human_tools"], Field(description="Whom the declaration offers it to.")
    ]
    tool: str
    protocol: Literal["json", "plain"]
    status: Annotated[
        Literal["ok", "warning", "failed"],
        Field(description="failed: a call would fail; warning: it was not tried as it could be."),
    ]
    code: Annotated[str | None, Field(description="Why, in one word of the tools; none when it is well.")]
    message: str
    duration_ms: Annotated[int | None, Field(description="How long the example took; none when not tried.")]


class ToolsCheckResult(Response):
    """Whether every declared tool can be used, as far as it was tried."""

    ok: bool
    executed: Annotated[bool, Field(description="Whether the tools were called with their examples.")]
    tools: tuple[ToolCheck, ...]
