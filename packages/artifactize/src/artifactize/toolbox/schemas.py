"""What the built-in tools take, and checking what they and declared ones are given."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from artifactize.toolbox.contract import ToolFault
from artifactize.toolbox.patterns import compiled
from mcpkit.text import escape_untrusted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from artifactize.domain.declarations import Json

MAX_PATH = 4096
_MAX_FAULT_CHARS = 400


def path(description: str) -> dict[str, Json]:
    """Return the schema of a path argument."""
    return {"type": "string", "maxLength": MAX_PATH, "description": description}


def text(description: str, *, most: int = 1024, least: int = 0) -> dict[str, Json]:
    """Return the schema of a text argument; lengths in characters."""
    return {"type": "string", "minLength": least, "maxLength": most, "description": description}


def whole(description: str, *, least: int, most: int, default: int) -> dict[str, Json]:
    """Return the schema of a whole number."""
    return {
        "type": "integer",
        "minimum": least,
        "maximum": most,
        "default": default,
        "description": description,
    }


def flag(description: str) -> dict[str, Json]:
    """Return the schema of a switch that is off by default."""
    return {"type": "boolean", "default": False, "description": description}


def closed(required: tuple[str, ...] = (), /, **properties: dict[str, Json]) -> dict[str, Json]:
    """Return the schema of an object with these properties and no others."""
    return {
        "type": "object",
        "properties": cast("dict[str, Json]", properties),
        "required": list(required),
        "additionalProperties": False,
    }


def check_arguments(schema: Mapping[str, Json], arguments: object) -> None:
    """Check a call's arguments. Raises ToolFault `INVALID_ARGUMENTS` that names the place and the rule."""
    if not isinstance(arguments, dict):
        raise ToolFault("INVALID_ARGUMENTS", "the arguments are one JSON object")
    _refuse_half_characters(arguments)
    try:
        faults = list(_faults(schema, arguments))
    except RecursionError as failure:
        raise ToolFault("INVALID_ARGUMENTS", "the arguments are nested too deeply") from failure
    if faults:
        raise ToolFault("INVALID_ARGUMENTS", escape_untrusted("; ".join(faults[:3])))


def schema_fault(schema: Mapping[str, Json]) -> str | None:
    """Return what is wrong with a JSON Schema (draft 2020-12), or None. References stay inside of it."""
    from jsonschema.exceptions import SchemaError  # deferred: 60 ms, and only some edges check schemas

    try:
        _validator_class().check_schema(schema)
    except SchemaError as failure:
        return f"{failure.json_path}: {failure.message}"[:_MAX_FAULT_CHARS]
    return None if schema.get("type") == "object" else 'the schema of a tool\'s input has type = "object"'


def _refuse_half_characters(arguments: Mapping[str, Any]) -> None:
    """Refuse what JSON can spell and no text can hold: one half of a surrogate pair."""
    try:
        json.dumps(arguments, ensure_ascii=False).encode()
    except (UnicodeEncodeError, RecursionError, TypeError) as failure:
        raise ToolFault(
            "INVALID_ARGUMENTS", "the arguments are no JSON that can be written as UTF-8"
        ) from failure


def _faults(schema: Mapping[str, Json], arguments: dict[str, Any]) -> Iterator[str]:
    from referencing import Registry  # deferred, as above
    from referencing.exceptions import Unresolvable

    # an empty registry: no reference is ever fetched
    validator = _validator_class()(schema, registry=Registry())
    try:
        for failure in validator.iter_errors(arguments):
            place = failure.json_path.removeprefix("$").lstrip(".")
            said = failure.message[:_MAX_FAULT_CHARS]
            yield f"{place}: {said}" if place else said
    except Unresolvable as failure:
        yield f"the tool's schema refers to what it does not hold: {failure}"[:_MAX_FAULT_CHARS]


@cache
def _validator_class() -> Any:  # noqa: ANN401 - jsonschema makes classes at run time
    from jsonschema import validators  # deferred, as above

    extend: Any = validators.extend  # the stubs leave it untyped
    return extend(validators.Draft202012Validator, {"pattern": _pattern})


def _pattern(_validator: object, expression: str, value: object, _schema: object) -> Iterator[Exception]:
    """Match `pattern` without backtracking: the value comes from a model, the expression from a person."""
    from jsonschema.exceptions import ValidationError  # deferred, as above

    if not isinstance(value, str):
        return
    if compiled(expression, regex=True, ignore_case=False).search(value.encode()) is None:
        yield ValidationError(f"{value[:80]!r} does not match {expression!r}")
