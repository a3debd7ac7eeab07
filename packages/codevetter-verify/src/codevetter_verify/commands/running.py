"""A verification with its progress on stderr."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import click

from codevetter_verify.commands.early import begun_early
from codevetter_verify.commands.live import live_lines
from mcpkit.progress import listening
from mcpkit.text import escape_untrusted

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from codevetter_verify.commands.early import Asked
    from codevetter_verify.commands.live import RouteLines
    from codevetter_verify.models import Screenshots, TrexPreviewReceipt


@dataclass(frozen=True, kw_only=True)
class Watching:
    """How a verification is run and shown."""

    repo: str
    screenshots: str
    wait_s: float
    browser: str | None
    quiet: bool
    fetch: bool = False


def watched_verification(how: Watching) -> Callable[[Asked], Awaitable[TrexPreviewReceipt]]:
    """The service for `run`; progress goes to stderr unless it is to be quiet.

    A line a route on a terminal, else a line a step.
    """

    async def verify(asked: Asked) -> TrexPreviewReceipt:
        if how.quiet:
            return await _verify(asked, how, None)
        with live_lines() as lines, listening(lines.stage if lines else _tell):
            return await _verify(asked, how, lines)

    return verify


async def _verify(asked: Asked, how: Watching, watch: RouteLines | None) -> TrexPreviewReceipt:
    async with begun_early(asked, how.browser) as visitor:
        from codevetter_verify import wiring  # deferred, both: imported while the driver boots
        from codevetter_verify.service.run import Options

        screenshots = cast("Screenshots", how.screenshots)
        options = Options(screenshots=screenshots, wait_s=how.wait_s, watch=watch, fetch=how.fetch)
        return await wiring.verify(asked.request(), repo=how.repo, options=options, browser=visitor)


async def _tell(_done: float, _total: float | None, message: str) -> None:
    click.echo(f"t-rex: {escape_untrusted(message)}", err=True)
