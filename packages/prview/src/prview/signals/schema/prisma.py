"""What changes between two Prisma schemas (pure)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from prview.signals.schema.operation import SchemaOperation

if TYPE_CHECKING:
    from collections.abc import Iterator

_BLOCK = re.compile(r"^(?P<kind>model|enum|view)\s+(?P<name>\w+)\s*\{")
_FIELD = re.compile(r"^\s+(?P<name>\w+)(?:\s+(?P<type>\w+)(?P<many>\[\])?(?P<optional>\?)?(?P<rest>.*))?$")
_FILLED = re.compile(r"@(?:default|updatedAt)\b")


@dataclass(frozen=True)
class _Field:
    line: int
    type: str
    required: bool


@dataclass(frozen=True)
class _Block:
    kind: str
    line: int
    fields: dict[str, _Field] = field(default_factory=dict)


def prisma_operations(old: str, new: str) -> list[SchemaOperation]:
    """What a database has to go through to get from one schema to the other."""
    before, after = _blocks(old), _blocks(new)
    found: list[SchemaOperation] = []
    for name, block in before.items():
        now = after.get(name)
        if now is None:
            if block.kind == "model":
                found.append(SchemaOperation("drop-table", 1, name, f"model {name} is gone"))
        else:
            found += _changes(name, block, now, models=frozenset(before) | frozenset(after))
    return sorted(found, key=lambda item: (item.line, item.target))


def _changes(name: str, old: _Block, new: _Block, *, models: frozenset[str]) -> Iterator[SchemaOperation]:
    rule = "drop-value" if old.kind == "enum" else "drop-column"
    for key, was in old.fields.items():
        now = new.fields.get(key)
        target = f"{name}.{key}"
        if now is None and was.type not in models:
            yield SchemaOperation(rule, new.line, target, f"{target} is gone")
        elif now is not None and now.type != was.type and was.type not in models:
            yield SchemaOperation("type-change", now.line, target, f"{target} becomes {now.type}")
        elif now is not None and now.required and not was.required and was.type not in models:
            yield SchemaOperation("not-null", now.line, target, f"{target} becomes required")
    for key, now in new.fields.items():
        if key not in old.fields and now.required and now.type not in models and new.kind == "model":
            target = f"{name}.{key}"
            yield SchemaOperation("not-null", now.line, target, f"{target} is required and has no default")


def _blocks(text: str) -> dict[str, _Block]:
    found: dict[str, _Block] = {}
    block: _Block | None = None
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.split("//", 1)[0].rstrip()
        if opening := _BLOCK.match(bare):
            block = found[opening["name"]] = _Block(opening["kind"], number)
        elif bare == "}":
            block = None
        elif block and (match := _FIELD.match(bare)):
            block.fields[match["name"]] = _field(match, number)
    return found


def _field(match: re.Match[str], line: int) -> _Field:
    required = bool(match["type"]) and not match["many"] and not match["optional"]
    return _Field(line, match["type"] or "", required and not _FILLED.search(match["rest"] or ""))
