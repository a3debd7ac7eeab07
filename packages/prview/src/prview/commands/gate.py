"""`prview gate`: the quick review as an exit code."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mcpkit.cli import failure_exit, run
from prview.commands.collector import collect_rarely
from prview.commands.options import output_options, range_arguments, repo_option, rule_options

if TYPE_CHECKING:
    from prview.models.results import RunReviewResult

EXIT_BLOCK, EXIT_CONDITIONAL, EXIT_UNKNOWN = 1, 2, 3


@failure_exit(EXIT_UNKNOWN)
@click.command()
@range_arguments
@repo_option
@rule_options
@click.option("--strict", is_flag=True, help="Exit with 2 when the verdict is CONDITIONAL.")
@output_options
def gate(*, strict: bool, as_json: bool, quiet: bool, **options: object) -> None:
    """Review quickly and let the exit code speak.

    0: PASS, or CONDITIONAL without --strict. 1: BLOCK. 2: CONDITIONAL with --strict.
    3: no trustworthy verdict, since there is no review or a check could not be evaluated.
    """
    collect_rarely()
    from prview.commands.review import summary, watched
    from prview.models.envelope import envelope
    from prview.models.requests import ReviewRequest
    from prview.service.results import is_trusted
    from prview.wiring import open_prview

    run(
        lambda request: watched(open_prview().review, request, quiet=quiet),
        lambda: ReviewRequest.model_validate({**options, "profile": "quick"}),
        summary,
        as_json=as_json,
        quiet=quiet,
        exit_code=lambda result: exit_code(result, strict=strict, trusted=is_trusted(result)),
        envelope=envelope,
    )


def exit_code(result: RunReviewResult, *, strict: bool, trusted: bool) -> int:
    """The documented code of a result. What blocks blocks, whatever else could not be evaluated."""
    if result.verdict == "BLOCK":
        return EXIT_BLOCK
    if not trusted:
        return EXIT_UNKNOWN
    return EXIT_CONDITIONAL if strict and result.verdict != "PASS" else 0
