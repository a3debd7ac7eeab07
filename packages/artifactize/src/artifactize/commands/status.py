"""`artifactize status`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from artifactize.commands.common import ERRORS, json_option, opener, placed, selection, selector
from mcpkit.cli import run

if TYPE_CHECKING:
    from pathlib import Path

    from artifactize.models.inspection import StatusResult


@click.command()
@selector
@click.option("--force", is_flag=True, help="Predict verify --force.")
@click.option("--recursive", is_flag=True, help="Predict verify --recursive.")
@click.option("--ignore-gates", is_flag=True, help="Predict verify --ignore-gates.")
@json_option
@placed
def status(
    *,
    force: bool,
    recursive: bool,
    ignore_gates: bool,
    as_json: bool,
    repo: Path | None,
    state_dir: Path | None,
    **selectors: Any,  # noqa: ANN401 - as click parsed them
) -> None:
    """Say what verify would do with each eval (execute, reuse, wait, blocked), and why. Default: --all.

    \b
    Exit codes: 0 every obligation is GREEN, 1 obligations remain, 2 it cannot be said.
    """  # noqa: D301 - \b is click's mark of a paragraph that is not wrapped
    from artifactize.models.inspection import StatusRequest  # deferred: --help stays light
    from artifactize.models.scope import SavedScope
    from artifactize.render.inspections import status_text
    from artifactize.service.inspection import Inspection

    chosen = selection(selectors, default_all=True)
    run(
        Inspection(opener(repo, state_dir)).status,
        lambda: StatusRequest(
            scope=SavedScope.of(str(chosen.kind), chosen.ids),
            force=force,
            recursive=recursive,
            ignore_gates=ignore_gates,
        ),
        status_text,
        as_json=as_json,
        exit_code=_exit_code,
        envelope=ERRORS,
    )


def _exit_code(result: StatusResult) -> int:
    return 0 if result.satisfied else 1
