"""`prview [review] [TARGET] [BASES…]`."""

from __future__ import annotations

import sys
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

import click

from mcpkit.cli import run
from prview.commands.collector import collect_rarely
from prview.commands.options import (
    chosen_profile,
    chosen_steps,
    output_options,
    range_arguments,
    repo_option,
    rule_options,
    step_options,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from prview.models.requests import ReviewRequest
    from prview.models.results import RunReviewResult

EXIT_BLOCK = 1
_ALIKE = 0.7
"""How alike a word and the command must be that it is taken for, 0 to 1."""


@click.command()
@range_arguments
@repo_option
@click.option("--quick", is_flag=True, help="Static checks only, on the changed files.")
@click.option("--deep", is_flag=True, help="Everything, with three times the patience.")
@click.option("--profile", type=click.Choice(["quick", "standard", "deep"]), default="standard", hidden=True)
@click.option("--ci", is_flag=True, help="For CI: plain lines, and nothing is reused from earlier runs.")
@click.option(
    "--update", is_flag=True, help="Keep the newest review when everything it looked at is the same."
)
@click.option("--ai-only", is_flag=True, help="Leave out what only people read: dashboard and archive.")
@step_options
@rule_options
@click.option("--run-id", hidden=True, help="An id that was reserved for this run.")
@click.option("--asked-by", hidden=True, help="The process with which this run ends.")
@output_options
def review(*, as_json: bool, quiet: bool, **options: object) -> None:
    """Review what TARGET adds to its base, and write a pack.

    TARGET is a branch, a remote branch or another revision (default: what is checked out). BASES are what it
    is compared with (default: the repository's default branch).
    """
    collect_rarely()
    from prview.models.envelope import envelope
    from prview.models.requests import ReviewRequest
    from prview.wiring import open_prview

    chosen = chosen_steps(chosen_profile(options))
    run(
        lambda request: watched(open_prview().review, request, quiet=quiet),
        lambda: ReviewRequest.model_validate(chosen),
        summary,
        as_json=as_json,
        quiet=quiet,
        exit_code=lambda result: EXIT_BLOCK if result.verdict == "BLOCK" else 0,
        envelope=envelope,
    )


def summary(result: RunReviewResult) -> str:
    """The short answer: verdict, checks, the worst of what is new; fitted to a terminal when there is one."""
    from oskit.terminal import Terminal
    from prview.render.terminal import review_lines
    from prview.service.explaining import top_findings

    terminal = Terminal.detect(sys.stdout)
    width = terminal.width if sys.stdout.isatty() else None
    return review_lines(result, top_findings(result), width=width, color=terminal.color)


async def watched(
    service: Callable[[ReviewRequest], Awaitable[RunReviewResult]], request: ReviewRequest, *, quiet: bool
) -> RunReviewResult:
    """Call the service and show its progress on stderr: a live list for a person, lines for a log.

    A target that is no revision may be a command with a slip of the finger: the error then says so.
    """
    from prview.errors import RunFailedError

    try:
        return await _shown(service, request, quiet=quiet)
    except RunFailedError as exc:
        parts = ((exc.hint or "").rstrip("."), _meant(exc.message, request.target))
        exc.hint = "; ".join(part for part in parts if part) or None
        raise


def _meant(message: str, target: str | None) -> str | None:
    """The command that an unknown target looks like."""
    parent = click.get_current_context().parent
    if parent is None or not isinstance(parent.command, click.Group) or not target or target not in message:
        return None
    if click.get_current_context().info_name == "gate":
        return None  # what stands after a command is no other one
    close = get_close_matches(target, parent.command.list_commands(parent), n=1, cutoff=_ALIKE)
    return f"did you mean the command `{parent.command_path} {close[0]}`?" if close else None


async def _shown(
    service: Callable[[ReviewRequest], Awaitable[RunReviewResult]], request: ReviewRequest, *, quiet: bool
) -> RunReviewResult:
    from mcpkit.progress import listening
    from oskit.checklist import checklist
    from oskit.terminal import Terminal

    if quiet:
        return await service(request)
    terminal = Terminal.detect(sys.stderr)
    shown = replace(terminal, live=terminal.live and not request.ci)
    with checklist(sys.stderr, "prview", terminal=shown) as show, listening(show):
        return await service(request)
