"""`artifactize run …`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from artifactize.commands.common import ERRORS, json_option, of_run, opener, placed
from mcpkit.cli import run

if TYPE_CHECKING:
    from pathlib import Path

    from artifactize.models.verification import RunStatus


@click.command("list")
@click.option(
    "--limit", type=click.IntRange(1, 200), default=50, show_default=True, help="At most this many."
)
@click.option("--offset", type=click.IntRange(0), default=0, help="Leave out this many of the newest.")
@json_option
@placed
def list_runs(*, limit: int, offset: int, as_json: bool, repo: Path | None, state_dir: Path | None) -> None:
    """List the saved Runs of this repository, newest first."""
    from artifactize.models.inspection import RunListRequest  # deferred: --help stays light
    from artifactize.render.inspections import runs_text
    from artifactize.service.inspection import Inspection

    run(
        Inspection(opener(repo, state_dir)).run_list,
        lambda: RunListRequest(limit=limit, offset=offset),
        runs_text,
        as_json=as_json,
        envelope=ERRORS,
    )


@click.command()
@click.argument("run_id", metavar="[RUN]", required=False)
@json_option
@placed
def show(*, run_id: str | None, as_json: bool, repo: Path | None, state_dir: Path | None) -> None:
    """Show a saved Run with all its requests. Exits 0 whatever its outcome is.

    RUN is an id, or how one Run's id alone begins or ends; without it, the newest Run.
    """
    from artifactize.models.inspection import RunShowRequest  # deferred: --help stays light
    from artifactize.render.inspections import run_text
    from artifactize.service.inspection import Inspection

    workspace = opener(repo, state_dir)
    run(
        of_run(workspace, Inspection(workspace).run_show, lambda whole: RunShowRequest(run_id=whole)),
        lambda: run_id,
        run_text,
        as_json=as_json,
        envelope=ERRORS,
    )


@click.command()
@click.argument("run_id", metavar="[RUN]", required=False)
@click.option("--text", "as_text", is_flag=True, help="Print lines for people instead of JSON events.")
@placed
def watch(*, run_id: str | None, as_text: bool, repo: Path | None, state_dir: Path | None) -> None:
    """Watch a Run until it is over: JSON lines (update, eval_result, outcome). Exits as verify does.

    RUN is an id, or how one Run's id alone begins or ends; without it, the newest Run.
    """
    from artifactize.commands.watching import Mode, Watching, verify_exit_code  # deferred: --help stays light
    from artifactize.models.verification import VerifyResultRequest
    from artifactize.render.results import result_text

    workspace = opener(repo, state_dir)
    watching = Watching(workspace, Mode.of(as_events=not as_text, as_json=False))
    run(
        of_run(
            workspace,
            lambda request: watching.watch(request.run_id),
            lambda whole: VerifyResultRequest(run_id=whole),
        ),
        lambda: run_id,
        lambda result: result_text(result, told=watching.mode is Mode.LINES),
        as_json=False,
        quiet=not as_text,
        exit_code=verify_exit_code,
        envelope=ERRORS,
    )


@click.command()
@click.argument("run_id", metavar="RUN")
@json_option
@placed
def cancel(*, run_id: str, as_json: bool, repo: Path | None, state_dir: Path | None) -> None:
    """Cancel a Run; verdicts it has recorded stay.

    RUN is an id, or how one Run's id alone begins or ends.
    """
    from artifactize.models.states import RunState
    from artifactize.models.verification import (
        VerifyCancelRequest,
        VerifyWaitRequest,
    )  # deferred: --help stays light
    from artifactize.render.results import cancelled_text
    from artifactize.service.verification import Verification

    workspace = opener(repo, state_dir)
    verification = Verification(workspace)
    was_over = False

    async def cancelled(request: VerifyCancelRequest) -> RunStatus:
        nonlocal was_over
        before = await verification.verify_wait(VerifyWaitRequest(run_id=request.run_id, timeout_seconds=0))
        was_over = before.state is RunState.FINISHED
        return await verification.verify_cancel(request)

    run(
        of_run(workspace, cancelled, lambda whole: VerifyCancelRequest(run_id=whole)),
        lambda: run_id,
        lambda status: cancelled_text(status, was_over=was_over),
        as_json=as_json,
        envelope=ERRORS,
    )
