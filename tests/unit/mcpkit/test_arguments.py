"""What clients really send, and what they are told when it does not fit."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any, Literal

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field, JsonValue, ValidationError, field_validator

from mcpkit.arguments import invalid_arguments, normalised, parsed
from mcpkit.errors import InvalidArgumentsError
from mcpkit.models import Request, Wire
from mcpkit.schema import flat_schema


class All(Wire):
    kind: Literal["all"]


class Some(Wire):
    kind: Literal["some"]
    names: list[str] = Field(min_length=1)
    depth: int | None = None


class Ask(Request):
    repo: str = Field(examples=["/srv/project"], min_length=1, max_length=10)
    limit: int = Field(50, ge=1, le=1000)
    deep: bool | None = None
    scope: Annotated[All | Some, Field(discriminator="kind")] | None = None
    tags: list[str] | None = None
    data: JsonValue = None
    ratio: float | None = None
    where: Path | None = None

    @field_validator("where")
    @classmethod
    def _absolute(cls, path: Path | None) -> Path | None:
        if path is not None and not path.is_absolute():
            raise ValueError("must be absolute")
        return path


SCHEMA = flat_schema(Ask, "input")


def parse(**arguments: object) -> Ask:
    request = parsed(Ask, {"repo": "/r", **arguments}, SCHEMA)
    assert isinstance(request, Ask)
    return request


def refusal(arguments: object) -> str:
    with pytest.raises(InvalidArgumentsError) as caught:
        parsed(Ask, arguments, SCHEMA)
    return caught.value.text


def test_null_means_absent_at_every_depth() -> None:
    request = parse(limit=None, deep=None, scope={"kind": "some", "names": ["n"], "depth": None}, tags=None)
    assert request == Ask(repo="/r", scope=Some(kind="some", names=["n"]))


def test_null_stays_null_where_the_value_is_the_callers_own() -> None:
    assert parse(data={"a": None, "b": [None]}).data == {"a": None, "b": [None]}


@pytest.mark.parametrize(
    ("arguments", "field", "value"),
    [
        ({"scope": '{"kind":"all"}'}, "scope", All(kind="all")),
        ({"scope": {"kind": "some", "names": '["a"]'}}, "scope", Some(kind="some", names=["a"])),
        ({"tags": '["x"]'}, "tags", ["x"]),
        ({"limit": 5.0}, "limit", 5),
        ({"ratio": 5}, "ratio", 5.0),
        ({"where": "/x"}, "where", Path("/x")),
        ({"data": '{"kept": "as text"}'}, "data", '{"kept": "as text"}'),
    ],
)
def test_what_clients_mean_is_understood(arguments: dict[str, object], field: str, value: object) -> None:
    assert getattr(parse(**arguments), field) == value


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({}, '`repo` is required; example: {"repo": "/srv/project"}'),
        ({"repo": "/r", "limit": "5"}, '`limit` should be a valid integer; example: {"limit": 50}'),
        ({"repo": "/r", "limit": True}, '`limit` should be a valid integer; example: {"limit": 50}'),
        ({"repo": "/r", "limit": 5.5}, "`limit` should be a valid integer"),
        ({"repo": "/r", "limit": 0}, '`limit` should be greater than or equal to 1; example: {"limit": 50}'),
        ({"repo": "/r", "deep": "true"}, '`deep` should be a valid boolean; example: {"deep": true}'),
        ({"repo": "/r", "deep": 1}, "`deep` should be a valid boolean"),
        ({"repo": 5}, '`repo` should be a valid string; example: {"repo": "/srv/project"}'),
        ({"repo": "x" * 11}, "`repo` should have at most 10 characters"),
        ({"repo": "/r", "tags": "x"}, '`tags` should be a valid array; example: {"tags": ["text"]}'),
        ({"repo": "/r", "tags": [1]}, "`tags[0]` should be a valid string"),
        ({"repo": "/r", "tags": "{}"}, "`tags` should be a valid array"),
        (
            {"repo": "/r", "limt": 5},
            "`limt` is not an argument, did you mean `limit`? (accepted: repo, limit,",
        ),
        ({"repo": "/r", "zzz": None}, "`zzz` is not an argument (accepted: repo, limit,"),
        ({"repo": "/r", "scope": "all"}, '`scope` should be an object; example: {"scope": {"kind": "all"}}'),
        ({"repo": "/r", "scope": {"kind": "all", "x": 1}}, "`scope.x` is not an argument (accepted: kind,"),
        ({"repo": "/r", "scope": {"kind": "some"}}, "`scope.names` is required"),
        (
            {"repo": "/r", "scope": {"kind": "some", "names": [1]}},
            "`scope.names[0]` should be a valid string",
        ),
        (
            {"repo": "/r", "scope": {"kind": "odd"}},
            "'odd' found using 'kind' does not match any of the expected",
        ),
        ({"repo": "/r", "where": "x"}, "`where` must be absolute"),
        ({"repo": "/r", "ratio": math.nan}, "a number in the arguments is not finite"),
        ([], "the arguments must be one JSON object, not an array"),
        (5, "the arguments must be one JSON object, not a number"),
        (True, "the arguments must be one JSON object, not a boolean"),
        ("x", "the arguments must be one JSON object, not a string"),
    ],
)
def test_a_refusal_names_field_rule_and_example(arguments: object, told: str) -> None:
    assert told in refusal(arguments)


def test_no_arguments_are_an_empty_object_and_an_object_may_come_as_its_json() -> None:
    assert "`repo` is required" in refusal(None)
    assert parsed(Ask, '{"repo":"/r"}', SCHEMA) == Ask(repo="/r")


def test_many_problems_are_counted_beyond_the_fifth() -> None:
    told = refusal({"repo": "/r", **{f"x{n}": 1 for n in range(7)}})
    assert told.count("is not an argument") == 5
    assert told.endswith("; and 2 more")


def test_an_argument_with_an_endless_name_is_told_briefly() -> None:
    assert len(refusal({"repo": "/r", "x" * 10_000: 1})) < 500


def test_a_number_that_no_float_can_hold_exactly_stays_a_float_and_is_refused() -> None:
    assert "`limit` should be a valid integer" in refusal({"repo": "/r", "limit": 1e300})


def test_without_a_schema_a_refusal_still_names_field_and_rule() -> None:
    """A command line builds requests itself and has no schema at hand."""
    with pytest.raises(ValidationError) as caught:
        Ask(repo="", limit=0)
    assert invalid_arguments(caught.value).text == (
        "`repo` should have at least 1 character; `limit` should be greater than or equal to 1"
    )


VALUES: dict[str, st.SearchStrategy[Any]] = {
    "limit": st.integers(-5, 1005) | st.just(7.0),
    "deep": st.booleans(),
    "scope": st.just({"kind": "all"})
    | st.builds(dict, kind=st.just("some"), names=st.lists(st.text(), max_size=2)),
    "tags": st.lists(st.text(), max_size=2),
    "data": st.none() | st.dictionaries(st.text(), st.none() | st.integers(), max_size=2),
    "ratio": st.floats(-9, 9) | st.integers(),
}
REPO = st.text(min_size=1, max_size=10)
WRONG = st.none() | st.integers() | st.text(max_size=5) | st.booleans() | st.lists(st.integers(), max_size=2)
ARGUMENTS = st.fixed_dictionaries({"repo": REPO}, optional=VALUES) | st.dictionaries(
    st.sampled_from(["repo", *VALUES, "other"]), WRONG
)
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def is_taken(arguments: object) -> bool:
    try:
        parsed(Ask, arguments, SCHEMA)
    except InvalidArgumentsError:
        return False
    return True


@given(ARGUMENTS)
def test_what_the_published_schema_takes_is_taken(arguments: dict[str, Any]) -> None:
    """Except in `scope`, a union, whose published form is wider than the model."""
    arguments.pop("scope", None)
    assert is_taken(arguments) or not VALIDATOR.is_valid(arguments)


@given(ARGUMENTS)
def test_what_is_taken_fits_the_published_schema_once_the_customs_of_clients_are_undone(
    arguments: dict[str, Any],
) -> None:
    assert VALIDATOR.is_valid(normalised(arguments, SCHEMA)) or not is_taken(arguments)


@given(st.recursive(WRONG | st.floats(), lambda inner: st.dictionaries(st.text(), inner) | st.lists(inner)))
def test_no_arguments_whatsoever_cause_anything_but_a_refusal(arguments: object) -> None:
    assert is_taken(arguments) in {True, False}
