"""`artifactize prune`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from artifactize.commands.common import ERRORS, json_option, opener, placed
from mcpkit.cli import run

if TYPE_CHECKING:
    from pathlib import Path

    from artifactize.models.pruning import PruneRequest, PruneResult


@click.command()
@click.option("--older-than", default="30d", show_default=True, metavar="TIME", help="30d, 12h, 90m or 45s.")
@click.option(
    "--keep-last", type=click.IntRange(0), default=20, show_default=True, help="Keep the newest Runs."
)
@click.option("--dry-run", is_flag=True, help="Say what would go, and remove nothing.")
@json_option
@placed
def prune(
    *,
    older_than: str,
    keep_last: int,
    dry_run: bool,
    as_json: bool,
    repo: Path | None,
    state_dir: Path | None,
) -> None:
    """Remove finished Runs of this repository that are old, with everything their commands printed.

    Verdicts stay and are reused as before. A Run that a request key names, or that a reusable verdict came
    from, stays, too, without its output: of that, the first 128 KiB of each stream remain.
    """
    from artifactize.models.pruning import PruneRequest  # deferred: --help stays light
    from artifactize.render.pruning import pruned_text
    from artifactize.service.pruning import prune as remove
    from artifactize.service.workspace import off_loop

    workspace = opener(repo, state_dir)

    async def pruned(request: PruneRequest) -> PruneResult:
        return await off_loop(lambda: remove(workspace(), request))

    run(
        pruned,
        lambda: PruneRequest(older_than=older_than, keep_last=keep_last, dry_run=dry_run),
        pruned_text,
        as_json=as_json,
        envelope=ERRORS,
    )
