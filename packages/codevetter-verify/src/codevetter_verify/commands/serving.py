"""The commands that serve one repository to an agent, over stdio."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from codevetter_verify import __version__
from mcpkit.cli import mcp_command

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from contextlib import AbstractAsyncContextManager

    from codevetter_verify.commands.registration import HostedServer


def server_command(
    server: HostedServer,
    open_server: Callable[[str], AbstractAsyncContextManager[Any]],
    *,
    help: str,  # noqa: A002 - click's word
    enabled_by: str,
    call: tuple[str, Mapping[str, object]] | None = None,
) -> click.Command:
    """Make the whole program of a server.

    `open_server` gets a repository's id once the descriptors are ours, so it may import; `enabled_by` is the
    command that prints the id; `call` is the probe's, see `mcp_command`.
    """

    def serve(repo_id: str) -> None:
        from mcpkit.stdio import serve as serve_stdio  # deferred: --help stays light

        # a repository that is not enabled is refused even where stdin has ended already
        serve_stdio(lambda: open_server(repo_id), always_opens=True)

    repo_id = click.option(
        "--repo-id", required=True, metavar="ID", help=f"Id of the repository, from `{enabled_by}`."
    )
    made = mcp_command(
        server=server.name, script=server.script, module=server.module, call=call, variables=server.variables
    )
    command = made(repo_id(serve))
    command.name = server.script
    command.help = help
    command.context_settings = {"help_option_names": ["-h", "--help"]}
    return click.version_option(__version__, prog_name=server.script)(command)
