"""`codevetter history`: the owner's permission for `codevetter-mcp`, which can only read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from codevetter_verify.commands.registration import (
    HISTORY_MODULE,
    HISTORY_SCRIPT,
    HISTORY_SERVER_NAME,
    HISTORY_VARIABLES,
)
from mcpkit.cli import LazyGroup, debug_option, run
from mcpkit.known_hosts import HOSTS

if TYPE_CHECKING:
    from codevetter_verify.models import EnablementStatus

history = LazyGroup(
    name="history",
    help="Allow agents to read a repository's receipts and history, or stop allowing it.",
    lazy={
        "enable": ("codevetter_verify.commands.history:enable", "Allow reading; never allows to verify."),
        "disable": ("codevetter_verify.commands.history:disable", "Withdraw the permission."),
        "status": ("codevetter_verify.commands.history:status", "Show whose history may be read."),
        "config": ("codevetter_verify.commands.history:config", "Print the entry for an agent host."),
    },
)
_REPO = click.option(
    "--repo", default=".", metavar="PATH", help="The repository, the current directory's by default."
)


@click.command()
@_REPO
@click.option(
    "--ttl", metavar="TIME", help="How long, as 30m, 12h or 7d; else what it was, or until it is disabled."
)
@click.option("--forget-limits", is_flag=True, help="Drop an earlier limit that is not given again.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@debug_option
def enable(*, repo: str, ttl: str | None, forget_limits: bool, as_json: bool) -> None:
    """Allow agents to read one repository's receipts, commits and changed paths.

    It does not allow to verify: that is `codevetter verify enable`.
    """
    from codevetter_verify import granting
    from codevetter_verify.envelopes import command_line_envelope
    from codevetter_verify.models import EnableRequest
    from codevetter_verify.render.enablement import render_history

    run(
        granting.enable_history,
        lambda: EnableRequest(repo=repo, ttl=ttl, forget_limits=forget_limits),
        render_history,
        as_json=as_json,
        envelope=command_line_envelope,
    )


@click.command()
@_REPO
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@debug_option
def disable(*, repo: str, as_json: bool) -> None:
    """Withdraw the permission; a server that runs answers no further call."""
    from codevetter_verify import granting
    from codevetter_verify.envelopes import command_line_envelope
    from codevetter_verify.models import RepositoryRequest
    from codevetter_verify.render.enablement import render_history

    run(
        granting.disable_history,
        lambda: RepositoryRequest(repo=repo),
        render_history,
        as_json=as_json,
        envelope=command_line_envelope,
    )


@click.command()
@click.option("--repo", metavar="PATH", help="Only this repository.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@debug_option
def status(*, repo: str | None, as_json: bool) -> None:
    """Show whose history may be read by agents, since when, and allowed by whom."""
    from codevetter_verify import granting
    from codevetter_verify.envelopes import command_line_envelope
    from codevetter_verify.models import RepositoryRequest
    from codevetter_verify.render.enablement import render_history_list

    run(
        granting.history_status,
        lambda: RepositoryRequest(repo=repo),
        render_history_list,
        as_json=as_json,
        envelope=command_line_envelope,
    )


@click.command()
@_REPO
@click.option("--host", type=click.Choice(HOSTS), default="claude", show_default=True, help="The agent host.")
@debug_option
def config(*, repo: str, host: str) -> None:
    """Print the entry that makes a host start the reading server of one enabled repository."""
    from codevetter_verify import granting
    from codevetter_verify.envelopes import command_line_envelope
    from codevetter_verify.models import RepositoryRequest
    from mcpkit import hosts

    def entry(enabled: EnablementStatus) -> str:
        start = hosts.absolute_command(HISTORY_SCRIPT, module=HISTORY_MODULE)
        command = [*start, "--repo-id", enabled.repo_id]
        env = hosts.carried(HISTORY_VARIABLES)
        click.echo(hosts.advice(host, name=HISTORY_SERVER_NAME, command=command, env=env), err=True)
        return hosts.registration(host, name=HISTORY_SERVER_NAME, command=command, env=env)

    run(
        granting.history_id,
        lambda: RepositoryRequest(repo=repo),
        entry,
        as_json=False,
        envelope=command_line_envelope,
    )
