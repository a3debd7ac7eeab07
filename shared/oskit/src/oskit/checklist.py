"""A live list of steps on a terminal: what runs, what is done, how it ended. Plain lines elsewhere.

Takes progress reports whose message is `NAME: STATE detail`; `STARTED` is the state of a step that began.
"""

from __future__ import annotations

import re
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, TextIO, cast

from oskit.terminal import Progress, Terminal, forgiving, progress

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console, RenderableType

STARTED = "started"
SKIPPED = "SKIPPED"
_MESSAGE = re.compile(r"^(?P<name>[^:]+): (?P<state>\S+)(?: (?P<detail>.*))?$", re.DOTALL)
_STYLES = {
    "PASS": "green",
    "FAIL": "red",
    "ERROR": "red",
    "TIMEOUT": "red",
    "UNAVAILABLE": "yellow",
    SKIPPED: "dim",
}
_FRAMES_PER_S = 8


@dataclass
class _Step:
    """One line of the list; times are monotonic seconds."""

    state: str = STARTED
    detail: str = ""
    began: float = field(default_factory=time.monotonic)
    ended: float | None = None


@contextmanager
def checklist(stream: TextIO, title: str, *, terminal: Terminal | None = None) -> Iterator[Progress]:
    """Show the steps of one piece of work on `stream` while the block runs; a terminal forgets them after."""
    shown = Terminal.detect(stream) if terminal is None else terminal
    if not shown.live:
        with progress(stream, title, terminal=shown) as lines:
            plain = _News(lines)
            try:
                yield plain
            finally:
                if plain.skipped:
                    forgiving(stream).write(f"{title}: {SKIPPED}: {', '.join(plain.skipped)}\n")
        return
    from rich.console import Console  # 60 ms, only for a person who watches
    from rich.live import Live

    console = Console(
        file=cast("IO[str]", forgiving(stream)),
        force_terminal=True,
        no_color=not shown.color,
        width=shown.width,
    )
    board = _Board(title, console)
    with Live(get_renderable=board.draw, console=console, refresh_per_second=_FRAMES_PER_S, transient=True):
        yield board


class _News:
    """Lines for a log: a step that begins is no news, and those that were skipped are one line at the end."""

    def __init__(self, lines: Progress) -> None:
        self._lines = lines
        self.skipped: list[str] = []

    async def __call__(self, done: float, total: float | None, message: str) -> None:
        match = _MESSAGE.match(message)
        if match and match["state"] == SKIPPED:
            self.skipped.append(match["name"])
        elif not message.endswith(f": {STARTED}"):
            await self._lines(done, total, message)


class _Board:
    def __init__(self, title: str, console: Console) -> None:
        self._title = title
        self._console = console
        self._steps: dict[str, _Step] = {}
        self._said = ""
        self._count = ""
        self._began = time.monotonic()

    async def __call__(self, done: float, total: float | None, message: str) -> None:
        self._count = "" if total is None else f"{done:g} of {total:g}"
        match = _MESSAGE.match(message)
        if match is None:
            self._said = message
            return
        self._said = ""
        step = self._steps.setdefault(match["name"], _Step())
        step.state, step.detail = match["state"], (match["detail"] or "").strip("()")
        step.ended = None if step.state == STARTED else time.monotonic()

    def draw(self) -> RenderableType:
        """The list as it is now."""
        from rich.spinner import Spinner
        from rich.table import Table
        from rich.text import Text

        table = Table.grid(padding=(0, 1))
        table.add_column(width=11, no_wrap=True)
        table.add_column(no_wrap=True)
        table.add_column(justify="right", width=6, no_wrap=True)
        table.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
        for name, step in list(self._steps.items())[-self._console.height + 3 :]:
            running = step.ended is None
            mark = Spinner("dots", "running") if running else Text(step.state, _STYLES.get(step.state, ""))
            spent = (step.ended or time.monotonic()) - step.began
            table.add_row(mark, Text(name), Text(f"{spent:.1f}s", "dim"), Text(step.detail, "dim"))
        spent = time.monotonic() - self._began
        words = (self._title, self._count, self._said, f"{spent:.0f}s")
        table.add_row("", Text("  ".join(word for word in words if word), "bold"), "", "")
        return table
