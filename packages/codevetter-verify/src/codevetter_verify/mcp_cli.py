"""`codevetter-verify-mcp`: the execution server, for one enabled repository."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from mcpkit.cli import run_command_line

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

HELP = """Offer verification of one repository to a coding agent, over stdio.

The repository's owner enables it first, `codevetter verify enable --repo PATH`, which prints its id;
`codevetter verify config --host HOST` prints the entry for a host's configuration.
"""


@click.command("codevetter-verify-mcp", help=HELP)
@click.option(
    "--repo-id", required=True, metavar="ID", help="Id of the repository, from `codevetter verify enable`."
)
def command(repo_id: str) -> None:
    """Serve until the host goes away."""
    from mcpkit.stdio import serve

    def open_server() -> AbstractAsyncContextManager[Any]:
        from codevetter_verify.server import open_server as opened  # heavy: after the descriptors are ours

        return opened(repo_id)

    serve(open_server)


def main() -> None:
    """Run as the whole process."""
    run_command_line(command, prog="codevetter-verify-mcp")
