"""`prview mcp`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcpkit.cli import mcp_command

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from mcp.server.lowlevel import Server


@mcp_command(
    server="prview", script="prview", module="prview", call=("health", {}), variables=("PRVIEW_HOME",)
)
def mcp() -> None:
    """Serve the tools to a coding agent over stdio."""
    from mcpkit.stdio import serve

    def opened() -> AbstractAsyncContextManager[Server[Any]]:
        from prview.server import open_server  # deferred: the wire is claimed before the heavy imports

        return open_server()

    serve(opened)
