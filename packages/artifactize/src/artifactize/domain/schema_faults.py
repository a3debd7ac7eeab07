"""The JSON Schemas that declarations hold: valid themselves, and what is checked against them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from artifactize.domain.declarations import Json
    from artifactize.domain.fields import Table

_MAX_FAULT_CHARS = 300


def read_schema(table: Table, key: str) -> dict[str, Json] | None:
    """Return the schema at a key, None when there is none; that it is no schema of an object is noted."""
    nested = table.table(key)
    if nested is None:
        return None
    schema = nested.json()
    if (fault := schema_fault(schema)) is not None:
        table.add(key, fault)
    return schema


def schema_fault(schema: Mapping[str, Json]) -> str | None:
    """Return why this is no JSON Schema (2020-12) of an object, or None."""
    from jsonschema import Draft202012Validator, SchemaError  # deferred: most declarations hold none

    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as failure:
        return f"it is no JSON Schema: {failure.json_path}: {failure.message}"[:_MAX_FAULT_CHARS]
    if schema.get("type") != "object":
        return 'a schema of fields has type = "object"'
    if any("$ref" in str(key) for key in _keys(schema)):
        return "a schema of fields refers to nothing: write it without $ref"
    return None


def fields_fault(schema: Mapping[str, Json] | None, fields: Mapping[str, Json]) -> str | None:
    """Return where fields break their schema, by paths and rules and never by their values; None if nowhere.

    Without a schema there are no fields.
    """
    if schema is None:
        return "this verdict takes no fields" if fields else None
    from jsonschema import Draft202012Validator  # deferred, as above

    found = sorted(Draft202012Validator(schema).iter_errors(fields), key=lambda each: str(each.json_path))
    told = []
    for each in found[:5]:
        rule = f"{each.validator} {each.validator_value!r}"
        told.append(f"{each.json_path} breaks {rule[:_MAX_FAULT_CHARS]}")
    return "; ".join(told) or None


def _keys(value: object) -> list[str]:
    if isinstance(value, dict):
        return [*map(str, value), *(key for item in value.values() for key in _keys(item))]
    if isinstance(value, list):
        return [key for item in value for key in _keys(item)]
    return []
