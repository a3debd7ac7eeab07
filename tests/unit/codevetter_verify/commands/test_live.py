"""What a person at a terminal sees of a run under way."""

from __future__ import annotations

import io

import pytest

from codevetter_verify.commands.live import RouteLines, live_lines


@pytest.mark.anyio
async def test_every_route_has_a_line_with_its_outcome() -> None:
    lines = RouteLines()
    await lines.stage(2, 4, "visiting the routes")
    lines.planned(["/", "/about", "/\x1b[31m"])
    lines.seen("/", "passed", 12)
    lines.seen("/about", "failed", 345)
    drawn = lines.__rich__().plain.splitlines()
    assert drawn[0].split() == ["✓", "12", "ms", "/"]
    assert drawn[1].split() == ["✗", "345", "ms", "/about"]
    assert "ms" not in drawn[2]
    assert "\x1b" not in drawn[2]
    assert drawn[3].startswith("t-rex: visiting the routes")


def test_a_log_is_not_redrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", io.StringIO())
    with live_lines() as lines:
        assert lines is None


def test_a_terminal_is_redrawn_and_left_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr("sys.stderr", screen)
    with live_lines() as lines:
        assert lines is not None
        lines.planned(["/about"])
    assert "/about" in screen.getvalue()
    assert screen.getvalue().endswith("\x1b[2K"), "the lines are wiped: the receipt says it all"
