"""A verification with its progress on stderr."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import click

from codevetter_verify import wiring
from codevetter_verify.commands.live import live_lines
from codevetter_verify.service.run import Options
from mcpkit.progress import listening
from mcpkit.text import escape_untrusted

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from codevetter_verify.models import Screenshots, TrexPreviewReceipt, VerifyChangePreviewRequest


@dataclass(frozen=True, kw_only=True)
class Watching:
    """How a verification is run and shown."""

    repo: str
    screenshots: str
    wait_s: float
    browser: str | None
    quiet: bool


def watched_verification(
    how: Watching,
) -> Callable[[VerifyChangePreviewRequest], Awaitable[TrexPreviewReceipt]]:
    """The service for `run`; progress goes to stderr unless it is to be quiet.

    A line a route on a terminal, else a line a step.
    """
    screenshots = cast("Screenshots", how.screenshots)

    async def verify(request: VerifyChangePreviewRequest) -> TrexPreviewReceipt:
        if how.quiet:
            options = Options(screenshots=screenshots, wait_s=how.wait_s)
            return await wiring.verify(request, repo=how.repo, options=options, browser=how.browser)
        with live_lines() as lines, listening(lines.stage if lines else _tell):
            options = Options(screenshots=screenshots, wait_s=how.wait_s, watch=lines)
            return await wiring.verify(request, repo=how.repo, options=options, browser=how.browser)

    return verify


async def _tell(_done: float, _total: float | None, message: str) -> None:
    click.echo(f"t-rex: {escape_untrusted(message)}", err=True)
