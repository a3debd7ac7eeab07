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


@click.command()
@click.argument("artifact", required=False)
@click.option("--eval", "eval_id", metavar="ID", help="An eval: its Artifact with what it needs.")
@click.option("--impact", is_flag=True, help="Also everything that a change can reach, with what that needs.")
@click.option(
    "--format", "form", type=click.Choice(["text", "dot", "mermaid"]), default="text", show_default=True
)
@json_option
@placed
def graph(
    *,
    artifact: str | None,
    eval_id: str | None,
    impact: bool,
    form: str,
    as_json: bool,
    repo: Path | None,
    state_dir: Path | None,
) -> None:
    """Show who takes what in, as declared: everything, or what ARTIFACT needs. Runs and reads nothing."""
    from artifactize.models.graphs import ConfigGraphRequest  # deferred: --help stays light
    from artifactize.render import graphs
    from artifactize.service.graphing import Graphing

    forms = {"text": graphs.graph_text, "dot": graphs.graph_dot, "mermaid": graphs.graph_mermaid}
    run(
        Graphing(opener(repo, state_dir)).config_graph,
        lambda: ConfigGraphRequest(artifact=artifact, eval=eval_id, impact=impact),
        forms[form],
        as_json=as_json,
        envelope=ERRORS,
    )
