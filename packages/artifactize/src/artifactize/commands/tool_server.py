"""`artifactize-tools serve FILE`: one eval's toolbox as an MCP server, for a coding agent that reviews."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from mcp.server.lowlevel import Server


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
def serve(file: Path) -> None:
    """Serve the toolbox that FILE holds over stdio, and nothing else.

    artifactize writes the file (mode 0600) when an installed agent reviews; the state is never opened.
    """
    from mcpkit.stdio import serve as serve_stdio  # deferred: --help stays light

    def open_server() -> AbstractAsyncContextManager[Server[Any]]:
        from artifactize.tool_server import open_tool_server  # deferred: the wire is claimed first

        return open_tool_server(file)

    serve_stdio(open_server, always_opens=True)
