"""Going on with a Run that a warm worker was asked for, without that worker's help."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import anyio
import click

from artifactize.commands.common import ERRORS
from artifactize.commands.watching import Mode, Watching, verify_exit_code
from artifactize.errors import RunNotFoundError
from artifactize.models.verification import VerifyCancelRequest, VerifyResultRequest
from artifactize.render.results import result_text
from artifactize.service.observing import observe
from artifactize.service.verification import Verification
from artifactize.wiring import open_workspace
from mcpkit.cli import failing, run

if TYPE_CHECKING:
    from artifactize.models.verification import RunStatus
    from artifactize.service.workspace import Workspace

_MODES = {"lines": Mode.LINES, "events": Mode.EVENTS, "json": Mode.SILENT, "text": Mode.LIVE}


def take_over(places: tuple[str, str], run_id: str, form: str, told: frozenset[str]) -> None:
    """Watch a Run that was saved to its end and leave the process; return when there is no such Run.

    Lines that are in `told` are not printed again.
    """
    workspace = open_workspace(*map(Path, places))
    as_json = form in {"json", "events"}
    with failing(as_json=as_json, quiet=form == "events", envelope=ERRORS):
        if not anyio.run(_is_saved, workspace, run_id):
            return
    _watch(Watching(lambda: workspace, _MODES[form], told=told), run_id, form)


def cancel(places: tuple[str, str], run_id: str) -> None:
    """Cancel a Run, and say so."""
    workspace = open_workspace(*map(Path, places))
    with failing(as_json=False, envelope=ERRORS):
        click.echo(f"cancelling Run {run_id}", err=True)
        ended = anyio.run(_cancelled, workspace, run_id)
        click.echo(f"Run {run_id}: {ended.outcome or ended.state}", err=True)


def _watch(watching: Watching, run_id: str, form: str) -> NoReturn:
    run(
        lambda request: watching.watch(request.run_id),
        lambda: VerifyResultRequest(run_id=run_id),
        lambda result: result_text(result, told=watching.mode is Mode.LINES),
        as_json=form == "json",
        quiet=form == "events",
        exit_code=verify_exit_code,
        envelope=ERRORS,
    )


async def _is_saved(workspace: Workspace, run_id: str) -> bool:
    try:
        await observe(workspace, run_id)
    except RunNotFoundError:
        return False
    return True


async def _cancelled(workspace: Workspace, run_id: str) -> RunStatus:
    return await Verification(lambda: workspace).verify_cancel(VerifyCancelRequest(run_id=run_id))
