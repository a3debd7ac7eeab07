"""`grep`: every matching line once, in bounded time and room."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from artifactize.toolbox.contract import ToolFault
from artifactize.toolbox.searching import Search, grep
from support.toolboxes import scope_of

if TYPE_CHECKING:
    from pathlib import Path

    from artifactize.toolbox.scope import Scope


def found(scope: Scope, pattern: str, **options: object) -> list[str]:
    text = grep(scope, Search(pattern=pattern, **options)).text  # type: ignore[arg-type]
    return [line for line in text.split("\n") if not line.startswith("[")]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=st.lists(st.text(alphabet="ab x", max_size=6), max_size=12), end=st.sampled_from(["", "\n"]))
def test_it_finds_the_lines_that_an_ordinary_search_finds(tmp_path: Path, lines: list[str], end: str) -> None:
    content = "\n".join(lines) + end
    scope = scope_of(tmp_path, a=content)
    wanted = content.split("\n")[: -1 if content.endswith("\n") or not content else None]
    for pattern in ("a", "^b", "x$", "a*", "^$"):
        expected = [
            f"guide/a:{number}: {line}"
            for number, line in enumerate(wanted, start=1)
            if re.search(pattern, line)
        ]
        assert found(scope, pattern, regex=True) == expected


def test_a_pattern_is_literal_unless_it_is_said_to_be_an_expression(tmp_path: Path) -> None:
    scope = scope_of(tmp_path, a="a.c\nabc\nA.C\n", b_dot_md="a.c\r\n")
    assert found(scope, "a.c") == ["guide/a:1: a.c", "guide/b.md:1: a.c"]
    assert found(scope, "a.c", regex=True, glob="guide/a") == ["guide/a:1: a.c", "guide/a:2: abc"]
    assert found(scope, "A.C", ignore_case=True, glob="*.md") == ["guide/b.md:1: a.c"]
    assert found(scope, "c\na", regex=True) == []
    with pytest.raises(ToolFault, match="RE2 syntax"):
        grep(scope, Search(pattern="(?=x)", regex=True))


def test_an_expression_made_to_backtrack_takes_no_time(tmp_path: Path) -> None:
    """With a backtracking engine this test would not end."""
    scope = scope_of(tmp_path, a="a" * 50_000 + "!")
    assert found(scope, "^(a+)+$", regex=True) == []
    assert found(scope, "(a|aa)+b", regex=True) == []


def test_context_skip_and_limit_show_every_match_once(tmp_path: Path) -> None:
    scope = scope_of(
        tmp_path, a="".join(f"{number} {'hit' * (number % 3 == 0)}\n" for number in range(1, 31))
    )
    first = grep(scope, Search(pattern="hit", limit=4)).text
    assert first.startswith("[more matches follow: go on with skip = 4]\nguide/a:3: 3 hit\n")
    rest = grep(scope, Search(pattern="hit", skip=4)).text.split("\n")
    assert rest[0] == "[10 matching lines in 1 files searched]"
    assert rest[1] == "guide/a:15: 15 hit"
    assert found(scope, "30 hit", context=1) == ["guide/a-29- 29 ", "guide/a:30: 30 hit", "--"]
    assert found(scope, "3 hit", context=2, limit=1)[:3] == [
        "guide/a-1- 1 ",
        "guide/a-2- 2 ",
        "guide/a:3: 3 hit",
    ]


def test_what_was_not_searched_is_named(tmp_path: Path) -> None:
    scope = scope_of(tmp_path, a="hit", b=b"hit\0", c="hit")
    (tmp_path / "guide/c").unlink()
    text = grep(scope, Search(pattern="hit")).text
    assert text.split("\n") == [
        "[1 matching lines in 1 files searched]",
        "[binary, not searched: guide/b]",
        "[cannot be read: guide/c]",
        "guide/a:1: hit",
    ]
