"""`codevetter receipts export`."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import click

from codevetter_verify.commands.options import Choice, of_choice, one_receipt
from mcpkit.cli import debug_option, run

if TYPE_CHECKING:
    from codevetter_verify.models import Export, ExportFormat, ExportRequest


@click.command()
@one_receipt
@click.option(
    "--format",
    "form",
    type=click.Choice(["json", "html", "intoto"]),
    default="json",
    show_default=True,
    help="The receipt itself as canonical JSON, a page, or an in-toto test-result statement (unsigned).",
)
@click.option("--output", metavar="FILE", help="Write it here instead of printing it.")
@debug_option
def export(run_id: str | None, *, repo: str, form: str, output: str | None) -> None:
    """Print a receipt in another form, checked against the digest it was stored with.

    RUN_ID may be how one receipt's id alone begins or ends; without it, the newest of this repository.
    In a statement only the verdict passed_with_limits is PASSED; failed and no_confidence are FAILED.
    """
    from codevetter_verify import wiring
    from codevetter_verify.envelopes import command_line_envelope

    def request(whole: str) -> ExportRequest:
        from codevetter_verify.models import ExportRequest

        return ExportRequest(run_id=whole, format=cast("ExportFormat", form), output=output)

    run(
        of_choice(wiring.export_receipt, request),
        lambda: Choice(run_id, repo),
        _shown,
        as_json=False,
        envelope=command_line_envelope,
    )


def _shown(exported: Export) -> str:
    return exported.content if exported.content is not None else str(exported.path)
