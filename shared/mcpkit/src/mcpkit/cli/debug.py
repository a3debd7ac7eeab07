"""Whether tracebacks of internal errors are wanted, and the option that asks for them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Callable

DEBUG_VARIABLE = "MCPKIT_DEBUG"
"""Set to anything but `0`, tracebacks of internal errors are printed on stderr."""


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
