from __future__ import annotations

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpkit.example import example_of

BOUND = st.none() | st.integers(-50, 50)


def with_bounds(kind: str, low_word: str, high_word: str, low: int, width: int) -> dict[str, object]:
    return {"type": kind, low_word: low, high_word: low + width}


NUMBERS = st.builds(
    with_bounds,
    st.sampled_from(["integer", "number"]),
    st.sampled_from(["minimum", "exclusiveMinimum"]),
    st.sampled_from(["maximum", "exclusiveMaximum"]),
    st.integers(-50, 50),
    st.integers(2, 20),
)
STRINGS = st.builds(
    with_bounds,
    st.just("string"),
    st.just("minLength"),
    st.just("maxLength"),
    st.integers(0, 9),
    st.integers(0, 9),
)
SCALARS = NUMBERS | STRINGS | st.just({"type": "boolean"}) | st.just({"enum": ["a", "b"], "type": "string"})
ARRAYS = st.builds(
    lambda item, least: {"type": "array", "items": item, "minItems": least}, SCALARS, st.integers(0, 3)
)
OBJECTS = st.builds(
    lambda properties: {"type": "object", "properties": properties, "required": list(properties)},
    st.dictionaries(st.sampled_from("abc"), SCALARS | ARRAYS, max_size=3),
)


@given(SCALARS | ARRAYS | OBJECTS)
def test_an_example_fits_its_schema(schema: dict[str, object]) -> None:
    jsonschema.validate(example_of(schema), schema)


@pytest.mark.parametrize(
    ("schema", "example"),
    [
        ({"type": "string", "examples": ["/srv/p"], "default": "/"}, "/srv/p"),
        ({"type": "integer", "default": 50, "minimum": 1}, 50),
        ({"type": ["integer", "null"], "minimum": 3}, 3),
        ({"type": "integer", "multipleOf": 10, "minimum": 15}, 20),
    ],
)
def test_an_own_example_wins_over_a_default_over_a_made_one(
    schema: dict[str, object], example: object
) -> None:
    assert example_of(schema) == example


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "pattern": "^x+$"},
        {"type": "string", "format": "uri"},
        {},
        {"type": "integer", "minimum": 5, "maximum": 4},
        {"type": "object", "properties": {"a": {"type": "string", "pattern": "x"}}, "required": ["a"]},
    ],
)
def test_where_none_can_be_told_there_is_none(schema: dict[str, object]) -> None:
    assert example_of(schema) is None
