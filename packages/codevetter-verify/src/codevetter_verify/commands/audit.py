"""`codevetter audit`."""

from __future__ import annotations

import click

from codevetter_verify.commands.options import AS_JSON
from mcpkit.cli import LazyGroup, debug_option, run

audit = LazyGroup(
    name="audit",
    help="See when verifications were asked for, and how that ended.",
    lazy={
        "list": ("codevetter_verify.commands.audit:list_", "List the newest accesses."),
        "clear": ("codevetter_verify.commands.audit:clear", "Forget accesses."),
    },
)


@click.command("list")
@click.option("--repo", metavar="PATH", help="Only those of this repository.")
@click.option("--limit", default=50, show_default=True, help="At most this many.")
@AS_JSON
@debug_option
def list_(*, repo: str | None, limit: int, as_json: bool) -> None:
    """List the newest accesses: when, how it ended, how long it took. What was asked is not kept."""
    from codevetter_verify import granting
    from codevetter_verify.envelopes import command_line_envelope
    from codevetter_verify.models.audit import AuditRequest
    from codevetter_verify.render.audit import render_audit

    run(
        granting.list_audit,
        lambda: AuditRequest(repo=repo, limit=limit),
        render_audit,
        as_json=as_json,
        envelope=command_line_envelope,
    )


@click.command()
@click.option("--repo", metavar="PATH", help="Only those of this repository.")
@AS_JSON
@debug_option
def clear(*, repo: str | None, as_json: bool) -> None:
    """Forget what is kept of accesses; receipts stay."""
    from codevetter_verify import granting
    from codevetter_verify.envelopes import command_line_envelope
    from codevetter_verify.models.audit import AuditClearRequest
    from codevetter_verify.render.audit import render_cleared

    run(
        granting.clear_audit,
        lambda: AuditClearRequest(repo=repo),
        render_cleared,
        as_json=as_json,
        envelope=command_line_envelope,
    )
