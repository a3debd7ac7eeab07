"""The review screen as a program of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import App

from artifactize.monitor.review import ReviewScreen

if TYPE_CHECKING:
    from artifactize.monitor.signing import SignOffs


class ReviewApp(App[None]):
    """The sign-offs alone."""

    TITLE = "artifactize"
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, signoffs: SignOffs, *, request_id: str | None = None) -> None:
        super().__init__()
        self._screen = ReviewScreen(signoffs, request_id=request_id)

    def on_mount(self) -> None:
        """Open the sign-offs, and leave with them."""
        self.push_screen(self._screen, callback=lambda _: self.exit())
