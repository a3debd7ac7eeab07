"""What a person reads when a command fails.

Messages quote branch names, paths and output of other programs; a terminal would obey what is in them, so
everything is escaped.
"""

from __future__ import annotations

import os
import traceback
from typing import TYPE_CHECKING

import click

from mcpkit.text import escape_untrusted

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcpkit.errors import ToolError

DEBUG_VARIABLE = "MCPKIT_DEBUG"
"""Set to anything but `0`, tracebacks of internal errors are printed on stderr."""


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


def debugging() -> bool:
    """Say whether tracebacks are wanted (`--debug` or MCPKIT_DEBUG=1)."""
    return os.environ.get(DEBUG_VARIABLE, "0") not in {"", "0"}


def debug_option(command: Callable[..., object]) -> Callable[..., object]:
    """Add `--debug`: print the traceback of an internal error."""

    def switch_on(_ctx: click.Context, _param: click.Parameter, value: object) -> None:
        if value:
            os.environ[DEBUG_VARIABLE] = "1"

    return click.option(
        "--debug",
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=switch_on,
        help=f"Show tracebacks of internal errors (also {DEBUG_VARIABLE}=1).",
    )(command)
