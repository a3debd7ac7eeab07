"""An example value for a flat schema, for messages that tell a caller what would have been right."""

from __future__ import annotations

import math
from typing import Any, cast

from mcpkit.schema import Schema, types_of

Example = Any
"""A JSON value that the schema accepts; None when none can be told (as for a pattern without an example)."""


def example_of(schema: Schema) -> Example:
    """The schema's own example or default, or the simplest value its bounds allow."""
    for keyword in ("examples", "enum"):
        if schema.get(keyword):
            return schema[keyword][0]
    if "default" in schema:
        return schema["default"]
    types = types_of(schema)
    for name, made in (("object", _object), ("array", _array), ("string", _string), ("boolean", _boolean)):
        if name in types:
            return made(schema)
    return _number(schema) if types & {"integer", "number"} else None


def _object(schema: Schema) -> Example:
    properties = schema.get("properties", {})
    values = {name: example_of(properties.get(name, {})) for name in schema.get("required", ())}
    return None if None in values.values() else values


def _array(schema: Schema) -> Example:
    item = example_of(schema.get("items", {}))
    return None if item is None else [item] * max(1, int(schema.get("minItems", 1)))


def _string(schema: Schema) -> Example:
    if "pattern" in schema or "format" in schema:
        return None
    return "text"[: schema.get("maxLength", 4)].ljust(schema.get("minLength", 0), "x")


def _boolean(_schema: Schema) -> Example:
    return True


def _number(schema: Schema) -> Example:
    """The smallest number that keeps the bounds, or 1 where that is among them."""
    low = schema.get("minimum", cast("float", schema.get("exclusiveMinimum", -math.inf)) + 1)
    high = schema.get("maximum", cast("float", schema.get("exclusiveMaximum", math.inf)) - 1)
    step = schema.get("multipleOf")
    if step is not None:
        value = math.ceil(low / step) * step if math.isfinite(low) else step
    else:
        value = min(max(1, low), high)
    return value if low <= value <= high else None
