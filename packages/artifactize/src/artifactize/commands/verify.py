"""`artifactize verify`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from artifactize.commands.common import (
    ERRORS,
    json_option,
    kinds,
    opener,
    place,
    placed,
    selection,
    selector,
)
from artifactize.commands.quick import prepare_worker
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
@click.option("--max-executions", type=click.IntRange(0), help="Start at most this many; 0: only reuse.")
@click.option("--reuse-only", metavar="KINDS", help="Never execute evals of these kinds (comma-separated).")
@click.option("--speculate", is_flag=True, help="Start evals before what they depend on is judged.")
@click.option("--defer-human", is_flag=True, help="Let people's sign-offs come after the Run.")
@click.option("--require-store", is_flag=True, help="Fail when the team's review store does not answer.")
@click.option("--timeout-ms", type=click.IntRange(1), help="Stop waiting after this long; the Run goes on.")
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
    max_executions: int | None,
    reuse_only: str | None,
    speculate: bool,
    defer_human: bool,
    require_store: bool,
    timeout_ms: int | None,
    request_key: str | None,
    as_json: bool,
    repo: Path | None,
    state_dir: Path | None,
    **selectors: Any,  # noqa: ANN401 - as click parsed them
) -> None:
    """Review what changed since it was last reviewed, reuse every other verdict, and say GREEN or not.

    \b
    Exit codes: 0 GREEN, 1 RED, 2 ERROR or cancelled, 3 --timeout-ms is over, 4 INCOMPLETE,
    5 only sign-offs are missing.
    Ctrl-C stops watching; the Run goes on (a second Ctrl-C cancels it).
    """  # noqa: D301 - \b is click's mark of a paragraph that is not wrapped
    if selectors["everything"] and max_executions != 0:
        prepare_worker(*place(repo, state_dir))
    from artifactize.commands.watching import Mode, Watching  # deferred: --help stays light
    from artifactize.domain.modes import RunModes
    from artifactize.models.verification import KeyedRequest
    from artifactize.render.results import result_text
    from artifactize.service.submitting import Submission

    chosen = selection(selectors, default_all=False)
    mode = Mode.of(as_events=as_events, as_json=as_json)
    watching = Watching(opener(repo, state_dir), mode, timeout_ms=timeout_ms)
    modes = RunModes(
        max_executions=max_executions,
        reuse_only=kinds(reuse_only),
        speculate=speculate,
        defer_human=defer_human,
    )
    run(
        watching.verify,
        lambda: Submission(
            selection=chosen,
            request_key=KeyedRequest(request_key=request_key).request_key,
            jobs=jobs,
            force=force,
            recursive=recursive,
            ignore_gates=ignore_gates,
            modes=modes,
            require_store=require_store,
        ),
        lambda result: result_text(result, told=watching.mode is Mode.LINES),
        as_json=as_json and not as_events,
        quiet=as_events,
        exit_code=watching.exit_code,
        envelope=ERRORS,
    )
