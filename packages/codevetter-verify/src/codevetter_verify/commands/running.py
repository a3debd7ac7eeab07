"""A verification with its progress on stderr."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import click

from codevetter_verify import wiring
from codevetter_verify.service.run import Options
from mcpkit.progress import listening
from mcpkit.text import escape_untrusted

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from codevetter_verify.models import Screenshots, TrexPreviewReceipt, VerifyChangePreviewRequest


def watched_verification(
    *, repo: str, screenshots: str, browser: str | None, quiet: bool
) -> Callable[[VerifyChangePreviewRequest], Awaitable[TrexPreviewReceipt]]:
    """The service for `run`; progress goes to stderr unless `quiet`."""
    options = Options(screenshots=cast("Screenshots", screenshots))

    async def verify(request: VerifyChangePreviewRequest) -> TrexPreviewReceipt:
        with listening(_silent if quiet else _tell):
            return await wiring.verify(request, repo=repo, options=options, browser=browser)

    return verify


async def _tell(_done: float, _total: float | None, message: str) -> None:
    click.echo(f"t-rex: {escape_untrusted(message)}", err=True)


async def _silent(_done: float, _total: float | None, _message: str) -> None:
    """Nobody wants to know."""
