"""in-toto statements about what was reviewed or tested (github.com/in-toto/attestation, spec/v1).

Unsigned: whoever publishes one wraps it in an envelope with a signature of their own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pydantic import JsonValue

STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
TEST_RESULT_TYPE = "https://in-toto.io/attestation/test-result/v0.1"
TestOutcome = Literal["PASSED", "WARNED", "FAILED"]
_HEX = re.compile(r"(?:[0-9a-f]{2})+")


@dataclass(frozen=True, kw_only=True)
class Resource:
    """A ResourceDescriptor: something by its address or digest (algorithm to lower-case hex).

    Raises ValueError when nothing identifies it, or a digest is no hexadecimal number.
    """

    name: str = ""
    uri: str = ""
    media_type: str = ""
    digest: Mapping[str, str] = field(default_factory=dict)
    annotations: Mapping[str, JsonValue] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Hold the descriptor to its rules."""
        if not (self.uri or self.digest):
            raise ValueError("a resource needs a uri or a digest")
        for algorithm, value in self.digest.items():
            if not _HEX.fullmatch(value):
                raise ValueError(f"the {algorithm} digest {value!r} is not lower-case hexadecimal")

    def document(self) -> dict[str, JsonValue]:
        """The JSON object; what is not known is left out."""
        found: dict[str, JsonValue] = {
            "name": self.name,
            "uri": self.uri,
            "mediaType": self.media_type,
            "digest": dict(self.digest),
            "annotations": dict(self.annotations),
        }
        return {key: value for key, value in found.items() if value}


@dataclass(frozen=True, kw_only=True)
class TestRun:
    """What the predicate test-result says: one invocation of some tests, by outcome."""

    __test__ = False  # not a test of ours

    result: TestOutcome
    configuration: Sequence[Resource]
    passed: Sequence[str] = ()
    warned: Sequence[str] = ()
    failed: Sequence[str] = ()
    url: str = ""

    def document(self) -> dict[str, JsonValue]:
        """The JSON object of the predicate."""
        found: dict[str, JsonValue] = {
            "result": self.result,
            "configuration": [resource.document() for resource in self.configuration],
            "passedTests": list(self.passed),
            "warnedTests": list(self.warned),
            "failedTests": list(self.failed),
        }
        return {**found, "url": self.url} if self.url else found


def statement(
    subject: Sequence[Resource], *, predicate_type: str, predicate: Mapping[str, JsonValue]
) -> dict[str, JsonValue]:
    """A statement that `predicate` holds for `subject`; ValueError when a subject has no digest."""
    if not subject or not all(resource.digest for resource in subject):
        raise ValueError("a statement needs subjects, each with a digest")
    return {
        "_type": STATEMENT_TYPE,
        "subject": [resource.document() for resource in subject],
        "predicateType": predicate_type,
        "predicate": dict(predicate),
    }


def test_result_statement(subject: Sequence[Resource], run: TestRun) -> dict[str, JsonValue]:
    """A statement of the predicate type test-result v0.1."""
    return statement(subject, predicate_type=TEST_RESULT_TYPE, predicate=run.document())


test_result_statement.__test__ = False  # type: ignore[attr-defined] # nor is this one
