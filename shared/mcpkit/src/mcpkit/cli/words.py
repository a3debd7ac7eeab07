"""What a person reads when a command fails.

Messages quote branch names, paths and output of other programs; a terminal would obey what is in them, so
everything is escaped.
"""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING

from mcpkit.cli.debug import DEBUG_VARIABLE, debugging
from mcpkit.text import escape_untrusted

if TYPE_CHECKING:
    from mcpkit.errors import ToolError


def error_words(error: ToolError) -> str:
    """Return what happened and, on a second line, the next step."""
    hint = f"\nhint: {escape_untrusted(error.hint)}" if error.hint else ""
    return f"error: {escape_untrusted(error.message)}{hint}"


def internal_words(error: BaseException, error_id: str) -> str:
    """Return the line of an error nobody foresaw, with its traceback when debugging."""
    words = f"error: internal error {error_id}: {escape_untrusted(f'{type(error).__name__}: {error}')}"
    if debugging():
        return "".join(traceback.format_exception(error)) + words
    return f"{words}\nhint: set {DEBUG_VARIABLE}=1 to see where, and report it with that output"
