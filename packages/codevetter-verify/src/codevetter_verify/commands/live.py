"""One line a route, redrawn while a run goes on: for a person at a terminal."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, cast

from mcpkit.text import escape_untrusted
from oskit.terminal import Terminal, forgiving

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.text import Text

    from codevetter_verify.models import RouteOutcome

_MARKS = {"passed": ("✓", "green"), "failed": ("✗", "red"), "inconclusive": ("?", "yellow")}
_TICKS = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_FRAMES_A_SECOND = 8


class RouteLines:
    """What is known of the run: the stage, and every route with its outcome once it was seen."""

    def __init__(self) -> None:
        self._stage = ""
        self._routes: dict[str, tuple[RouteOutcome, int] | None] = {}
        self._began = time.monotonic()

    async def stage(self, _done: float, _total: float | None, message: str) -> None:
        """Take a report of progress."""
        self._stage = message

    def planned(self, routes: Sequence[str]) -> None:
        """Show the routes that will be visited."""
        self._routes = dict.fromkeys(routes)

    def seen(self, route: str, outcome: RouteOutcome, duration_ms: int) -> None:
        """Mark one as visited."""
        self._routes[route] = (outcome, duration_ms)

    def __rich__(self) -> Text:
        """Draw."""
        from rich.text import Text

        elapsed = time.monotonic() - self._began
        tick = _TICKS[int(elapsed * _FRAMES_A_SECOND) % len(_TICKS)]
        drawn = Text(overflow="ellipsis", no_wrap=True)
        for route, known in self._routes.items():
            mark, style = _MARKS[known[0]] if known else (tick, "dim")
            took = f"{known[1]:>6} ms" if known else " " * 9
            drawn.append(f"  {mark} ", style).append(f"{took}  {escape_untrusted(route)}\n")
        return drawn.append(f"t-rex: {escape_untrusted(self._stage)} ({elapsed:.0f} s)", "dim")


@contextmanager
def live_lines() -> Iterator[RouteLines | None]:
    """Redraw on stderr while the block runs; None where it cannot be redrawn."""
    terminal = Terminal.detect(sys.stderr)
    if not terminal.live:
        yield None
        return
    from rich.console import Console  # 60 ms, only for a person who watches
    from rich.live import Live

    stream = cast("IO[str]", forgiving(sys.stderr))
    console = Console(file=stream, force_terminal=True, no_color=not terminal.color, width=terminal.width)
    lines = RouteLines()
    with Live(
        lines, console=console, refresh_per_second=_FRAMES_A_SECOND, transient=True, redirect_stdout=False
    ):
        yield lines
