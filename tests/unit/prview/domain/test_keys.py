"""Branch folders never collide, run ids sort by time and are nothing but ids."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prview.domain.keys import branch_key, is_run_id, run_id

NAMES = st.text(min_size=1, max_size=300)


@given(NAMES, NAMES)
def test_two_branches_never_share_a_folder(one: str, other: str) -> None:
    """Not even where file systems ignore case."""
    keys = [branch_key(name, "c" * 40) for name in (one, other)]
    assert (keys[0].lower() == keys[1].lower()) == (one == other)


@given(NAMES)
def test_a_branch_folder_is_a_plain_short_name(name: str) -> None:
    assert re.fullmatch(r"[a-z0-9_][a-z0-9._-]{0,80}", branch_key(name, "c" * 40))


def test_a_detached_head_is_kept_under_its_commit() -> None:
    assert branch_key(None, "0123456789abcdef") == "detached-0123456789ab"


@given(
    st.integers(0, 10**10).map(lambda second: dt.datetime.fromtimestamp(second, dt.UTC)), st.integers(0, 999)
)
def test_our_ids_are_ids(moment: dt.datetime, collision: int) -> None:
    assert is_run_id(run_id(moment, "abcdef0123", collision=collision))


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".",
        "..",
        "latest",
        "20260101-000000-abc/..",
        "20260101-000000\n",
        "20260101-000000-ABCD",
        "x" * 999,
    ],
)
def test_nothing_else_is(text: str) -> None:
    assert not is_run_id(text)


def test_older_ids_without_a_commit_are_still_ids() -> None:
    assert is_run_id("20260101-000000")
