"""`codevetter verify`: the owner's permission for `codevetter-verify-mcp`."""

from __future__ import annotations

import click

from codevetter_verify.commands.options import AS_JSON, HOST, ONLY_REPO, REPO, TTL
from codevetter_verify.commands.registration import VERIFY, entry
from mcpkit.cli import LazyGroup, debug_option, run

verify = LazyGroup(
    name="verify",
    help="Allow agents to verify a repository, or stop allowing it.",
    lazy={
        "enable": ("codevetter_verify.commands.verify:enable", "Allow verification of a repository."),
        "disable": ("codevetter_verify.commands.verify:disable", "Withdraw the permission."),
        "status": ("codevetter_verify.commands.verify:status", "Show who may verify what."),
        "config": ("codevetter_verify.commands.verify:config", "Print the entry for an agent host."),
    },
)


@click.command()
@REPO
@TTL
@click.option(
    "--preview-host",
    "preview_hosts",
    multiple=True,
    metavar="HOST",
    help="Allow only previews on this host or *.pattern (repeatable); else what it was, or any.",
)
@click.option("--forget-limits", is_flag=True, help="Drop earlier limits that are not given again.")
@AS_JSON
@debug_option
def enable(
    *, repo: str, ttl: str | None, preview_hosts: tuple[str, ...], forget_limits: bool, as_json: bool
) -> None:
    """Allow local verification execution for one repository.

    Where it was allowed before, limits that are not given again stay; old and new ones are printed.
    """
    from codevetter_verify import wiring
    from codevetter_verify.envelopes import command_line_envelope
    from codevetter_verify.models import EnableRequest
    from codevetter_verify.render.enablement import render_status

    run(
        wiring.enable,
        lambda: EnableRequest(repo=repo, ttl=ttl, preview_hosts=preview_hosts, forget_limits=forget_limits),
        render_status,
        as_json=as_json,
        envelope=command_line_envelope,
    )


@click.command()
@REPO
@AS_JSON
@debug_option
def disable(*, repo: str, as_json: bool) -> None:
    """Withdraw the permission; runs under way end at once."""
    from codevetter_verify import wiring
    from codevetter_verify.envelopes import command_line_envelope
    from codevetter_verify.models import RepositoryRequest
    from codevetter_verify.render.enablement import render_status

    run(
        wiring.disable,
        lambda: RepositoryRequest(repo=repo),
        render_status,
        as_json=as_json,
        envelope=command_line_envelope,
    )


@click.command()
@ONLY_REPO
@AS_JSON
@debug_option
def status(*, repo: str | None, as_json: bool) -> None:
    """Show which repositories may be verified by agents, since when, and allowed by whom."""
    from codevetter_verify import wiring
    from codevetter_verify.envelopes import command_line_envelope
    from codevetter_verify.models import RepositoryRequest
    from codevetter_verify.render.enablement import render_list

    run(
        wiring.status,
        lambda: RepositoryRequest(repo=repo),
        render_list,
        as_json=as_json,
        envelope=command_line_envelope,
    )


@click.command()
@REPO
@HOST
@debug_option
def config(*, repo: str, host: str) -> None:
    """Print the entry that makes a host start the server of one enabled repository."""
    from codevetter_verify import wiring
    from codevetter_verify.envelopes import command_line_envelope
    from codevetter_verify.models import RepositoryRequest

    run(
        wiring.enabled_id,
        lambda: RepositoryRequest(repo=repo),
        entry(VERIFY, host),
        as_json=False,
        envelope=command_line_envelope,
    )
