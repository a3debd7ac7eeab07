"""`codevetter history`: the owner's permission for `codevetter-mcp`, which can only read."""

from __future__ import annotations

import click

from codevetter_verify.commands.options import AS_JSON, HOST, ONLY_REPO, REPO, TTL
from codevetter_verify.commands.registration import HISTORY, entry
from mcpkit.cli import LazyGroup, debug_option, run

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


@click.command()
@REPO
@TTL
@click.option("--forget-limits", is_flag=True, help="Drop an earlier limit that is not given again.")
@AS_JSON
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
@REPO
@AS_JSON
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
@ONLY_REPO
@AS_JSON
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
@REPO
@HOST
@debug_option
def config(*, repo: str, host: str) -> None:
    """Print the entry that makes a host start the reading server of one enabled repository."""
    from codevetter_verify import granting
    from codevetter_verify.envelopes import command_line_envelope
    from codevetter_verify.models import RepositoryRequest

    run(
        granting.history_id,
        lambda: RepositoryRequest(repo=repo),
        entry(HISTORY, host),
        as_json=False,
        envelope=command_line_envelope,
    )
