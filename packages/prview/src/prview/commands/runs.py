"""`prview runs`."""

from __future__ import annotations

import click

from mcpkit.cli import run
from prview.commands.options import output_options, repo_option


@click.group()
def runs() -> None:
    """List the runs of a repository, and remove old ones."""


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


@runs.command("prune")
@repo_option
@click.option("--keep", type=click.IntRange(min=0), metavar="N", help="Keep the N newest runs of a branch.")
@click.option("--older-than", "older_than_days", type=click.FloatRange(min=0), metavar="DAYS",
              help="Remove only runs that began more than so many days ago.")  # fmt: skip
@click.option("--all", "everything", is_flag=True, help="Runs of every branch, not of the checked-out one.")
@click.option("--dry-run", is_flag=True, help="Say what would go, and remove nothing.")
@output_options
def prune_runs(*, as_json: bool, quiet: bool, **options: object) -> None:
    """Remove old runs.

    With both --keep and --older-than a run goes when neither keeps it. A run that is active and the newest
    completed run of a branch always stay.
    """
    from prview.models.envelope import envelope
    from prview.models.requests import PruneRequest
    from prview.render.terminal import prune_lines
    from prview.wiring import open_prview

    run(
        lambda request: open_prview().prune(request),
        lambda: PruneRequest.model_validate(options),
        prune_lines,
        as_json=as_json,
        quiet=quiet,
        envelope=envelope,
    )
