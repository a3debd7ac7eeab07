"""`prview explain [RUN]`."""

from __future__ import annotations

import click

from mcpkit.cli import run
from prview.commands.options import of_run, output_options, repo_option, run_argument


@click.command()
@run_argument
@repo_option
@output_options
def explain(*, run_id: str | None, repo: str, as_json: bool, quiet: bool) -> None:
    """Say why a run has its verdict, and what to do about it.

    RUN is the id of a run, or how one alone begins or ends (default: the latest run for HEAD).
    """
    from prview.models.envelope import envelope
    from prview.models.requests import ExplainRequest
    from prview.render.explain_text import explain_lines
    from prview.service.api import Prview

    run(
        of_run(Prview.explain),
        lambda: ExplainRequest(repo=repo, run_id=run_id),
        explain_lines,
        as_json=as_json,
        quiet=quiet,
        envelope=envelope,
    )
