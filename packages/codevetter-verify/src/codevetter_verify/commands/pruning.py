"""`codevetter receipts prune`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from codevetter_verify.commands.options import AS_JSON
from mcpkit.cli import debug_option, run

if TYPE_CHECKING:
    from codevetter_verify.models import PruneResult


@click.command()
@click.option("--repo", metavar="PATH", help="Only receipts of this repository.")
@click.option(
    "--keep-last", type=click.IntRange(min=0), metavar="N", help="Keep the newest N of each repository."
)
@click.option("--older-than", metavar="TIME", help="Keep what is younger, as 12h or 30d.")
@click.option("--dry-run", is_flag=True, help="Remove nothing, say only what would go.")
@AS_JSON
@debug_option
def prune(
    *, repo: str | None, keep_last: int | None, older_than: str | None, dry_run: bool, as_json: bool
) -> None:
    """Remove the receipts that every given rule lets go, and their pictures.

    A receipt that cannot be read any more goes by the same rules.
    """
    from codevetter_verify import wiring
    from codevetter_verify.envelopes import command_line_envelope
    from codevetter_verify.models import PruneRequest

    run(
        wiring.prune_receipts,
        lambda: PruneRequest(repo=repo, keep_last=keep_last, older_than=older_than, dry_run=dry_run),
        _shown,
        as_json=as_json,
        envelope=command_line_envelope,
    )


def _shown(result: PruneResult) -> str:
    what = "would be removed" if result.dry_run else "removed"
    return "\n".join([*result.run_ids, f"{len(result.run_ids)} {what}, {result.kept} kept"])
