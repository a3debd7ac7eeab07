from __future__ import annotations

import io

import pytest

from oskit.terminal import Terminal, progress

pytestmark = pytest.mark.anyio


class Tty(io.StringIO):
    def isatty(self) -> bool:
        return True


class Broken(io.StringIO):
    def write(self, _: str) -> int:
        raise BrokenPipeError


@pytest.mark.parametrize(
    ("env", "color", "live"),
    [
        ({"TERM": "xterm"}, True, True),
        ({"TERM": "xterm", "NO_COLOR": "1"}, False, True),
        ({"TERM": "xterm", "NO_COLOR": ""}, True, True),
        ({"TERM": "xterm", "CI": "true"}, True, False),
        ({"TERM": "xterm", "CI": "false"}, True, True),
        ({"TERM": "dumb"}, False, False),
        ({}, False, False),
    ],
)
async def test_a_terminal_shows_what_its_environment_allows(
    env: dict[str, str], color: bool, live: bool
) -> None:
    terminal = Terminal.detect(Tty(), env=env)
    assert (terminal.color, terminal.live) == (color, live)


async def test_what_is_no_terminal_is_plain() -> None:
    assert Terminal.detect(io.StringIO(), env={"TERM": "xterm"}) == Terminal(
        color=False, live=False, width=80
    )


async def test_a_closed_stream_is_plain() -> None:
    stream = io.StringIO()
    stream.close()
    assert not Terminal.detect(stream, env={"TERM": "xterm"}).live


async def test_the_width_follows_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "123")
    assert Terminal.detect(Tty(), env={"TERM": "xterm"}).width == 123
    assert Terminal.detect(io.StringIO(), env={"TERM": "xterm"}).width == 80


async def test_plain_progress_is_a_line_for_every_new_message() -> None:
    stream = io.StringIO()
    with progress(stream, "review") as show:
        await show(0, 3, "ruff")
        await show(1, 3, "ruff")
        await show(2, 3, "mypy")
        await show(2, None, "")
    assert stream.getvalue() == "review: 0/3: ruff\nreview: 2/3: mypy\nreview\n"


async def test_live_progress_draws_and_clears_itself() -> None:
    stream = Tty()
    terminal = Terminal(color=False, live=True, width=80)
    with progress(stream, "review [bold]", terminal=terminal) as show:
        await show(1, 3, "ruff [x]")
    drawn = stream.getvalue()
    assert "review [bold]" in drawn
    assert "ruff [x]" in drawn
    assert drawn.endswith("\x1b[2K")


@pytest.mark.parametrize("live", [True, False])
async def test_a_reader_that_went_away_does_not_fail_the_work(live: bool) -> None:
    done = False
    with progress(Broken(), "review", terminal=Terminal(color=False, live=live, width=80)) as show:
        await show(1, 3, "ruff")
        done = True
    assert done
