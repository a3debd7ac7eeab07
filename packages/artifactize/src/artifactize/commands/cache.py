"""`artifactize cache …`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from artifactize.commands.common import ERRORS, json_option, opener, placed
from mcpkit.cli import run

if TYPE_CHECKING:
    from pathlib import Path


@click.command("list")
@click.option(
    "--limit", type=click.IntRange(1, 1000), default=200, show_default=True, help="At most this many."
)
@json_option
@placed
def list_records(*, limit: int, as_json: bool, repo: Path | None, state_dir: Path | None) -> None:
    """List the newest reusable verdict of every key, newest first."""
    from artifactize.models.inspection import CacheListRequest  # deferred: --help stays light
    from artifactize.render.inspections import cache_text
    from artifactize.service.inspection import Inspection

    run(
        Inspection(opener(repo, state_dir)).cache_list,
        lambda: CacheListRequest(limit=limit),
        cache_text,
        as_json=as_json,
        envelope=ERRORS,
    )
