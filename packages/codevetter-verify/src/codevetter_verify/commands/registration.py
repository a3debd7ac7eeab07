"""Under what names, and with what of the environment, agent hosts start the two servers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click

if TYPE_CHECKING:
    from collections.abc import Callable

    from codevetter_verify.models import EnablementStatus


class HostedServer(NamedTuple):
    """A server: its name in hosts, console script, module, and the variables that a registration repeats."""

    name: str
    script: str
    module: str
    variables: tuple[str, ...]


VERIFY = HostedServer(
    "codevetter-verify",
    "codevetter-verify-mcp",
    "codevetter_verify.mcp_cli",
    ("CODEVETTER_HOME", "CODEVETTER_BROWSER"),  # where receipts lie, and which browser visits
)
HISTORY = HostedServer(
    "codevetter-history", "codevetter-mcp", "codevetter_verify.history_cli", ("CODEVETTER_HOME",)
)


def entry(server: HostedServer, host: str) -> Callable[[EnablementStatus], str]:
    """The renderer of a permission as the host's entry for its server; where it belongs goes to stderr."""
    from mcpkit import hosts  # deferred: --help stays light

    def rendered(enabled: EnablementStatus) -> str:
        start = hosts.absolute_command(server.script, module=server.module)
        command = [*start, "--repo-id", enabled.repo_id]
        env = hosts.carried(server.variables)
        click.echo(hosts.advice(host, name=server.name, command=command, env=env), err=True)
        return hosts.registration(host, name=server.name, command=command, env=env)

    return rendered
