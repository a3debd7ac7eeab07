"""Drawing a Run on a terminal while it is watched."""

from __future__ import annotations

from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, TextIO, cast

from artifactize.render.live import LiveView
from oskit.clock import monotonic
from oskit.terminal import Terminal, forgiving

if TYPE_CHECKING:
    from collections.abc import Iterator

    from artifactize.models.verification import WatchEvent
    from artifactize.service.verification import Tell

_FRAMES_A_SECOND = 4


@contextmanager
def drawn(stream: TextIO) -> Iterator[Tell]:
    """Draw what is told on a terminal, and leave nothing of it when the block ends."""
    from rich.console import Console  # deferred, all three: 60 ms, only for a person who watches
    from rich.live import Live
    from rich.text import Text

    terminal = Terminal.detect(stream)
    view = LiveView(monotonic())

    def frame() -> Text:
        return Text("\n".join(view.lines(monotonic(), terminal.width - 1)), no_wrap=True)

    console = Console(
        file=cast("IO[str]", forgiving(stream)),
        force_terminal=True,
        no_color=not terminal.color,
        width=terminal.width,
    )
    with Live(get_renderable=frame, console=console, transient=True, refresh_per_second=_FRAMES_A_SECOND):

        async def tell(event: WatchEvent) -> None:
            view.take(event, monotonic())

        yield tell
