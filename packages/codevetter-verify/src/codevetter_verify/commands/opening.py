"""`codevetter receipts open`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from codevetter_verify.commands.options import AS_JSON, Choice, of_choice, one_receipt
from mcpkit.cli import debug_option, run

if TYPE_CHECKING:
    from codevetter_verify.models import Report


@click.command("open")
@one_receipt
@click.option("--output", metavar="FILE", help="Write the page here; without, beside the receipt's pictures.")
@click.option(
    "--launch/--no-launch",
    default=None,
    help="Show it in the web browser; by default when this is a terminal.",
)
@AS_JSON
@debug_option
def open_(run_id: str | None, *, repo: str, output: str | None, launch: bool | None, as_json: bool) -> None:
    """Make a self-contained HTML page of one receipt, and show it.

    RUN_ID may be how one receipt's id alone begins or ends; without it, the newest of this repository.
    The page holds everything: verdict, identity, routes with pictures and timings, limits, the ledger.
    """
    from codevetter_verify import wiring
    from codevetter_verify.envelopes import command_line_envelope
    from codevetter_verify.models import ReportRequest

    show = sys.stdout.isatty() and not as_json if launch is None else launch

    def shown(report: Report) -> str:
        if show and click.launch(report.path) != 0:
            click.echo("no web browser could be started: open the file yourself", err=True)
        return report.path

    run(
        of_choice(wiring.write_report, lambda whole: ReportRequest(run_id=whole, output=output)),
        lambda: Choice(run_id, repo),
        shown,
        as_json=as_json,
        envelope=command_line_envelope,
    )
