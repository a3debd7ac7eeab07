"""What the demo's tools take and give."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, JsonValue

from mcpkit.models import Request, Response, Wire


class Nothing(Request):
    """No arguments."""


class Path_(Request):  # noqa: N801 - pathlib has the name
    """A file to write to."""

    path: str = Field(description="Absolute path of a file to write", examples=["/tmp/mark"])


class AddRequest(Request):
    """Two numbers."""

    a: int = Field(description="The first number", ge=0, le=1000)
    b: int = Field(1, description="The second number")


class All(Wire):
    """Everything."""

    kind: Literal["all"]


class One(Wire):
    """One thing."""

    kind: Literal["one"]
    name: str = Field(min_length=1, max_length=20)


class SelectRequest(Request):
    """A selection, as a nested object."""

    scope: Annotated[All | One, Field(discriminator="kind")]
    tags: list[str] | None = Field(None, max_length=3)
    mode: Literal["quick", "deep"] | None = None
    data: dict[str, JsonValue] | None = None


class FailRequest(Request):
    """How to fail."""

    how: Literal[
        "declared", "undeclared", "unknown", "exit", "grouped", "wrong_type", "not_a_number", "control"
    ]


class SizeRequest(Request):
    """How much to give."""

    size: int = Field(ge=0)
    limit: int | None = Field(None, ge=1)


class PlainSizeRequest(Request):
    """How much to give, with nothing to page by."""

    size: int = Field(ge=0)


class StepsRequest(Request):
    """How many steps to report."""

    steps: int = Field(ge=0, le=10_000)


class Versioned(Response):
    """Every answer of the demo."""

    schema_version: Literal["demo.v1"] = "demo.v1"


class Sum(Versioned):
    """A sum."""

    sum: int


class Selection(Versioned):
    """What was understood."""

    scope: All | One
    tags: list[str] | None
    mode: Literal["quick", "deep"] | None
    data: dict[str, JsonValue] | None


class Text(Versioned):
    """A text."""

    text: str


class Number(Versioned):
    """A number."""

    value: float
