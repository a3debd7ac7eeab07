"""`prview doctor`."""

from __future__ import annotations

import click

from mcpkit.cli import run
from prview.commands.options import output_options, repo_option


@click.command()
@repo_option
@output_options
def doctor(*, repo: str, as_json: bool, quiet: bool) -> None:
    """Say which programs were found, and where.

    Exits with 1 when something that every review needs is missing.
    """
    from prview.models.envelope import envelope
    from prview.models.requests import DoctorRequest
    from prview.render.terminal import doctor_lines
    from prview.wiring import open_prview

    run(
        lambda request: open_prview().doctor(request),
        lambda: DoctorRequest(repo=repo),
        doctor_lines,
        as_json=as_json,
        quiet=quiet,
        exit_code=lambda result: 0 if result.healthy else 1,
        envelope=envelope,
    )
