"""From what a client sent to what a model takes; from what the model refuses to what a caller can fix.

Clients say "nothing" with `null`, send nested objects as their JSON text, and write whole numbers as
floats. All three are put right here, guided by the published schema; everything else is the model's to
judge, strictly.
"""

from __future__ import annotations

import json
import re
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, cast

from pydantic import BaseModel, ValidationError

from mcpkit.errors import InvalidArgumentsError
from mcpkit.example import example_of
from mcpkit.schema import Schema, types_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_REPORTED = 5
_SUBJECT = re.compile(r"^([A-Z][a-z]+ (?=should )|Value error, )")
_EXACT = 2**53  # beyond it a float does not name one integer
_EMPTY: Schema = {}
_JSON_NAMES = {
    dict: "an object",
    list: "an array",
    str: "a string",
    bool: "a boolean",
    int: "a number",
    float: "a number",
}


def parsed(model: type[BaseModel], arguments: object, schema: Schema) -> BaseModel:
    """The request that `arguments` are, judged as strictly as JSON allows: "5" and true are no integers.

    `schema` is the flat input schema of `model`. Raises InvalidArgumentsError.
    """
    given = normalised({} if arguments is None else arguments, schema)
    if not isinstance(given, dict):
        kind = _JSON_NAMES.get(type(given), "null")
        raise InvalidArgumentsError(
            f"the arguments must be one JSON object, not {kind}{_example(schema, ())}"
        )
    try:
        text = json.dumps(given, allow_nan=False)
    except ValueError as exc:
        raise InvalidArgumentsError(
            "a number in the arguments is not finite: JSON has no NaN and no Infinity"
        ) from exc
    try:
        return model.model_validate_json(text, strict=True)
    except ValidationError as exc:
        raise invalid_arguments(exc, schema) from exc


def normalised(value: object, schema: Schema) -> object:
    """`value` with the customs of clients undone, as far as `schema` says what was meant."""
    types = types_of(schema)
    if isinstance(value, str) and "string" not in types:
        value = _unpacked(value, types)
    if isinstance(value, float) and "integer" in types and value.is_integer() and abs(value) < _EXACT:
        return int(value)
    if isinstance(value, dict):
        return _normalised_object(value, schema)
    if isinstance(value, list) and isinstance(schema.get("items"), dict):
        return [normalised(item, schema["items"]) for item in value]
    return value


def invalid_arguments(error: ValidationError, schema: Schema | None = None) -> InvalidArgumentsError:
    """What is wrong with the arguments: each field, its rule and, where `schema` is known, an example."""
    flat = schema or _EMPTY
    problems = error.errors(include_url=False, include_input=False)
    lines = [_problem(cast("Mapping[str, Any]", problem), flat) for problem in problems[:_REPORTED]]
    if len(problems) > _REPORTED:
        lines.append(f"and {len(problems) - _REPORTED} more")
    return InvalidArgumentsError("; ".join(lines))


def _normalised_object(value: dict[str, object], schema: Schema) -> dict[str, object]:
    properties: Mapping[str, Schema] = schema.get("properties", {})
    rest = schema.get("additionalProperties")
    kept: dict[str, object] = {}
    for name, item in value.items():
        child = properties.get(name, rest if isinstance(rest, dict) else _EMPTY)
        if item is None and name in properties and _means_absent(child):
            continue
        kept[name] = normalised(item, child)
    return kept


def _means_absent(schema: Schema) -> bool:
    types = types_of(schema)
    return bool(types or "enum" in schema) and "null" not in types


def _unpacked(text: str, types: frozenset[str]) -> object:
    """The object or array that `text` is the JSON of, where `types` asks for one; else `text` itself."""
    wanted = tuple(kind for name, kind in (("object", dict), ("array", list)) if name in types)
    if not wanted:
        return text
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, wanted) else text


def _problem(problem: Mapping[str, Any], schema: Schema) -> str:
    location = _path(problem["loc"], schema)
    if problem["type"] == "extra_forbidden":
        return _unknown(location, schema)
    rule = "is required" if problem["type"] == "missing" else _SUBJECT.sub("", str(problem["msg"]))
    name = _dotted(location)
    return f"`{name}` {rule}{_example(schema, location)}" if name else f"{rule}{_example(schema, ())}"


def _unknown(location: tuple[str | int, ...], schema: Schema) -> str:
    known = list(_at(schema, location[:-1]).get("properties", {}))
    name = str(location[-1])
    near = get_close_matches(name, known, n=1)
    guess = f", did you mean `{near[0]}`?" if near else ""
    accepted = f" (accepted: {', '.join(known)})" if known else ""
    return f"`{_dotted(location)[:200]}` is not an argument{guess}{accepted}"


def _path(location: Iterable[str | int], schema: Schema) -> tuple[str | int, ...]:
    """`location` without the steps that pydantic takes inside unions, which no caller can see."""
    steps = list(location)
    path: list[str | int] = []
    here = schema
    for index, step in enumerate(steps):
        known = step in here.get("properties", _EMPTY) or isinstance(step, int)
        if not schema or known or isinstance(here.get("additionalProperties"), dict):
            path.append(step)
            here = _child(here, step)
        elif index == len(steps) - 1 and "properties" in here:
            path.append(step)
    return tuple(path)


def _at(schema: Schema, location: Iterable[str | int]) -> Schema:
    for step in location:
        schema = _child(schema, step)
    return schema


def _child(schema: Schema, step: str | int) -> Schema:
    if isinstance(step, int):
        found = schema.get("items", _EMPTY)
    else:
        found = schema.get("properties", _EMPTY).get(step, schema.get("additionalProperties", _EMPTY))
    return found if isinstance(found, dict) else _EMPTY


def _dotted(location: Iterable[str | int]) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in location).removeprefix(
        "."
    )


def _example(schema: Schema, location: tuple[str | int, ...]) -> str:
    """`; example: {"limit": 50}`, for the argument at `location` or for the whole; or nothing."""
    names = [step for step in location[:1] if isinstance(step, str)]
    value = example_of(_at(schema, names)) if names else example_of(schema)
    if value is None or value == {}:
        return ""
    shown = {names[0]: value} if names else value
    return f"; example: {json.dumps(shown, ensure_ascii=False)[:500]}"
