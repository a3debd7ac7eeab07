"""`codevetter trex`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mcpkit.cli import debug_option, run

if TYPE_CHECKING:
    from codevetter_verify.models import TrexPreviewReceipt, VerifyChangePreviewRequest

EXIT_CODES = {"passed_with_limits": 0, "failed": 1, "no_confidence": 2}


@click.command()
@click.option(
    "--range",
    "range_",
    required=True,
    metavar="A..B",
    help="The change: two commits of the repository, A..B or A...B, for example main..HEAD.",
)
@click.option("--preview", required=True, metavar="URL", help="Address of the deployed preview.")
@click.option(
    "--repo", default=".", metavar="PATH", help="The repository, the current directory's by default."
)
@click.option(
    "--screenshots", type=click.Choice(["failures", "always"]), default="failures", show_default=True
)
@click.option("--browser-path", metavar="PATH", help="The Chromium to use (also CODEVETTER_BROWSER).")
@click.option("--json", "as_json", is_flag=True, help="Print the receipt as one JSON document.")
@click.option("--quiet", is_flag=True, help="Print nothing but the receipt.")
@debug_option
def trex(
    *,
    range_: str,
    preview: str,
    repo: str,
    screenshots: str,
    browser_path: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Verify a change by visiting its preview, and keep a receipt.

    Exit codes: 0 passed with limits, 1 failed, 2 no confidence, wrong usage or an operational failure.
    """
    from codevetter_verify.commands.running import watched_verification
    from codevetter_verify.envelopes import command_line_envelope
    from codevetter_verify.render.receipt import render_receipt
    from codevetter_verify.store.places import receipts_home

    def request() -> VerifyChangePreviewRequest:
        from codevetter_verify.models import VerifyChangePreviewRequest

        source = {"kind": "range", "value": range_}
        return VerifyChangePreviewRequest.model_validate({"source": source, "preview_url": preview})

    run(
        watched_verification(repo=repo, screenshots=screenshots, browser=browser_path, quiet=quiet),
        request,
        lambda receipt: render_receipt(receipt, home=receipts_home()),
        as_json=as_json,
        exit_code=exit_code,
        envelope=command_line_envelope,
    )


def exit_code(receipt: TrexPreviewReceipt) -> int:
    """What the command ends with: the verdict."""
    return EXIT_CODES[receipt.verdict]
