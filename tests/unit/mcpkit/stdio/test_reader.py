from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpkit.stdio.reader import LineReader, LineSplitter

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.anyio


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    ends = os.pipe()
    yield ends
    os.close(ends[0])


def split(chunks: list[bytes], limit: int = 1000) -> list[bytes]:
    splitter = LineSplitter(limit)
    lines = [line for chunk in chunks for line in splitter.feed(chunk)]
    return [*lines, rest] if (rest := splitter.rest()) else lines


@given(st.lists(st.binary(max_size=8).map(lambda data: data.replace(b"x", b"\n"))))
def test_lines_are_the_same_however_the_bytes_are_chunked(chunks: list[bytes]) -> None:
    whole = b"".join(chunks)
    expected = whole.split(b"\n")
    assert split(chunks) == (expected if expected[-1] else expected[:-1])


def test_a_line_over_the_limit_is_dropped_and_the_next_one_is_not(caplog: pytest.LogCaptureFixture) -> None:
    assert split([b"abc", b"def", b"gh\nok\n", b"x" * 20 + b"\nend"], limit=6) == [b"ok", b"end"]
    assert [record.message for record in caplog.records] == [
        "dropped a line of more than 6 bytes from the client"
    ] * 2


async def test_lines_read_before_anybody_listens_are_kept(pipe: tuple[int, int]) -> None:
    ended = threading.Event()
    came: list[bool] = []

    def on_end(any_came: bool) -> None:
        came.append(any_came)
        ended.set()

    reader = LineReader(pipe[0], on_end=on_end)
    reader.start()
    os.write(pipe[1], b"one\ntwo\nrest")
    os.close(pipe[1])
    assert ended.wait(5)
    assert [line async for line in reader.lines()] == [b"one", b"two", b"rest"]
    assert came == [True]


async def test_an_end_without_any_line_says_so(pipe: tuple[int, int]) -> None:
    came: list[bool] = []
    reader = LineReader(pipe[0], on_end=came.append)
    os.close(pipe[1])
    reader.start()
    with anyio.fail_after(5):
        assert [line async for line in reader.lines()] == []
        while not came:
            await anyio.lowlevel.checkpoint()
    assert came == [False]


async def test_a_line_wakes_the_one_who_waits(pipe: tuple[int, int]) -> None:
    reader = LineReader(pipe[0], on_end=lambda _any_came: None)
    reader.start()
    lines = reader.lines()
    with anyio.fail_after(5):
        for number in range(100):
            os.write(pipe[1], b"%d\n" % number)
            assert await anext(lines) == b"%d" % number
        os.close(pipe[1])
        assert [line async for line in lines] == []


async def test_a_descriptor_that_cannot_be_read_is_an_end() -> None:
    reader = LineReader(10_000, on_end=lambda _any_came: None)
    reader.start()
    with anyio.fail_after(5):
        assert [line async for line in reader.lines()] == []
