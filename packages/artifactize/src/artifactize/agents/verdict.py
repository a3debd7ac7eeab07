"""The verdict that a model's final message must be: one JSON object, nothing around it.

Imported where a review is made, never at start-up: jsonschema takes 60 ms.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, NoReturn, cast

from jsonschema import Draft202012Validator

if TYPE_CHECKING:
    from collections.abc import Mapping

    from artifactize.domain.declarations import Json

MAX_CHARS = 256 * 1024
MAX_SUMMARY_CHARS = 4096
_OWN = ("verdict", "summary")


class InvalidVerdict(Exception):  # noqa: N818 - what a model answered, not a failure of ours
    """A final message that is no verdict; the text says why, in words that the model may be shown."""


@dataclass(frozen=True, slots=True)
class ParsedVerdict:
    """What a model concluded. `json` is its verdict as compact JSON, for `result_check`."""

    verdict: Literal["GREEN", "RED"]
    summary: str
    fields: Mapping[str, Json]
    json: str


def result_schema(
    pass_schema: Mapping[str, Json] | None = None, fail_schema: Mapping[str, Json] | None = None
) -> dict[str, Json]:
    """Return the JSON Schema of a verdict whose owner wants these fields of a GREEN and of a RED.

    The owner's schemas see the whole object, `verdict` and `summary` included, unless they forbid additional
    properties: then they see only their own fields, which `parse` takes care of.
    """
    return {
        "type": "object",
        "required": ["verdict", "summary"],
        "properties": {
            "verdict": {"enum": ["GREEN", "RED"]},
            "summary": {"type": "string", "minLength": 1, "maxLength": MAX_SUMMARY_CHARS},
        },
        "x-fields": {"GREEN": _schema(pass_schema), "RED": _schema(fail_schema)},
    }


def parse(text: str, schema: Mapping[str, Json]) -> ParsedVerdict:
    """Return the verdict that a final message is. Raises InvalidVerdict."""
    found = _object(text)
    _check(found, {key: value for key, value in schema.items() if key != "x-fields"}, "")
    fields = {key: value for key, value in found.items() if key not in _OWN}
    wanted = schema.get("x-fields")
    if isinstance(wanted, dict):
        _check(fields, cast("dict[str, Json]", wanted[str(found["verdict"])]), "the owner's fields: ")
    return ParsedVerdict(
        cast("Literal['GREEN', 'RED']", found["verdict"]),
        str(found["summary"]),
        fields,
        json.dumps(found, ensure_ascii=False, separators=(",", ":")),
    )


def _schema(given: Mapping[str, Json] | None) -> dict[str, Json]:
    return {"type": "object", "additionalProperties": False} if given is None else dict(given)


def _object(text: str) -> dict[str, Json]:
    if not text.strip():
        raise InvalidVerdict("the final message is empty")
    if len(text) > MAX_CHARS:
        raise InvalidVerdict(f"the final message has {len(text)} characters, more than {MAX_CHARS}")
    try:
        found = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except (ValueError, RecursionError) as failure:
        raise InvalidVerdict(f"the final message is not one JSON object: {failure}") from failure
    if not isinstance(found, dict):
        raise InvalidVerdict("the final message is JSON, but not an object")
    return cast("dict[str, Json]", found)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands there twice")
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _check(value: Mapping[str, Json], schema: Mapping[str, Json], where: str) -> None:
    error = next(iter(_validator(json.dumps(schema)).iter_errors(value)), None)
    if error is not None:
        place = "/".join(str(part) for part in error.absolute_path)
        raise InvalidVerdict(f"{where}{place + ': ' if place else ''}{error.message[:500]}")


@lru_cache(maxsize=64)
def _validator(schema: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads(schema))
