"""Steps are a live list on a terminal, and lines in a log."""

from __future__ import annotations

import io

import pytest

from oskit.checklist import checklist
from oskit.terminal import Terminal

pytestmark = pytest.mark.anyio

LIVE = Terminal(color=False, live=True, width=60)
PLAIN = Terminal(color=False, live=False, width=80)


async def drawn(terminal: Terminal, *messages: str) -> str:
    stream = io.StringIO()
    with checklist(stream, "prview", terminal=terminal) as show:
        for number, message in enumerate(messages):
            await show(number, 5, message)
    return stream.getvalue()


async def test_a_log_has_a_line_for_what_ended_and_none_for_what_began() -> None:
    text = await drawn(PLAIN, "ruff: started", "ruff: PASS", "publishing")
    assert text == "prview: 1/5: ruff: PASS\nprview: 2/5: publishing\n"


async def test_a_log_names_what_was_skipped_in_one_line_at_the_end() -> None:
    text = await drawn(PLAIN, "a: SKIPPED (nothing changed)", "b: PASS", "c: SKIPPED")
    assert text == "prview: 1/5: b: PASS\nprview: SKIPPED: a, c\n"


async def test_a_terminal_shows_every_step_with_its_state_and_time() -> None:
    text = await drawn(LIVE, "ruff: started", "pytest: started", "ruff: FAIL (2 introduced)")
    last = text.rpartition("FAIL")[2]
    assert "ruff" in last
    assert "2 introduced" in last
    assert "running" in text
    assert "prview  2 of 5" in last


async def test_words_that_name_no_step_are_shown_beside_the_title() -> None:
    assert "writing the pack" in await drawn(LIVE, "writing the pack")


async def test_markup_in_a_message_is_text() -> None:
    assert "[bold]x" in await drawn(LIVE, "ruff: ERROR ([bold]x)")


async def test_long_words_are_cut_to_the_terminal() -> None:
    text = await drawn(LIVE, "ruff: ERROR (" + "word " * 100 + ")")
    lines = [line for line in text.replace("\r", "\n").splitlines() if "word" in line]
    assert lines
    assert all(line.count("word") <= 12 for line in lines)


async def test_a_reader_that_is_gone_is_no_reason_to_fail() -> None:
    class Broken(io.StringIO):
        def write(self, _: str) -> int:
            raise BrokenPipeError

    with checklist(Broken(), "prview", terminal=LIVE) as show:
        await show(1, 2, "ruff: PASS")
