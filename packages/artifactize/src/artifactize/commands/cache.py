"""`artifactize cache …`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from artifactize.commands.common import ERRORS, json_option, opener, placed
from mcpkit.cli import run

if TYPE_CHECKING:
    from pathlib import Path

_KEY = re.compile(r"[0-9a-f]{8,64}")


def _digits(_ctx: click.Context, _param: click.Parameter, key: str) -> str:
    if not _KEY.fullmatch(key):
        raise click.BadParameter(
            f"{key!r} is no reuse key: give at least the first 8 of its digits (0-9, a-f), "
            "as `artifactize cache list` shows them"
        )
    return key


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


@click.command()
@click.argument("key", callback=_digits)
@click.option("--history", is_flag=True, help="Every record of the key, newest first; the first one counts.")
@json_option
@placed
def show(*, key: str, history: bool, as_json: bool, repo: Path | None, state_dir: Path | None) -> None:
    """Show the verdict of a reuse key, with the fingerprints that it answers for.

    KEY may be its first digits, as `cache list` shows them. Exits 0 also when there is none.
    """
    from artifactize.models.caching import CacheShowRequest  # deferred: --help stays light
    from artifactize.render.caching import history_text, shown_text
    from artifactize.service.caching import Caching

    caching = Caching(opener(repo, state_dir))
    if history:
        run(
            caching.cache_history,
            lambda: CacheShowRequest(key=key),
            history_text,
            as_json=as_json,
            envelope=ERRORS,
        )
    run(caching.cache_show, lambda: CacheShowRequest(key=key), shown_text, as_json=as_json, envelope=ERRORS)


@click.command("rm")
@click.argument("key", callback=_digits)
@json_option
@placed
def remove(*, key: str, as_json: bool, repo: Path | None, state_dir: Path | None) -> None:
    """Remove the verdict of a reuse key, so that its eval runs again; no older verdict comes back.

    KEY may be its first digits. A key that is being executed is refused. Exits 0 also when there is none.
    """
    from artifactize.models.caching import CacheRemoveRequest  # deferred: --help stays light
    from artifactize.render.caching import removed_text
    from artifactize.service.caching import Caching

    run(
        Caching(opener(repo, state_dir)).cache_remove,
        lambda: CacheRemoveRequest(key=key),
        removed_text,
        as_json=as_json,
        envelope=ERRORS,
    )
