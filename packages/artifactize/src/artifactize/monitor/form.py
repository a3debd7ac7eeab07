"""A form from a JSON Schema of one object: a field for each property, checked when it is read."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from textual.containers import Vertical
from textual.widgets import Checkbox, Input, Label, Select, TextArea

from artifactize.monitor.words import safe

if TYPE_CHECKING:
    from collections.abc import Mapping

    from textual.app import ComposeResult

    from artifactize.domain.declarations import Json

_LONG = 200


class FieldFault(Exception):  # noqa: N818 - told to the person who fills the form
    """A field whose text is not what its type asks for."""


@dataclass(frozen=True, slots=True)
class Field:
    """One property of the schema."""

    name: str
    schema: Mapping[str, Any]
    required: bool

    @property
    def label(self) -> str:
        """What stands above the field."""
        about = self.schema.get("title") or self.schema.get("description") or ""
        needed = " (required)" if self.required else ""
        return safe(f"{self.name}{needed}{': ' + str(about) if about else ''}")

    @property
    def kind(self) -> str:
        """`choice`, `boolean`, `integer`, `number`, `text`, `long` or `json`."""
        if isinstance(self.schema.get("enum"), list):
            return "choice"
        declared = self.schema.get("type")
        if declared in {"boolean", "integer", "number"}:
            return str(declared)
        if declared == "string":
            return "long" if int(self.schema.get("maxLength", 0)) > _LONG else "text"
        return "json"

    def value(self, raw: object) -> Json:
        """Return what was filled in as JSON. Raises FieldFault."""
        if self.kind == "choice":
            return cast("Json", self.schema["enum"][int(str(raw))])
        if self.kind in {"boolean", "text", "long"}:
            return cast("Json", raw)
        return self._parsed(str(raw))

    def _parsed(self, text: str) -> Json:
        try:
            if self.kind == "integer":
                return int(text)
            if self.kind == "number":
                return float(text)
            return cast("Json", json.loads(text))
        except ValueError as failure:
            wanted = {"json": "JSON", "integer": "a whole number"}.get(self.kind, "a number")
            raise FieldFault(f"{self.name} is {wanted}: {safe(text[:80])!r} is not") from failure


def fields_of(schema: Mapping[str, Json] | None) -> tuple[Field, ...]:
    """Return the fields that a schema asks for, required ones first; none without a schema."""
    found = {} if schema is None else schema.get("properties", {})
    properties = found if isinstance(found, dict) else {}
    required = schema.get("required", []) if schema is not None else []
    needed = set(map(str, required)) if isinstance(required, list) else set()
    fields = [
        Field(name, declared if isinstance(declared, dict) else {}, name in needed)
        for name, declared in properties.items()
    ]
    return tuple(sorted(fields, key=lambda each: not each.required))


class SchemaForm(Vertical):
    """The fields of one schema; `filled` gives what is in them."""

    DEFAULT_CSS = "SchemaForm { height: auto; } SchemaForm TextArea { height: 5; }"

    def __init__(self, schema: Mapping[str, Json] | None, *, id: str) -> None:  # noqa: A002 - as in Textual
        super().__init__(id=id)
        self.fields = fields_of(schema)

    def compose(self) -> ComposeResult:
        """Make a label and a widget for each field."""
        if not self.fields:
            yield Label("this verdict takes no fields", markup=False)
        for number, field in enumerate(self.fields):
            yield Label(field.label, markup=False)
            yield _widget(field, f"field-{number}")

    def filled(self) -> dict[str, Json]:
        """Return what was filled in; empty fields that are not required are left out. Raises FieldFault."""
        found: dict[str, Json] = {}
        for number, field in enumerate(self.fields):
            raw = _raw(self.query_one(f"#field-{number}"))
            if raw is not None:
                found[field.name] = field.value(raw)
            elif field.required:
                raise FieldFault(f"{field.name} is required")
        return found


def _widget(field: Field, identity: str) -> Input | Checkbox | Select[int] | TextArea:
    kind = field.kind
    if kind == "choice":
        choices = [(safe(str(each)), number) for number, each in enumerate(field.schema["enum"])]
        return Select(choices, id=identity)
    if kind == "boolean":
        return Checkbox(field.name, id=identity)
    if kind == "json":
        return TextArea(id=identity)
    if kind == "long":
        return TextArea(id=identity)
    return Input(id=identity)


def _raw(widget: object) -> object | None:
    """Return what is in a widget, None for nothing."""
    if isinstance(widget, Checkbox):
        return widget.value
    if isinstance(widget, Select):
        return None if widget.is_blank() else widget.value
    text = widget.text if isinstance(widget, TextArea) else cast("Input", widget).value
    return text if text.strip() else None
