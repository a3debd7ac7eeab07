"""in-toto's Statement v1 and its predicate test-result v0.1 as JSON Schema, written after their specifications.

See github.com/in-toto/attestation: spec/v1/statement.md, spec/v1/resource_descriptor.md, spec/v1/digest_set.md
and spec/predicates/test-result.md. Closed, although readers must ignore what they do not know: what we write is
what is specified.
"""

from __future__ import annotations

from typing import Any

_DIGESTS = {
    "type": "object",
    "minProperties": 1,
    "propertyNames": {"pattern": "^[A-Za-z0-9_]+$"},
    "additionalProperties": {"type": "string", "pattern": "^[0-9a-f]+$"},
}
_RESOURCE = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "name": {"type": "string"},
        "uri": {"type": "string"},
        "digest": _DIGESTS,
        "content": {"type": "string"},
        "downloadLocation": {"type": "string"},
        "mediaType": {"type": "string"},
        "annotations": {"type": "object"},
    },
    "anyOf": [{"required": ["uri"]}, {"required": ["digest"]}, {"required": ["content"]}],
}
_NAMES = {"type": "array", "items": {"type": "string"}}

TEST_RESULT_STATEMENT: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["_type", "subject", "predicateType", "predicate"],
    "properties": {
        "_type": {"const": "https://in-toto.io/Statement/v1"},
        "subject": {"type": "array", "minItems": 1, "items": {**_RESOURCE, "required": ["digest"]}},
        "predicateType": {"const": "https://in-toto.io/attestation/test-result/v0.1"},
        "predicate": {
            "type": "object",
            "additionalProperties": False,
            "required": ["result", "configuration"],
            "properties": {
                "result": {"enum": ["PASSED", "WARNED", "FAILED"]},
                "configuration": {"type": "array", "items": _RESOURCE},
                "url": {"type": "string", "format": "uri"},
                "passedTests": _NAMES,
                "warnedTests": _NAMES,
                "failedTests": _NAMES,
            },
        },
    },
}
