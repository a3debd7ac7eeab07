"""Requests and results of looking at one reuse key, and of removing its verdict."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, RootModel

from mcpkit.models import Request, Response, Wire

Key = Annotated[
    str,
    Field(
        pattern=r"^[0-9a-f]{8,64}$",
        description="A reuse key, or at least 8 digits of its beginning, as cache list shows them.",
        examples=["5b1c0f2e9a41"],
    ),
]


class CacheShowRequest(Request):
    """Which key."""

    key: Key


class CacheRemoveRequest(Request):
    """Which key."""

    key: Key


class CacheRecord(Wire):
    """A verdict of a key with what it answers for; REMOVED is a tombstone above all older ones."""

    sequence: int
    key: str
    verdict: str
    eval: str
    artifact: str
    definition: str
    fingerprints: dict[str, str]
    exit_code: int | None
    message: str | None
    run_id: str
    request_id: str
    recorded_at: str


class CacheShown(RootModel[CacheRecord | None]):
    """The verdict that would be reused; null when there is none."""


class CacheHistory(RootModel[tuple[CacheRecord, ...]]):
    """Every record of a key, newest first."""


class CacheRemoved(Response):
    """The key whose verdict is not reused any more; `removed` is false when it had none."""

    key: str
    eval: str | None
    removed: bool
