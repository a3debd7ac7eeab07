"""The objects that failures become under `--json`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcpkit.errors import ToolError


class ErrorBodies(Protocol):
    """What turns errors into JSON objects; `mcpkit.envelope.Envelope` is one."""

    def body(self, error: ToolError, /) -> Mapping[str, object]:
        """Return the object of an error raised on purpose."""
        ...

    def internal(self, error_id: str, /) -> Mapping[str, object]:
        """Return the object of an error nobody foresaw."""
        ...


@dataclass(frozen=True)
class Enclosed:
    """An envelope whose object stands under a key: `{"error": {"code": …, "message": …}}`."""

    envelope: ErrorBodies
    key: str = "error"

    def body(self, error: ToolError, /) -> Mapping[str, object]:
        """Return the inner object under the key."""
        return {self.key: self.envelope.body(error)}

    def internal(self, error_id: str, /) -> Mapping[str, object]:
        """Return the inner object under the key."""
        return {self.key: self.envelope.internal(error_id)}


@dataclass(frozen=True)
class PlainBodies:
    """The objects of a command without an envelope: class, message with its hint, details."""

    def body(self, error: ToolError, /) -> Mapping[str, object]:
        """Return class, message with hint, and the details."""
        return {"error_class": error.error_class, "message": error.text, **error.details}

    def internal(self, error_id: str, /) -> Mapping[str, object]:
        """Return the class `internal_error` and the id that stderr shows too."""
        return {"error_class": "internal_error", "message": f"internal error {error_id}"}
