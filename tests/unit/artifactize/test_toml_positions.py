from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from artifactize.domain.toml_positions import key_positions

if TYPE_CHECKING:
    from collections.abc import Iterator

DOCUMENT = """\
# a comment with [brackets] and "quotes
name = "guide"  # trailing
"odd key".'more odd' = 1
mounts = { terms = "glossary", "x.y" = "z" }
list = [ 1,
  # inside
  "two]", [3, 4], { five = 5 },
]
text = \"\"\"
[not.a.table]
key = "no"
\"\"\"
literal = '''
it's = here'''

[evals.terms]
title = 'A = B'
profile.kind = "runtime"

[[many]]
one = 1
[[many]]
one = 2
[many.sub]
two = 3
"""


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (("name",), (2, 1)),
        (("odd key",), (3, 1)),
        (("odd key", "more odd"), (3, 11)),
        (("mounts", "terms"), (4, 12)),
        (("mounts", "x.y"), (4, 32)),
        (("list", 0), (5, 10)),
        (("list", 1), (7, 3)),
        (("list", 2, 1), (7, 15)),
        (("list", 3, "five"), (7, 21)),
        (("literal",), (13, 1)),
        (("evals", "terms"), (16, 1)),
        (("evals", "terms", "profile", "kind"), (18, 9)),
        (("many", 0, "one"), (21, 1)),
        (("many", 1), (22, 1)),
        (("many", 1, "one"), (23, 1)),
        (("many", 1, "sub", "two"), (25, 1)),
    ],
)
def test_each_way_to_write_a_key_is_found_where_it_stands(
    path: tuple[str | int, ...], place: tuple[int, int]
) -> None:
    assert key_positions(DOCUMENT)[path] == place


def test_what_looks_like_a_key_inside_a_string_is_none() -> None:
    positions = key_positions(DOCUMENT)

    assert ("not",) not in positions
    assert ("key",) not in positions
    assert ("it's",) not in positions


keys = st.text(st.sampled_from("ab.-_ #\"'[]=é\\"), max_size=6)
scalars = st.one_of(
    st.integers(-(2**62), 2**62), st.booleans(), st.text(max_size=8), st.floats(allow_nan=False)
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(keys, values, max_size=4), st.booleans())
def test_every_key_that_the_parser_finds_has_a_place_where_it_is_written(
    value: dict[str, Any], tables: bool
) -> None:
    text = "".join(_written(key, item, tables=tables) for key, item in _tables_last(value))
    assert tomllib.loads(text) == value
    lines = text.split("\n")

    positions = key_positions(text)

    for path in _paths(value):
        line, column = positions[path]
        rest = lines[line - 1][column - 1 :]
        if isinstance(path[-1], str):
            assert rest.lstrip("[").startswith(_quoted(path[-1]))


def _tables_last(value: dict[str, Any]) -> list[tuple[str, Any]]:
    return sorted(value.items(), key=lambda item: isinstance(item[1], dict))


def _written(key: str, item: Any, *, tables: bool) -> str:
    if tables and isinstance(item, dict):
        return f"[{_quoted(key)}]\n" + "".join(f"{_quoted(k)} = {_inline(v)}\n" for k, v in item.items())
    return f"{_quoted(key)} = {_inline(item)}\n"


def _quoted(key: str) -> str:
    return '"' + "".join(c if " " <= c < "\x7f" and c not in '"\\' else f"\\u{ord(c):04x}" for c in key) + '"'


def _inline(item: Any) -> str:
    if isinstance(item, dict):
        return "{ " + ", ".join(f"{_quoted(k)} = {_inline(v)}" for k, v in item.items()) + " }"
    if isinstance(item, list):
        return "[ " + ", ".join(_inline(each) for each in item) + " ]"
    if isinstance(item, str):
        return "".join(['"', *(f"\\U{ord(c):08x}" for c in item), '"'])
    if isinstance(item, float):
        return repr(item)
    return json.dumps(item)


def _paths(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*path, key)
        yield from _paths(item, (*path, key))
