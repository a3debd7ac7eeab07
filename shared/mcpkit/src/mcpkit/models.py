"""Base models of everything that crosses a wire: closed, frozen, versioned."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Wire(BaseModel):
    """A value on a wire or on disk: unknown fields are refused, and it does not change after it was made."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Request(Wire):
    """The arguments of one operation. Field descriptions and bounds become the tool's input schema."""


class Response(Wire):
    """The answer of one operation.

    Versioned servers narrow `schema_version` once, in their own base class:
    `schema_version: Literal["prview.mcp.v1"] = "prview.mcp.v1"`.
    """
