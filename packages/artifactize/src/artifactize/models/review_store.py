"""What goes over the wire between artifactize and a team's review store (spec 40, section 9)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from mcpkit.models import Wire

MAX_KEYS = 1000
"""Of one lookup."""
MAX_ENTRY_BYTES = 64 * 1024
"""Of one entry's JSON."""
MAX_FINGERPRINTS = 1000
MAX_LISTED = 200
MAX_SEQUENCE = 2**62

Scope = Literal["read", "publish", "human"]
"""read: look up; publish: put verdicts of commands and agents; human: put those of people."""

_Hex = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
_Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_./-]{0,255}$")]
_Moment = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$")]
_Short = Annotated[str, StringConstraints(max_length=256)]


class Entry(Wire):
    """One verdict of one execution. `execution` is its id alone: putting it again changes nothing."""

    key: Annotated[_Hex, Field(description="The reuse key that it answers for.")]
    verdict: Literal["GREEN", "RED"]
    kind: Literal["runtime", "agent", "human"]
    eval: _Id
    artifact: _Id
    definition: Annotated[_Hex, Field(description="Hash of what the eval asks.")]
    fingerprints: Annotated[
        dict[_Id, _Short],
        Field(
            max_length=MAX_FINGERPRINTS,
            description="By Artifact: what it looked at.",
            json_schema_extra={"additionalProperties": False},
        ),
    ]
    exit_code: int | None = None
    message: Annotated[str | None, Field(max_length=4096)] = None
    execution: Annotated[_Id, Field(description="The request that executed it.")]
    run: Annotated[_Id, Field(description="The Run of that request.")]
    recorded_at: Annotated[_Moment, Field(description="RFC 3339 in UTC, by the executing machine's clock.")]
    model: _Short | None = None
    profile: _Short | None = None
    reviewer: _Short | None = None
    signature: Annotated[
        str | None, Field(max_length=256, description="base64 of an Ed25519 signature over the other fields.")
    ] = None


class Stored(Wire):
    """An entry as the store keeps it: the highest `sequence` of a key is the newest, whatever clocks say."""

    sequence: Annotated[int, Field(ge=1)]
    published_by: Annotated[str, Field(description="The name of the token that put it.")]
    received_at: str
    entry: Entry


class Lookup(Wire):
    """Which keys are asked for."""

    keys: Annotated[tuple[_Hex, ...], Field(max_length=MAX_KEYS)]


class Found(Wire):
    """The newest verdict of each key that has one; a removed key has none, whatever was put before."""

    entries: dict[str, Stored]


class Put(Wire):
    """Where an entry went. `known`: it was there before, and nothing changed."""

    sequence: int
    known: bool


class WhoAmI(Wire):
    """What a token may do."""

    name: str
    scopes: tuple[Scope, ...]


class Listed(Wire):
    """Entries, newest first; ask with `before` = the last sequence for older ones."""

    entries: tuple[Stored, ...]
    more: bool
