"""`artifactize doctor`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from artifactize.commands.common import ERRORS, json_option, opener, placed
from mcpkit.cli import run

if TYPE_CHECKING:
    from pathlib import Path

    from artifactize.models.health import DoctorResult


@click.command()
@json_option
@placed
def doctor(*, as_json: bool, repo: Path | None, state_dir: Path | None) -> None:
    """Check the repository, its declarations, the state and the worker. Exits 1 when something failed."""
    from artifactize.models.health import DoctorRequest  # deferred: --help stays light
    from artifactize.render.health import doctor_text
    from artifactize.service.inspection import Inspection

    run(
        Inspection(opener(repo, state_dir)).doctor,
        DoctorRequest,
        doctor_text,
        as_json=as_json,
        exit_code=_exit_code,
        envelope=ERRORS,
    )


def _exit_code(result: DoctorResult) -> int:
    return 0 if result.ok else 1
