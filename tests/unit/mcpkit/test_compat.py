"""Which changes of a published schema break somebody, and which are additions."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpkit.compat import Side, incompatible
from mcpkit.models import Wire
from mcpkit.schema import flat_schema


def fields(
    required: tuple[str, ...] = (), *, closed: bool = True, **properties: dict[str, Any]
) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if closed:
        schema["additionalProperties"] = False
    return {**schema, "required": list(required)} if required else schema


TEXT, NUMBER, WHOLE = {"type": "string"}, {"type": "number"}, {"type": "integer"}
MAYBE = {"type": ["string", "null"]}
RED, RED_GREEN = {"type": "string", "enum": ["red"]}, {"type": "string", "enum": ["red", "green"]}

TABLE: list[tuple[str, dict[str, Any], dict[str, Any], set[Side], str]] = [
    # what, old, new, the sides it breaks, the message
    ("a field is removed", fields(a=TEXT, b=TEXT), fields(a=TEXT), {"input", "output"}, "b: removed or renamed"),
    ("a field is renamed", fields(a=TEXT), fields(b=TEXT), {"input", "output"}, "a: removed or renamed"),
    ("a field is retyped", fields(a=TEXT), fields(a=WHOLE), {"input", "output"}, "a: "),
    ("an optional field is added", fields(a=TEXT), fields(a=TEXT, b=TEXT), set(), ""),
    ("a required field is added", fields(), fields(("b",), b=TEXT), {"input"}, "b: is now required"),
    ("a field becomes required", fields(a=TEXT), fields(("a",), a=TEXT), {"input"}, "a: is now required"),
    ("a field becomes optional", fields(("a",), a=TEXT), fields(a=TEXT), {"output"}, "a: may now be absent"),
    ("a number becomes whole", fields(a=NUMBER), fields(a=WHOLE), {"input"}, "no longer takes number"),
    ("a whole number becomes any", fields(a=WHOLE), fields(a=NUMBER), {"output"}, "may now be number"),
    ("a field may be null", fields(a=TEXT), fields(a=MAYBE), {"output"}, "may now be null"),
    ("a field is never null", fields(a=MAYBE), fields(a=TEXT), {"input"}, "no longer takes null"),
    ("a value is removed", fields(a=RED_GREEN), fields(a=RED), {"input", "output"}, "lost the value 'green'"),
    ("a value is added", fields(a=RED), fields(a=RED_GREEN), set(), ""),
    ("values get a list", fields(a=TEXT), fields(a=RED), {"input"}, "takes only 'red'"),
    ("values lose their list", fields(a=RED), fields(a=TEXT), {"output"}, "beyond its list"),
    ("anything becomes text", fields(a={}), fields(a=TEXT), {"input"}, "a: no longer takes"),
    ("text becomes anything", fields(a=TEXT), fields(a={}), {"output"}, "may now be"),
    ("a maximum sinks", fields(a=WHOLE | {"maximum": 9}), fields(a=WHOLE | {"maximum": 8}), {"input"}, "from 9 to 8"),
    ("a maximum rises", fields(a=WHOLE | {"maximum": 8}), fields(a=WHOLE | {"maximum": 9}), set(), ""),
    ("a minimum appears", fields(a=WHOLE), fields(a=WHOLE | {"minimum": 1}), {"input"}, "from none to 1"),
    ("a pattern changes", fields(a=TEXT | {"pattern": "a"}), fields(a=TEXT | {"pattern": "b"}), {"input"}, "pattern"),
    ("a pattern goes", fields(a=TEXT | {"pattern": "a"}), fields(a=TEXT), set(), ""),
    ("a description changes", fields(a=TEXT), fields(a=TEXT | {"description": "x"}), set(), ""),
    ("further fields are refused", fields(closed=False), fields(), {"input"}, "further fields"),
    (
        "a field deep inside is removed",
        fields(list={"type": "array", "items": fields(("x",), x=TEXT)}),
        fields(list={"type": "array", "items": fields()}),
        {"input", "output"},
        "list[].x: removed or renamed",
    ),
    (
        "a value of a map is retyped",
        fields(map={"type": "object", "additionalProperties": TEXT}),
        fields(map={"type": "object", "additionalProperties": WHOLE}),
        {"input", "output"},
        "map{}: ",
    ),
    (
        "a member of a pair is retyped",
        fields(pair={"type": "array", "prefixItems": [TEXT, TEXT]}),
        fields(pair={"type": "array", "prefixItems": [TEXT, WHOLE]}),
        {"input", "output"},
        "pair[1]: ",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("what", "old", "new", "breaks", "message"), TABLE, ids=[row[0] for row in TABLE])
def test_a_change_breaks_the_sides_that_rely_on_what_it_takes_away(
    what: str, old: dict[str, Any], new: dict[str, Any], breaks: set[Side], message: str
) -> None:
    for side in ("input", "output"):
        found = incompatible(old, new, side=side)
        assert bool(found) == (side in breaks), (what, side, found)
        assert all(message in problem for problem in found[:1])
    assert bool(incompatible(old, new, side="both")) == bool(breaks)


@pytest.mark.parametrize(("what", "old", "new", "breaks", "message"), TABLE, ids=[row[0] for row in TABLE])
def test_every_schema_is_compatible_with_itself(
    what: str, old: dict[str, Any], new: dict[str, Any], breaks: set[Side], message: str
) -> None:
    assert incompatible(old, old, side="both") == []
    assert incompatible(new, new, side="both") == []


@given(st.sets(st.sampled_from("abcdef"), min_size=1), st.sets(st.sampled_from("uvwxyz"), min_size=1))
def test_adding_optional_fields_never_breaks_and_removing_them_always_does(
    have: set[str], more: set[str]
) -> None:
    small = {"type": "object", "properties": dict.fromkeys(sorted(have), TEXT)}
    large = {"type": "object", "properties": dict.fromkeys(sorted(have | more), TEXT)}
    assert incompatible(small, large, side="both") == []
    assert len(incompatible(large, small, side="both")) == len(more)


class Size(Wire):
    size: int


class Words(Wire):
    size: str


class Old(Wire):
    schema_version: Literal["t.v1"] = "t.v1"
    inner: Size | None = None


class New(Wire):
    schema_version: Literal["t.v2"] = "t.v2"
    inner: Words | None = None


def test_changes_of_real_models_are_seen_through_the_flattening() -> None:
    assert incompatible(flat_schema(Old, "output"), flat_schema(Old, "output"), side="both") == []
    assert incompatible(flat_schema(Old, "output"), flat_schema(New, "output"), side="output") == [
        "schema_version: lost the value 't.v1'",
        "inner.size: may now be string (was integer)",
    ]
