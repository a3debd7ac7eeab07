"""`codevetter-mcp`: the read-only history server, for one repository whose history may be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from codevetter_verify import __version__
from codevetter_verify.commands.registration import (
    HISTORY_MODULE,
    HISTORY_SCRIPT,
    HISTORY_SERVER_NAME,
    HISTORY_VARIABLES,
)
from mcpkit.cli import mcp_command, run_command_line

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

HELP = """Offer one repository's receipts and history to a coding agent, over stdio. It runs nothing.

The repository's owner enables it first, `codevetter history enable --repo PATH`, which prints its id;
`codevetter history config --host HOST` prints the entry for a host's configuration.
"""


def _serve(repo_id: str) -> None:
    """Serve until the host goes away."""
    from mcpkit.stdio import serve  # deferred: --help stays light

    def open_server() -> AbstractAsyncContextManager[Any]:
        from codevetter_verify.history.server import open_server as opened  # after the descriptors are ours

        return opened(repo_id)

    # a repository that is not enabled is refused even where stdin has ended already
    serve(open_server, always_opens=True)


_REPO_ID = click.option(
    "--repo-id", required=True, metavar="ID", help="Id of the repository, from `codevetter history enable`."
)
command = mcp_command(
    server=HISTORY_SERVER_NAME,
    script=HISTORY_SCRIPT,
    module=HISTORY_MODULE,
    call=("receipts_list", {"limit": 1}),
    variables=HISTORY_VARIABLES,
)(_REPO_ID(_serve))
command.name = HISTORY_SCRIPT
command.help = HELP
command.context_settings = {"help_option_names": ["-h", "--help"]}
click.version_option(__version__, prog_name=HISTORY_SCRIPT)(command)


def main() -> None:
    """Run as the whole process."""
    run_command_line(command, prog=HISTORY_SCRIPT)


if __name__ == "__main__":
    main()
