"""Numbers in words."""

from __future__ import annotations

import pytest

from codevetter_verify.domain.counting import counted, sized


@pytest.mark.parametrize(
    ("count", "words"),
    [(0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (20_500_000, "20.5 MB"), (3_000_000_000, "3000.0 MB")],
)
def test_bytes_are_given_in_the_unit_that_people_read(count: int, words: str) -> None:
    assert sized(count) == words


def test_one_is_no_plural() -> None:
    assert (counted(1, "path"), counted(2, "path")) == ("1 path", "2 paths")
