"""`codevetter-mcp`: the read-only history server, for one repository whose history may be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codevetter_verify.commands.registration import HISTORY
from codevetter_verify.commands.serving import server_command
from mcpkit.cli import run_command_line

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

HELP = """Offer one repository's receipts and history to a coding agent, over stdio. It runs nothing.

The repository's owner enables it first, `codevetter history enable --repo PATH`, which prints its id;
`codevetter history config --host HOST` prints the entry for a host's configuration.
"""


def _open(repo_id: str) -> AbstractAsyncContextManager[Any]:
    from codevetter_verify.history.server import open_server  # deferred: --help stays light

    return open_server(repo_id)


command = server_command(
    HISTORY,
    _open,
    help=HELP,
    enabled_by="codevetter history enable",
    call=("receipts_list", {"limit": 1}),
)


def main() -> None:
    """Run as the whole process."""
    run_command_line(command, prog=HISTORY.script)


if __name__ == "__main__":
    main()
