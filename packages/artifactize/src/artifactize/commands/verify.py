"""`artifactize verify`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from artifactize.commands.common import ERRORS, json_option, opener, placed, selection, selector
from mcpkit.cli import run

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@selector
@click.option("--watch", "as_events", is_flag=True, help="Print JSON lines: update, eval_result, outcome.")
@click.option("--jobs", type=click.IntRange(1, 10_000), help="At most this many evals at once.")
@click.option("--force", is_flag=True, help="Execute the selected evals even if they could be reused.")
@click.option("--recursive", is_flag=True, help="Verify everything the selection depends on, too.")
@click.option("--ignore-gates", is_flag=True, help="Do not wait for dependencies; they stay obligations.")
@click.option("--request-key", metavar="KEY", help="The same key is the same Run.")
@json_option
@placed
def verify(  # noqa: PLR0913 - one parameter an option
    *,
    as_events: bool,
    jobs: int | None,
    force: bool,
    recursive: bool,
    ignore_gates: bool,
    request_key: str | None,
    as_json: bool,
    repo: Path | None,
    state_dir: Path | None,
    **selectors: Any,  # noqa: ANN401 - as click parsed them
) -> None:
    """Review what changed since it was last reviewed, reuse every other verdict, and say GREEN or not.

    \b
    Exit codes: 0 GREEN, 1 RED, 2 ERROR or cancelled, 4 INCOMPLETE.
    Ctrl-C stops watching; the Run goes on (a second Ctrl-C cancels it).
    """  # noqa: D301 - \b is click's mark of a paragraph that is not wrapped
    from artifactize.commands.watching import Mode, Watching, verify_exit_code  # deferred: --help stays light
    from artifactize.models.verification import KeyedRequest
    from artifactize.render.results import result_text
    from artifactize.service.submitting import Submission

    chosen = selection(selectors, default_all=False)
    watching = Watching(opener(repo, state_dir), Mode.of(as_events=as_events, as_json=as_json))
    run(
        watching.verify,
        lambda: Submission(
            selection=chosen,
            request_key=KeyedRequest(request_key=request_key).request_key,
            jobs=jobs,
            force=force,
            recursive=recursive,
            ignore_gates=ignore_gates,
        ),
        lambda result: result_text(result, told=watching.mode is Mode.LINES),
        as_json=as_json and not as_events,
        quiet=as_events,
        exit_code=verify_exit_code,
        envelope=ERRORS,
    )
