from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from artifactize.domain.cleaning import clean, last_words


@pytest.mark.parametrize(
    ("output", "text"),
    [
        (b"plain\tand\nlines\n", "plain\tand\nlines\n"),
        (b"\x1b[31mred\x1b[0m", "red"),
        (b"\x1b]0;title\x07shown", "shown"),
        (b"\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        (b"one\r\ntwo\r", "one\ntwo"),
        (b"bell\x07 nul\x00 back\x08", "bell nul back"),
        (b"bad \xff utf-8", "bad \ufffd utf-8"),
        ("ünïcödé".encode(), "ünïcödé"),
    ],
)
def test_output_becomes_text_that_only_says_something(output: bytes, text: str) -> None:
    assert clean(output) == text


@given(st.binary(max_size=200))
def test_no_output_leaves_a_control_character(output: bytes) -> None:
    found = clean(output)

    assert all(char in "\n\t" or char.isprintable() or ord(char) > 0x9F for char in found)


def test_the_last_line_that_says_something_is_the_summary() -> None:
    assert last_words("first\nlast one  \n\n  \n") == "last one"
    assert last_words(" \n") == ""
    assert len(last_words("x" * 600)) == 512
