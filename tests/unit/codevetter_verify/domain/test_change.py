"""A range is two named ends and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codevetter_verify.domain.change import RangeSpec, parse_range
from codevetter_verify.errors import InvalidInputError


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("main..HEAD", RangeSpec("main", "HEAD", symmetric=False)),
        ("origin/main...feature/x", RangeSpec("origin/main", "feature/x", symmetric=True)),
        ("v1.0..v1.1", RangeSpec("v1.0", "v1.1", symmetric=False)),
        ("HEAD~3..HEAD^", RangeSpec("HEAD~3", "HEAD^", symmetric=False)),
        ("@{u}..HEAD", RangeSpec("@{u}", "HEAD", symmetric=False)),
    ],
)
def test_a_range_is_read(text: str, spec: RangeSpec) -> None:
    assert parse_range(text) == spec


@pytest.mark.parametrize(
    "text",
    [
        "",
        "main",
        "main..",
        "..HEAD",
        "a....b",
        "a..b..c",
        "a ..b",
        "a..b\n",
        "-x..b",
        "a..--output=x",
        "a..",
        "a" * 512 + "..b",
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(InvalidInputError, match="source"):
        parse_range(text)


@given(st.text(max_size=40))
def test_what_is_accepted_can_never_be_an_option_or_two_ranges(text: str) -> None:
    try:
        spec = parse_range(text)
    except InvalidInputError:
        return
    for end in (spec.base, spec.head):
        assert end
        assert not end.startswith("-")
        assert ".." not in end
        assert not any(character.isspace() for character in end)
