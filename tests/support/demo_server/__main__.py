"""Start the demo as a host would."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from mcp.server.lowlevel import Server


def open_server() -> AbstractAsyncContextManager[Server[Any]]:
    """The server, imported after the wire is taken."""
    from support.demo_server.server import open_server as opened

    return opened()


if __name__ == "__main__":
    from mcpkit.stdio import serve

    serve(open_server)
