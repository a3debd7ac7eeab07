"""What changed between two published schemas that would break somebody who relies on the old one.

Within a version only additions are allowed. For what a tool takes (`input`), every call that was right stays
right. For what it gives (`output`), every field that was there stays there, with its type. A document that is
both written and read later (`both`) keeps both promises. The schemas are flat, as `mcpkit.schema` makes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from mcpkit.schema import Schema, types_of

if TYPE_CHECKING:
    from collections.abc import Iterator

Side: TypeAlias = Literal["input", "output", "both"]

_LOWER = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_UPPER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
_FIXED = ("pattern", "format", "multipleOf", "uniqueItems")
_ANY = frozenset({"array", "boolean", "null", "number", "object", "string"})


def incompatible(old: Schema, new: Schema, *, side: Side) -> list[str]:
    """Return each breaking change as `place: what`, none for a compatible pair. A rename is a removal."""
    return list(_changes(old, new, side, ""))


def _changes(old: Schema, new: Schema, side: Side, at: str) -> Iterator[str]:
    here = at or "the whole"
    yield from (f"{here}: {change}" for change in _type_changes(old, new, side))
    yield from (f"{here}: {change}" for change in _enum_changes(old, new, side))
    if side != "output":
        yield from (f"{here}: {change}" for change in _narrower(old, new))
    yield from _property_changes(old, new, side, at)
    for keyword, mark in (("items", "[]"), ("additionalProperties", "{}")):
        before, after = old.get(keyword), new.get(keyword)
        if isinstance(before, dict) and isinstance(after, dict):
            yield from _changes(before, after, side, at + mark)
    for index, (before, after) in enumerate(
        zip(old.get("prefixItems", ()), new.get("prefixItems", ()), strict=False)
    ):
        yield from _changes(before, after, side, f"{at}[{index}]")


def _type_changes(old: Schema, new: Schema, side: Side) -> Iterator[str]:
    before, after = _types(old), _types(new)
    lost = before - after
    if side != "output" and lost:
        yield f"no longer takes {_named(lost)} (now {_named(after)})"
    gained = after - before
    if side != "input" and gained:
        yield f"may now be {_named(gained)} (was {_named(before)})"


def _types(schema: Schema) -> frozenset[str]:
    types = types_of(schema) or _ANY
    return types | {"integer"} if "number" in types else types


def _named(types: frozenset[str]) -> str:
    return "anything" if types >= _ANY else " or ".join(sorted(types))


def _enum_changes(old: Schema, new: Schema, side: Side) -> Iterator[str]:
    before, after = old.get("enum"), new.get("enum")
    if before is not None and after is not None:
        gone = [value for value in before if value not in after]
        if gone:
            yield f"lost the value {', '.join(map(repr, gone))}"
    elif after is not None and side != "output":
        yield f"takes only {', '.join(map(repr, after))} now"
    elif before is not None and side != "input":
        yield "may now be a value beyond its list"


def _narrower(old: Schema, new: Schema) -> Iterator[str]:
    for keywords, is_narrower in ((_LOWER, _raised), (_UPPER, _lowered)):
        for keyword in keywords:
            if keyword in new and is_narrower(old.get(keyword), new[keyword]):
                yield f"{keyword} went from {old.get(keyword, 'none')} to {new[keyword]}"
    for keyword in _FIXED:
        if keyword in new and new[keyword] != old.get(keyword):
            yield f"{keyword} went from {old.get(keyword, 'none')} to {new[keyword]}"
    if new.get("additionalProperties") is False and old.get("additionalProperties", True) is not False:
        yield "no longer takes further fields"


def _raised(before: float | None, after: float) -> bool:
    return before is None or after > before


def _lowered(before: float | None, after: float) -> bool:
    return before is None or after < before


def _property_changes(old: Schema, new: Schema, side: Side, at: str) -> Iterator[str]:
    before: dict[str, Any] = old.get("properties", {})
    after: dict[str, Any] = new.get("properties", {})
    was_required, is_required = set(old.get("required", ())), set(new.get("required", ()))
    for name, schema in before.items():
        place = f"{at}.{name}".removeprefix(".")
        if name not in after:
            yield f"{place}: removed or renamed"
            continue
        yield from _changes(schema, after[name], side, place)
        if side != "input" and name in was_required - is_required:
            yield f"{place}: may now be absent"
    if side != "output":
        yield from (
            f"{at}.{name}".removeprefix(".") + ": is now required"
            for name in sorted(is_required - was_required)
        )
