"""`prview state`."""

from __future__ import annotations

import click

from mcpkit.cli import run
from prview.commands.options import output_options, repo_option


@click.command()
@repo_option
@output_options
def state(*, repo: str, as_json: bool, quiet: bool) -> None:
    """Show branch, base, size of the change and latest runs."""
    from prview.models.envelope import envelope
    from prview.models.requests import StateRequest
    from prview.render.terminal import state_lines
    from prview.wiring import open_prview

    run(
        lambda request: open_prview().state(request),
        lambda: StateRequest(repo=repo),
        state_lines,
        as_json=as_json,
        quiet=quiet,
        envelope=envelope,
    )
