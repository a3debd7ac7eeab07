"""`codevetter-verify-mcp`: the execution server, for one enabled repository."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codevetter_verify.commands.registration import VERIFY
from codevetter_verify.commands.serving import server_command
from mcpkit.cli import run_command_line

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

HELP = """Offer verification of one repository to a coding agent, over stdio.

The repository's owner enables it first, `codevetter verify enable --repo PATH`, which prints its id;
`codevetter verify config --host HOST` prints the entry for a host's configuration.
"""


def _open(repo_id: str) -> AbstractAsyncContextManager[Any]:
    from codevetter_verify.server import open_server  # deferred: --help stays light

    return open_server(repo_id)


command = server_command(VERIFY, _open, help=HELP, enabled_by="codevetter verify enable")


def main() -> None:
    """Run as the whole process."""
    run_command_line(command, prog=VERIFY.script)


if __name__ == "__main__":
    main()
