"""Older or newer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prview.signals.dependencies.versions import is_major, is_newer, version_key


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("1.9", "1.10"),
        ("1.0.0-rc.1", "1.0.0"),
        ("1.0a1", "1.0b1"),
        ("1.0rc9", "1.0rc10"),
        ("1.0", "1.0.post1"),
        ("v0.1.0", "v0.2.0"),
        ("^1.2.3", "^2.0.0"),
        ("==1.0", "==1.0.1"),
        ("2024.12.1", "2025.1"),
    ],
)
def test_versions_are_ordered(old: str, new: str) -> None:
    assert is_newer(new, old) is True
    assert is_newer(old, new) is False


@pytest.mark.parametrize(
    ("one", "other"), [("1.0", "1.0.0"), ("1.0+local", "1.0"), ("main", "1.0"), ("", "*")]
)
def test_equal_and_unknown_ones_are_not(one: str, other: str) -> None:
    assert is_newer(one, other) is None


@pytest.mark.parametrize(
    ("old", "new", "major"),
    [
        ("1.9", "2.0", True),
        ("1.0", "1.9", False),
        ("0.1.0", "0.2.0", True),
        ("0.1.0", "0.1.9", False),
        ("x", "2", False),
    ],
)
def test_leaving_a_compatible_range_is_major(old: str, new: str, *, major: bool) -> None:
    assert is_major(new, old) is major


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_text_can_be_asked_about_and_order_is_not_contradictory(one: str, other: str) -> None:
    version_key(one)
    assert not (is_newer(one, other) and is_newer(other, one))
