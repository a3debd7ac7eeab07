"""`prview runs`."""

from __future__ import annotations

import click

from mcpkit.cli import run
from prview.commands.options import output_options, repo_option


@click.group()
def runs() -> None:
    """List the runs of a repository."""


@runs.command("list")
@repo_option
@click.option("--all", "everything", is_flag=True, help="Runs of every branch, not of the checked-out one.")
@output_options
def list_runs(*, as_json: bool, quiet: bool, **options: object) -> None:
    """List runs, the newest first."""
    from prview.models.envelope import envelope
    from prview.models.requests import RunsRequest
    from prview.render.terminal import run_lines
    from prview.wiring import open_prview

    run(
        lambda request: open_prview().runs(request),
        lambda: RunsRequest.model_validate(options),
        run_lines,
        as_json=as_json,
        quiet=quiet,
        envelope=envelope,
    )
