"""`prview open [RUN]`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mcpkit.cli import run
from prview.commands.options import of_run, output_options, repo_option, run_argument

if TYPE_CHECKING:
    from prview.models.explaining import OpenResult


@click.command("open")
@run_argument
@repo_option
@click.option("--print", "only_print", is_flag=True, help="Print the path and start no browser.")
@output_options
def open_run(*, run_id: str | None, repo: str, only_print: bool, as_json: bool, quiet: bool) -> None:
    """Show a run's dashboard in the browser, or print where it is.

    RUN is the id of a run, or how one alone begins or ends (default: the latest run for HEAD).
    """
    from prview.models.envelope import envelope
    from prview.models.requests import OpenRequest
    from prview.service.api import Prview

    run(
        of_run(Prview.open),
        lambda: OpenRequest(repo=repo, run_id=run_id, browser=not only_print),
        path_line,
        as_json=as_json,
        quiet=quiet,
        envelope=envelope,
    )


def path_line(result: OpenResult) -> str:
    """The path alone, for a shell to take."""
    return result.path
