"""`prview findings [RUN]`."""

from __future__ import annotations

import click

from mcpkit.cli import run
from prview.commands.options import of_run, output_options, repo_option, run_argument


@click.command()
@run_argument
@repo_option
@click.option("--severity", type=click.Choice(["error", "warning", "note"]), help="Only those of this level.")
@click.option("--path", metavar="PREFIX", help="Only those in files whose path starts so.")
@click.option(
    "--limit", type=click.IntRange(1, 1000), default=100, show_default=True, help="At most this many."
)
@click.option("--cursor", metavar="CURSOR", help="Where the previous page ended.")
@output_options
def findings(*, as_json: bool, quiet: bool, **options: object) -> None:
    """List everything that a run found, new and old, with its place.

    RUN is the id of a run, or how one alone begins or ends (default: the latest run for HEAD).
    """
    from prview.models.envelope import envelope
    from prview.models.requests import FindingsRequest
    from prview.render.terminal import finding_lines
    from prview.service.api import Prview

    run(
        of_run(Prview.findings),
        lambda: FindingsRequest.model_validate(options),
        finding_lines,
        as_json=as_json,
        quiet=quiet,
        envelope=envelope,
    )
