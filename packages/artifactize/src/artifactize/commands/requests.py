"""`artifactize request …`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from artifactize.commands.common import ERRORS, json_option, opener, placed
from mcpkit.cli import run

if TYPE_CHECKING:
    from pathlib import Path


@click.command("list")
@click.option("--run", "run_id", metavar="RUN", help="Those of this Run.")
@click.option("--state", metavar="STATE", help="Those in this state, for example RED.")
@click.option(
    "--limit", type=click.IntRange(1, 10_000), default=200, show_default=True, help="At most this many."
)
@click.option("--offset", type=click.IntRange(0), default=0, help="Leave out this many of the first.")
@json_option
@placed
def list_requests(
    *,
    as_json: bool,
    repo: Path | None,
    state_dir: Path | None,
    **options: Any,  # noqa: ANN401 - as click parsed them, named as the request's fields
) -> None:
    """List requests: those of the newest Run first, in selection order within a Run."""
    from artifactize.models.requests import RequestListRequest  # deferred: --help stays light
    from artifactize.render.requests import requests_text
    from artifactize.service.inspection import Inspection

    run(
        Inspection(opener(repo, state_dir)).request_list,
        lambda: RequestListRequest(**options),
        requests_text,
        as_json=as_json,
        envelope=ERRORS,
    )


@click.command()
@click.argument("request_id")
@json_option
@placed
def show(*, request_id: str, as_json: bool, repo: Path | None, state_dir: Path | None) -> None:
    """Show a request: state, reason, where its verdict comes from, key and fingerprints."""
    from artifactize.models.requests import RequestShowRequest  # deferred: --help stays light
    from artifactize.render.requests import request_text
    from artifactize.service.inspection import Inspection

    run(
        Inspection(opener(repo, state_dir)).request_show,
        lambda: RequestShowRequest(request_id=request_id),
        request_text,
        as_json=as_json,
        envelope=ERRORS,
    )


@click.command()
@click.argument("request_id")
@click.option("--stream", type=click.Choice(["both", "stdout", "stderr"]), default="both", show_default=True)
@click.option("--tail", type=int, help="The last lines that match (default 50).")
@click.option("--start", type=int, help="First line, counted from 1; instead of --tail.")
@click.option("--end", type=int, help="Last line, included; instead of --tail.")
@click.option("--search", help="Only lines that contain exactly this.")
@json_option
@placed
def logs(
    *,
    as_json: bool,
    repo: Path | None,
    state_dir: Path | None,
    **options: Any,  # noqa: ANN401 - as click parsed them, named as the request's fields
) -> None:
    """Show what an eval printed; for a reused verdict, what the execution behind it printed."""
    from artifactize.models.logs import LogsRequest  # deferred: --help stays light
    from artifactize.render.logs import logs_text
    from artifactize.service.inspection import Inspection

    run(
        Inspection(opener(repo, state_dir)).request_logs,
        lambda: LogsRequest(**options),
        logs_text,
        as_json=as_json,
        envelope=ERRORS,
    )
