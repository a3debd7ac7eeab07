"""`serve`: the whole life of a stdio server process, in the order that matters."""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING, Any, NoReturn

from mcpkit.stdio import wire as wires
from mcpkit.stdio.lifeline import Lifeline
from mcpkit.stdio.reader import LineReader
from mcpkit.stdio.relay import StderrRelay

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager

    from mcp.server.lowlevel import Server

_NO_WIRE = (
    "error: stdin or stdout is closed\nhint: an MCP host starts this command, and talks to it through both\n"
)


def serve(
    open_server: Callable[[], AbstractAsyncContextManager[Server[Any]]], *, always_opens: bool = False
) -> NoReturn:
    """Serve what `open_server` opens on stdin and stdout; end the process with it.

    `open_server` is called when the two descriptors are ours, so import what is heavy inside of it. What it
    does on exit (close, cancel, kill) runs within two seconds of the end of stdin, SIGTERM, SIGINT or
    SIGHUP, after the calls in flight have been cancelled; then the process exits with 0. When it cannot
    open, the exit code is that of its ToolError, or 1.

    Where stdin ends before anything came, the process ends at once without opening; with `always_opens`
    it opens all the same, so that a server that may not start says so in any case.
    """
    if not wires.prepare():
        sys.stderr.write(_NO_WIRE)
        sys.exit(1)
    relay = StderrRelay()
    lifeline = Lifeline(relay.drain)
    lifeline.start()
    wire = wires.claim()
    relay.start()
    wires.follow_stderr()
    reader = LineReader(
        wire.incoming,
        on_end=lambda any_came: lifeline.ended() if any_came or always_opens else lifeline.stop(),
    )
    reader.start()
    gc.disable()  # until all is imported: none of it is garbage, and looking for some takes time
    lifeline.finish(_served(open_server, wire, reader, lifeline))


def _served(
    open_server: Callable[[], AbstractAsyncContextManager[Server[Any]]],
    wire: wires.Wire,
    reader: LineReader,
    lifeline: Lifeline,
) -> int:
    """The exit code of a server that failed; one that served ends the process itself."""
    try:
        import asyncio  # deferred, both: the descriptors come first

        from mcpkit.stdio.session import run

        asyncio.run(run(open_server, wire=wire, reader=reader, lifeline=lifeline))
    except BaseException as exc:  # noqa: BLE001 - the last place before the process ends
        return _reported(exc)
    return 0


def _reported(failure: BaseException) -> int:
    from mcpkit.errors import ToolError

    if isinstance(failure, SystemExit):
        return failure.code if isinstance(failure.code, int) else 0 if failure.code is None else 1
    if isinstance(failure, ToolError):
        hint = f"\nhint: {failure.hint}" if failure.hint else ""
        sys.stderr.write(f"error: {failure.message}{hint}\n")
        return failure.exit_code
    import traceback

    traceback.print_exception(failure)
    return 1
