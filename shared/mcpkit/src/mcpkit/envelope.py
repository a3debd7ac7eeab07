"""The object that a failure becomes on a wire: one shape a server, one closed vocabulary, bounded.

No MCP in here: the command line prints the same object with `--json`.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from mcpkit.text import escape_untrusted

if TYPE_CHECKING:
    from mcpkit.errors import ToolError

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
Body: TypeAlias = "dict[str, JsonValue]"

COMMON_CLASSES = frozenset({"invalid_arguments", "invalid_cursor", "internal_error"})
"""The classes that every server may answer with, whatever it declares."""

MAX_MESSAGE_CHARS = 4096
MAX_BODY_BYTES = 8 * 1024
_CUT = "… (cut)"


class UndeclaredErrorClass(Exception):  # noqa: N818 - names what was raised, not a kind of failure of ours
    """A service raised a class that its server has not declared: a defect of ours, never an answer."""

    def __init__(self, error_class: str, declared: frozenset[str]) -> None:
        super().__init__(
            f"the error class {error_class!r} is not one of this server ({', '.join(sorted(declared))}); "
            "add it to the server's envelope and to its documentation, or raise a declared one"
        )
        self.error_class = error_class


@dataclass(frozen=True)
class Envelope(ABC):
    """How one server words its failures. `classes` is its closed vocabulary, beside `COMMON_CLASSES`."""

    classes: frozenset[str]

    def body(self, error: ToolError) -> Body:
        """The wire object of `error`: at most 8 KiB of JSON, invisible and reordering characters spelled out.

        Raises UndeclaredErrorClass when the class is neither declared nor common.
        """
        if error.error_class not in self.classes | COMMON_CLASSES:
            raise UndeclaredErrorClass(error.error_class, self.classes)
        message = _bounded(escape_untrusted(error.text))
        details = {escape_untrusted(key): _plain(value) for key, value in error.details.items()}
        return self._fitted(self._wire_name(error.error_class), message, details)

    def internal(self, error_id: str) -> Body:
        """The wire object of a failure nobody foresaw; `error_id` is what the log calls it."""
        message = (
            f"internal error {error_id}: a defect of the server; its stderr has the details under this id"
        )
        return self._shape("internal_error", message, {})

    def _wire_name(self, error_class: str) -> str:
        """What the wire calls `error_class`."""
        return error_class

    @abstractmethod
    def _shape(self, error_class: str, message: str, details: Body) -> Body:
        """The object itself."""

    def _fitted(self, error_class: str, message: str, details: Body) -> Body:
        """The shape within `MAX_BODY_BYTES`: the largest details go first, named; then the message is cut."""
        omitted: list[JsonValue] = []
        kept = dict(details)
        body = self._shape(error_class, message, kept)
        while _size(body) > MAX_BODY_BYTES and kept:
            largest = max(kept, key=lambda key: _size(kept[key]))
            del kept[largest]
            omitted.append(largest[:64])
            body = self._shape(error_class, message, {**kept, "omitted": omitted[:32]})
        while _size(body) > MAX_BODY_BYTES:
            message = message[: len(message) // 2] + _CUT
            body = self._shape(error_class, message, {"omitted": omitted[:32]} if omitted else {})
        return body


@dataclass(frozen=True)
class ClassEnvelope(Envelope):
    """`{error_class, message, schema_version, …details}`; `invalid` renames `invalid_arguments`."""

    schema_version: str
    invalid: str = field(default="invalid_arguments", kw_only=True)

    def _wire_name(self, error_class: str) -> str:
        return self.invalid if error_class == "invalid_arguments" else error_class

    def _shape(self, error_class: str, message: str, details: Body) -> Body:
        fixed: Body = {"error_class": error_class, "message": message, "schema_version": self.schema_version}
        return {**fixed, **details, **fixed}


@dataclass(frozen=True)
class CodeEnvelope(Envelope):
    """`{code, message}`; details never leave the process."""

    def _shape(self, error_class: str, message: str, details: Body) -> Body:
        del details
        return {"code": error_class, "message": message}


def _bounded(text: str) -> str:
    return text if len(text) <= MAX_MESSAGE_CHARS else text[: MAX_MESSAGE_CHARS - len(_CUT)] + _CUT


def _size(value: object) -> int:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def _plain(value: object) -> JsonValue:
    """`value` as JSON; what is no JSON becomes its text, so that a detail never makes a second error."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if value - value == 0 else str(value)  # NaN and the infinities are no JSON
    if isinstance(value, Mapping):
        return {escape_untrusted(str(key)): _plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray):
        return [_plain(item) for item in value]
    return escape_untrusted(str(value))
