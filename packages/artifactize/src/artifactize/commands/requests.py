"""`artifactize request …`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from artifactize.commands.common import ERRORS, json_option, of_request, opener, placed
from mcpkit.cli import run, usage_error

if TYPE_CHECKING:
    from pathlib import Path

    from artifactize.models.requests import RequestListResult


@click.command("list")
@click.argument("given", metavar="[RUN]", required=False)
@click.option("--run", "run_id", metavar="RUN", help="The same as the argument.")
@click.option("--state", metavar="STATE", help="Those in this state, for example RED.")
@click.option(
    "--limit", type=click.IntRange(1, 10_000), default=200, show_default=True, help="At most this many."
)
@click.option("--offset", type=click.IntRange(0), default=0, help="Leave out this many of the first.")
@json_option
@placed
def list_requests(
    *,
    given: str | None,
    run_id: str | None,
    as_json: bool,
    repo: Path | None,
    state_dir: Path | None,
    **options: Any,  # noqa: ANN401 - as click parsed them, named as the request's fields
) -> None:
    """List requests, of RUN or of all: those of the newest Run first, in selection order within a Run.

    RUN is an id, or how one Run's id alone begins or ends.
    """
    from artifactize.models.requests import RequestListRequest  # deferred: --help stays light
    from artifactize.render.requests import requests_text
    from artifactize.service.inspection import Inspection
    from artifactize.service.naming import Naming

    if given is not None and run_id is not None:
        usage_error("name the Run once: RUN or --run RUN")
    workspace = opener(repo, state_dir)
    listed = Inspection(workspace).request_list
    part = given if run_id is None else run_id

    async def of_part(request: RequestListRequest) -> RequestListResult:
        if request.run_id is None:
            return await listed(request)
        whole = await Naming(workspace).run(request.run_id)
        return await listed(request.model_copy(update={"run_id": whole}))

    run(
        of_part,
        lambda: RequestListRequest(run_id=part, **options),
        requests_text,
        as_json=as_json,
        envelope=ERRORS,
    )


@click.command()
@click.argument("request_id", metavar="REQUEST")
@json_option
@placed
def show(*, request_id: str, as_json: bool, repo: Path | None, state_dir: Path | None) -> None:
    """Show a request: state, reason, where its verdict comes from, key and fingerprints.

    REQUEST is an id, or how one request's id alone begins or ends.
    """
    from artifactize.models.requests import RequestShowRequest  # deferred: --help stays light
    from artifactize.render.requests import request_text
    from artifactize.service.inspection import Inspection

    workspace = opener(repo, state_dir)
    service = Inspection(workspace).request_show
    run(
        of_request(workspace, service, lambda whole: RequestShowRequest(request_id=whole)),
        lambda: request_id,
        request_text,
        as_json=as_json,
        envelope=ERRORS,
    )


@click.command()
@click.argument("request_id", metavar="REQUEST")
@click.option("--stream", type=click.Choice(["both", "stdout", "stderr"]), default="both", show_default=True)
@click.option("--tail", type=int, help="The last lines that match (default 50).")
@click.option("--start", type=int, help="First line, counted from 1; instead of --tail.")
@click.option("--end", type=int, help="Last line, included; instead of --tail.")
@click.option("--search", help="Only lines that contain exactly this.")
@json_option
@placed
def logs(
    *,
    request_id: str,
    as_json: bool,
    repo: Path | None,
    state_dir: Path | None,
    **options: Any,  # noqa: ANN401 - as click parsed them, named as the request's fields
) -> None:
    """Show what an eval printed; for a reused verdict, what the execution behind it printed.

    REQUEST is an id, or how one request's id alone begins or ends.
    """
    from artifactize.models.logs import LogsRequest  # deferred: --help stays light
    from artifactize.render.logs import logs_text
    from artifactize.service.inspection import Inspection

    workspace = opener(repo, state_dir)
    service = Inspection(workspace).request_logs
    run(
        of_request(workspace, service, lambda whole: LogsRequest(request_id=whole, **options)),
        lambda: request_id,
        logs_text,
        as_json=as_json,
        envelope=ERRORS,
    )
