"""`codevetter-verify-mcp`: the execution server, for one enabled repository."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from codevetter_verify import __version__
from codevetter_verify.commands.registration import MODULE, SCRIPT, SERVER_NAME, VARIABLES
from mcpkit.cli import mcp_command, run_command_line

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

HELP = """Offer verification of one repository to a coding agent, over stdio.

The repository's owner enables it first, `codevetter verify enable --repo PATH`, which prints its id;
`codevetter verify config --host HOST` prints the entry for a host's configuration.
"""


def _serve(repo_id: str) -> None:
    """Serve until the host goes away."""
    from mcpkit.stdio import serve  # deferred: --help stays light

    def open_server() -> AbstractAsyncContextManager[Any]:
        from codevetter_verify.server import open_server as opened  # heavy: after the descriptors are ours

        return opened(repo_id)

    # a repository that is not enabled is refused even where stdin has ended already
    serve(open_server, always_opens=True)


_REPO_ID = click.option(
    "--repo-id", required=True, metavar="ID", help="Id of the repository, from `codevetter verify enable`."
)
command = mcp_command(server=SERVER_NAME, script=SCRIPT, module=MODULE, variables=VARIABLES)(_REPO_ID(_serve))
command.name = SCRIPT
command.help = HELP
command.context_settings = {"help_option_names": ["-h", "--help"]}
click.version_option(__version__, prog_name=SCRIPT)(command)


def main() -> None:
    """Run as the whole process."""
    run_command_line(command, prog=SCRIPT)


if __name__ == "__main__":
    main()
