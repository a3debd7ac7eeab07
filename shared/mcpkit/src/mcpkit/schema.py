"""JSON Schemas as MCP hosts can take them: one flat object, every definition in its place, no unions.

Hosts reject, drop or garble `$ref`, `$defs`, `anyOf`, `oneOf`, `allOf` and `const`. A nullable input
property is published as its type alone (leaving it out is the way to say nothing; `null` is taken for
that). A nullable output, which a client validates, is published as `"type": [T, "null"]`. A union of
objects becomes one object with all their properties, a union of types a list of types. Where that is not
exact, the published schema accepts more than the model, never less, and the model has the last word.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

if TYPE_CHECKING:
    from pydantic import BaseModel

Schema: TypeAlias = dict[str, Any]
BANNED = frozenset(
    {"$ref", "$defs", "definitions", "anyOf", "oneOf", "allOf", "not", "const", "if", "then", "else"}
)

_DROPPED = frozenset({"$defs", "title", "discriminator"})
_SIDE = {"input": "validation", "output": "serialization"}
_LOWER_BOUNDS = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_UPPER_BOUNDS = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")


def flat_schema(model: type[BaseModel], side: Literal["input", "output"]) -> Schema:
    """The schema of `model` as one flat object, for what a tool takes or for what it gives.

    Raises ValueError when the model is no object, contains itself, or, as an input, is not closed.
    """
    mode = cast("Literal['validation', 'serialization']", _SIDE[side])
    raw = model.model_json_schema(by_alias=True, mode=mode)
    schema = _Flattening(raw.get("$defs", {}), side=side).schema(raw)
    if schema.get("type") != "object":
        raise ValueError(f"{model.__name__}: a tool's {side} must be one object, so use a model with fields")
    if side == "input" and schema.get("additionalProperties") is not False:
        raise ValueError(
            f"{model.__name__}: a tool's input must be closed (derive it from mcpkit.models.Request)"
        )
    schema.pop("description", None)  # the model's docstring; the tool's own description is the service's
    return {"type": "object", "properties": {}, **schema}


def types_of(schema: Mapping[str, Any]) -> frozenset[str]:
    """The JSON types that `schema` names; empty when it takes any."""
    declared = schema.get("type", ())
    return frozenset((declared,) if isinstance(declared, str) else declared)


def banned_keywords(schema: Mapping[str, Any], at: str = "#") -> Iterator[str]:
    """Where `schema` uses a keyword that some host cannot take, as `#/properties/x: anyOf`."""
    yield from (f"{at}: {keyword}" for keyword in sorted(BANNED & schema.keys()))
    for name, child in children(schema):
        yield from banned_keywords(child, f"{at}/{name}")


def children(schema: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The schemas directly inside of a flat `schema`, with their places in it."""
    for name, child in schema.get("properties", {}).items():
        yield f"properties/{name}", child
    for keyword in ("items", "additionalProperties"):
        if isinstance(schema.get(keyword), Mapping):
            yield keyword, schema[keyword]
    for index, child in enumerate(schema.get("prefixItems", ())):
        yield f"prefixItems/{index}", child


class _Flattening:
    """One pass over a schema whose definitions are known."""

    def __init__(self, definitions: Mapping[str, Schema], *, side: str) -> None:
        self._definitions = definitions
        self._input = side == "input"
        self._open: list[str] = []  # the definitions we are inside of

    def schema(self, node: Schema, *, may_be_absent: bool = False) -> Schema:
        """`node` without references and unions; `may_be_absent`: it is a property that can be left out."""
        flat: Schema = {}
        if "$ref" in node:
            flat = self._referred(node["$ref"])
        for part in node.get("allOf", ()):
            flat |= self.schema(part)
        for keyword in ("anyOf", "oneOf"):
            if keyword in node:
                flat |= self._union(node[keyword], drop_null=may_be_absent)
        return flat | self._own(node)

    def _referred(self, reference: str) -> Schema:
        name = reference.removeprefix("#/$defs/")
        if name in self._open:
            raise ValueError(f"{name} contains itself: a flat schema cannot say that; use pydantic.JsonValue")
        self._open.append(name)
        try:
            flat = self.schema(self._definitions[name])
        finally:
            self._open.pop()
        if not self._input:
            flat.pop(
                "description", None
            )  # a docstring for programmers; every host pays for it in its context
        return flat

    def _own(self, node: Schema) -> Schema:
        own: Schema = {}
        for keyword, value in node.items():
            if keyword in BANNED or keyword in _DROPPED:
                continue
            own[keyword] = self._keyword(keyword, value)
        if "const" in node:
            own["enum"] = [node["const"]]
        if "default" in own and (not self._input or own["default"] is None):
            del own["default"]
        return own

    def _keyword(self, keyword: str, value: Any) -> Any:  # noqa: ANN401 - any keyword's value
        if keyword == "properties":
            return {name: self.schema(child, may_be_absent=self._input) for name, child in value.items()}
        if keyword in {"items", "additionalProperties"} and isinstance(value, dict):
            return self.schema(value)
        if keyword == "prefixItems":
            return [self.schema(child) for child in value]
        return value

    def _union(self, variants: list[Schema], *, drop_null: bool) -> Schema:
        flat = [self.schema(variant) for variant in variants]
        merged: Schema | None = None
        for variant in flat:
            if types_of(variant) != {"null"}:
                merged = variant if merged is None else _either(merged, variant)
        if merged is None:
            return {"type": "null"}
        has_null = any(types_of(variant) == {"null"} for variant in flat)
        return _nullable(merged) if has_null and not drop_null else merged


def _nullable(schema: Schema) -> Schema:
    types = types_of(schema)
    if not types and "enum" not in schema:
        return schema  # takes anything, null too
    nullable = dict(schema)
    if types:
        nullable["type"] = [*sorted(types - {"null"}), "null"]
    if "enum" in schema and None not in schema["enum"]:
        nullable["enum"] = [*schema["enum"], None]
    return nullable


def _either(one: Schema, other: Schema) -> Schema:
    """A schema that takes whatever `one` or `other` takes, as narrow as flat schemas allow."""
    if one == other:
        return one
    types, others = types_of(one), types_of(other)
    if not types or not others:
        return _common(one, other, ("description",))
    merged: Schema = {"type": _type_keyword(types | others)}
    merged |= _common(one, other, ("description", "examples", "format", "pattern"))
    if "enum" in one and "enum" in other:
        merged["enum"] = [*one["enum"], *(value for value in other["enum"] if value not in one["enum"])]
    merged |= _bounds(one, other)
    merged |= _object_part(one, other) | _array_part(one, other)
    return merged


def _type_keyword(types: frozenset[str]) -> str | list[str]:
    if "number" in types:
        types -= {"integer"}
    return next(iter(types)) if len(types) == 1 else sorted(types)


def _common(one: Schema, other: Schema, keywords: tuple[str, ...]) -> Schema:
    return {key: one[key] for key in keywords if key in one and key in other and one[key] == other[key]}


def _bounds(one: Schema, other: Schema) -> Schema:
    bounds: Schema = {key: min(one[key], other[key]) for key in _LOWER_BOUNDS if key in one and key in other}
    bounds |= {key: max(one[key], other[key]) for key in _UPPER_BOUNDS if key in one and key in other}
    return bounds


def _object_part(one: Schema, other: Schema) -> Schema:
    """The object keywords of a union: of the one that is an object, or of both together."""
    objects = [schema for schema in (one, other) if "object" in types_of(schema)]
    if len(objects) < 2:  # noqa: PLR2004 - one, other
        return {k: v for schema in objects for k, v in schema.items() if k in _OBJECT_KEYWORDS}
    required = [name for name in one.get("required", ()) if name in other.get("required", ())]
    part: Schema = {"required": required} if required else {}
    if one.get("additionalProperties") is False and other.get("additionalProperties") is False:
        part |= {"properties": _merged_properties(one, other), "additionalProperties": False}
    return part


def _merged_properties(one: Schema, other: Schema) -> Schema:
    properties = dict(one.get("properties", {}))
    for name, child in other.get("properties", {}).items():
        properties[name] = _either(properties[name], child) if name in properties else child
    return properties


def _array_part(one: Schema, other: Schema) -> Schema:
    arrays = [schema for schema in (one, other) if "array" in types_of(schema)]
    if len(arrays) < 2:  # noqa: PLR2004 - one, other
        return {k: v for schema in arrays for k, v in schema.items() if k in _ARRAY_KEYWORDS}
    if "items" in one and "items" in other:
        return {"items": _either(one["items"], other["items"])}
    return {}


_OBJECT_KEYWORDS = frozenset(
    {"properties", "required", "additionalProperties", "minProperties", "maxProperties"}
)
_ARRAY_KEYWORDS = frozenset({"items", "prefixItems", "minItems", "maxItems", "uniqueItems"})
