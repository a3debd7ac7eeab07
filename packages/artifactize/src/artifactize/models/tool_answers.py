"""One call of a built-in tool from the command line."""

from __future__ import annotations

from pathlib import Path

from pydantic import JsonValue

from mcpkit.models import Request, Response, Wire


class BuiltInCall(Request):
    """Which tool, with what, on a folder (`root`) or on what an eval of a project covers."""

    tool: str
    arguments: dict[str, JsonValue]
    root: Path | None = None
    repo: Path | None = None
    eval_id: str | None = None


class AnswerImage(Wire):
    """An image, base64."""

    media_type: str
    data: str


class BuiltInResult(Response):
    """What a built-in tool answered."""

    tool: str
    text: str
    image: AnswerImage | None
