from __future__ import annotations

import os

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oskit.process._capture import Capture, drain, feed


@given(st.lists(st.binary(max_size=40)), st.integers(0, 100))
def test_the_beginning_is_kept_and_all_is_counted(pieces: list[bytes], limit: int) -> None:
    capture = Capture(limit)
    for piece in pieces:
        capture.add(piece)
    whole = b"".join(pieces)
    assert bytes(capture) == whole[:limit]
    assert capture.total == len(whole)


@pytest.mark.anyio
async def test_what_is_fed_is_drained_whole_through_a_pipe() -> None:
    read_end, write_end = os.pipe()
    for descriptor in (read_end, write_end):
        os.set_blocking(descriptor, False)
    data = os.urandom(1_000_000)
    capture = Capture(len(data))

    async def write() -> None:
        await feed(write_end, data)
        os.close(write_end)

    with anyio.fail_after(10):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(drain, read_end, capture)
            tasks.start_soon(write)
    os.close(read_end)
    assert bytes(capture) == data
