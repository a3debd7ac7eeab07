"""`codevetter trex`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from codevetter_verify.commands.options import REPO
from mcpkit.cli import debug_option, run

if TYPE_CHECKING:
    from codevetter_verify.commands.early import Asked
    from codevetter_verify.models import TrexPreviewReceipt

EXIT_CODES = {"passed_with_limits": 0, "failed": 1, "no_confidence": 2}


@click.command()
@click.option(
    "--range",
    "range_",
    metavar="A..B",
    help="The change: two commits of the repository, A..B or A...B, for example main..HEAD.",
)
@click.option(
    "--pr",
    "pull",
    metavar="N",
    help="The change: a pull request on GitHub, its number in the repository of origin or its address.",
)
@click.option("--preview", required=True, metavar="URL", help="Address of the deployed preview.")
@REPO
@click.option(
    "--screenshots", type=click.Choice(["failures", "always"]), default="failures", show_default=True
)
@click.option(
    "--wait",
    type=click.FloatRange(0, 900),
    default=0,
    metavar="SECONDS",
    help="Ask again for so long while the preview is not live yet or shows another revision (at most 900).",
)
@click.option(
    "--fetch",
    is_flag=True,
    help="Fetch the head of a pull request that this clone lacks, into a temporary folder beside it.",
)
@click.option("--browser-path", metavar="PATH", help="The Chromium to use (also CODEVETTER_BROWSER).")
@click.option("--json", "as_json", is_flag=True, help="Print the receipt as one JSON document.")
@click.option("--quiet", is_flag=True, help="Print nothing but the receipt.")
@debug_option
def trex(  # noqa: PLR0913 - one a flag
    *,
    range_: str | None,
    pull: str | None,
    preview: str,
    repo: str,
    screenshots: str,
    wait: float,
    fetch: bool,
    browser_path: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Verify a change by visiting its preview, and keep a receipt.

    Give the change with --range or with --pr. Pull requests are looked up through `gh` where it is signed in,
    else with GH_TOKEN or GITHUB_TOKEN, else anonymously.

    Exit codes: 0 passed with limits, 1 failed, 2 no confidence, wrong usage or an operational failure.
    """
    _check_source(range_, pull)
    from codevetter_verify.commands.running import Watching, watched_verification
    from codevetter_verify.envelopes import command_line_envelope

    run(
        watched_verification(
            Watching(
                repo=repo,
                screenshots=screenshots,
                wait_s=wait,
                browser=browser_path,
                quiet=quiet,
                fetch=fetch,
            )
        ),
        lambda: _asked(range_, pull, preview),
        _rendered,
        as_json=as_json,
        exit_code=exit_code,
        envelope=command_line_envelope,
    )


def _check_source(range_: str | None, pull: str | None) -> None:
    if (range_ is None) == (pull is None):
        problem = (
            "Missing option '--range' or '--pr'." if range_ is None else "Give '--range' or '--pr', not both."
        )
        raise click.UsageError(problem, ctx=click.get_current_context())


def _asked(range_: str | None, pull: str | None, preview: str) -> Asked:
    from codevetter_verify.commands.early import Asked

    if range_ is not None:
        return Asked("range", range_, preview)
    return Asked("pull_request", pull or "", preview)


def _rendered(receipt: TrexPreviewReceipt) -> str:
    from codevetter_verify.render.receipt import render_receipt
    from codevetter_verify.store.places import receipts_home

    return render_receipt(receipt, home=receipts_home())


def exit_code(receipt: TrexPreviewReceipt) -> int:
    """What the command ends with: the verdict."""
    return EXIT_CODES[receipt.verdict]
