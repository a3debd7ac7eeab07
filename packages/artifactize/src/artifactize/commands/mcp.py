"""`artifactize mcp`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from artifactize.commands.common import place
from mcpkit.cli import mcp_command

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from mcp.server.lowlevel import Server

_FOLDER = click.Path(path_type=Path)


def _project() -> list[str]:
    from artifactize.wiring import find_root  # deferred: --help stays light

    root = find_root(Path.cwd())
    return [] if root is None else ["--repo", str(root)]


@mcp_command(
    server="artifactize",
    script="artifactize",
    module="artifactize",
    call=("config_check", {}),
    variables=("ARTIFACTIZE_STATE_HOME",),
    project=_project,
)
@click.option("--repo", type=_FOLDER, help="The project; default: the git repository around this folder.")
@click.option("--state-dir", type=_FOLDER, help="Where Runs and verdicts are kept.")
def mcp(repo: Path | None, state_dir: Path | None) -> None:
    """Serve the tools to a coding agent over stdio, bound to one repository and one state."""
    from mcpkit.stdio import serve  # deferred: --help stays light

    found = place(repo, state_dir)

    def open_server() -> AbstractAsyncContextManager[Server[Any]]:
        from artifactize.server import open_server as opened  # deferred: the wire is claimed first

        return opened(*found)

    # a project or a state that cannot be used is refused even where stdin has ended already
    serve(open_server, always_opens=True)
