"""`codevetter receipts`."""

from __future__ import annotations

import click

from codevetter_verify.commands.options import AS_JSON, Choice, of_choice, one_receipt
from mcpkit.cli import LazyGroup, debug_option, run

receipts = LazyGroup(
    name="receipts",
    help="Read what runs left.",
    lazy={
        "export": ("codevetter_verify.commands.exporting:export", "Print a receipt in another form."),
        "list": ("codevetter_verify.commands.receipts:list_", "List the newest receipts."),
        "open": ("codevetter_verify.commands.opening:open_", "Make an HTML page of one receipt."),
        "prune": ("codevetter_verify.commands.pruning:prune", "Remove old receipts."),
        "show": ("codevetter_verify.commands.receipts:show", "Print one receipt."),
    },
)


@click.command("list")
@click.option("--repo", metavar="PATH", help="Only receipts of this repository.")
@click.option("--limit", default=20, show_default=True, help="At most this many.")
@AS_JSON
@debug_option
def list_(*, repo: str | None, limit: int, as_json: bool) -> None:
    """List the newest receipts."""
    from codevetter_verify import wiring
    from codevetter_verify.envelopes import command_line_envelope
    from codevetter_verify.models import ReceiptsRequest
    from codevetter_verify.render.receipt import render_list

    run(
        wiring.list_receipts,
        lambda: ReceiptsRequest(repo=repo, limit=limit),
        render_list,
        as_json=as_json,
        envelope=command_line_envelope,
    )


@click.command()
@one_receipt
@click.option("--json", "as_json", is_flag=True, help="Print the receipt as one JSON document.")
@debug_option
def show(run_id: str | None, *, repo: str, as_json: bool) -> None:
    """Print one receipt, checked against the digest it was stored with.

    RUN_ID may be how one receipt's id alone begins or ends; without it, the newest of this repository.
    """
    from codevetter_verify import wiring
    from codevetter_verify.envelopes import command_line_envelope
    from codevetter_verify.models import ReceiptRequest
    from codevetter_verify.render.receipt import render_receipt
    from codevetter_verify.store.places import receipts_home

    run(
        of_choice(wiring.show_receipt, lambda whole: ReceiptRequest(run_id=whole)),
        lambda: Choice(run_id, repo),
        lambda receipt: render_receipt(receipt, home=receipts_home()),
        as_json=as_json,
        envelope=command_line_envelope,
    )
