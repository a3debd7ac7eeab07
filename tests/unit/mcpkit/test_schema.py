"""The published schemas against the models they stand for, with jsonschema as the judge."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated, Any, Literal

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, JsonValue, RootModel

from mcpkit.models import Request, Response, Wire
from mcpkit.schema import banned_keywords, children, flat_schema, types_of


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Leaf(Wire):
    """A docstring that only programmers need."""

    number: int | None = Field(None, ge=-5, le=5)
    ratio: float = Field(0.5, description="A ratio")


class All(Wire):
    kind: Literal["all"]


class Some(Wire):
    kind: Literal["some"]
    names: list[str] = Field(min_length=1, max_length=3)


class Everything(Response):
    version: Literal["v1"] = "v1"
    colour: Colour
    mode: Literal["a", "b"] | None = None
    leaf: Leaf
    leaves: list[Leaf] = Field(max_length=3)
    maybe: Leaf | None = None
    named: dict[str, Leaf | None] = Field(default_factory=dict, max_length=2)
    scope: Annotated[All | Some, Field(discriminator="kind")]
    mixed: int | str | list[bool] | None = None
    pair: tuple[int, str] = (1, "x")
    anything: JsonValue = None
    number: float | int = 1


class Taken(Request):
    """Not for hosts."""

    colour: Colour
    leaf: Leaf
    scope: Annotated[All | Some, Field(discriminator="kind")]
    title: str | None = Field(None, description="A title")
    holes: list[int | None] = Field(default_factory=list)


EVERYTHING = flat_schema(Everything, "output")
TAKEN = flat_schema(Taken, "input")

LEAVES = st.builds(Leaf, number=st.none() | st.integers(-5, 5), ratio=st.floats(-9, 9))
SCOPES = st.just(All(kind="all")) | st.builds(
    Some, kind=st.just("some"), names=st.lists(st.text(), min_size=1, max_size=3)
)
RESULTS = st.builds(
    Everything,
    colour=st.sampled_from(Colour),
    mode=st.sampled_from(["a", "b", None]),
    leaf=LEAVES,
    leaves=st.lists(LEAVES, max_size=3),
    maybe=st.none() | LEAVES,
    named=st.dictionaries(st.text(max_size=3), st.none() | LEAVES, max_size=2),
    scope=SCOPES,
    mixed=st.none() | st.integers() | st.text() | st.lists(st.booleans()),
    pair=st.tuples(st.integers(), st.text()),
    anything=st.none() | st.integers() | st.lists(st.text()),
    number=st.floats(-9, 9) | st.integers(),
)
REQUESTS = st.builds(
    Taken,
    colour=st.sampled_from(Colour),
    leaf=LEAVES,
    scope=SCOPES,
    title=st.none() | st.text(),
    holes=st.lists(st.none() | st.integers(), max_size=3),
)


def validate(value: object, schema: dict[str, Any]) -> None:
    jsonschema.validate(value, schema, cls=jsonschema.Draft202012Validator)


def without_nulls(value: Any) -> Any:
    """As a client sends it that leaves out what it does not mean; lists keep their holes."""
    if isinstance(value, dict):
        return {key: without_nulls(item) for key, item in value.items() if item is not None}
    return [without_nulls(item) for item in value] if isinstance(value, list) else value


def test_no_keyword_that_hosts_stumble_over_is_left() -> None:
    assert list(banned_keywords(EVERYTHING)) == []
    assert list(banned_keywords(TAKEN)) == []


@given(RESULTS)
def test_every_result_of_the_model_fits_the_published_output(result: Everything) -> None:
    validate(result.model_dump(mode="json"), EVERYTHING)


@given(REQUESTS)
def test_every_request_of_the_model_fits_the_published_input(request: Taken) -> None:
    validate(without_nulls(request.model_dump(mode="json")), TAKEN)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("version", "v2"),
        ("colour", "green"),
        ("mode", "c"),
        ("leaf", {"ratio": "high"}),
        ("leaf", {"number": 6}),
        ("leaves", [{}, {}, {}, {}]),
        ("maybe", "none"),
        ("scope", {"kind": "none"}),
        ("scope", {"kind": "all", "more": 1}),
        ("mixed", {"a": 1}),
        ("number", "1"),
    ],
)
def test_the_published_output_still_refuses_what_the_model_refuses(name: str, wrong: object) -> None:
    result = Everything(colour=Colour.RED, leaf=Leaf(), leaves=[], scope=All(kind="all"))
    with pytest.raises(jsonschema.ValidationError):
        validate({**result.model_dump(mode="json"), name: wrong}, EVERYTHING)


def test_a_nullable_input_is_published_without_null_and_a_nullable_output_with_it() -> None:
    assert TAKEN["properties"]["title"] == {"type": "string", "description": "A title"}
    assert EVERYTHING["properties"]["mode"] == {"type": ["string", "null"], "enum": ["a", "b", None]}
    assert EVERYTHING["properties"]["maybe"]["type"] == ["object", "null"]
    assert TAKEN["properties"]["holes"]["items"] == {"type": ["integer", "null"]}


def test_a_union_of_objects_is_one_object_that_requires_what_all_require() -> None:
    assert TAKEN["properties"]["scope"] == {
        "type": "object",
        "properties": {
            "kind": {"type": "string", "enum": ["all", "some"]},
            "names": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 3},
        },
        "required": ["kind"],
        "additionalProperties": False,
    }


def test_a_property_may_be_called_title_and_docstrings_and_generated_titles_are_left_out() -> None:
    text = json.dumps([TAKEN, EVERYTHING])
    assert '"Colour"' not in text
    assert "Not for hosts" not in text
    assert "only programmers" not in json.dumps(EVERYTHING)
    assert "A ratio" in text


def test_a_request_without_fields_is_an_object_that_takes_nothing() -> None:
    class Empty(Request):
        pass

    assert flat_schema(Empty, "input") == {"type": "object", "properties": {}, "additionalProperties": False}


def test_an_open_input_is_refused_where_it_is_built() -> None:
    class Open(BaseModel):
        model_config = ConfigDict(extra="ignore")
        a: int

    with pytest.raises(ValueError, match="Open: a tool's input must be closed"):
        flat_schema(Open, "input")


def test_an_output_that_is_no_object_is_refused_where_it_is_built() -> None:
    class Listed(RootModel[list[int]]):
        pass

    with pytest.raises(ValueError, match="Listed: a tool's output must be one object"):
        flat_schema(Listed, "output")


class Tree(Response):
    children: list[Tree]


def test_a_model_that_contains_itself_is_refused_where_it_is_built() -> None:
    with pytest.raises(ValueError, match="Tree contains itself"):
        flat_schema(Tree, "output")


def test_banned_keywords_are_found_wherever_they_hide() -> None:
    bad = {
        "$defs": {},
        "properties": {"a": {"items": {"anyOf": []}}, "const": {"type": "string"}},
        "additionalProperties": {"prefixItems": [{"const": 1}]},
    }
    assert list(banned_keywords(bad)) == [
        "#: $defs",
        "#/properties/a/items: anyOf",
        "#/additionalProperties/prefixItems/0: const",
    ]


def test_the_types_of_a_schema_are_a_set_however_they_are_written() -> None:
    assert types_of({"type": "string"}) == {"string"}
    assert types_of({"type": ["string", "null"]}) == {"string", "null"}
    assert types_of({}) == frozenset()
    assert [name for name, _ in children({"items": {}, "additionalProperties": False})] == ["items"]


SCALARS = [int, float, str, bool, Literal["x", "y"], list[int], dict[str, int], Leaf, All, Some, type(None)]


@given(st.lists(st.sampled_from(SCALARS), min_size=2, max_size=4), st.data())
def test_a_union_accepts_whatever_one_of_its_parts_does(parts: list[Any], data: st.DataObject) -> None:
    """Merging may widen, but must never refuse a value that the model lets out."""
    union: Any = parts[0]
    for part in parts[1:]:
        union = union | part

    class Holder(Response):
        value: union

    part = data.draw(st.sampled_from(parts))
    values = {
        int: st.integers(),
        float: st.floats(-9, 9),
        str: st.text(),
        bool: st.booleans(),
        list[int]: st.lists(st.integers()),
        dict[str, int]: st.dictionaries(st.text(), st.integers()),
        Leaf: LEAVES,
        All: st.just(All(kind="all")),
        Some: st.just(Some(kind="some", names=["n"])),
        type(None): st.none(),
        Literal["x", "y"]: st.sampled_from(["x", "y"]),
    }
    value = data.draw(values[part])
    holder = Holder(value=value)
    validate(holder.model_dump(mode="json"), flat_schema(Holder, "output"))
