"""What must hold for every tool and result of every server; some host breaks where it does not."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from mcpkit.operation import NAME_PATTERN
from mcpkit.schema import banned_keywords, children, types_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

MAX_RESULT_BYTES = 64 * 1024
_HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
Json = dict[str, Any]


def check_tools(tools: Iterable[Any], *, max_bytes: int = 12 * 1024) -> None:
    """Assert that hosts can take these tools (of the SDK, or as on the wire); tells all problems at once."""
    listed = [_wire(tool) for tool in tools]
    problems = [f"{tool.get('name')}: {problem}" for tool in listed for problem in _tool_problems(tool)]
    size = len(json.dumps({"tools": listed}, ensure_ascii=False, separators=(",", ":")).encode())
    if size > max_bytes:
        problems.append(f"tools/list takes {size} bytes, over {max_bytes}")
    assert listed, "the server offers no tools"
    assert not problems, "\n".join(problems)


def check_success(result: object, tool: object) -> Json:
    """Assert that a result is a success that every host shows whole and accepts; return its data.

    Needs jsonschema.
    """
    import jsonschema  # deferred: only tests have it

    wire = _wire(result)
    assert not wire.get("isError"), f"the call failed: {_text(wire)}"
    structured: Json = wire["structuredContent"]
    compact = json.dumps(structured, ensure_ascii=False, separators=(",", ":"))
    assert _text(wire) == compact, "the text is not the compact JSON of structuredContent"
    jsonschema.validate(structured, _wire(tool)["outputSchema"], cls=jsonschema.Draft202012Validator)
    _check_size(wire)
    return structured


def check_failure(result: object) -> Json:
    """Assert that a result is a failure that every host shows; return the error object."""
    wire = _wire(result)
    assert wire.get("isError") is True, f"the call did not fail: {wire}"
    assert "structuredContent" not in wire, "clients validate structuredContent, of failures too"
    body = json.loads(_text(wire))
    assert isinstance(body, dict), f"the error is no object: {body}"
    _check_size(wire)
    return body


def _tool_problems(tool: Json) -> Iterator[str]:
    if NAME_PATTERN.fullmatch(tool.get("name", "")) is None:
        yield f"the name is not {NAME_PATTERN.pattern}"
    if not tool.get("title") or not tool.get("description"):
        yield "title or description is missing"
    hints = tool.get("annotations", {})
    yield from (f"{hint} is not given" for hint in _HINTS if not isinstance(hints.get(hint), bool))
    for side in ("inputSchema", "outputSchema"):
        yield from (f"{side} {problem}" for problem in _schema_problems(tool.get(side), side))


def _schema_problems(schema: Any, side: str) -> Iterator[str]:  # noqa: ANN401 - whatever came over the wire
    if not isinstance(schema, dict) or schema.get("type") != "object":
        yield "is no object at its root"
        return
    yield from banned_keywords(schema)
    if side == "inputSchema":
        yield from (f"{at}: takes unknown properties" for at in _open_objects(schema, "#"))


def _open_objects(schema: Mapping[str, Any], at: str) -> Iterator[str]:
    is_record = "object" in types_of(schema) and ("properties" in schema or at == "#")
    if is_record and schema.get("additionalProperties") is not False:
        yield at
    for name, child in children(schema):
        yield from _open_objects(child, f"{at}/{name}")


def _check_size(wire: Json) -> None:
    size = len(json.dumps(wire, ensure_ascii=False, separators=(",", ":")).encode())
    assert size <= MAX_RESULT_BYTES, f"the result takes {size} bytes"


def _text(wire: Json) -> str:
    content = wire["content"]
    assert [part["type"] for part in content] == ["text"], f"one text is wanted: {content}"
    text: str = content[0]["text"]
    return text


def _wire(value: object) -> Json:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True, exclude_none=True)
    assert isinstance(value, dict), f"neither a model of the SDK nor a JSON object: {value!r}"
    return value
