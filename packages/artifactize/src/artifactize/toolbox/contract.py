"""What a toolbox offers, answers and records, and how much of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from artifactize.domain.declarations import Json

MAX_ANSWER_BYTES = 48 * 1024
"""The longest text of a built-in tool's answer, its notes included."""

MAX_SUMMARY_CHARS = 200


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a model or a host is told of it. `input_schema` is the JSON Schema of one object."""

    name: str
    description: str
    input_schema: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Image:
    """An image as it is in its file; `media_type` is what its first bytes say."""

    media_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """What a call gave. `error` is a code of `ToolFault` when the call was refused or failed, else None."""

    text: str
    image: Image | None = None
    error: str | None = None

    @property
    def size(self) -> int:
        """How many bytes it gave: text and image."""
        return len(self.text.encode()) + (0 if self.image is None else len(self.image.data))


@dataclass(frozen=True, slots=True)
class ToolRecord:
    """One call for the audit, in the order of calls from 1.

    `arguments_sha256` is of their canonical JSON; `summary` is the beginning of that JSON.
    """

    number: int
    name: str
    arguments_sha256: str
    summary: str
    duration_ms: int
    answer_bytes: int
    error: str | None


class ToolFault(Exception):  # noqa: N818 - an answer to whoever called the tool, not a failure of ours
    """A call that is refused or failed; the message says what is wrong and what to do instead.

    `UNKNOWN_TOOL`, `INVALID_ARGUMENTS`, `NOT_FOUND`, `NOT_TEXT`, `NOT_AN_IMAGE`, `TOO_LARGE`, `UNREADABLE`,
    `PIN_MISMATCH`, `PROGRAM_MISSING`, `TOOL_TIMEOUT`, `TOOL_FAILED`, `BUDGET`.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
