from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from artifactize.domain.cleaning import clean, telling_words


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


def test_the_first_line_that_names_a_problem_is_the_summary() -> None:
    """`1 failed in 0.2 s` at the end of a test run says less than what failed."""
    assert telling_words("", "ok 1\nE   ValueError: x\n1 failed, 3 passed\n") == "E   ValueError: x"
    assert telling_words("note\n", "sort: cannot read: terms\n") == "sort: cannot read: terms"
    assert telling_words("", "0 errors\nno failures\nbad\n") == "0 errors | no failures | bad"


def test_without_a_problem_named_the_last_lines_are_the_summary() -> None:
    assert telling_words("a\nb\nc\n\n d \n", "other\n") == "b | c | d"
    assert telling_words(" \n", "said\n") == "said"
    assert telling_words(" \n", "") == "it printed nothing"
    assert len(telling_words("x" * 600)) == 512
