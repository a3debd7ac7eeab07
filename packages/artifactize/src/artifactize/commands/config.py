"""`artifactize config …`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from artifactize.commands.common import ERRORS, json_option, opener, placed
from mcpkit.cli import run

if TYPE_CHECKING:
    from pathlib import Path

    from artifactize.models.inspection import ConfigCheckResult

_INVALID = 2


@click.command()
@json_option
@placed
def check(*, as_json: bool, repo: Path | None, state_dir: Path | None) -> None:
    """Report every mistake in the declarations with its place; runs nothing.

    Exit codes: 0 the declarations hold, 2 there is a mistake, or nothing is declared.
    """
    from artifactize.models.inspection import ConfigCheckRequest  # deferred: --help stays light
    from artifactize.render.inspections import config_text
    from artifactize.service.inspection import Inspection

    run(
        Inspection(opener(repo, state_dir)).config_check,
        ConfigCheckRequest,
        config_text,
        as_json=as_json,
        exit_code=_exit_code,
        envelope=ERRORS,
    )


def _exit_code(result: ConfigCheckResult) -> int:
    return 0 if result.ok and result.artifacts else _INVALID
