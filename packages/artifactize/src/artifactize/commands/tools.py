"""`artifactize tools check`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from artifactize.commands.common import ERRORS, json_option, opener, placed
from mcpkit.cli import run

if TYPE_CHECKING:
    from pathlib import Path

    from artifactize.models.tool_checks import ToolsCheckResult


@click.command()
@click.option("--execute", is_flag=True, help="Call each tool with its declared example.")
@json_option
@placed
def check(*, execute: bool, as_json: bool, repo: Path | None, state_dir: Path | None) -> None:
    """Check the tools declared for reviewers: complete, programs found, pins hold. Exits 1 when one fails."""
    from artifactize.models.tool_checks import ToolsCheckRequest  # deferred: --help stays light
    from artifactize.render.tool_checks import tools_check_text
    from artifactize.service.inspection import Inspection

    run(
        Inspection(opener(repo, state_dir)).tools_check,
        lambda: ToolsCheckRequest(execute=execute),
        tools_check_text,
        as_json=as_json,
        exit_code=_exit_code,
        envelope=ERRORS,
    )


def _exit_code(result: ToolsCheckResult) -> int:
    return 0 if result.ok else 1
