"""What a Textual app shows, as lines of text, and waiting until it does."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any

import anyio

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import App
    from textual.pilot import Pilot

_PIECE = re.compile(r'<text [^>]*x="([\d.]+)"[^>]*clip-path="url\(#[^"]*-line-(\d+)\)"[^>]*>([^<]*)</text>')
_CELL = 12.2
BOUND_S = 30.0


def lines_of_screen(app: App[Any]) -> list[str]:
    """The screen as lines without trailing spaces, taken from the picture that a person would save."""
    lines: dict[int, str] = {}
    for x, number, text in _PIECE.findall(app.export_screenshot()):
        shown = html.unescape(text).replace("\xa0", " ")
        lines[int(number)] = lines.get(int(number), "").ljust(round(float(x) / _CELL)) + shown
    return [lines.get(number, "").rstrip() for number in range(max(lines, default=-1) + 1)]


async def until(pilot: Pilot[Any], shown: Callable[[list[str]], bool]) -> list[str]:
    """Wait until the screen is as wanted; the last one is in the failure."""
    lines: list[str] = []
    with anyio.move_on_after(BOUND_S):
        while True:
            await pilot.pause()
            lines = lines_of_screen(pilot.app)
            if shown(lines):
                return lines
            await anyio.sleep(0.08)
    raise AssertionError("\n".join(lines))


async def until_said(pilot: Pilot[Any], *words: str) -> list[str]:
    """Wait until all these words are on the screen."""
    return await until(pilot, lambda lines: all(word in "\n".join(lines) for word in words))
