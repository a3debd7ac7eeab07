"""`prview explain [RUN]`."""

from __future__ import annotations

import click

from mcpkit.cli import run
from prview.commands.options import output_options, repo_option


@click.command()
@click.argument("run_id", metavar="[RUN]", required=False)
@repo_option
@output_options
def explain(*, run_id: str | None, repo: str, as_json: bool, quiet: bool) -> None:
    """Say why a run has its verdict, and what to do about it.

    RUN is the id of a run (default: the latest run for HEAD).
    """
    from prview.models.envelope import envelope
    from prview.models.requests import ExplainRequest
    from prview.render.explain_text import explain_lines
    from prview.wiring import open_prview

    run(
        lambda request: open_prview().explain(request),
        lambda: ExplainRequest(repo=repo, run_id=run_id),
        explain_lines,
        as_json=as_json,
        quiet=quiet,
        envelope=envelope,
    )
