"""The failures a service raises on purpose.

ToolError                       any failure with a class from the closed vocabulary of its server
├── InvalidArgumentsError       the arguments break the tool's input schema       `invalid_arguments`
└── InvalidCursorError          a cursor is foreign, edited or stale              `invalid_cursor`

A package derives its own small tree from `ToolError`, one subclass a class name, in its `errors.py`.
`mcpkit.envelope` turns them into wire results, `mcpkit.cli` into exit codes; nothing else does either.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

EXIT_USAGE = 2
"""Exit code of a command whose request could not be carried out, unless its error says otherwise."""


class ToolError(Exception):
    """A failure with a name that agents can act on, a message that people can, and what to do next.

    `error_class` is one word of the server's closed vocabulary; `message` says what is wrong and where;
    `hint` is the next step; `details` are extra JSON fields of the wire result (`run_id`, `retry_after_ms`).
    `exit_code` is what the command line ends with.
    """

    def __init__(
        self,
        error_class: str,
        message: str,
        *,
        hint: str | None = None,
        exit_code: int = EXIT_USAGE,
        **details: object,
    ) -> None:
        super().__init__(message)
        self.error_class = error_class
        self.message = message
        self.hint = hint
        self.exit_code = exit_code
        self.details: Mapping[str, object] = details

    @property
    def text(self) -> str:
        """The message with its next step, in one line for a wire."""
        return f"{self.message} ({self.hint})" if self.hint else self.message


class InvalidArgumentsError(ToolError):
    """The arguments do not fit the tool's schema; the message names field, rule and an example."""

    def __init__(
        self, message: str, *, hint: str | None = None, exit_code: int = EXIT_USAGE, **details: object
    ) -> None:
        super().__init__("invalid_arguments", message, hint=hint, exit_code=exit_code, **details)


class InvalidCursorError(ToolError):
    """A cursor of another tool, other arguments, other content, or none of ours."""

    def __init__(
        self, message: str = "the cursor does not belong to this call, or what it pages has changed"
    ) -> None:
        super().__init__("invalid_cursor", message, hint="repeat the call without a cursor")
